//! The registry: every format once, with its names, its reader and its writer.
//!
//! A new format is one module with an `ENTRY` and one line in the `formats!` list below.

use crate::error::{Error, Result};
use crate::note::Note;
use crate::{Loaded, ReadOptions, WriteOptions};
use crate::{bvh, csv_table, data_file, npy, sinew_file, unity_anim, unity_package, vrma};
use sinew::Clip;
use std::fmt;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

/// Called with the number of frames done so far.
pub type Progress<'a> = &'a mut dyn FnMut(u64);

/// Bytes to read, and the path they come from where there is one (some formats keep a second file beside it).
pub(crate) struct Source<'a> {
    pub reader: &'a mut dyn BufRead,
    pub path: Option<&'a Path>,
}

/// A second file that a format keeps beside the main one.
pub(crate) struct Companion {
    pub path_of: fn(&Path) -> PathBuf,
    pub write: fn(&Clip, &mut dyn Write) -> Result<()>,
    /// What is lost when there is no place for the second file.
    pub loss: &'static str,
}

pub(crate) type ReadFn = fn(Source<'_>, &ReadOptions, Progress<'_>) -> Result<Loaded>;
pub(crate) type WriteFn = fn(&Clip, &WriteOptions, &mut dyn Write, Progress<'_>) -> Result<Vec<Note>>;

/// What the registry knows of a format.
pub(crate) struct Entry {
    /// Name on the command line and in JSON.
    pub name: &'static str,
    /// File name extensions without the dot; the first is the usual one.
    pub extensions: &'static [&'static str],
    /// Whether the first bytes of a file are of this format.
    pub sniff: fn(&[u8]) -> bool,
    pub read: ReadFn,
    /// Reads every whole frame of a damaged file.
    pub recover: Option<ReadFn>,
    pub write: WriteFn,
    /// Whether the format holds a skeleton's channels as they are; else they are solved for muscles.
    pub holds_skeletons: bool,
    pub companion: Option<Companion>,
}

macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident = $entry:expr;)*) => {
        /// A file format.
        #[non_exhaustive]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $variant,)*
        }

        impl Format {
            /// All formats, in the order in which bytes are tried.
            pub const ALL: &'static [Format] = &[$(Format::$variant,)*];

            pub(crate) fn entry(self) -> &'static Entry {
                match self {
                    $(Format::$variant => &$entry,)*
                }
            }
        }
    };
}

formats! {
    /// Sinew's own container.
    Sinew = sinew_file::ENTRY;
    /// A NumPy array, frames × components, with its times in a second array beside it.
    Npy = npy::ENTRY;
    /// The recorder's MessagePack file, named or nameless.
    Data = data_file::ENTRY;
    /// Unity's animation clip as text: keyed curves of a humanoid or of any skeleton.
    Anim = unity_anim::ENTRY;
    /// Unity's package of assets, of which animation clips as text are read and written.
    UnityPackage = unity_package::ENTRY;
    /// A skeleton and the motion of its joints' channels as text.
    Bvh = bvh::ENTRY;
    /// VRM's animation: a humanoid's rotations in a binary glTF; any glTF whose nodes move is read.
    Vrma = vrma::ENTRY;
    /// A table of text: one line a frame, `time` and one column a component.
    Csv = csv_table::ENTRY;
}

impl Format {
    /// The format of a name as `--from` and `--to` take it, in any case, with or without a leading dot.
    pub fn from_name(name: &str) -> Option<Format> {
        let name = name.strip_prefix('.').unwrap_or(name);
        Format::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that a path's extension means, in any case.
    pub fn from_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?;
        Format::ALL.iter().copied().find(|format| {
            format.entry().extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    /// Name on the command line and in JSON: the usual extension.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// Whether the format holds a skeleton's channels as they are.
    pub fn holds_skeletons(self) -> bool {
        self.entry().holds_skeletons
    }

    /// Path of the second file that the format keeps beside `main`, if it keeps one.
    pub fn companion_path(self, main: &Path) -> Option<PathBuf> {
        self.entry().companion.as_ref().map(|companion| (companion.path_of)(main))
    }

    /// What is lost when the format's second file has no place to go.
    pub fn companion_loss(self) -> Option<Note> {
        self.entry().companion.as_ref().map(|companion| Note::loss(companion.loss))
    }

    /// Writes the second file. Formats without one write nothing.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_companion(self, clip: &Clip, sink: &mut dyn Write) -> Result<()> {
        self.entry().companion.as_ref().map_or(Ok(()), |companion| (companion.write)(clip, sink))
    }

    /// Names of all formats, for messages.
    pub fn all_names() -> String {
        Format::ALL.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// The format of a name.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`] that lists the names there are.
    pub fn parse(name: &str) -> Result<Format> {
        Format::from_name(name).ok_or_else(|| Error::UnknownFormat {
            what: format!("no format is named {name:?}; there are {}", Format::all_names()),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_finds_itself_by_name_and_extension() {
        for &format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            assert_eq!(Format::from_name(&format.to_string().to_uppercase()), Some(format));
            for extension in format.entry().extensions {
                let path = PathBuf::from(format!("a.b/c.{}", extension.to_uppercase()));
                assert_eq!(Format::from_extension(&path), Some(format));
            }
        }
        assert_eq!(Format::from_extension(Path::new("data")), None);
        assert!(Format::parse("zip").is_err_and(|error| error.to_string().contains("csv")));
    }

    #[test]
    fn no_two_formats_share_a_name_or_an_extension() {
        let mut extensions: Vec<&str> =
            Format::ALL.iter().flat_map(|format| format.entry().extensions.iter().copied()).collect();
        let count = extensions.len();
        extensions.sort_unstable();
        extensions.dedup();
        assert_eq!(extensions.len(), count);
    }
}
