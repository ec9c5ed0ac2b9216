//! One group of a block that is played in place (FORMAT section 5.6): keys every few frames, coded as a clip of their own, and
//! residuals between them in plain bit fields.

use super::GroupStream;
use super::bounded::{LIMIT, SideModel, checked, code_instants};
use crate::container::{Cursor, put_varint};
use crate::error::{Error, Result};
use crate::stage::between::{KEY_FRAMES, around, close_last_segment, keys_of, middle, segment, segments_of};
use crate::stage::bit_field::FieldReader;
use crate::stage::class_model::{ClassModel, Part, bend_class};
use crate::stage::entropy::{Accounts, BinaryCoder, BinaryDecoder, Stage};
use crate::stage::predict::MotionModel;
use crate::stage::quantize::{dequantize, step_of_bound};
use crate::stage::residual_class::{middle_class, pair_class, take_middle, take_pair};
use bitvec::vec::BitVec;

/// Margins that a step can have, in 64ths of it.
pub(super) const MAX_MARGIN: i64 = 64;

/// Step of an array whose samples need `margin` 64ths of room for rounding: binary32, so that players need no other.
pub(super) fn margined_step(bound: f64, margin: i64) -> f32 {
    ((step_of_bound(bound) * 64.0 / (64 + margin) as f64) as f32).min(1e30)
}

/// A sample that is stored as it is: its array (counted among the live ones), its frame and its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escape {
    pub(crate) array: usize,
    pub(crate) frame: usize,
    pub(crate) value: f32,
}

/// One group's motion over a block, taken apart.
pub(crate) struct PlayedGroup {
    pub(crate) frames: usize,
    /// Arrays (by number in the group) that hold one value.
    pub(crate) constants: Vec<(usize, f32)>,
    /// The other arrays, by number in the group. What follows is in their order.
    pub(crate) live: Vec<usize>,
    pub(crate) steps: Vec<f32>,
    /// Each array's keys, one more than segments.
    pub(crate) keys: Vec<Vec<f32>>,
    /// Segment by segment the residuals of every array: of the middle, then of the frames before and after it.
    pub(crate) residuals: Vec<[i32; 3]>,
    /// Array by array, frames rising.
    pub(crate) escapes: Vec<Escape>,
}

/// Codes every class, both ways, segment by segment. `keys` are the live arrays', `steps` theirs.
pub(super) fn code_classes<C: BinaryCoder>(
    coder: &mut C,
    keys: &[Vec<f32>],
    steps: &[f32],
    segments: usize,
    wanted: impl Fn(usize) -> [i32; 3],
) -> Vec<[u8; 2]> {
    let mut model = ClassModel::new(keys.len());
    let mut classes = Vec::new();
    for number in 0..segments {
        for (array, keys) in keys.iter().enumerate() {
            let [before, left, right, after] = around(keys, number);
            let bend = (left + right) * 0.5 - middle(before, left, right, after);
            let residuals = wanted(number * steps.len() + array);
            let bend = bend_class(bend, steps[array]);
            coder.label(Stage::Widths, Some(array));
            let class = middle_class(residuals[0]);
            let first = model.code(coder, array, Part::Middle, bend, class);
            let class = pair_class([residuals[1], residuals[2]]);
            let second = model.code(coder, array, Part::Pair, bend, class);
            classes.push([first, second]);
        }
    }
    classes
}

impl PlayedGroup {
    /// Reads the stream of a group of `bounds.len()` arrays.
    ///
    /// # Errors
    /// [`Error::Corrupt`] if a key leaves its range, or if the bit fields are not those that the classes tell.
    pub(crate) fn read(group: &GroupStream<'_>, bounds: &[f64]) -> Result<PlayedGroup> {
        let (side, fields) = take_apart(group)?;
        PlayedGroup::read_with(&mut BinaryDecoder::new(side), fields, group, bounds)
    }

