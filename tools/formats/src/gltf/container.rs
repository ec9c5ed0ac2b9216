//! The container: a binary file's chunks, or the JSON alone, and the bytes of its buffers.

use super::fault_at;
use crate::error::{Error, Result};
use serde_json::Value;
use std::borrow::Cow;

/// Bytes before the first chunk of a binary file, and before a chunk's content.
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
/// Values of the JSON, counted by what stands between them. A value takes some hundred bytes at most.
const MAX_VALUES: usize = 2_000_000;

/// A file taken apart.
pub(crate) struct Container<'a> {
    /// The text of the JSON.
    pub json: &'a [u8],
    /// Where it begins in the file.
    pub json_at: u64,
    /// The binary chunk and where it begins in the file.
    pub binary: Option<(&'a [u8], u64)>,
}

impl<'a> Container<'a> {
    /// # Errors
    /// [`Error::Format`] with the byte for a file of another version or cut within a chunk.
    pub fn open(bytes: &'a [u8]) -> Result<Container<'a>> {
        if !bytes.starts_with(b"glTF") {
            let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            let json_at = (bytes.len() - json.len()) as u64;
            return Ok(Container { json, json_at, binary: None });
        }
        let word = |at: usize| -> Option<u32> {
            bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes)
        };
        match word(4) {
            Some(2) => {}
            Some(version) => {
                let what = format!("only version 2 is read, and this is version {version}");
                return Err(fault_at(4, what));
            }
            None => return Err(fault_at(bytes.len() as u64, "cut before its first chunk")),
        }
        let length =
            word(HEADER).ok_or_else(|| fault_at(bytes.len() as u64, "cut before its first chunk"))? as usize;
        if bytes.get(HEADER + 4..HEADER + CHUNK_HEADER) != Some(b"JSON") {
            return Err(fault_at(HEADER as u64 + 4, "its first chunk is not JSON"));
        }
        let start = HEADER + CHUNK_HEADER;
        let json = start
            .checked_add(length)
            .and_then(|end| bytes.get(start..end))
            .ok_or_else(|| fault_at(bytes.len() as u64, format!("cut: its JSON has {length} bytes")))?;

        // Chunks of other kinds are passed over.
        let mut binary = None;
        let mut at = start + length;
        while let (None, Some(length)) = (binary, word(at)) {
            let content = at + CHUNK_HEADER;
            let kind = bytes.get(at + 4..content);
            let end = content.checked_add(length as usize);
            let chunk = end.and_then(|end| bytes.get(content..end));
            let (Some(kind), Some(chunk)) = (kind, chunk) else {
                let what = format!("cut: the chunk at byte {at} has {length} bytes");
                return Err(fault_at(bytes.len() as u64, what));
            };
            if kind == b"BIN\0" {
                binary = Some((chunk, content as u64));
            }
            at = content + chunk.len();
        }
        Ok(Container { json, json_at: start as u64, binary })
    }

    /// The JSON as a value.
    ///
    /// # Errors
    /// [`Error::Format`] with the byte for text that is not JSON, or so many values that no model has them.
    pub fn value(&self) -> Result<Value> {
        let values = self.json.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
        if values > MAX_VALUES {
            let what = format!("more than {MAX_VALUES} values in its JSON");
            return Err(fault_at(self.json_at, what));
        }
        serde_json::from_slice(self.json).map_err(|error| {
            fault_at(self.json_at + byte_of(self.json, &error), format!("not JSON: {error}"))
        })
    }
}

/// Where in the text an error of the parser is.
fn byte_of(json: &[u8], error: &serde_json::Error) -> u64 {
    let before = error.line().saturating_sub(1);
    let start = match before {
        0 => 0,
        lines => json
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .nth(lines - 1)
            .map_or(0, |at| at.0 + 1),
    };
    (start + error.column().saturating_sub(1)) as u64
}

/// The bytes of a buffer, and where they begin in the file; those of a data URI have no such place.
pub(super) type Buffer<'a> = (Cow<'a, [u8]>, Option<u64>);

/// The bytes of buffer `number`: the binary chunk, or those that a data URI holds.
///
/// # Errors
/// [`Error::Unsupported`] that names a file that would be needed; [`Error::Format`] for a buffer that is not there.
pub(super) fn buffer_of<'a>(
    buffer: &Value,
    number: usize,
    binary: Option<(&'a [u8], u64)>,
) -> Result<Buffer<'a>> {
    let length = buffer.get("byteLength").and_then(Value::as_u64);
    let length =
        length.ok_or_else(|| super::fault(format!("buffer {number}: its byteLength is no length")))?;
    let (bytes, at) = match buffer.get("uri").and_then(Value::as_str) {
        None => {
            let (bytes, at) = binary.filter(|_| number == 0).ok_or_else(|| {
                super::fault(format!("buffer {number}: it has no uri, and there is no binary chunk for it"))
            })?;
            (Cow::Borrowed(bytes), Some(at))
        }
        Some(uri) => {
            let data = uri.strip_prefix("data:").and_then(|data| data.split_once(";base64,"));
            let Some((_, text)) = data else {
                let what = format!(
                    "buffer {number} is in another file, {}: only what is in the file itself is read",
                    super::shown(uri)
                );
                return Err(Error::Unsupported { format: crate::registry::Format::Vrma, what });
            };
            let bytes = base64(text.as_bytes())
                .ok_or_else(|| super::fault(format!("buffer {number}: its data URI is not base64")))?;
            (Cow::Owned(bytes), None)
        }
    };
    if (bytes.len() as u64) < length {
        let what = format!("buffer {number}: {length} bytes are declared and {} are there", bytes.len());
        return Err(at.map_or_else(|| super::fault(what.clone()), |at| fault_at(at, what.clone())));
    }
    Ok((bytes, at))
}

/// The bytes of base64 text, with or without padding; `None` for anything else.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let end = text.iter().rposition(|&byte| byte != b'=').map_or(0, |last| last + 1);
    if text.len() - end > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(end / 4 * 3 + 2);
    for group in text[..end].chunks(4) {
        let mut bits = 0u32;
        for &letter in group {
            let value = match letter {
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(value);
        }
        let [_, a, b, c] = (bits << (6 * (4 - group.len()))).to_be_bytes();
        match group.len() {
            4 => bytes.extend([a, b, c]),
            3 => bytes.extend([a, b]),
            2 => bytes.push(a),
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        for (text, bytes) in
            [("", &b""[..]), ("Zg==", b"f"), ("Zm8=", b"fo"), ("Zm9v", b"foo"), ("+/8", b"\xfb\xff")]
        {
            assert_eq!(base64(text.as_bytes()).as_deref(), Some(bytes), "{text}");
        }
        for text in ["Z", "Zm9v=A", "Zm 9v", "====", "Zm9vZ==="] {
            assert_eq!(base64(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_fault_of_the_json_is_at_its_byte() {
        for (text, byte) in [("{\"a\": nul}", 9), ("{\n\"a\":\n x}", 8)] {
            let container = Container::open(text.as_bytes()).expect("JSON alone");
            let error = container.value().expect_err("no JSON").to_string();
            assert!(error.contains(&format!("byte {byte}: not JSON")), "{error}");
        }
    }
}
