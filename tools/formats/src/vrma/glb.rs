//! A binary glTF out of accessors and JSON.

use crate::error::{Error, Result};
use crate::registry::Format;
use serde_json::{Value, json};
use std::io::Write;

/// The parts of a file in the making: one buffer, one view an accessor.
#[derive(Default)]
pub(super) struct Glb {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Glb {
    /// Adds an accessor of this type and gives its number; times tell their bounds.
    pub fn accessor(&mut self, kind: &str, components: usize, values: &[f32]) -> usize {
        let start = self.binary.len();
        self.binary.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": values.len() * 4}));
        let count = values.len() / components;
        let mut accessor =
            json!({"bufferView": self.views.len() - 1, "componentType": 5126, "count": count, "type": kind});
        if let (1, Some(first), Some(last)) = (components, values.first(), values.last()) {
            accessor["min"] = json!([shortest(*first)]);
            accessor["max"] = json!([shortest(*last)]);
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Writes the file with what else the JSON holds.
    ///
    /// # Errors
    /// [`Error::Unsupported`] beyond 4 GiB; [`Error::Io`].
    pub fn write(self, mut json: Value, sink: &mut dyn Write) -> Result<()> {
        json["buffers"] = json!([{"byteLength": self.binary.len()}]);
        json["bufferViews"] = self.views.into();
        json["accessors"] = self.accessors.into();
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let length = 12 + 8 + text.len() + 8 + self.binary.len();
        let word = |length: usize| {
            u32::try_from(length).map(u32::to_le_bytes).map_err(|_| Error::Unsupported {
                format: Format::Vrma,
                what: format!("a file has at most 4 GiB, and this would have {length} bytes"),
            })
        };
        sink.write_all(b"glTF\x02\0\0\0")?;
        sink.write_all(&word(length)?)?;
        sink.write_all(&word(text.len())?)?;
        sink.write_all(b"JSON")?;
        sink.write_all(&text)?;
        sink.write_all(&word(self.binary.len())?)?;
        sink.write_all(b"BIN\0")?;
        sink.write_all(&self.binary)?;
        sink.flush()?;
        Ok(())
    }
}

/// The number with the fewest digits that is this f32.
pub(super) fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_else(|_| f64::from(value))
}
