//! This project's own codec, under the same rules as everyone.

use crate::codec::{Codec, Decoded};
use crate::contract::Contract;
use crate::source::Source;
use anyhow::Result;
use sinew::{Effort, EncodeConfig, Fidelity, Naming};

/// `sinew-fast`, `sinew-balanced`, `sinew-max`, and their named forms.
#[derive(Debug, Clone, Copy)]
pub struct SinewCodec {
    /// Lossless, or the bound.
    pub contract: Contract,
    /// How much work to do.
    pub effort: Effort,
    /// Whether names are stored.
    pub naming: Naming,
}

impl SinewCodec {
    fn config(&self) -> EncodeConfig {
        let fidelity = match self.contract {
            Contract::Lossless => Fidelity::Lossless,
            Contract::Bounded(bounds) => Fidelity::Bounded(bounds),
        };
        EncodeConfig { fidelity, effort: self.effort, naming: self.naming, ..EncodeConfig::default() }
    }
}

impl Codec for SinewCodec {
    fn name(&self) -> String {
        let effort = format!("{:?}", self.effort).to_lowercase();
        match self.naming {
            Naming::Nameless => format!("sinew-{effort}"),
            Naming::Named => format!("sinew-{effort}-named"),
        }
    }

    fn settings(&self) -> String {
        format!("blocks of {} frames", self.config().frames_per_block())
    }

    fn contract(&self) -> Contract {
        self.contract
    }

    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>> {
        Ok(sinew::encode(source.clip, &self.config())?)
    }

    fn decode(&self, bytes: &[u8]) -> Result<Decoded> {
        Ok(sinew::decode(bytes)?.into())
    }
}
