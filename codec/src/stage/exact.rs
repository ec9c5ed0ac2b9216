//! The lossless model of f32 samples (FORMAT section 7.10).
//!
//! A near-dead track takes a handful of values over and over: a move-to-front list of recent values catches those.
//! Any other sample is guessed by whichever guess did best on the track lately. The residual is the difference of the
//! ordered integers of sample and guess: exact for every bit pattern. Its bit length is told from the expected one up
//! or down, so that tracks of all precisions share what is learned; how far the next best guess lies from the best tells
//! most about how far to trust it.

use super::entropy::{BinaryCoder, MixedBits, Stage};
use super::exact_guess::{GUESSES, HISTORY, best_two, bit_length, guesses, known_guesses};
use super::float_order::{ordered_f32, unordered_f32};

/// Recent distinct values that a track remembers.
pub(crate) const RECENT: usize = 8;
/// Decisions of a bit length: one at the expected length, 15 upwards and 15 downwards; further ones share the last.
const STEPS: usize = 31;
const STEPS_UP: u32 = 15;
/// Largest bit length of a residual.
const MAX_LENGTH: u32 = 33;
/// Tracks that have contexts of their own; further ones share them.
const OWN_TRACKS: usize = 32;
/// Levels of how the frame's earlier tracks surprised.
const SURPRISES: usize = 5;
/// Levels of how far the two best guesses lie apart, against the expected length.
const SPREADS: usize = 12;
/// Levels of how the residuals' lengths drift.
const DRIFTS: usize = 9;

#[derive(Clone, Copy)]
struct Exact {
    recent: [u32; RECENT],
    known: usize,
    /// The last samples, newest first.
    history: [f32; HISTORY],
    seen: usize,
    /// Mean bit length of each guess's residual, in 1/16 bit.
    means: [u32; GUESSES],
    /// Slower mean of the bit lengths that were coded.
    slow: u32,
    /// The last two bit lengths, and the ranks of the last three samples (0, 1, 2 = new) in base 3.
    last: u32,
    before: u32,
    ranks: usize,
    negative: bool,
}

/// The adaptive model of one group's exact samples.
pub(crate) struct ExactModel {
    tracks: Vec<Exact>,
    rank: MixedBits<3>,
    length: MixedBits<5>,
    below: MixedBits<2>,
    sign: MixedBits<3>,
    surprise: i32,
}

/// A model of the samples of a group's own arrays, frame by frame.
pub(crate) trait SampleModel {
    /// Must be called before the first track of each frame.
    fn start_frame(&mut self);

    /// Codes the sample of `track` in the current frame; equal bits come back.
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, track: usize, sample: f32) -> f32;
}

impl ExactModel {
    pub(crate) fn new(tracks: usize) -> Self {
        let start = Exact {
            recent: [0; RECENT],
            known: 0,
            history: [0.0; HISTORY],
            seen: 0,
            means: [320, 320, 336, 352, 320, 320, 352, 352],
            slow: 320,
            last: 20,
            before: 20,
            ranks: 26,
            negative: false,
        };
        let slots = [68, 13 * 13, OWN_TRACKS, SURPRISES * 17, SPREADS * DRIFTS];
        ExactModel {
            tracks: vec![start; tracks],
            rank: MixedBits::new([27 * RECENT, OWN_TRACKS * RECENT, 27 * 9 * RECENT], RECENT, 120),
            length: MixedBits::new(slots.map(|slots| slots * STEPS), STEPS, 250),
            below: MixedBits::new([34 * 4, OWN_TRACKS * 4], 4, 250),
            sign: MixedBits::new([2 * 34, 2 * OWN_TRACKS, SPREADS * 3 * 2], 1, 250),
            surprise: 0,
        }
    }

