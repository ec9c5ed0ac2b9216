//! Finding an ordered integer by questions "is it below or not?", whose odds come from the mixture (FORMAT section 7.11).

use super::decide::{COUNTERS, Decisions};
use super::mixture::{Experts, Masses, Weights};
use crate::stage::entropy::{BinaryCoder, stretch};
use crate::stage::float_order::unordered_f32;

/// Questions that have counters of their own in each context.
pub(crate) const PLACES: usize = 38;
/// The context that a question's reach chooses.
const REACH_CONTEXT: usize = 5;

/// An ordered integer on the axis of values; infinities and NaN go on where numbers end.
pub(crate) fn value_of(ordered: i64) -> f64 {
    let bits = unordered_f32(ordered.clamp(0, i64::from(u32::MAX)) as u32).to_bits();
    let magnitude = bits & 0x7fff_ffff;
    let size = if magnitude >> 23 == 255 {
        f64::from(f32::from_bits(magnitude - (1 << 23))) * 2.0
    } else {
        f64::from(f32::from_bits(magnitude))
    };
    if bits >> 31 == 1 { -size } else { size }
}

/// Where the values of an ordered integer and the one before it meet.
pub(crate) fn edge(ordered: i64) -> f64 {
    (value_of(ordered - 1) + value_of(ordered)) * 0.5
}

/// One search: what is known is that the ordered integer is in `from..to`.
pub(crate) struct Search<'a, C: BinaryCoder> {
    pub(crate) coder: &'a mut C,
    pub(crate) decisions: &'a mut Decisions,
    pub(crate) experts: &'a Experts,
    pub(crate) weights: [&'a Weights; 2],
    /// The first counter of each context, and the weight vector of the track.
    pub(crate) slots: [usize; COUNTERS],
    pub(crate) own: usize,
    /// What an encoder looks for.
    pub(crate) target: i64,
    /// Each expert's mass below `from` and below `to`.
    pub(crate) low: Masses,
    pub(crate) high: Masses,
    pub(crate) from: i64,
    pub(crate) to: i64,
}

impl<C: BinaryCoder> Search<'_, C> {
    /// Asks whether the integer is `at` or more; the bit says so if `upward`, else the contrary.
    pub(crate) fn ask(&mut self, at: i64, place: usize, reach: u32, upward: bool) -> bool {
        if at <= self.from {
            return true;
        }
        if at >= self.to {
            return false;
        }
        let cut = self.experts.below(edge(at));
        let given = self.weights.map(|weights| {
            let above = weights.mass(&cut, &self.high);
            let share = above / (above + weights.mass(&self.low, &cut));
            let logit = i32::from(stretch(((share * 65536.0) as i32).clamp(1, 65535) as u16));
            if upward { logit } else { -logit }
        });
        let mut slots = self.slots.map(|slot| slot + place);
        slots[REACH_CONTEXT] = reach as usize * PLACES + place;
        let wanted = (self.target >= at) == upward;
        let is_above = self.decisions.code(self.coder, &slots, given, [place, self.own], wanted) == upward;
        if is_above {
            (self.low, self.from) = (cut, at);
        } else {
            (self.high, self.to) = (cut, at);
        }
        is_above
    }

    /// Halves what is left at even odds down to one integer.
    pub(crate) fn finish(&mut self) -> i64 {
        while self.to - self.from > 1 {
            let middle = self.from + (self.to - self.from) / 2;
            if self.coder.code(self.target >= middle, 1 << 15) {
                self.from = middle;
            } else {
                self.to = middle;
            }
        }
        self.from
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::float_order::ordered_f32;

    #[test]
    fn the_axis_of_values_rises_through_all_bit_patterns() {
        for ordered in (0..1i64 << 32).step_by(9_999_991).chain([(1 << 32) - 1]) {
            assert!(value_of(ordered) >= value_of(ordered - 1) && value_of(ordered).is_finite());
            assert!(edge(ordered) <= edge(ordered + 1));
        }
        assert_eq!(value_of(i64::from(ordered_f32(-0.75))), -0.75);
        assert_eq!(value_of(i64::from(ordered_f32(f32::INFINITY))), 2f64.powi(128));
    }
}
