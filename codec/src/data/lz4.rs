//! MessagePack-CSharp's LZ4 forms, unpacked as a stream.
//!
//! `Lz4Block` is one extension 99 that holds the plain length and a raw LZ4 block; `Lz4BlockArray` is an array of an
//! extension 98, which holds the blocks' plain lengths, and of one binary a block.
//!
//! The sequences are expanded here and not by lz4_flex, because that needs the whole plain block as one buffer of
//! the length the file claims, and gives nothing back of a block that is cut. This way memory is 64 KiB of history
//! whatever is claimed, and every byte before the fault can be recovered.

use super::format_error;
use super::skip::ItemHeader;
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};

/// Extension type of a single block.
pub(super) const EXT_BLOCK: i8 = 99;
/// Extension type of the list of plain lengths before an array of blocks.
pub(super) const EXT_BLOCK_ARRAY: i8 = 98;

/// How far back a match may reach.
const HISTORY_BYTES: usize = 64 * 1024;
/// Plain bytes unpacked at a time.
const BATCH_BYTES: usize = 128 * 1024;
/// Most blocks of an array. MessagePack-CSharp makes them of 32 KiB, so this is 32 GiB.
const MAX_BLOCKS: usize = 1 << 20;
/// No LZ4 sequence gives more than 255 plain bytes for a packed one, and a little for its fixed part.
const MAX_EXPANSION: u64 = 255;

/// Unpacks an LZ4 form from `input`; reads as the plain MessagePack.
pub(super) struct Lz4Reader<R> {
    input: BufReader<R>,
    /// Packed bytes read so far: the place of a fault.
    at: u64,
    /// Plain lengths of blocks to come, of an array.
    lengths: VecDeque<u64>,
    packed_left: u64,
    plain_left: u64,
    step: Step,
    plain: Vec<u8>,
    served: usize,
    /// Plain bytes of this block, as far as a match can reach: blocks know nothing of each other.
    reachable: usize,
    fault: Option<Error>,
}

/// Where in a sequence the unpacking stands.
enum Step {
    Token,
    Literals { left: u64, match_code: u8 },
    Match { offset: usize, left: u64 },
}

impl<R: Read> Lz4Reader<R> {
    /// Reads the headers before the first block.
    pub(super) fn open(input: R) -> Result<Self> {
        let mut reader = Lz4Reader {
            input: BufReader::with_capacity(BATCH_BYTES, input),
            at: 0,
            lengths: VecDeque::new(),
            packed_left: 0,
            plain_left: 0,
            step: Step::Token,
            plain: Vec::new(),
            served: 0,
            reachable: 0,
            fault: None,
        };
        let (root, _) = reader.header()?;
        if root.is_array() {
            reader.read_lengths(root.children)?;
        } else {
            reader.packed_left = root.payload_bytes;
            let claimed = reader.length()?;
            reader.begin_block(claimed)?;
        }
        Ok(reader)
    }

    /// Bytes after the last block, which are used up by this.
    pub(super) fn trailing(mut self) -> Result<u64> {
        Ok(io::copy(&mut self.input, &mut io::sink())?)
    }

    /// The list of plain lengths of the `items - 1` blocks that follow it.
    fn read_lengths(&mut self, items: u64) -> Result<()> {
        let (list, kind) = self.header()?;
        if kind != Some(EXT_BLOCK_ARRAY) {
            return Err(self.error("the LZ4 array does not start with extension 98"));
        }
        self.packed_left = list.payload_bytes;
        while self.packed_left > 0 {
            let length = self.length()?;
            self.lengths.push_back(length);
            if self.lengths.len() > MAX_BLOCKS {
                return Err(self.error(format!("more than {MAX_BLOCKS} LZ4 blocks")));
            }
        }
        if self.lengths.len() as u64 != items.saturating_sub(1) {
            let what = format!("{} LZ4 blocks but {} lengths", items.saturating_sub(1), self.lengths.len());
            return Err(self.error(what));
        }
        Ok(())
    }

