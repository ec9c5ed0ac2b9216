//! The lossless model of the effort `max` (FORMAT section 7.11).
//!
//! Recent values are caught as at `balanced`. Any other sample is found on the axis of ordered integers by questions whose odds
//! come from a mixture of densities: twelve predictions, one of which follows what the tracks before did in the same
//! frame, each with three widths. What the mixture does not know, counters in contexts correct.

mod decide;
mod filter;
mod mixture;
mod search;

use super::entropy::{BinaryCoder, MixedBits, Stage};
use super::exact::{RECENT, SampleModel};
use super::exact_guess::bit_length;
use super::float_order::{ordered_f32, unordered_f32};
use decide::{COUNTERS, Decisions};
use filter::{Filter, JOINT, JOINT_TAPS, TAPS, held};
use mixture::{EXPERTS, Experts, FIXED, HISTORY, PREDICTIONS, SCALES, Weights, fixed_predictions};
use search::{PLACES, Search, edge, value_of};

/// Tracks that have contexts of their own; further ones share them.
const OWN_TRACKS: usize = 128;
/// Phases that a block may have.
const MAX_PHASES: usize = 2;
/// Largest bit length of a distance.
const MAX_LENGTH: u32 = 33;
/// Weight from which on the best prediction alone is the centre.
const SURE: f64 = 0.6;
/// Magnitudes from here on are no numbers.
const NO_NUMBER: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

#[derive(Clone)]
struct Track {
    recent: [u32; RECENT],
    known: usize,
    ranks: usize,
    /// The last samples, newest first; those that are no numbers repeat the one before.
    history: [f64; HISTORY],
    seen: usize,
    filters: [Filter<TAPS>; 2],
    joint: Filter<JOINT>,
    /// Mean size of a step; the last step beyond half the one before, in that unit.
    step_scale: f64,
    moved: f64,
    /// In each phase, each prediction's mean length of a miss in ordered integers, and mean miss.
    lengths: [[f64; PREDICTIONS]; MAX_PHASES],
    errors: [[f64; PREDICTIONS]; MAX_PHASES],
    weights: [Weights; MAX_PHASES],
    /// Means of the lengths that were coded, in 1/16 bit, the last two, and the last side.
    mean: u32,
    slow: u32,
    last: u32,
    before: u32,
    negative: bool,
}

/// The adaptive model of one group's exact samples.
pub(crate) struct MaxModel {
    tracks: Vec<Track>,
    rank: MixedBits<3>,
    decisions: Decisions,
    /// Weights that all tracks share, by their last two lengths.
    shared: Vec<Weights>,
    surprise: i32,
    phases: usize,
    phase: usize,
}

/// What is known of a sample before it is coded.
struct Ahead {
    steps: [f64; TAPS],
    joint: [f64; JOINT],
    predictions: [f64; PREDICTIONS],
}

fn ordered(value: f64) -> i64 {
    i64::from(ordered_f32(value as f32))
}

/// About two to the power of `x`, from 0 to 40.
fn exp2(x: f64) -> f64 {
    let part = x - x.floor();
    (1.0 + part * (0.6953125 + part * (0.2421875 + part * 0.0625))) * (1u64 << x as u32) as f64
}

impl MaxModel {
    /// Frames of `phases` kinds in turn: 2 for motion that was resampled to twice its rate.
    pub(crate) fn new(tracks: usize, phases: usize) -> Self {
        let start = Track {
            recent: [0; RECENT],
            known: 0,
            ranks: 26,
            history: [0.0; HISTORY],
            seen: 0,
            filters: [Filter::new(0.998), Filter::new(0.96)],
            joint: Filter::new(0.995),
            step_scale: 1e-3,
            moved: 0.0,
            lengths: [[14.0; PREDICTIONS]; MAX_PHASES],
            errors: [[0.01; PREDICTIONS]; MAX_PHASES],
            weights: std::array::from_fn(|_| Weights::new()),
            mean: 320,
            slow: 320,
            last: 20,
            before: 20,
            negative: false,
        };
        let slots = [68, 13 * 13, OWN_TRACKS, 5 * 17, 12 * 9, 34, 2 * MAX_PHASES * 17];
        MaxModel {
            tracks: vec![start; tracks],
            rank: MixedBits::new([27 * RECENT, OWN_TRACKS * RECENT, 27 * 9 * RECENT], RECENT, 120),
            decisions: Decisions::new(slots.map(|slots| slots * PLACES), [PLACES, OWN_TRACKS]),
            shared: vec![Weights::new(); 13 * 13],
            surprise: 0,
            phases,
            phase: phases - 1,
        }
    }

