//! `.bvh`: a skeleton and the motion of its joints as text.
//!
//! A file is read as a skeleton clip: the rig holds the joints depth first as written, and every channel is a scalar
//! track, angles in degrees and positions in the file's own unit. Nothing is converted, so that values come back bit
//! for bit. A joint's rotation is the product of its channels' from left to right, for column vectors.
//!
//! | module | idea |
//! |---|---|
//! | `text_lines` | lines of a stream in bounded memory |
//! | `decimal` | numbers both ways |
//! | `channels` | names of channels, and of the tracks that hold them |
//! | `hierarchy` | the skeleton |
//! | `motion` | frames out of lines |
//! | `bvh_read` | file to clip |
//! | `bvh_recover` | every whole frame of a damaged file |
//! | `frame_time` | one frame time for any times |
//! | `stream_writer` | rig and frames to text, frame by frame |
//! | `bvh_write` | clip to file |

mod bvh_read;
mod bvh_recover;
mod bvh_write;
mod channels;
mod decimal;
mod frame_time;
mod hierarchy;
mod motion;
mod stream_writer;
mod text_lines;

pub(crate) use decimal::push as push_number;

pub(crate) use channels::{channel as axis_of_channel, channel_name, tracks as channel_tracks};

use crate::error::{Error, Place};
use crate::quote::shown;
use crate::registry::{Entry, Format, OwnRig};
use crate::skeleton::HumanRig;

pub(crate) const ENTRY: Entry = Entry {
    name: "bvh",
    extensions: &["bvh"],
    sniff,
    read: bvh_read::read,
    recover: Some(bvh_read::recover),
    write: bvh_write::write,
    holds_skeletons: true,
    own_rig: Some(OwnRig { rig: HumanRig::reference, holds: |_| true }),
    companion: None,
};

/// Name of the joint that ends a chain: it has a place and no channels.
const END_SITE: &str = "End Site";

/// Text whose first word is HIERARCHY.
fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let word = head.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    word.eq_ignore_ascii_case(b"HIERARCHY")
}

/// A fault at a line of the file.
fn fault(line: u64, what: impl Into<String>) -> Error {
    Error::format(Format::Bvh, Place::Line { line, column: None }, what)
}

/// More than [`DecodeLimits`](sinew::DecodeLimits) allow.
fn beyond(what: &'static str) -> Error {
    Error::Codec(sinew::Error::LimitExceeded { what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells() {
        for head in ["HIERARCHY\nROOT a", "\u{feff}\r\n \thierarchy\r\n", "Hierarchy"] {
            assert!(sniff(head.as_bytes()), "{head:?}");
        }
        for head in ["", "C:\\a.bvh\nHIERARCHY\n", "hierarchy,a\n", "HIERARCHYS\n", "MOTION\n"] {
            assert!(!sniff(head.as_bytes()), "{head:?}");
        }
    }
}
