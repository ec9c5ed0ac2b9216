//! Plask's JSON as a format: a clip of its document, and a document's text of a clip.

use super::bones::{PLASK_BONES, plask_bone, plask_name, plask_rig};
use super::clip_to_keyed::{Spelling, each_track, forward, rig_note, turn_loss};
use super::figure::{Nodes, clip_of};
use super::json_writer::JsonWriter;
use super::keyed::KeyedTrack;
use super::plask_document::PlaskDocument;
use crate::error::{Error, Result};
use crate::load::{Loaded, ReadOptions};
use crate::note::{Note, meta_losses_except};
use crate::registry::{Format, Progress, Source};
use crate::save::WriteOptions;
use crate::skeleton::to_skeleton;
use crate::unity_anim::META_NAME;
use sinew::humanoid::Bone;
use sinew::{Clip, Rig};
use std::borrow::Cow;
use std::io::Write;

/// Metadata key of the answer's `id`.
const META_ID: &str = "plask-id";
/// Metadata key of the motion's number.
const META_MOTION: &str = "plask-motion";
/// Metadata key of the seconds that the server worked.
const META_WORKING_TIME: &str = "plask-workingtime";
/// Frames a second that a file tells of a clip without a rate.
const USUAL_HZ: f64 = 30.0;

const SPELLING: Spelling = Spelling {
    format: Format::Plask,
    position: "position",
    rotation: "rotationQuaternion",
    node: |name| name.to_owned(),
};

pub(super) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let (document, mut notes) = PlaskDocument::read(source.reader, options)?;
    let (clip, told) = document.into_clip(options)?;
    notes.extend(told);
    progress(clip.frames() as u64);
    Ok(Loaded { notes, rate_was_given: options.hz.is_some(), ..Loaded::plain(clip, Format::Plask) })
}

/// Whether a skeleton's joints are Plask's bones, so that a file holds its channels.
pub(super) fn is_plask_skeleton(rig: &Rig) -> bool {
    let moved = || rig.joints.iter().filter(|joint| !joint.axes.is_empty());
    moved().next().is_some() && moved().all(|joint| plask_bone(&joint.name).is_some())
}

impl PlaskDocument {
    /// The clip of the document: a skeleton of Plask's bones on the reference skeleton, whose other joints stay as in
    /// the T-pose. Frames are the keys where all tracks share their times; otherwise, or if [`ReadOptions::hz`] is
    /// given, tracks are sampled at that rate or the document's.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a rotation of zeros or a bad rate; [`Error::Codec`] beyond the limits.
    pub fn into_clip(self, options: &ReadOptions) -> Result<(Clip, Vec<Note>)> {
        let mut notes = Vec::new();
        let always: Vec<(Bone, String)> =
            PLASK_BONES.into_iter().map(|bone| (bone, plask_name(bone))).collect();
        let is_any = self.tracks.iter().any(|track| plask_bone(&track.node).is_some());
        let nodes = Nodes { bone_of: plask_bone, always: if is_any { &always } else { &[] } };
        let mut clip = clip_of(self.tracks, self.fps, &nodes, options, &mut notes)?;
        let meta = [
            (META_ID, self.id.filter(|id| !id.is_empty())),
            (META_MOTION, self.motion.filter(|number| number != "0")),
            (
                META_WORKING_TIME,
                self.working_time_s.filter(|seconds| *seconds != 0.0).map(|seconds| seconds.to_string()),
            ),
            (META_NAME, self.name),
        ];
        clip.meta = meta.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
        Ok((clip, notes))
    }

    /// The document of a skeleton clip of Plask's bones, or of a humanoid one, which is posed on them.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a clip that moves none of Plask's bones; [`Error::Format`] for a sample that is not
    /// finite, by frame and track.
    pub fn of_clip(clip: &Clip, options: &WriteOptions) -> Result<(PlaskDocument, Vec<Note>)> {
        let kept = [META_ID, META_MOTION, META_WORKING_TIME, META_NAME];
        let (clip, notes) = posed(clip, options, &kept)?;
        let mut document = PlaskDocument::without_tracks(&clip);
        each_track(&clip, &SPELLING, |track| {
            document.tracks.push(track);
            Ok(())
        })?;
        Ok((document, notes))
    }

