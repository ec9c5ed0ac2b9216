//! Sections: tag, length, payload and checksum; the unit that scanning finds (FORMAT section 3).

use super::cursor::put_varint;
use crate::error::{Error, Result};

/// First bytes of every file: 0x93 is no text in any encoding that matters, then `SNW`.
pub(crate) const MAGIC: [u8; 4] = [0x93, b'S', b'N', b'W'];

/// Whether a file with these first bytes (4 are enough) is a `.sinew` file of any version.
pub fn sniff_sinew(head: &[u8]) -> bool {
    head.starts_with(&MAGIC)
}

pub(crate) const TAG_HEAD: [u8; 4] = *b"HEAD";
pub(crate) const TAG_JOINTS: [u8; 4] = *b"JNTS";
pub(crate) const TAG_META: [u8; 4] = *b"meta";
pub(crate) const TAG_BLOCK: [u8; 4] = *b"BLCK";
pub(crate) const TAG_INDEX: [u8; 4] = *b"INDX";

/// Largest payload of a section.
pub(crate) const MAX_PAYLOAD_BYTES: u64 = 1 << 30;

/// One section as it lies in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Section<'a> {
    pub(crate) tag: [u8; 4],
    pub(crate) payload: &'a [u8],
    /// File offset of the tag.
    pub(crate) at_byte: u64,
    /// File offset of the payload.
    pub(crate) payload_at_byte: u64,
    /// File offset of the first byte after the section.
    pub(crate) end: u64,
}

/// Refuses what no reader would take from one section.
///
/// # Errors
/// [`Error::InvalidInput`] for more than [`MAX_PAYLOAD_BYTES`]; `what` are the bytes.
pub(crate) fn check_payload(what: &str, bytes: usize) -> Result<()> {
    if bytes as u64 <= MAX_PAYLOAD_BYTES {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "{what}: {bytes} bytes, more than the {MAX_PAYLOAD_BYTES} that a section holds"
    )))
}

/// Appends a section.
///
/// # Errors
/// As [`check_payload`].
pub(crate) fn put_section(out: &mut Vec<u8>, tag: [u8; 4], payload: &[u8]) -> Result<()> {
    check_payload(&format!("section {}", String::from_utf8_lossy(&tag)), payload.len())?;
    let start = out.len();
    out.extend_from_slice(&tag);
    put_varint(out, payload.len() as u64);
    out.extend_from_slice(payload);
    let checksum = crc32fast::hash(&out[start..]);
    out.extend_from_slice(&checksum.to_le_bytes());
    Ok(())
}

/// Reads the section that starts at `at`.
///
/// # Errors
/// [`Error::Truncated`] if the file ends inside it, [`Error::Corrupt`] if it is damaged.
pub(crate) fn read_section(file: &[u8], at: usize) -> Result<Section<'_>> {
    let truncated = |needed: u64| Error::Truncated { needed_bytes: needed };
    let rest = file.get(at..).unwrap_or(&[]);
    let Some((tag, rest)) = rest.split_first_chunk::<4>() else {
        return Err(truncated(at as u64 + 4));
    };
    let (mut length, mut length_bytes) = (0u64, 0usize);
    loop {
        let Some(&byte) = rest.get(length_bytes) else {
            return Err(truncated((at + 4 + length_bytes + 1) as u64));
        };
        length |= u64::from(byte & 0x7f) << (7 * length_bytes);
        length_bytes += 1;
        if byte & 0x80 == 0 {
            if length > MAX_PAYLOAD_BYTES || (byte == 0 && length_bytes > 1) {
                return Err(Error::Corrupt {
                    at_byte: at as u64 + 4,
                    what: "a section's length is not valid",
                });
            }
            break;
        }
        if length_bytes == 5 {
            return Err(Error::Corrupt { at_byte: at as u64 + 4, what: "a section's length is not valid" });
        }
    }
    let payload_start = at + 4 + length_bytes;
    let payload_end = payload_start + length as usize;
    let end = payload_end + 4;
    let Some(stored) = file.get(payload_end..end) else {
        return Err(truncated(end as u64));
    };
    // Under a fuzzer every mutation would stop here and nothing behind the checksum would be tested.
    if !cfg!(fuzzing) && crc32fast::hash(&file[at..payload_end]).to_le_bytes() != stored {
        return Err(Error::Corrupt { at_byte: at as u64, what: "a section's checksum does not match" });
    }
    Ok(Section {
        tag: *tag,
        payload: &file[payload_start..payload_end],
        at_byte: at as u64,
        payload_at_byte: payload_start as u64,
        end: end as u64,
    })
}

