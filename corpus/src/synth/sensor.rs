//! Tracker noise. Each device shakes all muscles that are solved from it together, and each muscle shakes a
//! little on its own; the level differs by body part and drifts with the tracking quality. Each device also
//! reports a pose that is a little early or late, which shows in proportion to speed.

use super::body::*;
use super::glide::Glide;
use super::noise::Smooth;
use super::plan::{Action, Scene};
use super::rng::{Rng, mix, unit_of};
use super::shape::min_jerk;
use sinew::MUSCLE_COUNT;

/// The muscles solved from one tracked device and the noise level of a typical one of them.
struct Device {
    first: usize,
    count: usize,
    level: f64,
    leg: bool,
}

impl Device {
    /// The twist muscle of the limb's upper bone and how much more it shakes than the others: the straighter
    /// the elbow or knee, the less the lower bone tells about it.
    fn twist(&self, pose: &Pose) -> (usize, f64) {
        let (twist, stretch) = match self.first {
            first if LEGS.contains(&first) => (first + UPPER_LEG_TWIST, first + LOWER_LEG_STRETCH),
            first if ARMS.contains(&first) => (first + ARM_TWIST, first + FOREARM_STRETCH),
            _ => return (self.first, 1.0),
        };
        (twist, 1.0 + 5.0 * min_jerk((pose[stretch] - 0.8) / 0.25))
    }
}

const DEVICES: [Device; 8] = [
    Device { first: SPINE_FRONT_BACK, count: 6, level: 1.4e-4, leg: false },
    Device { first: NECK_NOD, count: 6, level: 3.2e-4, leg: false },
    Device { first: LEGS[0], count: LEG_MUSCLES, level: 2.8e-4, leg: true },
    Device { first: LEGS[1], count: LEG_MUSCLES, level: 2.8e-4, leg: true },
    Device { first: ARMS[0], count: 5, level: 3.3e-4, leg: false },
    Device { first: ARMS[1], count: 5, level: 3.3e-4, leg: false },
    Device { first: ARMS[0] + 5, count: 4, level: 6.5e-4, leg: false },
    Device { first: ARMS[1] + 5, count: 4, level: 6.5e-4, leg: false },
];

/// Largest time error of a device's pose in frames: trackers run free of the display, so that a frame shows
/// whichever pose came last.
const LATENCY_FRAMES: f64 = 0.6;

/// The noise layer. Its state is a low-passed signal a device and a muscle, and the last true pose.
pub(crate) struct Sensor {
    seed: u64,
    rng: Rng,
    scale: f64,
    legs: Glide,
    shared: [f64; DEVICES.len()],
    own: Pose,
    last: Option<Pose>,
}

impl Sensor {
    /// `scale` multiplies every level; 0 gives a clean signal.
    pub(crate) fn new(seed: u64, scale: f64, scenes: &[Scene]) -> Sensor {
        // While the performer sits, the solver holds the legs and ignores their trackers.
        let mut legs = Glide::new(1.0, 0.0);
        for scene in scenes.iter().filter(|scene| scene.action == Action::Sit) {
            legs.plan(scene.start_s + 1.5, 0.4, 0.0);
            legs.plan(scene.end_s - 1.9, 0.3, 1.0);
        }
        let rng = Rng::new(seed, 0x07);
        Sensor { seed, rng, scale, legs, shared: [0.0; DEVICES.len()], own: [0.0; MUSCLE_COUNT], last: None }
    }

    pub(crate) fn add(&mut self, time_s: f64, pose: &mut Pose) {
        let legs = self.legs.at(time_s);
        let last = self.last.replace(*pose).unwrap_or(*pose);
        for (number, device) in DEVICES.iter().enumerate() {
            let quality = Smooth::new(self.seed, 0x7000 + number as u64).at(0.6 * time_s);
            // Cubed, because tracking is fine most of the time and bad in bursts.
            let badness = (1.0 + 1.3 * quality) * (1.0 + 1.3 * quality) * (1.0 + 1.3 * quality);
            let level = self.scale * device.level * badness * if device.leg { legs } else { 1.0 };
            let (twist, ill_posed) = device.twist(pose);
            let shared = low_passed(&mut self.shared[number], &mut self.rng);
            let late_frames = self.scale * LATENCY_FRAMES * self.rng.signed();
            for muscle in device.first..device.first + device.count {
                let own = low_passed(&mut self.own[muscle], &mut self.rng);
                let lever = 1.6 * unit_of(mix(self.seed, 0x7100 + muscle as u64)) - 0.8;
                let level = level * if muscle == twist { ill_posed } else { 1.0 };
                pose[muscle] +=
                    level * (lever * shared + 0.6 * own) + late_frames * (last[muscle] - pose[muscle]);
            }
        }
    }
}

/// Next value of a noise that a tracker's filter has smoothed over about two frames.
fn low_passed(state: &mut f64, rng: &mut Rng) -> f64 {
    *state = 0.5 * *state + 0.85 * rng.bell();
    *state
}