    /// Takes a plain length (a MessagePack integer) out of the packed bytes.
    fn length(&mut self) -> Result<u64> {
        let before = self.at;
        let marker = self.byte()?;
        let size = match marker {
            0x00..=0x7f => 0,
            0xcc | 0xd0 => 1,
            0xcd | 0xd1 => 2,
            0xce | 0xd2 => 4,
            0xcf | 0xd3 => 8,
            _ => return Err(self.error(format!("the LZ4 length has marker {marker:02x}, not an integer's"))),
        };
        let mut value = if size == 0 { u64::from(marker) } else { 0 };
        for _ in 0..size {
            value = value << 8 | u64::from(self.byte()?);
        }
        if marker >= 0xd0 {
            let unused_bits = 64 - 8 * size;
            let signed = (value as i64) << unused_bits >> unused_bits;
            if signed < 0 {
                return Err(self.error(format!("the LZ4 length is negative: {signed}")));
            }
        }
        let used = self.at - before;
        self.packed_left =
            self.packed_left.checked_sub(used).ok_or_else(|| self.error("the LZ4 length is cut"))?;
        Ok(value)
    }

    fn begin_block(&mut self, claimed: u64) -> Result<()> {
        if claimed > self.packed_left.saturating_mul(MAX_EXPANSION).saturating_add(64) {
            let what = format!("{} LZ4 bytes cannot hold the claimed {claimed}", self.packed_left);
            return Err(self.error(what));
        }
        self.plain_left = claimed;
        self.reachable = 0;
        self.step = Step::Token;
        Ok(())
    }

    /// Goes on to the next block of an array; false after the last.
    fn next_block(&mut self) -> Result<bool> {
        let Some(claimed) = self.lengths.pop_front() else { return Ok(false) };
        let (header, _) = self.header()?;
        if !header.is_binary() {
            return Err(self.error("an LZ4 block is not a binary"));
        }
        self.packed_left = header.payload_bytes;
        self.begin_block(claimed)?;
        Ok(true)
    }

    /// Unpacks about [`BATCH_BYTES`]; false at the end of the last block.
    fn unpack(&mut self) -> Result<bool> {
        let keep = self.plain.len().min(HISTORY_BYTES);
        self.plain.drain(..self.plain.len() - keep);
        self.served = keep;
        while self.plain.len() < keep + BATCH_BYTES {
            let room = (keep + BATCH_BYTES - self.plain.len()) as u64;
            match self.step {
                Step::Token if self.packed_left == 0 => {
                    if self.plain_left > 0 {
                        let what = format!("the LZ4 block ends {} bytes before its length", self.plain_left);
                        return Err(self.error(what));
                    }
                    if !self.next_block()? {
                        return Ok(self.plain.len() > keep);
                    }
                }
                Step::Token => {
                    let token = self.packed_byte()?;
                    let left = self.run(token >> 4)?;
                    self.step = Step::Literals { left, match_code: token & 15 };
                }
                Step::Literals { left: 0, match_code } => {
                    // The last sequence has no match.
                    self.step =
                        if self.packed_left == 0 { Step::Token } else { self.begin_match(match_code)? };
                }
                Step::Literals { left, match_code } => {
                    let count = self.copy_literals(left.min(room))?;
                    self.step = Step::Literals { left: left - count, match_code };
                }
                Step::Match { left: 0, .. } => self.step = Step::Token,
                Step::Match { offset, left } => {
                    // An overlapping match repeats what it writes: at most `offset` bytes can be copied at a
                    // time. The repeat then stands there twice and the next copy may be of both.
                    let count = left.min(room).min(offset as u64) as usize;
                    let from = self.plain.len() - offset;
                    self.plain.extend_from_within(from..from + count);
                    self.reachable = (self.reachable + count).min(HISTORY_BYTES);
                    let doubles = count == offset && 2 * offset <= HISTORY_BYTES;
                    let offset = if doubles { 2 * offset } else { offset };
                    self.step = Step::Match { offset, left: left - count as u64 };
                }
            }
        }
        Ok(true)
    }

    /// Length of a run from its four-bit code and the bytes that extend it, taken off what the block may give.
    fn run(&mut self, code: u8) -> Result<u64> {
        let mut length = u64::from(code);
        if code == 15 {
            loop {
                let byte = self.packed_byte()?;
                length += u64::from(byte);
                if byte != 255 {
                    break;
                }
            }
        }
        self.plain_left = self
            .plain_left
            .checked_sub(length)
            .ok_or_else(|| self.error("the LZ4 block gives more bytes than its length"))?;
        Ok(length)
    }

    fn begin_match(&mut self, code: u8) -> Result<Step> {
        let offset = usize::from(u16::from_le_bytes([self.packed_byte()?, self.packed_byte()?]));
        if offset == 0 || offset > self.reachable {
            return Err(self.error(format!("an LZ4 match reaches {offset} bytes back, before its block")));
        }
        // Four bytes are the shortest match; the code counts from there.
        let left = self.run(code)? + 4;
        self.plain_left = self
            .plain_left
            .checked_sub(4)
            .ok_or_else(|| self.error("the LZ4 block gives more bytes than its length"))?;
        Ok(Step::Match { offset, left })
    }

