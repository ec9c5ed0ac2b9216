//! A clip to `.data`: which tracks a mode can store, then frame after frame to the sink.

use super::DataMode;
use super::layout::{nameless_name, nameless_track};
use super::loss::{frameless_notes, unstorable_notes};
use super::template::{FrameTemplate, put_array_header};
use crate::clip::{Clip, META_GUID, ZERO_GUID};
use crate::error::{Error, Result};
use crate::muscles::MUSCLE_COUNT;
use crate::track::{Track, TrackKind};
use std::io::Write;

/// Bytes given to the sink at a time.
const CHUNK_BYTES: usize = 256 * 1024;

/// Writes a clip as the recorder would: scalar tracks only, times as float32. A clip without
/// [`META_GUID`] gets [`ZERO_GUID`]. Gives what could not be stored, one line each (root motion, other metadata than
/// GUID and mode, rounded times ...); empty if nothing was lost.
///
/// Nameless mode stores muscles by number and then tracks named `value-95`, `value-96` and so on. A clip that came
/// from a nameless file with fewer than 95 values keeps its count.
///
/// # Errors
/// [`Error::InvalidInput`] if the clip is not valid, if nameless mode lacks a muscle, if a track of named mode has no
/// name, if a time does not fit float32, or beyond 2³² − 1 frames. [`Error::Io`] if the sink fails.
pub fn write(clip: &Clip, mode: DataMode, mut sink: impl Write) -> Result<Vec<String>> {
    clip.validate()?;
    let (mut plan, mut template) = Plan::with_template(clip, mode)?;
    let frames = u32::try_from(clip.frames()).map_err(|_| Error::invalid("too many frames for .data"))?;
    let mut chunk =
        Vec::with_capacity(CHUNK_BYTES.min(clip.frames().saturating_mul(template.frame_bytes())) + 8);
    put_array_header(&mut chunk, frames);
    let (mut rounded, mut largest_shift) = (0u64, (0.0f64, 0usize));
    for (frame, time_s) in clip.times.iter().enumerate() {
        let stored = time_s as f32;
        if !stored.is_finite() {
            return Err(Error::invalid(format!("frame {frame}: time {time_s:e} s does not fit float32")));
        }
        let shift = (f64::from(stored) - time_s).abs();
        if shift > 0.0 {
            rounded += 1;
            if shift > largest_shift.0 {
                largest_shift = (shift, frame);
            }
        }
        let values = plan.components.iter().map(|&component| clip.samples[component][frame]);
        chunk.extend_from_slice(template.fill(stored, values));
        if chunk.len() >= CHUNK_BYTES {
            sink.write_all(&chunk)?;
            chunk.clear();
        }
    }
    sink.write_all(&chunk)?;
    sink.flush()?;
    if rounded > 0 {
        let (shift, frame) = largest_shift;
        plan.notes
            .push(format!("times rounded to float32: {rounded}, by {shift:e} s at most (frame {frame})"));
    }
    Ok(plan.notes)
}

/// Length in bytes of what [`write()`] gives for this clip and mode, without writing it.
///
/// # Errors
/// As [`write()`].
pub fn written_bytes(clip: &Clip, mode: DataMode) -> Result<u64> {
    clip.validate()?;
    let (_, template) = Plan::with_template(clip, mode)?;
    let frames = u32::try_from(clip.frames()).map_err(|_| Error::invalid("too many frames for .data"))?;
    let mut header = Vec::new();
    put_array_header(&mut header, frames);
    Ok(header.len() as u64 + u64::from(frames) * template.frame_bytes() as u64)
}

/// What is stored, in the order of entries.
struct Plan<'a> {
    names: Vec<&'a str>,
    /// Sample array of each entry.
    components: Vec<usize>,
    notes: Vec<String>,
}

impl<'a> Plan<'a> {
    fn with_template(clip: &'a Clip, mode: DataMode) -> Result<(Self, FrameTemplate)> {
        let mut scalars: Vec<(usize, &Track)> = Vec::with_capacity(clip.tracks.len());
        let mut component = 0;
        for track in &clip.tracks {
            if track.kind() == TrackKind::Scalar {
                scalars.push((component, track));
            }
            component += track.components();
        }
        let mut plan = match mode {
            DataMode::Named => Plan::named(&scalars)?,
            DataMode::Nameless => Plan::nameless(&scalars, clip)?,
        };
        plan.notes.extend(unstorable_notes(clip));
        if clip.frames() == 0 {
            let stored: Vec<Track> = match mode {
                DataMode::Named => scalars.iter().map(|&(_, track)| track.clone()).collect(),
                DataMode::Nameless => (0..plan.components.len()).map(nameless_track).collect(),
            };
            plan.notes.extend(frameless_notes(clip, &stored));
        }
        let guid = clip.meta.get(META_GUID).map(String::as_str).filter(|guid| !guid.is_empty());
        let template = FrameTemplate::new(guid.unwrap_or(ZERO_GUID), plan.names.iter().copied())?;
        Ok((plan, template))
    }

    fn named(scalars: &[(usize, &'a Track)]) -> Result<Self> {
        if let Some(position) = scalars.iter().position(|(_, track)| track.name().is_empty()) {
            return Err(Error::invalid(format!(
                "scalar track {position} has no name, which named .data needs"
            )));
        }
        Ok(Plan {
            names: scalars.iter().map(|(_, track)| track.name()).collect(),
            components: scalars.iter().map(|&(component, _)| component).collect(),
            notes: Vec::new(),
        })
    }

    fn nameless(scalars: &[(usize, &'a Track)], clip: &Clip) -> Result<Self> {
        // Entry numbers in order: muscles, then numbered values as long as none is left out.
        let mut muscles = [None; MUSCLE_COUNT];
        for &(component, track) in scalars {
            if let Some(index) = track.muscle_index() {
                muscles[index] = Some(component);
            }
        }
        let count = muscles.iter().flatten().count();
        let mut components: Vec<usize> = muscles.iter().map_while(|&component| component).collect();
        let keeps_count = DataMode::of_clip(clip) == Some(DataMode::Nameless) && components.len() == count;
        if count < MUSCLE_COUNT && !keeps_count {
            let absent = components.len();
            let name = nameless_track(absent).name().to_owned();
            return Err(Error::invalid(format!(
                "muscle {absent} ({name}) is missing, which nameless .data needs; named mode can do without"
            )));
        }
        let mut unnumbered = Vec::new();
        for &(component, track) in scalars.iter().filter(|(_, track)| track.muscle_index().is_none()) {
            if components.len() >= MUSCLE_COUNT && track.name() == nameless_name(components.len()) {
                components.push(component);
            } else {
                unnumbered.push(track.name());
            }
        }
        let mut notes = Vec::new();
        if let Some(first) = unnumbered.first() {
            let tracks = unnumbered.len();
            notes.push(format!(
                "tracks other than muscles cannot be stored in nameless .data: {tracks} dropped, first {first:?}"
            ));
        }
        Ok(Plan { names: vec![""; components.len()], components, notes })
    }
}
