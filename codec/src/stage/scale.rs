//! How large a residual is expected to be (FORMAT section 7.9): the logarithm of its size is a sum of logarithms of what is
//! known before it, with weights that learn from every residual.

#![allow(clippy::needless_range_loop, reason = "loops over lanes name the lane on both sides")]

use super::rls::{LANES, Lanes, held};

/// Running means of |residual| that a lane keeps, and their slowest rates.
const RATES: [f32; 3] = [0.3, 0.12, 0.04];
/// Inputs: the two faster means, one, doubt, surprise and speed.
const INPUTS: usize = 6;
/// What the weights come to on motion in general.
const WEIGHTS: [f32; INPUTS] = [0.18, 0.26, 0.0, 0.23, 0.42, 0.23];
/// Share of a slope that a weight takes.
const WEIGHT_RATE: f32 = 0.005;
/// Added to a size before its logarithm is taken.
const LEAST: f32 = 0.03;

/// `log2(value)` within 0.01 for a positive normal value: exponent and mantissa, a parabola between powers of two.
#[inline(always)]
fn log2(value: f32) -> f32 {
    let bits = value.to_bits();
    let whole = (bits >> 23) as i32 - 127;
    let part = (bits & 0x7f_ffff) as f32 * (1.0 / 8_388_608.0);
    whole as f32 + part + part * (1.0 - part) * 0.34375
}

/// `2^value` within 1 % for -60..=60.
#[inline(always)]
fn exp2(value: f32) -> f32 {
    // Adding 1.5 × 2^23 rounds to a whole number, which the low bits then hold.
    let rounded = value + 12_582_912.0;
    let whole = (rounded.to_bits() as i32).wrapping_sub(0x4b40_0000);
    let part = value - (rounded - 12_582_912.0);
    f32::from_bits((whole.wrapping_add(127) << 23) as u32) * (1.0 + part * (0.6953125 + part * 0.2421875))
}

/// The sum of the lanes, in halves.
#[inline(always)]
fn sum(lanes: &Lanes) -> f32 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

/// Means of |residual| of one wave on one level, in steps.
#[derive(Clone)]
pub(crate) struct Means {
    means: [Lanes; RATES.len()],
}

impl Means {
    pub(crate) fn new() -> Means {
        Means { means: [[1.5; LANES]; RATES.len()] }
    }

    /// Takes the sizes of the residuals; the first ones count more, by `start`.
    #[inline(always)]
    pub(crate) fn learn(&mut self, sizes: &Lanes, start: f32) {
        for (means, slowest) in self.means.iter_mut().zip(RATES) {
            let rate = if start > slowest { start } else { slowest };
            for lane in 0..LANES {
                let size = held(sizes[lane], 0.0, means[lane] * 8.0 + 8.0);
                means[lane] += (size - means[lane]) * rate;
            }
        }
    }
}

/// What is kept of an expectation until the residuals are known.
#[derive(Clone, Copy, Default)]
pub(crate) struct Expected {
    inputs: [Lanes; INPUTS],
    /// log2 of the expected |residual|.
    pub(crate) log: Lanes,
}

/// The weights that a group's waves share on one level.
#[derive(Clone)]
pub(crate) struct Scales {
    weights: [f32; INPUTS],
    /// By how much residuals exceed what was expected of them at this instant, in octaves.
    surprise: f32,
}

impl Scales {
    pub(crate) fn new() -> Scales {
        Scales { weights: WEIGHTS, surprise: 0.0 }
    }

    /// Must be called before the first wave of each instant.
    pub(crate) fn start_instant(&mut self) {
        self.surprise *= 0.5;
    }

    /// `doubt` is what predictions differ by, `speed` what the plain one moves by, in steps.
    #[inline(always)]
    pub(crate) fn expect(&self, means: &Means, doubt: &Lanes, speed: &Lanes) -> Expected {
        let mut inputs = [[0.0; LANES]; INPUTS];
        let mut log = [0.0; LANES];
        let [fast, middle, slow] = &means.means;
        for lane in 0..LANES {
            log[lane] = log2(slow[lane] + LEAST);
            inputs[0][lane] = log2(fast[lane] + LEAST) - log[lane];
            inputs[1][lane] = log2(middle[lane] + LEAST) - log[lane];
            inputs[2][lane] = 1.0;
            inputs[3][lane] = log2(doubt[lane] + LEAST) - log[lane];
            inputs[4][lane] = self.surprise;
            inputs[5][lane] = log2(speed[lane] + LEAST) - log[lane];
        }
        for i in 0..INPUTS {
            for lane in 0..LANES {
                inputs[i][lane] = held(inputs[i][lane], -8.0, 8.0);
                log[lane] += self.weights[i] * inputs[i][lane];
            }
        }
        Expected { inputs, log: log.map(|log| held(log, -6.0, 24.0)) }
    }

    /// Learns from the sizes of the residuals: a step down the code length of a geometric distribution. `used` is 1 for
    /// a lane that has an array, else 0.
    #[inline(always)]
    pub(crate) fn learn(&mut self, expected: &Expected, sizes: &Lanes, used: &Lanes) {
        let mut slope = [0.0; LANES];
        let mut above = [0.0; LANES];
        for lane in 0..LANES {
            let mean = exp2(expected.log[lane]);
            slope[lane] = held((sizes[lane] - mean) / (1.0 + mean), -1.0, 2.0) * used[lane];
            above[lane] = held(log2(sizes[lane] + 0.25) - log2(mean + 0.25), -3.0, 3.0) * used[lane];
        }
        for i in 0..INPUTS {
            let mut steps = [0.0; LANES];
            for lane in 0..LANES {
                steps[lane] = slope[lane] * expected.inputs[i][lane];
            }
            self.weights[i] = held(self.weights[i] + sum(&steps) * WEIGHT_RATE, -2.0, 2.0);
        }
        self.surprise = self.surprise * 0.5 + sum(&above) * 0.5 / sum(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_and_power_are_within_a_hundredth() {
        // Eighths of an octave, by square roots of 2.
        let root = 2f64.sqrt().sqrt().sqrt();
        for whole in -30..=30 {
            let mut power = if whole < 0 { 1.0 / (1u64 << -whole) as f64 } else { (1u64 << whole) as f64 };
            for eighth in 0..8 {
                let exact = f64::from(whole) + f64::from(eighth) / 8.0;
                assert!((f64::from(exp2(exact as f32)) / power - 1.0).abs() < 0.01, "2^{exact}");
                assert!((f64::from(log2(power as f32)) - exact).abs() < 0.01, "log2 of {power}");
                power *= root;
            }
        }
    }

    #[test]
    fn expectations_follow_the_sizes() {
        let (mut scales, mut means) = (Scales::new(), Means::new());
        let (sizes, logs) = ([0.125, 1.0, 16.0, 256.0], [-3.0, 0.0, 4.0, 8.0]);
        let quiet = [1.0; LANES];
        for seen in 0..300 {
            scales.start_instant();
            let expected = scales.expect(&means, &quiet, &quiet);
            scales.learn(&expected, &sizes, &[1.0; LANES]);
            means.learn(&sizes, 1.0 / (seen as f32 + 1.5));
        }
        for (log, exact) in scales.expect(&means, &quiet, &quiet).log.into_iter().zip(logs) {
            assert!((log - exact).abs() < 1.0, "{log} for {exact}");
        }
    }
}
