//! The clip as plain little-endian floats: what nothing but copying costs.

use super::byte_reader::ByteReader;
use super::planes::{read_planes, write_planes};
use super::time_code::{encode_times, read_time_head};
use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::Result;

/// `raw-f32`: shape, times, samples.
#[derive(Debug, Clone, Copy)]
pub struct Raw;

impl Codec for Raw {
    fn name(&self) -> String {
        "raw-f32".to_owned()
    }

    fn settings(&self) -> String {
        "component-major, with times".to_owned()
    }

    fn contract(&self) -> Contract {
        Contract::Lossless
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        let clip = source.clip;
        let times = encode_times(&clip.times, 0.0);
        let mut bytes = Vec::with_capacity(clip.frames() * (clip.components() + 2) * 4 + 64);
        bytes.extend(u32::try_from(clip.frames())?.to_le_bytes());
        bytes.extend(u32::try_from(clip.components())?.to_le_bytes());
        bytes.extend(&times.head);
        write_planes(&times.values, &mut bytes);
        for samples in &clip.samples {
            bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
        }
        Ok(bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        let mut reader = ByteReader::new(bytes);
        let (frames, components) = (reader.u32()? as usize, reader.u32()? as usize);
        let time_head = read_time_head(&mut reader)?;
        let times = time_head.restore(&read_planes(&mut reader, time_head.value_count(frames))?, frames);
        let samples = (0..components).map(|_| reader.f32s(frames)).collect::<Result<_>>()?;
        reader.finish()?;
        Ok(Decoded::Samples { samples, times })
    }
}
