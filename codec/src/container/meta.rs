//! The optional `meta` section: metadata pairs that the header does not hold (FORMAT section 4.3).

#[cfg(feature = "zstd")]
use super::cursor::put_varint;
use super::cursor::{Cursor, put_string};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

const FORM_RAW: u8 = 0;
const FORM_ZSTD: u8 = 1;

/// Pairs longer than this in total are compressed, when that makes them shorter.
#[cfg(feature = "zstd")]
const COMPRESS_FROM_BYTES: usize = 128;

/// The payload of the section.
pub(crate) fn payload<'a>(pairs: impl Iterator<Item = (&'a String, &'a String)>) -> Vec<u8> {
    let mut raw = vec![FORM_RAW];
    for (key, value) in pairs {
        put_string(&mut raw, key);
        put_string(&mut raw, value);
    }
    // zstd serves text of unknown length and kind better than the motion coder; only metadata may need it, so a
    // reader without it still decodes every clip.
    #[cfg(feature = "zstd")]
    if raw.len() > COMPRESS_FROM_BYTES
        && let Ok(packed) = zstd::bulk::compress(&raw[1..], 19)
    {
        let mut out = vec![FORM_ZSTD];
        put_varint(&mut out, raw.len() as u64 - 1);
        out.extend_from_slice(&packed);
        if out.len() < raw.len() {
            return out;
        }
    }
    raw
}

/// Reads the pairs into `meta`; returns whether they could be read (a reader without zstd skips compressed ones).
pub(crate) fn read_into(
    meta: &mut BTreeMap<String, String>,
    payload: &[u8],
    at_byte: u64,
    max_bytes: u32,
) -> Result<bool> {
    let mut cursor = Cursor::new(payload, at_byte);
    match cursor.u8()? {
        FORM_RAW => {
            if cursor.remaining() as u64 > u64::from(max_bytes) {
                return Err(Error::LimitExceeded { what: "metadata bytes" });
            }
            read_pairs(meta, cursor)?;
            Ok(true)
        }
        FORM_ZSTD => {
            let length = cursor.varint()?;
            if length > u64::from(max_bytes) {
                return Err(Error::LimitExceeded { what: "metadata bytes" });
            }
            #[cfg(feature = "zstd")]
            {
                let packed_at = cursor.at_byte();
                let raw = decompress(cursor.take(cursor.remaining())?, length as usize)
                    .ok_or(Error::Corrupt { at_byte: packed_at, what: "compressed metadata is damaged" })?;
                read_pairs(meta, Cursor::new(&raw, packed_at))?;
                Ok(true)
            }
            #[cfg(not(feature = "zstd"))]
            Ok(false)
        }
        other => Err(Error::Unsupported { what: "metadata form", found: other.to_string() }),
    }
}

/// Largest window of a compressed section, as a power of two: the 8 MiB that every zstd decoder should allow.
#[cfg(feature = "zstd")]
const MAX_WINDOW_LOG: u32 = 23;

/// Decompresses in steps, so that a claimed length never sizes an allocation.
#[cfg(feature = "zstd")]
fn decompress(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut raw = Vec::new();
    let mut decoder = zstd::stream::read::Decoder::with_buffer(packed).ok()?;
    // A few bytes may name a window of 128 MiB, which is allocated before anything is read into it.
    decoder.window_log_max(MAX_WINDOW_LOG).ok()?;
    decoder.take(length as u64 + 1).read_to_end(&mut raw).ok()?;
    (raw.len() == length).then_some(raw)
}

fn read_pairs(meta: &mut BTreeMap<String, String>, mut cursor: Cursor<'_>) -> Result<()> {
    while cursor.remaining() > 0 {
        let key = cursor.string()?.to_owned();
        let value = cursor.string()?.to_owned();
        if meta.insert(key, value).is_some() {
            return Err(cursor.corrupt("a metadata key stands twice"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(meta: &BTreeMap<String, String>) -> (usize, BTreeMap<String, String>) {
        let bytes = payload(meta.iter());
        let mut read = BTreeMap::new();
        assert_eq!(read_into(&mut read, &bytes, 0, 1 << 20), Ok(true));
        (bytes.len(), read)
    }

    #[test]
    fn short_and_long_metadata_come_back() {
        let mut meta = BTreeMap::from([("avatar".to_owned(), "胸_上".to_owned())]);
        assert_eq!(round_trip(&meta).1, meta);
        meta.insert("notes".into(), "the same words again and again; ".repeat(200));
        let (length, read) = round_trip(&meta);
        assert_eq!(read, meta);
        if cfg!(feature = "zstd") {
            assert!(length < 300, "{length}");
        }
    }

    #[test]
    fn claims_and_damage_are_errors() {
        let limit = Error::LimitExceeded { what: "metadata bytes" };
        assert_eq!(read_into(&mut BTreeMap::new(), &[FORM_ZSTD, 0xff, 0xff, 0x7f], 0, 100), Err(limit));
        assert!(read_into(&mut BTreeMap::new(), &[7], 0, 100).is_err());
        assert!(read_into(&mut BTreeMap::new(), &[FORM_RAW, 5, b'x'], 0, 100).is_err());
        if cfg!(feature = "zstd") {
            assert!(read_into(&mut BTreeMap::new(), &[FORM_ZSTD, 50, 1, 2, 3], 0, 100).is_err());
            // One raw block of two bytes in a frame without content size, in a window of 8 and of 16 MiB.
            let frame = |window: u8| {
                [&[FORM_ZSTD, 2, 0x28, 0xb5, 0x2f, 0xfd, 0, window << 3, 0x11, 0, 0][..], &[0, 0]].concat()
            };
            assert_eq!(read_into(&mut BTreeMap::new(), &frame(13), 0, 100), Ok(true));
            assert!(read_into(&mut BTreeMap::new(), &frame(14), 0, 100).is_err());
        }
    }
}
