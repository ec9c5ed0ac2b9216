//! pcodec, the nearest numeric codec: on the f32 samples when lossless, on the lattice's integers when bounded.

use super::byte_reader::ByteReader;
use super::lattice::Lattice;
use super::time_code::{encode_times, read_time_head};
use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::{Result, ensure};
use pco::data_types::Number;
use pco::wrapped::{FileCompressor, FileDecompressor};
use pco::{ChunkConfig, PagingSpec};

/// `pco`: one chunk a component in pco's wrapped format, which carries no frame of its own around each.
#[derive(Debug, Clone, Copy)]
pub struct Pco {
    /// Lossless, or the bound.
    pub contract: Contract,
}

/// pco's highest level.
const LEVEL: usize = 12;

impl Codec for Pco {
    fn name(&self) -> String {
        "pco".to_owned()
    }

    fn settings(&self) -> String {
        format!("level {LEVEL}, a chunk a track")
    }

    fn contract(&self) -> Contract {
        self.contract
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        let clip = source.clip;
        let times = encode_times(&clip.times, self.contract.time_tolerance_s());
        let mut out = Vec::new();
        out.extend(u32::try_from(clip.frames())?.to_le_bytes());
        out.extend(&times.head);
        let file = FileCompressor::default();
        match self.contract {
            Contract::Lossless => {
                out.extend(u32::try_from(clip.components())?.to_le_bytes());
                out = file.write_header(out)?;
                out = write_chunk(&file, &times.values, out)?;
                for samples in &clip.samples {
                    out = write_chunk(&file, samples, out)?;
                }
            }
            Contract::Bounded(_) => {
                let lattice = Lattice::of(clip, &self.contract)?;
                lattice.write_head(&mut out);
                out = file.write_header(out)?;
                out = write_chunk(&file, &times.values, out)?;
                for indices in &lattice.indices {
                    out = write_chunk(&file, indices, out)?;
                }
            }
        }
        Ok(out)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        let mut reader = ByteReader::new(bytes);
        let frames = reader.u32()? as usize;
        let time_head = read_time_head(&mut reader)?;
        let time_count = time_head.value_count(frames);
        match self.contract {
            Contract::Lossless => {
                let components = reader.u32()?;
                let (file, mut rest) = FileDecompressor::new(reader.remainder())?;
                let times = time_head.restore(&read_chunk(&file, &mut rest, time_count)?, frames);
                let samples =
                    (0..components).map(|_| read_chunk(&file, &mut rest, frames)).collect::<Result<_>>()?;
                Ok(Decoded::Samples { samples, times })
            }
            Contract::Bounded(_) => {
                let mut lattice = Lattice::read_head(&mut reader)?;
                let (file, mut rest) = FileDecompressor::new(reader.remainder())?;
                let times = time_head.restore(&read_chunk(&file, &mut rest, time_count)?, frames);
                lattice.indices = (0..lattice.components())
                    .map(|_| read_chunk(&file, &mut rest, frames))
                    .collect::<Result<_>>()?;
                Ok(Decoded::Samples { samples: lattice.samples(frames)?, times })
            }
        }
    }
}

/// Appends one chunk of one page. pco has no empty chunks; the count is known from the shape.
fn write_chunk<T: Number>(file: &FileCompressor, numbers: &[T], out: Vec<u8>) -> Result<Vec<u8>> {
    if numbers.is_empty() {
        return Ok(out);
    }
    let config = ChunkConfig::default()
        .with_compression_level(LEVEL)
        .with_paging_spec(PagingSpec::Exact(vec![numbers.len()]));
    let mut chunk = file.chunk_compressor(numbers, &config)?;
    let out = chunk.write_meta(out)?;
    Ok(chunk.write_page(0, out)?)
}

fn read_chunk<T: Number>(file: &FileDecompressor, rest: &mut &[u8], count: usize) -> Result<Vec<T>> {
    let mut numbers = vec![T::default(); count];
    if count > 0 {
        let (mut chunk, after_meta) = file.chunk_decompressor::<T, &[u8]>(rest)?;
        let mut page = chunk.page_decompressor(after_meta, count)?;
        let progress = page.read(&mut numbers)?;
        ensure!(progress.n_processed == count, "a chunk of {count} numbers ends early");
        *rest = page.into_src();
    }
    Ok(numbers)
}
