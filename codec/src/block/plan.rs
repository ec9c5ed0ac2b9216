//! How an encoder stores a group under an error bound (FORMAT section 5.3): what is constant, what escapes, and the number of
//! levels, tried one by one.

use super::aim::{Aim, MAX_ATTEMPTS, Shot};
use super::bounded::{EXACT_P1, LIMIT, SideModel, code_frames};
use super::lossless;
use crate::config::Effort;
use crate::stage::entropy::{BinaryCoder, BinaryEncoder};
use crate::stage::quantize::{dequantize, quantize, step_of_bound};
use crate::stage::schedule::MAX_LEVELS;
use bitvec::vec::BitVec;

/// The value that a dead array holds in every frame.
pub(super) struct Constant {
    value: f32,
    form: ConstantForm,
}

/// How a constant is stored.
enum ConstantForm {
    Index(i64),
    Raw,
}

/// An array's samples as one constant within the bound, if there is one.
pub(super) fn find_constant(samples: &[f32], bound: f64) -> Option<Constant> {
    let step = step_of_bound(bound);
    let &first = samples.first()?;
    let (mut low, mut high) = (first, first);
    for &sample in samples {
        // NaN changes neither end, and then fails the check below.
        low = low.min(sample);
        high = high.max(sample);
    }
    let middle = ((f64::from(low) + f64::from(high)) / 2.0) as f32;
    if let Some(index) = quantize(middle, step, f64::INFINITY) {
        let value = dequantize(index as f64, step);
        if samples.iter().all(|&sample| (f64::from(sample) - f64::from(value)).abs() <= bound) {
            return Some(Constant { value, form: ConstantForm::Index(index) });
        }
    }
    let is_constant = samples.iter().all(|sample| sample.to_bits() == first.to_bits());
    is_constant.then_some(Constant { value: first, form: ConstantForm::Raw })
}

impl SideModel {
    /// Writes what the dead arrays hold.
    pub(super) fn code_constants<C: BinaryCoder>(&mut self, coder: &mut C, constants: &[Option<Constant>]) {
        for constant in constants.iter().flatten() {
            self.raw.code(coder, matches!(constant.form, ConstantForm::Raw), LIMIT);
            match constant.form {
                ConstantForm::Index(index) => drop(self.constant.code_signed(coder, index)),
                ConstantForm::Raw => drop(coder.code_raw(u64::from(constant.value.to_bits()), 32)),
            }
        }
    }
}

/// Encodes the arrays of one group over one block, at what `aim` says. `arrays[i]` holds the block's samples, all of one
/// length, at least one frame. Streams that spoil frames count for more bytes than they have; while the best one spoils
/// any, more attempts are made.
pub(crate) fn encode_group(
    effort: Effort,
    arrays: &[&[f32]],
    muscles: &[Option<usize>],
    bounds: &[f64],
    aim: &mut impl Aim,
) -> Vec<u8> {
    let plan = Plan::new(effort, arrays, muscles, bounds);
    let mut best: Option<(usize, Vec<u8>)> = None;
    // Takes the stream if it is the best so far; tells whether the best one spoils frames.
    let mut offer = |stream: Vec<u8>, aim: &mut _| {
        let spoiled = Aim::spoiled(aim);
        let rank = |spoiled: usize, length: usize| length + spoiled * (8 + length / 16);
        if best.as_ref().is_none_or(|(other, best)| rank(spoiled, stream.len()) < rank(*other, best.len())) {
            Aim::keep_try(aim);
            best = Some((spoiled, stream));
        }
        best.as_ref().is_some_and(|(spoiled, _)| *spoiled > 0)
    };
    let mut always_holds = true;
    for attempt in 0..MAX_ATTEMPTS {
        let mut spoils = false;
        for levels in 0..=MAX_LEVELS {
            if levels == 0 || !plan.live.is_empty() && plan.frames > 1 << levels {
                match plan.encode(levels, attempt, aim) {
                    Some(stream) => spoils = offer(stream, aim),
                    None => always_holds &= levels > 0,
                }
            }
        }
        if !spoils {
            break;
        }
    }
    if !always_holds || arrays.iter().any(|samples| repeats_often(samples)) {
        let mut coder = BinaryEncoder::new();
        coder.code(true, EXACT_P1);
        aim.start_try(0);
        lossless::encode_arrays(&mut coder, arrays);
        offer(coder.finish(), aim);
    }
    best.expect("bit for bit always goes").1
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

/// Tries of one number of levels, each with what missed the bound in the last one as escapes.
const MAX_TRIES: usize = 4;

/// A live array as the encoder sees it.
struct LiveArray<'a> {
    /// Its number in the group.
    number: usize,
    samples: &'a [f32],
    muscle: Option<usize>,
    step: f64,
    bound: f64,
    first: i64,
    /// One bit a frame.
    escapes: BitVec,
}

