//! Numbers as text, both ways: the nearest float to a text, and the shortest text that reads back to a float.

use super::shown;
use std::fmt::{Display, LowerExp};
use std::io::Write;
use std::str::FromStr;

/// A binary float of either width.
pub(crate) trait Float: Copy + FromStr + Display + LowerExp {
    const BITS: u32;
    fn is_finite(self) -> bool;
    /// Whether plain digits are short enough: from 1e-9 to below 1e16, or zero.
    fn is_plain(self) -> bool;
}

macro_rules! float {
    ($($kind:ty, $bits:literal;)*) => {
        $(impl Float for $kind {
            const BITS: u32 = $bits;

            fn is_finite(self) -> bool {
                <$kind>::is_finite(self)
            }

            fn is_plain(self) -> bool {
                self == 0.0 || (1e-9..1e16).contains(&self.abs())
            }
        })*
    };
}

float! {
    f32, 32;
    f64, 64;
}

/// Reads a finite number with a decimal point. The result is the float nearest to the text; a text nearer to zero
/// than the smallest float is zero.
///
/// # Errors
/// What is wrong with the text, without its place.
pub(super) fn parse<F: Float>(text: &str) -> Result<F, String> {
    match text.parse::<F>() {
        Ok(value) if value.is_finite() => Ok(value),
        parsed => Err(complaint(text, parsed.is_ok(), F::BITS)),
    }
}

#[cold]
fn complaint(text: &str, is_number: bool, bits: u32) -> String {
    let token = shown(text);
    if is_number {
        let is_word = text.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_alphabetic());
        return if is_word {
            format!("{token} is not a finite number")
        } else {
            format!("{token} is beyond the range of a {bits}-bit float")
        };
    }
    if text.contains(',') {
        return format!("{token} has a comma: numbers are written with a decimal point");
    }
    // A sign is inside a number only after the `e` of an exponent.
    let glued = text.char_indices().skip(1).any(|(at, c)| {
        matches!(c, '+' | '-') && text[..at].parse::<f64>().is_ok() && text[at..].parse::<f64>().is_ok()
    });
    if glued {
        return format!("{token} is two numbers without a blank between them");
    }
    format!("{token} is not a number")
}

/// Appends the shortest text that reads back to the same float: plain digits, or an exponent beyond 1e-9 and 1e16.
pub(crate) fn push<F: Float>(out: &mut Vec<u8>, value: F) {
    let written = if value.is_plain() { write!(out, "{value}") } else { write!(out, "{value:e}") };
    written.expect("a Vec takes any bytes");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<F: Float>(value: F) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn numbers_are_plain_where_that_is_short() {
        for (value, expected) in [
            (0.0f32, "0"),
            (-0.0, "-0"),
            (1.5, "1.5"),
            (-180.0, "-180"),
            (4.0020632e-7, "0.00000040020632"),
            (1e-40, "1e-40"),
            (f32::MAX, "3.4028235e38"),
            (1e16, "1e16"),
        ] {
            assert_eq!(text(value), expected);
        }
        assert_eq!(text(1.0f64 / 60.0), "0.016666666666666666");
        assert_eq!(text(1001.0f64 / 60000.0), "0.016683333333333335");
    }

    #[test]
    fn every_kind_of_number_reads_back_to_the_same_bits() {
        for bits in (0..0x7f80_0000u32).step_by(0x0001_2345).chain([1, 0x7f7f_ffff]) {
            for bits in [bits, bits | 0x8000_0000] {
                let value = f32::from_bits(bits);
                assert_eq!(parse::<f32>(&text(value)).map(f32::to_bits), Ok(bits), "{value:e}");
            }
        }
    }

    #[test]
    fn spellings_of_other_writers_are_read() {
        for (text, value) in [
            ("+3.5", 3.5),
            (".5", 0.5),
            ("7.", 7.0),
            ("1.0E+1", 10.0),
            ("-1.25E-05", -1.25e-5),
            ("1e-60", 0.0),
        ] {
            assert_eq!(parse::<f32>(text), Ok(value));
        }
        // Halfway between two floats, and a digit far behind that decides.
        assert_eq!(parse::<f32>("16777217"), Ok(16_777_216.0));
        assert_eq!(parse::<f32>("16777217.0000000000000000000000001"), Ok(16_777_218.0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("3,5", "has a comma"),
            ("0.0-7.5", "two numbers without a blank"),
            ("1e-5+2", "two numbers without a blank"),
            ("nan", "not a finite number"),
            ("-inf", "not a finite number"),
            ("1e39", "beyond the range of a 32-bit float"),
            ("1.5.2", "is not a number"),
            ("-", "is not a number"),
            ("1e", "is not a number"),
            ("0x1", "is not a number"),
            ("\u{ff11}", "is not a number"),
        ] {
            let error = parse::<f32>(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
        assert!(parse::<f32>(&"9".repeat(10_000)).is_err_and(|error| error.len() < 200));
    }
}
