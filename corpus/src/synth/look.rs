//! Looking around: the head goes from point to point in quick moves and rests between; the neck takes a share.

use super::body::*;
use super::glide::Glide;
use super::plan::{Action, Scene};
use super::rng::Rng;

/// The head layer.
pub(crate) struct Look {
    turn: Glide,
    nod: Glide,
    tilt: Glide,
}

impl Look {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Look {
        let mut rng = Rng::new(seed, 0x05);
        let mut look =
            Look { turn: Glide::new(0.0, 0.02), nod: Glide::new(0.0, 0.02), tilt: Glide::new(0.0, 0.0) };
        for scene in scenes {
            // Longest rest between two looks in seconds, and how far the looks go.
            let (rest_s, reach) = match scene.action {
                Action::Stand => (1.6, 1.0),
                Action::Walk => (2.5, 0.6),
                Action::Reach => (1.2, 0.8),
                Action::Wave => (2.0, 0.5),
                Action::Dance => (0.8, 0.7),
                Action::Sit => (1.1, 1.1),
            };
            let mut now_s = scene.start_s + rng.between(0.1, rest_s);
            while now_s < scene.end_s {
                // Most looks come back near the middle; a big one takes longer.
                let far = if rng.chance(0.4) { 0.2 } else { 1.0 };
                let turn = reach * far * rng.signed();
                let duration_s = 0.22 + 0.25 * turn.abs();
                look.turn.plan(now_s, duration_s, 0.85 * turn);
                look.nod.plan(now_s + 0.02, duration_s, 0.45 * reach * far * rng.signed());
                if rng.chance(0.4) {
                    look.tilt.plan(now_s + 0.05, duration_s + 0.2, 0.3 * reach * rng.signed());
                }
                now_s += duration_s + rng.between(0.3, rest_s);
            }
        }
        look
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let (turn, nod, tilt) = (self.turn.at(time_s), self.nod.at(time_s), self.tilt.at(time_s));
        pose[NECK_TURN] += 0.45 * turn;
        pose[HEAD_TURN] += 0.65 * turn;
        pose[NECK_NOD] += 0.35 * nod;
        pose[HEAD_NOD] += 0.60 * nod;
        pose[NECK_TILT] += 0.5 * tilt + 0.05 * turn;
        pose[HEAD_TILT] += 0.4 * tilt - 0.04 * turn;
        pose[CHEST_TWIST] += 0.05 * turn;
    }
}
