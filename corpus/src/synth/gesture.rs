//! Quick oscillations of the forearm and hand: waving, and short beats while talking.

use super::body::*;
use super::glide::Glide;
use super::noise::Smooth;
use super::plan::{Action, Scene};
use super::rng::Rng;
use super::shape::wave;

/// The gesture layer: how much of each oscillation there is, by side.
pub(crate) struct Gesture {
    waving: Glide,
    beats: [Glide; 2],
    pace: Smooth,
    size: Smooth,
}

impl Gesture {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Gesture {
        let mut rng = Rng::new(seed, 0x04);
        let mut waving = Glide::new(0.0, 0.0);
        let mut beats = [Glide::new(0.0, 0.0), Glide::new(0.0, 0.0)];
        for scene in scenes {
            match scene.action {
                Action::Wave => {
                    waving.plan(scene.start_s + 0.7, 0.5, 1.0);
                    waving.plan(scene.end_s - 1.3, 0.5, 0.0);
                }
                Action::Sit => plan_beats(&mut rng, scene, &mut beats),
                Action::Stand | Action::Walk | Action::Reach | Action::Dance => {}
            }
        }
        Gesture { waving, beats, pace: Smooth::new(seed, 0x4000), size: Smooth::new(seed, 0x4001) }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let waving = self.waving.at(time_s) * (1.0 + 0.35 * self.size.at(1.7 * time_s));
        if waving > 0.0 {
            let phase = 2.2 * time_s + 0.25 * self.pace.at(0.8 * time_s);
            let arm = &mut pose[ARMS[1]..ARMS[1] + ARM_MUSCLES];
            arm[1] += waving * 0.14 * wave(phase + 0.02);
            arm[ARM_DOWN_UP] += waving * 0.08 * wave(phase);
            arm[ARM_TWIST] += waving * 0.22 * wave(phase + 0.03);
            arm[FOREARM_STRETCH] += waving * 0.17 * wave(phase + 0.06);
            arm[FOREARM_TWIST] += waving * 0.48 * wave(phase + 0.1);
            arm[HAND_DOWN_UP] += waving * 0.10 * wave(2.0 * phase + 0.2);
            arm[HAND_IN_OUT] += waving * 0.72 * wave(phase + 0.15);
            pose[CHEST_TWIST] += waving * 0.006 * wave(phase + 0.05);
            pose[SPINE_TWIST] += waving * 0.004 * wave(phase + 0.07);
        }
        for side in 0..2 {
            let beat = self.beats[side].at(time_s);
            if beat > 0.0 {
                let phase = 3.1 * time_s + 0.2 * self.pace.at(1.1 * time_s + 40.0);
                let arm = &mut pose[ARMS[side]..ARMS[side] + ARM_MUSCLES];
                arm[FOREARM_STRETCH] += beat * 0.16 * wave(phase);
                arm[FOREARM_TWIST] += beat * 0.14 * wave(phase + 0.1);
                arm[HAND_DOWN_UP] += beat * 0.30 * wave(phase + 0.12);
            }
        }
    }
}

/// Bursts of beats: two in three by the right hand.
fn plan_beats(rng: &mut Rng, scene: &Scene, beats: &mut [Glide; 2]) {
    let mut now_s = scene.start_s + 3.0;
    while now_s < scene.end_s - 4.0 {
        let side = usize::from(rng.chance(0.66));
        let length_s = rng.between(0.5, 1.2);
        beats[side].plan(now_s, 0.3, rng.between(0.4, 1.0));
        beats[side].plan(now_s + length_s, 0.3, 0.0);
        now_s += length_s + rng.between(0.3, 1.5);
    }
}
