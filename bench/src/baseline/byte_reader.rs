//! Reads the baselines' own headers without ever reading past the end.

use anyhow::{Context, Result, ensure};

/// What is left of a byte string.
pub(super) struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { rest: bytes }
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(count).context("the bytes end early")?;
        self.rest = rest;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into().expect("take gives the length asked for"))
    }

    pub(super) fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u16(&mut self) -> Result<u16> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_le_bytes(self.array()?))
    }

    /// `count` f32 values.
    pub(super) fn f32s(&mut self, count: usize) -> Result<Vec<f32>> {
        let bytes = self.take(count.checked_mul(4).context("too many samples")?)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect())
    }

    /// All that is left.
    pub(super) fn remainder(self) -> &'a [u8] {
        self.rest
    }

    /// Nothing may be left.
    pub(super) fn finish(self) -> Result<()> {
        ensure!(self.rest.is_empty(), "{} bytes too many", self.rest.len());
        Ok(())
    }
}