    fn look_ahead(&self, number: usize) -> Ahead {
        let track = &self.tracks[number];
        let steps: [f64; TAPS] =
            std::array::from_fn(|i| held((track.history[i] - track.history[i + 1]) / track.step_scale));
        let joint = std::array::from_fn(|i| match i.checked_sub(JOINT_TAPS) {
            None => steps[i],
            Some(back) if back < number => self.tracks[number - 1 - back].moved,
            Some(_) => 0.0,
        });
        let mut predictions = fixed_predictions(&track.history);
        let outputs =
            [track.filters[0].output(&steps), track.filters[1].output(&steps), track.joint.output(&joint)];
        for (prediction, output) in predictions[FIXED..].iter_mut().zip(outputs) {
            *prediction = track.history[0] + output * track.step_scale;
        }
        Ahead { steps, joint, predictions }
    }

    fn code_rank<C: BinaryCoder>(&mut self, coder: &mut C, number: usize, bits: u32) -> Option<usize> {
        let track = &self.tracks[number];
        let (known, recent) = (track.known, &track.recent);
        if known == 0 {
            return None;
        }
        let wanted = recent[..known].iter().position(|&recent| recent == bits);
        let slots = [track.ranks, number % OWN_TRACKS, track.ranks * 9 + known];
        let places = self.rank.places(slots.map(|slot| slot * RECENT));
        coder.label(Stage::Repeats, Some(number));
        let mut ask = |place: usize, bit| self.rank.code(coder, &places, place, place, bit);
        if !ask(0, wanted.is_some()) {
            return None;
        }
        Some((0..known - 1).find(|&rank| ask(rank + 1, wanted == Some(rank))).unwrap_or(known - 1))
    }

    fn experts(&self, track: &Track, ahead: &Ahead) -> Experts {
        let mut experts = Experts { centres: [0.0; EXPERTS], inverses: [0.0; EXPERTS] };
        for (number, &prediction) in ahead.predictions.iter().enumerate() {
            let at = ordered(prediction);
            let spacing = (value_of(at + 1) - value_of(at - 1)) * 0.5;
            let typical = exp2(track.lengths[self.phase][number]) * spacing;
            let widths = [typical * 0.15, typical * 0.7, track.errors[self.phase][number]];
            for (scale, width) in widths.into_iter().enumerate() {
                experts.centres[number * SCALES + scale] = prediction;
                experts.inverses[number * SCALES + scale] = 1.0 / width.max(spacing * 0.3).max(1e-30);
            }
        }
        experts
    }

    /// Codes a sample that is not among the recent values.
    fn code_new<C: BinaryCoder>(&mut self, coder: &mut C, number: usize, ahead: &Ahead, sample: f32) -> f32 {
        let track = &self.tracks[number];
        let own = number % OWN_TRACKS;

        // 1. The centre, and how far one more prediction lies from the best.
        let (mut centre, mut most, mut best) = (0.0, 0.0, 0);
        for (number, prediction) in ahead.predictions.iter().enumerate() {
            let weight = track.weights[self.phase].of_prediction(number);
            centre += weight * prediction;
            if weight > most {
                (most, best) = (weight, number);
            }
        }
        if most > SURE {
            centre = ahead.predictions[best];
        }
        let base = ordered(centre);
        let other = if best == 3 { 2 } else { 3 };
        let apart = ordered(ahead.predictions[best]) - ordered(ahead.predictions[other]);

        // 2. Contexts.
        let mean = track.mean;
        let expected = ((mean + 8) / 16).clamp(1, MAX_LENGTH - 1);
        let near = |length: u32, to: u32| ((length as i32 - to as i32).clamp(-6, 6) + 6) as usize;
        let surprise = ((self.surprise + 6) / 3).clamp(0, 4) as usize;
        let spread = (bit_length(apart) as i32 - expected as i32 + 7).clamp(0, 11) as usize;
        let drift = ((track.slow as i32 - mean as i32 + 32) >> 3).clamp(0, 8) as usize;
        let slots: [usize; COUNTERS] = [
            (mean / 8) as usize,
            near(track.last, expected) * 13 + near(track.before, expected),
            own,
            surprise * 17 + (mean / 32) as usize,
            spread * 9 + drift,
            0,
            (self.phase * 2 + usize::from(track.negative)) * 17 + (mean / 32) as usize,
        ];
        let recent = near(track.last, mean / 16) * 13 + near(track.before, mean / 16);

        // 3. The side, the bit length of the distance, three of its bits; the rest at even odds.
        let experts = self.experts(track, ahead);
        let mut search = Search {
            coder,
            decisions: &mut self.decisions,
            experts: &experts,
            weights: [&track.weights[self.phase], &self.shared[recent]],
            slots: slots.map(|slot| slot * PLACES),
            own,
            target: i64::from(ordered_f32(sample)),
            low: [0.0; EXPERTS],
            high: [1.0; EXPERTS],
            from: 0,
            to: 1 << 32,
        };
        search.coder.label(Stage::Signs, Some(number));
        let up = search.ask(base, 0, 0, true);
        search.coder.label(Stage::Lengths, Some(number));
        let mut is_beyond = |length: u32, place: u32| {
            let reach = (1i64 << length) - 1;
            let at = if up { base + reach } else { base - reach };
            search.ask(at, place as usize, length, up) == up
        };
        let mut length = expected;
        if is_beyond(expected - 1, 1) {
            while length < MAX_LENGTH && is_beyond(length, 1 + (length - expected + 1).min(15)) {
                length += 1;
            }
        } else {
            length -= 1;
            while length > 0 && !is_beyond(length - 1, 16 + (expected - length).min(15)) {
                length -= 1;
            }
        }
        search.coder.label(Stage::Mantissas, Some(number));
        for depth in 0..3 {
            let middle = (search.from + search.to) / 2;
            search.ask(middle, 32 + depth * 2 + usize::from(up), length, true);
        }
        let found = search.finish();

        // 4. What it teaches.
        let (low, high) = (experts.below(edge(found)), experts.below(edge(found + 1)));
        self.shared[recent].learn(&low, &high, 0.998);
        let track = &mut self.tracks[number];
        track.weights[self.phase].learn(&low, &high, 0.99);
        let length = bit_length(found - base);
        (track.before, track.last) = (track.last, length);
        track.negative = found < base;
        let above = (length as i32 - (mean / 16) as i32).clamp(-8, 8);
        self.surprise = (self.surprise * 3 + above * 2) / 4;
        track.mean = (mean * 7 + length * 16 + 4) / 8;
        track.slow = (track.slow * 31 + length * 16 + 16) / 32;
        unordered_f32(found as u32)
    }
}

