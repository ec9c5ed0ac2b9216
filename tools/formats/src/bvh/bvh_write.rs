//! Clip to file: a skeleton clip as it is.

use super::channels::track_names;
use super::frame_time::uniform_of;
use super::shown;
use super::stream_writer::BvhWriter;
use crate::error::{Error, Result};
use crate::note::{Note, meta_losses_except};
use crate::registry::{Format, Progress};
use crate::save::WriteOptions;
use crate::skeleton::{HumanRig, pose_frames};
use sinew::{Clip, Rig};
use std::io::Write;

pub(super) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    clip.validate()?;
    if clip.tracks.iter().any(|track| track.muscle_index().is_some()) {
        let rig = options.rig.as_deref().unwrap_or_else(|| HumanRig::reference());
        return write_humanoid(clip, rig, sink, progress);
    }
    let rig = skeleton(clip)?;
    let channels = rig.channels();
    let mut notes = meta_losses_except(clip, &[]);
    notes.extend(track_losses(clip, rig));
    let (frame_s, time_losses) = uniform_of(&clip.times);
    notes.extend(time_losses);

    let mut writer = BvhWriter::start(rig, sink)?;
    if writer.is_reordered() {
        notes.push(Note::loss("the order of the joints: a BVH lists them depth first"));
    }
    writer.motion(clip.frames() as u64, frame_s)?;
    let mut row = vec![0.0; channels];
    for frame in 0..clip.frames() {
        for (value, samples) in row.iter_mut().zip(&clip.samples) {
            *value = samples[frame];
        }
        writer.frame(&row)?;
        progress(frame as u64 + 1);
    }
    writer.finish()?;
    Ok(notes)
}

/// Poses a humanoid clip on a rig, frame by frame.
fn write_humanoid(
    clip: &Clip,
    rig: &HumanRig,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    let mut notes = meta_losses_except(clip, &[]);
    let (frame_s, time_losses) = uniform_of(&clip.times);
    notes.extend(time_losses);
    let mut writer = BvhWriter::start(rig.rig(), sink)?;
    writer.motion(clip.frames() as u64, frame_s)?;
    let mut done = 0;
    notes.extend(pose_frames(clip, rig, |channels| {
        writer.frame(channels)?;
        done += 1;
        progress(done);
        Ok(())
    })?);
    writer.finish()?;
    Ok(notes)
}

fn skeleton(clip: &Clip) -> Result<&Rig> {
    clip.rig.as_ref().filter(|_| clip.is_skeleton()).ok_or_else(|| {
        let found = match &clip.rig {
            Some(_) => "the joints of the clip's rig have no channels of their own",
            None => "the clip has no rig",
        };
        let what = format!("a BVH holds the channels of a skeleton's joints, and {found}");
        Error::Unsupported { format: Format::Bvh, what }
    })
}

/// Tracks that are no channels, and names that a reader would not give the channels.
fn track_losses(clip: &Clip, rig: &Rig) -> Vec<Note> {
    let (channels, extra) = clip.tracks.split_at(rig.channels());
    let mut notes: Vec<Note> = Vec::new();
    if let Some(first) = extra.first() {
        let (count, name) = (extra.len(), shown(first.name()));
        notes.push(Note::loss(format!("{count} tracks beyond the skeleton's channels, first {name}")));
    }
    let names = track_names(rig);
    let renamed = channels.iter().zip(&names).filter(|(track, name)| track.name() != name.as_str()).count();
    if renamed > 0 {
        notes.push(Note::loss(format!("the names of {renamed} tracks: channels are named by their joints")));
    }
    notes
}
