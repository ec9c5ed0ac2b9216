//! MessagePack for C#'s own compressed form, `Lz4BlockArray`: what a Unity recorder gets by one option.
//!
//! The file is one MessagePack array. Its first element is an extension of type 98 whose body is the plain length of
//! each block as a MessagePack integer; one binary string a block follows. Any `.data` reader that knows the form
//! reads the result.

use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::{Context, Result, bail, ensure};
use sinew::data::DataMode;
use std::io::Read;

/// Extension type of the form.
const EXTENSION_TYPE: i8 = 98;
/// The library compresses its write buffers one by one, and they are this long.
const BLOCK_BYTES: usize = 32 * 1024;
/// Shorter files stay plain, as the library leaves them.
const SMALLEST_COMPRESSED: usize = 64;

/// `data-named+lz4` and `data-nameless+lz4`.
#[derive(Debug, Clone, Copy)]
pub struct Lz4BlockArray {
    /// Which file is compressed.
    pub mode: DataMode,
}

impl Codec for Lz4BlockArray {
    fn name(&self) -> String {
        match self.mode {
            DataMode::Named => "data-named+lz4".to_owned(),
            DataMode::Nameless => "data-nameless+lz4".to_owned(),
        }
    }

    fn settings(&self) -> String {
        "Lz4BlockArray, blocks of 32 KiB".to_owned()
    }

    fn contract(&self) -> Contract {
        Contract::Lossless
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        compress(source.data_file(self.mode)?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        Ok(Decoded::DataFile(decompress(bytes)?))
    }
}

fn compress(plain: &[u8]) -> Result<Vec<u8>> {
    if plain.len() < SMALLEST_COMPRESSED {
        return Ok(plain.to_vec());
    }
    let blocks = plain.chunks(BLOCK_BYTES);
    let mut lengths = Vec::new();
    for block in blocks.clone() {
        rmp::encode::write_uint(&mut lengths, block.len() as u64)?;
    }
    let mut out = Vec::new();
    rmp::encode::write_array_len(&mut out, u32::try_from(blocks.len() + 1)?)?;
    rmp::encode::write_ext_meta(&mut out, u32::try_from(lengths.len())?, EXTENSION_TYPE)?;
    out.extend(lengths);
    for block in blocks {
        rmp::encode::write_bin(&mut out, &lz4_flex::block::compress(block))?;
    }
    Ok(out)
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut rest = bytes;
    let elements = rmp::decode::read_array_len(&mut rest).context("no array")?;
    let lengths = match rmp::decode::read_ext_meta(&mut rest) {
        Ok(meta) if meta.typeid == EXTENSION_TYPE => {
            let (lengths, after) =
                rest.split_at_checked(meta.size as usize).context("the block lengths end early")?;
            rest = after;
            lengths
        }
        // A plain file: its first element is a frame, an array.
        _ if bytes.len() < SMALLEST_COMPRESSED => return Ok(bytes.to_vec()),
        _ => bail!("no Lz4BlockArray"),
    };
    let (mut lengths, mut plain) = (lengths, Vec::new());
    for _ in 1..elements {
        let length: usize = rmp::decode::read_int(&mut lengths).context("a block has no length")?;
        ensure!(length <= BLOCK_BYTES, "a block of {length} bytes");
        let packed = rmp::decode::read_bin_len(&mut rest).context("no binary string")?;
        let mut block = Vec::new();
        rest.by_ref().take(u64::from(packed)).read_to_end(&mut block)?;
        plain.extend(lz4_flex::block::decompress(&block, length)?);
    }
    ensure!(rest.is_empty() && lengths.is_empty(), "bytes are left after the last block");
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_clips;

    #[test]
    fn every_length_about_the_block_size_comes_back() {
        for length in [0, 1, 63, 64, 127, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES + 5]
        {
            // The head of an empty array of arrays, as a `.data` file has, then filling.
            let plain: Vec<u8> =
                [0x91].into_iter().chain((1..length.max(1)).map(|i| (i % 7) as u8)).collect();
            assert_eq!(decompress(&compress(&plain).expect("compresses")).expect("reads"), plain, "{length}");
        }
    }

    #[test]
    fn the_codec_crate_reads_the_form_as_a_data_file() {
        let clip = test_clips::smooth(60);
        let source = Source::new(&clip).expect("valid");
        for mode in [DataMode::Named, DataMode::Nameless] {
            let bytes = Lz4BlockArray { mode }.encode(&source).expect("encodes");
            let file = sinew::data::read(bytes.as_slice()).expect("a .data file in LZ4 form");
            assert!(file.clip.bits_equal(&clip));
        }
    }
}
