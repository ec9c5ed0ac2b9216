//! The coder of the effort `max` (FORMAT sections 7.11 to 7.16): every array from its own motion and from the arrays before it,
//! by a mixture of many predictions and scales that follows which of them has been right.

mod decide;
mod filter;
mod grid;
mod lanes;
mod track;

use super::entropy::{BinaryCoder, IntegerModel};
use super::quantize::{MAX_INDEX, whole};
use super::schedule::{Instant, instants};
use bitvec::vec::BitVec;
use decide::{CALMS, CLASSES, Decisions, KINDS, Situation};
use grid::{Experts, GUESSES, Grid, LogWeights, Mass, SCALES, log_likelihood, product};
use lanes::{exp2, held, held64, log2};
use track::{Look, OTHERS, Track};

pub(crate) fn knob(i: usize, default: f64) -> f64 {
    use std::sync::OnceLock;
    static K: OnceLock<[f64; 64]> = OnceLock::new();
    let k = K.get_or_init(|| {
        let mut k = [f64::NAN; 64];
        if let Ok(text) = std::env::var("KNOBS") {
            for part in text.split(',').filter(|p| !p.is_empty()) {
                let (n, v) = part.split_once('=').expect("n=v");
                k[n.parse::<usize>().expect("n")] = v.parse().expect("v");
            }
        }
        k
    });
    if k[i].is_nan() { default } else { k[i] }
}

const MAX_VALUE: f64 = MAX_INDEX as f64;
/// Parts of a step that a prediction resolves on the finer levels.
const PARTS: f64 = 256.0;
/// Unary steps of a magnitude.
const UNARY: u64 = KINDS as u64 - 2;
/// Inputs of the expected size.
const FEATURES: usize = 9;
const CONTEXTS: usize = 12;
const LEAST: f32 = 0.03;

struct Model {
    tracks: Vec<Track>,
    moved: Vec<f64>,
    /// Cell and size of each array at this instant.
    now: Vec<(i32, f32)>,
    shared: Vec<LogWeights>,
    decisions: Decisions,
    size_weights: [[f32; FEATURES]; 4],
    surprise: f32,
    escape: IntegerModel,
    busy: u32,
}

pub(crate) fn code_instants<C: BinaryCoder>(
    coder: &mut C,
    firsts: &[i64],
    escapes: &[BitVec],
    (frames, levels): (usize, u32),
    wanted: &mut impl FnMut(usize, Instant, f64) -> i64,
) -> (Vec<Vec<f64>>, bool) {
    let mut model = Model::new(firsts, frames);
    let mut opening = IntegerModel::new();
    let mut in_range = true;
    let mut level = 0;
    for (number, instant) in instants(frames, levels).enumerate() {
        if instant.level != level {
            level = instant.level;
            for track in &mut model.tracks {
                track.enter_level(level);
            }
        }
        model.surprise *= 0.5;
        for array in 0..firsts.len() {
            let look = model.tracks[array].look(instant, &model.moved);
            if escapes[array].get(instant.frame).is_some_and(|bit| *bit) {
                model.tracks[array].values[instant.frame] = whole(look.base * PARTS) / PARTS;
                model.moved[array] = 0.0;
                model.now[array] = (0, model.tracks[array].means[1]);
                continue;
            }
            let value = if number == 0 {
                let guess = whole(look.base);
                let residual = opening.code_signed(coder, wanted(array, instant, guess));
                let value = guess + residual.clamp(-MAX_INDEX * 2, MAX_INDEX * 2) as f64;
                model.tracks[array].sizes[instant.frame] = (value - guess).abs().min(MAX_VALUE) as f32;
                let held = held64(value, -MAX_VALUE, MAX_VALUE);
                let m = held64((held - guess).abs(), 0.5, 50.0) as f32 * 0.5;
                model.tracks[array].means = [m; 3];
                model.tracks[array].learn(instant, &look, held);
                value
            } else {
                model.code(coder, array, instant, &look, wanted)
            };
            let kept = held64(value, -MAX_VALUE, MAX_VALUE);
            in_range &= value == kept;
            model.moved[array] = (kept - look.base) - look.plain * if level == 0 { knob(10, 0.5) } else { 0.0 };
        }
    }
    (model.tracks.into_iter().map(|track| track.values).collect(), in_range)
}

