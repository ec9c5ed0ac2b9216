//! The trait that every row of the table goes through, and what a codec gives back.

use crate::contract::Contract;
use crate::source::Source;
use anyhow::Result;

/// A codec under test: the one trait of this project, because here there truly are many implementers.
///
/// What the two calls do is what is timed, so work that a rival does not have to answer for (writing the `.data`
/// file that it compresses) is done once in [`Source`].
pub trait Codec {
    /// Name of the whole chain, as printed in the column `codec`: `data-nameless+zstd`.
    fn name(&self) -> String;

    /// Level and other parameters, as printed in the column `settings`.
    fn settings(&self) -> String;

    /// What the codec promises about the samples that it gives back.
    fn contract(&self) -> Contract;

    /// The clip's encoded bytes: all that a decoder needs, shape and times included.
    ///
    /// # Errors
    /// Whatever the codec reports.
    fn encode(&self, source: &Source<'_>) -> Result<Vec<u8>>;

    /// Decodes what [`Codec::encode`] made.
    ///
    /// # Errors
    /// Whatever the codec reports; bytes of another origin are an error too.
    fn decode(&self, bytes: &[u8]) -> Result<Decoded>;
}

/// What a decoder gives back, before verification.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded {
    /// The clip itself.
    Samples {
        /// One array a component, as in [`sinew::Clip::samples`].
        samples: Vec<Vec<f32>>,
        /// One time a frame in seconds.
        times: Vec<f64>,
    },
    /// The bytes of a `.data` file, read only when they are verified: the row times the compressor alone.
    DataFile(Vec<u8>),
    /// A `.data` file already read: its times are the f32 nearest to the clip's.
    DataClip(Box<sinew::Clip>),
}

impl From<sinew::Clip> for Decoded {
    fn from(clip: sinew::Clip) -> Decoded {
        let times = clip.times.iter().collect();
        Decoded::Samples { samples: clip.samples, times }
    }
}
