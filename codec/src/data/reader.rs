//! The file as a whole: root header, frame after frame into the clip, trailing bytes, and what to say about them.

use super::frame::{FrameFault, FrameResult, entry_offset, read_frame};
use super::layout::Layout;
use super::row::Row;
use super::skip::{ItemHeader, Skipper};
use super::source::{Form, Source};
use super::template::{FrameTemplate, put_array_header};
use super::window::Window;
use super::{DataFile, format_error};
use crate::clip::{Clip, META_DATA_MODE, META_GUID, Times, ZERO_GUID};
use crate::error::{Error, Result};
use std::io::Read;

/// Reads a clip; with `keep_whole`, a fault after the root header ends it instead of failing.
pub(super) fn read_clip<R: Read>(input: R, keep_whole: bool) -> Result<DataFile> {
    // 1. Layers: LZ4 or none.
    let (form, source) = Source::open(input)?;
    let mut window = Window::new(source);
    // 2. Number of frames.
    let (declared, short_header) = read_root(&mut window)?;
    let mut take = Take::new(form, short_header);
    // 3. Frames, until one fails.
    let mut fault = None;
    while take.frames() < declared {
        if let Err(error) = take.read_next(&mut window, declared) {
            fault = Some(error);
            break;
        }
    }
    // 4. What follows the last frame.
    let mut trailing = 0;
    if fault.is_none() {
        trailing = window.drain();
        fault = window.fault().cloned();
    }
    if fault.is_none() {
        trailing += window.into_source().trailing()?;
    }
    match fault {
        Some(error @ Error::Format { .. }) if keep_whole => {
            let whole = take.frames();
            take.lost = Some(format!("{whole} of {declared} frames recovered: {error}"));
        }
        Some(error) => return Err(error),
        None => {}
    }
    Ok(take.finish(trailing))
}

/// Reads the root array's header: its count, and whether it is the shortest form.
fn read_root<R: Read>(window: &mut Window<R>) -> Result<(u64, bool)> {
    let header = loop {
        if let Some(header) = ItemHeader::parse(window.bytes()) {
            break header;
        }
        if !window.fill() {
            let ends =
                || format_error(None, None, window.position(), "the file ends inside its first header");
            return Err(window.fault().cloned().unwrap_or_else(ends));
        }
    };
    if !header.is_array() {
        let what = format!("the root is {:?}, expected an array of frames", header.marker);
        return Err(format_error(None, None, 0, what));
    }
    let mut shortest = Vec::new();
    put_array_header(&mut shortest, header.children as u32);
    window.consume(header.header_bytes);
    Ok((header.children, shortest.len() == header.header_bytes))
}

/// Frames that have something in common: how many, and the first.
#[derive(Debug, Default)]
struct Seen {
    count: u64,
    first: u64,
}

impl Seen {
    fn add(&mut self, frame: u64) {
        if self.count == 0 {
            self.first = frame;
        }
        self.count += 1;
    }
}

/// The clip as far as it is read.
struct Take {
    form: Form,
    short_header: bool,
    layout: Option<Layout>,
    row: Row,
    guid: Option<String>,
    times: Vec<f64>,
    columns: Vec<Vec<f32>>,
    /// What the recorder would write for this clip's frames; kept while all frames are such.
    template: Option<FrameTemplate>,
    /// First frame that the recorder would write in other bytes.
    foreign_frame: Option<u64>,
    without_guid: Seen,
    other_guid: Seen,
    lost: Option<String>,
}

impl Take {
    fn new(form: Form, short_header: bool) -> Self {
        Take {
            form,
            short_header,
            layout: None,
            row: Row::default(),
            guid: None,
            times: Vec::new(),
            columns: Vec::new(),
            template: None,
            foreign_frame: None,
            without_guid: Seen::default(),
            other_guid: Seen::default(),
            lost: None,
        }
    }

    fn frames(&self) -> u64 {
        self.times.len() as u64
    }

    /// Reads the next frame whole, or nothing of it.
    fn read_next<R: Read>(&mut self, window: &mut Window<R>, declared: u64) -> Result<()> {
        let frame = self.frames();
        let length = self.whole_frame(window, declared)?;
        let bytes = &window.bytes()[..length];
        let position = window.position();
        self.add_frame(bytes).map_err(|fault| {
            let at = position + fault.entry.map_or(0, |entry| entry_offset(bytes, entry)) as u64;
            self.fault_at(frame, fault.entry.map(|entry| entry as u64), at, fault.what)
        })?;
        window.consume(length);
        Ok(())
    }

    /// Length of the frame that the window starts with, once all of it is there.
    fn whole_frame<R: Read>(&self, window: &mut Window<R>, declared: u64) -> Result<usize> {
        let frame = self.frames();
        let mut skipper = Skipper::new();
        loop {
            match skipper.advance(window.bytes()) {
                Ok(Some(length)) => return Ok(length),
                Ok(None) => {}
                Err(fault) => {
                    let at = window.position() + fault.at as u64;
                    return Err(self.fault_at(frame, None, at, fault.what));
                }
            }
            if !window.fill() {
                break;
            }
        }
        let whole = format!("{frame} of {declared} frames are whole");
        match window.fault() {
            Some(Error::Format { at_byte, what, .. }) => {
                Err(format_error(Some(frame), None, *at_byte, format!("{what}; {whole}")))
            }
            Some(error) => Err(error.clone()),
            None => {
                let end = window.position() + window.bytes().len() as u64;
                let what = format!("{whole}; the file ends at byte {end}");
                Err(self.fault_at(frame, None, window.position(), what))
            }
        }
    }

