//! File to clip.

use super::bvh_recover::recover_frames;
use super::channels::tracks;
use super::hierarchy::read_hierarchy;
use super::motion::{FrameGatherer, MotionHeader, read_motion_header};
use super::text_lines::{Line, TextLines};
use super::{fault, shown};
use crate::error::Result;
use crate::load::{Loaded, ReadOptions};
use crate::note::Note;
use crate::registry::{Format, Progress, Source};
use sinew::{Clip, Rig, Times};

/// Frames between two calls of the progress.
pub(super) const PROGRESS_FRAMES: u64 = 256;

pub(super) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    load(source, options, progress, read_frames)
}

pub(super) fn recover(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    load(source, options, progress, recover_frames)
}

/// What a reader of frames found.
pub(super) struct Motion {
    /// `[channel][frame]`.
    pub samples: Vec<Vec<f32>>,
    pub times: Times,
    pub notes: Vec<Note>,
}

type ReadFrames = fn(&mut TextLines<'_>, &MotionHeader, FrameGatherer, Progress<'_>) -> Result<Motion>;

fn load(
    source: Source<'_>,
    options: &ReadOptions,
    progress: Progress<'_>,
    read_frames: ReadFrames,
) -> Result<Loaded> {
    let mut lines = TextLines::new(source.reader);
    let hierarchy = read_hierarchy(&mut lines, &options.limits)?;
    let channels = hierarchy.rig.channels();
    if !hierarchy.has_motion {
        let note = Note::info("the file has no MOTION: a skeleton without frames");
        return Ok(loaded(
            hierarchy.rig,
            vec![Vec::new(); channels],
            Times::Explicit(Vec::new()),
            vec![note],
        ));
    }
    let header = read_motion_header(&mut lines)?;
    if channels == 0 {
        return without_channels(&mut lines, &header, hierarchy.rig);
    }
    let gatherer = FrameGatherer::new(channels, &options.limits);
    let motion = read_frames(&mut lines, &header, gatherer, progress)?;
    require_finite_end(&motion.times, &header)?;
    Ok(loaded(hierarchy.rig, motion.samples, motion.times, motion.notes))
}

fn loaded(rig: Rig, samples: Vec<Vec<f32>>, times: Times, notes: Vec<Note>) -> Loaded {
    let clip = Clip { tracks: tracks(&rig), samples, times, rig: Some(rig), ..Clip::empty(Vec::new()) };
    Loaded { notes, ..Loaded::plain(clip, Format::Bvh) }
}

/// Frames without values are nothing to keep.
fn without_channels(lines: &mut TextLines<'_>, header: &MotionHeader, rig: Rig) -> Result<Loaded> {
    if let Some(line) = lines.next()? {
        return Err(fault(line.number, format!("{} though no joint has channels", shown(line.text))));
    }
    let notes = match header.declared_frames {
        0 => Vec::new(),
        frames => vec![Note::loss(format!("{frames} frames without values: no joint has channels"))],
    };
    let times = Times::Uniform { start_s: 0.0, frame_s: header.frame_s, frames: 0 };
    Ok(loaded(rig, Vec::new(), times, notes))
}

fn require_finite_end(times: &Times, header: &MotionHeader) -> Result<()> {
    let last_s = times.len().checked_sub(1).and_then(|last| times.get(last)).unwrap_or(0.0);
    match last_s.is_finite() {
        true => Ok(()),
        false => Err(fault(
            header.frame_time_line,
            format!("{} frames of {:e} s end beyond all times", times.len(), header.frame_s),
        )),
    }
}

/// Whether a line is words, as after the end of a motion, and no numbers gone wrong.
pub(super) fn is_words(line: &Line<'_>) -> bool {
    let word = line.text.split_ascii_whitespace().next().unwrap_or_default();
    let not_finite = ["nan", "inf", "infinity"].iter().any(|known| word.eq_ignore_ascii_case(known));
    word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '{' | '}')) && !not_finite
}

fn read_frames(
    lines: &mut TextLines<'_>,
    header: &MotionHeader,
    mut gatherer: FrameGatherer,
    progress: Progress<'_>,
) -> Result<Motion> {
    let declared = header.declared_frames;
    while let Some(line) = lines.next()? {
        if gatherer.frames() >= declared && is_words(&line) {
            return Err(fault(line.number, format!("{} after the motion", shown(line.text))));
        }
        if !gatherer.take(&line)? {
            continue;
        }
        gatherer.keep()?;
        if gatherer.frames().is_multiple_of(PROGRESS_FRAMES) {
            progress(gatherer.frames());
        }
    }
    let (frames, begun) = (gatherer.frames(), gatherer.values_begun());
    if frames < declared || begun > 0 {
        return Err(too_few_frames(header, frames, begun));
    }
    progress(frames);
    // Writers miscount, and the frames are there: leaving them out would lose motion.
    let surplus = format!("Frames says {declared}; all {frames} frames of the motion are kept");
    let notes = if frames > declared { vec![Note::info(surplus)] } else { Vec::new() };
    let times = Times::Uniform { start_s: 0.0, frame_s: header.frame_s, frames: frames as usize };
    Ok(Motion { samples: gatherer.finish(), times, notes })
}

fn too_few_frames(header: &MotionHeader, frames: u64, begun: usize) -> crate::Error {
    let part = if begun > 0 { format!(" and {begun} values of another") } else { String::new() };
    fault(
        header.frames_line,
        format!(
            "Frames says {}, but the motion has {frames} frames{part}; `sinew recover` keeps all whole frames",
            header.declared_frames
        ),
    )
}
