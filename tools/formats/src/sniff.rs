//! Chooses a format by content; the file's name is only a hint.

use crate::error::{Error, Result};
use crate::registry::Format;
use std::path::Path;

/// Bytes of a file's start that [`sniff`] looks at.
pub(crate) const HEAD_BYTES: u64 = 64 << 10;

/// The format that `head`, the first bytes of a file, shows; where they show none, the one of the name's extension.
///
/// # Errors
/// [`Error::UnknownFormat`] if neither tells.
pub fn sniff(head: &[u8], name: Option<&Path>) -> Result<Format> {
    if let Some(&format) = Format::ALL.iter().find(|format| (format.entry().sniff)(head)) {
        return Ok(format);
    }
    if let Some(format) = name.and_then(Format::from_extension) {
        return Ok(format);
    }
    let what = if head.is_empty() { "the input is empty" } else { "the content is of no format known here" };
    Err(Error::UnknownFormat {
        what: format!("{what}, and no extension tells the format ({})", Format::all_names()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_counts_before_the_name() {
        let csv = Path::new("a.csv");
        assert_eq!(sniff(b"\x93NUMPY\x01\x00", Some(csv)), Ok(Format::Npy));
        assert_eq!(sniff(&[0x91, 0x93, 0xa0], Some(csv)), Ok(Format::Data));
        assert_eq!(sniff(b"time,Spine Front-Back\n", Some(Path::new("a.data"))), Ok(Format::Csv));
    }

    #[test]
    fn the_name_decides_where_the_content_does_not() {
        assert_eq!(sniff(b"", Some(Path::new("a.data"))), Ok(Format::Data));
        assert_eq!(sniff(b"a,b\n1,2\n", Some(Path::new("a.csv"))), Ok(Format::Csv));
        assert!(sniff(b"", None).is_err_and(|error| error.to_string().contains("empty")));
        assert!(sniff(b"PK\x03\x04", Some(Path::new("a.zip"))).is_err());
    }

    #[test]
    fn arrays_of_three_are_no_numpy_file() {
        assert_eq!(sniff(&[0x93, 0x93, 0xa0], None), Ok(Format::Data));
    }
}
