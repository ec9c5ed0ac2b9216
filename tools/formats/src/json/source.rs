//! JSON from a stream: values as they come, errors with their line and what they stand in, short however long the text.

use crate::error::{Error, Place};
use crate::quote::clipped;
use crate::registry::Format;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, SeqAccess, Visitor};
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufRead, Read};

/// Longest name that is read.
const MAX_NAME_BYTES: usize = 4096;
/// Bytes at hand at a time.
const MAX_BUFFER_BYTES: usize = 1 << 16;
/// Characters of a message of the parser, which may quote the text.
const MAX_MESSAGE: usize = 160;

/// Counts lines on the way. The parser takes byte after byte, so that they come from a buffer that is at hand.
pub(super) struct Lines<'a> {
    inner: &'a mut dyn BufRead,
    line: &'a Cell<u64>,
    buffer: Vec<u8>,
    at: usize,
    at_start: bool,
}

impl<'a> Lines<'a> {
    /// `line` is the number of the line that is being read, from 1.
    pub fn new(inner: &'a mut dyn BufRead, line: &'a Cell<u64>) -> Lines<'a> {
        line.set(1);
        Lines { inner, line, buffer: Vec::new(), at: 0, at_start: true }
    }

    /// Passes over a byte order mark, however few bytes come at a time.
    fn skip_mark(&mut self) -> io::Result<()> {
        self.at_start = false;
        for expected in [0xef, 0xbb, 0xbf] {
            if self.inner.fill_buf()?.first() != Some(&expected) {
                break;
            }
            self.inner.consume(1);
        }
        Ok(())
    }

    #[cold]
    fn refill(&mut self) -> io::Result<()> {
        if self.at_start {
            self.skip_mark()?;
        }
        let available = self.inner.fill_buf()?;
        let length = available.len().min(MAX_BUFFER_BYTES);
        self.buffer.clear();
        self.buffer.extend_from_slice(&available[..length]);
        self.at = 0;
        self.inner.consume(length);
        Ok(())
    }
}

impl Read for Lines<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.at == self.buffer.len() {
            self.refill()?;
        }
        let left = &self.buffer[self.at..];
        let length = left.len().min(target.len());
        for (byte, &read) in target.iter_mut().zip(left) {
            *byte = read;
            self.line.set(self.line.get() + u64::from(read == b'\n'));
        }
        self.at += length;
        Ok(length)
    }
}

/// An error of the parser, or of what takes its values, in `context`: where in the document it is.
pub(super) fn fault(format: Format, error: &serde_json::Error, context: &str) -> Error {
    if let Some(kind) = error.io_error_kind() {
        return Error::Io(kind);
    }
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let text = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    let place = match line {
        0 => Place::File,
        _ => Place::Line { line: line as u64, column: Some(column as u64) },
    };
    Error::format(format, place, format!("{context}{}", clipped(text, MAX_MESSAGE)))
}

/// Takes the value of a key, refusing a second one.
pub(super) fn fill<T, E: serde::de::Error>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::custom(format_args!("{key:?} comes a second time"))),
    }
}

/// Adds to a list that may be so long.
pub(super) fn push_within<T>(list: &mut Vec<T>, room: u64, item: T) -> Result<(), String> {
    if list.len() as u64 >= room {
        return Err("too many".to_owned());
    }
    list.push(item);
    Ok(())
}

/// The float32 nearest to a number.
pub(super) fn to_f32<E: serde::de::Error>(value: f64) -> Result<f32, E> {
    let stored = value as f32;
    match stored.is_finite() {
        true => Ok(stored),
        false => Err(E::custom(format_args!("{value:e} is beyond the range of a 32-bit float"))),
    }
}

/// The same with the text of the error alone.
pub(super) fn narrow(value: f64) -> Result<f32, String> {
    to_f32::<serde::de::value::Error>(value).map_err(|error| error.to_string())
}

/// A number, of whatever kind the parser makes it.
pub(super) struct NumberSeed;

impl<'de> DeserializeSeed<'de> for NumberSeed {
    type Value = f64;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for NumberSeed {
    type Value = f64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }
    fn visit_f64<E>(self, value: f64) -> Result<f64, E> {
        Ok(value)
    }
    fn visit_u64<E>(self, value: u64) -> Result<f64, E> {
        Ok(value as f64)
    }
    fn visit_i64<E>(self, value: i64) -> Result<f64, E> {
        Ok(value as f64)
    }
}

/// A text of a sane length; null is none, a number its digits.
pub(super) struct TextSeed;

impl<'de> DeserializeSeed<'de> for TextSeed {
    type Value = String;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for TextSeed {
    type Value = String;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }
    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        match text.len() {
            length if length > MAX_NAME_BYTES => {
                Err(E::custom(format_args!("a name of {length} bytes; there may be {MAX_NAME_BYTES}")))
            }
            _ => Ok(text.to_owned()),
        }
    }
    fn visit_unit<E>(self) -> Result<String, E> {
        Ok(String::new())
    }
    fn visit_u64<E>(self, value: u64) -> Result<String, E> {
        Ok(value.to_string())
    }
    fn visit_i64<E>(self, value: i64) -> Result<String, E> {
        Ok(value.to_string())
    }
    fn visit_f64<E>(self, value: f64) -> Result<String, E> {
        Ok(value.to_string())
    }
}

/// Numbers, in one list or in a list for each key, given one by one to `take`; gives how many.
pub(super) struct NumbersSeed<'a, F> {
    pub take: &'a mut F,
    /// Whether lists may stand in the list.
    pub nested: bool,
}

impl<'de, F: FnMut(f64) -> Result<(), String>> DeserializeSeed<'de> for NumbersSeed<'_, F> {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, F: FnMut(f64) -> Result<(), String>> Visitor<'de> for NumbersSeed<'_, F> {
    type Value = usize;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a list of numbers")
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<usize, E> {
        (self.take)(value).map_err(E::custom)?;
        Ok(1)
    }
    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<usize, E> {
        self.visit_f64(value as f64)
    }
    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<usize, E> {
        self.visit_f64(value as f64)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<usize, A::Error> {
        let mut count = 0;
        if self.nested {
            while let Some(more) =
                items.next_element_seed(NumbersSeed { take: &mut *self.take, nested: false })?
            {
                count += more;
            }
        } else {
            while let Some(value) = items.next_element_seed(NumberSeed)? {
                (self.take)(value).map_err(A::Error::custom)?;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Passes over a value.
pub(super) fn pass_over<'de, A: serde::de::MapAccess<'de>>(items: &mut A) -> Result<(), A::Error> {
    items.next_value::<IgnoredAny>().map(|_| ())
}
