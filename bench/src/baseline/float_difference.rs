//! The same transform for lossless f32: ordered integers, second difference, zigzag, byte planes, byte compressor.

use super::byte_coder::ByteCoder;
use super::byte_reader::ByteReader;
use super::planes::{read_differences, read_planes, write_differences, write_planes};
use super::time_code::{encode_times, read_time_head};
use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::Result;

/// `f32-d2+…`.
#[derive(Debug, Clone, Copy)]
pub struct FloatDifference {
    /// What makes the bytes small in the end.
    pub coder: ByteCoder,
}

/// Integers in the order of the floats: negative numbers count down from -1.
fn ordered(sample: f32) -> i32 {
    let bits = sample.to_bits() as i32;
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}

/// Undoes [`ordered`]: the map is its own inverse, because it keeps the sign bit.
fn unordered(value: i32) -> f32 {
    f32::from_bits((value ^ ((value >> 31) as u32 >> 1) as i32) as u32)
}

impl Codec for FloatDifference {
    fn name(&self) -> String {
        format!("f32-d2+{}", self.coder.name())
    }

    fn settings(&self) -> String {
        self.coder.settings().to_owned()
    }

    fn contract(&self) -> Contract {
        Contract::Lossless
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        let clip = source.clip;
        let times = encode_times(&clip.times, 0.0);
        let mut bytes = Vec::new();
        bytes.extend(u32::try_from(clip.frames())?.to_le_bytes());
        bytes.extend(u32::try_from(clip.components())?.to_le_bytes());
        bytes.extend(&times.head);
        write_planes(&times.values, &mut bytes);
        write_differences(clip.samples.iter().map(|samples| samples.iter().map(|&x| ordered(x))), &mut bytes);
        self.coder.compress(&bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        let bytes = self.coder.decompress(bytes)?;
        let mut reader = ByteReader::new(&bytes);
        let (frames, components) = (reader.u32()? as usize, reader.u32()? as usize);
        let time_head = read_time_head(&mut reader)?;
        let times = time_head.restore(&read_planes(&mut reader, time_head.value_count(frames))?, frames);
        let samples = read_differences(&mut reader, components, frames, unordered)?;
        reader.finish()?;
        Ok(Decoded::Samples { samples, times })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integer_order_is_the_float_order_and_every_bit_returns() {
        let rising = [f32::NEG_INFINITY, -1.0, -1.0e-40, -0.0, 0.0, 1.0e-40, 1.0, f32::INFINITY];
        assert!(rising.windows(2).all(|pair| ordered(pair[0]) < ordered(pair[1])));
        assert_eq!((ordered(-0.0), ordered(0.0)), (-1, 0));
        for bits in [0, 1, 0x8000_0000, 0x7fc0_0001, 0xffff_ffff, 0x3f80_0000, 0xbf80_0000] {
            assert_eq!(unordered(ordered(f32::from_bits(bits))).to_bits(), bits);
        }
    }
}
