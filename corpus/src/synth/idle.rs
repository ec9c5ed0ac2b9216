//! What never stops: balance sway, breathing, small shifts of every joint and the tremor of held arms.

use super::body::*;
use super::glide::Glide;
use super::noise::Smooth;
use super::plan::{Action, Scene};
use super::shape::wave;

/// Largest slow excursion of each muscle of an arm and a leg.
const ARM_SWAY: [f64; ARM_MUSCLES] = [0.12, 0.18, 0.12, 0.15, 0.20, 0.16, 0.28, 0.22, 0.24];
const LEG_SWAY: [f64; LEG_MUSCLES] = [0.06, 0.04, 0.055, 0.08, 0.04, 0.10, 0.04, 0.02];

/// The idle layer.
pub(crate) struct Idle {
    seed: u64,
    legs: Glide,
    breath: Smooth,
    balance: [Smooth; 2],
}

impl Idle {
    pub(crate) fn new(seed: u64, scenes: &[Scene]) -> Idle {
        // Legs of a seated performer rest on the chair and do not move at all.
        let mut legs = Glide::new(1.0, 0.0);
        for scene in scenes.iter().filter(|scene| scene.action == Action::Sit) {
            legs.plan(scene.start_s + 0.8, 1.0, 0.0);
            legs.plan(scene.end_s - 1.2, 1.0, 1.0);
        }
        let signal = |number: u64| Smooth::new(seed, 0x2000 + number);
        Idle { seed, legs, breath: signal(0), balance: [signal(1), signal(2)] }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let legs = self.legs.at(time_s);
        self.add_trunk(time_s, pose);
        for side in 0..2 {
            for (muscle, &sway) in ARM_SWAY.iter().enumerate() {
                let number = ARMS[side] + muscle;
                let tremor = 0.006 * sway * wave(8.6 * time_s + 0.37 * muscle as f64 + 0.5 * side as f64);
                pose[number] += sway * self.drift(number, time_s) + tremor;
            }
            if legs > 0.0 {
                for (muscle, &sway) in LEG_SWAY.iter().enumerate() {
                    let number = LEGS[side] + muscle;
                    pose[number] += legs * sway * self.drift(number, time_s);
                }
            }
        }
        if legs > 0.0 {
            self.add_balance(time_s, legs, pose);
        }
    }

    /// Three octaves of smooth noise, each faster one much weaker, as measured body sway is.
    fn drift(&self, muscle: usize, time_s: f64) -> f64 {
        let signal = |octave: u64| Smooth::new(self.seed, 0x2100 + 8 * muscle as u64 + octave);
        0.75 * signal(0).at(0.35 * time_s)
            + 0.22 * signal(1).at(1.3 * time_s)
            + 0.08 * signal(2).at(4.3 * time_s)
    }

    fn add_trunk(&self, time_s: f64, pose: &mut Pose) {
        let breath = wave(0.26 * time_s + 0.3 * self.breath.at(0.2 * time_s));
        pose[SPINE_FRONT_BACK] += 0.004 * breath + 0.03 * self.drift(SPINE_FRONT_BACK, time_s);
        pose[CHEST_FRONT_BACK] += 0.014 * breath + 0.045 * self.drift(SPINE_FRONT_BACK, time_s - 0.05);
        pose[ARMS[0] + SHOULDER_DOWN_UP] += 0.02 * breath;
        pose[ARMS[1] + SHOULDER_DOWN_UP] += 0.02 * breath;
        // Spine and chest share their turns and bends.
        let (bend, turn) = (self.drift(SPINE_LEFT_RIGHT, time_s), self.drift(SPINE_TWIST, time_s));
        pose[SPINE_LEFT_RIGHT] += 0.02 * bend;
        pose[CHEST_LEFT_RIGHT] += 0.022 * bend + 0.01 * self.drift(CHEST_LEFT_RIGHT, time_s);
        pose[SPINE_TWIST] += 0.05 * turn;
        pose[CHEST_TWIST] += 0.06 * turn + 0.012 * self.drift(CHEST_TWIST, time_s);
        for (muscle, value) in pose.iter_mut().enumerate().take(HEAD_TURN + 1).skip(NECK_NOD) {
            *value += 0.06 * self.drift(muscle, time_s);
        }
    }

    /// Weight shifts: the whole body leans over the ankles, so both legs and the spine move together.
    fn add_balance(&self, time_s: f64, legs: f64, pose: &mut Pose) {
        let forth = legs * self.balance[0].at(0.5 * time_s);
        let aside = legs * self.balance[1].at(0.3 * time_s);
        for (side, &leg) in LEGS.iter().enumerate() {
            let outward = if side == 0 { aside } else { -aside };
            pose[leg + FOOT_UP_DOWN] += 0.06 * forth;
            pose[leg + UPPER_LEG_FRONT_BACK] -= 0.015 * forth;
            pose[leg + UPPER_LEG_IN_OUT] += 0.03 * outward;
            pose[leg + FOOT_TWIST] -= 0.04 * outward;
        }
        pose[SPINE_LEFT_RIGHT] -= 0.015 * aside;
        pose[SPINE_FRONT_BACK] += 0.008 * forth;
    }
}