    /// Takes a frame's bytes into the clip; on a fault the clip is as before.
    fn add_frame(&mut self, bytes: &[u8]) -> FrameResult<()> {
        let frame = self.frames();
        let guid = read_frame(bytes, frame, self.layout.as_ref(), &mut self.row)?;
        if self.layout.is_none() {
            self.begin_layout()?;
        }
        match &self.guid {
            _ if guid.is_empty() => self.without_guid.add(frame),
            None => self.guid = Some(guid.to_owned()),
            Some(kept) if kept != guid => self.other_guid.add(frame),
            Some(_) => {}
        }
        if self.foreign_frame.is_none() && !self.is_recorder_form(bytes) {
            self.foreign_frame = Some(frame);
        }
        push(&mut self.times, self.row.time_s);
        for (column, &value) in self.columns.iter_mut().zip(&self.row.values) {
            push(column, value);
        }
        Ok(())
    }

    /// Learns the layout from the first frame and puts its values in track order.
    fn begin_layout(&mut self) -> FrameResult<()> {
        let layout = Layout::learn(std::mem::take(&mut self.row.names))
            .map_err(|(entry, what)| FrameFault { entry: Some(entry), what })?;
        let in_entry_order = std::mem::take(&mut self.row.values);
        self.row.values.resize(in_entry_order.len(), 0.0);
        for (entry, value) in in_entry_order.into_iter().enumerate() {
            self.row.values[layout.first_column(entry)] = value;
        }
        self.columns = vec![Vec::new(); layout.entries()];
        self.layout = Some(layout);
        Ok(())
    }

    /// Whether the writer makes these bytes of the row just read.
    fn is_recorder_form(&mut self, bytes: &[u8]) -> bool {
        if self.template.is_none()
            && let (Some(layout), Some(guid)) = (&self.layout, &self.guid)
        {
            self.template = FrameTemplate::new(guid, layout.written_names()).ok();
        }
        let row = &self.row;
        self.template
            .as_mut()
            .is_some_and(|template| template.fill(row.time_s as f32, row.values.iter().copied()) == bytes)
    }

    fn fault_at(&self, frame: u64, entry: Option<u64>, at_byte: u64, what: String) -> Error {
        let what = match self.form {
            Form::Plain => what,
            _ => format!("{what} (bytes are counted in the unpacked LZ4 data)"),
        };
        format_error(Some(frame), entry, at_byte, what)
    }

    fn finish(mut self, trailing: u64) -> DataFile {
        let notes = self.notes(trailing);
        let exact = self.form == Form::Plain
            && self.short_header
            && self.foreign_frame.is_none()
            && trailing == 0
            && self.lost.is_none();
        let layout = self.layout.take().unwrap_or_else(Layout::without_frames);
        self.columns.resize(layout.tracks.len(), Vec::new());
        for column in &mut self.columns {
            column.shrink_to_fit();
        }
        let mut clip = Clip::empty(layout.tracks);
        clip.samples = self.columns;
        clip.times = Times::Explicit(self.times);
        clip.meta.insert(META_DATA_MODE.to_owned(), layout.mode.as_str().to_owned());
        if let Some(guid) = self.guid {
            clip.meta.insert(META_GUID.to_owned(), guid);
        }
        DataFile { clip, notes, exact }
    }

    fn notes(&self, trailing: u64) -> Vec<String> {
        let mut notes: Vec<String> = self.lost.iter().cloned().collect();
        match trailing {
            0 => {}
            1 => notes.push("1 trailing byte after the last frame is ignored".into()),
            count => notes.push(format!("{count} trailing bytes after the last frame are ignored")),
        }
        let Seen { count, first } = self.without_guid;
        if count > 0 {
            let given = self.guid.as_deref().unwrap_or(ZERO_GUID);
            notes.push(format!(
                "{count} frames from frame {first} on have no GUID; written .data gives {given}"
            ));
        }
        let Seen { count, first } = self.other_guid;
        if count > 0 {
            notes.push(format!("{count} frames from frame {first} on have another GUID; the first is kept"));
        }
        let traits = &self.row.traits;
        if let Some((change, frame, entry)) = traits.rounding {
            let count = traits.rounded;
            notes.push(format!(
                "{count} values rounded to float32, by {change:e} at most (frame {frame}, entry {entry})"
            ));
        }
        match self.form {
            Form::Plain => {}
            Form::Lz4Block => notes.push("packed as LZ4 (extension 99); written .data is not packed".into()),
            Form::Lz4BlockArray => {
                notes.push("packed as LZ4 blocks (extension 98); written .data is not packed".into());
            }
        }
        let foreign = match self.foreign_frame {
            Some(frame) => Some(format!("frame {frame}")),
            None => (!self.short_header).then(|| "the root header".into()),
        };
        if let Some(place) = foreign {
            let how = match (traits.maps, traits.numbers) {
                (true, _) => "maps with keys",
                (false, true) => "integers or float64 numbers",
                (false, false) => "wide headers, nil texts, or another order or spelling of names",
            };
            notes.push(format!("not in the recorder's own form from {place} on ({how}); written .data is"));
        }
        notes
    }
}

/// Appends with room for a quarter more: doubling would take twice the memory of a long clip.
fn push<T>(column: &mut Vec<T>, value: T) {
    if column.len() == column.capacity() {
        column.reserve_exact((column.len() / 4).max(16));
    }
    column.push(value);
}
