//! One array's motion (FORMAT section 7.16): what its own past, or both sides on a finer level, and the arrays before it say
//! of its next value. Values are in quantization steps.

use super::super::schedule::Instant;
use super::filter::Filter;
use super::grid::{GUESSES, LogWeights};
use super::lanes::held64;
use super::sizes::Misses;

/// Inputs from an array's own motion.
const OWN: usize = 6;
/// Arrays that an array looks at.
pub(crate) const OTHERS: usize = 8;
const JOINT_OWN: usize = 4;
const JOINT: usize = JOINT_OWN + OTHERS;
const SMALL_OWN: usize = 2;
const SMALL: usize = SMALL_OWN + 4;
const QUICK: usize = 3;
const STACKED: usize = 5;
/// Start of the variance of a weight.
const OWN_START: f64 = 1.0;
const JOINT_START: f64 = 0.1;
const STACK_START: f64 = 0.02;

/// What an instant looks like before its value is known.
pub(super) struct Look {
    /// Where the motion would be if nothing but the nearest frames counted.
    pub(super) base: f64,
    own: [f64; OWN],
    joint: [f64; JOINT],
    small: [f64; SMALL],
    stacked: [f64; STACKED],
    /// Predicted moves off the base.
    pub(super) moves: [f64; GUESSES],
    /// The plain move off the base.
    pub(super) plain: f64,
    /// How fast the motion bends.
    pub(super) bend: f64,
}

/// An array's values and filters.
pub(super) struct Track {
    /// The values in every frame, 0 until they are known.
    pub(super) values: Vec<f64>,
    /// Misses of the mixture's mean in every frame, 0 until they are known.
    pub(super) sizes: Vec<f32>,
    /// Cells of the residuals, held in -2..=2.
    pub(super) cells: Vec<i8>,
    own: Filter<OWN>,
    quick: Filter<QUICK>,
    joint: Filter<JOINT>,
    small: Filter<SMALL>,
    stack: Filter<STACKED>,
    /// Last two moves off the base.
    last: [f64; 2],
    /// Arrays that this one looks at, the most telling first.
    pub(super) others: Vec<usize>,
    pub(super) weights: LogWeights,
    pub(super) misses: Misses,
    /// Mean |missed|: how far a filter may be led by one value.
    reach: f64,
}

impl Track {
    pub(super) fn new(first: i64, frames: usize, others: Vec<usize>) -> Track {
        let mut values = vec![0.0; frames];
        values[0] = first as f64;
        let mut own = [0.0; OWN];
        own[0] = 0.8;
        let mut joint = [0.0; JOINT];
        joint[0] = 0.8;
        let mut small = [0.0; SMALL];
        small[0] = 0.8;
        Track {
            values,
            sizes: vec![0.0; frames],
            cells: vec![0; frames],
            own: Filter::new(own, OWN_START),
            quick: Filter::new([0.8, 0.0, 0.0], OWN_START),
            joint: Filter::new(joint, JOINT_START),
            small: Filter::new(small, JOINT_START),
            stack: Filter::new([0.1, 0.1, 0.5, 0.3, 0.0], STACK_START),
            last: [0.0; 2],
            others,
            weights: LogWeights::new(),
            misses: Misses::new(),
            reach: 1.0,
        }
    }

    /// Between two levels: what was learned on the coarser one is where the finer one starts.
    pub(super) fn enter_level(&mut self, level: usize) {
        if level == 1 {
            for i in 0..OWN {
                self.own.set_weight(i, 0.0);
            }
            for i in 0..JOINT_OWN {
                self.joint.set_weight(i, 0.0);
            }
            for i in 0..SMALL_OWN {
                self.small.set_weight(i, 0.0);
            }
            for i in 0..QUICK {
                self.quick.set_weight(i, 0.0);
            }
        }
        self.own.restart(OWN_START);
        self.quick.restart(OWN_START);
        self.joint.restart(JOINT_START);
        self.small.restart(JOINT_START);
        self.stack.restart(STACK_START);
        self.misses.enter_level();
        self.last = [0.0; 2];
    }

