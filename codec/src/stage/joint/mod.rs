//! The coder of the effort `max` (FORMAT sections 7.14 to 7.20): every array from its own motion and from the arrays before
//! it, by a mixture of many predictions and scales that follows which of them have been right.

mod decide;
mod filter;
mod grid;
mod lanes;
mod residual;
mod sizes;
mod track;

pub(crate) use track::OTHERS;

use super::entropy::{BinaryCoder, IntegerModel, Stage};
use super::quantize::{MAX_INDEX, whole};
use super::schedule::{Instant, MAX_LEVELS, instants};
use bitvec::vec::BitVec;
use decide::{CLASSES, Decisions, Situation};
use grid::{Experts, GUESSES, LogWeights, Mass, log_likelihood, product};
use lanes::{held, held64};
use residual::ResidualCoder;
use sizes::{Expected, Measures, Sizes};
use track::{Look, Track};

/// Largest magnitude of a value in steps.
const MAX_VALUE: f64 = MAX_INDEX as f64;
/// Parts of a step that a prediction resolves on the finer levels.
const PARTS: f64 = 256.0;
/// Weight sets that all arrays share: by level, expected size and surprise.
const CONTEXTS: usize = 12;
/// Largest magnitude of a measured motion.
const MAX_MOTION: f32 = 1e6;

/// What an array did at this instant.
#[derive(Clone, Copy)]
struct Done {
    /// Cell of the residual, held in -2..=2.
    cell: i32,
    miss: f32,
}

/// All that is learned of one group over one block.
struct Model {
    tracks: Vec<Track>,
    /// How each array moved at this instant, less what its own motion made likely.
    moved: Vec<f64>,
    done: Vec<Done>,
    shared: Vec<LogWeights>,
    residuals: ResidualCoder,
    sizes: [Sizes; MAX_LEVELS as usize + 1],
    /// By how many octaves the arrays before missed more than expected.
    surprise: f32,
    /// Which of the last six residuals were not zero, one bit each.
    busy: u32,
}

/// Codes every frame after the first, both ways. `firsts` holds the index of each array in frame 0, `others` the arrays that
/// each may look at. `wanted` tells the encoder's residual of an array at an instant around a guess in steps. Gives the
/// values of each array in steps, and whether all stayed in their range.
pub(crate) fn code_instants<C: BinaryCoder>(
    coder: &mut C,
    (firsts, others): (&[i64], Vec<Vec<usize>>),
    escapes: &[BitVec],
    (frames, levels): (usize, u32),
    wanted: &mut impl FnMut(usize, Instant, f64) -> i64,
) -> (Vec<Vec<f64>>, bool) {
    let mut model = Model::new(firsts, others, frames);
    let mut opening = IntegerModel::new();
    let mut in_range = true;
    let mut level = 0;
    for (number, instant) in instants(frames, levels).enumerate() {
        if instant.level != level {
            level = instant.level;
            model.tracks.iter_mut().for_each(|track| track.enter_level(level));
        }
        model.surprise *= 0.5;
        for (array, escapes) in escapes.iter().enumerate() {
            let look = model.tracks[array].look(instant, &model.moved);
            if escapes.get(instant.frame).is_some_and(|bit| *bit) {
                model.pass(array, instant, &look);
                continue;
            }
            coder.label(Stage::Residuals(level as u8), Some(array));
            let value = if number == 0 {
                // Nothing is known yet of how far arrays move: the first residuals are plain integers.
                let guess = whole(look.base);
                let residual = opening.code_signed(coder, wanted(array, instant, guess));
                let value = guess + residual.clamp(-4 * MAX_INDEX, 4 * MAX_INDEX) as f64;
                model.open(array, instant, &look, value - guess);
                value
            } else {
                model.code(coder, array, instant, &look, wanted)
            };
            let kept = held64(value, -MAX_VALUE, MAX_VALUE);
            in_range &= value == kept;
            model.tracks[array].learn(instant, &look, kept);
            let usual = if level == 0 { look.plain * 0.5 } else { 0.0 };
            model.moved[array] = (kept - look.base) - usual;
        }
    }
    (model.tracks.into_iter().map(|track| track.values).collect(), in_range)
}

impl Model {
    fn new(firsts: &[i64], others: Vec<Vec<usize>>, frames: usize) -> Model {
        let arrays = firsts.len();
        let tracks = firsts.iter().zip(others).map(|(&first, others)| Track::new(first, frames, others));
        Model {
            tracks: tracks.collect(),
            moved: vec![0.0; arrays],
            done: vec![Done { cell: 0, miss: 1.0 }; arrays],
            shared: vec![LogWeights::new(); CONTEXTS],
            residuals: ResidualCoder::new(Decisions::new([48, 30, 27, arrays, 96, 36, 28, 18, 32])),
            sizes: [Sizes::new(); MAX_LEVELS as usize + 1],
            surprise: 0.0,
            busy: 0,
        }
    }

    /// An escaped sample: the motion stays where it was, and nothing is learned.
    fn pass(&mut self, array: usize, instant: Instant, look: &Look) {
        let track = &mut self.tracks[array];
        track.values[instant.frame] = whole(held64(look.base, -MAX_VALUE, MAX_VALUE) * PARTS) / PARTS;
        self.moved[array] = 0.0;
        self.done[array] = Done { cell: 0, miss: track.misses.means[1] };
    }

    /// The first move of an array.
    fn open(&mut self, array: usize, instant: Instant, look: &Look, moved: f64) {
        let track = &mut self.tracks[array];
        let held = held64(moved + look.base, -MAX_VALUE, MAX_VALUE) - look.base;
        track.sizes[instant.frame] =
            if moved.abs() < MAX_VALUE { moved.abs() as f32 } else { MAX_VALUE as f32 };
        track.misses.open(held.abs());
    }

