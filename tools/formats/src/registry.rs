//! The registry: every format once, with its names, its reader and its writer.
//!
//! A new format is one module with an `ENTRY` and one line in the `formats!` list below.

use crate::error::{Error, Result};
use crate::note::Note;
use crate::skeleton::HumanRig;
use crate::{Loaded, ReadOptions, WriteOptions};
use crate::{bvh, csv_table, data_file, json, npy, sinew_file, unity_anim, unity_package, vrma};
use sinew::{Clip, Rig};
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

/// What a format's writer poses humanoids on.
pub(crate) struct OwnRig {
    /// The skeleton, unless a caller gives another.
    pub rig: fn() -> &'static HumanRig,
    /// Whether the format holds the channels of a rig; of others it gets the motion by way of muscles.
    pub holds: fn(&Rig) -> bool,
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
    /// For a writer that poses humanoids itself: on what, and which skeletons it holds.
    pub own_rig: Option<OwnRig>,
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
    /// Plask's answer as JSON: keyed rotations of 24 bones and the place of the hips.
    Plask = json::PLASK;
    /// A clip of three.js as JSON: keyed tracks of nodes.
    Three = json::THREE;
    /// The recorder's frames as JSON.
    Muscles = json::MUSCLES;
    /// A table of text: one line a frame, `time` and one column a component.
    Csv = csv_table::ENTRY;
}

impl Format {
    /// The format of a name as `--from` and `--to` take it, in any case, with or without a leading dot and the kinds
    /// of JSON without `.json`.
    pub fn from_name(name: &str) -> Option<Format> {
        let name = name.strip_prefix('.').unwrap_or(name);
        let is_named = |known: &str| known.eq_ignore_ascii_case(name);
        Format::ALL.iter().copied().find(|format| {
            is_named(format.name()) || format.name().strip_suffix(".json").is_some_and(is_named)
        })
    }

    /// The format that a path's extension means, in any case.
    pub fn from_extension(path: &Path) -> Option<Format> {
        longest_extension(path).map(|(format, _)| format)
    }

    /// The path with the extension of this format instead of the one that it has.
    pub fn renamed(self, path: &Path) -> PathBuf {
        let length = longest_extension(path).map_or(0, |(_, extension)| extension.len());
        // All but the last part of an extension of several; the last part goes anyway.
        let name = path.file_name().unwrap_or_default();
        let stem = name.to_str().and_then(|name| name.get(..name.len().checked_sub(length + 1)?));
        match stem.filter(|_| length > 0) {
            Some(stem) => path.with_file_name(format!("{stem}.{}", self.name())),
            None => path.with_extension(self.name()),
        }
    }

    /// A path's file name without the extension of any format.
    pub fn stem(path: &Path) -> Option<String> {
        let extension = longest_extension(path).map(|(_, extension)| extension);
        let name = path.file_name()?.to_string_lossy();
        match extension.and_then(|extension| name.get(..name.len().checked_sub(extension.len() + 1)?)) {
            Some(stem) => Some(stem.to_owned()),
            None => Some(path.file_stem()?.to_string_lossy().into_owned()),
        }
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

/// The longest extension that a path has of any format: one kind of JSON has the plain one, the others say more.
fn longest_extension(path: &Path) -> Option<(Format, &'static str)> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    let ends = |extension: &str| {
        let rest = name.strip_suffix(extension).and_then(|rest| rest.strip_suffix('.'));
        rest.is_some_and(|rest| !rest.is_empty())
    };
    let all = Format::ALL
        .iter()
        .flat_map(|&format| format.entry().extensions.iter().map(move |&extension| (format, extension)));
    all.filter(|(_, extension)| ends(extension)).max_by_key(|(_, extension)| extension.len())
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
        assert_eq!(Format::from_extension(Path::new(".data")), None);
        assert_eq!(Format::from_extension(Path::new("a.Three.json")), Some(Format::Three));
        assert_eq!(Format::from_extension(Path::new("three.json")), Some(Format::Plask));
        for (path, renamed, stem) in [
            ("d.x/a.three.JSON", "d.x/a.data", "a"),
            ("a.b.json", "a.b.data", "a.b"),
            ("a.b", "a.data", "a"),
            ("a", "a.data", "a"),
            ("é.plask.json", "é.data", "é"),
        ] {
            assert_eq!(Format::Data.renamed(Path::new(path)), PathBuf::from(renamed));
            assert_eq!(Format::stem(Path::new(path)).as_deref(), Some(stem));
        }
        assert_eq!(Format::Three.renamed(Path::new("a.data")), PathBuf::from("a.three.json"));
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
