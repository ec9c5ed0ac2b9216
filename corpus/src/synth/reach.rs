//! Arms that go from posture to posture: reaching, waving, lying in the lap; shoulder and spine go along.

use super::body::*;
use super::dance::BEAT_HZ;
use super::glide::Glide;
use super::plan::{Action, Scene};
use super::rng::Rng;

type ArmPose = [f64; ARM_MUSCLES];

/// Ahead at chest height, high ahead, across the body, out to the side, down at the hip.
const TARGETS: [ArmPose; 5] = [
    [0.18, 0.72, 0.24, 0.47, 0.14, 0.82, 0.34, 0.28, 0.03],
    [1.32, 0.74, 0.74, 0.52, 0.42, 1.01, 0.62, -0.22, 0.22],
    [0.14, 1.24, 0.06, 0.84, 0.58, 0.18, 0.86, 0.26, -0.42],
    [0.66, -0.26, 0.56, -0.06, 0.26, 1.08, -0.14, 0.06, 0.44],
    [-0.30, -0.02, -0.38, -0.22, -0.18, 0.32, -0.52, 0.38, 0.20],
];
const RAISED: ArmPose = [1.24, 0.12, 0.58, 0.06, 0.34, -0.36, 0.68, 0.05, -0.1];
const IN_LAP: ArmPose = [-0.04, 0.24, -0.36, 0.28, 0.24, -0.08, 0.46, 0.14, 0.05];

/// The proximal joints start first and the hand last, as in people.
const LAG_S: ArmPose = [0.0, 0.01, 0.02, 0.03, 0.045, 0.05, 0.075, 0.1, 0.11];

/// Both arms.
pub(crate) struct Reach {
    arms: [Vec<Glide>; 2],
}

impl Reach {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Reach {
        let mut rng = Rng::new(seed, 0x03);
        let arm = || HANGING_ARM.iter().map(|&value| Glide::new(value, 0.035)).collect();
        let mut reach = Reach { arms: [arm(), arm()] };
        for scene in scenes {
            match scene.action {
                Action::Stand | Action::Walk => {}
                Action::Reach => reach.plan_reaches(&mut rng, scene),
                Action::Wave => {
                    reach.plan(1, scene.start_s, 0.95, &RAISED);
                    reach.plan(1, scene.end_s - 1.1, 0.9, &HANGING_ARM);
                }
                Action::Dance => reach.plan_dance(&mut rng, scene),
                Action::Sit => reach.plan_talk(&mut rng, scene),
            }
        }
        reach
    }

    fn plan(&mut self, side: usize, start_s: f64, duration_s: f64, goal: &ArmPose) {
        for ((glide, lag_s), &value) in self.arms[side].iter_mut().zip(LAG_S).zip(goal) {
            glide.plan(start_s + lag_s, duration_s, value);
        }
    }

    /// Reaches from target to target, then hangs the arms again before the scene ends. The left arm rests more.
    fn plan_reaches(&mut self, rng: &mut Rng, scene: &Scene) {
        for (side, longest_rest_s) in [(0, 2.2), (1, 0.45)] {
            let mut now_s = scene.start_s + rng.between(0.0, longest_rest_s);
            while now_s < scene.end_s - 2.0 {
                let duration_s = rng.between(0.4, 0.75);
                let goal = if rng.chance(0.2) { HANGING_ARM } else { drawn_target(rng) };
                self.plan(side, now_s, duration_s, &goal);
                now_s += duration_s + rng.between(0.0, longest_rest_s);
            }
            self.plan(side, scene.end_s - 1.2, 0.9, &HANGING_ARM);
        }
    }

    /// A new posture of each arm on most beats.
    fn plan_dance(&mut self, rng: &mut Rng, scene: &Scene) {
        let mut beat_s = scene.start_s;
        while beat_s < scene.end_s - 2.0 {
            for side in 0..2 {
                if rng.chance(0.7) {
                    let goal = drawn_target(rng);
                    self.plan(side, beat_s, rng.between(0.28, 0.42), &goal);
                }
            }
            beat_s += 1.0 / BEAT_HZ;
        }
        self.plan(0, scene.end_s - 1.2, 0.9, &HANGING_ARM);
        self.plan(1, scene.end_s - 1.2, 0.9, &HANGING_ARM);
    }

    /// Hands in the lap, with small moves of both as people make while they talk.
    fn plan_talk(&mut self, rng: &mut Rng, scene: &Scene) {
        self.plan(0, scene.start_s + 0.5, 1.2, &IN_LAP);
        self.plan(1, scene.start_s + 0.6, 1.2, &IN_LAP);
        let mut now_s = scene.start_s + 2.5;
        while now_s < scene.end_s - 2.6 {
            let size = rng.between(0.4, 1.0);
            let mut goal = IN_LAP;
            for (value, reach) in goal.iter_mut().zip([0.15, 0.25, 0.34, 0.28, 0.3, 0.6, 0.6, 0.4, 0.4]) {
                *value += size * reach * rng.signed();
            }
            let duration_s = rng.between(0.3, 0.6);
            self.plan(1, now_s, duration_s, &goal);
            if rng.chance(0.5) {
                self.plan(0, now_s + 0.06, duration_s, &goal);
            }
            now_s += duration_s + rng.between(0.0, 0.7);
        }
        self.plan(0, scene.end_s - 1.9, 1.1, &HANGING_ARM);
        self.plan(1, scene.end_s - 1.85, 1.1, &HANGING_ARM);
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        for side in 0..2 {
            let mut away = [0.0; ARM_MUSCLES];
            for (muscle, glide) in self.arms[side].iter_mut().enumerate() {
                let value = glide.at(time_s);
                away[muscle] = value - HANGING_ARM[muscle];
                pose[ARMS[side] + muscle] += value;
            }
            add_trunk(side, &away, pose);
        }
    }
}

/// A point between two targets, a little off.
fn drawn_target(rng: &mut Rng) -> ArmPose {
    let (a, b) = (&TARGETS[rng.pick(TARGETS.len())], &TARGETS[rng.pick(TARGETS.len())]);
    let share = rng.between(0.0, 0.5);
    std::array::from_fn(|muscle| a[muscle] + share * (b[muscle] - a[muscle]) + 0.05 * rng.signed())
}

/// The trunk leans and turns into a reach.
fn add_trunk(side: usize, away: &ArmPose, pose: &mut Pose) {
    let toward = if side == 0 { 1.0 } else { -1.0 };
    let (raised, forward) = (away[ARM_DOWN_UP], away[ARM_FRONT_BACK]);
    pose[SPINE_FRONT_BACK] += 0.05 * forward - 0.02 * raised;
    pose[CHEST_FRONT_BACK] += 0.06 * forward - 0.05 * raised;
    pose[SPINE_LEFT_RIGHT] -= toward * (0.04 * raised);
    pose[CHEST_LEFT_RIGHT] -= toward * (0.05 * raised);
    pose[SPINE_TWIST] -= toward * 0.10 * forward;
    pose[CHEST_TWIST] -= toward * 0.12 * forward;
    pose[NECK_TURN] += toward * 0.05 * forward;
}
