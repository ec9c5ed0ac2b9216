//! Dancing: knees bounce on the beat, hips sway and the trunk turns on every other; the arms' postures are in
//! `reach`.

use super::body::*;
use super::glide::Glide;
use super::noise::Smooth;
use super::plan::{Action, Scene};
use super::shape::{bump, fraction, wave};

/// Beats a second.
pub(crate) const BEAT_HZ: f64 = 2.1;

/// The dance layer.
pub(crate) struct Dance {
    weight: Glide,
    bounce: Smooth,
    sway: Smooth,
    groove: Smooth,
}

impl Dance {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Dance {
        let mut weight = Glide::new(0.0, 0.0);
        for scene in scenes.iter().filter(|scene| scene.action == Action::Dance) {
            weight.plan(scene.start_s + 0.2, 1.0, 1.0);
            weight.plan(scene.end_s - 1.3, 1.2, 0.0);
        }
        let signal = |number: u64| Smooth::new(seed, 0xa000 + number);
        Dance { weight, bounce: signal(0), sway: signal(1), groove: signal(2) }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let weight = self.weight.at(time_s);
        if weight == 0.0 {
            return;
        }
        // People hit a beat within some 30 ms of it.
        let beat = BEAT_HZ * time_s + 0.08 * self.groove.at(1.1 * time_s);
        let bounce = weight * (1.0 + 0.6 * self.bounce.at(1.0 * time_s));
        let sway = weight * (0.8 + 0.8 * self.sway.at(0.6 * time_s));
        let half = wave(0.5 * beat + 0.1);
        // Down fast, up slower: a bump that peaks early in the beat.
        let dip = bump((fraction(beat + 0.35) - 0.35) / 0.45);
        for (side, &leg) in LEGS.iter().enumerate() {
            let toward = if side == 0 { half } else { -half };
            let share = dip * (1.0 + 0.5 * toward);
            pose[leg + UPPER_LEG_FRONT_BACK] -= bounce * 0.20 * share;
            pose[leg + LOWER_LEG_STRETCH] -= bounce * (0.04 + 0.26 * share);
            pose[leg + FOOT_UP_DOWN] += bounce * 0.15 * share;
            pose[leg + UPPER_LEG_IN_OUT] += sway * 0.09 * toward;
            pose[leg + UPPER_LEG_TWIST] += sway * 0.06 * wave(0.5 * beat + 0.25 + 0.5 * side as f64);
            pose[leg + LOWER_LEG_TWIST] += sway * 0.03 * toward;
            pose[leg + FOOT_TWIST] -= sway * 0.07 * toward;
            pose[leg + TOES_UP_DOWN] -=
                bounce * 0.12 * bump((fraction(0.5 * beat + 0.5 * side as f64) - 0.5) / 0.2);
            let arm = ARMS[side];
            pose[arm + SHOULDER_DOWN_UP] += bounce * 0.08 * dip;
            pose[arm + FOREARM_STRETCH] -= bounce * 0.16 * dip;
            pose[arm + FOREARM_TWIST] += sway * 0.18 * wave(beat + 0.2);
            pose[arm + HAND_DOWN_UP] += bounce * 0.24 * wave(beat + 0.33);
            pose[arm + HAND_IN_OUT] += sway * 0.22 * wave(beat + 0.4);
        }
        pose[SPINE_FRONT_BACK] += bounce * 0.06 * dip;
        pose[CHEST_FRONT_BACK] -= bounce * 0.04 * wave(beat + 0.3);
        pose[SPINE_LEFT_RIGHT] += sway * 0.11 * half;
        pose[CHEST_LEFT_RIGHT] -= sway * 0.09 * half;
        pose[SPINE_TWIST] += sway * 0.08 * wave(0.5 * beat + 0.2);
        pose[CHEST_TWIST] += sway * 0.10 * wave(0.5 * beat + 0.24);
        pose[NECK_NOD] -= bounce * 0.10 * wave(beat + 0.42);
        pose[HEAD_NOD] -= bounce * 0.15 * wave(beat + 0.45);
        pose[HEAD_TILT] -= sway * 0.07 * half;
    }
}
