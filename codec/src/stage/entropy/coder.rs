//! Binary range coder: 32-bit, carry-less, 16-bit probabilities (FORMAT section 7.1).
//!
//! The models are written once for both directions against [`BinaryCoder`]: a coder that encodes returns the bit it
//! was given, a coder that decodes ignores it and returns the stored one. So encoder and decoder cannot drift apart.

use super::accountant::Stage;

/// Either direction of the range coder.
pub(crate) trait BinaryCoder {
    /// Codes one bit whose probability of being 1 is `p1 / 65536`, `1..=65535`; returns the bit.
    fn code(&mut self, bit: bool, p1: u32) -> bool;

    /// Codes the low `count` bits of `value` at even odds, highest first; returns them.
    fn code_raw(&mut self, value: u64, count: u32) -> u64 {
        let mut result = 0;
        for shift in (0..count).rev() {
            result = result << 1 | u64::from(self.code(value >> shift & 1 == 1, 1 << 15));
        }
        result
    }

    /// Says what the bits that follow are for and, where they are one array's, which array. Only a coder that keeps
    /// accounts listens.
    #[inline(always)]
    fn label(&mut self, _stage: Stage, _array: Option<usize>) {}

    /// Says that from here on the arrays of labels are numbers in this list of the stream's arrays.
    #[inline(always)]
    fn live(&mut self, _numbers: &[usize]) {}
}

/// Largest value of the lower part: `low..=middle` codes a 1, `middle + 1..=high` a 0.
fn middle(low: u32, high: u32, p1: u32) -> u32 {
    debug_assert!((1..1 << 16).contains(&p1));
    low + ((u64::from(high - low) * u64::from(p1)) >> 16) as u32
}

/// The writing side.
pub(crate) struct BinaryEncoder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl BinaryEncoder {
    pub(crate) fn new() -> Self {
        BinaryEncoder { low: 0, high: u32::MAX, bytes: Vec::new() }
    }

    /// The shortest byte string that decodes to what was coded; a decoder reads zeros past its end.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        for kept_bytes in 0..=4u32 {
            let dropped_bits = 32 - 8 * kept_bytes;
            let mask = if dropped_bits == 32 { u32::MAX } else { (1u32 << dropped_bits) - 1 };
            let value = match self.low.checked_add(mask) {
                Some(rounded) => rounded & !mask,
                None => continue,
            };
            if value >= self.low && value <= self.high {
                self.bytes.extend_from_slice(&value.to_be_bytes()[..kept_bytes as usize]);
                break;
            }
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl BinaryCoder for BinaryEncoder {
    #[inline]
    fn code(&mut self, bit: bool, p1: u32) -> bool {
        let middle = middle(self.low, self.high, p1);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        bit
    }
}

/// The reading side.
pub(crate) struct BinaryDecoder<'a> {
    low: u32,
    high: u32,
    value: u32,
    bytes: &'a [u8],
}

impl<'a> BinaryDecoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = BinaryDecoder { low: 0, high: u32::MAX, value: 0, bytes };
        for _ in 0..4 {
            decoder.value = decoder.value << 8 | decoder.next_byte();
        }
        decoder
    }

    #[inline]
    fn next_byte(&mut self) -> u32 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                u32::from(first)
            }
            None => 0,
        }
    }
}

impl BinaryCoder for BinaryDecoder<'_> {
    #[inline]
    fn code(&mut self, _bit: bool, p1: u32) -> bool {
        let middle = middle(self.low, self.high, p1);
        let bit = self.value <= middle;
        // Two selections, not a branch on a bit that nothing can foretell.
        let (low, high) = if bit { (self.low, middle) } else { (middle + 1, self.high) };
        (self.low, self.high) = (low, high);
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.value = self.value << 8 | self.next_byte();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fixed mixture of bits and probabilities from a small linear congruence.
    fn sequence(length: usize) -> Vec<(bool, u32)> {
        let mut state = 12345u32;
        (0..length)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let p1 = match state >> 29 {
                    0 => 1,
                    1 => 65535,
                    _ => (state >> 8 & 0xffff).max(1),
                };
                (state >> 7 & 0xffff < p1 >> 1, p1)
            })
            .collect()
    }

    #[test]
    fn every_length_decodes_to_what_was_coded() {
        for length in (0..70).chain([1000, 5000]) {
            let bits = sequence(length);
            let mut encoder = BinaryEncoder::new();
            for &(bit, p1) in &bits {
                encoder.code(bit, p1);
            }
            let bytes = encoder.finish();
            let mut decoder = BinaryDecoder::new(&bytes);
            for (index, &(bit, p1)) in bits.iter().enumerate() {
                assert_eq!(decoder.code(false, p1), bit, "bit {index} of {length}");
            }
        }
    }

    #[test]
    fn likely_bits_cost_nothing_and_no_bits_take_no_bytes() {
        assert!(BinaryEncoder::new().finish().is_empty());
        let mut encoder = BinaryEncoder::new();
        for _ in 0..1000 {
            encoder.code(true, 65535);
        }
        assert!(encoder.finish().len() <= 1);
    }

    #[test]
    fn raw_bits_keep_their_value() {
        let mut encoder = BinaryEncoder::new();
        encoder.code_raw(0xdead_beef_0123_4567, 64);
        encoder.code_raw(5, 3);
        let bytes = encoder.finish();
        let mut decoder = BinaryDecoder::new(&bytes);
        assert_eq!(decoder.code_raw(0, 64), 0xdead_beef_0123_4567);
        assert_eq!(decoder.code_raw(0, 3), 5);
    }
}
