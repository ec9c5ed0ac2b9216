//! Bounded reading and writing of the container's small fields: bytes, varints, floats and strings
//! (FORMAT section 2).

use crate::error::{Error, Result};

/// Reads fields from a byte slice and knows where in the file it is.
#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    position: usize,
    /// File offset of `bytes[0]`.
    base: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: u64) -> Self {
        Cursor { bytes, position: 0, base }
    }

    /// File offset of the next byte.
    pub(crate) fn at_byte(&self) -> u64 {
        self.base + self.position as u64
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(crate) fn corrupt(&self, what: &'static str) -> Error {
        Error::Corrupt { at_byte: self.at_byte(), what }
    }

    /// The next `count` bytes; fewer left means that a checked payload is inconsistent.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        if count > self.remaining() {
            return Err(self.corrupt("a field reaches past its section"));
        }
        let taken = &self.bytes[self.position..self.position + count];
        self.position += count;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    pub(crate) fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// An unsigned LEB128 integer of at most ten bytes in its shortest form.
    pub(crate) fn varint(&mut self) -> Result<u64> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                if byte == 0 && shift > 0 {
                    return Err(self.corrupt("a varint is not in its shortest form"));
                }
                return Ok(value);
            }
        }
        Err(self.corrupt("a varint is too long"))
    }

    /// A varint that counts bytes or items and must fit `usize`.
    pub(crate) fn length(&mut self) -> Result<usize> {
        let value = self.varint()?;
        usize::try_from(value).map_err(|_| self.corrupt("a length does not fit this machine"))
    }

    pub(crate) fn string(&mut self) -> Result<&'a str> {
        let length = self.length()?;
        let bytes = self.take(length)?;
        std::str::from_utf8(bytes).map_err(|_| self.corrupt("a name is not UTF-8"))
    }

    /// Nothing may be left.
    pub(crate) fn finish(&self, what: &'static str) -> Result<()> {
        if self.remaining() == 0 { Ok(()) } else { Err(self.corrupt(what)) }
    }
}

pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

pub(crate) fn put_string(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn varints_round_trip_and_only_the_shortest_form_is_read() {
        for value in [0, 1, 127, 128, 300, 1 << 20, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            let mut cursor = Cursor::new(&bytes, 0);
            assert_eq!(cursor.varint(), Ok(value));
            assert_eq!(cursor.remaining(), 0);
        }
        assert!(Cursor::new(&[0x80, 0x00], 0).varint().is_err());
        assert!(Cursor::new(&[0xff; 10], 0).varint().is_err());
        assert!(Cursor::new(&[0xff; 3], 0).varint().is_err());
    }

    #[test]
    fn reading_past_the_end_names_the_place() {
        let mut cursor = Cursor::new(b"ab", 40);
        cursor.u8().expect("one byte");
        assert_eq!(
            cursor.f32(),
            Err(Error::Corrupt { at_byte: 41, what: "a field reaches past its section" })
        );
    }
}
