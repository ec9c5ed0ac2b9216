//! The `INDX` section and the trailer: where each block is (FORMAT section 8).

use super::cursor::{Cursor, put_varint};
use super::header::TimeForm;
use super::section::{TAG_INDEX, put_section, read_section};
use crate::block::{put_time, read_time};
use crate::error::{Error, Result};

/// Size of the trailer: the index section's length, so that it can be found from the end.
pub(crate) const TRAILER_BYTES: usize = 4;

/// Shortest section of a block: tag, length, three bytes, checksum.
const MIN_BLOCK_BYTES: u64 = 12;

/// One block in the seek index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct IndexEntry {
    pub(crate) first_frame: u64,
    pub(crate) frames: u32,
    /// Time of the first frame; `None` for uniform times.
    pub(crate) first_time: Option<f64>,
    /// File offset of the block's section.
    pub(crate) at_byte: u64,
}

/// Appends the index section and the trailer: the end of a complete file.
///
/// # Errors
/// [`Error::InvalidInput`] for more blocks than one section can list.
pub(crate) fn put_index(out: &mut Vec<u8>, entries: &[IndexEntry], times: TimeForm) -> Result<()> {
    let mut payload = Vec::new();
    put_varint(&mut payload, entries.len() as u64);
    let mut before = 0;
    for entry in entries {
        put_varint(&mut payload, u64::from(entry.frames));
        put_varint(&mut payload, entry.at_byte - before);
        before = entry.at_byte;
        if let Some(time) = entry.first_time {
            put_time(&mut payload, time, times);
        }
    }
    let start = out.len();
    put_section(out, TAG_INDEX, &payload)?;
    let length = (out.len() - start) as u32;
    out.extend_from_slice(&length.to_le_bytes());
    Ok(())
}

/// Reads the payload of an index section.
pub(crate) fn read_index(payload: &[u8], at_byte: u64, times: TimeForm) -> Result<Vec<IndexEntry>> {
    let mut cursor = Cursor::new(payload, at_byte);
    let count = cursor.varint()?;
    let mut entries = Vec::new();
    let (mut first_frame, mut at) = (0u64, 0u64);
    for _ in 0..count {
        let frames =
            u32::try_from(cursor.varint()?).map_err(|_| cursor.corrupt("an index entry is too long"))?;
        let distance = cursor.varint()?;
        at = at.checked_add(distance).ok_or(cursor.corrupt("an index offset overflows"))?;
        // This also keeps the entries in memory within a few times the file's length.
        if distance < MIN_BLOCK_BYTES || at >= at_byte {
            return Err(cursor.corrupt("an index entry points at no block"));
        }
        let first_time = match times {
            TimeForm::Uniform { .. } => None,
            form => Some(read_time(&mut cursor, form)?),
        };
        entries.push(IndexEntry { first_frame, frames, first_time, at_byte: at });
        first_frame += u64::from(frames);
    }
    cursor.finish("the index is longer than its entries")?;
    Ok(entries)
}

/// The index of a complete file, found from its end without reading any block; `None` if the end is missing or
/// damaged, when blocks must be found by scanning.
pub(crate) fn find_index(file: &[u8], times: TimeForm) -> Option<Vec<IndexEntry>> {
    let end = file.len().checked_sub(TRAILER_BYTES)?;
    let length = u32::from_le_bytes(file[end..].try_into().ok()?) as usize;
    let start = end.checked_sub(length)?;
    let section = read_section(&file[..end], start).ok()?;
    if section.tag != TAG_INDEX || section.end != end as u64 {
        return None;
    }
    read_index(section.payload, section.payload_at_byte, times).ok()
}

/// Checks the trailer that follows the index section `start..end` and ends the file.
pub(crate) fn check_trailer(file: &[u8], start: u64, end: u64) -> Result<()> {
    let rest = &file[end as usize..];
    let Some(trailer) = rest.first_chunk::<TRAILER_BYTES>() else {
        return Err(Error::Truncated { needed_bytes: end + TRAILER_BYTES as u64 });
    };
    if u64::from(u32::from_le_bytes(*trailer)) != end - start {
        return Err(Error::Corrupt { at_byte: end, what: "the trailer does not match the index" });
    }
    if rest.len() > TRAILER_BYTES {
        return Err(Error::Corrupt {
            at_byte: end + TRAILER_BYTES as u64,
            what: "bytes after the end of the file",
        });
    }
    Ok(())
}
