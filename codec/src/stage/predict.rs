//! Prediction of a group's arrays in waves (FORMAT section 7.7).
//!
//! A wave of three arrays is predicted at one instant from its own past (on a finer level: from both sides), and from how
//! the waves before it moved at the same instant. All that a wave computes is arithmetic in lanes, one an array; only
//! the entropy coder goes from array to array. Values are in quantization steps.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

use super::quantize::{MAX_INDEX, whole};
use super::rls::{LANES, Lanes, Rls, held};
use super::scale::{Expected, Means, Scales};
use super::schedule::Instant;

/// Arrays of a wave. The fourth lane stays empty: one wave more knows more of what moves at its instant, which is worth
/// more than the time.
pub(crate) const WAVE: usize = 3;
/// Inputs from an array's own motion, and from the arrays before it.
const OWN: usize = 4;
const OTHERS: usize = 6;
const INPUTS: usize = OWN + OTHERS;
/// How far before an array its twins are: fingers have four arrays each, and a hand that grips moves all alike.
const TWINS: [usize; 2] = [4, 3];
/// Predictions that are blended: the base, half the plain move, all of it, least squares, and the twins' moves.
const EXPERTS: usize = 4 + TWINS.len();
/// Parts of a step that a prediction resolves on the finer levels.
const PARTS: f64 = 256.0;
/// Largest magnitude of an input, in the running scale of what it measures.
const MAX_INPUT: f32 = 8.0;
/// Slowest rates of the running errors and scales.
const ERROR_RATE: f32 = 0.08;
const SCALE_RATE: f32 = 0.03125;

/// What a wave knows of one level.
#[derive(Clone)]
struct Level {
    rls: Rls<INPUTS>,
    /// Mean error of each expert, in steps.
    errors: [Lanes; EXPERTS],
    /// Mean distance of the values from their bases, in steps.
    scale: Lanes,
    /// The last two moves off the base.
    moves: [Lanes; 2],
    means: Means,
    seen: u32,
}

impl Level {
    fn new(level: usize, others: usize) -> Level {
        let mut weights = [0.0; INPUTS];
        if level == 0 {
            weights[0] = 0.5;
        }
        Level {
            rls: Rls::new(weights, OWN + others),
            errors: [[1.0; LANES]; EXPERTS],
            scale: [1.0; LANES],
            moves: [[0.0; LANES]; 2],
            means: Means::new(),
            seen: 0,
        }
    }
}

/// Three arrays.
struct Wave {
    /// The arrays' values in every frame, 0 until they are known.
    values: Vec<[f64; LANES]>,
    levels: Vec<Level>,
    /// Arrays that the wave looks at, nearest first.
    others: Vec<usize>,
    /// The twins of each lane's array, or the number of arrays where there is none.
    twins: [[usize; LANES]; TWINS.len()],
    /// 1 for a lane that has an array, else 0.
    used: Lanes,
}

/// What a wave is expected to do at one instant, in steps.
#[derive(Default)]
pub(crate) struct Prediction {
    pub(crate) guesses: [f64; LANES],
    /// What an escape leaves behind.
    pub(crate) held: [f64; LANES],
    /// How far the unrounded predictions lie above the guesses.
    pub(crate) leans: Lanes,
    /// log2 of the expected |residual|.
    pub(crate) expected: Lanes,
}

/// What is kept of a prediction until the values are known.
#[derive(Default)]
struct Pending {
    base: [f64; LANES],
    plain: Lanes,
    inputs: [Lanes; INPUTS],
    experts: [Lanes; EXPERTS],
    /// 1 / scale.
    inverse: Lanes,
    expected: Expected,
}

/// The predictor of one group over one block.
pub(crate) struct MotionModel {
    waves: Vec<Wave>,
    scales: Vec<Scales>,
    /// How each array last moved off its base, in steps; then a 0 for twins that there are not.
    moves: Vec<f32>,
    /// The same against half the plain move on level 0, in the array's scale.
    moved: Vec<f32>,
    pending: Pending,
}

