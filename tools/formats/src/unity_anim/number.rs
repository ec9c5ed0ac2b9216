//! Number text both ways: the shortest that reads back to the same float32, as Unity spells it.

pub(super) use crate::quote::shown;
use std::io::Write;

/// Below this, Unity writes an exponent.
const SMALLEST_PLAIN: f32 = 1e-9;
/// From here on plain digits would only add zeros.
const LARGEST_PLAIN: f32 = 1e16;

/// Appends a number: plain decimals, an exponent of at least two digits outside 1e-9 to 1e16, `Infinity` for steps.
pub(super) fn push(out: &mut Vec<u8>, value: f32) {
    let size = value.abs();
    if size == 0.0 {
        out.extend_from_slice(if value.is_sign_negative() { b"-0" } else { b"0" });
    } else if (SMALLEST_PLAIN..LARGEST_PLAIN).contains(&size) {
        write!(out, "{value}").expect("a Vec takes any bytes");
    } else if size.is_infinite() {
        out.extend_from_slice(if value > 0.0 { b"Infinity" } else { b"-Infinity" });
    } else {
        // Rust writes no sign and no leading zero in an exponent; outside the plain range it has two digits anyway.
        let text = format!("{value:e}");
        let text = if size > 1.0 { text.replace('e', "e+") } else { text };
        out.extend_from_slice(text.as_bytes());
    }
}

/// Appends `N` numbers: one as it is, several as `{x: 0, y: 0, z: 0}`.
pub(super) fn push_components<const N: usize>(out: &mut Vec<u8>, values: [f32; N]) {
    if N == 1 {
        return push(out, values[0]);
    }
    for (name, (index, value)) in COMPONENT_NAMES.iter().zip(values.into_iter().enumerate()) {
        out.extend_from_slice(if index == 0 { b"{" } else { b", " });
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b": ");
        push(out, value);
    }
    out.push(b'}');
}

const COMPONENT_NAMES: [&str; 4] = ["x", "y", "z", "w"];

/// Reads a number that may be infinite if its text says so.
///
/// Unity 5 writes `.5` for 0.5 and exponents in any width, which Rust's parser takes as well.
pub(super) fn slope(text: &str) -> Result<f32, String> {
    let value: f32 = match text.parse() {
        Ok(value) => value,
        Err(_) => match text {
            ".inf" | "+.inf" => f32::INFINITY,
            "-.inf" => f32::NEG_INFINITY,
            _ => return Err(format!("{} is not a number", shown(text))),
        },
    };
    if value.is_nan() {
        return Err("the value is not a number (NaN)".into());
    }
    // `1e300` must not become a step.
    if value.is_infinite() && !text.contains(['n', 'N']) {
        return Err(format!("{} is beyond the range of a 32-bit float", shown(text)));
    }
    Ok(value)
}

/// Reads a finite number.
pub(super) fn finite(text: &str) -> Result<f32, String> {
    let value = slope(text)?;
    if value.is_finite() {
        Ok(value)
    } else {
        Err(format!("{} where a finite number is needed", crate::quote::named(text)))
    }
}

/// Reads a whole number. Unity's files hold bit fields beyond 32 bits' sign now and then.
pub(super) fn integer(text: &str) -> Result<i32, String> {
    let value: i64 = text.parse().map_err(|_| format!("{} is not a whole number", shown(text)))?;
    Ok(value as i32)
}

/// Reads `N` numbers with `one`: a single one as it is, several as `{x: 0, y: 0, z: 0}`.
pub(super) fn components<const N: usize>(
    text: &str,
    one: fn(&str) -> Result<f32, String>,
) -> Result<[f32; N], String> {
    let mut values = [0.0; N];
    if N == 1 {
        values[0] = one(text)?;
        return Ok(values);
    }
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let inner = inner.ok_or_else(|| format!("{} where {N} components are needed", shown(text)))?;
    let mut found = [false; N];
    for part in inner.split(',') {
        let (name, value) = part.split_once(':').unwrap_or((part, ""));
        let index = COMPONENT_NAMES[..N].iter().position(|&known| known == name.trim());
        let index = index.ok_or_else(|| format!("{} is no component of {N}", shown(name.trim())))?;
        if std::mem::replace(&mut found[index], true) {
            return Err(format!("component {} comes twice", COMPONENT_NAMES[index]));
        }
        values[index] = one(value.trim())?;
    }
    match found.iter().position(|&found| !found) {
        None => Ok(values),
        Some(index) => Err(format!("component {} is missing", COMPONENT_NAMES[index])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: f32) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn numbers_are_spelled_as_unity_does() {
        let cases = [
            (0.5, "0.5"),
            (-0.25, "-0.25"),
            (1.0, "1"),
            (-0.0, "-0"),
            (0.33333334, "0.33333334"),
            (0.016666668, "0.016666668"),
            (5.562824e-6, "0.000005562824"),
            (1.008e-9, "0.000000001008"),
            (9.67e-10, "9.67e-10"),
            (3.1832315e-12, "3.1832315e-12"),
            (f32::from_bits(1), "1e-45"),
            (f32::MAX, "3.4028235e+38"),
            (f32::INFINITY, "Infinity"),
            (f32::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            assert_eq!(text(value), expected);
        }
    }

    #[test]
    fn every_kind_of_number_reads_back_to_the_same_bits() {
        // One value of each exponent with odd mantissas, both signs.
        for bits in (0..=0x7f80_0000u32).step_by(0x0001_2345).chain([1, 0x7f7f_ffff, 0x3089_705f]) {
            for bits in [bits, bits | 0x8000_0000] {
                let value = f32::from_bits(bits);
                assert_eq!(slope(&text(value)).map(f32::to_bits), Ok(bits), "{value:e}");
            }
        }
    }

    #[test]
    fn older_and_foreign_spellings_are_read() {
        for (text, value) in [(".5", 0.5), ("-.5", -0.5), ("1e-05", 1e-5), ("+2", 2.0), ("3.", 3.0)] {
            assert_eq!(finite(text), Ok(value));
        }
        for text in ["Infinity", "inf", ".inf", "+Infinity"] {
            assert_eq!(slope(text), Ok(f32::INFINITY));
        }
        for text in ["", "x", "NaN", "nan", "1e300", "-1e300", "1,5", "0x1", "1 2", "{x: 1}"] {
            assert!(slope(text).is_err(), "{text}");
        }
        assert!(finite("-Infinity").is_err());
        assert_eq!(integer("4294967295"), Ok(-1));
        assert!(integer("1.5").is_err() && integer("99999999999999999999").is_err());
    }

    #[test]
    fn vectors_need_each_component_once() {
        assert_eq!(components("{x: 1, y: -0.5, z: 2e-05}", finite), Ok([1.0, -0.5, 2e-5]));
        assert_eq!(components("{w: 1, z: 0, y: 0, x: 0}", finite), Ok([0.0, 0.0, 0.0, 1.0]));
        for text in
            ["", "1", "{x: 1, y: 2}", "{x: 1, y: 2, z: 3, w: 4}", "{x: 1, x: 2, z: 3}", "{x: 1, y: 2, z: }"]
        {
            assert!(components::<3>(text, finite).is_err(), "{text}");
        }
        let mut out = Vec::new();
        push_components(&mut out, [0.0f32, -0.0, 1.5, f32::INFINITY]);
        assert_eq!(out, b"{x: 0, y: -0, z: 1.5, w: Infinity}");
    }
}
