//! How far off the predictions may be (FORMAT section 7.17): measures of it, and one expectation that learns from them.

use super::grid::SCALES;
use super::lanes::{exp2, held, log2};

/// Slowest rates of an array's running misses.
const RATES: [f32; 3] = [0.3, 0.12, 0.04];
/// What the expectation is a sum of.
const FEATURES: usize = 9;
/// What the weights come to on motion in general.
const WEIGHTS: [f32; FEATURES] = [0.18, 0.26, 0.0, 0.1, 0.1, 0.2, 0.23, 0.42, 0.0];
const WEIGHT_RATE: f32 = 0.005;
/// Added to a size before its logarithm is taken.
const LEAST: f32 = 0.03;
/// Largest measure.
const MOST: f32 = 1e9;

/// Running means of an array's misses, in steps.
#[derive(Clone, Copy)]
pub(super) struct Misses {
    pub(super) means: [f32; 3],
    seen: u32,
}

impl Misses {
    pub(super) fn new() -> Misses {
        Misses { means: [1.5; 3], seen: 0 }
    }

    /// After an array's first move, of which nothing was known.
    pub(super) fn open(&mut self, moved: f64) {
        self.means = [super::lanes::held64(moved, 0.5, 50.0) as f32 * 0.5; 3];
    }

    /// A finer level misses by less, and by how much is soon learned.
    pub(super) fn enter_level(&mut self) {
        for mean in &mut self.means {
            *mean *= 0.6;
        }
        self.seen = 3;
    }

    fn learn(&mut self, miss: f32) {
        let start = 1.0 / (self.seen as f32 + 1.5);
        self.seen += 1;
        for (mean, slowest) in self.means.iter_mut().zip(RATES) {
            let rate = if start > slowest { start } else { slowest };
            *mean += (held(miss, 0.0, *mean * 8.0 + 8.0) - *mean) * rate;
        }
    }
}

/// What is measured before a value is known, in steps.
pub(super) struct Measures {
    /// Misses at the frames that the prediction rests on.
    pub(super) parents: f32,
    /// How fast the motion bends, and moves.
    pub(super) bend: f32,
    pub(super) speed: f32,
    /// How much predictions differ.
    pub(super) doubt: f32,
    /// Mean ratio of the misses of related arrays at this instant to their usual ones, if there are such arrays.
    pub(super) near: Option<f32>,
}

/// An expectation of a miss.
pub(super) struct Expected {
    /// Its log2, and itself in steps.
    pub(super) log: f32,
    pub(super) size: f32,
    /// Each row's scale in steps, before it is narrowed.
    pub(super) rows: [f32; SCALES],
    features: [f32; FEATURES],
}

/// What one level has learned of sizes.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    weights: [f32; FEATURES],
}

impl Sizes {
    pub(super) fn new() -> Sizes {
        Sizes { weights: WEIGHTS }
    }

    #[inline(always)]
    pub(super) fn expect(&self, misses: &Misses, measures: &Measures, surprise: f32) -> Expected {
        let [fast, middle, slow] = misses.means;
        let Measures { parents, bend, speed, doubt, near } = *measures;
        let surprise = held(surprise, -4.0, 4.0);
        let surprised = middle * exp2(surprise);
        let near = near.map_or(middle, |ratio| middle * ratio);
        let mut features = [fast, middle, slow, parents, bend, surprised, near, doubt, speed];
        for feature in &mut features {
            *feature = log2(held(*feature, 0.0, MOST) + LEAST);
        }
        let usual = features[2];
        for feature in &mut features {
            *feature = held(*feature - usual, -8.0, 8.0);
        }
        features[2] = 1.0;
        features[5] = surprise;
        let mut log = usual;
        for (weight, feature) in self.weights.iter().zip(&features) {
            log += weight * feature;
        }
        let log = held(log, -6.0, 24.0);
        let size = exp2(log);
        let rows = [fast, middle, slow, parents, bend, surprised, near, size, size * 0.5];
        Expected { log, size, rows, features }
    }

    /// Learns what was missed; gives by how many octaves more than expected.
    #[inline(always)]
    pub(super) fn learn(&mut self, misses: &mut Misses, expected: &Expected, miss: f32) -> f32 {
        misses.learn(miss);
        let size = expected.size;
        let slope = held((miss - size) / (1.0 + size), -1.0, 2.0);
        for (weight, feature) in self.weights.iter_mut().zip(&expected.features) {
            *weight = held(*weight + slope * feature * WEIGHT_RATE, -2.0, 2.0);
        }
        held(log2(miss + 0.25) - log2(size + 0.25), -3.0, 3.0)
    }
}
