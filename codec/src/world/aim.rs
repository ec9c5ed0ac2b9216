//! The displacement that is left at every bone when some of a frame's arrays are settled, and where the next one aims.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

use super::body::{LANES, Plan, Poses};
use crate::block::aim::{Aim, MAX_ATTEMPTS, Shot};
use crate::stage::quantize::{dequantize, quantize_around};
use std::ops::Range;

/// A bone's displacement in a frame: moves x, y, z in millimetres, then turns x, y, z in radians.
const KINDS: usize = 6;

/// What a turn of a bone counts for beside its joint's move, in square millimetres: its shell points are 30 mm off, and
/// two of three move.
const TURN: f32 = 2000.0;
/// Displacements below this part of the bound are not worth taking back.
const CALM: f32 = 0.3;
/// The same on further attempts, as parts of it: other choices may spoil no frame.
const CALMER: [f32; MAX_ATTEMPTS] = [1.0, 0.7, 1.3, 0.4];
/// How much more a bone at the bound counts than one that is hardly displaced: the farthest bone decides the scale.
const CROWDED: f32 = 4.0;
/// Most that an array aims beside its sample, in steps. Beyond it costs more than it takes back.
const MOST: f64 = 0.5;
/// Part of the bound that a group may use up: groups that follow move the whole a little, and so does what is not linear.
const SHARE: f32 = 0.97;
/// A bone that at least so many arrays are still to move can be brought wherever it should be.
const FREE: usize = 6;

/// The aim of one block.
pub(super) struct WorldAim<'a> {
    plan: &'a Plan,
    /// All arrays in coded order.
    order: &'a [usize],
    poses: Poses,
    /// The clip's samples, and the block's frames among them.
    samples: &'a [Vec<f32>],
    frames: Range<usize>,
    mm: f32,
    /// The arrays of the group that is being coded, and the bones that nothing brings back after it.
    group: Vec<usize>,
    final_bones: Vec<usize>,
    calm_mm: f32,
    /// Displacements `[frame][kind][bone]`: of the groups before, of the try that is being made, of the best one.
    settled: Vec<f32>,
    tried: Vec<f32>,
    kept: Vec<f32>,
    /// What a unit of the array at hand does to each bone, `[kind][bone]`.
    reach: Vec<f32>,
}

impl<'a> WorldAim<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        order: &'a [usize],
        poses: Poses,
        samples: &'a [Vec<f32>],
        frames: Range<usize>,
        mm: f64,
    ) -> WorldAim<'a> {
        let size = KINDS * poses.lanes;
        let none = vec![0.0; frames.len() * size];
        WorldAim {
            plan,
            order,
            poses,
            samples,
            frames,
            mm: mm as f32,
            group: Vec::new(),
            final_bones: Vec::new(),
            calm_mm: 0.0,
            settled: none.clone(),
            tried: none.clone(),
            kept: none,
            reach: vec![0.0; size],
        }
    }

    /// Farthest that a joint or one of its shell points is displaced in any frame, to first order, in millimetres.
    pub(super) fn worst_mm(mut self) -> f64 {
        self.start_group(&[]);
        let worst = (0..self.frames.len())
            .flat_map(|frame| (0..self.plan.bones).map(move |bone| (frame, bone)))
            .map(|(frame, bone)| self.square_of(&self.settled, frame, bone))
            .fold(0.0f32, f32::max);
        f64::from(worst).sqrt()
    }

    /// Square of the way of a bone's joint or of that of its shell points that moves farthest.
    fn square_of(&self, left: &[f32], frame: usize, bone: usize) -> f32 {
        let lanes = self.poses.lanes;
        let left = &left[frame * KINDS * lanes..][..KINDS * lanes];
        let shells = self.poses.shells(frame);
        let at = |kind: usize| left[kind * lanes + bone];
        let mut square = at(0) * at(0) + at(1) * at(1) + at(2) * at(2);
        for point in 0..3 {
            let offset = |axis: usize| shells[(point * 3 + axis) * lanes + bone];
            let x = at(0) + (at(4) * offset(2) - at(5) * offset(1));
            let y = at(1) + (at(5) * offset(0) - at(3) * offset(2));
            let z = at(2) + (at(3) * offset(1) - at(4) * offset(0));
            square = square.max(x * x + y * y + z * z);
        }
        square
    }

    /// Fills `reach`; gives the lanes that the array moves.
    fn find_reach(&mut self, frame: usize, array: usize) -> Range<usize> {
        let lanes = self.poses.lanes;
        let ranges = &self.plan.moved[array];
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0) / LANES * LANES;
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0).next_multiple_of(LANES);
        let mut positions = self.poses.positions(frame).chunks_exact(lanes);
        let [px, py, pz] = std::array::from_fn(|_| positions.next().expect("three axes"));
        for kind in self.reach.chunks_exact_mut(lanes) {
            kind[start..end].fill(0.0);
        }
        for (part, range) in ranges.iter().enumerate() {
            let [tx, ty, tz, sx, sy, sz] = self.poses.twist(frame, array, part);
            let (x, y, z) = (&px[range.clone()], &py[range.clone()], &pz[range.clone()]);
            let mut kinds = self.reach.chunks_exact_mut(lanes).map(|kind| &mut kind[range.clone()]);
            let [mx, my, mz, rx, ry, rz] = std::array::from_fn(|_| kinds.next().expect("six kinds"));
            for i in 0..range.len() {
                mx[i] += sx + (ty * z[i] - tz * y[i]);
                my[i] += sy + (tz * x[i] - tx * z[i]);
                mz[i] += sz + (tx * y[i] - ty * x[i]);
                rx[i] += tx;
                ry[i] += ty;
                rz[i] += tz;
            }
        }
        start..end
    }

    /// How far beside its sample the array at hand had best be, in its own unit: where the squares of what is left, without
    /// what is calm, are least.
    fn shift(&self, frame: usize, range: &Range<usize>) -> f64 {
        let lanes = self.poses.lanes;
        let left = &self.tried[frame * KINDS * lanes..][..KINDS * lanes];
        let (mut along, mut square) = ([0.0f32; LANES], [0.0f32; LANES]);
        for start in range.clone().step_by(LANES) {
            let e: [[f32; LANES]; KINDS] = std::array::from_fn(|kind| lanes_at(left, kind * lanes + start));
            let j: [[f32; LANES]; KINDS] =
                std::array::from_fn(|kind| lanes_at(&self.reach, kind * lanes + start));
            let (size, dot, norm) = (products(&e, &e), products(&e, &j), products(&j, &j));
            for i in 0..LANES {
                let weight = 1.0 - self.calm_mm / (size[i].sqrt() + f32::MIN_POSITIVE);
                let weight = if weight > 0.0 { weight } else { 0.0 };
                let crowding = 1.0 + CROWDED * size[i] / (self.mm * self.mm);
                along[i] += crowding * weight * dot[i];
                square[i] += crowding * norm[i];
            }
        }
        let (along, square) = (along.iter().sum::<f32>(), square.iter().sum::<f32>());
        let shift = -f64::from(along / square);
        if shift.is_finite() { shift } else { 0.0 }
    }

    /// Adds an error of the array at hand to what is left.
    fn settle(&mut self, frame: usize, range: &Range<usize>, error: f64) {
        let lanes = self.poses.lanes;
        let left = &mut self.tried[frame * KINDS * lanes..][..KINDS * lanes];
        for (left, reach) in left.chunks_exact_mut(lanes).zip(self.reach.chunks_exact(lanes)) {
            for (left, reach) in left[range.clone()].iter_mut().zip(&reach[range.clone()]) {
                *left += reach * error as f32;
            }
        }
    }
}

