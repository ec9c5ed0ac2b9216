//! Reading: from a path or a stream, in a given or a sniffed format.

use crate::error::{Error, Result};
use crate::json::PlaskDocument;
use crate::note::Note;
use crate::registry::{Format, Progress, ReadFn, Source};
use crate::sniff::{HEAD_BYTES, sniff};
use sinew::{Clip, DecodeLimits, FileInfo, Naming};
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// What a reader is asked and allowed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadOptions {
    /// Frames a second for sources that hold no times (a table without `time`, an array without its times file) or
    /// hold curves, which are evaluated at that rate. Sources with frames and times ignore it.
    pub hz: Option<f64>,
    /// What a decoder may spend on a file it does not trust.
    pub limits: DecodeLimits,
    /// Which clip of a file that holds several: its path, its file name or that without the extension.
    pub asset: Option<String>,
    /// Whether [`Loaded::file_info`] tells the bytes of every stage, which takes another decoding.
    pub stages: bool,
}

impl ReadOptions {
    /// Frame time in seconds for a source without times.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a rate that is not positive and finite; [`Error::Format`] if none was given.
    pub(crate) fn frame_s(&self, format: Format, missing: &str) -> Result<f64> {
        let hz = self.hz.ok_or_else(|| {
            Error::format(
                format,
                crate::error::Place::File,
                format!("{missing}: give the rate with `sinew convert --fps N`"),
            )
        })?;
        frame_time_s(hz)
    }
}

/// Frame time in seconds at a rate that a caller gave.
pub(crate) fn frame_time_s(hz: f64) -> Result<f64> {
    let frame_s = 1.0 / hz;
    if !(hz > 0.0 && frame_s.is_finite() && frame_s > 0.0) {
        return Err(Error::invalid(format!(
            "a rate must be a positive number of frames a second, not {hz:?}"
        )));
    }
    Ok(frame_s)
}

/// A clip as read, and what there is to say about its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The clip.
    pub clip: Clip,
    /// The format it was read as.
    pub format: Format,
    /// What the reader has to say.
    pub notes: Vec<Note>,
    /// How a `.sinew` file names its tracks, a damaged one too; nameless for other formats.
    pub naming: Naming,
    /// Whether [`ReadOptions::hz`] gave the times, because the source holds none or holds curves.
    pub rate_was_given: bool,
    /// Whether writing the clip in the same format and mode gives the same bytes; `None` where nobody promises it.
    pub exact: Option<bool>,
    /// What a `.sinew` file says of itself.
    pub file_info: Option<FileInfo>,
}

impl Loaded {
    /// A clip with nothing to say about it.
    pub(crate) fn plain(clip: Clip, format: Format) -> Loaded {
        Loaded {
            clip,
            format,
            notes: Vec::new(),
            naming: Naming::default(),
            rate_was_given: false,
            exact: None,
            file_info: None,
        }
    }
}

/// Reads a file. Without `format` its content decides, then its extension.
///
/// # Errors
/// What the system, the format's reader or [`sniff`] refuses.
pub fn read(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<Loaded> {
    let mut reader = BufReader::new(File::open(path)?);
    read_from(&mut reader, format, Some(path), options, &mut |_| {})
}

/// Reads a stream to its end. `path`, if any, is where it comes from: a hint for the format, and the place to look
/// for a second file.
///
/// # Errors
/// As [`read`].
pub fn read_from(
    reader: &mut dyn BufRead,
    format: Option<Format>,
    path: Option<&Path>,
    options: &ReadOptions,
    progress: Progress<'_>,
) -> Result<Loaded> {
    dispatch(reader, format, path, options, progress, |format| Ok(format.entry().read))
}

/// Reads every whole frame of a cut or damaged stream; the notes say what is lost.
///
/// # Errors
/// As [`read`], and [`Error::Unsupported`] for formats that cannot be recovered.
pub fn recover_from(
    reader: &mut dyn BufRead,
    format: Option<Format>,
    path: Option<&Path>,
    options: &ReadOptions,
    progress: Progress<'_>,
) -> Result<Loaded> {
    dispatch(reader, format, path, options, progress, |format| {
        format.entry().recover.ok_or_else(|| Error::Unsupported {
            format,
            what: "damaged files of this format cannot be recovered".into(),
        })
    })
}

fn dispatch(
    reader: &mut dyn BufRead,
    format: Option<Format>,
    path: Option<&Path>,
    options: &ReadOptions,
    progress: Progress<'_>,
    choose: impl FnOnce(Format) -> Result<ReadFn>,
) -> Result<Loaded> {
    let (format, head) = begin(reader, format, path)?;
    let read = choose(format)?;
    let mut whole = Cursor::new(head).chain(reader);
    let mut loaded = read(Source { reader: &mut whole, path }, options, progress)?;
    if let Some(named) = path.and_then(Format::from_extension).filter(|&named| named != format) {
        loaded.notes.push(Note::info(format!("read as {format}, though the name says {named}")));
    }
    Ok(loaded)
}

/// The format of a stream, and the bytes that were looked at to tell it.
fn begin(reader: &mut dyn BufRead, format: Option<Format>, path: Option<&Path>) -> Result<(Format, Vec<u8>)> {
    // A pipe may hand over a few bytes at a time, so the head is gathered before anything looks at it.
    let mut head = Vec::new();
    Read::take(&mut *reader, HEAD_BYTES).read_to_end(&mut head)?;
    let format = match format {
        Some(format) => format,
        None => sniff(&head, path)?,
    };
    Ok((format, head))
}

/// What a file holds that may be Plask's.
#[derive(Debug, Clone, PartialEq)]
pub enum PlaskOrClip {
    /// The keyed motion of Plask's JSON, exactly.
    Plask(PlaskDocument, Vec<Note>),
    /// The clip of any other file.
    Clip(Box<Loaded>),
}

/// Reads a stream as [`read_from`] does, but Plask's JSON as its document.
///
/// # Errors
/// As [`read_from`].
pub fn read_plask_from(
    reader: &mut dyn BufRead,
    format: Option<Format>,
    path: Option<&Path>,
    options: &ReadOptions,
) -> Result<PlaskOrClip> {
    let (format, head) = begin(reader, format, path)?;
    let mut whole = Cursor::new(head).chain(reader);
    if format == Format::Plask {
        let (document, notes) = PlaskDocument::read(&mut whole, options)?;
        return Ok(PlaskOrClip::Plask(document, notes));
    }
    let loaded = read_from(&mut whole, Some(format), path, options, &mut |_| {})?;
    Ok(PlaskOrClip::Clip(Box::new(loaded)))
}
