//! Powers and logarithms of two in f32 (FORMAT section 7.14): plain arithmetic and bit moves, so that loops over them
//! vectorise and every machine agrees.

/// `2^value` within 3e-6 for -120..=120.
#[inline(always)]
pub(super) fn exp2(value: f32) -> f32 {
    // Adding 1.5 × 2^23 rounds to a whole number, which the low bits then hold.
    let rounded = value + 12_582_912.0;
    let whole = (rounded.to_bits() as i32).wrapping_sub(0x4b40_0000);
    let p = value - (rounded - 12_582_912.0);
    let part = 1.0 + p * (0.693_122 + p * (0.240_237_2 + p * (0.055_916_89 + p * 0.009_600_4)));
    f32::from_bits((part.to_bits() as i32).wrapping_add(whole << 23) as u32)
}

/// `log2(value)` within 2e-5 for a positive normal value.
#[inline(always)]
pub(super) fn log2(value: f32) -> f32 {
    let bits = value.to_bits() as i32;
    let whole = (bits >> 23).wrapping_sub(127);
    let t = f32::from_bits((bits & 0x7f_ffff | 0x3f80_0000) as u32) - 1.0;
    let part = 1.441_879_9 + t * (-0.708_865_2 + t * (0.415_245_56 + t * (-0.193_516_52 + t * 0.045_268_29)));
    whole as f32 + t * part
}

/// `value` held in `low..=high`; NaN becomes `low`.
#[inline(always)]
pub(super) fn held(value: f32, low: f32, high: f32) -> f32 {
    let raised = if value > low { value } else { low };
    if raised < high { raised } else { high }
}

/// [`held`] in f64.
#[inline(always)]
pub(super) fn held64(value: f64, low: f64, high: f64) -> f64 {
    let raised = if value > low { value } else { low };
    if raised < high { raised } else { high }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_and_logarithms_are_near() {
        for i in -12_000..12_000 {
            let x = i as f32 * 0.01;
            assert!((f64::from(exp2(x)) / f64::from(x).exp2() - 1.0).abs() < 2e-5, "{x}");
            let y = exp2(x);
            assert!((f64::from(log2(y)) - f64::from(y).log2()).abs() < 4e-5, "{y}");
        }
        assert_eq!(log2(1.0), 0.0);
        assert_eq!(exp2(0.0), 1.0);
    }
}
