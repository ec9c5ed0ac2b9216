//! One frame through serde: borrowed names, values straight into a row, any number type, arrays or maps.

use super::DataMode;
use super::item::{NumberSeed, TextSeed, refuse_extensions};
use super::layout::Layout;
use super::row::Row;
use super::skip::{ItemHeader, item_length};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Nesting that a frame may have: three levels are its own, the rest is left to values of unknown map keys.
const MAX_DEPTH: usize = 16;

/// What is wrong with a frame.
#[derive(Debug, PartialEq)]
pub(super) struct FrameFault {
    pub(super) entry: Option<usize>,
    pub(super) what: String,
}

/// Result of reading one frame.
pub(super) type FrameResult<T> = Result<T, FrameFault>;

/// Reads frame number `frame` from its whole bytes into `row` and gives its GUID. Without a layout (the first
/// frame) values and names are kept in entry order.
pub(super) fn read_frame<'de>(
    bytes: &'de [u8],
    frame: u64,
    layout: Option<&Layout>,
    row: &mut Row,
) -> FrameResult<&'de str> {
    row.begin(frame, layout);
    let mut deserializer = rmp_serde::Deserializer::from_read_ref(bytes);
    deserializer.set_max_depth(MAX_DEPTH);
    FrameSeed { layout, row: &mut *row }
        .deserialize(&mut deserializer)
        .map_err(|error| FrameFault { entry: row.entry, what: error.to_string() })
}

/// Offset of entry `entry` in a frame's bytes, for errors; 0 where the frame has no such entry.
pub(super) fn entry_offset(frame: &[u8], entry: usize) -> usize {
    find_entry(frame, entry).unwrap_or(0)
}

fn find_entry(frame: &[u8], entry: usize) -> Option<usize> {
    let header = ItemHeader::parse(frame)?;
    let mut at = header.header_bytes;
    let next = |at: usize| item_length(frame.get(at..)?).map(|length| at + length);
    if header.is_array() {
        at = next(next(at)?)?;
    } else {
        loop {
            let (key, value_at) = (frame.get(at..next(at)?)?, next(at)?);
            at = value_at;
            if key.get(ItemHeader::parse(key)?.header_bytes..)?.eq_ignore_ascii_case(b"transforms") {
                break;
            }
            at = next(at)?;
        }
    }
    at += ItemHeader::parse(frame.get(at..)?)?.header_bytes;
    (0..entry).try_fold(at, |at, _| next(at))
}

/// Takes the value of a map key, refusing a second one.
fn fill<T, E: serde::de::Error>(slot: &mut Option<T>, key: &str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::custom(format_args!("key {key:?} comes a second time"))),
    }
}

fn missing<E: serde::de::Error>(key: &str) -> E {
    E::custom(format_args!("key {key:?} is missing"))
}

/// The array or map `[GUID, time, values]`; gives the GUID.
struct FrameSeed<'a> {
    layout: Option<&'a Layout>,
    row: &'a mut Row,
}

