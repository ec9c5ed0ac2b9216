//! The generator's random numbers: SplitMix64, integers only until the last step, so equal on every platform.

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hashes a key and a number to 64 well-mixed bits (the SplitMix64 finalizer).
pub(crate) fn mix(key: u64, number: u64) -> u64 {
    let mut z = key.wrapping_add(number.wrapping_add(1).wrapping_mul(GOLDEN));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The top 53 bits as a number in [0, 1).
pub(crate) fn unit_of(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// The stream `stream` of `seed`; streams are independent, so that a layer can draw more numbers without
    /// changing what the other layers do.
    pub(crate) fn new(seed: u64, stream: u64) -> Rng {
        Rng { state: mix(seed, stream) }
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state, 0)
    }

    /// Uniform in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        unit_of(self.next_u64())
    }

    /// Uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in [-1, 1).
    pub(crate) fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// Bell-shaped with mean 0, variance 1 and no value beyond ±3.47: the sum of four uniforms. A true normal
    /// would need a logarithm, which differs between platforms.
    pub(crate) fn bell(&mut self) -> f64 {
        const UNIT_VARIANCE: f64 = 0.866_025_403_784_438_6;
        (self.signed() + self.signed() + self.signed() + self.signed()) * UNIT_VARIANCE
    }

    /// True with the given probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// A number below `count`, which must not be 0.
    pub(crate) fn pick(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // First outputs of SplitMix64 seeded with 0, as published with the algorithm.
        let mut rng = Rng { state: 0u64.wrapping_sub(GOLDEN) };
        assert_eq!(rng.next_u64(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(rng.next_u64(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn the_bell_has_unit_variance() {
        let mut rng = Rng::new(7, 7);
        let values: Vec<f64> = (0..20_000).map(|_| rng.bell()).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|v| v * v).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.03, "{mean} {variance}");
    }
}
