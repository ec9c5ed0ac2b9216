//! A percentile of many figures in fixed memory: counts by the leading bits of the f32.

/// Bits dropped from an f32: 12 of its 23 fraction bits stay, so a bucket is 0.025 % wide.
const DROPPED_BITS: u32 = 11;
const BUCKETS: usize = 1 << (31 - DROPPED_BITS);

/// Counts of figures that are zero or positive.
pub(super) struct Percentile {
    counts: Vec<u64>,
    total: u64,
    largest: f64,
}

impl Percentile {
    pub(super) fn new() -> Percentile {
        Percentile { counts: vec![0; BUCKETS], total: 0, largest: 0.0 }
    }

    /// Counts a figure `times` times.
    pub(super) fn add(&mut self, figure: f64, times: u64) {
        debug_assert!(figure >= 0.0, "a distance is not negative");
        // Positive f32 values are ordered as their bits are.
        self.counts[((figure as f32).to_bits() >> DROPPED_BITS) as usize] += times;
        self.total += times;
        self.largest = self.largest.max(figure);
    }

    /// The smallest figure that `percent` of all do not exceed, rounded up by less than a bucket; `None` of nothing.
    pub(super) fn at(&self, percent: u64) -> Option<f64> {
        let above =
            self.total.checked_sub((self.total * percent).div_ceil(100)).filter(|_| self.total > 0)?;
        let mut seen = 0;
        for (bucket, &count) in self.counts.iter().enumerate().rev() {
            seen += count;
            if seen > above {
                let bits = (bucket as u32) << DROPPED_BITS;
                // Zero is exact; so is infinity, whose bucket's other members would be NaN.
                let upper = if bits == 0 || f32::from_bits(bits).is_infinite() {
                    f32::from_bits(bits)
                } else {
                    f32::from_bits(bits | ((1 << DROPPED_BITS) - 1))
                };
                return Some(f64::from(upper).min(self.largest));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_agree_with_sorting() {
        let figures: Vec<f64> = (0..1000).map(|i| f64::from(i * 7919 % 1000) * 0.01 + 0.001).collect();
        let mut sorted = figures.clone();
        sorted.sort_by(f64::total_cmp);
        let mut counts = Percentile::new();
        figures.iter().for_each(|&figure| counts.add(figure, 1));
        for (percent, index) in [(99, 989), (50, 499), (1, 9), (100, 999)] {
            let (found, exact) = (counts.at(percent).unwrap(), sorted[index]);
            assert!(found >= exact && found <= exact * 1.0003, "{percent}: {found} for {exact}");
        }
    }

    #[test]
    fn nothing_zero_and_infinity_are_exact() {
        let mut counts = Percentile::new();
        assert_eq!(counts.at(99), None);
        counts.add(0.0, 99);
        assert_eq!(counts.at(99), Some(0.0));
        counts.add(f64::INFINITY, 1);
        assert_eq!((counts.at(99), counts.at(100)), (Some(0.0), Some(f64::INFINITY)));
        counts.add(0.25, 400);
        assert_eq!(counts.at(50), Some(f64::from(f32::from_bits(0.25f32.to_bits() | 0x7ff))));
    }
}