impl Model {
    fn new(firsts: &[i64], frames: usize) -> Model {
        let arrays = firsts.len();
        let tracks = firsts
            .iter()
            .enumerate()
            .map(|(array, &first)| Track::new(first, frames, (0..array).rev().take(OTHERS).collect()))
            .collect();
        Model {
            tracks,
            moved: vec![0.0; arrays],
            now: vec![(0, 1.0); arrays],
            shared: vec![LogWeights::new(); CONTEXTS],
            decisions: Decisions::new([48, 15 * 2, 27, arrays, 8 * 12, 36, 28, 18, 32]),
            size_weights: [[0.18, 0.26, 0.0, 0.1, 0.1, 0.2, 0.23, 0.42, 0.0]; 4],
            surprise: 0.0,
            escape: IntegerModel::new(),
            busy: 0,
        }
    }

    #[inline(always)]
    fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        array: usize,
        instant: Instant,
        look: &Look,
        wanted: &mut impl FnMut(usize, Instant, f64) -> i64,
    ) -> f64 {
        let Instant { frame, reach, level } = instant;
        let track = &self.tracks[array];

        // 1. How large the miss may be.
        let [fast, middle, slow] = track.means;
        let parents = if level == 0 {
            track.sizes[frame - reach]
        } else {
            let right = track.sizes.get(frame + reach).copied().unwrap_or(track.sizes[frame - reach]);
            (track.sizes[frame - reach] + right) * 0.25
        };
        let bend = held((look.bend * if level == 0 { 0.5 } else { 1.0 }) as f32, -1e6, 1e6).abs();
        let doubt = held((look.moves[5] - look.moves[3]) as f32, -1e6, 1e6).abs();
        let speed = held(look.plain as f32, -1e6, 1e6).abs();
        let mut near = 0.0;
        let mut count = 0.0;
        for &other in &track.others {
            let (_, size) = self.now[other];
            near += (size + 0.1) / (self.tracks[other].means[1] + 0.1);
            count += 1.0;
        }
        let near = if count > 0.0 { middle * near / count } else { middle };
        let surprised = middle * exp2(held(self.surprise, -4.0, 4.0));
        let measures = [fast, middle, slow, parents, bend, surprised, near, doubt, speed, 1.0, 1.0, 1.0];
        let logs = measures.map(|measure| log2(held(measure, 0.0, 1e9) + LEAST));
        let z = logs[2];
        let mut features = [0.0; FEATURES];
        for i in 0..8 {
            features[i] = held(logs[i] - z, -8.0, 8.0);
        }
        features[2] = 1.0;
        features[5] = held(self.surprise, -4.0, 4.0);
        features[8] = held(logs[8] - z, -8.0, 8.0);
        let weights = &self.size_weights[level];
        let mut expected = z;
        for i in 0..FEATURES {
            expected += weights[i] * features[i];
        }
        let expected = held(expected, -6.0, 24.0);
        let size = exp2(expected);
        let rows = [fast, middle, slow, parents, bend, surprised, near, size, size * 0.5];
        let factor = knob(11, 0.7) as f32;
        let floor = knob(12, 0.1) as f32;
        let mut experts = Experts::default();
        for row in 0..SCALES {
            experts.inverse[row] = 1.0 / (held(rows[row], 0.0, 1e9) * factor + floor);
        }

        // 2. Weights, mean and guess.
        let quiet = usize::from(size > 0.35) + usize::from(size > 1.2);
        let context = level.min(1) * 6 + quiet * 2 + usize::from(self.surprise > 0.0);
        let weights =
            product(&self.shared[context], &track.weights, (knob(13, 1.0) as f32, knob(14, 1.0) as f32));
        let open = Mass::of(&weights);
        let mut mean = 0.0;
        for lane in 0..GUESSES {
            mean += f64::from(open.guesses[lane]) * look.moves[lane];
        }
        mean /= f64::from(open.all);
        let center = held64(look.base + mean, -2.0 * MAX_VALUE, 2.0 * MAX_VALUE);
        let parts = if level == 0 { 1.0 } else { PARTS };
        let guess = whole(center * parts) / parts;
        for lane in 0..GUESSES {
            experts.means[lane] = held64(look.base + look.moves[lane] - guess, -1e9, 1e9) as f32;
        }
        let lean = (center - guess) as f32;

        // 3. The situation.
        let k = held(expected - knob(15, 0.8) as f32, 0.0, 24.0) as u32;
        let class_of = |cell: i32| (cell.clamp(-1, 1) + 1) as usize;
        let last = if level == 0 { frame - reach } else { frame.saturating_sub(reach * 2) };
        let before = if level == 0 { last.saturating_sub(reach) } else { last.saturating_sub(reach * 2) };
        let cell_at = |frame: usize| i32::from(track.cells.get(frame).copied().unwrap_or(0));
        let other = |i: usize| track.others.get(i).map_or(1, |&other| class_of(self.now[other].0));
        let fine = (held(expected * 4.0 + 24.5, 8.0, 47.0)) as usize;
        let coarse = (fine / 4).min(CLASSES - 1);
        let lean_class = (held(lean * 8.0 + 4.0, 0.0, 7.0)) as usize;
        let two_sided = class_of(cell_at(frame - reach)) * 3 + class_of(cell_at(frame + reach));
        let tilt = experts.means[5];
        let tilt_class = usize::from(tilt > 0.0) + 2 * ((held(tilt.abs() * 4.0, 0.0, 8.0)) as usize);
        let busy = self.busy.count_ones() as usize;
        let situation = Situation {
            slots: [
                fine,
                ((cell_at(last) + 2) as usize * 3 + class_of(cell_at(before))) * 2 + level.min(1),
                other(0) * 9 + other(1) * 3 + other(2),
                array,
                lean_class * 12 + coarse,
                two_sided + 9 * level,
                busy * 4 + level,
                tilt_class,
                (k.min(7) as usize) * 4 + level,
            ],
            calm: (level.min(1)) * 3 + quiet,
            class: coarse,
        };

        // 4. The decisions.
        let residual = wanted(array, instant, guess);
        let half = if k == 0 { 0 } else { 1i64 << (k - 1) };
        let cell = residual.saturating_add(half) >> k;
        let width = (1u32 << k) as f32;
        let (low, high) = if k == 0 { (-0.5, 0.5) } else { (-(half as f32) - 0.5, half as f32 - 0.5) };
        let mut tune = [0.0; 16];
        tune[0] = knob(16, 0.5) as f32;
        tune[1] = knob(17, 0.001) as f32;
        let below = experts.beyond(low, -1.0);
        let above = experts.beyond(high, 1.0);
        let mut likelihood: Grid = [[0.0; GUESSES]; SCALES];
        let mut weighted: Grid = [[0.0; GUESSES]; SCALES];
        for row in 0..SCALES {
            for lane in 0..GUESSES {
                let inside = held(1.0 - below[row][lane] - above[row][lane], 0.0, 1.0);
                likelihood[row][lane] = inside;
                weighted[row][lane] = inside * weights[row][lane];
            }
        }
        let zero = Mass::of(&weighted);
        let moving = open.without(&zero);
        let is_zero = self.decisions.code(coder, 0, &situation, (&zero, &moving), cell == 0, &tune);
        let mut result = 0i64;
        let mut far = false;
        if !is_zero {
            let under = masses(&weights, &below);
            let over = moving.without(&under);
            let negative = self.decisions.code(coder, 1, &situation, (&under, &over), cell < 0, &tune);
            let (side, edge, mut tail, mut inside) =
                if negative { (-1.0, low, below, under) } else { (1.0, high, above, masses(&weights, &above)) };
            let wanted = cell.unsigned_abs();
            let mut magnitude = 1;
            while magnitude <= UNARY {
                let next = experts.beyond(edge + side * width * magnitude as f32, side);
                let farther = masses(&weights, &next);
                let here = inside.without(&farther);
                let kind = 1 + magnitude as usize;
                let more = self.decisions.code(coder, kind, &situation, (&farther, &here), wanted > magnitude, &tune);
                if !more {
                    for row in 0..SCALES {
                        for lane in 0..GUESSES {
                            likelihood[row][lane] = held(tail[row][lane] - next[row][lane], 0.0, 1.0);
                        }
                    }
                    break;
                }
                tail = next;
                inside = farther;
                magnitude += 1;
            }
            if magnitude > UNARY {
                likelihood = tail;
                far = true;
                let rest = self.escape.code(coder, wanted.wrapping_sub(magnitude));
                magnitude += rest.min(1 << 30);
            }
            result = if negative { -(magnitude as i64) } else { magnitude as i64 };
        }

        // 5. The bits inside a cell.
        let mut start = (result << k) - half;
        let mut left = k;
        let offset = residual.saturating_add(half) & ((1 << k) - 1);
        if !far && left > 0 {
            let mut begin = experts.beyond(start as f32 - 0.5, 1.0);
            let mut end = experts.beyond((start + (1 << k)) as f32 - 0.5, 1.0);
            for _ in 0..2 {
                if left == 0 {
                    break;
                }
                left -= 1;
                let middle = experts.beyond((start + (1 << left)) as f32 - 0.5, 1.0);
                let mut upper: Grid = [[0.0; GUESSES]; SCALES];
                let mut all: Grid = [[0.0; GUESSES]; SCALES];
                for row in 0..SCALES {
                    for lane in 0..GUESSES {
                        upper[row][lane] = held(middle[row][lane] - end[row][lane], 0.0, 1.0) * weights[row][lane];
                        all[row][lane] = held(begin[row][lane] - end[row][lane], 0.0, 1.0) * weights[row][lane];
                    }
                }
                let p = (Mass::of(&upper).all + 1e-9) / (Mass::of(&all).all + 2e-9);
                let bit = coder.code(offset >> left & 1 == 1, held(p * 65536.0, 2048.0, 63488.0) as u32);
                if bit {
                    start += 1 << left;
                    begin = middle;
                } else {
                    end = middle;
                }
            }
            for row in 0..SCALES {
                for lane in 0..GUESSES {
                    likelihood[row][lane] = held(begin[row][lane] - end[row][lane], 0.0, 1.0);
                }
            }
        }
        if left > 0 {
            start += coder.code_raw((offset & ((1 << left) - 1)) as u64, left) as i64;
        }
        let residual = if k == 0 { result } else { start };
        let value = guess + residual as f64;

        // 6. What there is to learn.
        let kept = held64(value, -MAX_VALUE, MAX_VALUE);
        let miss = (kept - center).abs() as f32;
        let seen = log_likelihood(&likelihood, knob(18, 1e-3) as f32);
        self.shared[context].learn(&seen, knob(19, 0.98) as f32);
        let track = &mut self.tracks[array];
        track.weights.learn(&seen, knob(20, 0.9) as f32);
        let begin = 1.0 / (track.seen as f32 + 1.5);
        track.seen += 1;
        for (mean, slowest) in track.means.iter_mut().zip([0.3f32, 0.12, 0.04]) {
            let rate = if begin > slowest { begin } else { slowest };
            *mean += (held(miss, 0.0, *mean * 8.0 + 8.0) - *mean) * rate;
        }
        track.sizes[frame] = miss;
        track.cells[frame] = result.clamp(-2, 2) as i8;
        track.learn(instant, look, kept);
        self.now[array] = (result.clamp(-2, 2) as i32, miss);
        self.busy = (self.busy << 1 | u32::from(result != 0)) & 63;
        let slope = held((miss - size) / (1.0 + size), -1.0, 2.0);
        let above = held(log2(miss + 0.25) - log2(size + 0.25), -3.0, 3.0);
        for i in 0..FEATURES {
            let weight = &mut self.size_weights[level][i];
            *weight = held(*weight + slope * features[i] * knob(21, 0.005) as f32, -2.0, 2.0);
        }
        self.surprise = self.surprise * 0.8 + above * 0.2;
        value
    }
}

/// The sums of a grid's shares times the experts' weights.
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
