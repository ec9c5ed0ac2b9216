//! The recorder's bytes of one frame: everything but the time and the values is the same in every frame.

use super::skip::{MAX_ENTRIES, MAX_FRAME_BYTES};
use crate::error::{Error, Result};

/// A frame in the recorder's own form (shortest headers, float32 numbers), with the places of its numbers.
#[derive(Debug)]
pub(super) struct FrameTemplate {
    bytes: Vec<u8>,
    time_at: usize,
    values_at: Vec<usize>,
}

impl FrameTemplate {
    /// A frame of `guid` with one entry a name; an empty name is a nameless entry.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if no reader would take a frame this long.
    pub(super) fn new<'a>(guid: &str, names: impl ExactSizeIterator<Item = &'a str>) -> Result<Self> {
        let entries = names.len();
        if entries > MAX_ENTRIES {
            return Err(Error::invalid(format!(
                "{entries} tracks are too many for .data: at most {MAX_ENTRIES}"
            )));
        }
        let mut bytes = Vec::new();
        put_array_header(&mut bytes, 3);
        put_text(&mut bytes, guid);
        let time_at = put_zero(&mut bytes);
        put_array_header(&mut bytes, entries as u32);
        let mut values_at = Vec::with_capacity(entries);
        for name in names {
            put_array_header(&mut bytes, 2);
            put_text(&mut bytes, name);
            values_at.push(put_zero(&mut bytes));
            if bytes.len() > MAX_FRAME_BYTES {
                let limit = MAX_FRAME_BYTES >> 20;
                return Err(Error::invalid(format!("GUID and names are beyond the {limit} MiB of a frame")));
            }
        }
        Ok(FrameTemplate { bytes, time_at, values_at })
    }

    /// The frame's bytes with these numbers, values in entry order.
    pub(super) fn fill(&mut self, time: f32, values: impl Iterator<Item = f32>) -> &[u8] {
        self.put(self.time_at, time);
        for (entry, value) in values.enumerate() {
            self.put(self.values_at[entry], value);
        }
        &self.bytes
    }

    /// Length in bytes of every frame.
    pub(super) fn frame_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes that every frame begins with: header, GUID and the marker of its time.
    pub(super) fn start(&self) -> &[u8] {
        &self.bytes[..self.time_at]
    }

    /// Where in `bytes`, at `from` or later, a frame may start.
    pub(super) fn find_start(&self, bytes: &[u8], mut from: usize) -> Option<usize> {
        let start = self.start();
        loop {
            from += bytes.get(from..)?.iter().position(|&byte| byte == start[0])?;
            if bytes[from..].starts_with(start) {
                return Some(from);
            }
            from += 1;
        }
    }

    /// Whether `bytes` start with such a frame, whatever its numbers are, and how many of them were compared.
    pub(super) fn matches(&self, bytes: &[u8]) -> (bool, usize) {
        let mut at = 0;
        for number in std::iter::once(self.time_at).chain(self.values_at.iter().copied()) {
            if bytes.get(at..number) != Some(&self.bytes[at..number]) {
                return (false, number);
            }
            at = number + 4;
        }
        (at <= bytes.len(), at)
    }

    fn put(&mut self, at: usize, number: f32) {
        // By bits: a NaN keeps its payload.
        self.bytes[at..at + 4].copy_from_slice(&number.to_bits().to_be_bytes());
    }
}

/// Appends the shortest header of an array.
pub(super) fn put_array_header(bytes: &mut Vec<u8>, count: u32) {
    rmp::encode::write_array_len(bytes, count).expect("a Vec takes every byte");
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    rmp::encode::write_str(bytes, text).expect("a Vec takes every byte");
}

/// Appends a float32 and gives the place of its four bytes.
fn put_zero(bytes: &mut Vec<u8>) -> usize {
    rmp::encode::write_f32(bytes, 0.0).expect("a Vec takes every byte");
    bytes.len() - 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_the_shortest() {
        let mut template = FrameTemplate::new("ab", ["", "x"].into_iter()).expect("short");
        let bytes = template.fill(1.0, [f32::from_bits(0x7fc0_0001), -0.0].into_iter());
        let expected = [
            &[0x93, 0xa2, b'a', b'b', 0xca, 0x3f, 0x80, 0, 0, 0x92][..],
            &[0x92, 0xa0, 0xca, 0x7f, 0xc0, 0, 1],
            &[0x92, 0xa1, b'x', 0xca, 0x80, 0, 0, 0],
        ]
        .concat();
        assert_eq!(bytes, expected);
    }

    #[test]
    fn a_nameless_humanoid_frame_has_712_bytes() {
        let template = FrameTemplate::new(crate::ZERO_GUID, [""; 95].into_iter()).expect("short");
        assert_eq!(template.frame_bytes(), 712);
    }

    #[test]
    fn what_no_reader_takes_is_not_written() {
        let names = vec![""; MAX_ENTRIES + 1];
        assert!(FrameTemplate::new("", names.into_iter()).is_err());
        let long = "n".repeat(MAX_FRAME_BYTES);
        assert!(FrameTemplate::new("", [long.as_str()].into_iter()).is_err());
    }
}
