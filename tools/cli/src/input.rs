//! Opening inputs: a file or standard input, counted and with a progress bar.

use crate::progress::{Bars, Progress};
use crate::text::{is_stream, shown};
use anyhow::{Context, Result};
use sinew_formats::{Format, Loaded, PlaskOrClip, ReadOptions};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

/// A clip that was read, and the length of its file.
pub(crate) struct Input {
    pub loaded: Loaded,
    pub bytes: u64,
}

/// Counts what is read and shows it.
struct Counted<R> {
    inner: R,
    bytes: Rc<Cell<u64>>,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        self.bytes.set(self.bytes.get() + length as u64);
        self.progress.set(self.bytes.get());
        Ok(length)
    }
}

/// How strictly a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Any fault is an error.
    Strict,
    /// Every whole frame is kept.
    Recover,
}

/// Reads a clip. Errors begin with the file's name.
pub(crate) fn load(
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
    strictness: Strictness,
) -> Result<Input> {
    load_with(path, format, options, strictness, Bars::Shown)
}

/// Reads a clip, with or without a bar.
pub(crate) fn load_with(
    path: &Path,
    format: Option<Format>,
    options: &ReadOptions,
    strictness: Strictness,
    bars: Bars,
) -> Result<Input> {
    let read = || -> Result<Input> {
        let read = match strictness {
            Strictness::Strict => sinew_formats::read_from,
            Strictness::Recover => sinew_formats::recover_from,
        };
        let (loaded, bytes) =
            open(path, bars, |reader, hint| Ok(read(reader, format, hint, options, &mut |_| {})?))?;
        Ok(Input { loaded, bytes })
    };
    match read() {
        Err(error) if strictness == Strictness::Strict && has_whole_frames(&error) => {
            Err(error.context(format!("{} (`sinew recover` saves what is whole)", shown(path))))
        }
        other => other.with_context(|| shown(path)),
    }
}

/// Reads a clip, or the document of Plask's JSON. Errors begin with the file's name.
pub(crate) fn load_plask(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<PlaskOrClip> {
    let read = |reader: &mut dyn BufRead, hint: Option<&Path>| {
        Ok(sinew_formats::read_plask_from(reader, format, hint, options)?)
    };
    open(path, Bars::Shown, read).map(|(read, _)| read).with_context(|| shown(path))
}

/// Gives an input to `read`, with the path if it has one, and the number of bytes that it took.
fn open<T>(
    path: &Path,
    bars: Bars,
    read: impl FnOnce(&mut dyn BufRead, Option<&Path>) -> Result<T>,
) -> Result<(T, u64)> {
    let (source, total): (Box<dyn Read>, Option<u64>) = if is_stream(path) {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path)?;
        let total = file.metadata()?.len();
        (Box::new(file), Some(total))
    };
    let bytes = Rc::new(Cell::new(0));
    let progress = Progress::bytes("reading", total, bars);
    let counted = Counted { inner: source, bytes: Rc::clone(&bytes), progress };
    let mut reader = BufReader::with_capacity(64 << 10, counted);
    let hint = (!is_stream(path)).then_some(path);
    Ok((read(&mut reader, hint)?, bytes.get()))
}

/// Whether a fault is one that [`sinew_formats::recover_from`] gets past.
fn has_whole_frames(error: &anyhow::Error) -> bool {
    use sinew::Error::{Corrupt, Format, Truncated};
    match error.downcast_ref::<sinew_formats::Error>() {
        Some(sinew_formats::Error::Codec(Truncated { .. } | Corrupt { .. })) => true,
        Some(sinew_formats::Error::Codec(Format { frame, .. })) => frame.is_some_and(|frame| frame > 0),
        _ => false,
    }
}
