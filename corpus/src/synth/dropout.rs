//! Tracking dropouts: the muscles of one device freeze for a moment, then catch up.

use super::body::{ARM_MUSCLES, ARMS, LEG_MUSCLES, LEGS, NECK_NOD};
use super::rng::Rng;
use super::shape::min_jerk;

/// First muscle and number of muscles of what can be lost at once, the often hidden arms twice.
const GROUPS: [(usize, usize); 7] = [
    (NECK_NOD, 6),
    (LEGS[0], LEG_MUSCLES),
    (LEGS[1], LEG_MUSCLES),
    (ARMS[0], ARM_MUSCLES),
    (ARMS[1], ARM_MUSCLES),
    (ARMS[0], ARM_MUSCLES),
    (ARMS[1], ARM_MUSCLES),
];

/// One dropout: frozen from `start_s` to `back_s`, right again at `end_s`.
struct Dropout {
    group: (usize, usize),
    start_s: f64,
    back_s: f64,
    end_s: f64,
}

/// The dropouts of a clip.
pub(crate) struct Dropouts {
    rng: Rng,
    next: Dropout,
    frozen: Vec<f32>,
}

impl Dropouts {
    pub(crate) fn new(seed: u64) -> Dropouts {
        let mut rng = Rng::new(seed, 0x08);
        let next = drawn(&mut rng, 0.0);
        Dropouts { rng, next, frozen: Vec::new() }
    }

    pub(crate) fn apply(&mut self, time_s: f64, values: &mut [f32]) {
        if time_s >= self.next.end_s {
            self.next = drawn(&mut self.rng, self.next.end_s);
            self.frozen.clear();
        }
        if time_s < self.next.start_s {
            return;
        }
        let (first, count) = self.next.group;
        let group = &mut values[first..first + count];
        if self.frozen.is_empty() {
            self.frozen.extend_from_slice(group);
        }
        let caught_up = min_jerk((time_s - self.next.back_s) / (self.next.end_s - self.next.back_s));
        for (value, &frozen) in group.iter_mut().zip(&self.frozen) {
            // Not a sum at 0, so that a frozen value keeps its bits.
            if caught_up == 0.0 {
                *value = frozen;
            } else {
                *value = (f64::from(frozen) + caught_up * (f64::from(*value) - f64::from(frozen))) as f32;
            }
        }
    }
}

fn drawn(rng: &mut Rng, after_s: f64) -> Dropout {
    let start_s = after_s + rng.between(2.5, 9.0);
    let back_s = start_s + rng.between(0.05, 0.22);
    let end_s = back_s + rng.between(0.07, 0.2);
    Dropout { group: GROUPS[rng.pick(GROUPS.len())], start_s, back_s, end_s }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_freeze_and_come_back() {
        let mut dropouts = Dropouts::new(3);
        let (first, start_s, back_s, end_s) =
            (dropouts.next.group.0, dropouts.next.start_s, dropouts.next.back_s, dropouts.next.end_s);
        let mut at = |time_s: f64| {
            let mut values = [time_s as f32; 95];
            dropouts.apply(time_s, &mut values);
            values[first]
        };
        assert_eq!(at(start_s - 0.01), (start_s - 0.01) as f32);
        let frozen = at(start_s + 0.001);
        assert_eq!(at(back_s).to_bits(), frozen.to_bits());
        let between = at((back_s + end_s) / 2.0);
        assert!(frozen < between && between < end_s as f32);
        assert_eq!(at(end_s), end_s as f32);
    }
}
