//! How an encoder stores a group that is played in place (FORMAT section 5.5).

use super::bounded::{SideModel, code_instants};
use super::plan::{Constant, find_constant};
use super::played::{MAX_MARGIN, code_classes, key_samples, margined_step, put_together};
use crate::stage::between::{KEY_FRAMES, around, corrected, keys_of, middle, quarter};
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
    /// What the keys follow.
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

        // 2. The targets of the keys: the sample, or the last one that has an index; the last key looks ahead.
        let mut targets = Vec::with_capacity(keys_of(samples.len()));
        let mut last = samples.iter().find(serves).copied().unwrap_or(0.0);
        for (frame, sample) in samples.iter().enumerate() {
            last = if serves(&sample) { *sample } else { last };
            if frame % KEY_FRAMES == 0 {
                targets.push(last);
            }
        }
        if targets.len() < keys_of(samples.len()) {
            targets.push(last);
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
        let x = f64::from(sample);
        let nearest = ((x - f64::from(predicted)) / f64::from(self.step)).round();
        let is_near = nearest.abs() < f64::from(MAX_RESIDUAL);
        if !is_near {
            return 0;
        }
        let nearest = nearest as i32;
        let holds =
            |residual: &i32| (f64::from(corrected(predicted, *residual, self.step)) - x).abs() <= self.bound;
        [nearest, nearest - 1, nearest + 1].into_iter().find(holds).unwrap_or(nearest)
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
    let keys = keys_of(frames);
    let steps: Vec<f32> = live.iter().map(|array| array.step).collect();

    // 1. The keys. Their code stands behind what depends on their samples, so that they are coded twice.
    let code_keys = |coder: &mut BinaryEncoder| {
        let firsts: Vec<i64> = live.iter().map(|array| array.first).collect();
        let mut motion = MotionModel::new(&firsts, keys, levels);
        let no_escapes = vec![BitVec::new(); live.len()];
        code_instants(coder, &mut motion, &no_escapes, (keys, levels), &mut |array, instant, guess| {
            let LiveArray { targets, step, bound, .. } = &live[array];
            quantize_around(targets[instant.frame], guess, f64::from(*step), *bound).0
        });
        motion
    };
    let key_samples = key_samples(&code_keys(&mut BinaryEncoder::new()), &steps);

    // 2. The residuals, and which samples miss their bound.
    let mut residuals = Vec::with_capacity((keys - 1) * live.len());
    let mut escapes = vec![BitVec::<usize>::repeat(false, frames); live.len()];
    for number in 0..keys - 1 {
        for (array, keys) in live.iter().zip(&key_samples) {
            let [before, left, right, after] = around(keys, number);
            let at = number * KEY_FRAMES;
            let guess = middle(before, left, right, after);
            let first = array.residual(at + 2, guess);
            let middle = corrected(guess, first, array.step);
            residuals.push([
                first,
                array.residual(at + 1, quarter(before, left, middle, right)),
                array.residual(at + 3, quarter(after, right, middle, left)),
            ]);
        }
    }
    for (number, array) in live.iter().enumerate() {
        for (frame, &sample) in array.samples.iter().enumerate() {
            let decoded =
                decoded_at(&key_samples[number], &residuals, (live.len(), number), array.step, frame);
            let holds = (f64::from(decoded) - f64::from(sample)).abs() <= array.bound;
            escapes[number].set(frame, !holds);
        }
    }

    // 3. What is read once.
    let mut coder = BinaryEncoder::new();
    let mut side = SideModel::new();
    let mask: BitVec = constants.iter().map(Option::is_none).collect();
    side.code_live(&mut coder, mask.len(), &mask);
    side.code_constants(&mut coder, constants);
    if live.is_empty() {
        return put_together(&coder.finish(), &[]);
    }
    coder.code_raw(u64::from(levels), 2);
    for (array, escapes) in live.iter().zip(&escapes) {
        side.margin.code(&mut coder, array.margin as u64);
        side.code_escapes(&mut coder, frames, escapes);
        for frame in escapes.iter_ones() {
            coder.code_raw(u64::from(array.samples[frame].to_bits()), 32);
        }
        side.first.code_signed(&mut coder, array.first);
    }
    code_keys(&mut coder);
    code_classes(&mut coder, &key_samples, &steps, keys - 1, |place| residuals[place]);

    // 4. The fields.
    let mut fields = FieldWriter::default();
    for segment in residuals.chunks(live.len()) {
        for residuals in segment {
            put_middle(&mut fields, residuals[0]);
        }
        for residuals in segment {
            put_pair(&mut fields, [residuals[1], residuals[2]]);
        }
    }
    put_together(&coder.finish(), &fields.finish())
}

/// What a decoder makes of one frame of array `number` of `arrays`, before escapes.
fn decoded_at(
    keys: &[f32],
    residuals: &[[i32; 3]],
    (arrays, number): (usize, usize),
    step: f32,
    frame: usize,
) -> f32 {
    let at = frame / KEY_FRAMES;
    match frame % KEY_FRAMES {
        0 => keys[at],
        place => {
            crate::stage::between::segment(around(keys, at), residuals[at * arrays + number], step)[place - 1]
        }
    }
}
