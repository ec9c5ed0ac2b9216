//! Smooth noise over time: hashed lattice values joined by a cubic B-spline, known at any instant without history.

use super::rng::{mix, unit_of};

/// One noise signal; about 0.4 RMS, within ±1, no faster than a quarter of its lattice rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Smooth {
    key: u64,
}

impl Smooth {
    /// Signal number `number` of `seed`.
    pub(crate) fn new(seed: u64, number: u64) -> Smooth {
        Smooth { key: mix(seed, number) }
    }

    /// The signal at lattice position `x`, usually time times a rate in Hz.
    pub(crate) fn at(self, x: f64) -> f64 {
        let cell = x.floor();
        let u = x - cell;
        let lattice = |offset: i64| {
            let index = (cell as i64).wrapping_add(offset) as u64;
            2.0 * unit_of(mix(self.key, index)) - 1.0
        };
        let rest = 1.0 - u;
        let weights = [
            rest * rest * rest,
            4.0 - 6.0 * u * u + 3.0 * u * u * u,
            4.0 - 6.0 * rest * rest + 3.0 * rest * rest * rest,
            u * u * u,
        ];
        let sum = weights[0] * lattice(-1)
            + weights[1] * lattice(0)
            + weights[2] * lattice(1)
            + weights[3] * lattice(2);
        sum / 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signal_is_smooth_and_bounded() {
        let signal = Smooth::new(1, 2);
        let values: Vec<f64> = (0..4000).map(|i| signal.at(f64::from(i) * 0.01)).collect();
        assert!(values.iter().all(|v| v.abs() <= 1.0));
        assert!(values.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 0.02));
        let square = values.iter().map(|v| v * v).sum::<f64>() / 4000.0;
        assert!(square > 0.05, "the signal hardly moves: {square}");
    }

    #[test]
    fn signals_differ() {
        assert_ne!(Smooth::new(1, 2).at(0.5), Smooth::new(1, 3).at(0.5));
        assert_ne!(Smooth::new(1, 2).at(0.5), Smooth::new(2, 2).at(0.5));
    }
}
