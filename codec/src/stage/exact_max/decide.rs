//! Binary decisions that mix counters with given odds (FORMAT section 7.11).

#![allow(clippy::needless_range_loop, reason = "loops over arrays name the place on both sides")]

use crate::stage::entropy::{BinaryCoder, Counter, squash};

/// Counters that a decision asks.
pub(crate) const COUNTERS: usize = 7;
/// Odds that a decision is given.
pub(crate) const GIVEN: usize = 2;
const INPUTS: usize = COUNTERS + GIVEN;
/// Weight 1.0.
const ONE: i32 = 1 << 16;
const MAX_WEIGHT: i32 = 16 * ONE;
const COUNTER_START: i32 = 3276;
const GIVEN_START: i32 = 26_214;
/// Share of the error that a weight takes.
const RATE: i64 = 24;
const MAX_LOGIT: i64 = 2815;
const LIMIT: u8 = 250;

/// Counters in `COUNTERS` contexts and two families of weight vectors, whose results are averaged.
pub(crate) struct Decisions {
    counters: Vec<Counter>,
    bases: [usize; COUNTERS],
    weights: [Vec<[i32; INPUTS]>; 2],
}

impl Decisions {
    /// `sizes` counters a context, and `sets` weight vectors a family.
    pub(crate) fn new(sizes: [usize; COUNTERS], sets: [usize; 2]) -> Self {
        let mut bases = [0; COUNTERS];
        let mut length = 0;
        for (base, size) in bases.iter_mut().zip(sizes) {
            *base = length;
            length += size;
        }
        let mut start = [COUNTER_START; INPUTS];
        start[COUNTERS..].fill(GIVEN_START);
        Decisions {
            counters: vec![Counter::EVEN; length],
            bases,
            weights: sets.map(|sets| vec![start; sets]),
        }
    }

    /// Codes a bit with one counter of each context, the given odds in 1/256 nat and one weight vector of each family.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        slots: &[usize; COUNTERS],
        given: [i32; GIVEN],
        sets: [usize; 2],
        bit: bool,
    ) -> bool {
        let mut logits = [0; INPUTS];
        for i in 0..COUNTERS {
            logits[i] = self.counters[self.bases[i] + slots[i]].logit();
        }
        logits[COUNTERS..].copy_from_slice(&given);
        let mut parts = [0; 2];
        for (part, (weights, set)) in parts.iter_mut().zip(self.weights.iter().zip(sets)) {
            let mut sum = 0;
            for (weight, logit) in weights[set].iter().zip(&logits) {
                sum += i64::from(*weight) * i64::from(*logit);
            }
            *part = (sum >> 16).clamp(-MAX_LOGIT, MAX_LOGIT) as i32;
        }
        let bit = coder.code(bit, squash((parts[0] + parts[1]) >> 1) as u32);
        for (part, (weights, set)) in parts.iter().zip(self.weights.iter_mut().zip(sets)) {
            let error = i64::from((if bit { 65535 } else { 0 }) - squash(*part));
            for (weight, logit) in weights[set].iter_mut().zip(&logits) {
                let moved = (i64::from(*logit) * error * RATE) >> 20;
                *weight = (*weight + moved as i32).clamp(-MAX_WEIGHT, MAX_WEIGHT);
            }
        }
        for i in 0..COUNTERS {
            self.counters[self.bases[i] + slots[i]].update(bit, LIMIT);
        }
        bit
    }
}
