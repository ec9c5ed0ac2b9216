//! Sine and cosine that are the same on every machine: the encoder poses clips to choose what it stores.

/// Sine and cosine of an angle in radians.
pub(super) fn sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}