/// Whether a reader that does not know the tag may skip the section: its first letter is lower case.
pub(crate) fn is_optional(tag: [u8; 4]) -> bool {
    tag[0].is_ascii_lowercase()
}

/// Finds whole, checked block sections anywhere in a damaged file.
pub(crate) struct BlockScan<'a> {
    file: &'a [u8],
    /// Bytes that may still be read for checksums. Honest files need each byte about once; a file full of tags that
    /// claim most of it would cost its length squared.
    budget: u64,
}

impl<'a> BlockScan<'a> {
    pub(crate) fn new(file: &'a [u8]) -> Self {
        BlockScan { file, budget: (file.len() as u64).saturating_mul(16) }
    }

    /// Whether the search was given up because the file is all false tags.
    pub(crate) fn gave_up(&self) -> bool {
        self.budget == 0
    }

    /// The next whole block section that starts at `from` or later.
    pub(crate) fn next(&mut self, from: usize) -> Option<Section<'a>> {
        let mut at = from;
        while at + 4 <= self.file.len() && self.budget > 0 {
            at += self.file[at..].windows(4).position(|window| window == TAG_BLOCK)?;
            let (end, found) = match read_section(self.file, at) {
                Ok(section) => (section.end, Some(section)),
                // Only a section that lies in the file whole was read to its end.
                Err(Error::Corrupt { .. }) => (claimed_end(self.file, at).unwrap_or(at) as u64, None),
                Err(_) => (at as u64, None),
            };
            self.budget = self.budget.saturating_sub(end - at as u64);
            if found.is_some() {
                return found;
            }
            at += 1;
        }
        None
    }
}

/// Where the section at `at` says that it ends, checksum included; `None` if that is not within the file.
pub(crate) fn claimed_end(file: &[u8], at: usize) -> Option<usize> {
    let mut length = 0usize;
    for (index, &byte) in file.get(at + 4..)?.iter().take(5).enumerate() {
        length |= (byte as usize & 0x7f).checked_shl(7 * index as u32)?;
        if byte & 0x80 == 0 {
            let end = (at + 4 + index + 1).checked_add(length)?.checked_add(4)?;
            return (end <= file.len()).then_some(end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_is_truncated_and_every_flip_is_noticed() {
        let mut file = Vec::new();
        put_section(&mut file, TAG_BLOCK, b"some payload").expect("short");
        let section = read_section(&file, 0).expect("whole");
        assert_eq!((section.payload, section.end), (&b"some payload"[..], file.len() as u64));
        for cut in 0..file.len() {
            assert!(matches!(read_section(&file[..cut], 0), Err(Error::Truncated { .. })), "cut {cut}");
        }
        for bit in 0..file.len() * 8 {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(read_section(&damaged, 0).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_payload_ends_where_readers_refuse_it() {
        assert_eq!(check_payload("x", 1 << 30), Ok(()));
        assert!(
            check_payload("x", (1 << 30) + 1).is_err_and(|error| error.to_string().contains("1073741825"))
        );
    }

    #[test]
    fn a_block_is_found_behind_rubbish() {
        let mut file = b"BLCKBLCK\x05xx".to_vec();
        let at = file.len();
        put_section(&mut file, TAG_BLOCK, b"here").expect("short");
        let mut scan = BlockScan::new(&file);
        assert_eq!(scan.next(0).map(|section| section.at_byte), Some(at as u64));
        assert!(scan.next(at + 1).is_none() && !scan.gave_up());
    }

    #[test]
    fn a_file_of_false_tags_is_given_up_before_it_costs_its_square() {
        // 64 KiB of tags, each of which claims 32 KiB.
        let file = b"BLCK\x80\x80\x02\x00".repeat(8192);
        let mut scan = BlockScan::new(&file);
        assert!(scan.next(0).is_none() && scan.gave_up());
    }
}
