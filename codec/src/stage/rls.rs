//! Recursive least squares in lanes (FORMAT section 7.8): each lane is one array with a filter of its own, and every loop
//! runs over the lanes innermost, so that the order of the arithmetic is fixed and a compiler may still vectorise.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

/// Arrays that are computed side by side.
pub(crate) const LANES: usize = 4;
/// One f32 a lane.
pub(crate) type Lanes = [f32; LANES];

/// Share of what is known that is kept from step to step.
const KEEP: f32 = 0.97;
/// Start of the variance of a weight.
const START: f32 = 0.5;
/// Largest magnitude of a weight.
const MAX_WEIGHT: f32 = 4.0;
/// Sum of variances from which on nothing is forgotten: those of inputs that never move would grow without end.
const MAX_TRACE: f32 = 40.0;
/// Smallest variance; a smaller one comes from rounding, and the variances start anew.
const MIN_VARIANCE: f32 = 1e-7;

/// `value` held in `low..=high`; NaN becomes `low`.
#[inline(always)]
pub(crate) fn held(value: f32, low: f32, high: f32) -> f32 {
    let raised = if value > low { value } else { low };
    if raised < high { raised } else { high }
}

/// A filter of `N` inputs in each lane.
#[derive(Clone)]
pub(crate) struct Rls<const N: usize> {
    weights: [Lanes; N],
    /// Symmetric; both halves are kept, for reading one half alone is slower.
    variance: [[Lanes; N]; N],
    /// Inputs that there are; the others are 0 for ever.
    used: usize,
}

impl<const N: usize> Rls<N> {
    /// Starts at `weights`, the same in each lane, of which the first `used` learn.
    pub(crate) fn new(weights: [f32; N], used: usize) -> Self {
        let mut rls =
            Rls { weights: weights.map(|weight| [weight; LANES]), variance: [[[0.0; LANES]; N]; N], used };
        (0..LANES).for_each(|lane| rls.start(lane));
        rls
    }

    fn start(&mut self, lane: usize) {
        for (i, row) in self.variance.iter_mut().enumerate() {
            for (j, variance) in row.iter_mut().enumerate() {
                variance[lane] = if i == j && i < self.used { START } else { 0.0 };
            }
        }
    }

    #[inline(always)]
    pub(crate) fn predict(&self, inputs: &[Lanes; N]) -> Lanes {
        let mut sum = [0.0; LANES];
        for i in 0..N {
            for lane in 0..LANES {
                sum[lane] += self.weights[i][lane] * inputs[i][lane];
            }
        }
        sum
    }

    /// Learns from what [`Rls::predict`] missed.
    #[inline(always)]
    pub(crate) fn learn(&mut self, inputs: &[Lanes; N], missed: &Lanes) {
        let mut gain = [[0.0; LANES]; N];
        let mut power = [0.0; LANES];
        let mut trace = [0.0; LANES];
        for i in 0..N {
            let mut sum = [0.0; LANES];
            for j in 0..N {
                for lane in 0..LANES {
                    sum[lane] += self.variance[i][j][lane] * inputs[j][lane];
                }
            }
            for lane in 0..LANES {
                power[lane] += sum[lane] * inputs[i][lane];
                trace[lane] += self.variance[i][i][lane];
            }
            gain[i] = sum;
        }
        let mut share = [0.0; LANES];
        let mut growth = [0.0; LANES];
        for lane in 0..LANES {
            let power = if power[lane] > 0.0 { power[lane] } else { 0.0 };
            share[lane] = 1.0 / (KEEP + power);
            growth[lane] = if trace[lane] < MAX_TRACE { 1.0 / KEEP } else { 1.0 };
        }
        // 1 as long as every variance is sound; NaN is not.
        let mut sound = [1.0; LANES];
        for i in 0..N {
            let mut step = [0.0; LANES];
            for lane in 0..LANES {
                step[lane] = gain[i][lane] * share[lane];
                let moved = self.weights[i][lane] + step[lane] * missed[lane];
                self.weights[i][lane] = held(moved, -MAX_WEIGHT, MAX_WEIGHT);
            }
            for j in i..N {
                let mut moved = [0.0; LANES];
                for lane in 0..LANES {
                    moved[lane] = (self.variance[i][j][lane] - step[lane] * gain[j][lane]) * growth[lane];
                }
                self.variance[i][j] = moved;
                self.variance[j][i] = moved;
            }
            if i < self.used {
                for lane in 0..LANES {
                    sound[lane] = if self.variance[i][i][lane] > MIN_VARIANCE { sound[lane] } else { 0.0 };
                }
            }
        }
        for lane in 0..LANES {
            if sound[lane] == 0.0 {
                self.start(lane);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in -1..1 from a small linear congruence.
    fn noise() -> impl FnMut() -> f32 {
        let mut state = 99u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        }
    }

    #[test]
    fn it_finds_the_weights_of_each_lane() {
        let mut next = noise();
        let mut rls = Rls::<2>::new([0.0; 2], 2);
        let wanted = |lane: usize| [0.25 * lane as f32, 1.0 - 0.5 * lane as f32];
        for _ in 0..200 {
            let inputs = [[(); LANES]; 2].map(|lanes| lanes.map(|()| next()));
            let predicted = rls.predict(&inputs);
            let target = |lane: usize| (0..2).map(|i| wanted(lane)[i] * inputs[i][lane]).sum::<f32>();
            rls.learn(&inputs, &std::array::from_fn(|lane| target(lane) - predicted[lane]));
        }
        for lane in 0..LANES {
            for i in 0..2 {
                assert!((rls.weights[i][lane] - wanted(lane)[i]).abs() < 1e-3, "{:?}", rls.weights);
            }
        }
    }

    #[test]
    fn nothing_makes_a_weight_infinite() {
        let mut next = noise();
        for kind in 0..4 {
            let mut rls = Rls::<5>::new([0.0; 5], 4);
            for step in 0..20_000 {
                let inputs = [[(); LANES]; 5].map(|lanes| {
                    lanes.map(|()| match kind {
                        0 => 8.0,
                        1 => 0.0,
                        2 if step % 100 > 0 => 0.0,
                        _ => (next() * 30.0).clamp(-8.0, 8.0),
                    })
                });
                let missed = [(); LANES].map(|()| next() * 300.0);
                rls.learn(&inputs, &missed);
                let sum = rls.predict(&inputs);
                assert!(sum.iter().all(|sum| sum.abs() <= 5.0 * 8.0 * MAX_WEIGHT), "{kind} {step}: {sum:?}");
            }
        }
    }
}
