//! Ordered integers of floats: a bijection of bit patterns that keeps the numeric order (FORMAT section 6.2).

/// The u32 of an f32: negative floats are reflected, so that -0.0 and 0.0 are neighbours.
#[inline]
pub(crate) fn ordered_f32(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// The f32 of an ordered integer.
#[inline]
pub(crate) fn unordered_f32(ordered: u32) -> f32 {
    f32::from_bits(if ordered >> 31 == 1 { ordered & !(1 << 31) } else { !ordered })
}

/// The u64 of an f64.
#[inline]
pub(crate) fn ordered_f64(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The f64 of an ordered integer.
#[inline]
pub(crate) fn unordered_f64(ordered: u64) -> f64 {
    f64::from_bits(if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_a_bijection_that_keeps_order() {
        let values = [
            f32::NEG_INFINITY,
            -2.0,
            -1.0,
            -f32::MIN_POSITIVE,
            -0.0,
            0.0,
            f32::from_bits(1),
            0.5,
            f32::INFINITY,
        ];
        assert!(values.windows(2).all(|pair| ordered_f32(pair[0]) < ordered_f32(pair[1])));
        assert_eq!(ordered_f32(0.0) - ordered_f32(-0.0), 1);
        for step in 0..=65_536u64 {
            let bits = (step * 65_535) as u32;
            assert_eq!(unordered_f32(ordered_f32(f32::from_bits(bits))).to_bits(), bits);
            let wide = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            assert_eq!(unordered_f64(ordered_f64(f64::from_bits(wide))).to_bits(), wide);
        }
    }
}
