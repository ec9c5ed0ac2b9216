//! The error type of this crate: what the codec says, and faults of foreign files with their place.

use crate::registry::Format;
use std::fmt;
use std::io;

/// Result of every fallible call of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, by who must act.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The codec crate refused the bytes or the clip.
    Codec(sinew::Error),
    /// The system refused: disk full, no permission, broken pipe.
    Io(io::ErrorKind),
    /// A file is wrong at a known place.
    Format {
        /// The format that the bytes were read as.
        format: Format,
        /// Where.
        place: Place,
        /// What is wrong there.
        what: String,
    },
    /// Neither the bytes nor the name tell the format.
    UnknownFormat {
        /// What was tried.
        what: String,
    },
    /// The target format cannot hold the clip, or a format does not offer what is asked of it.
    Unsupported {
        /// The format.
        format: Format,
        /// What it cannot do.
        what: String,
    },
    /// An option or a clip of the caller is not usable.
    InvalidInput {
        /// Which, and why.
        what: String,
    },
}

/// Place of a fault in a foreign file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// No single place.
    File,
    /// A byte offset from the start of the file.
    Byte(u64),
    /// A line of a text file, and a column of a table, both counted from 1.
    Line {
        /// Line number from 1.
        line: u64,
        /// Column number from 1.
        column: Option<u64>,
    },
    /// A frame and a component of an array, both counted from 0.
    Frame {
        /// Frame number from 0.
        frame: u64,
        /// Component number from 0.
        component: Option<u64>,
    },
}

impl Error {
    /// Shorthand for an [`Error::Format`].
    pub(crate) fn format(format: Format, place: Place, what: impl Into<String>) -> Error {
        Error::Format { format, place, what: what.into() }
    }

    /// Shorthand for an [`Error::InvalidInput`].
    pub(crate) fn invalid(what: impl Into<String>) -> Error {
        Error::InvalidInput { what: what.into() }
    }

    /// What the system said, if the system refused.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        match self {
            Error::Io(kind) | Error::Codec(sinew::Error::Io(kind)) => Some(*kind),
            _ => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => Ok(()),
            Place::Byte(byte) => write!(f, "byte {byte}: "),
            Place::Line { line, column: None } => write!(f, "line {line}: "),
            Place::Line { line, column: Some(column) } => write!(f, "line {line}, column {column}: "),
            Place::Frame { frame, component: None } => write!(f, "frame {frame}: "),
            Place::Frame { frame, component: Some(component) } => {
                write!(f, "frame {frame}, component {component}: ")
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Codec(error) => error.fmt(f),
            Error::Io(kind) => kind.fmt(f),
            Error::Format { format, place, what } => write!(f, "{format}: {place}{what}"),
            Error::UnknownFormat { what } | Error::InvalidInput { what } => f.write_str(what),
            Error::Unsupported { format, what } => write!(f, "{format}: {what}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error.kind())
    }
}

impl From<sinew::Error> for Error {
    fn from(error: sinew::Error) -> Error {
        Error::Codec(error)
    }
}