#[inline(always)]
fn lanes_at(all: &[f32], start: usize) -> [f32; LANES] {
    all[start..start + LANES].try_into().expect("whole lanes")
}

/// The product of two displacements of each of some bones.
#[inline(always)]
fn products(a: &[[f32; LANES]; KINDS], b: &[[f32; LANES]; KINDS]) -> [f32; LANES] {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = (a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i])
            + (a[3][i] * b[3][i] + a[4][i] * b[4][i] + a[5][i] * b[5][i]) * TURN;
    }
    result
}

impl Aim for WorldAim<'_> {
    fn start_group(&mut self, components: &[usize]) {
        if !self.group.is_empty() {
            std::mem::swap(&mut self.settled, &mut self.kept);
        }
        self.group = components.to_vec();
        let moves = |array: usize, bone: usize| self.plan.own[array].contains(&bone);
        let end = self.order.iter().rposition(|array| components.contains(array)).map_or(0, |last| last + 1);
        let is_final = |&bone: &usize| {
            components.iter().any(|&array| moves(array, bone))
                && self.order[end..].iter().filter(|&&array| moves(array, bone)).count() < FREE
        };
        self.final_bones = (0..self.plan.bones).filter(is_final).collect();
    }

    fn start_try(&mut self, attempt: usize) {
        self.calm_mm = CALM * CALMER[attempt] * self.mm;
        self.tried.copy_from_slice(&self.settled);
    }

    fn constant(&mut self, array: usize, value: f32) {
        let array = self.group[array];
        if self.plan.moved[array].is_empty() {
            return;
        }
        for (frame, at) in self.frames.clone().enumerate() {
            let error = f64::from(value) - f64::from(self.samples[array][at]);
            // What is not finite comes back as it is.
            if error.is_finite() && error != 0.0 {
                let range = self.find_reach(frame, array);
                self.settle(frame, &range, error);
            }
        }
    }

    fn residual(&mut self, shot: Shot) -> (i64, bool) {
        let Shot { array, frame, sample, guess, step, bound } = shot;
        let (array, sample) = (self.group[array], f64::from(sample));
        if self.plan.moved[array].is_empty() {
            return quantize_around(sample, guess, step, bound);
        }
        let range = self.find_reach(frame, array);
        let shift = self.shift(frame, &range).clamp(-MOST * step, MOST * step);
        let (residual, holds) = quantize_around(sample + shift, guess, step, bound);
        let error = f64::from(dequantize(guess + residual as f64, step)) - sample;
        self.settle(frame, &range, error);
        (residual, holds)
    }

    fn spoiled(&self) -> usize {
        let most = self.mm * SHARE;
        let is_spoiled = |&frame: &usize| {
            self.final_bones.iter().any(|&bone| self.square_of(&self.tried, frame, bone) > most * most)
        };
        (0..self.frames.len()).filter(is_spoiled).count()
    }

    fn keep_try(&mut self) {
        std::mem::swap(&mut self.tried, &mut self.kept);
    }
}
