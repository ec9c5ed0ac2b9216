//! Writing a clip in any format.

use crate::error::Result;
use crate::note::Note;
use crate::registry::{Format, Progress};
use sinew::data::DataMode;
use sinew::{Clip, EncodeConfig};
use std::io::Write;

/// What a writer is asked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WriteOptions {
    /// Naming mode of a `.data` target; `None` takes the one that the clip's metadata keeps, else nameless.
    pub mode: Option<DataMode>,
    /// How to encode a `.sinew` target.
    pub encode: EncodeConfig,
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
