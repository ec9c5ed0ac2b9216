//! Accessors: numbers out of buffers, of every layout that an animation may have.

use super::container::{Buffer, Container, buffer_of};
use super::{fault, fault_at};
use crate::error::Result;
use serde_json::Value;
use sinew::DecodeLimits;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What an element of an accessor has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    Vector,
    /// Also as integers that stand for -1 to 1.
    Rotation,
}

impl Shape {
    pub fn components(self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Vector => 3,
            Shape::Rotation => 4,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Shape::Scalar => "SCALAR",
            Shape::Vector => "VEC3",
            Shape::Rotation => "VEC4",
        }
    }
}

/// How a number is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    Float,
    I8,
    U8,
    I16,
    U16,
    U32,
}

impl Stored {
    fn of(code: u64) -> Option<Stored> {
        Some(match code {
            5120 => Stored::I8,
            5121 => Stored::U8,
            5122 => Stored::I16,
            5123 => Stored::U16,
            5125 => Stored::U32,
            5126 => Stored::Float,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Stored::I8 | Stored::U8 => 1,
            Stored::I16 | Stored::U16 => 2,
            Stored::U32 | Stored::Float => 4,
        }
    }

    /// The number that the bytes stand for: itself if a float, else between -1 or 0 and 1.
    fn number(self, bytes: &[u8]) -> f32 {
        match (self, bytes) {
            (Stored::I8, &[a]) => (f32::from(a as i8) / 127.0).max(-1.0),
            (Stored::U8, &[a]) => f32::from(a) / 255.0,
            (Stored::I16, &[a, b]) => (f32::from(i16::from_le_bytes([a, b])) / 32767.0).max(-1.0),
            (Stored::U16, &[a, b]) => f32::from(u16::from_le_bytes([a, b])) / 65535.0,
            (Stored::Float, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            _ => unreachable!("numbers are cut to their size, and indices are no numbers"),
        }
    }

    fn index(self, bytes: &[u8]) -> Option<u64> {
        Some(match (self, bytes) {
            (Stored::U8, &[a]) => u64::from(a),
            (Stored::U16, &[a, b]) => u64::from(u16::from_le_bytes([a, b])),
            (Stored::U32, &[a, b, c, d]) => u64::from(u32::from_le_bytes([a, b, c, d])),
            _ => return None,
        })
    }
}

/// Elements within a buffer: all of them lie in it.
struct Elements<'b> {
    bytes: &'b [u8],
    stride: usize,
    size: usize,
    /// Where the first is in the file, if it is in the file itself.
    at: Option<u64>,
}

impl Elements<'_> {
    fn get(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.stride..][..self.size]
    }

    fn fault(&self, index: usize, within: usize, what: String) -> crate::Error {
        let offset = (index * self.stride + within) as u64;
        self.at.map_or_else(|| fault(what.clone()), |at| fault_at(at + offset, what.clone()))
    }
}

/// The accessors of a file. All that are read together are bounded.
pub(super) struct Accessors<'a> {
    accessors: &'a [Value],
    views: &'a [Value],
    buffers: &'a [Value],
    binary: Option<(&'a [u8], u64)>,
    opened: BTreeMap<usize, Buffer<'a>>,
    /// What was read, by accessor.
    known: BTreeMap<usize, Rc<[f32]>>,
    values_left: u64,
}

