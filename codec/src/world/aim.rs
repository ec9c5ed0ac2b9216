//! The displacement that is left at every bone when some of a frame's arrays are settled, and where the next one aims.

use super::body::{LANES, Plan, Poses};
use crate::block::aim::{Aim, Shot};
use crate::stage::quantize::{dequantize, quantize_around};
use std::ops::Range;

/// A frame's displacements: moves x, y, z in millimetres and turns x, y, z in radians of each bone.
const KINDS: usize = 6;

pub(super) struct Tune { pub dz: f32, pub clamp: f64, pub kappa: f32, pub gain: f32, pub pw: f32, pub limit: f32, pub attempts: usize }
impl Tune { pub fn get() -> Tune {
    let v = |n: &str, d: f64| std::env::var(n).ok().and_then(|s| s.parse().ok()).unwrap_or(d);
    Tune { dz: v("DZ", 0.3) as f32, clamp: v("CLAMP", 0.7), kappa: v("KAPPA", 2000.0) as f32, gain: v("GAIN", 1.0) as f32, pw: v("PW", 0.0) as f32, limit: v("LIMIT", 0.98) as f32, attempts: v("ATT", 4.0) as usize }
}}

/// The aim of one block.
pub(super) struct WorldAim<'a> {
    plan: &'a Plan,
    poses: &'a Poses,
    /// The clip's samples, and the block's frames among them.
    samples: &'a [Vec<f32>],
    frames: Range<usize>,
    /// The arrays of the group that is being coded.
    group: Vec<usize>,
    /// All arrays in coded order.
    order: &'a [usize],
    /// `[frame][kind][bone]`, of the groups before; of the try that is being made; of the best one.
    settled: Vec<f32>,
    tried: Vec<f32>,
    kept: Vec<f32>,
    /// What a unit of the array asked for does to each bone, `[kind][bone]`.
    reach: Vec<f32>,
    tune: Tune,
    mm: f32,
    attempt: usize,
    /// Bones that no later group moves.
    done: Vec<Range<usize>>,
}

