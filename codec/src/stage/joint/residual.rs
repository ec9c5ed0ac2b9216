//! One residual (FORMAT section 7.20): its cell by decisions that the grid foretells, then the bits inside the cell.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

use super::super::entropy::{BinaryCoder, IntegerModel};
use super::decide::{Decisions, KINDS, Situation};
use super::grid::{Experts, GUESSES, Grid, Mass, SCALES};
use super::lanes::held;

/// Largest magnitude of a cell that is told by decisions alone.
const UNARY: u64 = KINDS as u64 - 2;
/// Bits inside a cell that the grid foretells.
const FORETOLD: u32 = 2;
/// Largest rest of a magnitude; no encoder comes near it.
const MAX_REST: u64 = 1 << 30;

/// A coded residual.
pub(super) struct Coded {
    pub(super) residual: i64,
    pub(super) cell: i64,
    /// Each expert's probability of it, or of the cell's last foretold part.
    pub(super) likelihood: Grid,
}

/// What residuals are coded with.
pub(super) struct ResidualCoder {
    decisions: Decisions,
    rest: IntegerModel,
}

impl ResidualCoder {
    pub(super) fn new(decisions: Decisions) -> ResidualCoder {
        ResidualCoder { decisions, rest: IntegerModel::new() }
    }

    /// Codes a residual in cells of `1 << k`, given the experts and their weights.
    #[inline(always)]
    pub(super) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        (experts, weights, open): (&Experts, &Grid, &Mass),
        situation: &Situation,
        k: u32,
        residual: i64,
    ) -> Coded {
        // 1. Whether it is in the middle cell.
        let half = if k == 0 { 0 } else { 1i64 << (k - 1) };
        let wanted = residual.saturating_add(half) >> k;
        let width = (1u32 << k) as f32;
        let (low, high) = if k == 0 { (-0.5, 0.5) } else { (-(half as f32) - 0.5, half as f32 - 0.5) };
        let below = experts.beyond(low, -1.0);
        let above = experts.beyond(high, 1.0);
        let mut likelihood = [[0.0; GUESSES]; SCALES];
        for row in 0..SCALES {
            for lane in 0..GUESSES {
                likelihood[row][lane] = held(1.0 - below[row][lane] - above[row][lane], 0.0, 1.0);
            }
        }
        let zero = masses(weights, &likelihood);
        let moving = open.without(&zero);
        let mut cell = 0;
        let mut is_far = false;
        if !self.decisions.code(coder, 0, situation, (&zero, &moving), wanted == 0) {
            // 2. Its side, and how many cells away.
            let under = masses(weights, &below);
            let over = moving.without(&under);
            let is_negative = self.decisions.code(coder, 1, situation, (&under, &over), wanted < 0);
            let (side, edge, mut tail, mut beyond) = if is_negative {
                (-1.0, low, below, under)
            } else {
                (1.0, high, above, masses(weights, &above))
            };
            let mut magnitude = 1;
            loop {
                let next = experts.beyond(edge + side * width * magnitude as f32, side);
                let farther = masses(weights, &next);
                let here = beyond.without(&farther);
                let kind = 1 + magnitude as usize;
                let more = wanted.unsigned_abs() > magnitude;
                if !self.decisions.code(coder, kind, situation, (&farther, &here), more) {
                    likelihood = between(&tail, &next);
                    break;
                }
                tail = next;
                beyond = farther;
                magnitude += 1;
                if magnitude > UNARY {
                    likelihood = tail;
                    is_far = true;
                    let rest = self.rest.code(coder, wanted.unsigned_abs().wrapping_sub(magnitude));
                    magnitude += rest.min(MAX_REST);
                    break;
                }
            }
            cell = if is_negative { -(magnitude as i64) } else { magnitude as i64 };
        }

        // 3. Where in the cell.
        let mut start = (cell << k) - half;
        let mut left = k;
        let inside = residual.saturating_add(half) & ((1 << k) - 1);
        if !is_far && k > 0 {
            let mut begin = experts.beyond(start as f32 - 0.5, 1.0);
            let mut end = experts.beyond((start + (1 << k)) as f32 - 0.5, 1.0);
            for _ in 0..FORETOLD.min(k) {
                left -= 1;
                let middle = experts.beyond((start + (1 << left)) as f32 - 0.5, 1.0);
                let upper = masses(weights, &between(&middle, &end)).all + 1e-9;
                let all = masses(weights, &between(&begin, &end)).all + 2e-9;
                let p1 = held(upper / all * 65536.0, 2048.0, 63488.0) as u32;
                if coder.code(inside >> left & 1 == 1, p1) {
                    start += 1 << left;
                    begin = middle;
                } else {
                    end = middle;
                }
            }
            likelihood = between(&begin, &end);
        }
        if left > 0 {
            start += coder.code_raw((inside & ((1 << left) - 1)) as u64, left) as i64;
        }
        Coded { residual: start, cell, likelihood }
    }
}

/// What lies beyond one edge but not beyond the next.
#[inline(always)]
fn between(near: &Grid, far: &Grid) -> Grid {
    let mut grid = [[0.0; GUESSES]; SCALES];
    for row in 0..SCALES {
        for lane in 0..GUESSES {
            grid[row][lane] = held(near[row][lane] - far[row][lane], 0.0, 1.0);
        }
    }
    grid
}

/// The sums of the experts' shares times their weights.
#[inline(always)]
fn masses(weights: &Grid, shares: &Grid) -> Mass {
    let mut grid = [[0.0; GUESSES]; SCALES];
    for row in 0..SCALES {
        for lane in 0..GUESSES {
            grid[row][lane] = weights[row][lane] * shares[row][lane];
        }
    }
    Mass::of(&grid)
}
