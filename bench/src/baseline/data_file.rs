//! `.data`, the recorder format: as it is, and through general compressors.

use super::byte_coder::ByteCoder;
use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::Result;
use sinew::data::{self, DataMode};

fn chain_start(mode: DataMode) -> &'static str {
    match mode {
        DataMode::Named => "data-named",
        DataMode::Nameless => "data-nameless",
    }
}

/// `data-named` and `data-nameless`: MessagePack itself is what is timed.
#[derive(Debug, Clone, Copy)]
pub struct DataFileCodec {
    /// Whether each value carries its muscle's name.
    pub mode: DataMode,
}

impl Codec for DataFileCodec {
    fn name(&self) -> String {
        chain_start(self.mode).to_owned()
    }

    fn settings(&self) -> String {
        "MessagePack".to_owned()
    }

    fn contract(&self) -> Contract {
        Contract::Lossless
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        data::write(source.clip, self.mode, &mut bytes)?;
        Ok(bytes)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        Ok(Decoded::DataClip(Box::new(data::read(bytes)?.clip)))
    }
}

/// `data-named+…` and `data-nameless+…`: the compressor on the finished file is what is timed.
#[derive(Debug, Clone, Copy)]
pub struct DataChain {
    /// Which file is compressed.
    pub mode: DataMode,
    /// The compressor.
    pub coder: ByteCoder,
}

impl Codec for DataChain {
    fn name(&self) -> String {
        format!("{}+{}", chain_start(self.mode), self.coder.name())
    }

    fn settings(&self) -> String {
        self.coder.settings().to_owned()
    }

    fn contract(&self) -> Contract {
        Contract::Lossless
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        self.coder.compress(source.data_file(self.mode)?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        Ok(Decoded::DataFile(self.coder.decompress(bytes)?))
    }
}
