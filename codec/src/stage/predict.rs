//! Prediction of an array's next index from its last two (FORMAT section 5.3).

/// What a predictor continues from the last indices of its array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Predictor {
    /// The last index: the residual is the first difference.
    Hold,
    /// The last index and half the last step: a motion that slows down.
    Damped,
    /// The last index and the last step: the residual is the second difference.
    Linear,
}

impl Predictor {
    pub(crate) const ALL: [Predictor; 3] = [Predictor::Hold, Predictor::Damped, Predictor::Linear];

    /// The guess from the last index and the one before it.
    #[inline]
    pub(crate) fn guess(self, last: i64, before: i64) -> i64 {
        // Only the indices of a damaged stream are large enough to wrap, and those are refused.
        let step = last.wrapping_sub(before);
        match self {
            Predictor::Hold => last,
            Predictor::Damped => last.wrapping_add(step / 2),
            Predictor::Linear => last.wrapping_add(step),
        }
    }
}

/// The predictor with the fewest bits of magnitude over an array's indices.
pub(crate) fn choose_predictor(indices: &[i64]) -> Predictor {
    let cost = |predictor: Predictor| -> u64 {
        let mut bits = 0;
        for window in indices.windows(3) {
            let residual = window[2] - predictor.guess(window[1], window[0]);
            bits += u64::from(log2_sixteenths(residual.unsigned_abs()));
        }
        bits
    };
    Predictor::ALL.into_iter().min_by_key(|&predictor| cost(predictor)).unwrap_or(Predictor::Hold)
}

/// About `16 log2(1 + magnitude)`, linear between powers of two.
fn log2_sixteenths(magnitude: u64) -> u32 {
    let value = magnitude.saturating_add(1);
    let whole = 63 - value.leading_zeros();
    let fraction = if whole >= 4 { (value >> (whole - 4)) & 15 } else { (value << (4 - whole)) & 15 };
    whole * 16 + fraction as u32
}
