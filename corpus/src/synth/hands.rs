//! Fingers: one grip value a hand, fixed gains a finger. The right hand opens and closes, the left holds a
//! controller with three fingers that never move.

use super::body::*;
use super::glide::Glide;
use super::noise::Smooth;
use super::plan::{Action, Scene};
use super::rng::Rng;

/// Value of each finger muscle of the open hand and of the closed one.
const OPEN_CLOSED: [(f64, f64); FINGER_MUSCLES] = [
    (-1.139, -1.62),
    (0.792, 0.31),
    (0.767, -0.22),
    (0.826, -0.48),
    (0.674, -0.71),
    (-0.596, -0.24),
    (0.784, -0.83),
    (0.762, -0.79),
    (0.688, -0.78),
    (-0.521, -0.68),
    (0.922, -0.91),
    (0.811, -0.82),
    (0.705, -0.83),
    (-1.649, -1.18),
    (0.900, -0.94),
    (0.812, -0.80),
    (0.738, -0.86),
    (-1.290, -0.97),
    (0.810, -0.88),
    (0.877, -0.79),
];

/// First finger muscle (within a hand) of those that a controller's handle holds: middle, ring and little.
const HELD_FROM: usize = 8;
/// How far the held fingers are closed.
const HELD_GRIP: f64 = 0.55;

/// Both hands.
pub(crate) struct Hands {
    rng: Rng,
    grip: [Glide; 2],
    unrest: [Smooth; 2],
    eased: [f64; 2],
}

impl Hands {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Hands {
        let mut rng = Rng::new(seed, 0x06);
        let mut grip = [Glide::new(0.0, 0.0), Glide::new(0.3, 0.0)];
        for scene in scenes {
            let presses = match scene.action {
                Action::Stand | Action::Walk => 0.35,
                Action::Wave => 0.0,
                Action::Dance => 0.6,
                Action::Reach => 0.9,
                Action::Sit => 0.6,
            };
            let relaxed = if scene.action == Action::Wave { 0.0 } else { 0.3 };
            grip[1].plan(scene.start_s, 0.5, relaxed);
            let mut now_s = scene.start_s + rng.between(0.8, 1.6);
            while now_s < scene.end_s - 1.5 {
                let (side, duration_s) = (usize::from(rng.chance(0.65)), rng.between(0.12, 0.4));
                if rng.chance(presses) {
                    let hold_s = rng.between(0.3, 0.9);
                    grip[side].plan(
                        now_s,
                        duration_s,
                        if rng.chance(0.6) { 1.0 } else { rng.between(0.5, 0.9) },
                    );
                    let rest = if side == 0 { 0.0 } else { relaxed };
                    grip[side].plan(now_s + duration_s + hold_s, duration_s, rest);
                    now_s += 2.0 * duration_s + hold_s;
                }
                now_s += rng.between(0.4, 1.1);
            }
        }
        Hands { rng, grip, unrest: [Smooth::new(seed, 0x6000), Smooth::new(seed, 0x6001)], eased: [0.0, 0.3] }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        for side in 0..2 {
            let goal = self.grip[side].at(time_s);
            // An analogue trigger is never quite still unless it is fully open or closed.
            let analogue = goal
                + (0.06 * self.unrest[side].at(2.3 * time_s) + 0.004 * self.rng.bell()) * goal * (1.0 - goal);
            // Controllers report it in 8 bits.
            let reported = (analogue * 255.0 + 0.5).floor() / 255.0;
            // The application eases the fingers toward it.
            self.eased[side] += 0.3 * (reported - self.eased[side]);
            let grip = self.eased[side];
            for (muscle, (open, closed)) in OPEN_CLOSED.into_iter().enumerate() {
                let own_grip = if side == 0 && muscle >= HELD_FROM { HELD_GRIP } else { grip };
                pose[FINGERS[side] + muscle] = open + (closed - open) * own_grip;
            }
        }
    }
}
