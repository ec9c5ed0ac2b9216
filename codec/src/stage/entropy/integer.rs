//! An adaptive code for single integers: first samples, constants, counts and times (FORMAT section 7.5).

use super::coder::BinaryCoder;
use super::mixing::Counter;

/// Bits after the leading one that are still adaptive.
const ADAPTIVE_BITS: u32 = 1;

/// Adaptive Elias-gamma style code of an unsigned 64-bit integer: bit length in unary, then the bits below the
/// leading one, the first of them adaptive.
#[derive(Clone)]
pub(crate) struct IntegerModel {
    length: [Counter; 64],
    below: [Counter; 65],
    sign: Counter,
}

const LIMIT: u8 = 60;

impl IntegerModel {
    pub(crate) fn new() -> Self {
        let even = Counter::new(1 << 15, 0);
        IntegerModel { length: [even; 64], below: [even; 65], sign: even }
    }

    /// Codes an unsigned integer.
    pub(crate) fn code<C: BinaryCoder>(&mut self, coder: &mut C, value: u64) -> u64 {
        let wanted = 64 - value.leading_zeros();
        let mut length = 0;
        while length < 64 && self.length[length as usize].code(coder, length < wanted, LIMIT) {
            length += 1;
        }
        if length < 2 {
            return u64::from(length);
        }
        let mut below = length - 1;
        let mut result = 1u64;
        for _ in 0..ADAPTIVE_BITS.min(below) {
            below -= 1;
            let bit = self.below[length as usize].code(coder, value >> below & 1 == 1, LIMIT);
            result = result << 1 | u64::from(bit);
        }
        if below > 0 {
            result = result << below | coder.code_raw(value & ((1 << below) - 1), below);
        }
        result
    }

    /// Codes a signed integer: magnitude, then the sign unless it is zero.
    pub(crate) fn code_signed<C: BinaryCoder>(&mut self, coder: &mut C, value: i64) -> i64 {
        let magnitude = self.code(coder, value.unsigned_abs());
        let negative = magnitude != 0 && self.sign.code(coder, value < 0, LIMIT);
        // Wrapping only matters for a magnitude of 2^63 in a damaged stream.
        if negative { (magnitude as i64).wrapping_neg() } else { magnitude as i64 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::coder::{BinaryDecoder, BinaryEncoder};
    use super::*;

    #[test]
    fn small_large_and_extreme_integers_come_back() {
        let values: Vec<i64> = (-40..40)
            .chain((0..63).flat_map(|shift| [1i64 << shift, -(1i64 << shift), (1i64 << shift) + 1]))
            .chain([i64::MAX, -i64::MAX])
            .collect();
        let mut encoder = BinaryEncoder::new();
        let mut model = IntegerModel::new();
        for &value in &values {
            model.code_signed(&mut encoder, value);
        }
        let bytes = encoder.finish();
        let mut decoder = BinaryDecoder::new(&bytes);
        let mut model = IntegerModel::new();
        for &value in &values {
            assert_eq!(model.code_signed(&mut decoder, 0), value);
        }
    }

    #[test]
    fn the_whole_unsigned_range_comes_back() {
        for value in [0, 1, u64::MAX, u64::MAX - 1, 1 << 63] {
            let mut encoder = BinaryEncoder::new();
            IntegerModel::new().code(&mut encoder, value);
            let bytes = encoder.finish();
            assert_eq!(IntegerModel::new().code(&mut BinaryDecoder::new(&bytes), 0), value);
        }
    }
}