impl MotionModel {
    /// `first` holds the index of each array in frame 0.
    pub(crate) fn new(first: &[i64], frames: usize, levels: u32) -> MotionModel {
        let arrays = first.len();
        let waves = first.chunks(WAVE).enumerate().map(|(number, first)| {
            let before = number * WAVE;
            let others: Vec<usize> = (0..before).rev().take(OTHERS).collect();
            let start = std::array::from_fn(|lane| first.get(lane).map_or(0.0, |&index| index as f64));
            let mut values = vec![[0.0; LANES]; frames];
            values[0] = start;
            Wave {
                values,
                levels: (0..=levels as usize).map(|level| Level::new(level, others.len())).collect(),
                others,
                twins: TWINS.map(|distance| {
                    std::array::from_fn(|lane| (before + lane).checked_sub(distance).unwrap_or(arrays))
                }),
                used: std::array::from_fn(|lane| if lane < first.len() { 1.0 } else { 0.0 }),
            }
        });
        MotionModel {
            waves: waves.collect(),
            scales: vec![Scales::new(); levels as usize + 1],
            moves: vec![0.0; arrays + 1],
            moved: vec![0.0; arrays],
            pending: Pending::default(),
        }
    }

    pub(crate) fn waves(&self) -> usize {
        self.waves.len()
    }

    /// The values of one array, in steps.
    pub(crate) fn values(&self, array: usize) -> impl Iterator<Item = f64> {
        self.waves[array / WAVE].values.iter().map(move |values| values[array % WAVE])
    }

    /// Must be called before the first wave of each instant.
    pub(crate) fn start_instant(&mut self, instant: Instant) {
        self.scales[instant.level].start_instant();
    }

    /// Predicts a wave; all waves before it must have learned what they did at this instant.
    #[inline(always)]
    pub(crate) fn predict(&mut self, number: usize, instant: Instant) -> Prediction {
        let wave = &self.waves[number];
        let level = &wave.levels[instant.level];
        let Look { base, plain, own } = wave.look(instant, &level.moves);
        let inverse = level.scale.map(|scale| 1.0 / scale);

        // 1. The experts.
        let mut inputs = [[0.0; LANES]; INPUTS];
        for i in 0..OWN {
            for lane in 0..LANES {
                inputs[i][lane] = held(own[i][lane] * inverse[lane], -MAX_INPUT, MAX_INPUT);
            }
        }
        for (input, &other) in inputs[OWN..].iter_mut().zip(&wave.others) {
            *input = [self.moved[other]; LANES];
        }
        let filtered = level.rls.predict(&inputs);
        let mut experts = [[0.0; LANES]; EXPERTS];
        let mut doubt = [0.0; LANES];
        let mut speed = [0.0; LANES];
        for lane in 0..LANES {
            experts[1][lane] = plain[lane] * 0.5;
            experts[2][lane] = plain[lane];
            experts[3][lane] = filtered[lane] * level.scale[lane];
            for (expert, twins) in experts[4..].iter_mut().zip(&wave.twins) {
                expert[lane] = self.moves[twins[lane]];
            }
            doubt[lane] = (experts[3][lane] - experts[1][lane]).abs();
            speed[lane] = plain[lane].abs();
        }

        // 2. How far they are likely to be off.
        let expected = self.scales[instant.level].expect(&level.means, &doubt, &speed);

        // 3. Their blend. The coarsest level lies on a lattice, the finer ones around their predictions.
        let moves = blend(&experts, &level.errors);
        let parts = if instant.level == 0 { 1.0 } else { PARTS };
        let mut prediction = Prediction { expected: expected.log, ..Prediction::default() };
        for lane in 0..LANES {
            let value = in_range(base[lane] + f64::from(moves[lane]));
            let guess = whole(value * parts) / parts;
            prediction.guesses[lane] = guess;
            prediction.held[lane] = whole(base[lane] * parts) / parts;
            prediction.leans[lane] = (value - guess) as f32;
        }
        self.pending = Pending { base, plain, inputs, experts, inverse, expected };
        prediction
    }