impl<'a> WorldAim<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        poses: &'a Poses,
        samples: &'a [Vec<f32>],
        frames: Range<usize>,
        mm: f64,
        order: &'a [usize],
    ) -> WorldAim<'a> {
        let size = KINDS * poses.lanes;
        let all = vec![0.0; frames.len() * size];
        WorldAim {
            plan,
            poses,
            samples,
            frames,
            group: Vec::new(),
            order,
            settled: all.clone(),
            tried: all.clone(),
            kept: all,
            reach: vec![0.0; size],
            tune: Tune::get(),
            mm: mm as f32,
            attempt: 0,
            done: Vec::new(),
        }
    }

    /// Farthest that a joint or one of its shell points is displaced in any frame, to first order, in millimetres.
    pub(super) fn worst_mm(mut self) -> f64 {
        self.start_group(&[]);
        let all = 0..self.plan.bones;
        let worst = (0..self.frames.len())
            .map(|frame| self.worst_of(&self.settled, frame, std::slice::from_ref(&all)))
            .fold(0.0f32, f32::max);
        f64::from(worst).sqrt()
    }

    /// Square of the farthest way of a joint or shell point of some bones in a frame.
    fn worst_of(&self, errors: &[f32], frame: usize, bones: &[Range<usize>]) -> f32 {
        let lanes = self.poses.lanes;
        let all = &errors[frame * KINDS * lanes..][..KINDS * lanes];
        let shells = self.poses.shells(frame);
        let mut worst = 0.0f32;
        for bone in bones.iter().cloned().flatten() {
            let at = |kind: usize| all[kind * lanes + bone];
            let mut square = at(0) * at(0) + at(1) * at(1) + at(2) * at(2);
            for point in 0..3 {
                let offset = |axis: usize| shells[(point * 3 + axis) * lanes + bone];
                let x = at(0) + (at(4) * offset(2) - at(5) * offset(1));
                let y = at(1) + (at(5) * offset(0) - at(3) * offset(2));
                let z = at(2) + (at(3) * offset(1) - at(4) * offset(0));
                square = square.max(x * x + y * y + z * z);
            }
            worst = worst.max(square);
        }
        worst
    }

    /// Fills `reach`; gives the lanes that the array moves.
    fn find_reach(&mut self, frame: usize, array: usize) -> Range<usize> {
        let lanes = self.poses.lanes;
        let ranges = &self.plan.moved[array];
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0) / LANES * LANES;
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0).next_multiple_of(LANES);
        let positions = self.poses.positions(frame);
        let (px, rest) = positions.split_at(lanes);
        let (py, pz) = rest.split_at(lanes);
        for kind in self.reach.chunks_exact_mut(lanes) {
            kind[start..end].fill(0.0);
        }
        for (part, range) in ranges.iter().enumerate() {
            let [tx, ty, tz, sx, sy, sz] = self.poses.twist(frame, array, part);
            let (x, y, z) = (&px[range.clone()], &py[range.clone()], &pz[range.clone()]);
            let count = range.len();
            let mut kinds = self.reach.chunks_exact_mut(lanes).map(|kind| &mut kind[range.clone()]);
            let mut next = || kinds.next().expect("six kinds");
            let (mx, my, mz) = (next(), next(), next());
            let (rx, ry, rz) = (next(), next(), next());
            for i in 0..count {
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

    /// How far beside its sample the array had best be, in its unit.
    fn shift(&self, frame: usize, range: &Range<usize>) -> f64 {
        let lanes = self.poses.lanes;
        let left = &self.tried[frame * KINDS * lanes..][..KINDS * lanes];
        let Tune { dz, kappa, .. } = self.tune;
        let dz = dz * self.mm * [1.0, 0.7, 1.3, 0.4][self.attempt];
        let (mut along, mut square) = ([0.0f32; LANES], [0.0f32; LANES]);
        for start in range.clone().step_by(LANES) {
            let e: [&[f32]; KINDS] = std::array::from_fn(|kind| &left[kind * lanes + start..][..LANES]);
            let j: [&[f32]; KINDS] = std::array::from_fn(|kind| &self.reach[kind * lanes + start..][..LANES]);
            for i in 0..LANES {
                let size = (e[0][i] * e[0][i] + e[1][i] * e[1][i] + e[2][i] * e[2][i])
                    + (e[3][i] * e[3][i] + e[4][i] * e[4][i] + e[5][i] * e[5][i]) * kappa;
                let dot = (e[0][i] * j[0][i] + e[1][i] * j[1][i] + e[2][i] * j[2][i])
                    + (e[3][i] * j[3][i] + e[4][i] * j[4][i] + e[5][i] * j[5][i]) * kappa;
                let norm = (j[0][i] * j[0][i] + j[1][i] * j[1][i] + j[2][i] * j[2][i])
                    + (j[3][i] * j[3][i] + j[4][i] * j[4][i] + j[5][i] * j[5][i]) * kappa;
                if self.tune.pw == 0.0 {
                let weight = 1.0 - dz / (size.sqrt() + 1e-9);
                let weight = if weight > 0.0 { weight } else { 0.0 };
                along[i] += weight * dot;
                square[i] += norm;
                } else {
                    let w = size / (self.mm * self.mm) + self.tune.pw * 0.1;
                    along[i] += w * dot;
                    square[i] += w * norm;
                }
            }
        }
        let (mut a, mut s) = (0.0, 0.0);
        for i in 0..LANES {
            a += along[i];
            s += square[i];
        }
        if s > 0.0 { -f64::from(self.tune.gain * a / s) } else { 0.0 }
    }

    fn settle(&mut self, frame: usize, range: &Range<usize>, error: f64) {
        let lanes = self.poses.lanes;
        let error = error as f32;
        let left = &mut self.tried[frame * KINDS * lanes..][..KINDS * lanes];
        for (left, reach) in left.chunks_exact_mut(lanes).zip(self.reach.chunks_exact(lanes)) {
            for (left, reach) in left[range.clone()].iter_mut().zip(&reach[range.clone()]) {
                *left += reach * error;
            }
        }
    }
}

impl Aim for WorldAim<'_> {
    fn start_group(&mut self, components: &[usize]) {
        if !self.group.is_empty() {
            std::mem::swap(&mut self.settled, &mut self.kept);
        }
        self.group = components.to_vec();
        // Bones whose last own range is in this group.
        self.done.clear();
        for bone in 0..self.plan.bones {
            let own = |array: usize| self.plan.moved[array].iter().any(|r| r.contains(&bone) && (r.len() < self.plan.bones || self.plan.is_root[array]));
            let last = self.order.iter().rposition(|&array| own(array));
            if last.is_some_and(|last| self.group.contains(&self.order[last])) {
                match self.done.last_mut() {
                    Some(range) if range.end == bone => range.end += 1,
                    _ => self.done.push(bone..bone + 1),
                }
            }
        }
    }

    fn start_try(&mut self, attempt: usize) {
        self.attempt = attempt;
        self.tried.copy_from_slice(&self.settled);
    }

    fn constant(&mut self, array: usize, value: f32) {
        let array = self.group[array];
        if self.plan.moved[array].is_empty() {
            return;
        }
        for (frame, at) in self.frames.clone().enumerate() {
            let error = f64::from(value) - f64::from(self.samples[array][at]);
            // A value that cannot be posed is stored as it is.
            if error.is_finite() && error != 0.0 {
                let range = self.find_reach(frame, array);
                self.settle(frame, &range, error);
            }
        }
    }

    fn residual(&mut self, shot: Shot) -> (i64, bool) {
        let sample = f64::from(shot.sample);
        let array = self.group[shot.array];
        if self.plan.moved[array].is_empty() {
            return quantize_around(sample, shot.guess, shot.step, shot.bound);
        }
        let range = self.find_reach(shot.frame, array);
        let most = self.tune.clamp * shot.step;
        let shift = self.shift(shot.frame, &range).clamp(-most, most);
        let (residual, holds) = quantize_around(sample + shift, shot.guess, shot.step, shot.bound);
        let error = f64::from(dequantize(shot.guess + residual as f64, shot.step)) - sample;
        self.settle(shot.frame, &range, error);
        (residual, holds)
    }

    fn spoiled(&self) -> usize {
        if self.tune.attempts == 0 || self.done.is_empty() { return 0; }
        let mm = self.mm * self.tune.limit;
        (0..self.frames.len()).filter(|&frame| self.worst_of(&self.tried, frame, &self.done) > mm * mm).count()
    }

    fn keep_try(&mut self) {
        std::mem::swap(&mut self.tried, &mut self.kept);
    }
}
