//! The strong simple rival: lattice, second time difference, zigzag, byte planes, then a byte compressor.

use super::byte_coder::ByteCoder;
use super::byte_reader::ByteReader;
use super::lattice::Lattice;
use super::planes::{read_differences, read_planes, write_differences, write_planes};
use super::time_code::{encode_times, read_time_head};
use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::Result;

/// `d2+…` at one bound.
#[derive(Debug, Clone, Copy)]
pub struct SecondDifference {
    /// What makes the bytes small in the end.
    pub coder: ByteCoder,
    /// The bound.
    pub contract: Contract,
}

impl Codec for SecondDifference {
    fn name(&self) -> String {
        format!("d2+{}", self.coder.name())
    }

    fn settings(&self) -> String {
        self.coder.settings().to_owned()
    }

    fn contract(&self) -> Contract {
        self.contract
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        let lattice = Lattice::of(source.clip, &self.contract)?;
        let times = encode_times(&source.clip.times, self.contract.time_tolerance_s());
        let mut bytes = Vec::new();
        bytes.extend(u32::try_from(source.clip.frames())?.to_le_bytes());
        bytes.extend(&times.head);
        lattice.write_head(&mut bytes);
        write_planes(&times.values, &mut bytes);
        write_differences(lattice.indices.iter().map(|indices| indices.iter().copied()), &mut bytes);
        self.coder.compress(&bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        let bytes = self.coder.decompress(bytes)?;
        let mut reader = ByteReader::new(&bytes);
        let frames = reader.u32()? as usize;
        let time_head = read_time_head(&mut reader)?;
        let mut lattice = Lattice::read_head(&mut reader)?;
        let times = time_head.restore(&read_planes(&mut reader, time_head.value_count(frames))?, frames);
        lattice.indices = read_differences(&mut reader, lattice.components(), frames, |index| index)?;
        reader.finish()?;
        Ok(Decoded::Samples { samples: lattice.samples(frames)?, times })
    }
}