impl LiveArray<'_> {
    #[inline(always)]
    fn shot(&self, frame: usize, guess: f64) -> Shot {
        let LiveArray { number, samples, step, bound, .. } = *self;
        Shot { array: number, frame, sample: samples[frame], guess, step, bound }
    }
}

/// What an encoder knows of a group before it chooses the levels.
struct Plan<'a> {
    effort: Effort,
    frames: usize,
    constants: Vec<Option<Constant>>,
    live: Vec<LiveArray<'a>>,
}

impl<'a> Plan<'a> {
    fn new(effort: Effort, arrays: &[&'a [f32]], muscles: &[Option<usize>], bounds: &[f64]) -> Plan<'a> {
        let mut constants = Vec::with_capacity(arrays.len());
        let mut live = Vec::new();
        for (number, ((&samples, &muscle), &bound)) in arrays.iter().zip(muscles).zip(bounds).enumerate() {
            let step = step_of_bound(bound);
            let constant = find_constant(samples, bound);
            if constant.is_none() {
                let indices: Vec<Option<i64>> =
                    samples.iter().map(|&sample| quantize(sample, step, bound)).collect();
                let first = indices.iter().flatten().next().copied().unwrap_or(0);
                let escapes = indices.iter().map(Option::is_none).collect();
                live.push(LiveArray { number, samples, muscle, step, bound, first, escapes });
            }
            constants.push(constant);
        }
        Plan { effort, frames: arrays.first().map_or(0, |samples| samples.len()), constants, live }
    }

    /// The group's stream with so many levels; `None` if too many samples miss the bound. Level 0 is a lattice, on which
    /// only the samples miss that have escaped already.
    fn encode(&self, levels: u32, attempt: usize, aim: &mut impl Aim) -> Option<Vec<u8>> {
        let mut escapes: Vec<BitVec> = self.live.iter().map(|array| array.escapes.clone()).collect();
        for _ in 0..MAX_TRIES {
            aim.start_try(attempt);
            let (stream, broken) = self.try_encode(levels, &escapes, aim);
            if broken.is_empty() {
                return Some(stream);
            }
            // Near the f32 grid a value around a prediction can miss the bound by rounding: it escapes.
            for (array, frame) in broken {
                escapes[array].set(frame, true);
            }
        }
        None
    }

    /// The stream, and the samples that break their bound in it.
    fn try_encode(
        &self,
        levels: u32,
        escapes: &[BitVec],
        aim: &mut impl Aim,
    ) -> (Vec<u8>, Vec<(usize, usize)>) {
        let mut coder = BinaryEncoder::new();
        coder.code(false, EXACT_P1);
        let mut side = SideModel::new();

        // 1. Which arrays are live; the constants of the dead ones.
        let mask: BitVec = self.constants.iter().map(Option::is_none).collect();
        side.code_live(&mut coder, mask.len(), &mask);
        side.code_constants(&mut coder, &self.constants);
        for (number, constant) in self.constants.iter().enumerate() {
            if let Some(constant) = constant {
                aim.constant(number, constant.value);
            }
        }
        if self.live.is_empty() {
            return (coder.finish(), Vec::new());
        }

        // 2. The levels; of each live array the escapes and the first index.
        coder.code_raw(u64::from(levels), 2);
        let mut broken = Vec::new();
        let mut firsts = Vec::with_capacity(self.live.len());
        for (number, (array, escapes)) in self.live.iter().zip(escapes).enumerate() {
            side.code_escapes(&mut coder, self.frames, escapes);
            for frame in escapes.iter_ones() {
                coder.code_raw(u64::from(array.samples[frame].to_bits()), 32);
            }
            let mut first = array.first;
            if !escapes[0] {
                let (index, holds) = aim.residual(array.shot(0, 0.0));
                first = index;
                if !holds {
                    broken.push((number, 0));
                }
            }
            side.first.code_signed(&mut coder, first);
            firsts.push(first);
        }

        // 3. The residuals, instant by instant.
        let muscles: Vec<Option<usize>> = self.live.iter().map(|array| array.muscle).collect();
        code_frames(
            &mut coder,
            self.effort,
            (&firsts, &muscles, escapes),
            (self.frames, levels),
            &mut |array, instant, guess| {
                let (residual, holds) = aim.residual(self.live[array].shot(instant.frame, guess));
                if !holds {
                    broken.push((array, instant.frame));
                }
                residual
            },
        );
        (coder.finish(), broken)
    }
}

#[cfg(test)]
mod tests {
    use super::super::GroupStream;
    use super::super::aim::Exactly;
    use super::super::bounded::decode_group;
    use super::*;
    use crate::stage::entropy::BinaryDecoder;

    const EFFORTS: [Effort; 2] = [Effort::Balanced, Effort::Max];

    /// Encodes as the first muscles.
    fn round_trip(effort: Effort, arrays: &[Vec<f32>], bound: f64) -> (usize, Vec<Vec<f32>>) {
        let muscles: Vec<Option<usize>> = (0..arrays.len()).map(Some).collect();
        let slices: Vec<&[f32]> = arrays.iter().map(Vec::as_slice).collect();
        let bounds = vec![bound; arrays.len()];
        let stream = encode_group(effort, &slices, &muscles, &bounds, &mut Exactly);
        let mut decoded = vec![Vec::new(); arrays.len()];
        let frames = arrays.first().map_or(0, Vec::len);
        let group = GroupStream { stream: &stream, muscles: &muscles, frames, at_byte: 0 };
        decode_group(&mut BinaryDecoder::new(&stream), effort, &group, &bounds, &mut decoded)
            .expect("own stream");
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
        for effort in EFFORTS {
            let (_, decoded) = round_trip(effort, &[moving.clone(), other.clone()], 0.001);
            for frame in [0, 50, 51, 120] {
                assert_eq!(decoded[0][frame].to_bits(), moving[frame].to_bits());
            }
        }
    }

    #[test]
    fn dead_arrays_cost_next_to_nothing() {
        let noise = |i: usize| 0.668 + (i % 3) as f32 * 1e-7;
        let arrays: Vec<Vec<f32>> = (0..20).map(|_| (0..500).map(noise).collect()).collect();
        for effort in EFFORTS {
            let (length, _) = round_trip(effort, &arrays, 0.001);
            assert!(length < 40, "{length}");
            let (length, _) = round_trip(effort, &vec![vec![f32::NAN; 300]; 5], 0.001);
            assert!(length < 30, "{length}");
        }
    }

    #[test]
    fn jumps_between_two_values_cost_little_at_any_bound() {
        let flips: Vec<f32> = (0..300).map(|i| if i * i % 7 < 3 { 8.0 } else { -8.125 }).collect();
        let mut outlier = vec![0.25; 300];
        outlier[100] = 1000.0;
        for effort in EFFORTS {
            for bound in [0.01, 1e-5] {
                assert!(round_trip(effort, std::slice::from_ref(&flips), bound).0 < 60);
            }
            assert!(round_trip(effort, std::slice::from_ref(&outlier), 0.01).0 < 20);
        }
    }

    #[test]
    fn steps_and_alternations_of_any_size_hold_the_bound() {
        let steps = (0..300).map(|i| if i / 40 % 2 == 0 { -12.0 } else { 12.0 }).collect();
        let flips = (0..300).map(|i| if i % 2 == 0 { 8.0 } else { -8.0 }).collect();
        let huge = (0..300).map(|i| if i % 5 == 0 { 20_000.0 } else { -20_000.0 }).collect();
        let noise = (0..300u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-6 - 8.0).collect();
        let arrays = [steps, flips, huge, noise];
        for effort in EFFORTS {
            for bound in [1e-6, 1e-4, 1e-3, 0.01, 1.0] {
                round_trip(effort, &arrays, bound);
            }
            for frames in 1..6 {
                round_trip(effort, &vec![(0..frames).map(|i| i as f32).collect(); 2], 0.01);
            }
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
            let muscles: Vec<Option<usize>> = (30..39).map(Some).collect();
            for effort in EFFORTS {
                let mut arrays = vec![Vec::new(); 9];
                let group = GroupStream { stream: &rubbish, muscles: &muscles, frames: 100, at_byte: 0 };
                let mut coder = BinaryDecoder::new(&rubbish);
                if decode_group(&mut coder, effort, &group, &[0.001; 9], &mut arrays).is_ok() {
                    assert!(arrays.iter().all(|samples| samples.len() == 100));
                }
            }
        }
    }

    #[test]
    fn slow_motion_of_related_arrays_is_smallest_at_max() {
        let swing = |array: usize, i: usize| {
            let t = i as f64 / 60.0;
            ((t * 3.0 + 0.1 * array as f64).sin() * 0.4 + (t * 7.3).sin() * 0.02 * array as f64) as f32
        };
        let arrays: Vec<Vec<f32>> =
            (0..12).map(|array| (0..400).map(|i| swing(array, i)).collect()).collect();
        let [balanced, max] = EFFORTS.map(|effort| round_trip(effort, &arrays, 0.001).0);
        assert!(max < balanced, "{max} {balanced}");
    }
}