    fn copy_literals(&mut self, wanted: u64) -> Result<u64> {
        if wanted > self.packed_left {
            return Err(self.error("the LZ4 block ends inside a run of bytes"));
        }
        let count = io::copy(&mut self.input.by_ref().take(wanted), &mut self.plain)?;
        self.at += count;
        self.packed_left -= count;
        self.reachable = (self.reachable + count as usize).min(HISTORY_BYTES);
        if count < wanted {
            return Err(self.error("the file ends inside an LZ4 block"));
        }
        Ok(count)
    }

    fn packed_byte(&mut self) -> Result<u8> {
        self.packed_left = self
            .packed_left
            .checked_sub(1)
            .ok_or_else(|| self.error("the LZ4 block ends inside a sequence"))?;
        self.byte()
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = self.input.fill_buf()?.first().copied();
        let byte = byte.ok_or_else(|| self.error("the file ends inside an LZ4 block"))?;
        self.input.consume(1);
        self.at += 1;
        Ok(byte)
    }

    /// Reads an item's header and, of an extension, its type.
    fn header(&mut self) -> Result<(ItemHeader, Option<i8>)> {
        let mut bytes = Vec::with_capacity(8);
        loop {
            let byte = self.byte()?;
            bytes.push(byte);
            if let Some(header) =
                ItemHeader::parse(&bytes).filter(|header| header.header_bytes <= bytes.len())
            {
                return Ok((header, header.extension_type(&bytes)));
            }
        }
    }

    fn error(&self, what: impl Into<String>) -> Error {
        format_error(None, None, self.at, what)
    }
}

impl<R: Read> Read for Lz4Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.served == self.plain.len() {
            // Bytes before a fault are served first: they may end a whole frame.
            if let Some(fault) = &self.fault {
                return Err(io::Error::other(fault.clone()));
            }
            if let Err(fault) = self.unpack() {
                self.fault = Some(fault);
                return self.read(buffer);
            }
        }
        let count = buffer.len().min(self.plain.len() - self.served);
        buffer[..count].copy_from_slice(&self.plain[self.served..self.served + count]);
        self.served += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Extension 99 around one raw block that claims to give `plain_bytes`.
    fn extension(plain_bytes: usize, block: &[u8]) -> Vec<u8> {
        let payload = [&[0xce][..], &(plain_bytes as u32).to_be_bytes(), block].concat();
        [&[0xc9][..], &(payload.len() as u32).to_be_bytes(), &[EXT_BLOCK as u8], &payload].concat()
    }

    fn unpacked(form: &[u8]) -> Result<Vec<u8>> {
        let mut plain = Vec::new();
        Lz4Reader::open(form)?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    /// Bytes with runs, repeats of any distance and noise: pieces that are themselves repeated.
    fn plain_bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            prop::collection::vec(any::<u8>(), 0..2000),
            prop::collection::vec(0u8..3, 0..2000),
            any::<u8>().prop_map(|byte| vec![byte; 700]),
        ];
        let repeated = (piece, 1usize..200).prop_map(|(piece, times)| piece.repeat(times));
        prop::collection::vec(repeated, 0..5).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_lz4_flex_packs_is_unpacked(plain in plain_bytes()) {
            let block = lz4_flex::block::compress(&plain);
            prop_assert!(unpacked(&extension(plain.len(), &block)) == Ok(plain));
        }

        #[test]
        fn changed_blocks_are_unpacked_as_lz4_flex_does_or_refused(
            plain in prop::collection::vec(0u8..4, 20..600),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut block = lz4_flex::block::compress(&plain);
            for (index, byte) in changes {
                let at = index.index(block.len());
                block[at] = byte;
            }
            let reference = lz4_flex::block::decompress(&block, plain.len());
            if let (Ok(ours), Ok(theirs)) = (unpacked(&extension(plain.len(), &block)), reference) {
                prop_assert!(ours == theirs);
            }
        }

        #[test]
        fn rubbish_is_refused_or_gives_what_it_claims(
            block in prop::collection::vec(any::<u8>(), 0..300),
            claimed in 0usize..5000,
        ) {
            if let Ok(plain) = unpacked(&extension(claimed, &block)) {
                prop_assert_eq!(plain.len(), claimed);
            }
        }
    }
}