    /// [`PlayedGroup::read`] from the two parts of the stream.
    fn read_with<C: BinaryCoder>(
        coder: &mut C,
        fields: &[u8],
        group: &GroupStream<'_>,
        bounds: &[f64],
    ) -> Result<PlayedGroup> {
        let GroupStream { frames, at_byte, .. } = *group;
        let mut fields = FieldReader::new(fields);
        let mut side = SideModel::new();
        let out_of_range = Error::Corrupt { at_byte, what: "a quantized index leaves its range" };

        // 1. Which arrays are live; the constants of the dead ones.
        let mask = side.code_live(coder, bounds.len(), &BitVec::new());
        let mut constants = Vec::new();
        for number in mask.iter_zeros() {
            coder.label(Stage::Constants, Some(number));
            let value = if side.raw.code(coder, false, LIMIT) {
                f32::from_bits(coder.code_raw(0, 32) as u32)
            } else {
                let index = checked(side.constant.code_signed(coder, 0), &out_of_range)?;
                dequantize(index as f64, step_of_bound(bounds[number]))
            };
            constants.push((number, value));
        }
        let live: Vec<usize> = mask.iter_ones().collect();
        let mut group = PlayedGroup {
            frames,
            constants,
            steps: Vec::with_capacity(live.len()),
            live,
            keys: Vec::new(),
            residuals: Vec::new(),
            escapes: Vec::new(),
        };
        if group.live.is_empty() {
            return if fields.is_done() { Ok(group) } else { Err(spare_fields(at_byte)) };
        }

        // 2. The levels of the keys; of each live array its step, escapes and first key.
        coder.live(&group.live);
        coder.label(Stage::Masks, None);
        let levels = coder.code_raw(0, 2) as u32;
        let mut firsts = Vec::with_capacity(group.live.len());
        for (array, &number) in group.live.iter().enumerate() {
            coder.label(Stage::Escapes, Some(array));
            let margin = side.margin.code(coder, 0).min(MAX_MARGIN as u64) as i64;
            group.steps.push(margined_step(bounds[number], margin));
            for frame in side.code_escapes(coder, frames, &BitVec::new()).iter_ones() {
                let value = f32::from_bits(coder.code_raw(0, 32) as u32);
                group.escapes.push(Escape { array, frame, value });
            }
            coder.label(Stage::FirstFrame, Some(array));
            firsts.push(checked(side.first.code_signed(coder, 0), &out_of_range)?);
        }

        // 3. The keys.
        let (keys, segments) = (keys_of(frames), segments_of(frames));
        let mut motion = MotionModel::new(&firsts, keys, levels);
        let no_escapes = vec![BitVec::new(); firsts.len()];
        if !code_instants(coder, &mut motion, &no_escapes, (keys, levels), &mut |_, _, _| 0) {
            return Err(out_of_range);
        }
        group.keys = key_samples(&motion, &group.steps, segments);

        // 4. The classes, then the residuals.
        let classes = code_classes(coder, &group.keys, &group.steps, segments, |_| [0; 3]);
        for classes in classes.chunks(group.live.len()) {
            let start = group.residuals.len();
            group.residuals.extend(classes.iter().map(|class| [take_middle(&mut fields, class[0]), 0, 0]));
            for (residuals, class) in group.residuals[start..].iter_mut().zip(classes) {
                let pair = take_pair(&mut fields, class[1]).ok_or_else(|| spare_fields(at_byte))?;
                residuals[1..].copy_from_slice(&pair);
            }
        }
        if fields.is_done() { Ok(group) } else { Err(spare_fields(at_byte)) }
    }

    /// Appends the samples of array `number` of the live ones.
    pub(super) fn append(&self, number: usize, samples: &mut Vec<f32>) {
        let keys = &self.keys[number];
        let start = samples.len();
        let mut residuals = self.residuals.iter().skip(number).step_by(self.live.len());
        for (at, &key) in keys.iter().enumerate() {
            samples.push(key);
            if let (Some(&residuals), true) = (residuals.next(), at + 1 < keys.len()) {
                samples.extend(segment(around(keys, at), residuals, self.steps[number]));
            }
        }
        samples.truncate(start + self.frames);
    }
}

/// The keys of every array as samples, one more than segments.
pub(super) fn key_samples(motion: &MotionModel, steps: &[f32], segments: usize) -> Vec<Vec<f32>> {
    let samples = |(array, &step): (usize, &f32)| {
        let mut keys = motion.values(array).map(|value| dequantize(value, f64::from(step))).collect();
        close_last_segment(&mut keys, segments);
        keys
    };
    steps.iter().enumerate().map(samples).collect()
}

fn spare_fields(at_byte: u64) -> Error {
    Error::Corrupt { at_byte, what: "a group's bit fields are not those of its classes" }
}

/// The bytes of a group's stream: what is read once, then the fields.
pub(super) fn put_together(side: &[u8], fields: &[u8]) -> Vec<u8> {
    let mut stream = Vec::with_capacity(side.len() + fields.len() + 3);
    put_varint(&mut stream, side.len() as u64);
    stream.extend_from_slice(side);
    stream.extend_from_slice(fields);
    stream
}

/// The two parts of a group's stream.
fn take_apart<'a>(group: &GroupStream<'a>) -> Result<(&'a [u8], &'a [u8])> {
    let mut cursor = Cursor::new(group.stream, group.at_byte);
    let side_bytes = cursor.length()?;
    Ok((cursor.take(side_bytes)?, cursor.take(cursor.remaining())?))
}

/// Adds what the bits of a group's stream are for to the accounts. `numbers` are those of the group's arrays in the clip.
///
/// # Errors
/// As [`PlayedGroup::read`].
pub(crate) fn account_group(
    group: &GroupStream<'_>,
    bounds: &[f64],
    numbers: &[usize],
    accounts: &mut Accounts,
) -> Result<()> {
    let (side, fields) = take_apart(group)?;
    PlayedGroup::read_with(&mut accounts.open(side, numbers), fields, group, bounds)?;
    let array = numbers.first().copied();
    accounts.ledger.add(array, Stage::Fields, fields.len() as f64 * 8.0);
    Ok(())
}

/// Decodes what [`encode_group`](super::played_plan::encode_group) made: appends the block's samples to each of `arrays`.
///
/// # Errors
/// As [`PlayedGroup::read`].
pub(crate) fn decode_group(stream: &GroupStream<'_>, bounds: &[f64], arrays: &mut [Vec<f32>]) -> Result<()> {
    let group = PlayedGroup::read(stream, bounds)?;
    let frames = stream.frames;
    for &(number, value) in &group.constants {
        let length = arrays[number].len() + frames;
        arrays[number].resize(length, value);
    }
    let starts: Vec<usize> = group.live.iter().map(|&number| arrays[number].len()).collect();
    for (array, &number) in group.live.iter().enumerate() {
        group.append(array, &mut arrays[number]);
    }
    for escape in &group.escapes {
        arrays[group.live[escape.array]][starts[escape.array] + escape.frame] = escape.value;
    }
    Ok(())
}

const _: () = assert!(KEY_FRAMES == 4, "a segment has a middle and a frame on both sides of it");
