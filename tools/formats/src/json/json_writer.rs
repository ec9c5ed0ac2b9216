//! Text of JSON: numbers that read back to the same float, and names.

use crate::bvh::push_number;
use crate::error::Result;
use std::io::Write;

/// Bytes given to the sink at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// Gathers text and gives it to the sink in large pieces.
pub(super) struct JsonWriter<'a> {
    sink: &'a mut dyn Write,
    buffer: Vec<u8>,
}

impl<'a> JsonWriter<'a> {
    pub fn new(sink: &'a mut dyn Write) -> JsonWriter<'a> {
        JsonWriter { sink, buffer: Vec::with_capacity(CHUNK_BYTES + 1024) }
    }

    /// Text as it is.
    pub fn raw(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    /// A quoted text.
    pub fn text(&mut self, text: &str) {
        serde_json::to_writer(&mut self.buffer, text).expect("a Vec takes any bytes");
    }

    /// The shortest text that reads back to the float32.
    pub fn float(&mut self, value: f32) {
        push_number(&mut self.buffer, value);
    }

    /// The same of a float64.
    pub fn double(&mut self, value: f64) {
        push_number(&mut self.buffer, value);
    }

    /// Float32 numbers with commas between them.
    pub fn floats(&mut self, values: &[f32]) {
        for (index, &value) in values.iter().enumerate() {
            if index > 0 {
                self.raw(",");
            }
            self.float(value);
        }
    }

    /// Gives the sink what has gathered, if that is much.
    pub fn drain(&mut self) -> Result<()> {
        if self.buffer.len() >= CHUNK_BYTES {
            self.sink.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Gives the sink all the rest.
    pub fn finish(self) -> Result<()> {
        self.sink.write_all(&self.buffer)?;
        self.sink.flush()?;
        Ok(())
    }
}
