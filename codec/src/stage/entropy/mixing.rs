//! Adaptive bits: counters in several contexts, mixed in the logistic domain (FORMAT sections 7.3 and 7.4).

use super::coder::BinaryCoder;
use super::logistic::{squash, stretch};

/// One adaptive probability with the number of bits it has seen, which sets how fast it moves.
#[derive(Clone, Copy)]
pub(crate) struct Counter {
    p1: u16,
    /// `stretch(p1)`, kept so that the next bit need not wait for it.
    logit: i16,
    seen: u16,
}

/// `32768 / (n + 1.5)` rounded down: the share of the error that a counter takes after `n` bits.
static RATES: [i32; 256] = {
    let mut rates = [0; 256];
    let mut n = 0;
    while n < 256 {
        rates[n] = 65_536 / (2 * n as i32 + 3);
        n += 1;
    }
    rates
};

impl Counter {
    /// Even odds, nothing seen.
    pub(crate) const EVEN: Counter = Counter { p1: 1 << 15, logit: 0, seen: 0 };

    /// Starts at probability `p1 / 65536` as if `seen` bits had shown it.
    pub(crate) fn new(p1: u16, seen: u8) -> Self {
        Counter { p1, logit: stretch(p1), seen: u16::from(seen) }
    }

    /// The counter's odds in 1/256 nat; 0 as long as an even start has seen nothing.
    #[inline]
    pub(crate) fn logit(&self) -> i32 {
        i32::from(self.logit)
    }

    #[inline]
    pub(crate) fn update(&mut self, bit: bool, limit: u8) {
        let rate = RATES[usize::from(self.seen & 255)];
        let p1 = i32::from(self.p1);
        // No branch on the bit, which nothing can foretell; the product of 16 and 15 bits fits.
        let moved = p1 + (((i32::from(bit) * 65535 - p1) * rate) >> 15);
        self.p1 = moved as u16;
        self.logit = stretch(self.p1);
        self.seen += u16::from(self.seen < u16::from(limit));
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
    /// The counters of all contexts, one after the other, and where each context's begin.
    counters: Vec<Counter>,
    bases: [usize; N],
    weights: Vec<[i32; N]>,
    limit: u8,
}

/// Weight 1.0 of the mixer.
const ONE: i32 = 1 << 16;
/// Share of the error that a weight takes.
const WEIGHT_RATE: i32 = 10;

impl<const N: usize> MixedBits<N> {
    /// `sizes` counters a context, at even odds, and `sets` weight vectors.
    pub(crate) fn new(sizes: [usize; N], sets: usize, limit: u8) -> Self {
        let mut bases = [0; N];
        let mut length = 0;
        for (base, size) in bases.iter_mut().zip(sizes) {
            *base = length;
            length += size;
        }
        let counters = vec![Counter::EVEN; length];
        MixedBits { counters, bases, weights: vec![[ONE * 4 / (3 * N as i32); N]; sets], limit }
    }

    /// Where slot `slots[i]` of each context i lies among all counters; worth keeping while several bits are coded.
    #[inline]
    pub(crate) fn places(&self, slots: [usize; N]) -> [usize; N] {
        std::array::from_fn(|i| self.bases[i] + slots[i])
    }

    /// Codes one bit with the counters `offset` behind each of `places`, mixed by weight vector `set`.
    #[inline(always)]
    pub(crate) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        places: &[usize; N],
        offset: usize,
        set: usize,
        bit: bool,
    ) -> bool {
        let weights = &mut self.weights[set];
        let mut logits = [0i32; N];
        let mut sum = 0i32;
        for i in 0..N {
            logits[i] = i32::from(self.counters[places[i] + offset].logit);
            sum = sum.wrapping_add(logits[i].wrapping_mul(weights[i]) >> 4);
        }
        let p1 = squash(sum >> 12);
        let bit = coder.code(bit, p1 as u32);
        // Wrapping, so that no stream whatever can make a product or a weight panic.
        let share = ((i32::from(bit) * 65535 - p1) * WEIGHT_RATE) >> 4;
        for i in 0..N {
            let moved = logits[i].wrapping_mul(share).wrapping_add(1 << 15) >> 16;
            weights[i] = weights[i].wrapping_add(moved);
            self.counters[places[i] + offset].update(bit, self.limit);
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
        let model = || MixedBits::<2>::new([7, 1], 1, 255);
        let mut encoder = BinaryEncoder::new();
        let mut coding = model();
        for (i, &bit) in bits.iter().enumerate() {
            let places = coding.places([i % 7, 0]);
            coding.code(&mut encoder, &places, 0, 0, bit);
        }
        let bytes = encoder.finish();
        assert!(bytes.len() < 40, "{} bytes", bytes.len());
        let mut decoder = BinaryDecoder::new(&bytes);
        let mut decoding = model();
        for (i, &bit) in bits.iter().enumerate() {
            let places = decoding.places([i % 7, 0]);
            assert_eq!(decoding.code(&mut decoder, &places, 0, 0, false), bit, "bit {i}");
        }
    }
}
