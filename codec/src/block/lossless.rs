//! One group of a block, bit for bit (FORMAT section 5.4): dead arrays, then samples frame by frame.

use crate::stage::entropy::{BinaryCoder, BinaryEncoder, Counter, Stage};
use crate::stage::exact::ExactModel;
use bitvec::vec::BitVec;

const LIMIT: u8 = 60;

/// Codes the live mask and the dead arrays' bits; returns both.
fn code_dead<C: BinaryCoder>(coder: &mut C, arrays: &[&[f32]], count: usize) -> (BitVec, Vec<f32>) {
    let mut live_model = [Counter::new(1 << 15, 0); 2];
    let mut zero_model = Counter::new(1 << 15, 0);
    let mut mask = BitVec::with_capacity(count);
    let mut values = Vec::new();
    let mut before = false;
    for number in 0..count {
        let samples = arrays.get(number).copied().unwrap_or(&[]);
        let first = samples.first().map_or(0, |sample| sample.to_bits());
        let live = samples.iter().any(|sample| sample.to_bits() != first);
        coder.label(Stage::Masks, Some(number));
        before = live_model[usize::from(before)].code(coder, live, LIMIT);
        mask.push(before);
        if !before {
            coder.label(Stage::Constants, Some(number));
            let zero = zero_model.code(coder, first == 0, LIMIT);
            let bits = if zero { 0 } else { coder.code_raw(u64::from(first), 32) as u32 };
            values.push(f32::from_bits(bits));
        }
    }
    (mask, values)
}

/// Encodes the arrays of one group over one block.
pub(crate) fn encode_group(arrays: &[&[f32]]) -> Vec<u8> {
    let mut coder = BinaryEncoder::new();
    encode_arrays(&mut coder, arrays);
    coder.finish()
}

/// Encodes the arrays as a part of a stream.
pub(crate) fn encode_arrays(coder: &mut BinaryEncoder, arrays: &[&[f32]]) {
    let frames = arrays.first().map_or(0, |samples| samples.len());
    let (mask, _) = code_dead(coder, arrays, arrays.len());
    let live: Vec<&[f32]> = mask.iter_ones().map(|number| arrays[number]).collect();
    if live.is_empty() {
        return;
    }
    let mut model = ExactModel::new(live.len());
    for frame in 0..frames {
        model.start_frame();
        for (position, samples) in live.iter().enumerate() {
            model.code(coder, position, samples[frame]);
        }
    }
}

/// Decodes what [`encode_group`] or [`encode_arrays`] made: appends `frames` samples to each of `arrays`.
pub(crate) fn decode_arrays<C: BinaryCoder>(coder: &mut C, frames: usize, arrays: &mut [Vec<f32>]) {
    let (mask, values) = code_dead(coder, &[], arrays.len());
    for (number, value) in mask.iter_zeros().zip(values) {
        let length = arrays[number].len() + frames;
        arrays[number].resize(length, value);
    }
    let live: Vec<usize> = mask.iter_ones().collect();
    // The model takes a quarter of a megabyte, which many groups at rest would pay for nothing.
    if live.is_empty() {
        return;
    }
    coder.live(&live);
    let mut model = ExactModel::new(live.len());
    for _ in 0..frames {
        model.start_frame();
        for (position, &number) in live.iter().enumerate() {
            arrays[number].push(model.code(coder, position, 0.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::entropy::BinaryDecoder;

    fn round_trip(arrays: &[Vec<f32>]) -> usize {
        let slices: Vec<&[f32]> = arrays.iter().map(Vec::as_slice).collect();
        let stream = encode_group(&slices);
        let mut decoded = vec![Vec::new(); arrays.len()];
        let frames = arrays.first().map_or(0, Vec::len);
        decode_arrays(&mut BinaryDecoder::new(&stream), frames, &mut decoded);
        for (array, (a, b)) in arrays.iter().zip(&decoded).enumerate() {
            let bits = |samples: &[f32]| samples.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(a), bits(b), "array {array}");
        }
        stream.len()
    }

    #[test]
    fn every_bit_pattern_comes_back() {
        let mut state = 7u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(state)
        };
        let noise: Vec<f32> = (0..400).map(|_| next()).collect();
        let special: Vec<f32> =
            [0x7fc0_0001, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 1, 0xffc1_2345, 0x7f7f_ffff, 0]
                .map(f32::from_bits)
                .into_iter()
                .cycle()
                .take(400)
                .collect();
        let smooth = (0..400).map(|i| (i as f32 * 0.01) * (1.0 - i as f32 * 0.002)).collect();
        let constant = vec![-0.0; 400];
        assert!(round_trip(&[noise.clone(), special, smooth, constant]) < 400 * 4 * 3);
        // Noise must not grow by more than a few per cent.
        assert!(round_trip(&[noise]) < 400 * 4 * 104 / 100);
        for frames in 0..6 {
            round_trip(&[(0..frames).map(|i| i as f32 * 0.1).collect(), vec![f32::NAN; frames]]);
        }
    }

    #[test]
    fn rubbish_streams_decode_to_something() {
        for length in 0..100u8 {
            let rubbish: Vec<u8> = (0..length).map(|i| i.wrapping_mul(91) ^ length).collect();
            let mut arrays = vec![Vec::new(); 9];
            decode_arrays(&mut BinaryDecoder::new(&rubbish), 100, &mut arrays);
            assert!(arrays.iter().all(|samples| samples.len() == 100));
        }
    }
}
