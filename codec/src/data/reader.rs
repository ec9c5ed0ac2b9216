//! The file as a whole: root header, frame after frame into the clip, trailing bytes, and what to say about them.

use super::findings::Findings;
use super::frame::{FrameFault, FrameResult, entry_offset, read_frame};
use super::layout::Layout;
use super::row::Row;
use super::skip::{ItemHeader, Skipper};
use super::source::{Form, Source};
use super::template::{FrameTemplate, put_array_header};
use super::window::Window;
use super::{DataFile, format_error};
use crate::clip::{Clip, META_DATA_MODE, META_GUID, Times};
use crate::error::{Error, Result};
use std::io::Read;

/// Reads a clip; with `keep_whole`, a fault after the root header costs the frames that it touches instead of all.
pub(super) fn read_clip<R: Read>(input: R, keep_whole: bool) -> Result<DataFile> {
    // 1. Layers: LZ4 or none.
    let (form, source) = Source::open(input)?;
    let mut window = Window::new(source);
    // 2. Number of frames.
    let (declared, short_header) = read_root(&mut window)?;
    let mut take = Take::new(Findings::new(form, short_header));
    // 3. Frames, until one fails and none is found behind it.
    let mut fault = None;
    while take.frames() < declared {
        if let Err(error) = take.read_next(&mut window, declared) {
            let goes_on = keep_whole && matches!(error, Error::Format { .. }) && take.resync(&mut window);
            fault.get_or_insert(error);
            if !goes_on {
                break;
            }
        }
    }
    if let Some(error @ Error::Io(_)) = window.fault() {
        return Err(error.clone());
    }
    // 4. What follows the last frame.
    if fault.is_none() {
        take.findings.trailing = window.drain();
        fault = window.fault().cloned();
    }
    if fault.is_none() {
        take.findings.trailing += window.into_source().trailing()?;
    }
    match fault {
        Some(error @ Error::Format { .. }) if keep_whole => {
            let whole = take.frames();
            take.findings.lost = Some(format!("{} of {declared} frames lost: {error}", declared - whole));
        }
        Some(error) => return Err(error),
        None => {}
    }
    Ok(take.finish())
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
        let first = window.bytes()[0];
        let found = if header.is_map() { "a map".into() } else { format!("marker {first:02x}") };
        let what = format!("the root is {found}, expected an array of frames");
        return Err(format_error(None, None, 0, what));
    }
    let mut shortest = Vec::new();
    put_array_header(&mut shortest, header.children as u32);
    window.consume(header.header_bytes);
    Ok((header.children, shortest.len() == header.header_bytes))
}

/// The clip as far as it is read.
struct Take {
    layout: Option<Layout>,
    row: Row,
    guid: Option<String>,
    times: Vec<f64>,
    columns: Vec<Vec<f32>>,
    /// What the recorder would write for this clip's frames; kept while all frames are such.
    template: Option<FrameTemplate>,
    findings: Findings,
}

impl Take {
    fn new(findings: Findings) -> Self {
        Take {
            layout: None,
            row: Row::default(),
            guid: None,
            times: Vec::new(),
            columns: Vec::new(),
            template: None,
            findings,
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

    /// Moves the window behind damage to the next whole frame, if there is one.
    fn resync<R: Read>(&mut self, window: &mut Window<R>) -> bool {
        let resync = &mut self.findings.resync;
        self.template.as_ref().is_some_and(|template| resync.next_frame(window, template))
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
        let traits_before = self.row.traits.clone();
        let guid = match read_frame(bytes, frame, self.layout.as_ref(), &mut self.row) {
            Ok(guid) => guid,
            Err(fault) => {
                self.row.traits = traits_before;
                self.row.forget_given();
                return Err(fault);
            }
        };
        if self.layout.is_none() {
            self.begin_layout()?;
        }
        match &self.guid {
            _ if guid.is_empty() => self.findings.without_guid.add(frame),
            None => self.guid = Some(guid.to_owned()),
            Some(kept) if kept != guid => self.findings.other_guid.add(frame),
            Some(_) => {}
        }
        if self.findings.foreign_frame.is_none() && !self.is_recorder_form(bytes) {
            self.findings.foreign_frame = Some(frame);
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
        self.findings.names_differ = !layout.is_recorder_order();
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
        let what = match self.findings.form {
            Form::Plain => what,
            _ => format!("{what} (bytes are counted in the unpacked LZ4 data)"),
        };
        format_error(Some(frame), entry, at_byte, what)
    }

    fn finish(mut self) -> DataFile {
        let losses = self.findings.losses(&self.row.traits);
        let notes = self.findings.notes(&self.row.traits, self.guid.as_deref());
        let exact = self.findings.is_exact();
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
        DataFile { clip, losses, notes, exact }
    }
}

/// Appends with room for a quarter more: doubling would take twice the memory of a long clip.
fn push<T>(column: &mut Vec<T>, value: T) {
    if column.len() == column.capacity() {
        column.reserve_exact((column.len() / 4).max(16));
    }
    column.push(value);
}
