//! Plain bit fields, lowest bit first (FORMAT section 7.13).

/// Most bits of one field.
pub(crate) const MAX_FIELD: u32 = 24;

/// Writes fields one after the other.
#[derive(Default)]
pub(crate) struct FieldWriter {
    bytes: Vec<u8>,
    pending: u64,
    bits: u32,
}

impl FieldWriter {
    /// Appends the low `width` bits of `value`, at most [`MAX_FIELD`], which has no others.
    pub(crate) fn put(&mut self, value: u32, width: u32) {
        debug_assert!(width <= MAX_FIELD && u64::from(value) < 1 << width);
        self.pending |= u64::from(value) << self.bits;
        self.bits += width;
        while self.bits >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.bits -= 8;
        }
    }

    /// The bytes; unused bits of the last one are 0.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if self.bits > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Reads fields one after the other; zeros past the end.
pub(crate) struct FieldReader<'a> {
    bytes: &'a [u8],
    at_bit: usize,
}

impl<'a> FieldReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        FieldReader { bytes, at_bit: 0 }
    }

    /// The next `width` bits, at most [`MAX_FIELD`].
    #[inline]
    pub(crate) fn take(&mut self, width: u32) -> u32 {
        let at = self.at_bit / 8;
        let word = match self.bytes.get(at..).and_then(<[u8]>::first_chunk::<4>) {
            Some(bytes) => u32::from_le_bytes(*bytes),
            None => {
                let mut word = 0;
                for (place, &byte) in self.bytes.get(at..).unwrap_or(&[]).iter().enumerate() {
                    word |= u32::from(byte) << (8 * place);
                }
                word
            }
        };
        let value = word >> (self.at_bit % 8) & ((1 << width) - 1);
        self.at_bit += width as usize;
        value
    }

    /// Whether exactly all bytes were read.
    pub(crate) fn is_done(&self) -> bool {
        self.at_bit.div_ceil(8) == self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_every_width_come_back() {
        let fields: Vec<(u32, u32)> =
            (0..500u32).map(|i| (i % 25, i.wrapping_mul(2_654_435_761) & ((1 << (i % 25)) - 1))).collect();
        let mut writer = FieldWriter::default();
        for &(width, value) in &fields {
            writer.put(value, width);
        }
        let bytes = writer.finish();
        let mut reader = FieldReader::new(&bytes);
        for &(width, value) in &fields {
            assert!(!reader.is_done() || width == 0);
            assert_eq!(reader.take(width), value);
        }
        assert!(reader.is_done());
        reader.take(24);
        assert!(!reader.is_done());
    }
}
