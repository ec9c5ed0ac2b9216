//! One group of a block under an error bound (FORMAT section 5.3): dead arrays, escapes, then residuals frame by frame;
//! or the group bit for bit, where that is shorter: arrays that jump between a few values repeat more than they move.

use super::lossless;
use crate::error::{Error, Result};
use crate::stage::entropy::{BinaryCoder, BinaryDecoder, BinaryEncoder, Counter, IntegerModel};
use crate::stage::predict::{Predictor, choose_predictor};
use crate::stage::quantize::{MAX_INDEX, dequantize, quantize, step_of_bound};
use crate::stage::residual::ResidualModel;
use bitvec::vec::BitVec;

const LIMIT: u8 = 60;

/// What stands in a group's stream before the frames.
struct SideModel {
    live: [Counter; 2],
    raw: Counter,
    constant: IntegerModel,
    predictor: [[Counter; 2]; 2],
    has_escapes: Counter,
    escape: [Counter; 2],
    first: IntegerModel,
}

impl SideModel {
    fn new() -> Self {
        let even = Counter::new(1 << 15, 0);
        let rare = Counter::new(2048, 4);
        SideModel {
            live: [even; 2],
            raw: rare,
            constant: IntegerModel::new(),
            predictor: [[even; 2]; 2],
            has_escapes: rare,
            escape: [rare, Counter::new(1 << 15, 0)],
            first: IntegerModel::new(),
        }
    }

    /// The live mask, one bit an array. bitvec keeps it a bit each, as it is stored.
    fn code_live<C: BinaryCoder>(&mut self, coder: &mut C, count: usize, live: &BitVec) -> BitVec {
        let mut result = BitVec::with_capacity(count);
        let mut before = false;
        for index in 0..count {
            let bit = live.get(index).is_some_and(|bit| *bit);
            before = self.live[usize::from(before)].code(coder, bit, LIMIT);
            result.push(before);
        }
        result
    }

