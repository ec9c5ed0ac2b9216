//! The two kinds of plain item in a frame, read leniently: a text that may be nil, and a number of any type.

use serde::de::{DeserializeSeed, Deserializer, Visitor};
use std::fmt;

/// Extensions reach serde as newtype structs; this gives them their own name in errors.
macro_rules! refuse_extensions {
    () => {
        fn visit_newtype_struct<D: serde::Deserializer<'de>>(self, _: D) -> Result<Self::Value, D::Error> {
            Err(serde::de::Error::custom(format_args!(
                "invalid type: MessagePack extension, expected {}",
                crate::data::item::Wanted(&self)
            )))
        }
    };
}
pub(super) use refuse_extensions;

/// Shows what a visitor expects.
pub(super) struct Wanted<'a, V>(pub(super) &'a V);

impl<'de, V: Visitor<'de>> fmt::Display for Wanted<'_, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
}

/// A text or nil; nil is the null string of C# and counts as empty.
pub(super) struct TextSeed(pub(super) &'static str);

impl<'de> DeserializeSeed<'de> for TextSeed {
    type Value = &'de str;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'de str, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TextSeed {
    type Value = &'de str;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (text or nil)", self.0)
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<&'de str, E> {
        Ok(text)
    }
    fn visit_unit<E>(self) -> Result<&'de str, E> {
        Ok("")
    }
    refuse_extensions!();
}

/// A number as it stands in the file.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) exact: f64,
    pub(super) nearest: f32,
    /// By how much `nearest` misses the number.
    pub(super) change: f64,
    /// It is stored as float32.
    pub(super) native: bool,
    /// A NaN of which `nearest` does not have all bits.
    pub(super) nan_is_cut: bool,
    /// An integer that even `exact` rounds.
    pub(super) beyond_f64: bool,
}

impl Number {
    /// A float32, which nothing rounds.
    fn single(value: f32) -> Self {
        Number {
            exact: f64::from(value),
            nearest: value,
            change: 0.0,
            native: true,
            nan_is_cut: false,
            beyond_f64: false,
        }
    }

    /// An integer. Its changes are told in i128, because f64 too rounds large ones.
    fn integer(value: i128) -> Self {
        let (exact, nearest) = (value as f64, value as f32);
        Number {
            exact,
            nearest,
            change: (nearest as i128 - value).unsigned_abs() as f64,
            native: false,
            nan_is_cut: false,
            beyond_f64: exact as i128 != value,
        }
    }
}

/// A number of any MessagePack type.
pub(super) struct NumberSeed(pub(super) &'static str);

impl<'de> DeserializeSeed<'de> for NumberSeed {
    type Value = Number;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Number, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NumberSeed {
    type Value = Number;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (a number)", self.0)
    }
    fn visit_f32<E>(self, value: f32) -> Result<Number, E> {
        Ok(Number::single(value))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
        let nearest = value as f32;
        let change = if nearest.is_finite() { (f64::from(nearest) - value).abs() } else { 0.0 };
        let nan_is_cut = value.is_nan() && f64::from(nearest).to_bits() != value.to_bits();
        Ok(Number { exact: value, nearest, change, native: false, nan_is_cut, beyond_f64: false })
    }
    fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
        Ok(Number::integer(i128::from(value)))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
        Ok(Number::integer(i128::from(value)))
    }
    refuse_extensions!();
}