    fn without_tracks(clip: &Clip) -> PlaskDocument {
        let meta = |key: &str| clip.meta.get(key).cloned();
        PlaskDocument {
            id: meta(META_ID),
            working_time_s: meta(META_WORKING_TIME)
                .and_then(|text| text.parse().ok())
                .filter(|s: &f64| s.is_finite()),
            motion: meta(META_MOTION),
            fps: Some(whole_hz(clip)),
            name: meta(META_NAME),
            tracks: Vec::new(),
        }
    }
}

/// Frames a second, a whole number where it is nearly one.
fn whole_hz(clip: &Clip) -> f64 {
    let hz = clip.times.mean_hz().unwrap_or(USUAL_HZ);
    if (hz - hz.round()).abs() < 0.01 && hz > 0.5 { hz.round() } else { hz }
}

/// The clip as a skeleton of Plask's bones, and what is lost by that.
fn posed<'a>(clip: &'a Clip, options: &WriteOptions, kept: &[&str]) -> Result<(Cow<'a, Clip>, Vec<Note>)> {
    clip.validate()?;
    let mut notes = meta_losses_except(clip, kept);
    let is_humanoid = clip.tracks.iter().any(|track| track.muscle_index().is_some());
    let clip = match is_humanoid {
        true => {
            let rig = options.rig.as_deref().unwrap_or_else(|| plask_rig());
            if !is_plask_skeleton(rig.rig()) {
                let what = "--rig has joints of other names than Plask's bones".into();
                return Err(Error::Unsupported { format: Format::Plask, what });
            }
            let (posed, told) = to_skeleton(clip, rig, &mut |_| {})?;
            notes.extend(told);
            Cow::Owned(posed)
        }
        false => Cow::Borrowed(clip),
    };
    let clip = forward(clip, &mut notes);
    let moved = clip.tracks.iter().filter_map(|track| track.name().rsplit_once('.'));
    if !moved.into_iter().any(|(node, _)| plask_bone(node).is_some()) && !clip.tracks.is_empty() {
        let what = "none of the clip's tracks moves a bone of Plask's".into();
        return Err(Error::Unsupported { format: Format::Plask, what });
    }
    notes.extend(turn_loss(&clip));
    notes.extend(rig_note(&clip, clip.is_skeleton().then(|| plask_rig().rig())));
    Ok((clip, notes))
}

pub(super) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    let (clip, notes) = posed(clip, options, &[META_ID, META_MOTION, META_WORKING_TIME])?;
    let head = PlaskDocument::without_tracks(&clip);
    let mut writer = JsonWriter::new(sink);
    let motion = head.motion.as_deref().and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
    writer.raw(&format!("{{\"result\":[{{\"motionNumber\":{motion},\"trackData\":["));
    let mut count = 0;
    each_track(&clip, &SPELLING, |track| {
        writer.raw(if count > 0 { "," } else { "" });
        write_track(&track, head.fps.unwrap_or(USUAL_HZ), &mut writer)?;
        count += 1;
        progress(track.times_s.len() as u64 * count / clip.tracks.len().max(1) as u64);
        Ok(())
    })?;
    writer.raw("]}],\"id\":");
    writer.text(head.id.as_deref().unwrap_or_default());
    writer.raw(",\"workingtime\":");
    writer.double(head.working_time_s.unwrap_or(0.0));
    writer.raw("}\n");
    writer.finish()?;
    Ok(notes)
}

fn write_track(track: &KeyedTrack, fps: f64, writer: &mut JsonWriter<'_>) -> Result<()> {
    writer.raw("{\"boneName\":");
    writer.text(&track.node);
    writer.raw(",\"fps\":");
    writer.double(fps);
    writer.raw(",\"property\":");
    writer.text(&track.property);
    writer.raw(",\"transformKeys\":[");
    for (key, &time_s) in track.times_s.iter().enumerate() {
        writer.raw(if key > 0 { ",{\"frame\":" } else { "{\"frame\":" });
        writer.raw(&key.to_string());
        writer.raw(",\"time\":");
        writer.double(time_s);
        writer.raw(",\"value\":[");
        writer.floats(track.value(key));
        writer.raw("]}");
        writer.drain()?;
    }
    writer.raw("]}");
    Ok(())
}
