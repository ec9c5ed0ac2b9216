//! One group of a block, bit for bit (FORMAT section 5.4): what each array is, then samples frame by frame.

use crate::config::Effort;
use crate::stage::entropy::{BinaryCoder, BinaryEncoder, Counter, IntegerModel, Stage};
use crate::stage::exact::{ExactModel, SampleModel};
use crate::stage::exact_max::MaxModel;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

const LIMIT: u8 = 60;
/// Most own arrays that the model of the effort `max` codes.
const MAX_TRACKS: usize = 1024;

/// What an array is over one block.
#[derive(Clone, Copy)]
enum Kind {
    /// The same bits in every frame.
    Dead(u32),
    /// The same bits as the array of that number, an earlier own one: fingers often share their curves.
    Twin(usize),
    /// Coded sample by sample.
    Own,
}

/// Samples that compare and hash by their bits.
struct Bits<'a>(&'a [f32]);

impl PartialEq for Bits<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.iter().map(|sample| sample.to_bits()).eq(other.0.iter().map(|sample| sample.to_bits()))
    }
}

impl Eq for Bits<'_> {}

impl Hash for Bits<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|sample| sample.to_bits().hash(state));
    }
}

fn kinds_of(arrays: &[&[f32]]) -> Vec<Kind> {
    let mut firsts = HashMap::new();
    let mut kinds = Vec::with_capacity(arrays.len());
    for (number, &samples) in arrays.iter().enumerate() {
        let first = samples.first().map_or(0, |sample| sample.to_bits());
        kinds.push(if samples.iter().all(|sample| sample.to_bits() == first) {
            Kind::Dead(first)
        } else {
            let earlier = *firsts.entry(Bits(samples)).or_insert(number);
            if earlier == number { Kind::Own } else { Kind::Twin(earlier) }
        });
    }
    kinds
}

/// Codes what each of `count` arrays is; a decoder passes no `wanted`.
fn code_kinds<C: BinaryCoder>(coder: &mut C, wanted: &[Kind], count: usize) -> Vec<Kind> {
    let mut live_model = [Counter::EVEN; 2];
    let mut zero_model = Counter::EVEN;
    let mut twin_model = [Counter::EVEN; 2];
    let mut back_model = IntegerModel::new();
    let mut own: Vec<usize> = Vec::new();
    let (mut live, mut twin) = (false, false);
    let mut kinds = Vec::new();
    for number in 0..count {
        let wanted = wanted.get(number).copied().unwrap_or(Kind::Own);
        coder.label(Stage::Masks, Some(number));
        live = live_model[usize::from(live)].code(coder, !matches!(wanted, Kind::Dead(_)), LIMIT);
        let mut kind = Kind::Own;
        if !live {
            let bits = if let Kind::Dead(bits) = wanted { bits } else { 0 };
            coder.label(Stage::Constants, Some(number));
            let zero = zero_model.code(coder, bits == 0, LIMIT);
            kind = Kind::Dead(if zero { 0 } else { coder.code_raw(u64::from(bits), 32) as u32 });
        } else if !own.is_empty() {
            twin = twin_model[usize::from(twin)].code(coder, matches!(wanted, Kind::Twin(_)), LIMIT);
            if twin {
                // A damaged stream can point before the first one.
                let last = own.len() - 1;
                let behind = match wanted {
                    Kind::Twin(earlier) => last.saturating_sub(own.partition_point(|&other| other < earlier)),
                    _ => 0,
                };
                let behind = back_model.code(coder, behind as u64).min(last as u64) as usize;
                kind = Kind::Twin(own[last - behind]);
            }
        }
        if let Kind::Own = kind {
            own.push(number);
        }
        kinds.push(kind);
    }
    kinds
}

/// Numbers of the arrays that are coded sample by sample.
fn own_of(kinds: &[Kind]) -> Vec<usize> {
    (0..kinds.len()).filter(|&number| matches!(kinds[number], Kind::Own)).collect()
}

/// Encodes the arrays of one group over one block.
pub(crate) fn encode_group(effort: Effort, arrays: &[&[f32]]) -> Vec<u8> {
    let kinds = kinds_of(arrays);
    if !is_max(effort, &kinds) {
        let mut coder = BinaryEncoder::new();
        encode_arrays(&mut coder, arrays);
        return coder.finish();
    }
    let with_phases = |phases: usize| {
        let mut coder = BinaryEncoder::new();
        code_kinds(&mut coder, &kinds, arrays.len());
        coder.code(phases == 2, 1 << 15);
        let own = own_of(&kinds);
        encode_own(&mut coder, arrays, &own, MaxModel::new(own.len(), phases));
        coder.finish()
    };
    let (one, two) = (with_phases(1), with_phases(2));
    if two.len() < one.len() { two } else { one }
}

/// Whether the samples are coded by the model of the effort `max`, which takes some kilobytes a track: files of
/// thousands of tracks would otherwise ask a reader for much memory.
fn is_max(effort: Effort, kinds: &[Kind]) -> bool {
    effort == Effort::Max && (1..=MAX_TRACKS).contains(&own_of(kinds).len())
}

