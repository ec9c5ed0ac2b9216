//! Recursive least squares in f64 (FORMAT section 7.15): one array's filter, its loops over the inputs in a stated order.

use super::lanes::held64;

/// Largest magnitude of a weight.
const MAX_WEIGHT: f64 = 8.0;
/// A variance below this comes from rounding, and the variances start anew.
const MIN_VARIANCE: f64 = 1e-13;

/// A filter of `N` inputs.
#[derive(Clone)]
pub(super) struct Filter<const N: usize> {
    weights: [f64; N],
    /// Symmetric to the last bit.
    variance: [[f64; N]; N],
}

impl<const N: usize> Filter<N> {
    pub(super) fn new(weights: [f64; N], start: f64) -> Self {
        let mut filter = Filter { weights, variance: [[0.0; N]; N] };
        filter.restart(start);
        filter
    }

    /// Forgets how sure the weights are, not the weights.
    pub(super) fn restart(&mut self, start: f64) {
        self.variance = [[0.0; N]; N];
        for (i, row) in self.variance.iter_mut().enumerate() {
            row[i] = start;
        }
    }

    pub(super) fn set_weight(&mut self, number: usize, weight: f64) {
        self.weights[number] = weight;
    }

    #[inline(always)]
    pub(super) fn predict(&self, inputs: &[f64; N]) -> f64 {
        let mut sum = 0.0;
        for (weight, input) in self.weights.iter().zip(inputs) {
            sum += weight * input;
        }
        sum
    }

    /// Learns from what [`Filter::predict`] missed, keeping a share of what is known.
    #[inline(always)]
    pub(super) fn learn(&mut self, inputs: &[f64; N], missed: f64, keep: f64, start: f64) {
        let mut gain = [0.0; N];
        for (row, &input) in self.variance.iter().zip(inputs) {
            for (gain, variance) in gain.iter_mut().zip(row) {
                *gain += variance * input;
            }
        }
        let mut power = 0.0;
        let mut trace = 0.0;
        for i in 0..N {
            power += gain[i] * inputs[i];
            trace += self.variance[i][i];
        }
        let share = 1.0 / (keep + if power > 0.0 { power } else { 0.0 });
        // The variances of inputs that never move would grow without end.
        let growth = if trace < start * (2 * N) as f64 { 1.0 / keep } else { 1.0 };
        let step = missed * share;
        let mut sound = true;
        for i in 0..N {
            self.weights[i] = held64(self.weights[i] + gain[i] * step, -MAX_WEIGHT, MAX_WEIGHT);
            let row = &mut self.variance[i];
            for (variance, other) in row.iter_mut().zip(&gain) {
                *variance = (*variance - (gain[i] * other) * share) * growth;
            }
            sound &= row[i] > MIN_VARIANCE;
        }
        if !sound {
            self.restart(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise() -> impl FnMut() -> f64 {
        let mut state = 99u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / 8_388_608.0 - 1.0
        }
    }

    #[test]
    fn it_finds_the_weights() {
        let mut next = noise();
        let mut filter = Filter::<3>::new([0.0; 3], 1.0);
        for _ in 0..300 {
            let inputs = [next(), next(), next()];
            let target = inputs[0] * 0.5 - inputs[1] * 1.25 + inputs[2] * 2.0;
            filter.learn(&inputs, target - filter.predict(&inputs), 0.99, 1.0);
        }
        for (weight, wanted) in filter.weights.iter().zip([0.5, -1.25, 2.0]) {
            assert!((weight - wanted).abs() < 0.005, "{:?}", filter.weights);
        }
    }

    #[test]
    fn nothing_makes_a_weight_or_variance_infinite() {
        let mut next = noise();
        for kind in 0..4 {
            let mut filter = Filter::<5>::new([0.0; 5], 0.5);
            for step in 0..20_000 {
                let inputs = [(); 5].map(|()| match kind {
                    0 => 1e9,
                    1 => 0.0,
                    2 if step % 100 > 0 => 0.0,
                    _ => next() * 1e6,
                });
                filter.learn(&inputs, next() * 1e9, 0.97, 0.5);
                let sum = filter.predict(&inputs);
                assert!(sum.abs() <= 5.0 * 1e9 * MAX_WEIGHT, "{kind} {step}: {sum}");
            }
        }
    }
}