    fn code_predictor<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        before: usize,
        wanted: Predictor,
    ) -> Predictor {
        let models = &mut self.predictor[before.min(1)];
        if models[0].code(coder, wanted == Predictor::Linear, LIMIT) {
            Predictor::Linear
        } else if models[1].code(coder, wanted == Predictor::Damped, LIMIT) {
            Predictor::Damped
        } else {
            Predictor::Hold
        }
    }

    /// The escape mask of one live array, one bit a frame; empty if nothing escapes.
    fn code_escapes<C: BinaryCoder>(&mut self, coder: &mut C, frames: usize, escapes: &BitVec) -> BitVec {
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

/// A live array on its way through the coder.
struct LiveArray {
    predictor: Predictor,
    /// One bit a frame, or none at all if nothing escapes.
    escapes: BitVec,
    escapes_any: bool,
    last: i64,
    before: i64,
}

impl LiveArray {
    fn new(predictor: Predictor, escapes: BitVec, first: i64) -> LiveArray {
        LiveArray { predictor, escapes_any: !escapes.is_empty(), escapes, last: first, before: first }
    }

    #[inline]
    fn escaped(&self, frame: usize) -> bool {
        self.escapes_any && self.escapes[frame]
    }

    /// The guess for `frame`; the first two frames have less to go by.
    fn guess(&self, frame: usize) -> i64 {
        if frame < 2 { self.last } else { self.predictor.guess(self.last, self.before) }
    }

    fn push(&mut self, index: i64) {
        self.before = self.last;
        self.last = index;
    }
}

/// The value that a dead array holds in every frame.
enum Constant {
    Index(i64),
    Raw(f32),
}

/// An array's samples as one constant within the bound, if there is one.
fn find_constant(samples: &[f32], step: f64, bound: f64) -> Option<Constant> {
    let &first = samples.first()?;
    let (mut low, mut high) = (first, first);
    for &sample in samples {
        // NaN changes neither end, and then fails the check below.
        low = low.min(sample);
        high = high.max(sample);
    }
    let middle = ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    if let Some(index) = quantize(middle, step, f64::INFINITY) {
        let value = f64::from(dequantize(index, step));
        if samples.iter().all(|&sample| (f64::from(sample) - value).abs() <= bound) {
            return Some(Constant::Index(index));
        }
    }
    samples.iter().all(|sample| sample.to_bits() == first.to_bits()).then_some(Constant::Raw(first))
}

/// Probability of the first bit of a group, which says that the group is stored bit for bit.
const EXACT_P1: u32 = 1024;

/// Encodes the arrays of one group over one block. `arrays[i]` holds the block's samples, all of one length, at least
/// one frame.
pub(crate) fn encode_group(arrays: &[&[f32]], bounds: &[f64]) -> Vec<u8> {
    let quantized = encode_quantized(arrays, bounds);
    if arrays.iter().any(|samples| repeats_often(samples)) {
        let mut coder = BinaryEncoder::new();
        coder.code(true, EXACT_P1);
        lossless::encode_arrays(&mut coder, arrays);
        let exact = coder.finish();
        if exact.len() < quantized.len() {
            return exact;
        }
    }
    quantized
}

/// Whether at least three quarters of a moving array's samples are among the four distinct values before them; only
/// then can bit-for-bit coding win.
fn repeats_often(samples: &[f32]) -> bool {
    let mut recent = [0u32; 4];
    let (mut known, mut repeats, mut moves) = (0, 0, false);
    for sample in samples {
        let bits = sample.to_bits();
        match recent[..known].iter().position(|&value| value == bits) {
            Some(place) => {
                repeats += 1;
                moves |= place > 0;
                recent[..=place].rotate_right(1);
            }
            None => {
                known = (known + 1).min(recent.len());
                recent[..known].rotate_right(1);
                recent[0] = bits;
            }
        }
    }
    (moves || known > 1) && repeats * 4 >= samples.len() * 3
}

fn encode_quantized(arrays: &[&[f32]], bounds: &[f64]) -> Vec<u8> {
    let frames = arrays.first().map_or(0, |samples| samples.len());
    let mut coder = BinaryEncoder::new();
    coder.code(false, EXACT_P1);
    let mut side = SideModel::new();
    let steps: Vec<f64> = bounds.iter().map(|&bound| step_of_bound(bound)).collect();
    let constants: Vec<Option<Constant>> =
        (0..arrays.len()).map(|i| find_constant(arrays[i], steps[i], bounds[i])).collect();

    // 1. Which arrays are live; the constants of the dead ones.
    let mask: BitVec = constants.iter().map(Option::is_none).collect();
    side.code_live(&mut coder, arrays.len(), &mask);
    for constant in constants.iter().flatten() {
        let raw = matches!(constant, Constant::Raw(_));
        side.raw.code(&mut coder, raw, LIMIT);
        match constant {
            Constant::Index(index) => drop(side.constant.code_signed(&mut coder, *index)),
            Constant::Raw(value) => drop(coder.code_raw(u64::from(value.to_bits()), 32)),
        }
    }

    // 2. Of each live array the predictor, the escapes and the first index.
    let mut live = Vec::new();
    let mut indices = Vec::new();
    for number in mask.iter_ones() {
        let (samples, step, bound) = (arrays[number], steps[number], bounds[number]);
        let mut escapes = BitVec::repeat(false, frames);
        let mut track_indices = Vec::with_capacity(frames);
        let mut held = 0;
        for (frame, &sample) in samples.iter().enumerate() {
            match quantize(sample, step, bound) {
                Some(index) => held = index,
                None => escapes.set(frame, true),
            }
            track_indices.push(held);
        }
        let predictor = choose_predictor(&track_indices);
        let before =
            live.last().map_or(0, |array: &LiveArray| usize::from(array.predictor == Predictor::Linear));
        side.code_predictor(&mut coder, before, predictor);
        let escapes = side.code_escapes(&mut coder, frames, &escapes);
        for frame in escapes.iter_ones() {
            coder.code_raw(u64::from(samples[frame].to_bits()), 32);
        }
        let first = track_indices.first().copied().unwrap_or(0);
        side.first.code_signed(&mut coder, first);
        live.push(LiveArray::new(predictor, escapes, first));
        indices.push(track_indices);
    }

    if live.is_empty() {
        return coder.finish();
    }

    // 3. The residuals, frame by frame.
    let mut model = ResidualModel::new(live.len());
    for frame in 1..frames {
        model.start_frame();
        for (number, (array, track_indices)) in live.iter_mut().zip(&indices).enumerate() {
            let index = track_indices[frame];
            if !array.escaped(frame) {
                model.code(&mut coder, number, index - array.guess(frame));
            }
            array.push(index);
        }
    }
    coder.finish()
}

/// Decodes what [`encode_group`] made: appends `frames` samples to each of `arrays`.
///
/// # Errors
/// [`Error::Corrupt`] if an index leaves its range.
pub(crate) fn decode_group(
    stream: &[u8],
    frames: usize,
    bounds: &[f64],
    arrays: &mut [Vec<f32>],
    at_byte: u64,
) -> Result<()> {
    let mut coder = BinaryDecoder::new(stream);
    if coder.code(false, EXACT_P1) {
        lossless::decode_arrays(&mut coder, frames, arrays);
        return Ok(());
    }
    let mut side = SideModel::new();
    let steps: Vec<f64> = bounds.iter().map(|&bound| step_of_bound(bound)).collect();
    let out_of_range = Error::Corrupt { at_byte, what: "a quantized index leaves its range" };

    // 1. Which arrays are live; the constants of the dead ones.
    let mask = side.code_live(&mut coder, arrays.len(), &BitVec::new());
    for number in mask.iter_zeros() {
        let value = if side.raw.code(&mut coder, false, LIMIT) {
            f32::from_bits(coder.code_raw(0, 32) as u32)
        } else {
            dequantize(checked(side.constant.code_signed(&mut coder, 0), &out_of_range)?, steps[number])
        };
        let length = arrays[number].len() + frames;
        arrays[number].resize(length, value);
    }

    // 2. Of each live array the predictor, the escapes and the first index.
    let numbers: Vec<usize> = mask.iter_ones().collect();
    let mut live: Vec<LiveArray> = Vec::with_capacity(numbers.len());
    let mut escaped_values = Vec::with_capacity(numbers.len());
    let mut indices = Vec::with_capacity(numbers.len());
    for _ in &numbers {
        let before = live.last().map_or(0, |array| usize::from(array.predictor == Predictor::Linear));
        let predictor = side.code_predictor(&mut coder, before, Predictor::Hold);
        let escapes = side.code_escapes(&mut coder, frames, &BitVec::new());
        let values: Vec<f32> =
            (0..escapes.count_ones()).map(|_| f32::from_bits(coder.code_raw(0, 32) as u32)).collect();
        let first = checked(side.first.code_signed(&mut coder, 0), &out_of_range)?;
        live.push(LiveArray::new(predictor, escapes, first));
        escaped_values.push(values);
        indices.push(vec![first; frames]);
    }

    if live.is_empty() {
        return Ok(());
    }

    // 3. The residuals, frame by frame. A damaged stream may leave the range of an index; that shows at the end.
    let mut model = ResidualModel::new(live.len());
    let mut largest = 0;
    for frame in 1..frames {
        model.start_frame();
        for (position, (array, track_indices)) in live.iter_mut().zip(&mut indices).enumerate() {
            let mut index = array.last;
            if !array.escaped(frame) {
                index = array.guess(frame).wrapping_add(model.code(&mut coder, position, 0));
            }
            array.push(index);
            track_indices[frame] = index;
            largest = largest.max(index.unsigned_abs());
        }
    }
    if largest > MAX_INDEX as u64 {
        return Err(out_of_range);
    }

    // 4. From indices to samples.
    for (position, &number) in numbers.iter().enumerate() {
        let start = arrays[number].len();
        arrays[number].extend(indices[position].iter().map(|&index| dequantize(index, steps[number])));
        for (frame, &value) in live[position].escapes.iter_ones().zip(&escaped_values[position]) {
            arrays[number][start + frame] = value;
        }
    }
    Ok(())
}

fn checked(index: i64, error: &Error) -> Result<i64> {
    if index.unsigned_abs() <= MAX_INDEX as u64 { Ok(index) } else { Err(error.clone()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(arrays: &[Vec<f32>], bound: f64) -> (usize, Vec<Vec<f32>>) {
        let slices: Vec<&[f32]> = arrays.iter().map(Vec::as_slice).collect();
        let bounds = vec![bound; arrays.len()];
        let stream = encode_group(&slices, &bounds);
        let mut decoded = vec![Vec::new(); arrays.len()];
        let frames = arrays.first().map_or(0, Vec::len);
        decode_group(&stream, frames, &bounds, &mut decoded, 0).expect("own stream");
        for (array, (a, b)) in arrays.iter().zip(&decoded).enumerate() {
            assert_eq!(a.len(), b.len());
            for (frame, (x, y)) in a.iter().zip(b).enumerate() {
                let holds = x.to_bits() == y.to_bits() || (f64::from(*x) - f64::from(*y)).abs() <= bound;
                assert!(holds, "array {array}, frame {frame}: {x} {y}");
            }
        }
        (stream.len(), decoded)
    }

    #[test]
    fn escapes_spare_their_neighbours() {
        let mut moving: Vec<f32> = (0..200).map(|i| (i * i % 97) as f32 * 0.01).collect();
        moving[0] = f32::NAN;
        moving[50] = f32::INFINITY;
        moving[51] = f32::from_bits(0xffc1_2345);
        moving[120] = f32::MAX;
        moving[199] = -12.0;
        let other: Vec<f32> = (0..200).map(|i| i as f32 * 0.003).collect();
        let (_, decoded) = round_trip(&[moving.clone(), other], 0.001);
        for frame in [0, 50, 51, 120] {
            assert_eq!(decoded[0][frame].to_bits(), moving[frame].to_bits());
        }
    }

    #[test]
    fn dead_arrays_cost_next_to_nothing() {
        let noise = |i: usize| 0.668 + (i % 3) as f32 * 1e-7;
        let arrays: Vec<Vec<f32>> = (0..20).map(|_| (0..500).map(noise).collect()).collect();
        let (length, _) = round_trip(&arrays, 0.001);
        assert!(length < 40, "{length}");
        let (length, _) = round_trip(&vec![vec![f32::NAN; 300]; 5], 0.001);
        assert!(length < 30, "{length}");
    }

    #[test]
    fn jumps_between_two_values_cost_little_at_any_bound() {
        let flips: Vec<f32> = (0..300).map(|i| if i * i % 7 < 3 { 8.0 } else { -8.125 }).collect();
        for bound in [0.01, 1e-5] {
            assert!(round_trip(std::slice::from_ref(&flips), bound).0 < 60);
        }
        let mut outlier = vec![0.25; 300];
        outlier[100] = 1000.0;
        assert!(round_trip(&[outlier], 0.01).0 < 20);
    }

    #[test]
    fn steps_and_alternations_of_any_size_hold_the_bound() {
        for bound in [1e-4, 1e-3, 0.01] {
            let steps = (0..300).map(|i| if i / 40 % 2 == 0 { -12.0 } else { 12.0 }).collect();
            let flips = (0..300).map(|i| if i % 2 == 0 { 8.0 } else { -8.0 }).collect();
            let huge = (0..300).map(|i| if i % 5 == 0 { 20_000.0 } else { -20_000.0 }).collect();
            round_trip(&[steps, flips, huge], bound);
        }
        for frames in 1..5 {
            round_trip(&vec![(0..frames).map(|i| i as f32).collect(); 2], 0.01);
        }
    }

    #[test]
    fn rubbish_streams_end_in_an_error_or_values() {
        let mut state = 1u32;
        for length in 0..200 {
            let rubbish: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24) as u8
                })
                .collect();
            let mut arrays = vec![Vec::new(); 9];
            let _ = decode_group(&rubbish, 100, &[0.001; 9], &mut arrays, 0);
        }
    }
}