/// Encodes the arrays as a part of a stream.
pub(crate) fn encode_arrays(coder: &mut BinaryEncoder, arrays: &[&[f32]]) {
    let own = own_of(&code_kinds(coder, &kinds_of(arrays), arrays.len()));
    if !own.is_empty() {
        encode_own(coder, arrays, &own, ExactModel::new(own.len()));
    }
}

fn encode_own(coder: &mut BinaryEncoder, arrays: &[&[f32]], own: &[usize], mut model: impl SampleModel) {
    let frames = arrays.first().map_or(0, |samples| samples.len());
    for frame in 0..frames {
        model.start_frame();
        for (position, samples) in own.iter().map(|&number| arrays[number]).enumerate() {
            model.code(coder, position, samples[frame]);
        }
    }
}

fn decode_own<C: BinaryCoder>(
    coder: &mut C,
    frames: usize,
    arrays: &mut [Vec<f32>],
    own: &[usize],
    mut model: impl SampleModel,
) {
    coder.live(own);
    for _ in 0..frames {
        model.start_frame();
        for (position, &number) in own.iter().enumerate() {
            arrays[number].push(model.code(coder, position, 0.0));
        }
    }
}

/// Decodes what [`encode_group`] made, or at the effort `balanced` [`encode_arrays`]: appends `frames` samples to each of
/// `arrays`.
pub(crate) fn decode_arrays<C: BinaryCoder>(
    coder: &mut C,
    effort: Effort,
    frames: usize,
    arrays: &mut [Vec<f32>],
) {
    let kinds = code_kinds(coder, &[], arrays.len());
    let own = own_of(&kinds);
    if is_max(effort, &kinds) {
        let phases = if coder.code(false, 1 << 15) { 2 } else { 1 };
        decode_own(coder, frames, arrays, &own, MaxModel::new(own.len(), phases));
    } else if !own.is_empty() {
        // The model takes a quarter of a megabyte, which many groups at rest would pay for nothing.
        decode_own(coder, frames, arrays, &own, ExactModel::new(own.len()));
    }
    for (number, kind) in kinds.into_iter().enumerate() {
        match kind {
            Kind::Dead(bits) => {
                let length = arrays[number].len() + frames;
                arrays[number].resize(length, f32::from_bits(bits));
            }
            Kind::Twin(earlier) => {
                let (before, after) = arrays.split_at_mut(number);
                let start = before[earlier].len() - frames;
                after[0].extend_from_slice(&before[earlier][start..]);
            }
            Kind::Own => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stage::entropy::BinaryDecoder;

    fn decode_group(effort: Effort, stream: &[u8], frames: usize, arrays: &mut [Vec<f32>]) {
        decode_arrays(&mut BinaryDecoder::new(stream), effort, frames, arrays);
    }

    /// Both efforts; the longer stream's bytes.
    fn round_trip(arrays: &[Vec<f32>]) -> usize {
        round_trip_at(Effort::Balanced, arrays).max(round_trip_at(Effort::Max, arrays))
    }

    fn round_trip_at(effort: Effort, arrays: &[Vec<f32>]) -> usize {
        let slices: Vec<&[f32]> = arrays.iter().map(Vec::as_slice).collect();
        let stream = encode_group(effort, &slices);
        let mut decoded = vec![Vec::new(); arrays.len()];
        decode_group(effort, &stream, arrays.first().map_or(0, Vec::len), &mut decoded);
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
        assert!(round_trip(&[noise]) < 400 * 4 * 105 / 100);
        for frames in 0..6 {
            round_trip(&[(0..frames).map(|i| i as f32 * 0.1).collect(), vec![f32::NAN; frames]]);
        }
    }

    #[test]
    fn arrays_of_equal_samples_are_stored_once() {
        let mut state = 3u32;
        let mut noise = || -> Vec<f32> {
            let next = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32
            };
            (0..200).map(next).collect()
        };
        let (a, b) = (noise(), noise());
        let alone = round_trip(&[a.clone(), b.clone()]);
        let copies = [&a, &b, &a, &a, &b, &b, &a, &b].map(Vec::clone);
        assert!(round_trip(&copies) < alone + 8);
        let negated = a.iter().map(|x| -x).collect();
        assert!(round_trip(&[a, negated]) > alone * 9 / 10);
        let (zero, other) = (vec![0.0, -0.0, 0.0], vec![0.0, 0.0, -0.0]);
        round_trip(&[zero.clone(), other, zero]);
    }

    #[test]
    fn rubbish_streams_decode_to_something() {
        for length in 0..100u8 {
            let rubbish: Vec<u8> = (0..length).map(|i| i.wrapping_mul(91) ^ length).collect();
            for effort in [Effort::Balanced, Effort::Max] {
                let mut arrays = vec![Vec::new(); 9];
                decode_group(effort, &rubbish, 100, &mut arrays);
                assert!(arrays.iter().all(|samples| samples.len() == 100));
            }
        }
    }
}