impl<'a> Accessors<'a> {
    pub fn new(value: &'a Value, container: &Container<'a>, limits: &DecodeLimits) -> Accessors<'a> {
        let list = |key: &str| value.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Accessors {
            accessors: list("accessors"),
            views: list("bufferViews"),
            buffers: list("buffers"),
            binary: container.binary,
            opened: BTreeMap::new(),
            known: BTreeMap::new(),
            values_left: limits.max_samples,
        }
    }

    /// The numbers of an accessor, element after element, all finite. `elements` is how many it must have, if known.
    ///
    /// # Errors
    /// [`Error::Format`](crate::Error::Format) that names the accessor, with the byte where a number is at fault;
    /// [`Error::Codec`](crate::Error::Codec) beyond the limits.
    pub fn values(&mut self, number: usize, shape: Shape, elements: Option<usize>) -> Result<Rc<[f32]>> {
        // 1. What it says of itself.
        let what = |text: String| fault(format!("accessor {number}: {text}"));
        let accessor = self.accessors.get(number).ok_or_else(|| what("there is none".into()))?;
        let kind = accessor.get("type").and_then(Value::as_str).unwrap_or_default();
        if kind != shape.name() {
            return Err(what(format!("it is {}, where {} is needed", super::shown(kind), shape.name())));
        }
        let code = accessor.get("componentType").and_then(Value::as_u64).unwrap_or_default();
        let is_normalized = accessor.get("normalized").and_then(Value::as_bool).unwrap_or_default();
        let stored = Stored::of(code)
            .filter(|&stored| match stored {
                Stored::Float => !is_normalized,
                Stored::U32 => false,
                _ => is_normalized && shape == Shape::Rotation,
            })
            .ok_or_else(|| {
                let normalized = if is_normalized { "normalized " } else { "" };
                what(format!("no {} of an animation has {normalized}component type {code}", shape.name()))
            })?;
        let count = count_of(accessor, "count").ok_or_else(|| what("its count is none".into()))?;
        if let Some(elements) = elements.filter(|&elements| elements != count) {
            return Err(what(format!("it has {count} elements, where {elements} are needed")));
        }
        if let Some(known) = self.known.get(&number) {
            return Ok(known.clone());
        }

        // 2. Its elements, or zeros that few others replace.
        let sparse = accessor.get("sparse");
        let values_needed = (count as u64).saturating_mul(shape.components() as u64);
        if values_needed > self.values_left {
            return Err(sinew::Error::LimitExceeded { what: "values of all curves" }.into());
        }
        let mut values = Vec::new();
        if accessor.get("bufferView").is_some() {
            let elements =
                self.elements(accessor, "byteOffset", count, shape.components() * stored.bytes(), &what)?;
            values.reserve_exact(count * shape.components());
            for index in 0..count {
                push_element(&mut values, &elements, index, stored, number)?;
            }
        } else {
            // Only keys that are there can tell how many there are: zeros alone may not.
            if elements.is_none() {
                return Err(what("it has no bufferView, so that its times are all 0".into()));
            }
            values.resize(count * shape.components(), 0.0);
        }
        if let Some(sparse) = sparse {
            self.replace(&mut values, sparse, count, shape, stored, number)?;
        }
        self.values_left -= values_needed;
        let values: Rc<[f32]> = values.into();
        self.known.insert(number, values.clone());
        Ok(values)
    }

    /// The elements that a sparse accessor has in the place of others.
    fn replace(
        &mut self,
        values: &mut [f32],
        sparse: &Value,
        count: usize,
        shape: Shape,
        stored: Stored,
        number: usize,
    ) -> Result<()> {
        let what = |text: String| fault(format!("accessor {number}, sparse: {text}"));
        let few = count_of(sparse, "count").ok_or_else(|| what("its count is none".into()))?;
        if few > count {
            return Err(what(format!("{few} elements are to replace some of {count}")));
        }
        let (at, by) =
            (sparse.get("indices").unwrap_or(&Value::Null), sparse.get("values").unwrap_or(&Value::Null));
        let code = at.get("componentType").and_then(Value::as_u64).unwrap_or_default();
        let kind = Stored::of(code)
            .filter(|kind| matches!(kind, Stored::U8 | Stored::U16 | Stored::U32))
            .ok_or_else(|| what(format!("no index has component type {code}")))?;
        let mut places = Vec::new();
        let indices = self.elements(at, "byteOffset", few, kind.bytes(), &what)?;
        for index in 0..few {
            let place = kind.index(indices.get(index)).and_then(|place| usize::try_from(place).ok());
            let place =
                place.filter(|&place| place < count && places.last().is_none_or(|&last| last < place));
            let text =
                || format!("accessor {number}, sparse: index {index} is beyond the end or does not increase");
            places.push(place.ok_or_else(|| indices.fault(index, 0, text()))?);
        }
        let width = shape.components();
        let elements = self.elements(by, "byteOffset", few, width * stored.bytes(), &what)?;
        let mut replaced = Vec::with_capacity(width);
        for (index, place) in places.into_iter().enumerate() {
            replaced.clear();
            push_element(&mut replaced, &elements, index, stored, number)?;
            values[place * width..][..width].copy_from_slice(&replaced);
        }
        Ok(())
    }

    /// The elements that an accessor, or a part of a sparse one, points to.
    fn elements(
        &mut self,
        of: &Value,
        offset_key: &str,
        count: usize,
        size: usize,
        what: &dyn Fn(String) -> crate::Error,
    ) -> Result<Elements<'_>> {
        let view_number = count_of(of, "bufferView").ok_or_else(|| what("its bufferView is none".into()))?;
        let view = self
            .views
            .get(view_number)
            .ok_or_else(|| what(format!("there is no bufferView {view_number}")))?;
        let of_view = |text: &str| what(format!("bufferView {view_number}: {text}"));
        let optional = |from: &Value, key: &str| match from.get(key) {
            None => Some(0),
            Some(_) => count_of(from, key),
        };
        let start = optional(view, "byteOffset").ok_or_else(|| of_view("its byteOffset is none"))?;
        let length = count_of(view, "byteLength").ok_or_else(|| of_view("its byteLength is none"))?;
        let stride = match optional(view, "byteStride") {
            Some(0) => size,
            Some(stride) if (4..=252).contains(&stride) && stride >= size => stride,
            _ => return Err(of_view(&format!("its byteStride is none for elements of {size} bytes"))),
        };
        let offset = optional(of, offset_key).ok_or_else(|| what("its byteOffset is none".into()))?;
        let number = count_of(view, "buffer").filter(|&buffer| buffer < self.buffers.len());
        let number = number.ok_or_else(|| of_view("there is no such buffer"))?;
        if !self.opened.contains_key(&number) {
            let buffer = buffer_of(&self.buffers[number], number, self.binary)?;
            self.opened.insert(number, buffer);
        }
        let (buffer, at) = &self.opened[&number];
        let beyond = || {
            let text = format!(
                "bytes {start} to {} are not in buffer {number} of {} bytes",
                start.saturating_add(length),
                buffer.len()
            );
            let error = of_view(&text);
            match (error, at) {
                (crate::Error::Format { format, what, .. }, Some(at)) => {
                    let place = crate::Place::Byte(at.saturating_add(start as u64));
                    crate::Error::Format { format, place, what }
                }
                (error, _) => error,
            }
        };
        let view_bytes =
            start.checked_add(length).and_then(|end| buffer.get(start..end)).ok_or_else(beyond)?;
        let needed = match count {
            0 => Some(0),
            _ => (count - 1).checked_mul(stride).and_then(|bytes| bytes.checked_add(size)),
        };
        let bytes = needed
            .and_then(|needed| offset.checked_add(needed))
            .and_then(|end| view_bytes.get(offset..end))
            .ok_or_else(|| {
                what(format!(
                    "{count} elements of {size} bytes, {stride} apart from byte {offset}, are not in bufferView {view_number} of {length} bytes"
                ))
            })?;
        let at = at.map(|at| at + (start + offset) as u64);
        Ok(Elements { bytes, stride, size, at })
    }
}

fn push_element(
    values: &mut Vec<f32>,
    elements: &Elements<'_>,
    index: usize,
    stored: Stored,
    accessor: usize,
) -> Result<()> {
    for (component, bytes) in elements.get(index).chunks_exact(stored.bytes()).enumerate() {
        let value = stored.number(bytes);
        if !value.is_finite() {
            let what = format!("accessor {accessor}: element {index} is {value}");
            return Err(elements.fault(index, component * stored.bytes(), what));
        }
        values.push(value);
    }
    Ok(())
}

/// A count, an offset or a number of something.
pub(super) fn count_of(value: &Value, key: &str) -> Option<usize> {
    value.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok())
}
