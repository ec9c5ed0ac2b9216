//! Encoder configurations of fuzzer bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use sinew::{Bounds, Effort, EncodeConfig, Fidelity, Naming};

/// A valid configuration.
///
/// # Errors
/// None that matters: a fuzzer that runs out of bytes gets zeros.
pub fn any_config(u: &mut Unstructured<'_>) -> Result<EncodeConfig> {
    let fidelity = match u.int_in_range(0..=2)? {
        0 => Fidelity::Lossless,
        1 => Fidelity::Bounded(Bounds::muscle(any_bound(u)?)),
        _ => Fidelity::Bounded(Bounds {
            muscle: any_bound(u)?,
            time_s: if u.ratio(1, 3)? { 0.0 } else { any_bound(u)? },
            position_m: any_bound(u)?,
            rotation_deg: any_bound(u)?,
            extra: if u.arbitrary()? { Some(any_bound(u)?) } else { None },
        }),
    };
    Ok(EncodeConfig {
        fidelity,
        naming: if u.arbitrary()? { Naming::Named } else { Naming::Nameless },
        effort: *u.choose(&[Effort::Balanced, Effort::Fast, Effort::Max])?,
        block_frames: if u.arbitrary()? { Some(u.int_in_range(1..=64)?) } else { None },
        ..EncodeConfig::default()
    })
}

/// A decimal bound as users ask for, or any positive number.
fn any_bound(u: &mut Unstructured<'_>) -> Result<f64> {
    if u.ratio(1, 4)? {
        let bound = f64::from_bits(u.arbitrary()?).abs();
        return Ok(if bound.is_finite() && bound > 0.0 { bound } else { 1.0 });
    }
    Ok(f64::from(u8::arbitrary(u)?.max(1)) / 10f64.powi(u.int_in_range(0..=9)?))
}
