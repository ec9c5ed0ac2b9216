//! A mixture of densities over the floats (FORMAT section 7.11).

/// Past samples, newest first, that a prediction looks back on.
pub(crate) const HISTORY: usize = 8;
/// Predictions from fixed weights of the past.
pub(crate) const FIXED: usize = 9;
/// All predictions: those of two filters and of the joint one follow the fixed ones.
pub(crate) const PREDICTIONS: usize = FIXED + 3;
/// Widths that each prediction is tried with.
pub(crate) const SCALES: usize = 3;
pub(crate) const EXPERTS: usize = PREDICTIONS * SCALES;
/// Keeps the odds of what no expert foresaw even.
const LEAST_MASS: f64 = 1e-13;

/// Weights of the past: differences of order 1 to 5, half a step, a smoother, and the least-squares cubics through six and
/// through eight samples.
#[rustfmt::skip]
const PAST: [[f64; HISTORY]; FIXED] = [
    [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [2.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0, -3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [4.0, -6.0, 4.0, -1.0, 0.0, 0.0, 0.0, 0.0],
    [5.0, -10.0, 10.0, -5.0, 1.0, 0.0, 0.0, 0.0],
    [1.5, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.875, 0.875, -0.375, -0.375, 0.0, 0.0, 0.0, 0.0],
    [8.0 / 3.0, -4.0 / 3.0, -4.0 / 3.0, 1.0 / 3.0, 4.0 / 3.0, -2.0 / 3.0, 0.0, 0.0],
    [2.0, -1.0 / 7.0, -6.0 / 7.0, -4.5 / 7.0, 0.0, 4.0 / 7.0, 4.0 / 7.0, -0.5],
];

/// The fixed predictions; the places of the filters' are 0.
pub(crate) fn fixed_predictions(history: &[f64; HISTORY]) -> [f64; PREDICTIONS] {
    let mut predictions = [0.0; PREDICTIONS];
    for (prediction, weights) in predictions.iter_mut().zip(&PAST) {
        for (weight, sample) in weights.iter().zip(history) {
            *prediction += weight * sample;
        }
    }
    predictions
}

/// One number an expert: number `prediction * SCALES + scale`.
pub(crate) type Masses = [f64; EXPERTS];

/// Where the experts stand, and one over their widths.
pub(crate) struct Experts {
    pub(crate) centres: Masses,
    pub(crate) inverses: Masses,
}

impl Experts {
    /// Share of each expert's mass below `value`: Student's distribution of four degrees, which needs a root only.
    #[inline]
    pub(crate) fn below(&self, value: f64) -> Masses {
        let mut masses = [0.0; EXPERTS];
        for (mass, (centre, inverse)) in masses.iter_mut().zip(self.centres.iter().zip(&self.inverses)) {
            let z = (value - centre) * inverse;
            let u = z / (z * z + 4.0).sqrt();
            *mass = 0.5 + u * (0.75 - u * u * 0.25);
        }
        masses
    }
}

/// Weights of the experts, summing to 1.
#[derive(Clone)]
pub(crate) struct Weights([f64; EXPERTS]);

impl Weights {
    pub(crate) fn new() -> Self {
        Weights([1.0 / EXPERTS as f64; EXPERTS])
    }

    /// Weight of a prediction with all its widths.
    pub(crate) fn of_prediction(&self, number: usize) -> f64 {
        let mut sum = 0.0;
        for weight in &self.0[number * SCALES..(number + 1) * SCALES] {
            sum += weight;
        }
        sum
    }

    /// The mixture's mass between two places: the even experts' and the odd ones' sums, which a machine adds side by side.
    #[inline]
    pub(crate) fn mass(&self, low: &Masses, high: &Masses) -> f64 {
        let mut sums = [0.0; 2];
        for pair in 0..EXPERTS / 2 {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let expert = pair * 2 + lane;
                *sum += self.0[expert] * (high[expert] - low[expert]);
            }
        }
        (sums[0] + sums[1]) + LEAST_MASS
    }

    /// Learns that the sample was between two places: Bayes' rule, and the share `1 - keep` evenly.
    pub(crate) fn learn(&mut self, low: &Masses, high: &Masses, keep: f64) {
        let inverse = keep / self.mass(low, high);
        let even = (1.0 - keep) / EXPERTS as f64;
        let mut sum = 0.0;
        for (weight, (low, high)) in self.0.iter_mut().zip(low.iter().zip(high)) {
            let mass = high - low;
            *weight = *weight * (if mass > 0.0 { mass } else { 0.0 }) * inverse + even;
            sum += *weight;
        }
        let scale = 1.0 / sum;
        self.0.iter_mut().for_each(|weight| *weight *= scale);
    }
}
