//! One group of a block under an error bound (FORMAT section 5.3): dead arrays, escapes, then residuals instant by instant;
//! or the group bit for bit, where that is shorter: arrays that jump between a few values repeat more than they move.

use super::{GroupStream, lossless, relations};
use crate::config::Effort;
use crate::error::{Error, Result};
use crate::stage::entropy::{BinaryCoder, Counter, IntegerModel, Stage};
use crate::stage::joint;
use crate::stage::predict::{MotionModel, WAVE};
use crate::stage::quantize::{MAX_INDEX, dequantize, step_of_bound};
use crate::stage::residual::{Context, ResidualModel};
use crate::stage::rls::LANES;
use crate::stage::schedule::{Instant, instants};
use bitvec::vec::BitVec;

pub(super) const LIMIT: u8 = 60;
/// Largest magnitude of a value in steps.
const MAX_VALUE: f64 = MAX_INDEX as f64;

/// Largest magnitude of a residual of the first instant; no encoder comes near it.
const MAX_OPENING: i64 = 1 << 32;

/// What stands in a group's stream before the frames.
pub(super) struct SideModel {
    live: [Counter; 2],
    pub(super) raw: Counter,
    pub(super) constant: IntegerModel,
    has_escapes: Counter,
    escape: [Counter; 2],
    pub(super) first: IntegerModel,
    pub(super) margin: IntegerModel,
}

impl SideModel {
    pub(super) fn new() -> Self {
        let even = Counter::new(1 << 15, 0);
        let rare = Counter::new(2048, 4);
        SideModel {
            live: [even; 2],
            raw: rare,
            constant: IntegerModel::new(),
            has_escapes: rare,
            escape: [rare, Counter::new(1 << 15, 0)],
            first: IntegerModel::new(),
            margin: IntegerModel::new(),
        }
    }

    /// The live mask, one bit an array. bitvec keeps it a bit each, as it is stored.
    pub(super) fn code_live<C: BinaryCoder>(&mut self, coder: &mut C, count: usize, live: &BitVec) -> BitVec {
        let mut result = BitVec::with_capacity(count);
        let mut before = false;
        for index in 0..count {
            let bit = live.get(index).is_some_and(|bit| *bit);
            before = self.live[usize::from(before)].code(coder, bit, LIMIT);
            result.push(before);
        }
        result
    }

    /// The escape mask of one live array, one bit a frame; empty if nothing escapes.
    pub(super) fn code_escapes<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        frames: usize,
        escapes: &BitVec,
    ) -> BitVec {
        if !self.has_escapes.code(coder, escapes.any(), LIMIT) {
            return BitVec::new();
        }
        let mut result = BitVec::with_capacity(frames);
        let mut before = false;
        for frame in 0..frames {
            let bit = escapes.get(frame).is_some_and(|bit| *bit);
            before = self.escape[usize::from(before)].code(coder, bit, LIMIT);
            result.push(before);
        }
        result
    }
}

/// Probability of the first bit of a group, which says that the group is stored bit for bit.
pub(super) const EXACT_P1: u32 = 1024;

/// Codes every frame after the first by the effort's model, both ways, from the index that each array has in frame 0. Gives
/// the values of each array, and whether all stayed in their range.
pub(super) fn code_frames<C: BinaryCoder>(
    coder: &mut C,
    effort: Effort,
    (firsts, muscles, escapes): (&[i64], &[Option<usize>], &[BitVec]),
    (frames, levels): (usize, u32),
    wanted: &mut impl FnMut(usize, Instant, f64) -> i64,
) -> (Vec<Vec<f64>>, bool) {
    if effort == Effort::Max {
        return joint::code_instants(
            coder,
            (firsts, relations::others(muscles)),
            escapes,
            (frames, levels),
            wanted,
        );
    }
    let mut motion = MotionModel::new(firsts, frames, levels);
    let in_range = code_instants(coder, &mut motion, escapes, (frames, levels), wanted);
    ((0..firsts.len()).map(|array| motion.values(array).collect()).collect(), in_range)
}

