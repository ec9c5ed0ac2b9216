//! The recorder's frames as JSON: what its MessagePack file holds, by key.
//!
//! `[{"GUID": "", "Time": 0.0, "Transforms": [{"ObjectName": "", "value": 0.0}]}]`, or the same without keys as lists,
//! one frame alone, or frames one after another. Frames go through the reader and the writer of `.data`, so that what
//! the two mean and lose is the same.

use super::clip_to_keyed::not_finite;
use super::json_writer::JsonWriter;
use super::source::{Lines, NumberSeed, TextSeed, fault, fill, pass_over, to_f32};
use crate::data_file;
use crate::error::{self, Error, Place};
use crate::load::{Loaded, ReadOptions};
use crate::note::Note;
use crate::registry::{Format, Progress, Source};
use crate::save::WriteOptions;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use sinew::data::{DataFile, DataMode};
use sinew::{Clip, META_GUID, ZERO_GUID};
use std::cell::Cell;
use std::fmt;
use std::io::{Read, Write};

/// Frames between two calls of the progress.
const PROGRESS_FRAMES: usize = 256;

pub(super) fn read(
    source: Source<'_>,
    options: &ReadOptions,
    progress: Progress<'_>,
) -> error::Result<Loaded> {
    // 1. The frames, in the recorder's own form: less than the text takes.
    let line = Cell::new(1);
    let mut deserializer = serde_json::Deserializer::from_reader(Lines::new(source.reader, &line));
    let mut state = State::new(options, &line);
    loop {
        let read = RootSeed(&mut state).deserialize(&mut deserializer);
        match read {
            Ok(()) if deserializer.end().is_ok() => break,
            // Something follows: the next frame of a file of one frame a line, or a fault that is found now.
            Ok(()) => {}
            Err(_) if state.too_many => {
                return Err(sinew::Error::LimitExceeded { what: "number of samples" }.into());
            }
            Err(error) => return Err(fault(Format::Muscles, &error, &state.spot())),
        }
    }

    // 2. What they mean.
    let State { bytes, lines, .. } = state;
    let mut header = Vec::new();
    put_array(&mut header, lines.len() as u32);
    let file = sinew::data::read(header.chain(&bytes[..])).map_err(|error| of_frame(error, &lines))?;
    let DataFile { clip, losses, notes, .. } = file;
    progress(clip.frames() as u64);
    let notes = losses.into_iter().map(Note::loss).chain(notes.into_iter().map(Note::info)).collect();
    Ok(Loaded { notes, ..Loaded::plain(clip, Format::Muscles) })
}

/// An error of a frame, with the line on which the frame ends.
fn of_frame(error: sinew::Error, lines: &[u64]) -> Error {
    let sinew::Error::Format { frame: Some(frame), entry, what, .. } = error else { return error.into() };
    let place = match lines.get(frame as usize) {
        Some(&line) => Place::Line { line, column: None },
        None => Place::File,
    };
    let entry = entry.map_or(String::new(), |entry| format!(", value {entry}"));
    Error::format(
        Format::Muscles,
        place,
        format!("frame {frame}{entry}: {}", crate::quote::clipped(&what, 200)),
    )
}

struct State<'a> {
    options: &'a ReadOptions,
    line: &'a Cell<u64>,
    /// Frames as MessagePack.
    bytes: Vec<u8>,
    /// The line on which each frame ends.
    lines: Vec<u64>,
    /// The entries of the frame that is being read.
    entries: Vec<u8>,
    entry: Option<u32>,
    samples: u64,
    too_many: bool,
}

