//! Writing a clip in any format.

use crate::error::Result;
use crate::note::Note;
use crate::registry::{Format, Progress};
use crate::skeleton::HumanRig;
use crate::unity_anim::AnimOptions;
use sinew::data::DataMode;
use sinew::{Clip, EncodeConfig};
use std::io::Write;
use std::sync::Arc;

/// What a writer is asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WriteOptions {
    /// Naming mode of a `.data` target; `None` takes the one that the clip's metadata keeps, else nameless.
    pub mode: Option<DataMode>,
    /// How to encode a `.sinew` target.
    pub encode: EncodeConfig,
    /// How to write an `.anim`, alone or in a package.
    pub anim: AnimOptions,
    /// The skeleton on which a humanoid clip is posed for a target that holds skeletons; `None` is the reference
    /// skeleton.
    pub rig: Option<Arc<HumanRig>>,
}

/// Writes `clip` in `format`. A format's second file is written by [`Format::write_companion`].
///
/// # Errors
/// What the system or the format's writer refuses; nothing is known of the bytes already written then.
pub fn write(
    clip: &Clip,
    format: Format,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    (format.entry().write)(clip, options, sink, progress)
}
