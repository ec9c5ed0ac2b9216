//! Binary decisions (FORMAT section 7.19): what the grid says of one, summed by prediction and by scale, is mixed with
//! counters in the logistic domain, then corrected by how such mixtures turned out.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

use super::super::entropy::BinaryCoder;
use super::grid::{GUESSES, Mass, SCALES};
use super::lanes::{exp2, held, log2};

/// Kinds of decisions: zero, sign, and magnitude above 1, 2, ....
pub(super) const KINDS: usize = 8;
/// Counters of a decision.
pub(super) const COUNTERS: usize = 9;
const FIRST_COUNTER: usize = GUESSES + SCALES + 1;
/// All that is mixed; the last is constant.
const INPUTS: usize = 28;
/// Largest magnitude of a logistic value, in octaves.
const LIMIT: f32 = 15.0;

/// An adaptive probability.
#[derive(Clone, Copy)]
struct Chance {
    p1: f32,
    rate: f32,
}

/// Weights of the mixer.
#[derive(Clone, Copy)]
struct Weights([f32; INPUTS]);

/// Steps of a correction.
const STEPS: usize = 24;

/// All that decisions learn.
pub(super) struct Decisions {
    chances: Vec<Chance>,
    /// Where the counters of each context begin.
    bases: [usize; COUNTERS],
    by_kind: Vec<Weights>,
    by_class: Vec<Weights>,
    corrections: Vec<[f32; STEPS + 1]>,
}

/// What is known of a value before its decisions.
#[derive(Clone, Copy, Default)]
pub(super) struct Situation {
    /// A context for each counter.
    pub(super) slots: [usize; COUNTERS],
    /// Picks the mixer's two weight sets.
    pub(super) calm: usize,
    pub(super) class: usize,
}

/// Sizes of the mixer's contexts.
pub(super) const CALMS: usize = 6;
pub(super) const CLASSES: usize = 12;
/// Slowest rate of a counter, and those of the mixer and the corrections.
const SLOWEST: f32 = 0.012;
const MIX_RATE: f32 = 0.0007;
const CORRECTION_RATE: f32 = 0.01;

impl Decisions {
    /// `sizes` contexts for each counter.
    pub(super) fn new(sizes: [usize; COUNTERS]) -> Decisions {
        let mut bases = [0; COUNTERS];
        let mut length = 0;
        for (base, size) in bases.iter_mut().zip(sizes) {
            *base = length;
            length += size * KINDS;
        }
        let mut start = [0.0; INPUTS];
        start[FIRST_COUNTER - 1] = 0.5;
        let line =
            std::array::from_fn(|i| logistic((i as f32 - STEPS as f32 / 2.0) * LIMIT * 2.0 / STEPS as f32));
        Decisions {
            chances: vec![Chance { p1: 0.5, rate: 0.5 }; length],
            bases,
            by_kind: vec![Weights(start); KINDS * CALMS],
            by_class: vec![Weights(start); KINDS * CLASSES],
            corrections: vec![line; KINDS * CLASSES],
        }
    }

    /// Codes whether what came lies in `part` and not in `rest`.
    #[inline(always)]
    pub(super) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        kind: usize,
        situation: &Situation,
        (part, rest): (&Mass, &Mass),
        bit: bool,
    ) -> bool {
        // 1. Odds of all that has an opinion.
        let mut yes = [1.0; INPUTS];
        let mut no = [1.0; INPUTS];
        for i in 0..GUESSES {
            let least = (part.guesses[i] + rest.guesses[i]) * 1e-4 + 1e-30;
            yes[i] = part.guesses[i] + least;
            no[i] = rest.guesses[i] + least;
        }
        for i in 0..SCALES {
            let least = (part.scales[i] + rest.scales[i]) * 1e-4 + 1e-30;
            yes[GUESSES + i] = part.scales[i] + least;
            no[GUESSES + i] = rest.scales[i] + least;
        }
        let least = (part.all + rest.all) * 2e-5 + 1e-30;
        yes[FIRST_COUNTER - 1] = part.all + least;
        no[FIRST_COUNTER - 1] = rest.all + least;
        let mut places = [0; COUNTERS];
        for i in 0..COUNTERS {
            places[i] = self.bases[i] + situation.slots[i] * KINDS + kind;
            let p1 = self.chances[places[i]].p1;
            yes[FIRST_COUNTER + i] = p1;
            no[FIRST_COUNTER + i] = 1.0 - p1;
        }
        let mut odds = [0.0; INPUTS];
        for i in 0..INPUTS {
            odds[i] = held(log2(yes[i]) - log2(no[i]), -LIMIT, LIMIT);
        }
        odds[INPUTS - 1] = 0.5;

        // 2. Their mixture.
        let a = &mut self.by_kind[kind * CALMS + situation.calm].0;
        let b = &mut self.by_class[kind * CLASSES + situation.class].0;
        let mut sums = [0.0; 4];
        for i in (0..INPUTS).step_by(4) {
            for lane in 0..4 {
                sums[lane] += (a[i + lane] + b[i + lane]) * odds[i + lane];
            }
        }
        let mixed = held((sums[0] + sums[2]) + (sums[1] + sums[3]), -LIMIT, LIMIT);
        let p1 = logistic(mixed);

        // 3. The correction, between two of its steps.
        let place = (mixed + LIMIT) * (STEPS as f32 / (2.0 * LIMIT));
        let step = (place as usize).min(STEPS - 1);
        let share = place - step as f32;
        let line = &mut self.corrections[kind * CLASSES + situation.class];
        let corrected = line[step] * (1.0 - share) + line[step + 1] * share;
        let p = (p1 + corrected) * 0.5;
        let bit = coder.code(bit, held(p * 65536.0, 12.0, 65524.0) as u32);

        // 4. What there is to learn.
        let came = if bit { 1.0 } else { 0.0 };
        let error = (came - p1) * MIX_RATE;
        for i in 0..INPUTS {
            let moved = error * odds[i];
            a[i] += moved;
            b[i] += moved;
        }
        line[step] += (came - line[step]) * CORRECTION_RATE * (1.0 - share);
        line[step + 1] += (came - line[step + 1]) * CORRECTION_RATE * share;
        for place in places {
            let chance = &mut self.chances[place];
            chance.p1 += (came - chance.p1) * chance.rate;
            chance.p1 = held(chance.p1, 1.0 / 4096.0, 4095.0 / 4096.0);
            let rate = chance.rate * (1.0 - chance.rate * 0.8);
            chance.rate = if rate > SLOWEST { rate } else { SLOWEST };
        }
        bit
    }
}

/// Probability of odds given in octaves.
#[inline(always)]
fn logistic(octaves: f32) -> f32 {
    1.0 / (1.0 + exp2(-octaves))
}
