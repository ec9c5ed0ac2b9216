//! How an encoder stores a group that is played in place (FORMAT section 5.6).

use super::bounded::{SideModel, code_instants};
use super::plan::{Constant, find_constant};
use super::played::{MAX_MARGIN, PlayedGroup, code_classes, key_samples, margined_step, put_together};
use crate::stage::between::{KEY_FRAMES, around, corrected, keys_of, middle, quarter, segments_of};
use crate::stage::bit_field::FieldWriter;
use crate::stage::entropy::{BinaryCoder, BinaryEncoder};
use crate::stage::predict::MotionModel;
use crate::stage::quantize::{MAX_INDEX, quantize_around};
use crate::stage::residual_class::{MAX_RESIDUAL, put_middle, put_pair};
use crate::stage::schedule::MAX_LEVELS;
use bitvec::vec::BitVec;

/// A live array as the encoder sees it.
struct LiveArray<'a> {
    samples: &'a [f32],
    bound: f64,
    margin: i64,
    step: f32,
    first: i64,
    /// What the keys follow, one a key.
    targets: Vec<f32>,
}

impl<'a> LiveArray<'a> {
    fn new(samples: &'a [f32], bound: f64) -> LiveArray<'a> {
        // 1. Samples that no index can serve are left out; beside a margin for rounding, a step is as wide as it can be.
        let widest = f64::from(margined_step(bound, 0)) * MAX_INDEX as f64 * 0.5;
        let serves = |sample: &&f32| f64::from(**sample).abs() <= widest;
        let largest = samples.iter().filter(serves).fold(0.0f32, |largest, sample| largest.max(sample.abs()));
        let margin = margin_of(f64::from(largest), bound);
        let step = margined_step(bound, margin);

        // 2. The targets of the keys: the sample, or the last one that has an index.
        let mut targets = Vec::with_capacity(keys_of(samples.len()));
        let mut last = samples.iter().find(serves).copied().unwrap_or(0.0);
        for (frame, sample) in samples.iter().enumerate() {
            last = if serves(&sample) { *sample } else { last };
            if frame % KEY_FRAMES == 0 {
                targets.push(last);
            }
        }
        let first = (f64::from(targets[0]) / f64::from(step)).round();
        // The step is that of a bound, which may be anything: then nothing is served but by escapes.
        let first = if first.abs() <= MAX_INDEX as f64 { first as i64 } else { 0 };
        LiveArray { samples, bound, margin, step, first, targets }
    }

    /// The residual of a frame around its prediction, 0 for a frame past the end or where none serves.
    fn residual(&self, frame: usize, predicted: f32) -> i32 {
        let Some(&sample) = self.samples.get(frame) else {
            return 0;
        };
        let nearest = ((f64::from(sample) - f64::from(predicted)) / f64::from(self.step)).round();
        let is_near = nearest.abs() < f64::from(MAX_RESIDUAL);
        if !is_near {
            return 0;
        }
        let nearest = nearest as i32;
        let holds = |residual: &i32| self.holds(sample, corrected(predicted, *residual, self.step));
        [nearest, nearest - 1, nearest + 1].into_iter().find(holds).unwrap_or(nearest)
    }

    /// The residuals of the three frames after frame `start`, which is a key's.
    fn residuals(&self, start: usize, [before, left, right, after]: [f32; 4]) -> [i32; 3] {
        let guess = middle(before, left, right, after);
        let residual = self.residual(start + 2, guess);
        let middle = corrected(guess, residual, self.step);
        [
            residual,
            self.residual(start + 1, quarter(before, left, middle, right)),
            self.residual(start + 3, quarter(after, right, middle, left)),
        ]
    }

    /// Whether a decoded value is within the bound.
    fn holds(&self, sample: f32, value: f32) -> bool {
        (f64::from(value) - f64::from(sample)).abs() <= self.bound
    }
}

/// The margin, in 64ths of a step, that keeps rounding of samples up to `largest` within the bound.
fn margin_of(largest: f64, bound: f64) -> i64 {
    // Two roundings to binary32, each by half a unit in the last place at most.
    let rounding = largest / 8_388_608.0;
    (0..MAX_MARGIN)
        .find(|&margin| f64::from(margined_step(bound, margin)) * 0.5 + rounding <= bound)
        .unwrap_or(MAX_MARGIN)
}

/// Encodes the arrays of one group over one block. `arrays[i]` holds the block's samples, all of one length, at least
/// one frame.
pub(crate) fn encode_group(arrays: &[&[f32]], bounds: &[f64]) -> Vec<u8> {
    let mut constants = Vec::with_capacity(arrays.len());
    let mut live = Vec::new();
    for (&samples, &bound) in arrays.iter().zip(bounds) {
        let constant = find_constant(samples, bound);
        if constant.is_none() {
            live.push(LiveArray::new(samples, bound));
        }
        constants.push(constant);
    }
    let frames = arrays.first().map_or(0, |samples| samples.len());
    (0..=MAX_LEVELS)
        .filter(|&levels| levels == 0 || (!live.is_empty() && keys_of(frames) > 1 << levels))
        .map(|levels| encode_levels(&constants, &live, frames, levels))
        .min_by_key(Vec::len)
        .expect("no levels always go")
}

/// The stream with so many levels of keys.
fn encode_levels(
    constants: &[Option<Constant>],
    live: &[LiveArray<'_>],
    frames: usize,
    levels: u32,
) -> Vec<u8> {
    let (keys, segments) = (keys_of(frames), segments_of(frames));

    // 1. The keys. Their code stands behind what depends on their samples, so that they are coded twice.
    let code_keys = |coder: &mut BinaryEncoder| {
        let firsts: Vec<i64> = live.iter().map(|array| array.first).collect();
        let mut motion = MotionModel::new(&firsts, keys, levels);
        let no_escapes = vec![BitVec::new(); live.len()];
        code_instants(coder, &mut motion, &no_escapes, (keys, levels), &mut |array, instant, guess| {
            let LiveArray { targets, step, bound, .. } = &live[array];
            quantize_around(f64::from(targets[instant.frame]), guess, f64::from(*step), *bound).0
        });
        motion
    };
    let steps: Vec<f32> = live.iter().map(|array| array.step).collect();
    let key_samples = key_samples(&code_keys(&mut BinaryEncoder::new()), &steps, segments);

    // 2. The residuals between them.
    let mut residuals = Vec::with_capacity(segments * live.len());
    for number in 0..segments {
        let of_segment = |(array, keys): (&LiveArray<'_>, &Vec<f32>)| {
            array.residuals(number * KEY_FRAMES, around(keys, number))
        };
        residuals.extend(live.iter().zip(&key_samples).map(of_segment));
    }
    let group = PlayedGroup {
        frames,
        constants: Vec::new(),
        live: (0..live.len()).collect(),
        steps,
        keys: key_samples,
        residuals,
        escapes: Vec::new(),
    };

    // 3. What is read once. Samples that a decoder would not meet within their bound escape.
    let mut coder = BinaryEncoder::new();
    let mut side = SideModel::new();
    let mask: BitVec = constants.iter().map(Option::is_none).collect();
    side.code_live(&mut coder, mask.len(), &mask);
    side.code_constants(&mut coder, constants);
    if live.is_empty() {
        return put_together(&coder.finish(), &[]);
    }
    coder.code_raw(u64::from(levels), 2);
    for (number, array) in live.iter().enumerate() {
        let mut decoded = Vec::with_capacity(frames + KEY_FRAMES);
        group.append(number, &mut decoded);
        let escapes: BitVec =
            array.samples.iter().zip(&decoded).map(|(&sample, &value)| !array.holds(sample, value)).collect();
        side.margin.code(&mut coder, array.margin as u64);
        side.code_escapes(&mut coder, frames, &escapes);
        for frame in escapes.iter_ones() {
            coder.code_raw(u64::from(array.samples[frame].to_bits()), 32);
        }
        side.first.code_signed(&mut coder, array.first);
    }
    code_keys(&mut coder);
    code_classes(&mut coder, &group.keys, &group.steps, segments, |place| group.residuals[place]);

    // 4. The fields.
    let mut fields = FieldWriter::default();
    for segment in group.residuals.chunks(live.len()) {
        for residuals in segment {
            put_middle(&mut fields, residuals[0]);
        }
        for residuals in segment {
            put_pair(&mut fields, [residuals[1], residuals[2]]);
        }
    }
    put_together(&coder.finish(), &fields.finish())
}

#[cfg(test)]
mod tests {
    use super::super::GroupStream;
    use super::super::played::decode_group;
    use super::*;

    fn group(stream: &[u8], frames: usize) -> GroupStream<'_> {
        GroupStream { stream, muscles: &[], frames, at_byte: 7 }
    }

    /// Checks every sample and gives the stream's length.
    fn round_trip(arrays: &[Vec<f32>], bound: f64) -> usize {
        let slices: Vec<&[f32]> = arrays.iter().map(Vec::as_slice).collect();
        let bounds = vec![bound; arrays.len()];
        let stream = encode_group(&slices, &bounds);
        let mut decoded = vec![vec![0.5]; arrays.len()];
        let frames = arrays.first().map_or(0, Vec::len);
        decode_group(&group(&stream, frames), &bounds, &mut decoded).expect("own stream");
        for (array, (a, b)) in arrays.iter().zip(&decoded).enumerate() {
            assert_eq!((b.len(), b[0]), (a.len() + 1, 0.5));
            for (frame, (x, y)) in a.iter().zip(&b[1..]).enumerate() {
                let holds = x.to_bits() == y.to_bits() || (f64::from(*x) - f64::from(*y)).abs() <= bound;
                assert!(holds, "array {array}, frame {frame}: {x} {y}");
            }
        }
        stream.len()
    }

    fn escapes_of(samples: Vec<f32>, bound: f64) -> usize {
        let stream = encode_group(&[&samples[..]], &[bound]);
        PlayedGroup::read(&group(&stream, samples.len()), &[bound]).expect("own stream").escapes.len()
    }

    #[test]
    fn escapes_come_back_and_spare_their_neighbours() {
        let mut moving: Vec<f32> = (0..200).map(|i| (i as f32 * 0.07).sin()).collect();
        let calm = round_trip(std::slice::from_ref(&moving), 0.001);
        let specials = [f32::NAN, f32::INFINITY, f32::from_bits(0xffc1_2345), f32::MAX, f32::NEG_INFINITY];
        for (frame, special) in [0, 4, 51, 130, 199].into_iter().zip(specials) {
            moving[frame] = special;
        }
        let length = round_trip(std::slice::from_ref(&moving), 0.001);
        assert!(length < calm + 5 * (4 + 5), "{length} bytes, {calm} without");
        assert_eq!(escapes_of(moving, 0.001), 5);
        round_trip(&[vec![f32::NAN; 30], vec![-0.0; 30], vec![f32::MAX; 30]], 0.001);
        round_trip(&[[f32::NAN, f32::INFINITY].repeat(20), (0..40).map(f32::from_bits).collect()], 1e-50);
    }

    #[test]
    fn steps_and_alternations_of_any_size_need_no_escapes() {
        for bound in [1e-4, 1e-3, 0.01] {
            let steps: Vec<f32> = (0..300).map(|i| if i / 41 % 2 == 0 { -12.1 } else { 12.3 }).collect();
            let flips: Vec<f32> = (0..300).map(|i| if i % 2 == 0 { 8.03 } else { -8.07 }).collect();
            let noise: Vec<f32> = (0..300).map(|i| (i * i % 1009) as f32 * 0.0161 - 8.0).collect();
            let huge: Vec<f32> = (0..300).map(|i| if i % 5 == 0 { 700.0 } else { -700.3 }).collect();
            for samples in [&steps, &flips, &noise] {
                assert_eq!(escapes_of(samples.clone(), bound), 0, "{bound}");
            }
            round_trip(&[steps, flips, noise, huge], bound);
        }
    }

    #[test]
    fn any_number_of_frames_goes() {
        for frames in 1..=21 {
            let slope = (0..frames).map(|i| i as f32 * 0.03).collect();
            let jumps = (0..frames).map(|i| (i * 7 % 5) as f32).collect();
            round_trip(&[slope, jumps, vec![0.25; frames]], 0.001);
        }
    }

    #[test]
    fn what_keys_foretell_costs_next_to_nothing() {
        let rest = |i: usize| 0.668 + (i % 3) as f32 * 1e-7;
        let arrays: Vec<Vec<f32>> = (0..20).map(|_| (0..500).map(rest).collect()).collect();
        assert!(round_trip(&arrays, 0.001) < 40);
        let slope: Vec<f32> = (0..1000).map(|i| i as f32 * 0.002).collect();
        assert!(round_trip(&[slope], 0.01) < 40);
    }

    #[test]
    fn bounds_of_any_size_hold() {
        let samples: Vec<f32> = (0..60).map(|i| (i as f32 * 0.3).sin() * 3.0).collect();
        for exponent in [-320, -60, -40, -20, -9, -6, 1, 20, 39, 300] {
            round_trip(std::slice::from_ref(&samples), 10f64.powi(exponent));
        }
    }

    #[test]
    fn rubbish_streams_end_in_an_error_or_values() {
        let mut state = 1u32;
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let samples: Vec<f32> = (0..100).map(|i| (i as f32 * 0.2).sin()).collect();
        let own = encode_group(&[&samples[..]; 9], &[0.001; 9]);
        for length in 0..300 {
            let mut rubbish: Vec<u8> = (0..length).map(|_| byte()).collect();
            let mut arrays = vec![Vec::new(); 9];
            let _ = decode_group(&group(&rubbish, 100), &[0.001; 9], &mut arrays);
            rubbish = own.clone();
            let place = usize::from(byte()) * rubbish.len() / 256;
            rubbish[place] ^= byte();
            let mut arrays = vec![Vec::new(); 9];
            let _ = decode_group(&group(&rubbish, 100), &[0.001; 9], &mut arrays);
        }
    }

    #[test]
    fn fields_that_are_too_many_or_too_few_are_refused() {
        let samples: Vec<f32> = (0..100).map(|i| (i * i % 17) as f32 * 0.1).collect();
        let stream = encode_group(&[&samples[..]], &[0.001]);
        let longer = [&stream[..], &[0]].concat();
        for damaged in [&stream[..stream.len() - 1], &longer[..]] {
            let result = decode_group(&group(damaged, 100), &[0.001], &mut [Vec::new()]);
            let what = "a group's bit fields are not those of its classes";
            assert_eq!(result, Err(crate::Error::Corrupt { at_byte: 7, what }));
        }
    }
}
