//! The pose between two frames: linear, and the shorter way for rotations.

/// `a + (b - a) * fraction` for each value.
#[inline]
pub(super) fn blend(a: &[f32], b: &[f32], fraction: f32, out: &mut [f32]) {
    let length = out.len();
    let (a, b) = (&a[..length], &b[..length]);
    for i in 0..length {
        out[i] = a[i] + (b[i] - a[i]) * fraction;
    }
}

/// The unit quaternion x, y, z, w between two: linear on the shorter way, then normalised. `a` itself where that has no
/// direction.
#[inline]
pub(super) fn blend_rotation(a: &[f32; 4], b: &[f32; 4], fraction: f32) -> [f32; 4] {
    let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let mut out = [0.0; 4];
    for i in 0..4 {
        out[i] = a[i] + (b[i] * sign - a[i]) * fraction;
    }
    let length = (out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3]).sqrt();
    if length.is_normal() { out.map(|value| value / length) } else { *a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_take_the_shorter_way_and_stay_unit() {
        let a = [0.0, 0.0, 0.0, 1.0];
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let quarter_turn = [half, 0.0, 0.0, half];
        let expected = [(std::f32::consts::FRAC_PI_8).sin(), 0.0, 0.0, (std::f32::consts::FRAC_PI_8).cos()];
        for b in [quarter_turn, quarter_turn.map(|value| -value)] {
            for (value, expected) in blend_rotation(&a, &b, 0.5).iter().zip(expected) {
                assert!((value - expected).abs() < 1e-6);
            }
        }
        assert_eq!(blend_rotation(&[0.0; 4], &[0.0; 4], 0.5), [0.0; 4]);
        assert!(blend_rotation(&a, &[f32::NAN; 4], 0.5) == a);
    }
}