impl Track {
    fn learn(&mut self, phase: usize, found: Option<usize>, ahead: &Ahead, value: f32) {
        let place = i64::from(ordered_f32(value));
        let exact = value_of(place);
        let start = 1.0 / (self.seen as f64 + 1.0);
        // Repeats of a held track say nothing about how its next new value will move.
        for (number, &prediction) in ahead.predictions.iter().enumerate().skip(usize::from(found.is_some())) {
            let (length, error) = (&mut self.lengths[phase][number], &mut self.errors[phase][number]);
            *length += ((f64::from(bit_length(place - ordered(prediction))) - 0.5).max(0.0) - *length)
                * start.max(0.12);
            *error += ((exact - prediction).abs().min(*error * 8.0 + 1e-9) - *error) * start.max(0.06);
        }
        let is_number = exact.abs() < NO_NUMBER;
        if self.seen > 0 && is_number {
            let step = exact - self.history[0];
            let unit = step / self.step_scale;
            self.moved = held(unit - 0.5 * ahead.steps[0]);
            if found.is_none() {
                self.joint.learn(&ahead.joint, unit);
                self.filters.iter_mut().for_each(|filter| filter.learn(&ahead.steps, unit));
                let size = step.abs().max(1e-12).min(self.step_scale * 8.0);
                self.step_scale += (size - self.step_scale) * 0.03;
            }
        }
        let class = match found {
            Some(0) => 0,
            Some(_) => 1,
            None => 2,
        };
        self.ranks = self.ranks % 9 * 3 + class;
        if found.is_none() && self.known < RECENT {
            self.known += 1;
        }
        self.recent.copy_within(0..found.unwrap_or(self.known - 1), 1);
        self.recent[0] = value.to_bits();
        let newest = if is_number { exact } else { self.history[0] };
        if self.seen == 0 {
            self.history = [newest; HISTORY];
        }
        self.history.copy_within(0..HISTORY - 1, 1);
        self.history[0] = newest;
        self.seen += 1;
    }
}

impl SampleModel for MaxModel {
    fn start_frame(&mut self) {
        self.surprise /= 2;
        self.phase = (self.phase + 1) % self.phases;
    }

    fn code<C: BinaryCoder>(&mut self, coder: &mut C, number: usize, sample: f32) -> f32 {
        let ahead = self.look_ahead(number);
        let found = self.code_rank(coder, number, sample.to_bits());
        let value = match found {
            Some(rank) => f32::from_bits(self.tracks[number].recent[rank]),
            None => self.code_new(coder, number, &ahead, sample),
        };
        self.tracks[number].learn(self.phase, found, &ahead, value);
        value
    }
}
