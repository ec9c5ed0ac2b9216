//! General byte compressors at the level that makes their smallest files, one thread each.

use anyhow::Result;
use std::io::{Read, Write};

/// A byte compressor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteCoder {
    /// DEFLATE with the gzip frame, level 9.
    Gzip,
    /// zstd, level 19.
    Zstd,
    /// LZMA2 with the `.xz` frame, preset 9 extreme.
    Xz,
    /// brotli, quality 11, window 2^24.
    Brotli,
}

/// Largest window that every brotli decoder accepts; the reach of the shorter default would hold it back on long clips.
const BROTLI_WINDOW_LOG: i32 = 24;

impl ByteCoder {
    /// All of them, fastest first.
    pub const ALL: [ByteCoder; 4] = [ByteCoder::Gzip, ByteCoder::Zstd, ByteCoder::Xz, ByteCoder::Brotli];

    /// Name within a chain.
    pub fn name(self) -> &'static str {
        match self {
            ByteCoder::Gzip => "gzip",
            ByteCoder::Zstd => "zstd",
            ByteCoder::Xz => "xz",
            ByteCoder::Brotli => "brotli",
        }
    }

    /// Level and parameters.
    pub fn settings(self) -> &'static str {
        match self {
            ByteCoder::Gzip => "level 9",
            ByteCoder::Zstd => "level 19",
            ByteCoder::Xz => "preset 9e",
            ByteCoder::Brotli => "quality 11, window 2^24",
        }
    }

    /// Compresses.
    ///
    /// # Errors
    /// Whatever the library reports.
    pub fn compress(self, bytes: &[u8]) -> Result<Vec<u8>> {
        Ok(match self {
            ByteCoder::Gzip => {
                let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
                encoder.write_all(bytes)?;
                encoder.finish()?
            }
            ByteCoder::Zstd => zstd::bulk::compress(bytes, 19)?,
            ByteCoder::Xz => {
                let mut out = Vec::new();
                let preset = 9 | liblzma::stream::PRESET_EXTREME;
                liblzma::bufread::XzEncoder::new(bytes, preset).read_to_end(&mut out)?;
                out
            }
            ByteCoder::Brotli => {
                let mut out = Vec::new();
                let params = brotli::enc::BrotliEncoderParams {
                    quality: 11,
                    lgwin: BROTLI_WINDOW_LOG,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &bytes[..], &mut out, &params)?;
                out
            }
        })
    }

    /// Undoes [`ByteCoder::compress`].
    ///
    /// # Errors
    /// Whatever the library reports.
    pub fn decompress(self, bytes: &[u8]) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        match self {
            ByteCoder::Gzip => {
                flate2::bufread::GzDecoder::new(bytes).read_to_end(&mut out)?;
            }
            ByteCoder::Zstd => {
                zstd::stream::copy_decode(bytes, &mut out)?;
            }
            ByteCoder::Xz => {
                liblzma::bufread::XzDecoder::new(bytes).read_to_end(&mut out)?;
            }
            ByteCoder::Brotli => {
                brotli::BrotliDecompress(&mut &bytes[..], &mut out)?;
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coder_returns_the_bytes_and_makes_repetition_small() {
        let repeated: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        for coder in ByteCoder::ALL {
            for bytes in [&[][..], b"x", &repeated] {
                let packed = coder.compress(bytes).expect("compresses");
                assert_eq!(coder.decompress(&packed).expect("decompresses"), bytes, "{coder:?}");
            }
            assert!(coder.compress(&repeated).expect("compresses").len() < 2_000, "{coder:?}");
        }
    }
}
