//! `.csv`: a header of `time` and property names, then one line a frame.
//!
//! Numbers are the shortest text that reads back to the same bits, always with a point. A vector has the columns
//! `NAME.x .y .z`, a rotation also `NAME.w`. Columns are matched by name in any order; finger muscles are known
//! by both spellings. GUID, mode, other metadata and the rig are not kept.

use crate::csv_columns::Layout;
use crate::registry::Entry;
use crate::{csv_read, csv_write};

/// Name of the column of frame times in seconds.
pub(crate) const TIME_COLUMN: &str = "time";

pub(crate) const ENTRY: Entry = Entry {
    name: "csv",
    extensions: &["csv"],
    sniff,
    read: csv_read::read,
    recover: None,
    write: csv_write::write,
    holds_skeletons: true,
    own_rig: None,
    companion: None,
};

/// A first line of text that names `time` or a muscle.
fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let end = head.iter().position(|&byte| byte == b'\n' || byte == b'\r').unwrap_or(head.len());
    let Ok(line) = std::str::from_utf8(&head[..end]) else { return false };
    line.split(',').map(|name| name.trim_matches('"')).any(Layout::is_known_column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_known_by_time_or_a_muscle() {
        for head in ["time", "\u{feff}time,a\r\n1,2", "x,\"Spine Front-Back\"\n", "Left Thumb Spread,y"] {
            assert!(sniff(head.as_bytes()), "{head}");
        }
        for head in ["", "a,b\n", "0.1,0.2\n", "{\"time\": 1}\n", "a\ntime,b\n"] {
            assert!(!sniff(head.as_bytes()), "{head}");
        }
    }
}
