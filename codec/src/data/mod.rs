//! The recorder format `.data`: MuscleCompressor's MessagePack, read and written in both naming modes.
//!
//! A file is an array of frames; a frame is `[GUID, time, values]`: a text, a float32 in seconds, and an array of
//! pairs `[name, float32]`. In **named** mode the names are AnimationClip properties; in **nameless** mode ("high
//! compression") every name is empty and the muscle is the entry's number.
//!
//! Files of the recorder come back byte for byte. Reading is lenient to other writers: any MessagePack number type,
//! wide headers, nil texts, objects as maps with keys, and the LZ4 forms of MessagePack-CSharp. What such a file
//! means is kept exactly or reported in [`DataFile::losses`]; its bytes are normalised when written
//! ([`DataFile::exact`] is false).
//!
//! Frames are read one at a time from any [`Read`]: memory is the clip's, whatever a header declares.
//! A frame has at most 16 MiB and 65,536 entries.
//!
//! ```
//! use sinew::data::{self, DataMode};
//! let bytes = [0x91, 0x93, 0xa1, b'G', 0xca, 0x3f, 0x80, 0, 0, 0x91, 0x92, 0xa1, b'x', 0xca, 0x3f, 0, 0, 0];
//! let file = data::read(&bytes[..])?;
//! assert_eq!((file.clip.tracks[0].name(), file.clip.samples[0][0]), ("x", 0.5));
//! assert!(file.exact);
//! let mut again = Vec::new();
//! data::write(&file.clip, DataMode::Named, &mut again)?;
//! assert_eq!(again, bytes);
//! # Ok::<(), sinew::Error>(())
//! ```

mod findings;
mod frame;
mod item;
mod layout;
mod loss;
mod lz4;
mod reader;
mod resync;
mod row;
mod skip;
mod source;
mod template;
mod window;
mod writer;

pub use layout::nameless_track;
pub use writer::{write, written_bytes};

use crate::clip::{Clip, META_DATA_MODE};
use crate::error::{Error, Result};
use skip::ItemHeader;
use std::io::Read;

/// How entries are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataMode {
    /// By AnimationClip property name, stored in every frame.
    Named,
    /// By position; every stored name is empty.
    Nameless,
}

impl DataMode {
    /// `named` or `nameless`, as stored under [`META_DATA_MODE`].
    pub const fn as_str(self) -> &'static str {
        match self {
            DataMode::Named => "named",
            DataMode::Nameless => "nameless",
        }
    }

    /// Mode of the `.data` file that a clip was read from, if it was.
    pub fn of_clip(clip: &Clip) -> Option<DataMode> {
        let stored = clip.meta.get(META_DATA_MODE)?;
        [DataMode::Named, DataMode::Nameless].into_iter().find(|mode| mode.as_str() == stored)
    }
}

/// A `.data` file as read.
#[derive(Debug, Clone, PartialEq)]
pub struct DataFile {
    /// Muscles in HumanTrait order, then other names in file order. Its metadata has
    /// [`META_GUID`](crate::META_GUID) (the first GUID that is not empty; absent without one) and [`META_DATA_MODE`].
    pub clip: Clip,
    /// What of the file is not in the clip, one line each: frames lost, rounded values, other GUIDs than the first,
    /// unknown map keys.
    pub losses: Vec<String>,
    /// Remarks about the file, one line each, where the clip is whole: trailing bytes, frames without a GUID, other
    /// byte forms.
    pub notes: Vec<String>,
    /// [`write()`] with the clip's own mode gives these very bytes. Compared frame by frame, not guessed.
    pub exact: bool,
}

/// Reads a `.data` file.
///
/// # Errors
/// [`Error::Format`] names frame, entry and byte of the first fault; a file that ends early tells how many frames
/// are whole ([`recover`] gives those). [`Error::Io`] if the source fails.
pub fn read(source: impl Read) -> Result<DataFile> {
    reader::read_clip(source, false)
}

/// Reads every whole frame of a cut or damaged file; [`DataFile::losses`] begins with what was lost.
///
/// Behind damage, frames are found again where they have the recorder's own form, with the GUID and the names of those
/// before.
///
/// # Errors
/// [`Error::Format`] if not even the start is that of a `.data` file; [`Error::Io`] if the source fails.
pub fn recover(source: impl Read) -> Result<DataFile> {
    reader::read_clip(source, true)
}

/// Whether a file with these first bytes (16 are enough) looks like `.data` in any form that [`read`] takes.
pub fn sniff_data(bytes: &[u8]) -> bool {
    if source::Form::of(bytes) != source::Form::Plain {
        return true;
    }
    let Some(root) = ItemHeader::parse(bytes).filter(ItemHeader::is_array) else { return false };
    match bytes.get(root.header_bytes..).and_then(ItemHeader::parse) {
        Some(frame) => root.children > 0 && (frame.is_array() || frame.is_map()),
        None => bytes.len() == root.header_bytes,
    }
}

/// Name of the format in errors.
const FORMAT: &str = ".data";

fn format_error(frame: Option<u64>, entry: Option<u64>, at_byte: u64, what: impl Into<String>) -> Error {
    Error::Format { format: FORMAT, frame, entry, at_byte, what: what.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sniffing_tells_data_from_other_files() {
        let data: [&[u8]; 7] = [
            &[0x90],
            &[0xdc, 0x01, 0x68, 0x93, 0xd9, 0x24],
            &[0x91, 0x83, 0xa4],
            &[0xdd, 0, 1, 0, 0, 0xdc, 0, 3],
            &[0xc8, 0x0d, 0x26, 99, 0xd2],
            &[0x92, 0xd4, 98, 5],
            &[0x92, 0xc7, 10, 98, 0xce],
        ];
        for bytes in data {
            assert!(sniff_data(bytes), "{bytes:02x?}");
        }
        let other: [&[u8]; 7] =
            [b"", b"HIERARCHY", b"%YAML 1.1", b"{\"a\":1}", b"glTF", &[0x1f, 0x8b, 8], &[0x93, 0xca, 0, 0]];
        for bytes in other {
            assert!(!sniff_data(bytes), "{bytes:02x?}");
        }
    }
}