impl<'de> DeserializeSeed<'de> for FrameSeed<'_> {
    type Value = &'de str;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<&'de str, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FrameSeed<'_> {
    type Value = &'de str;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a frame [GUID, time, values]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<&'de str, A::Error> {
        let expected = "expected [GUID, time, values]";
        let count = items.size_hint().unwrap_or(0);
        if count != 3 {
            return Err(A::Error::custom(format_args!("an array of {count} items, {expected}")));
        }
        let ended = || A::Error::custom(format_args!("the array ends early, {expected}"));
        let guid = items.next_element_seed(TextSeed("GUID"))?.ok_or_else(ended)?;
        let time = items.next_element_seed(NumberSeed("time"))?.ok_or_else(ended)?;
        self.row.put_time(time)?;
        items.next_element_seed(ValuesSeed { layout: self.layout, row: self.row })?.ok_or_else(ended)?;
        Ok(guid)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<&'de str, A::Error> {
        self.row.traits.maps = true;
        let (mut guid, mut time, mut values) = (None, None, None);
        while let Some(key) = items.next_key_seed(TextSeed("key"))? {
            if key.eq_ignore_ascii_case("GUID") {
                fill(&mut guid, key, items.next_value_seed(TextSeed("GUID"))?)?;
            } else if key.eq_ignore_ascii_case("Time") {
                fill(&mut time, key, items.next_value_seed(NumberSeed("time"))?)?;
            } else if key.eq_ignore_ascii_case("Transforms") {
                fill(&mut values, key, ())?;
                items.next_value_seed(ValuesSeed { layout: self.layout, row: &mut *self.row })?;
            } else {
                items.next_value::<IgnoredAny>()?;
                self.row.pass_over(key);
            }
        }
        values.ok_or_else(|| missing("Transforms"))?;
        self.row.put_time(time.ok_or_else(|| missing("Time"))?)?;
        guid.ok_or_else(|| missing("GUID"))
    }
    refuse_extensions!();
}

/// The array of pairs.
struct ValuesSeed<'a> {
    layout: Option<&'a Layout>,
    row: &'a mut Row,
}

impl<'de> DeserializeSeed<'de> for ValuesSeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValuesSeed<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of values [name, value]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        // rmp-serde gives the array's declared count, and the bytes are known to hold as many items.
        let count = items.size_hint().unwrap_or(0);
        let ValuesSeed { layout, row } = self;
        // A count that differs shows here; without names no single entry is the odd one.
        if let Some(layout) =
            layout.filter(|layout| layout.mode == DataMode::Nameless && layout.entries() != count)
        {
            return Err(A::Error::custom(format_args!("{count} values, expected {}", layout.entries())));
        }
        for entry in 0..count {
            row.entry = Some(entry);
            items.next_element_seed(EntrySeed { layout, row: &mut *row, entry })?;
        }
        row.entry = None;
        // Names were all known and distinct, so only missing ones are left to find.
        if let Some(layout) = layout.filter(|layout| count < layout.entries()) {
            row.entry = Some(count);
            return Err(A::Error::custom(format_args!(
                "{count} values, expected {}: {:?} is missing",
                layout.entries(),
                layout.tracks[row.first_absent()].name()
            )));
        }
        Ok(())
    }
    refuse_extensions!();
}

/// The array or map `[name, value]`.
struct EntrySeed<'a> {
    layout: Option<&'a Layout>,
    row: &'a mut Row,
    entry: usize,
}

impl<'de> DeserializeSeed<'de> for EntrySeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for EntrySeed<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pair [name, value]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let count = items.size_hint().unwrap_or(0);
        if count != 2 {
            return Err(A::Error::custom(format_args!("an array of {count} items, expected [name, value]")));
        }
        let ended = || A::Error::custom("the pair ends early");
        let name = items.next_element_seed(TextSeed("name"))?.ok_or_else(ended)?;
        let value = items.next_element_seed(NumberSeed("value"))?.ok_or_else(ended)?;
        self.row.put_entry(self.layout, self.entry, name, value)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.row.traits.maps = true;
        let (mut name, mut value) = (None, None);
        while let Some(key) = items.next_key_seed(TextSeed("key"))? {
            if key.eq_ignore_ascii_case("ObjectName") {
                fill(&mut name, key, items.next_value_seed(TextSeed("name"))?)?;
            } else if key.eq_ignore_ascii_case("value") {
                fill(&mut value, key, items.next_value_seed(NumberSeed("value"))?)?;
            } else {
                items.next_value::<IgnoredAny>()?;
                self.row.pass_over(key);
            }
        }
        let name = name.ok_or_else(|| missing("ObjectName"))?;
        let value = value.ok_or_else(|| missing("value"))?;
        self.row.put_entry(self.layout, self.entry, name, value)
    }
    refuse_extensions!();
}
