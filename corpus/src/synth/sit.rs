//! Sitting down, sitting with legs that hold exactly still, getting up.

use super::body::*;
use super::glide::Glide;
use super::plan::{Action, Scene};
use super::shape::bump;

/// What a sitting leg differs from a standing one by.
const SEATED: [f64; LEG_MUSCLES] = [-1.22, 0.11, -0.06, -0.93, 0.05, 0.12, 0.02, 0.0];

/// The sitting layer.
pub(crate) struct Sit {
    down: Glide,
}

impl Sit {
    pub(crate) fn new(scenes: &[Scene]) -> Sit {
        let mut down = Glide::new(0.0, 0.0);
        for scene in scenes.iter().filter(|scene| scene.action == Action::Sit) {
            down.plan(scene.start_s, 1.7, 1.0);
            down.plan(scene.end_s - 1.6, 1.5, 0.0);
        }
        Sit { down }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let down = self.down.at(time_s);
        if down == 0.0 {
            return;
        }
        for (side, &leg) in LEGS.iter().enumerate() {
            for (muscle, seated) in SEATED.iter().enumerate() {
                // The right foot stands a little further back.
                let uneven = if side == 1 && muscle == LOWER_LEG_STRETCH { 0.07 } else { 0.0 };
                pose[leg + muscle] += down * (seated - uneven);
            }
        }
        // The trunk bends forward on the way, over the feet, and comes back.
        let lean = bump(2.0 * down - 1.0);
        pose[SPINE_FRONT_BACK] += 0.05 * down + 0.32 * lean;
        pose[CHEST_FRONT_BACK] += 0.04 * down + 0.2 * lean;
        pose[HEAD_NOD] += 0.12 * lean;
    }
}
