//! The values of a track of three.js, which may be numbers, texts or flags.

use super::source::to_f32;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::fmt;

/// Values of a track: its numbers, and how many others there are.
#[derive(Default)]
pub(super) struct Values {
    pub numbers: Vec<f32>,
    pub others: usize,
    pub first_other: usize,
    pub too_many: bool,
}

/// The list of values, of which there may be `room`.
pub(super) struct ValuesSeed {
    pub room: u64,
}

impl<'de> DeserializeSeed<'de> for ValuesSeed {
    type Value = Values;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Values, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ValuesSeed {
    type Value = Values;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Values, A::Error> {
        let mut values = Values::default();
        for number in 0.. {
            match items.next_element_seed(ValueSeed)? {
                None => break,
                Some(_) if number as u64 >= self.room => values.too_many = true,
                Some(Some(value)) => values.numbers.push(to_f32(value)?),
                Some(None) => {
                    if values.others == 0 {
                        values.first_other = number;
                    }
                    values.others += 1;
                }
            }
        }
        Ok(values)
    }
}

/// A number, or nothing for a text, a flag or the null that stands for NaN.
struct ValueSeed;

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = Option<f64>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<f64>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for ValueSeed {
    type Value = Option<f64>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_f64<E>(self, value: f64) -> Result<Option<f64>, E> {
        Ok(Some(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Option<f64>, E> {
        Ok(Some(value as f64))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Option<f64>, E> {
        Ok(Some(value as f64))
    }
    fn visit_bool<E>(self, _: bool) -> Result<Option<f64>, E> {
        Ok(None)
    }
    fn visit_str<E>(self, _: &str) -> Result<Option<f64>, E> {
        Ok(None)
    }
    fn visit_unit<E>(self) -> Result<Option<f64>, E> {
        Ok(None)
    }
}
