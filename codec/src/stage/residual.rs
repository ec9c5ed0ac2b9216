//! The code of bounded residuals: an adaptive Golomb code, whose parameter and counters follow from the size that is
//! expected of a residual and from how far the prediction leans from its guess (FORMAT section 7.6).

use super::entropy::{BinaryCoder, Counter, IntegerModel};
use super::starts;
use std::array::from_fn;

/// Residual magnitudes that a decoder takes at most.
const MAX_HIGH: u64 = 1 << 30;
/// Bits of the unary part that have their own counters; later ones share the last.
const UNARY_SLOTS: usize = 8;
/// Unary length from which the rest is coded as one integer.
const UNARY_LIMIT: u64 = 20;
/// How many bits a counter remembers, and how many its start counts as.
const LIMIT: u8 = 250;
const SEEN: u8 = 24;
/// Expected sizes below this, in quarter octaves, are calm: less than 1. There a bit tells zero from the rest.
const CALM: usize = 24;
/// Classes of the expected size, see [`size_class`].
const CLASSES: usize = 48;
/// Octaves of the expected size that signs tell apart.
const OCTAVES: usize = 12;
/// How far a prediction can lean: eighths of a step.
const LEANS: usize = 4;
/// Unary values that signs tell apart.
const HIGHS: usize = 4;

/// What is known before a residual.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// How far the prediction lies above the guess, in steps.
    pub(crate) lean: f32,
    /// log2 of the expected |residual|.
    pub(crate) expected: f32,
}

/// Golomb parameter of an expected size in quarter octaves: none below 2, then what leaves 1 to 2 above it.
#[inline]
fn golomb_bits(quarters: usize) -> usize {
    (quarters / 4).saturating_sub(6)
}

/// Class 0..48 of an expected size: its own below 2, the fraction of its octave and up to four octaves above.
#[inline]
fn size_class(quarters: usize) -> usize {
    let bits = golomb_bits(quarters);
    if bits == 0 { quarters } else { 32 + (bits.min(4) - 1) * 4 + quarters % 4 }
}

/// The adaptive model of one group's residuals.
pub(crate) struct ResidualModel {
    calm: [[Counter; LEANS]; CALM],
    unary: [[Counter; UNARY_SLOTS]; CLASSES / 2],
    low: [[Counter; 2]; CLASSES],
    sign: [[[Counter; HIGHS]; LEANS]; OCTAVES],
    rest: IntegerModel,
}

impl ResidualModel {
    pub(crate) fn new() -> Self {
        let start = |p1: u16| Counter::new(p1, SEEN);
        ResidualModel {
            calm: from_fn(|quarters| from_fn(|lean| start(starts::calm(quarters, lean)))),
            unary: from_fn(|half| from_fn(|slot| start(starts::unary(half * 2, slot)))),
            low: from_fn(|class| from_fn(|is_more| start(starts::low(class, is_more)))),
            sign: from_fn(|octave| from_fn(|lean| [start(starts::sign(octave, lean)); HIGHS])),
            rest: IntegerModel::new(),
        }
    }

    /// Codes one residual.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(&mut self, coder: &mut C, context: Context, residual: i64) -> i64 {
        let lean = ((context.lean.abs() * 8.0) as usize).min(LEANS - 1);
        let quarters = (context.expected * 4.0 + 24.5).clamp(8.0, 127.0) as usize;
        let bits = golomb_bits(quarters);
        let class = size_class(quarters);
        let magnitude = residual.unsigned_abs();
        let wanted = magnitude >> bits;

        // 1. A calm array: zero or not?
        let mut high = 0u64;
        if quarters < CALM {
            if !self.calm[quarters][lean].code(coder, wanted > 0, LIMIT) {
                return 0;
            }
            high = 1;
        }
        // 2. The part above the Golomb bits, in unary.
        let unary = &mut self.unary[class / 2];
        while unary[(high as usize).min(UNARY_SLOTS - 1)].code(coder, high < wanted, LIMIT) {
            high += 1;
            if high == UNARY_LIMIT {
                high += self.rest.code(coder, wanted.wrapping_sub(UNARY_LIMIT)).min(MAX_HIGH);
                break;
            }
        }
        // 3. The bits below: the first adaptive, the others even.
        let mut value = high;
        if bits > 0 {
            let below = bits as u32 - 1;
            let bit = self.low[class][usize::from(high > 0)].code(coder, magnitude >> below & 1 == 1, LIMIT);
            value = value << 1 | u64::from(bit);
            value = value << below | coder.code_raw(magnitude & ((1 << below) - 1), below);
        }
        if value == 0 {
            return 0;
        }
        // 4. The sign, which is likely the lean's.
        let leans_up = context.lean > 0.0;
        let octave = (quarters / 4).min(OCTAVES - 1);
        let counter = &mut self.sign[octave][lean][(high as usize).min(HIGHS - 1)];
        let is_against = counter.code(coder, (residual < 0) == leans_up, LIMIT);
        if is_against == leans_up { -(value as i64) } else { value as i64 }
    }
}
