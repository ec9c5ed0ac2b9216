//! The lossless model of f32 samples (FORMAT section 7.10).
//!
//! A near-dead track takes a handful of values over and over: a move-to-front list of recent values catches those.
//! Any other sample is guessed in f64, by whichever of six guesses did best on the track lately: differences of order 1
//! to 4 (captures sampled from splines are cubic between keys) and two that damp or smooth sensor noise. The residual is
//! the difference of the ordered integers of sample and guess: exact for every bit pattern.

use super::entropy::{BinaryCoder, MixedBits, Stage};
use super::float_order::{ordered_f32, unordered_f32};

/// Recent distinct values that a track remembers.
const RECENT: usize = 8;
/// Samples that a guess looks back on.
const HISTORY: usize = 4;
/// Guesses tried.
const GUESSES: usize = 6;
/// Nodes of the binary tree that codes a residual's bit length 0..=33.
const NODES: usize = 64;
/// Tracks that have contexts of their own; further ones share them.
const OWN_TRACKS: usize = 32;
/// Levels of how the frame's earlier tracks surprised.
const SURPRISES: usize = 5;

#[derive(Clone, Copy)]
struct Exact {
    recent: [u32; RECENT],
    known: usize,
    /// The last samples, newest first.
    history: [f32; HISTORY],
    seen: usize,
    /// Mean bit length of each guess's residual, in 1/16 bit.
    means: [u32; GUESSES],
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
    length: MixedBits<4>,
    below: MixedBits<2>,
    sign: MixedBits<2>,
    surprise: i32,
}

/// Guess number `number` from the last samples: 0 to 3 continue differences of order 1 to 4, 4 takes half the last step,
/// 5 smooths. A guess that is not finite gives the last sample.
#[inline]
fn guess(history: &[f32; HISTORY], number: usize) -> f32 {
    let [a, b, c, d] = history.map(f64::from);
    let wide = match number {
        0 => a,
        1 => a + (a - b),
        2 => (a - b) * 3.0 + c,
        3 => ((a + c) * 4.0 - b * 6.0) - d,
        4 => a + (a - b) * 0.5,
        _ => (a + b) * 0.5 + ((a + b) - (c + d)) * 0.375,
    };
    let narrow = wide as f32;
    if narrow.is_finite() { narrow } else { history[0] }
}

impl ExactModel {
    pub(crate) fn new(tracks: usize) -> Self {
        let start = Exact {
            recent: [0; RECENT],
            known: 0,
            history: [0.0; HISTORY],
            seen: 0,
            means: [20 * 16, 20 * 16, 21 * 16, 22 * 16, 20 * 16, 20 * 16],
            last: 20,
            before: 20,
            ranks: 26,
            negative: false,
        };
        ExactModel {
            tracks: vec![start; tracks],
            rank: MixedBits::new([27 * RECENT, OWN_TRACKS * RECENT, 27 * 9 * RECENT], RECENT, 120),
            length: MixedBits::new(
                [68 * NODES, 34 * 12 * NODES, OWN_TRACKS * NODES, SURPRISES * 17 * NODES],
                NODES,
                250,
            ),
            below: MixedBits::new([34 * 4, OWN_TRACKS * 4], 4, 250),
            sign: MixedBits::new([2 * 34, 2 * OWN_TRACKS], 1, 250),
            surprise: 0,
        }
    }

    /// Must be called before the first track of each frame.
    pub(crate) fn start_frame(&mut self) {
        self.surprise /= 2;
    }

    /// Codes the sample of `track` in the current frame; equal bits come back.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(&mut self, coder: &mut C, track: usize, sample: f32) -> f32 {
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
        let value = match found {
            Some(rank) => f32::from_bits(state.recent[rank]),
            None => self.code_new(coder, &state, track, sample),
        };
        self.learn(&mut state, found, value);
        self.tracks[track] = state;
        value
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
    fn code_new<C: BinaryCoder>(&mut self, coder: &mut C, state: &Exact, track: usize, sample: f32) -> f32 {
        let own = track % OWN_TRACKS;
        let number = best_guess(state);
        let mean = state.means[number];
        let base = i64::from(ordered_f32(guess(&state.history, number)));
        let residual = i64::from(ordered_f32(sample)) - base;
        let magnitude = residual.unsigned_abs();
        let wanted = 64 - magnitude.leading_zeros();

        // 2. Bit length of the residual, along a binary tree.
        coder.label(Stage::Lengths, Some(track));
        let trend = (state.last as i32 - state.before as i32).clamp(-5, 6) + 5;
        let surprise = ((self.surprise + 6) / 3).clamp(0, SURPRISES as i32 - 1) as usize;
        let bases = [
            (mean / 8) as usize,
            state.last as usize * 12 + trend as usize,
            own,
            surprise * 17 + (mean / 32) as usize,
        ]
        .map(|base| base * NODES);
        let places = self.length.places(bases);
        let mut node = 1usize;
        while node < NODES {
            let depth = node.ilog2();
            let bit = wanted >> (5 - depth) & 1 == 1;
            let bit = self.length.code(coder, &places, node, node, bit);
            node = node * 2 + usize::from(bit);
        }
        // A damaged stream can name lengths that no residual has.
        let length = ((node - NODES) as u32).min(33);
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
            let places = self.sign.places([before * 34 + length as usize, before * OWN_TRACKS + own]);
            if self.sign.code(coder, &places, 0, 0, residual < 0) {
                signed = -signed;
            }
        }
        let expected = (mean / 16) as i32;
        self.surprise = (self.surprise * 3 + (length as i32 - expected).clamp(-8, 8) * 2) / 4;
        unordered_f32((base + signed) as u32)
    }

    /// Moves the value to the front and scores every guess against it.
    fn learn(&mut self, state: &mut Exact, found: Option<usize>, value: f32) {
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
        let used = best_guess(state);
        for number in 0..known_guesses(state) {
            let residual = target - i64::from(ordered_f32(guess(&state.history, number)));
            let length = 64 - residual.unsigned_abs().leading_zeros();
            if number == used && found.is_none() {
                (state.before, state.last) = (state.last, length.min(33));
                state.negative = residual < 0;
            }
            // Repeats of a held track say nothing about how its next new value will move.
            if found.is_none() || number > 0 {
                state.means[number] = (state.means[number] * 7 + length.min(33) * 16 + 4) / 8;
            }
        }
        state.history.copy_within(0..HISTORY - 1, 1);
        state.history[0] = value;
        state.seen += 1;
    }
}

/// Number of guesses that have enough history: one a sample, then all.
#[inline]
fn known_guesses(state: &Exact) -> usize {
    if state.seen < HISTORY { state.seen.max(1) } else { GUESSES }
}

/// The guess with the smallest mean among those that have enough history; ties go to the lower number.
#[inline]
fn best_guess(state: &Exact) -> usize {
    (0..known_guesses(state)).min_by_key(|&number| state.means[number]).unwrap_or(0)
}