    /// Takes the values of the wave that was predicted last, and the sizes of its residuals.
    #[inline(always)]
    pub(crate) fn learn(&mut self, number: usize, instant: Instant, values: &[f64; LANES], sizes: &Lanes) {
        let Pending { base, plain, inputs, experts, inverse, expected } = &self.pending;
        let wave = &mut self.waves[number];
        let level = &mut wave.levels[instant.level];
        wave.values[instant.frame] = *values;
        let start = 1.0 / (level.seen as f32 + 1.5);
        level.seen += 1;

        // 1. The expected sizes.
        level.means.learn(sizes, start);
        self.scales[instant.level].learn(expected, sizes, &wave.used);

        // 2. The experts' errors.
        let mut moves = [0.0; LANES];
        for lane in 0..LANES {
            moves[lane] = (values[lane] - base[lane]) as f32;
        }
        let rate = if start > ERROR_RATE { start } else { ERROR_RATE };
        for (errors, expert) in level.errors.iter_mut().zip(experts) {
            for lane in 0..LANES {
                let error = held((moves[lane] - expert[lane]).abs(), 0.0, errors[lane] * 8.0 + 8.0);
                errors[lane] += (error - errors[lane]) * rate;
            }
        }

        // 3. The filter. Outliers are held, so that one of them does not undo what many have taught.
        let mut missed = [0.0; LANES];
        for lane in 0..LANES {
            let target = held(moves[lane] * inverse[lane], -MAX_INPUT, MAX_INPUT);
            missed[lane] = target - experts[3][lane] * inverse[lane];
        }
        level.rls.learn(inputs, &missed);

        // 4. What later waves look at, and the scale.
        let rate = if start > SCALE_RATE { start } else { SCALE_RATE };
        let share = if instant.level == 0 { 0.5 } else { 0.0 };
        let mut moved = [0.0; LANES];
        for lane in 0..LANES {
            moved[lane] = held((moves[lane] - plain[lane] * share) * inverse[lane], -MAX_INPUT, MAX_INPUT);
            let size = held(moves[lane].abs(), 0.25, level.scale[lane] * 8.0);
            level.scale[lane] += (size - level.scale[lane]) * rate;
        }
        level.moves = [moves, level.moves[0]];
        let places = number * WAVE..self.moved.len().min(number * WAVE + WAVE);
        self.moves[places.clone()].copy_from_slice(&moves[..places.len()]);
        self.moved[places.clone()].copy_from_slice(&moved[..places.len()]);
    }
}

/// What a wave's own values say of an instant.
struct Look {
    /// Where the motion would be if nothing but the nearest frames counted, in steps.
    base: [f64; LANES],
    /// The plain move off the base.
    plain: Lanes,
    own: [Lanes; OWN],
}

impl Wave {
    #[inline(always)]
    fn look(&self, instant: Instant, moves: &[Lanes; 2]) -> Look {
        let Instant { frame, reach, level } = instant;
        let values = &self.values;
        let back = |steps: usize| &values[frame.saturating_sub(reach * steps)];
        let mut look = Look { base: *back(1), plain: [0.0; LANES], own: [[0.0; LANES]; OWN] };
        if level == 0 {
            // The last steps.
            for i in 0..OWN {
                let (newer, older) = (back(i + 1), back(i + 2));
                for lane in 0..LANES {
                    look.own[i][lane] = (newer[lane] - older[lane]) as f32;
                }
            }
            look.plain = look.own[0];
        } else if let Some(right) = values.get(frame + reach) {
            // Between two frames: a cubic through four, a straight line as the plain move.
            let left = back(1);
            let far_left = frame.checked_sub(reach * 3).map(|at| &values[at]);
            let far_right = values.get(frame + reach * 3);
            for lane in 0..LANES {
                let (a, b) = (left[lane], right[lane]);
                let c = far_left.map_or(a * 2.0 - b, |values| values[lane]);
                let d = far_right.map_or(b * 2.0 - a, |values| values[lane]);
                let bend = ((a + b) - (c + d)) * 0.0625;
                look.base[lane] = (a + b) * 0.5 + bend;
                look.plain[lane] = -bend as f32;
                look.own[0][lane] = look.plain[lane];
                look.own[1][lane] = (((b - a) * 3.0 - (d - c)) * 0.0625) as f32;
            }
            look.own[2] = moves[0];
            look.own[3] = moves[1];
        } else {
            // Nothing beyond: the motion runs on.
            let older = back(2);
            for lane in 0..LANES {
                look.plain[lane] = (look.base[lane] - older[lane]) as f32;
            }
        }
        look
    }
}

/// The experts' mean with weights 1 / error^6.
#[inline(always)]
fn blend(experts: &[Lanes; EXPERTS], errors: &[Lanes; EXPERTS]) -> Lanes {
    let mut least = errors[0];
    for errors in &errors[1..] {
        for lane in 0..LANES {
            least[lane] = if errors[lane] < least[lane] { errors[lane] } else { least[lane] };
        }
    }
    let mut sum = [0.0; LANES];
    let mut total = [0.0; LANES];
    for (expert, errors) in experts.iter().zip(errors) {
        for lane in 0..LANES {
            let ratio = (least[lane] + 0.05) / (errors[lane] + 0.05);
            let cube = ratio * ratio * ratio;
            let weight = cube * cube;
            sum[lane] += weight * expert[lane];
            total[lane] += weight;
        }
    }
    for lane in 0..LANES {
        sum[lane] /= total[lane];
    }
    sum
}

/// A prediction held in twice the range of an index.
#[inline(always)]
fn in_range(value: f64) -> f64 {
    let limit = (2 * MAX_INDEX) as f64;
    let value = if value > -limit { value } else { -limit };
    if value < limit { value } else { limit }
}
