//! The grid of experts (FORMAT section 7.18): every prediction with every scale is a distribution; their weights follow how
//! likely each found what came.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

use super::lanes::{exp2, held, log2};
use std::f32::consts::LOG2_E;

/// Predictions, one a lane.
pub(super) const GUESSES: usize = 8;
/// Scales, one a row.
pub(super) const SCALES: usize = 9;
/// The row whose distributions have long tails.
pub(super) const TAILED: usize = 6;
/// One number an expert.
pub(super) type Grid = [[f32; GUESSES]; SCALES];

/// What each expert is: the distance of its prediction from the guess, and 1 / scale.
#[derive(Clone, Copy, Default)]
pub(super) struct Experts {
    pub(super) means: [f32; GUESSES],
    pub(super) inverse: [f32; SCALES],
}

/// What a scale is of the mean miss that it stands for, and its least, in steps.
const NARROW: f32 = 0.7;
const LEAST_SCALE: f32 = 0.1;
/// Share of the weights that all arrays share in the product.
const SHARED_POWER: f32 = 0.4;
/// Added to a probability before its logarithm is taken.
const FLOOR: f32 = 0.005;
/// Beyond so many octaves a tail counts as constant.
const MAX_OCTAVES: f32 = 40.0;

impl Experts {
    /// One scale for each row, from mean misses in steps; the predictions are still to come.
    #[inline(always)]
    pub(super) fn new(rows: &[f32; SCALES]) -> Experts {
        let mut experts = Experts::default();
        for (inverse, row) in experts.inverse.iter_mut().zip(rows) {
            *inverse = 1.0 / (held(*row, 0.0, 1e9) * NARROW + LEAST_SCALE);
        }
        experts
    }

    /// The share of each expert's distribution above `edge` steps from the guess, or below it where `side` is -1.
    #[inline(always)]
    pub(super) fn beyond(&self, edge: f32, side: f32) -> Grid {
        let mut result = [[0.0; GUESSES]; SCALES];
        let mut distances = [0.0; GUESSES];
        for lane in 0..GUESSES {
            distances[lane] = (edge - self.means[lane]) * side;
        }
        for row in 0..SCALES {
            let inverse = self.inverse[row];
            if row == TAILED {
                for lane in 0..GUESSES {
                    let z = distances[lane] * inverse * 0.8;
                    result[row][lane] = 0.5 - 0.5 * z / (2.0 + z * z).sqrt();
                }
            } else {
                let octaves = inverse * LOG2_E;
                for lane in 0..GUESSES {
                    let z = held(distances[lane] * octaves, -MAX_OCTAVES, MAX_OCTAVES);
                    result[row][lane] = 1.0 / (1.0 + exp2(z));
                }
            }
        }
        result
    }
}

/// Sums of a grid over rows, over lanes, and over all.
#[derive(Clone, Copy, Default)]
pub(super) struct Mass {
    pub(super) guesses: [f32; GUESSES],
    pub(super) scales: [f32; SCALES],
    pub(super) all: f32,
}

impl Mass {
    #[inline(always)]
    pub(super) fn of(grid: &Grid) -> Mass {
        let mut mass = Mass::default();
        for row in 0..SCALES {
            let lanes = &grid[row];
            let mut halves = [0.0; GUESSES / 2];
            for lane in 0..GUESSES {
                mass.guesses[lane] += lanes[lane];
            }
            for lane in 0..GUESSES / 2 {
                halves[lane] = lanes[lane] + lanes[lane + GUESSES / 2];
            }
            mass.scales[row] = (halves[0] + halves[2]) + (halves[1] + halves[3]);
        }
        let g = &mass.guesses;
        mass.all = ((g[0] + g[4]) + (g[2] + g[6])) + ((g[1] + g[5]) + (g[3] + g[7]));
        mass
    }

    /// What of this mass is not in `part`.
    #[inline(always)]
    pub(super) fn without(&self, part: &Mass) -> Mass {
        let mut rest = *self;
        for lane in 0..GUESSES {
            rest.guesses[lane] = held(rest.guesses[lane] - part.guesses[lane], 0.0, f32::MAX);
        }
        for row in 0..SCALES {
            rest.scales[row] = held(rest.scales[row] - part.scales[row], 0.0, f32::MAX);
        }
        rest.all = held(rest.all - part.all, 0.0, f32::MAX);
        rest
    }
}

/// Logarithms of weights, one set of each kind.
#[derive(Clone)]
pub(super) struct LogWeights(Grid);

impl LogWeights {
    pub(super) fn new() -> LogWeights {
        LogWeights([[0.0; GUESSES]; SCALES])
    }

    /// Keeps a share, and adds what was just seen.
    #[inline(always)]
    pub(super) fn learn(&mut self, seen: &Grid, keep: f32) {
        for row in 0..SCALES {
            for lane in 0..GUESSES {
                self.0[row][lane] = self.0[row][lane] * keep + seen[row][lane];
            }
        }
    }
}

/// The weights of a set that all arrays share, to a power, times those of the array; the largest is 1.
#[inline(always)]
pub(super) fn product(shared: &LogWeights, own: &LogWeights) -> Grid {
    let mut grid = [[0.0; GUESSES]; SCALES];
    let mut most = [f32::MIN; GUESSES];
    for row in 0..SCALES {
        for lane in 0..GUESSES {
            let sum = shared.0[row][lane] * SHARED_POWER + own.0[row][lane];
            grid[row][lane] = sum;
            most[lane] = if sum > most[lane] { sum } else { most[lane] };
        }
    }
    let mut highest = most[0];
    for &most in &most[1..] {
        highest = if most > highest { most } else { highest };
    }
    for row in 0..SCALES {
        for lane in 0..GUESSES {
            grid[row][lane] = exp2(held(grid[row][lane] - highest, -MAX_OCTAVES, 0.0));
        }
    }
    grid
}

/// Log2 of each expert's probability of what came, never far below a floor's.
#[inline(always)]
pub(super) fn log_likelihood(probability: &Grid) -> Grid {
    let mut grid = [[0.0; GUESSES]; SCALES];
    for row in 0..SCALES {
        for lane in 0..GUESSES {
            grid[row][lane] = log2(held(probability[row][lane], 0.0, 1.0) + FLOOR);
        }
    }
    grid
}
