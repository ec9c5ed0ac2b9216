//! Animation clips of three.js as a format.

use super::bones::{NamedBone, bone_of_node, rig_of, three_rig};
use super::clip_to_keyed::{Spelling, each_track, forward, rig_note, turn_loss};
use super::figure::{HIGHEST_HIPS_M, Nodes, clip_of};
use super::json_writer::JsonWriter;
use super::keyed::KeyedTrack;
use super::three_read::read_document;
use crate::error::Result;
use crate::load::{Loaded, ReadOptions};
use crate::note::{Note, meta_losses_except};
use crate::registry::{Format, Progress, Source};
use crate::save::WriteOptions;
use crate::skeleton::to_skeleton;
use crate::unity_anim::META_NAME;
use sinew::humanoid::Bone;
use sinew::{Clip, META_GUID, Rig, TrackKind, ZERO_GUID};
use std::borrow::Cow;
use std::io::Write;

/// Name of a clip that has none.
const NO_NAME: &str = "clip";

const SPELLING: Spelling =
    Spelling { format: Format::Three, position: "position", rotation: "quaternion", node: node_name };

pub(super) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let (document, mut notes) = read_document(source.reader, options)?;
    let nodes = Nodes { bone_of, always: &[] };
    let mut clip = clip_of(document.tracks, None, &nodes, options, &mut notes)?;
    let guid = document.uuid.filter(|uuid| !uuid.is_empty() && uuid != ZERO_GUID);
    let meta =
        [(META_NAME, document.name.filter(|name| !name.is_empty() && name != NO_NAME)), (META_GUID, guid)];
    clip.meta = meta.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    progress(clip.frames() as u64);
    Ok(Loaded { notes, rate_was_given: options.hz.is_some(), ..Loaded::plain(clip, Format::Three) })
}

/// The bone of a node, which may be one of a skinned mesh: `mesh.bones[Hips]`.
fn bone_of(node: &str) -> Option<Bone> {
    let of_mesh = node.strip_suffix(']').and_then(|node| Some(node.rsplit_once(".bones[")?.1));
    bone_of_node(of_mesh.unwrap_or(node))
}

/// The name that three.js gives a node: it has its own use for dots, colons, slashes and brackets.
fn node_name(joint: &str) -> String {
    let joint: String = joint.chars().filter(|c| !matches!(c, '[' | ']' | '.' | ':' | '/')).collect();
    joint.replace(char::is_whitespace, "_")
}

/// Any skeleton's rotations can be keyed.
pub(super) fn holds(_: &Rig) -> bool {
    true
}

pub(super) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    // 1. A skeleton with frames that move forward.
    clip.validate()?;
    let mut notes = meta_losses_except(clip, &[META_NAME, META_GUID]);
    let clip = match clip.tracks.iter().any(|track| track.muscle_index().is_some()) {
        true => {
            let rig = options.rig.as_deref().unwrap_or_else(|| three_rig());
            let (posed, told) = to_skeleton(clip, rig, &mut |_| {})?;
            notes.extend(told);
            Cow::Owned(posed)
        }
        false => Cow::Borrowed(clip),
    };
    let clip = forward(clip, &mut notes);
    notes.extend(name_loss(&clip));
    notes.extend(turn_loss(&clip));
    notes.extend(rig_note(&clip, assumed_rig(&clip).as_ref()));

    // 2. The text.
    let mut writer = JsonWriter::new(sink);
    writer.raw("{\"name\":");
    writer.text(clip.meta.get(META_NAME).map_or(NO_NAME, String::as_str));
    writer.raw(",\"duration\":");
    writer.double(clip.times.iter().fold(0.0, f64::max));
    writer.raw(",\"tracks\":[");
    let mut count = 0;
    each_track(&clip, &SPELLING, |track| {
        writer.raw(if count > 0 { ",\n" } else { "\n" });
        write_track(&track, &mut writer)?;
        count += 1;
        progress(track.times_s.len() as u64 * count / clip.tracks.len().max(1) as u64);
        Ok(())
    })?;
    writer.raw("\n],\"uuid\":");
    writer.text(clip.meta.get(META_GUID).map_or(ZERO_GUID, String::as_str));
    writer.raw(",\"blendMode\":2500}\n");
    writer.finish()?;
    Ok(notes)
}

fn write_track(track: &KeyedTrack, writer: &mut JsonWriter<'_>) -> Result<()> {
    writer.raw("{\"name\":");
    writer.text(&track.name());
    writer.raw(",\"times\":[");
    for (key, &time_s) in track.times_s.iter().enumerate() {
        writer.raw(if key > 0 { "," } else { "" });
        writer.double(time_s);
        writer.drain()?;
    }
    writer.raw("],\"values\":[");
    for (index, &value) in track.values.iter().enumerate() {
        writer.raw(if index > 0 { "," } else { "" });
        writer.float(value);
        writer.drain()?;
    }
    writer.raw("],\"type\":");
    writer.text(match track.kind {
        TrackKind::Scalar => "number",
        TrackKind::Vector => "vector",
        TrackKind::Rotation => "quaternion",
    });
    writer.raw("}");
    Ok(())
}

/// Names that three.js spells otherwise.
fn name_loss(clip: &Clip) -> Option<Note> {
    let rig = clip.rig.as_ref().filter(|_| clip.is_skeleton());
    let joints = rig.iter().flat_map(|rig| &rig.joints).filter(|joint| !joint.axes.is_empty());
    let changed = joints.filter(|joint| node_name(&joint.name) != joint.name).count();
    (changed > 0)
        .then(|| Note::loss(format!("{changed} names of joints: three.js has no blanks . : / [ ] in them")))
}

/// The skeleton that a reader takes a clip's joints to be.
fn assumed_rig(clip: &Clip) -> Option<Rig> {
    let rig = clip.rig.as_ref().filter(|_| clip.is_skeleton())?;
    let mut bones = Vec::new();
    let mut highest = 0.0f32;
    let mut channel = 0;
    for joint in &rig.joints {
        let channels = channel..channel + joint.axes.len();
        channel = channels.end;
        let Some(bone) = bone_of_node(&joint.name).filter(|_| !joint.axes.is_empty()) else { continue };
        if bone == Bone::Hips
            && let Some(at) = joint.axes.iter().position(|&axis| axis == sinew::JointAxis::PositionY)
        {
            highest = clip.samples[channels.start + at].iter().fold(0.0, |most, y| most.max(y.abs()));
        }
        bones.push(NamedBone { bone, name: joint.name.clone(), axes: Vec::new() });
    }
    let has = |bone: Bone| bones.iter().any(|named| named.bone == bone);
    if Bone::ALL.iter().any(|&bone| bone.info().required && !has(bone)) {
        return None;
    }
    Some(rig_of(bones, if f64::from(highest) > HIGHEST_HIPS_M { 100.0 } else { 1.0 }))
}
