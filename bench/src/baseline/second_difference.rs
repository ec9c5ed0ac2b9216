//! The strong simple rival: lattice, second time difference, zigzag, byte planes, then a byte compressor.

use super::byte_coder::ByteCoder;
use super::byte_reader::ByteReader;
use super::difference::{second_difference, undo_second_difference, unzigzag, zigzag};
use super::lattice::Lattice;
use super::planes::{read_planes, write_planes};
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
        let residuals: Vec<u32> = lattice
            .indices
            .iter()
            .flat_map(|indices| second_difference(indices.iter().copied()).map(zigzag))
            .collect();
        write_planes(&residuals, &mut bytes);
        self.coder.compress(&bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        let bytes = self.coder.decompress(bytes)?;
        let mut reader = ByteReader::new(&bytes);
        let frames = reader.u32()? as usize;
        let time_head = read_time_head(&mut reader)?;
        let mut lattice = Lattice::read_head(&mut reader)?;
        let times = time_head.restore(&read_planes(&mut reader, time_head.value_count(frames))?, frames);
        let residuals = read_planes(&mut reader, lattice.components() * frames)?;
        reader.finish()?;
        lattice.indices = (0..lattice.components())
            .map(|component| {
                let of_component = &residuals[component * frames..(component + 1) * frames];
                undo_second_difference(of_component.iter().map(|&value| unzigzag(value))).collect()
            })
            .collect();
        Ok(Decoded::Samples { samples: lattice.samples(frames)?, times })
    }
}
