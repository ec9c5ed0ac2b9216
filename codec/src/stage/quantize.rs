//! Quantization: sample ↔ index on a lattice, with the bound checked on the reconstructed f32 (FORMAT section 6.1).

/// Largest magnitude of an index; samples beyond it escape.
pub(crate) const MAX_INDEX: i64 = 1 << 28;

/// Lattice step of a bound. A little under 2 × bound, so that rounding the reconstruction to f32 keeps the bound for
/// |x| < 4 (half an ulp there is 2^-23); a bound near the f32 grid itself gives up a 32nd instead.
pub(crate) fn step_of_bound(bound: f64) -> f64 {
    let rounding = 1.0 / 4_194_304.0;
    if bound > 64.0 * rounding { 2.0 * bound - rounding } else { 2.0 * bound * 0.96875 }
}

/// The nearest whole number, ties to even, of a magnitude below 2^50: adding 1.5 × 2^52 leaves no bits behind the point.
#[inline(always)]
pub(crate) fn whole(value: f64) -> f64 {
    (value + 6_755_399_441_055_744.0) - 6_755_399_441_055_744.0
}

/// The f32 that a decoder returns for a value in steps.
#[inline]
pub(crate) fn dequantize(value: f64, step: f64) -> f32 {
    (value * step) as f32
}

/// The residual of a finite target around a guess in steps, and whether what comes of it holds the bound and the range.
#[inline]
pub(crate) fn quantize_around(x: f64, guess: f64, step: f64, bound: f64) -> (i64, bool) {
    // A sample beyond all indices has escaped before, and so has NaN.
    let nearest = (x / step - guess).round() as i64;
    let holds = |residual: i64| {
        let value = guess + residual as f64;
        (f64::from(dequantize(value, step)) - x).abs() <= bound && value.abs() <= MAX_INDEX as f64
    };
    match [nearest, nearest - 1, nearest + 1].into_iter().find(|&residual| holds(residual)) {
        Some(residual) => (residual, true),
        None => (nearest, false),
    }
}

/// The index of a sample, or `None` if no index near it reconstructs within `bound`: the sample must escape.
#[inline]
pub(crate) fn quantize(sample: f32, step: f64, bound: f64) -> Option<i64> {
    let x = f64::from(sample);
    let nearest = (x / step).round();
    // NaN fails this test and so escapes by itself.
    let is_near = nearest.abs() <= MAX_INDEX as f64;
    if !is_near {
        return None;
    }
    let nearest = nearest as i64;
    // Rounding to f32 can push the nearest index just out of the bound where a neighbour is still inside.
    [nearest, nearest - 1, nearest + 1]
        .into_iter()
        .find(|&index| (f64::from(dequantize(index as f64, step)) - x).abs() <= bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_holds_the_bound_or_escapes() {
        for bound in [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.5] {
            let step = step_of_bound(bound);
            let mut escapes = 0;
            for i in -40_000..40_000i32 {
                let sample = i as f32 * 1e-4 + 1.3e-5;
                match quantize(sample, step, bound) {
                    Some(index) => {
                        assert!(
                            (f64::from(dequantize(index as f64, step)) - f64::from(sample)).abs() <= bound
                        )
                    }
                    None => escapes += 1,
                }
            }
            assert_eq!(escapes, 0, "bound {bound}: values within ±4 need no escape");
        }
    }

    #[test]
    fn what_has_no_index_escapes() {
        let step = step_of_bound(1e-4);
        for sample in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e9] {
            assert_eq!(quantize(sample, step, 1e-4), None, "{sample}");
        }
        assert_eq!(quantize(-0.0, step, 1e-4), Some(0));
        assert_eq!(quantize(f32::from_bits(1), step, 1e-4), Some(0));
    }
}