impl<'a> State<'a> {
    fn new(options: &'a ReadOptions, line: &'a Cell<u64>) -> State<'a> {
        State {
            options,
            line,
            bytes: Vec::new(),
            lines: Vec::new(),
            entries: Vec::new(),
            entry: None,
            samples: 0,
            too_many: false,
        }
    }

    fn spot(&self) -> String {
        let entry = self.entry.map_or(String::new(), |entry| format!(", value {entry}"));
        format!("frame {}{entry}: ", self.lines.len())
    }

    fn take_entry<E: serde::de::Error>(&mut self, name: &str, value: f64) -> Result<(), E> {
        self.samples += 1;
        if self.samples > self.options.limits.max_samples {
            self.too_many = true;
            return Err(E::custom("beyond the limit"));
        }
        self.entries.push(0x92);
        put_text(&mut self.entries, name);
        put_float(&mut self.entries, to_f32(value)?);
        Ok(())
    }

    fn take_frame<E: serde::de::Error>(&mut self, guid: &str, time_s: f64, count: u32) -> Result<(), E> {
        if self.lines.len() >= u32::MAX as usize {
            return Err(E::custom("more frames than a file may have"));
        }
        self.bytes.push(0x93);
        put_text(&mut self.bytes, guid);
        put_float(&mut self.bytes, to_f32(time_s)?);
        put_array(&mut self.bytes, count);
        self.bytes.append(&mut self.entries);
        self.lines.push(self.line.get());
        Ok(())
    }
}

fn put_array(bytes: &mut Vec<u8>, count: u32) {
    match u16::try_from(count) {
        Ok(count) if count < 16 => bytes.push(0x90 | count as u8),
        Ok(count) => {
            bytes.push(0xdc);
            bytes.extend(count.to_be_bytes());
        }
        Err(_) => {
            bytes.push(0xdd);
            bytes.extend(count.to_be_bytes());
        }
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    // Names that are read are shorter than 64 KiB.
    match text.len() as u16 {
        length @ 0..32 => bytes.push(0xa0 | length as u8),
        length @ 32..256 => bytes.extend([0xd9, length as u8]),
        length => {
            bytes.push(0xda);
            bytes.extend(length.to_be_bytes());
        }
    }
    bytes.extend(text.as_bytes());
}

fn put_float(bytes: &mut Vec<u8>, value: f32) {
    bytes.push(0xca);
    bytes.extend(value.to_be_bytes());
}

/// Implements a seed that takes lists and maps.
macro_rules! any_seed {
    ($name:ident, $value:ty) => {
        impl<'de> DeserializeSeed<'de> for $name<'_, '_> {
            type Value = $value;
            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<$value, D::Error> {
                deserializer.deserialize_any(self)
            }
        }
    };
}

/// A list of frames, or a frame with keys alone.
struct RootSeed<'s, 'a>(&'s mut State<'a>);
any_seed!(RootSeed, ());

impl<'de> Visitor<'de> for RootSeed<'_, '_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of frames")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(FrameSeed(&mut *self.0))?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        FrameSeed(self.0).visit_map(items)
    }
}

struct FrameSeed<'s, 'a>(&'s mut State<'a>);
any_seed!(FrameSeed, ());

impl<'de> Visitor<'de> for FrameSeed<'_, '_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a frame {\"GUID\", \"Time\", \"Transforms\"} or [GUID, time, values]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let short = || A::Error::custom("a list that is no frame, expected [GUID, time, values]");
        let guid = items.next_element_seed(TextSeed)?.ok_or_else(short)?;
        let time_s = items.next_element_seed(NumberSeed)?.ok_or_else(short)?;
        let count = items.next_element_seed(EntriesSeed(&mut *self.0))?.ok_or_else(short)?;
        if items.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(short());
        }
        self.0.take_frame(&guid, time_s, count)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let (mut guid, mut time_s, mut count) = (None, None, None);
        while let Some(key) = items.next_key_seed(TextSeed)? {
            if key.eq_ignore_ascii_case("GUID") {
                fill(&mut guid, &key, items.next_value_seed(TextSeed)?)?;
            } else if key.eq_ignore_ascii_case("Time") {
                fill(&mut time_s, &key, items.next_value_seed(NumberSeed)?)?;
            } else if key.eq_ignore_ascii_case("Transforms") {
                // A second list would be added to the entries of the first.
                fill(&mut count, &key, 0)?;
                count = Some(items.next_value_seed(EntriesSeed(&mut *self.0))?);
            } else {
                pass_over(&mut items)?;
            }
        }
        let missing = |key: &str| A::Error::custom(format_args!("the frame has no {key:?}"));
        let count = count.ok_or_else(|| missing("Transforms"))?;
        let time_s = time_s.ok_or_else(|| missing("Time"))?;
        self.0.take_frame(&guid.unwrap_or_default(), time_s, count)
    }
}

