//! What the humanoid solver does to the numbers: joint limits, rounding to f32, and the last-bit chatter of
//! values that do not move.

use super::body::*;
use super::rng::{Rng, mix};
use sinew::MUSCLE_COUNT;

/// A knee cannot stretch further than this, so a straight leg is pinned here.
const KNEE_LIMIT: f64 = 1.0121;
/// The same for an elbow.
const ELBOW_LIMIT: f64 = 1.0524;

/// How one muscle chatters: now and then its last bits jump by a fixed number of units.
#[derive(Clone, Copy)]
struct Chatter {
    probability: f64,
    jump: i32,
    away: bool,
}

/// The solver's state between frames.
pub(crate) struct Solver {
    rng: Rng,
    last: [f32; MUSCLE_COUNT],
    chatter: [Chatter; MUSCLE_COUNT],
}

impl Solver {
    pub(crate) fn new(seed: u64) -> Solver {
        let chatter = std::array::from_fn(|muscle| {
            let bits = mix(seed, 0x8000 + muscle as u64);
            // One muscle in eight is solved to the same bits every time; the others from rarely to often.
            let probability = [0.0, 0.002, 0.01, 0.03, 0.08, 0.15, 0.3, 0.45][(bits & 7) as usize];
            Chatter { probability, jump: 1 + (bits >> 8 & 3) as i32, away: false }
        });
        Solver { rng: Rng::new(seed, 0x09), last: [f32::NAN; MUSCLE_COUNT], chatter }
    }

    /// The recorded values of a pose.
    pub(crate) fn solve(&mut self, pose: &Pose) -> [f32; MUSCLE_COUNT] {
        let mut pose = *pose;
        for side in 0..2 {
            let knee = &mut pose[LEGS[side] + LOWER_LEG_STRETCH];
            *knee = knee.min(KNEE_LIMIT);
            let elbow = &mut pose[ARMS[side] + FOREARM_STRETCH];
            *elbow = elbow.min(ELBOW_LIMIT);
        }
        std::array::from_fn(|muscle| {
            let value = pose[muscle] as f32;
            let still = value.to_bits() == self.last[muscle].to_bits();
            self.last[muscle] = value;
            let chatter = &mut self.chatter[muscle];
            if self.rng.chance(chatter.probability) {
                chatter.away = !chatter.away;
            }
            // Bones that the rig lacks are written as the same bits always: their values are below any chatter.
            if still && chatter.away && value.abs() > 1e-6 {
                f32::from_bits(value.to_bits().wrapping_add_signed(chatter.jump))
            } else {
                value
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn still_values_take_few_bit_patterns() {
        let mut solver = Solver::new(1);
        let frames: Vec<_> = (0..500).map(|_| solver.solve(&[0.7; MUSCLE_COUNT])).collect();
        let mut most = 0;
        for muscle in 0..MUSCLE_COUNT {
            let mut seen: Vec<u32> = frames.iter().map(|frame| frame[muscle].to_bits()).collect();
            seen.sort_unstable();
            seen.dedup();
            most = most.max(seen.len());
            assert!(frames.iter().all(|frame| (f64::from(frame[muscle]) - 0.7).abs() < 1e-6));
        }
        assert_eq!(most, 2);
    }

    #[test]
    fn joints_stop_at_their_limits() {
        let values = Solver::new(1).solve(&[1.5; MUSCLE_COUNT]);
        assert_eq!(values[LEGS[0] + LOWER_LEG_STRETCH], KNEE_LIMIT as f32);
        assert_eq!(values[ARMS[1] + FOREARM_STRETCH], ELBOW_LIMIT as f32);
        assert_eq!(values[SPINE_TWIST], 1.5);
    }
}
