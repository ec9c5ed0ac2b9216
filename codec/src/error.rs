//! The error type: its variants are split by who must act.

use std::fmt;
use std::io;

/// Result of every fallible call of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, by who must act.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The system refused: disk full, no permission, broken pipe.
    Io(io::ErrorKind),
    /// The bytes end early: send more, or use `recover`.
    Truncated {
        /// Length in bytes that the input would need at least.
        needed_bytes: u64,
    },
    /// The file is damaged.
    Corrupt {
        /// Offset in bytes, from the start of the file, where the fault shows.
        at_byte: u64,
        /// What is wrong there.
        what: &'static str,
    },
    /// The file asks for something that this version does not know: upgrade.
    Unsupported {
        /// Which kind of thing is not known.
        what: &'static str,
        /// What the file says.
        found: String,
    },
    /// The caller's clip or configuration is not usable.
    InvalidInput {
        /// Which value, with its track and frame where it has one.
        what: String,
    },
    /// A [`DecodeLimits`](crate::DecodeLimits) value is exceeded: raise it if the file is trusted.
    LimitExceeded {
        /// Which limit.
        what: &'static str,
    },
    /// A file of another program's format is wrong at a known place.
    Format {
        /// Name of the format, for example `.data`.
        format: &'static str,
        /// Frame number from 0, where the fault lies inside a frame.
        frame: Option<u64>,
        /// Entry (muscle or column) number from 0 within the frame.
        entry: Option<u64>,
        /// Offset in bytes from the start of the (uncompressed) file.
        at_byte: u64,
        /// What is wrong.
        what: String,
    },
}

impl Error {
    /// Shorthand for an [`Error::InvalidInput`].
    pub(crate) fn invalid(what: impl Into<String>) -> Self {
        Error::InvalidInput { what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(kind) => write!(f, "{kind}"),
            Error::Truncated { needed_bytes } => {
                write!(f, "the file ends early: at least {needed_bytes} bytes are needed")
            }
            Error::Corrupt { at_byte, what } => write!(f, "damaged at byte {at_byte}: {what}"),
            Error::Unsupported { what, found } => write!(f, "{what} not supported: {found}"),
            Error::InvalidInput { what } => f.write_str(what),
            Error::LimitExceeded { what } => write!(f, "limit exceeded: {what}"),
            Error::Format { format, frame, entry, at_byte, what } => {
                write!(f, "{format}: ")?;
                if let Some(frame) = frame {
                    write!(f, "frame {frame}, ")?;
                }
                if let Some(entry) = entry {
                    write!(f, "entry {entry}, ")?;
                }
                write!(f, "byte {at_byte}: {what}")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Io(error.kind())
    }
}