struct EntriesSeed<'s, 'a>(&'s mut State<'a>);
any_seed!(EntriesSeed, u32);

impl<'de> Visitor<'de> for EntriesSeed<'_, '_> {
    type Value = u32;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<u32, A::Error> {
        for entry in 0..u32::MAX {
            self.0.entry = Some(entry);
            if items.next_element_seed(EntrySeed(&mut *self.0))?.is_none() {
                self.0.entry = None;
                return Ok(entry);
            }
        }
        Err(A::Error::custom("more values than a frame may have"))
    }
}

/// `{"ObjectName", "value"}`, `[name, value]` or a bare number.
struct EntrySeed<'s, 'a>(&'s mut State<'a>);
any_seed!(EntrySeed, ());

impl<'de> Visitor<'de> for EntrySeed<'_, '_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value {\"ObjectName\", \"value\"} or [name, value]")
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        self.0.take_entry("", value)
    }
    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        self.0.take_entry("", value as f64)
    }
    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        self.0.take_entry("", value as f64)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let short = || A::Error::custom("a list that is no pair, expected [name, value]");
        let name = items.next_element_seed(TextSeed)?.ok_or_else(short)?;
        let value = items.next_element_seed(NumberSeed)?.ok_or_else(short)?;
        if items.next_element::<serde::de::IgnoredAny>()?.is_some() {
            return Err(short());
        }
        self.0.take_entry(&name, value)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let (mut name, mut value) = (None, None);
        while let Some(key) = items.next_key_seed(TextSeed)? {
            if key.eq_ignore_ascii_case("ObjectName") {
                fill(&mut name, &key, items.next_value_seed(TextSeed)?)?;
            } else if key.eq_ignore_ascii_case("value") {
                fill(&mut value, &key, items.next_value_seed(NumberSeed)?)?;
            } else {
                pass_over(&mut items)?;
            }
        }
        let value = value.ok_or_else(|| A::Error::custom("there is no \"value\""))?;
        self.0.take_entry(&name.unwrap_or_default(), value)
    }
}

pub(super) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> error::Result<Vec<Note>> {
    // 1. What `.data` keeps of the clip is what the text says.
    data_file::require_muscles(clip, Format::Muscles)?;
    let mode = options.mode.or_else(|| DataMode::of_clip(clip)).unwrap_or(DataMode::Nameless);
    let mut bytes = Vec::new();
    let losses = sinew::data::write(clip, mode, &mut bytes)?;
    let kept = sinew::data::read(&bytes[..])?.clip;
    drop(bytes);
    let bad = |component: usize| kept.samples[component].iter().position(|value| !value.is_finite());
    let first_bad = (0..kept.components()).filter_map(|component| Some((bad(component)?, component))).min();
    if let Some((frame, component)) = first_bad {
        return Err(not_finite(&kept, frame, component, Format::Muscles));
    }

    // 2. The text.
    let names: Vec<&str> =
        kept.tracks.iter().map(|track| if mode == DataMode::Named { track.name() } else { "" }).collect();
    let guid = kept.meta.get(META_GUID).map_or(ZERO_GUID, String::as_str);
    let mut writer = JsonWriter::new(sink);
    for (frame, time_s) in kept.times.iter().enumerate() {
        writer.raw(if frame > 0 { ",\n{\"GUID\":" } else { "[{\"GUID\":" });
        writer.text(guid);
        writer.raw(",\"Time\":");
        writer.float(time_s as f32);
        writer.raw(",\"Transforms\":[");
        for (track, name) in names.iter().enumerate() {
            writer.raw(if track > 0 { ",{\"ObjectName\":" } else { "{\"ObjectName\":" });
            writer.text(name);
            writer.raw(",\"value\":");
            writer.float(kept.samples[track][frame]);
            writer.raw("}");
        }
        writer.raw("]}");
        writer.drain()?;
        if (frame + 1).is_multiple_of(PROGRESS_FRAMES) {
            progress(frame as u64 + 1);
        }
    }
    writer.raw(if kept.frames() > 0 { "]\n" } else { "[]\n" });
    writer.finish()?;
    // Its sentences name the file that they were made for.
    let own = Format::Muscles.to_string();
    Ok(losses.into_iter().map(|loss| Note::loss(loss.replace(".data", &own))).collect())
}