    /// Looks at an instant; `moved` holds how the arrays before this one moved there.
    #[inline(always)]
    pub(super) fn look(&self, instant: Instant, moved: &[f64]) -> Look {
        let Instant { frame, reach, level } = instant;
        let values = &self.values;
        let back = |steps: usize| values[frame.saturating_sub(reach * steps)];
        let mut own = [0.0; OWN];
        let mut moves = [0.0; GUESSES];
        let base;
        let plain;
        let bend;
        if level == 0 {
            base = back(1);
            let mut newer = base;
            for (i, own) in own.iter_mut().enumerate() {
                let older = back(i + 2);
                *own = newer - older;
                newer = older;
            }
            plain = own[0];
            bend = own[0] - own[1];
            moves[1] = own[0];
            moves[2] = own[0] * 2.0 - own[1];
        } else if let Some(&right) = values.get(frame + reach) {
            let left = back(1);
            let far_left = if frame >= reach * 3 { values[frame - reach * 3] } else { left * 2.0 - right };
            let far_right = values.get(frame + reach * 3).copied().unwrap_or(right * 2.0 - left);
            bend = ((left + right) - (far_left + far_right)) * 0.0625;
            base = (left + right) * 0.5 + bend;
            plain = -bend;
            let (farther_left, farther_right) =
                match (frame.checked_sub(reach * 5), values.get(frame + reach * 5)) {
                    (Some(at), Some(&farther_right)) => (values[at], farther_right),
                    _ => (far_left * 2.0 - left, far_right * 2.0 - right),
                };
            let wide = ((far_left + far_right) - (farther_left + farther_right)) * 0.0625;
            own[0] = -bend;
            own[1] = wide;
            own[2] = self.last[0];
            own[3] = self.last[1];
            own[4] = (right - left) * 0.0625;
            own[5] = ((right - left) * 3.0 - (far_right - far_left)) * 0.0625;
            moves[1] = -bend;
            // The six-point interpolation (150, -25 and 3 of 256 on either side) less the four-point one.
            moves[2] = bend * 0.375 - wide * 0.1875;
        } else {
            base = back(1);
            plain = base - back(2);
            bend = plain;
            own[0] = plain;
            moves[1] = plain;
            moves[2] = plain * 0.5;
        }

        let mut joint = [0.0; JOINT];
        let mut small = [0.0; SMALL];
        joint[..JOINT_OWN].copy_from_slice(&own[..JOINT_OWN]);
        small[..SMALL_OWN].copy_from_slice(&own[..SMALL_OWN]);
        for (input, &other) in joint[JOINT_OWN..].iter_mut().zip(&self.others) {
            *input = moved[other];
        }
        small[SMALL_OWN..].copy_from_slice(&joint[JOINT_OWN..][..SMALL - SMALL_OWN]);
        let quick = [own[0], own[1], own[2]];
        moves[3] = self.own.predict(&own);
        moves[4] = self.quick.predict(&quick);
        moves[5] = self.joint.predict(&joint);
        moves[6] = self.small.predict(&small);
        let stacked = [moves[3], moves[4], moves[5], moves[6], plain];
        moves[7] = self.stack.predict(&stacked);
        Look { base, own, joint, small, stacked, moves, plain, bend }
    }

    /// Takes the value of the instant that was looked at.
    #[inline(always)]
    pub(super) fn learn(&mut self, instant: Instant, look: &Look, value: f64) {
        self.values[instant.frame] = value;
        let moved = value - look.base;
        let most = self.reach * 8.0 + 2.0;
        let missed = |prediction: f64| held64(moved - prediction, -most, most);
        let quick = [look.own[0], look.own[1], look.own[2]];
        self.own.learn(&look.own, missed(look.moves[3]), 0.998, OWN_START);
        self.quick.learn(&quick, missed(look.moves[4]), 0.95, OWN_START);
        self.joint.learn(&look.joint, missed(look.moves[5]), 0.998, JOINT_START);
        self.small.learn(&look.small, missed(look.moves[6]), 0.98, JOINT_START);
        self.stack.learn(&look.stacked, missed(look.moves[7]), 0.99, STACK_START);
        self.reach += (missed(look.moves[7]).abs() - self.reach) * 0.05;
        self.last = [moved, self.last[0]];
    }
}
