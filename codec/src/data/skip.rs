//! Finds where one MessagePack item ends without recursion and without believing any declared length.
//!
//! rmp-serde trusts the bytes it is given: a 4 GiB string header or 100,000 nested arrays are its caller's affair.
//! So every frame is first walked marker by marker here, and only a whole frame of bounded length reaches serde.

use rmp::Marker;

/// Longest frame that is read or written. The recorder's named frames have 2,837 bytes.
pub(super) const MAX_FRAME_BYTES: usize = 16 * 1024 * 1024;

/// Most entries of a frame that are read or written. A humanoid frame has 95.
pub(super) const MAX_ENTRIES: usize = 65_536;

/// What makes an item unreadable whatever bytes follow.
#[derive(Debug, PartialEq)]
pub(super) struct SkipFault {
    /// Offset from the start of the item.
    pub(super) at: usize,
    /// What is wrong there.
    pub(super) what: String,
}

/// Walk over one item that can pause when the bytes end and go on when more have come.
#[derive(Debug)]
pub(super) struct Skipper {
    at: usize,
    /// Items still to come: an array of n adds n. A count, not a stack, so nesting costs no memory.
    pending: u64,
}

impl Skipper {
    pub(super) fn new() -> Self {
        Skipper { at: 0, pending: 1 }
    }

    /// Goes on over `bytes`, which start where the item starts. Gives the item's length once it is whole.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Result<Option<usize>, SkipFault> {
        while self.pending > 0 {
            // What a recorder's frame is made of, ahead of the general case: three times as fast.
            let (length, children) = match bytes.get(self.at) {
                Some(0xca) => (5, 0),
                Some(text @ 0xa0..=0xbf) => (1 + usize::from(text & 0x1f), 0),
                Some(array @ 0x90..=0x9f) => (1, u64::from(array & 0x0f)),
                _ => (0, 0),
            };
            let pending = self.pending - 1 + children;
            if length > 0 && (self.at + length) as u64 + pending <= MAX_FRAME_BYTES as u64 {
                (self.at, self.pending) = (self.at + length, pending);
                continue;
            }
            let Some(header) = bytes.get(self.at..).and_then(ItemHeader::parse) else { return Ok(None) };
            let limit = MAX_FRAME_BYTES as u64;
            let end = self.at as u64 + header.header_bytes as u64 + header.payload_bytes;
            if header.reserved {
                return Err(SkipFault { at: self.at, what: "byte c1 is no MessagePack marker".into() });
            }
            if header.children > 2 * MAX_ENTRIES as u64
                || header.is_array() && header.children > MAX_ENTRIES as u64
            {
                let what = format!("a list of {} items, at most {MAX_ENTRIES} are read", header.children);
                return Err(SkipFault { at: self.at, what });
            }
            self.pending = self.pending - 1 + header.children;
            // Every item has a byte at least, so a count says how long its array must be.
            if end + self.pending > limit {
                return Err(SkipFault {
                    at: self.at,
                    what: format!("the item that starts here goes beyond the {} MiB of a frame", limit >> 20),
                });
            }
            self.at = end as usize;
        }
        Ok((self.at <= bytes.len()).then_some(self.at))
    }
}

/// Length in bytes of the whole item that `bytes` start with; `None` if it is cut or unreadable.
pub(super) fn item_length(bytes: &[u8]) -> Option<usize> {
    Skipper::new().advance(bytes).ok().flatten()
}

/// The first bytes of an item: marker and declared length or count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ItemHeader {
    pub(super) marker: Marker,
    /// Marker and length field, for an extension with its type.
    pub(super) header_bytes: usize,
    /// Bytes of text, binary, extension or number that follow the header.
    pub(super) payload_bytes: u64,
    /// Items that follow the header: array elements, keys and values.
    pub(super) children: u64,
    reserved: bool,
}

impl ItemHeader {
    /// `None` if `bytes` end inside the header.
    pub(super) fn parse(bytes: &[u8]) -> Option<ItemHeader> {
        let marker = Marker::from_u8(*bytes.first()?);
        // Value of the big-endian length field of `size` bytes.
        let length = |size: usize| -> Option<u64> {
            bytes.get(1..=size).map(|field| field.iter().fold(0, |value, &byte| value << 8 | u64::from(byte)))
        };
        let mut header =
            ItemHeader { marker, header_bytes: 1, payload_bytes: 0, children: 0, reserved: false };
        let sized = |size: usize, extra: usize| -> Option<ItemHeader> {
            Some(ItemHeader { header_bytes: 1 + size + extra, payload_bytes: length(size)?, ..header })
        };
        let list = |size: usize, each: u64| -> Option<ItemHeader> {
            Some(ItemHeader { header_bytes: 1 + size, children: length(size)? * each, ..header })
        };
        match marker {
            Marker::FixPos(_) | Marker::FixNeg(_) | Marker::Null | Marker::True | Marker::False => {}
            Marker::U8 | Marker::I8 => header.payload_bytes = 1,
            Marker::U16 | Marker::I16 => header.payload_bytes = 2,
            Marker::U32 | Marker::I32 | Marker::F32 => header.payload_bytes = 4,
            Marker::U64 | Marker::I64 | Marker::F64 => header.payload_bytes = 8,
            Marker::FixStr(length) => header.payload_bytes = u64::from(length),
            Marker::Str8 | Marker::Bin8 => return sized(1, 0),
            Marker::Str16 | Marker::Bin16 => return sized(2, 0),
            Marker::Str32 | Marker::Bin32 => return sized(4, 0),
            Marker::Ext8 => return sized(1, 1),
            Marker::Ext16 => return sized(2, 1),
            Marker::Ext32 => return sized(4, 1),
            Marker::FixExt1 => (header.header_bytes, header.payload_bytes) = (2, 1),
            Marker::FixExt2 => (header.header_bytes, header.payload_bytes) = (2, 2),
            Marker::FixExt4 => (header.header_bytes, header.payload_bytes) = (2, 4),
            Marker::FixExt8 => (header.header_bytes, header.payload_bytes) = (2, 8),
            Marker::FixExt16 => (header.header_bytes, header.payload_bytes) = (2, 16),
            Marker::FixArray(count) => header.children = u64::from(count),
            Marker::Array16 => return list(2, 1),
            Marker::Array32 => return list(4, 1),
            Marker::FixMap(count) => header.children = 2 * u64::from(count),
            Marker::Map16 => return list(2, 2),
            Marker::Map32 => return list(4, 2),
            Marker::Reserved => header.reserved = true,
        }
        Some(header)
    }