    /// Codes one decision of step 1: `place` 0 asks "among the recent values?", place r + 1 asks "rank r?".
    #[inline]
    fn rank_bit<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        state: &Exact,
        own: usize,
        place: usize,
        bit: bool,
    ) -> bool {
        let slots = [state.ranks * RECENT, own * RECENT, (state.ranks * 9 + state.known) * RECENT];
        let places = self.rank.places(slots);
        self.rank.code(coder, &places, place, place, bit)
    }

    /// Codes a sample that is not among the recent values.
    fn code_new<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        state: &Exact,
        guesses: &[i64; GUESSES],
        track: usize,
        sample: f32,
    ) -> f32 {
        let own = track % OWN_TRACKS;
        let (best, second) = best_two(&state.means, known_guesses(state.seen));
        let mean = state.means[best];
        let base = guesses[best];
        let residual = i64::from(ordered_f32(sample)) - base;
        let magnitude = residual.unsigned_abs();
        let wanted = bit_length(residual);

        // 2. Bit length of the residual, from the expected one up or down.
        let expected = ((mean + 8) / 16).max(1);
        let relative = |length: u32| (length as i32 - expected as i32).clamp(-6, 6) + 6;
        let surprise = ((self.surprise + 6) / 3).clamp(0, SURPRISES as i32 - 1) as usize;
        let apart = guesses[second] - base;
        let spread = (bit_length(apart) as i32 - expected as i32 + 7).clamp(0, SPREADS as i32 - 1) as usize;
        let drift = ((state.slow as i32 - mean as i32 + 32) >> 3).clamp(0, DRIFTS as i32 - 1) as usize;
        let slots = [
            (mean / 8) as usize,
            (relative(state.last) * 13 + relative(state.before)) as usize,
            own,
            surprise * 17 + (mean / 32) as usize,
            spread * DRIFTS + drift,
        ];
        let places = self.length.places(slots.map(|slot| slot * STEPS));
        coder.label(Stage::Lengths, Some(track));
        let mut ask = |place: u32, bit| self.length.code(coder, &places, place as usize, place as usize, bit);
        let mut length = expected;
        if ask(0, wanted >= expected) {
            while length < MAX_LENGTH && ask((length - expected + 1).min(STEPS_UP), wanted > length) {
                length += 1;
            }
        } else {
            length -= 1;
            while length > 0 && ask(STEPS_UP + (expected - length).min(15), wanted < length) {
                length -= 1;
            }
        }

        // 3. Its bits below the leading one: two adaptive, the others even; then the sign.
        let mut value = u64::from(length > 0);
        if length > 1 {
            coder.label(Stage::Mantissas, Some(track));
            let mut below = length - 1;
            for _ in 0..2.min(below) {
                below -= 1;
                let place = if below + 2 == length { 0 } else { 2 + (value & 1) as usize };
                let places = self.below.places([length as usize * 4, own * 4]);
                let bit = self.below.code(coder, &places, place, place, magnitude >> below & 1 == 1);
                value = value << 1 | u64::from(bit);
            }
            value = value << below | coder.code_raw(magnitude & ((1 << below) - 1), below);
        }
        let mut signed = value as i64;
        if value != 0 {
            coder.label(Stage::Signs, Some(track));
            let before = usize::from(state.negative);
            let side = (1 + apart.signum()) as usize;
            let long = usize::from(length >= expected);
            let slots =
                [before * 34 + length as usize, before * OWN_TRACKS + own, (spread * 3 + side) * 2 + long];
            let places = self.sign.places(slots);
            if self.sign.code(coder, &places, 0, 0, residual < 0) {
                signed = -signed;
            }
        }
        let above = (length as i32 - (mean / 16) as i32).clamp(-8, 8);
        self.surprise = (self.surprise * 3 + above * 2) / 4;
        // A damaged stream can name residuals that lead out of the ordered integers.
        unordered_f32((base + signed) as u32)
    }
}

impl SampleModel for ExactModel {
    fn start_frame(&mut self) {
        self.surprise /= 2;
    }

    #[inline]
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, track: usize, sample: f32) -> f32 {
        let mut state = self.tracks[track];
        let own = track % OWN_TRACKS;

        // 1. A recent value again?
        coder.label(Stage::Repeats, Some(track));
        let bits = sample.to_bits();
        let wanted = state.recent[..state.known].iter().position(|&recent| recent == bits);
        let mut found = None;
        if state.known > 0 && self.rank_bit(coder, &state, own, 0, wanted.is_some()) {
            let last = state.known - 1;
            let rank =
                (0..last).find(|&rank| self.rank_bit(coder, &state, own, rank + 1, wanted == Some(rank)));
            found = Some(rank.unwrap_or(last));
        }
        let guesses = guesses(&state.history);
        let value = match found {
            Some(rank) => f32::from_bits(state.recent[rank]),
            None => self.code_new(coder, &state, &guesses, track, sample),
        };
        learn(&mut state, found, &guesses, value);
        self.tracks[track] = state;
        value
    }
}

/// Moves the value to the front and scores every guess against it.
#[inline]
fn learn(state: &mut Exact, found: Option<usize>, guesses: &[i64; GUESSES], value: f32) {
    let class = match found {
        Some(0) => 0,
        Some(_) => 1,
        None => 2,
    };
    state.ranks = state.ranks % 9 * 3 + class;
    if found.is_none() && state.known < RECENT {
        state.known += 1;
    }
    let from = found.unwrap_or(state.known - 1);
    state.recent.copy_within(0..from, 1);
    state.recent[0] = value.to_bits();

    let target = i64::from(ordered_f32(value));
    let known = known_guesses(state.seen);
    if found.is_none() {
        let residual = target - guesses[best_two(&state.means, known).0];
        let length = bit_length(residual);
        (state.before, state.last) = (state.last, length);
        state.negative = residual < 0;
        state.slow = (state.slow * 31 + length * 16 + 16) / 32;
    }
    // Repeats of a held track say nothing about how its next new value will move.
    let scored = state.means[..known].iter_mut().zip(guesses).skip(usize::from(found.is_some()));
    for (mean, guess) in scored {
        let length = bit_length(target - guess);
        *mean = (*mean * 7 + length * 16 + 4) / 8;
    }
    state.history.copy_within(0..HISTORY - 1, 1);
    state.history[0] = value;
    state.seen += 1;
}
