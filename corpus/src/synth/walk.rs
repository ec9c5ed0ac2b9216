//! Gait: legs by phase, hips swaying through the spine, arms swinging against the legs.

use super::body::*;
use super::glide::Glide;
use super::noise::Smooth;
use super::plan::{Action, Scene};
use super::shape::{pulse, wave};

/// Strides (two steps) a second of an easy walk.
const STRIDE_HZ: f64 = 1.02;

/// The walk layer: nothing where the performer does not walk.
pub(crate) struct Walk {
    weight: Glide,
    pace: Smooth,
    vigour: [Smooth; 2],
    lift: [Smooth; 2],
}

impl Walk {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Walk {
        let mut weight = Glide::new(0.0, 0.0);
        for scene in scenes.iter().filter(|scene| scene.action == Action::Walk) {
            weight.plan(scene.start_s + 0.2, 1.3, 1.0);
            weight.plan(scene.end_s - 1.5, 1.4, 0.0);
        }
        let signal = |number: u64| Smooth::new(seed, 0x1000 + number);
        Walk { weight, pace: signal(0), vigour: [signal(1), signal(2)], lift: [signal(3), signal(4)] }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let weight = self.weight.at(time_s);
        if weight == 0.0 {
            return;
        }
        // A tenth of a cycle of drift makes every stride a little longer or shorter than the last.
        let phase = STRIDE_HZ * time_s + 0.16 * self.pace.at(0.45 * time_s);
        for side in 0..2 {
            let own_phase = phase + 0.5 * side as f64;
            let vigour = weight * (1.0 + 0.22 * self.vigour[side].at(0.9 * time_s));
            let lift = weight * (1.0 + 0.3 * self.lift[side].at(0.9 * time_s + 0.5));
            add_leg(own_phase, vigour, lift, &mut pose[LEGS[side]..LEGS[side] + LEG_MUSCLES]);
            add_arm(own_phase + 0.47, vigour, &mut pose[ARMS[side]..ARMS[side] + ARM_MUSCLES]);
        }
        add_trunk(phase, weight, pose);
    }
}

fn add_leg(phase: f64, vigour: f64, lift: f64, leg: &mut [f64]) {
    let (swing, double) = (wave(phase + 0.25), wave(2.0 * phase + 0.1));
    leg[UPPER_LEG_FRONT_BACK] -= vigour * (0.16 + 0.40 * swing + 0.055 * double);
    leg[UPPER_LEG_IN_OUT] += vigour * (0.045 * wave(phase + 0.1) + 0.015 * double);
    leg[UPPER_LEG_TWIST] += vigour * (0.07 * wave(phase + 0.4) - 0.03 * pulse(phase, 0.7, 0.3));
    let heel = pulse(phase, 0.03, 0.05);
    leg[LOWER_LEG_STRETCH] -= lift
        * (0.05 + 0.17 * pulse(phase, 0.13, 0.2) + 0.66 * pulse(phase, 0.73, 0.33))
        + 0.012 * vigour * heel;
    leg[LOWER_LEG_TWIST] += vigour * 0.06 * wave(phase + 0.65);
    leg[FOOT_UP_DOWN] += vigour
        * (0.14 * pulse(phase, 0.38, 0.26) - 0.42 * pulse(phase, 0.63, 0.15)
            + 0.12 * pulse(phase, 0.88, 0.2)
            - 0.05 * heel);
    leg[FOOT_TWIST] += vigour * (0.05 * wave(phase + 0.2) + 0.02 * heel);
    leg[TOES_UP_DOWN] -= lift * 0.46 * pulse(phase, 0.57, 0.15);
}

fn add_arm(phase: f64, vigour: f64, arm: &mut [f64]) {
    let swing = wave(phase + 0.25);
    let forward = 0.5 + 0.5 * swing;
    arm[SHOULDER_DOWN_UP] += vigour * 0.03 * wave(2.0 * phase + 0.3);
    arm[SHOULDER_DOWN_UP + 1] += vigour * 0.11 * swing;
    arm[ARM_DOWN_UP] += vigour * (0.035 * wave(2.0 * phase) - 0.03 * swing);
    arm[ARM_FRONT_BACK] += vigour * 0.28 * swing;
    arm[ARM_TWIST] += vigour * 0.12 * wave(phase + 0.3);
    arm[FOREARM_STRETCH] -= vigour * 0.24 * forward * forward;
    arm[FOREARM_TWIST] += vigour * 0.12 * wave(phase + 0.22);
    arm[HAND_DOWN_UP] += vigour * 0.09 * wave(phase + 0.12);
    arm[HAND_IN_OUT] += vigour * 0.04 * wave(phase + 0.15);
}

fn add_trunk(phase: f64, weight: f64, pose: &mut Pose) {
    let (sway, turn, bob) = (wave(phase + 0.18), wave(phase + 0.27), wave(2.0 * phase + 0.35));
    pose[SPINE_FRONT_BACK] += weight * (0.035 + 0.018 * bob);
    pose[SPINE_LEFT_RIGHT] += weight * 0.05 * sway;
    pose[SPINE_TWIST] += weight * 0.075 * turn;
    pose[CHEST_FRONT_BACK] += weight * 0.012 * bob;
    pose[CHEST_LEFT_RIGHT] -= weight * 0.035 * sway;
    pose[CHEST_TWIST] -= weight * 0.095 * turn;
    // The head is held still in space against the trunk.
    pose[NECK_NOD] += weight * 0.012 * wave(2.0 * phase + 0.6);
    pose[HEAD_NOD] += weight * 0.02 * wave(2.0 * phase + 0.62);
    pose[NECK_TILT] -= weight * 0.012 * sway;
    pose[HEAD_TILT] -= weight * 0.016 * sway;
    pose[NECK_TURN] += weight * 0.012 * turn;
    pose[HEAD_TURN] += weight * 0.016 * turn;
}