    /// Codes one value and learns from it, all but the predictions.
    #[inline(always)]
    fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        array: usize,
        instant: Instant,
        look: &Look,
        wanted: &mut impl FnMut(usize, Instant, f64) -> i64,
    ) -> f64 {
        let level = instant.level;

        // 1. How far off the predictions may be.
        let measures = self.measure(array, instant, look);
        let expected = self.sizes[level].expect(&self.tracks[array].misses, &measures, self.surprise);
        let quiet = usize::from(expected.size > 0.35) + usize::from(expected.size > 1.2);
        let calm = level.min(1) * 3 + quiet;
        let context = calm * 2 + usize::from(self.surprise > 0.0);

        // 2. The experts' weights, their mean and the guess. The coarsest level lies on a lattice, the finer ones around
        // their predictions.
        let weights = product(&self.shared[context], &self.tracks[array].weights);
        let open = Mass::of(&weights);
        let mut mean = 0.0;
        for (weight, moved) in open.guesses.iter().zip(&look.moves) {
            mean += f64::from(*weight) * moved;
        }
        let center = held64(look.base + mean / f64::from(open.all), -2.0 * MAX_VALUE, 2.0 * MAX_VALUE);
        let parts = if level == 0 { 1.0 } else { PARTS };
        let guess = whole(center * parts) / parts;
        let mut experts = Experts::new(&expected.rows);
        for lane in 0..GUESSES {
            experts.means[lane] = held64((look.base + look.moves[lane]) - guess, -1e9, 1e9) as f32;
        }

        // 3. The residual.
        let k = held(expected.log - 0.8, 0.0, 24.0) as u32;
        let lean = (center - guess) as f32;
        let situation = self.situation(array, instant, (&expected, k), (lean, experts.means[5]), calm);
        let residual = wanted(array, instant, guess);
        let coded = self.residuals.code(coder, (&experts, &weights, &open), &situation, k, residual);
        let value = guess + coded.residual as f64;

        // 4. What there is to learn.
        let miss = (held64(value, -MAX_VALUE, MAX_VALUE) - center).abs() as f32;
        let seen = log_likelihood(&coded.likelihood);
        self.shared[context].learn(&seen, 0.97);
        let track = &mut self.tracks[array];
        track.weights.learn(&seen, 0.93);
        let above = self.sizes[level].learn(&mut track.misses, &expected, miss);
        self.surprise = self.surprise * 0.8 + above * 0.2;
        let cell = coded.cell.clamp(-2, 2) as i32;
        track.sizes[instant.frame] = miss;
        track.cells[instant.frame] = cell as i8;
        self.done[array] = Done { cell, miss };
        self.busy = (self.busy << 1 | u32::from(cell != 0)) & 63;
        value
    }

    #[inline(always)]
    fn measure(&self, array: usize, instant: Instant, look: &Look) -> Measures {
        let Instant { frame, reach, level } = instant;
        let track = &self.tracks[array];
        let left = track.sizes[frame - reach];
        let parents = if level == 0 {
            left
        } else {
            (left + track.sizes.get(frame + reach).copied().unwrap_or(left)) * 0.25
        };
        let magnitude = |motion: f64| held(motion as f32, -MAX_MOTION, MAX_MOTION).abs();
        let mut ratios = 0.0;
        for &other in &track.others {
            ratios += (self.done[other].miss + 0.1) / (self.tracks[other].misses.means[1] + 0.1);
        }
        let count = track.others.len();
        Measures {
            parents,
            bend: magnitude(look.bend * if level == 0 { 0.5 } else { 1.0 }),
            speed: magnitude(look.plain),
            doubt: magnitude(look.moves[5] - look.moves[3]),
            near: (count > 0).then(|| ratios / count as f32),
        }
    }

    /// The contexts of the decisions about one residual.
    #[inline(always)]
    fn situation(
        &self,
        array: usize,
        instant: Instant,
        (expected, k): (&Expected, u32),
        (lean, tilt): (f32, f32),
        calm: usize,
    ) -> Situation {
        let Instant { frame, reach, level } = instant;
        let track = &self.tracks[array];
        let sign = |cell: i32| (cell.signum() + 1) as usize;
        let cell = |frame: usize| i32::from(track.cells.get(frame).copied().unwrap_or(0));
        let other = |i: usize| track.others.get(i).map_or(1, |&other| sign(self.done[other].cell));
        let spacing = if level == 0 { reach } else { reach * 2 };
        let last = frame.saturating_sub(spacing);
        let before = last.saturating_sub(spacing);
        let fine = held(expected.log * 4.0 + 24.5, 8.0, 47.0) as usize;
        let coarse = (fine / 4).min(CLASSES - 1);
        let lean = held(lean * 8.0 + 4.0, 0.0, 7.0) as usize;
        let tilt = usize::from(tilt > 0.0) + 2 * held(tilt.abs() * 4.0, 0.0, 8.0) as usize;
        Situation {
            slots: [
                fine,
                ((cell(last) + 2) as usize * 3 + sign(cell(before))) * 2 + level.min(1),
                (other(0) * 3 + other(1)) * 3 + other(2),
                array,
                lean * 12 + coarse,
                level * 9 + sign(cell(frame - reach)) * 3 + sign(cell(frame + reach)),
                self.busy.count_ones() as usize * 4 + level,
                tilt,
                k.min(7) as usize * 4 + level,
            ],
            calm,
            class: coarse,
        }
    }
}