    /// Whether the item is an array, of any header width.
    pub(super) fn is_array(&self) -> bool {
        matches!(self.marker, Marker::FixArray(_) | Marker::Array16 | Marker::Array32)
    }

    /// Whether the item is a map, of any header width.
    pub(super) fn is_map(&self) -> bool {
        matches!(self.marker, Marker::FixMap(_) | Marker::Map16 | Marker::Map32)
    }

    /// Whether the item is binary, of any header width.
    pub(super) fn is_binary(&self) -> bool {
        matches!(self.marker, Marker::Bin8 | Marker::Bin16 | Marker::Bin32)
    }

    /// Type of an extension, of any header width. `bytes` are those given to [`parse`](Self::parse).
    pub(super) fn extension_type(&self, bytes: &[u8]) -> Option<i8> {
        let extension = matches!(
            self.marker,
            Marker::FixExt1
                | Marker::FixExt2
                | Marker::FixExt4
                | Marker::FixExt8
                | Marker::FixExt16
                | Marker::Ext8
                | Marker::Ext16
                | Marker::Ext32
        );
        if extension { bytes.get(self.header_bytes - 1).map(|&byte| byte as i8) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_has_its_length() {
        let tail = [0u8; 40];
        let cases: [(&[u8], usize); 22] = [
            (&[0x7f], 1),
            (&[0xe0], 1),
            (&[0xc0], 1),
            (&[0xc3], 1),
            (&[0xcc], 2),
            (&[0xd1], 3),
            (&[0xca], 5),
            (&[0xcb], 9),
            (&[0xcf], 9),
            (&[0xa3], 4),
            (&[0xd9, 4], 6),
            (&[0xda, 0, 4], 7),
            (&[0xdb, 0, 0, 0, 4], 9),
            (&[0xc4, 4], 6),
            (&[0xc7, 4], 7),
            (&[0xc8, 0, 4], 8),
            (&[0xd4], 3),
            (&[0xd8], 18),
            (&[0x92, 0x91], 4),
            (&[0xdc, 0, 3], 6),
            (&[0x82], 5),
            (&[0xde, 0, 2], 7),
        ];
        for (head, length) in cases {
            let bytes = [head, &tail[..]].concat();
            assert_eq!(item_length(&bytes), Some(length), "{head:02x?}");
            for cut in 0..length {
                assert_eq!(item_length(&bytes[..cut]), None, "{head:02x?} cut at {cut}");
            }
        }
    }

    #[test]
    fn a_walk_goes_on_where_the_bytes_ended() {
        let bytes = [0x93, 0xd9, 0x02, b'a', b'b', 0xca, 1, 2, 3, 4, 0x91, 0xc0];
        let mut skipper = Skipper::new();
        for cut in 0..bytes.len() {
            assert_eq!(skipper.advance(&bytes[..cut]), Ok(None));
        }
        assert_eq!(skipper.advance(&bytes), Ok(Some(bytes.len())));
    }

    #[test]
    fn impossible_lengths_fail_before_their_bytes_are_read() {
        for bytes in [[0xdb, 255, 255, 255, 255], [0xdd, 255, 255, 255, 255], [0xdf, 255, 255, 255, 255]] {
            assert!(Skipper::new().advance(&bytes).is_err(), "{bytes:02x?}");
        }
        assert_eq!(Skipper::new().advance(&[0x91, 0xc1]).map_err(|fault| fault.at), Err(1));
    }

    #[test]
    fn a_list_may_have_as_many_items_as_a_frame_entries() {
        let list = |count: usize| [&[0xdd][..], &(count as u32).to_be_bytes(), &vec![0; count]].concat();
        assert_eq!(item_length(&list(MAX_ENTRIES)), Some(5 + MAX_ENTRIES));
        assert!(Skipper::new().advance(&list(MAX_ENTRIES + 1)).is_err());
    }

    #[test]
    fn deep_nesting_is_walked_in_constant_memory() {
        let mut bytes = vec![0x91; 1_000_000];
        bytes.push(0xc0);
        assert_eq!(item_length(&bytes), Some(bytes.len()));
    }
}
