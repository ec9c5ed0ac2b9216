//! Recursive least squares in binary64 for exact samples (FORMAT section 7.11).

#![allow(clippy::needless_range_loop, reason = "loops over arrays name the place on both sides")]

/// Steps of its own past that a track's filters look back on.
pub(crate) const TAPS: usize = 6;
/// The last steps that the joint filter looks back on.
pub(crate) const JOINT_TAPS: usize = 4;
/// Inputs of the joint filter: own steps, then what the tracks before this one did in the frame.
pub(crate) const JOINT: usize = JOINT_TAPS + 10;
/// Largest magnitude of an input, a step and a weight.
const MAX_INPUT: f64 = 8.0;
/// Sum of variances from which on nothing is forgotten: those of inputs that never move would grow without end.
const MAX_TRACE: f64 = 60.0;
/// Smallest variance; a smaller one comes from rounding, and the variances start anew.
const MIN_VARIANCE: f64 = 1e-9;

/// `value` held within the range of inputs; NaN becomes its lower end.
#[inline]
pub(crate) fn held(value: f64) -> f64 {
    let raised = if value > -MAX_INPUT { value } else { -MAX_INPUT };
    if raised < MAX_INPUT { raised } else { MAX_INPUT }
}

/// A filter of `N` inputs.
#[derive(Clone)]
pub(crate) struct Filter<const N: usize> {
    /// Share of what it knows that it keeps from sample to sample.
    keep: f64,
    weights: [f64; N],
    variances: [[f64; N]; N],
}

fn fresh<const N: usize>() -> [[f64; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }))
}

impl<const N: usize> Filter<N> {
    pub(crate) fn new(keep: f64) -> Self {
        let mut weights = [0.0; N];
        weights[0] = 0.7;
        Filter { keep, weights, variances: fresh() }
    }

    #[inline]
    pub(crate) fn output(&self, inputs: &[f64; N]) -> f64 {
        let mut sum = 0.0;
        for (weight, input) in self.weights.iter().zip(inputs) {
            sum += weight * input;
        }
        sum
    }

    /// Learns from the step that came.
    pub(crate) fn learn(&mut self, inputs: &[f64; N], step: f64) {
        let miss = held(step) - self.output(inputs);
        let mut gains = [0.0; N];
        for (row, input) in self.variances.iter().zip(inputs) {
            for (gain, variance) in gains.iter_mut().zip(row) {
                *gain += variance * input;
            }
        }
        let (mut power, mut trace) = (0.0, 0.0);
        for i in 0..N {
            power += gains[i] * inputs[i];
            trace += self.variances[i][i];
        }
        let share = 1.0 / (self.keep + if power > 0.0 { power } else { 0.0 });
        let growth = if trace < MAX_TRACE { 1.0 / self.keep } else { 1.0 };
        let mut is_sound = true;
        for i in 0..N {
            let gain = gains[i] * share;
            self.weights[i] = held(self.weights[i] + gain * miss);
            for j in 0..N {
                self.variances[i][j] = (self.variances[i][j] - gain * gains[j]) * growth;
            }
            is_sound &= self.variances[i][i] > MIN_VARIANCE;
        }
        if !is_sound {
            self.variances = fresh();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_law_is_learned_and_nothing_breaks_the_filter() {
        let mut filter: Filter<2> = Filter::new(0.99);
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1 << 23) - 1.0
        };
        for _ in 0..2000 {
            let inputs = [next(), next()];
            filter.learn(&inputs, inputs[0] * 1.5 - inputs[1] * 0.5);
        }
        assert!((filter.output(&[1.0, 1.0]) - 1.0).abs() < 1e-3);
        for step in [f64::NAN, f64::INFINITY, -1e300, 0.0] {
            for _ in 0..5000 {
                filter.learn(&[held(f64::NAN), 8.0], step);
            }
            assert!(filter.output(&[8.0, 8.0]).abs() <= 128.0);
        }
    }
}
