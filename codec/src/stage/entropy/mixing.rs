//! Adaptive bits: counters in several contexts, mixed in the logistic domain (FORMAT sections 7.3 and 7.4).

use super::coder::BinaryCoder;
use super::logistic::{squash, stretch};

/// One adaptive probability with the number of bits it has seen, which sets how fast it moves.
#[derive(Clone, Copy)]
pub(crate) struct Counter {
    p1: u16,
    seen: u8,
}

/// `65536 / (n + 1.5)` rounded down: the share of the error that a counter takes after `n` bits.
static RATES: [u32; 256] = {
    let mut rates = [0; 256];
    let mut n = 0;
    while n < 256 {
        rates[n] = (131_072 / (2 * n + 3)) as u32;
        n += 1;
    }
    rates
};

impl Counter {
    /// Starts at probability `p1 / 65536` as if `seen` bits had shown it.
    pub(crate) const fn new(p1: u16, seen: u8) -> Self {
        Counter { p1, seen }
    }

    #[inline]
    fn update(&mut self, bit: bool, limit: u8) {
        let rate = RATES[usize::from(self.seen)];
        let p1 = u32::from(self.p1);
        // Both products fit 32 bits: a probability of 16 bits times a rate of at most 43690.
        self.p1 = if bit { p1 + (((65535 - p1) * rate) >> 16) } else { p1 - ((p1 * rate) >> 16) } as u16;
        if self.seen < limit {
            self.seen += 1;
        }
    }

    /// Codes one bit with this counter alone.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(&mut self, coder: &mut C, bit: bool, limit: u8) -> bool {
        let bit = coder.code(bit, u32::from(self.p1).max(1));
        self.update(bit, limit);
        bit
    }
}

/// A set of counters for each of `N` contexts and the weights that mix them.
pub(crate) struct MixedBits<const N: usize> {
    counters: [Vec<Counter>; N],
    weights: Vec<[i32; N]>,
    limit: u8,
}

/// Weight 1.0 of the mixer.
const ONE: i32 = 1 << 16;
/// Weights stay within ±8, so that a product with a logistic value fits 32 bits.
const WEIGHT_LIMIT: i32 = 8 * ONE - 1;
/// Share of the error that a weight takes.
const WEIGHT_RATE: i32 = 10;

impl<const N: usize> MixedBits<N> {
    /// `sizes` counters a context, each started by `start(context, slot)`, and `sets` weight vectors.
    pub(crate) fn new(
        sizes: [usize; N],
        sets: usize,
        limit: u8,
        start: impl Fn(usize, usize) -> Counter,
    ) -> Self {
        let counters =
            std::array::from_fn(|context| (0..sizes[context]).map(|slot| start(context, slot)).collect());
        MixedBits { counters, weights: vec![[ONE * 4 / (3 * N as i32); N]; sets], limit }
    }

    /// Codes one bit in slot `slots[i]` of context i, mixed by weight vector `set`.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        slots: &[usize; N],
        set: usize,
        bit: bool,
    ) -> bool {
        let weights = &mut self.weights[set];
        let mut logits = [0i32; N];
        let mut sum = 0i32;
        for i in 0..N {
            logits[i] = stretch(self.counters[i][slots[i]].p1);
            sum += (logits[i] * weights[i]) >> 4;
        }
        let p1 = squash(sum >> 12);
        let bit = coder.code(bit, p1 as u32);
        let error = (if bit { 65535 } else { 0 }) - p1;
        for i in 0..N {
            let moved = weights[i] + ((((logits[i] * error) >> 4) * WEIGHT_RATE + (1 << 15)) >> 16);
            weights[i] = moved.clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT);
            self.counters[i][slots[i]].update(bit, self.limit);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::super::coder::{BinaryDecoder, BinaryEncoder};
    use super::*;

    #[test]
    fn a_predictable_sequence_costs_little_and_comes_back() {
        let bits: Vec<bool> = (0..4000).map(|i| i % 7 == 0).collect();
        let model = || MixedBits::<2>::new([7, 1], 1, 255, |_, _| Counter::new(1 << 15, 0));
        let mut encoder = BinaryEncoder::new();
        let mut coding = model();
        for (i, &bit) in bits.iter().enumerate() {
            coding.code(&mut encoder, &[i % 7, 0], 0, bit);
        }
        let bytes = encoder.finish();
        assert!(bytes.len() < 40, "{} bytes", bytes.len());
        let mut decoder = BinaryDecoder::new(&bytes);
        let mut decoding = model();
        for (i, &bit) in bits.iter().enumerate() {
            assert_eq!(decoding.code(&mut decoder, &[i % 7, 0], 0, false), bit, "bit {i}");
        }
    }
}