/// Codes every frame after the first, both ways. `wanted` tells the encoder's residual of an array at an instant around
/// a guess in steps. Gives whether every value stayed in its range.
pub(super) fn code_instants<C: BinaryCoder>(
    coder: &mut C,
    motion: &mut MotionModel,
    escapes: &[BitVec],
    (frames, levels): (usize, u32),
    wanted: &mut impl FnMut(usize, Instant, f64) -> i64,
) -> bool {
    let arrays = escapes.len();
    let has_escapes = escapes.iter().any(|escapes| escapes.any());
    let mut model = ResidualModel::new();
    let mut opening = IntegerModel::new();
    let mut in_range = true;
    for (number, instant) in instants(frames, levels).enumerate() {
        motion.start_instant(instant);
        for wave in 0..motion.waves() {
            let prediction = motion.predict(wave, instant);
            let mut values = prediction.held;
            let mut sizes = [0.0; LANES];
            for lane in 0..WAVE.min(arrays - wave * WAVE) {
                let array = wave * WAVE + lane;
                if has_escapes && escapes[array].get(instant.frame).is_some_and(|bit| *bit) {
                    continue;
                }
                coder.label(Stage::Residuals(instant.level as u8), Some(array));
                let guess = prediction.guesses[lane];
                let residual = wanted(array, instant, guess);
                // Nothing is known yet of how far arrays move: the first residuals are plain integers.
                let residual = if number == 0 {
                    opening.code_signed(coder, residual).clamp(-MAX_OPENING, MAX_OPENING)
                } else {
                    let context =
                        Context { lean: prediction.leans[lane], expected: prediction.expected[lane] };
                    model.code(coder, context, residual)
                };
                sizes[lane] = residual.unsigned_abs().min(MAX_INDEX as u64) as f32;
                let value = guess + residual as f64;
                values[lane] = value.clamp(-MAX_VALUE, MAX_VALUE);
                in_range &= value == values[lane];
            }
            motion.learn(wave, instant, &values, &sizes);
        }
    }
    in_range
}

/// Decodes what [`encode_group`](super::plan::encode_group) made: appends `frames` samples to each of `arrays`.
///
/// # Errors
/// [`Error::Corrupt`] if an index leaves its range.
pub(crate) fn decode_group<C: BinaryCoder>(
    coder: &mut C,
    effort: Effort,
    group: &GroupStream<'_>,
    bounds: &[f64],
    arrays: &mut [Vec<f32>],
) -> Result<()> {
    let &GroupStream { muscles, frames, at_byte, .. } = group;
    if coder.code(false, EXACT_P1) {
        lossless::decode_arrays(coder, Effort::Balanced, frames, arrays);
        return Ok(());
    }
    let mut side = SideModel::new();
    let steps: Vec<f64> = bounds.iter().map(|&bound| step_of_bound(bound)).collect();
    let out_of_range = Error::Corrupt { at_byte, what: "a quantized index leaves its range" };

    // 1. Which arrays are live; the constants of the dead ones.
    let mask = side.code_live(coder, arrays.len(), &BitVec::new());
    for number in mask.iter_zeros() {
        coder.label(Stage::Constants, Some(number));
        let value = if side.raw.code(coder, false, LIMIT) {
            f32::from_bits(coder.code_raw(0, 32) as u32)
        } else {
            let index = checked(side.constant.code_signed(coder, 0), &out_of_range)?;
            dequantize(index as f64, steps[number])
        };
        let length = arrays[number].len() + frames;
        arrays[number].resize(length, value);
    }

    let numbers: Vec<usize> = mask.iter_ones().collect();
    if numbers.is_empty() {
        return Ok(());
    }

    // 2. The levels; of each live array the escapes and the first index.
    coder.label(Stage::Masks, None);
    let levels = coder.code_raw(0, 2) as u32;
    let mut escapes = Vec::with_capacity(numbers.len());
    let mut escaped_values = Vec::with_capacity(numbers.len());
    let mut firsts = Vec::with_capacity(numbers.len());
    for &number in &numbers {
        coder.label(Stage::Escapes, Some(number));
        let marks = side.code_escapes(coder, frames, &BitVec::new());
        let values: Vec<f32> =
            (0..marks.count_ones()).map(|_| f32::from_bits(coder.code_raw(0, 32) as u32)).collect();
        escapes.push(marks);
        escaped_values.push(values);
        coder.label(Stage::FirstFrame, Some(number));
        firsts.push(checked(side.first.code_signed(coder, 0), &out_of_range)?);
    }

    let live_muscles: Vec<Option<usize>> = numbers.iter().map(|&number| muscles[number]).collect();

    // 3. The residuals, instant by instant. A damaged stream may leave the range of a value; that shows at the end.
    coder.live(&numbers);
    let (values, in_range) =
        code_frames(coder, effort, (&firsts, &live_muscles, &escapes), (frames, levels), &mut |_, _, _| 0);
    if !in_range {
        return Err(out_of_range);
    }

    // 4. From values to samples.
    for (position, &number) in numbers.iter().enumerate() {
        let start = arrays[number].len();
        let step = steps[number];
        arrays[number].extend(values[position].iter().map(|&value| dequantize(value, step)));
        for (frame, &value) in escapes[position].iter_ones().zip(&escaped_values[position]) {
            arrays[number][start + frame] = value;
        }
    }
    Ok(())
}

pub(super) fn checked(index: i64, error: &Error) -> Result<i64> {
    if index.unsigned_abs() <= MAX_INDEX as u64 { Ok(index) } else { Err(error.clone()) }
}
