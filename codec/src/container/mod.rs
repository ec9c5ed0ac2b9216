//! The container: sections, header, metadata, rig and seek index (FORMAT sections 2 to 4 and 8).

mod cursor;
mod header;
mod index;
pub(crate) mod joints;
mod levers;
pub(crate) mod meta;
mod section;

pub(crate) use cursor::{Cursor, put_varint};
pub use header::TimeForm;
pub(crate) use header::{Header, in_header, is_narrow};
pub(crate) use index::{IndexEntry, check_trailer, find_index, put_index, read_index};
pub(crate) use levers::{Levers, posing_arrays};
pub use section::sniff_sinew;
pub(crate) use section::{
    BlockScan, MAGIC, Section, TAG_BLOCK, TAG_HEAD, TAG_INDEX, TAG_JOINTS, TAG_META, check_payload,
    claimed_end, is_optional, put_section, read_section,
};

/// The format version that this crate writes.
pub(crate) const FORMAT_VERSION: u8 = 1;
