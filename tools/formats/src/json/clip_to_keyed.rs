//! A clip to keyed tracks, one key a frame: track after track, so that only one is held at a time.

use super::keyed::{Interpolation, KeyedTrack, Moves};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::quote::{named, shown};
use crate::registry::Format;
use crate::skeleton::JointMotion;
use sinew::humanoid::{Quat, Vec3};
use sinew::{Clip, Joint, Times, Track, TrackKind};
use std::borrow::Cow;
use std::collections::HashSet;

/// The clip without the frames that are not later, as float32, than every frame before, as keys must be.
pub(super) fn forward<'a>(clip: Cow<'a, Clip>, notes: &mut Vec<Note>) -> Cow<'a, Clip> {
    let mut last = f32::NEG_INFINITY;
    let kept: Vec<bool> = clip
        .times
        .iter()
        .map(|time_s| {
            let moves = time_s as f32 > last;
            last = last.max(time_s as f32);
            moves
        })
        .collect();
    let dropped = kept.iter().filter(|&&kept| !kept).count();
    if dropped == 0 {
        return clip;
    }
    notes.push(Note::loss(format!(
        "{dropped} of {} frames: their time is not later than that of every frame before, as a key's must be",
        clip.frames()
    )));
    let mut clip = clip.into_owned();
    let of_kept = |values: &mut Vec<f32>| {
        let mut frame = kept.iter();
        values.retain(|_| *frame.next().expect("a value for each frame"));
    };
    clip.samples.iter_mut().for_each(of_kept);
    let times = clip.times.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(time_s, _)| time_s);
    clip.times = Times::Explicit(times.collect());
    Cow::Owned(clip)
}

/// How a format spells what moves a node.
pub(super) struct Spelling {
    pub format: Format,
    pub position: &'static str,
    pub rotation: &'static str,
    /// The name of the node for a joint's name.
    pub node: fn(&str) -> String,
}

/// All names that formats have for a rotation: a track that rides along takes the spelling of its target.
pub(super) const ROTATIONS: [&str; 2] = ["rotationQuaternion", "quaternion"];

/// Gives `each` the tracks of a clip: those of a skeleton's joints, then all others by their names. Quaternions go on
/// from key to key on one side.
///
/// # Errors
/// [`Error::Format`] for a sample that is not finite, by frame and component; [`Error::Unsupported`] for two tracks that
/// get one name; what `each` gives.
pub(super) fn each_track(
    clip: &Clip,
    spelling: &Spelling,
    mut each: impl FnMut(KeyedTrack) -> Result<()>,
) -> Result<()> {
    let times_s: Vec<f64> = clip.times.iter().collect();
    let mut component = 0;
    let mut names = HashSet::new();
    let mut each = |track: KeyedTrack| match names.insert(track.name()) {
        true => each(track),
        false => Err(Error::Unsupported {
            format: spelling.format,
            what: format!("two of the clip's tracks need the name {}", shown(&track.name())),
        }),
    };
    let track = |node: String, property: &str, moves: Moves, kind: TrackKind, values: Vec<f32>| KeyedTrack {
        node,
        property: property.to_owned(),
        moves,
        kind,
        times_s: times_s.clone(),
        values,
        interpolation: Interpolation::Linear,
    };
    // 1. Joints.
    let mut first_other = 0;
    if clip.is_skeleton() {
        let rig = clip.rig.as_ref().expect("a skeleton clip has a rig");
        let motion = JointMotion::of(clip)?;
        for (number, joint) in rig.joints.iter().enumerate() {
            require_finite(clip, component..component + joint.axes.len(), spelling.format)?;
            component += joint.axes.len();
            let node = (spelling.node)(&joint.name);
            if moves(joint) {
                let mut values = Vec::with_capacity(3 * clip.frames());
                for frame in 0..clip.frames() {
                    let Vec3 { x, y, z } = motion.local(number, frame)?.position;
                    values.extend([x, y, z].map(|value| value as f32));
                }
                each(track(node.clone(), spelling.position, Moves::Position, TrackKind::Vector, values))?;
            }
            if joint.axes.iter().any(|axis| axis.is_rotation()) {
                let mut values = Vec::with_capacity(4 * clip.frames());
                let mut before = Quat::IDENTITY;
                for frame in 0..clip.frames() {
                    let turn = motion.local(number, frame)?.rotation;
                    let Quat { x, y, z, w } = if turn.dot(before) < 0.0 { -turn } else { turn };
                    before = Quat::new(x, y, z, w);
                    values.extend([x, y, z, w].map(|value| value as f32));
                }
                each(track(node, spelling.rotation, Moves::Rotation, TrackKind::Rotation, values))?;
            }
        }
        first_other = rig.channels();
    }
    // 2. The others.
    for other in &clip.tracks[first_other..] {
        let components = component..component + other.components();
        require_finite(clip, components.clone(), spelling.format)?;
        component = components.end;
        let arrays = &clip.samples[components];
        let values =
            (0..clip.frames()).flat_map(|frame| arrays.iter().map(move |array| array[frame])).collect();
        let (node, property) = split(other, spelling);
        let moves = match (property == spelling.position, property == spelling.rotation) {
            (true, _) => Moves::Position,
            (_, true) => Moves::Rotation,
            _ => Moves::Other,
        };
        each(track(node, property, moves, other.kind(), values))?;
    }
    Ok(())
}

/// Node and property of a track that is no channel.
fn split<'a>(track: &'a Track, spelling: &Spelling) -> (String, &'a str) {
    let (node, property) = split_name(track.name());
    let property = match property {
        _ if track.kind() == TrackKind::Rotation && ROTATIONS.contains(&property) => spelling.rotation,
        property => property,
    };
    (node.to_owned(), property)
}

/// Node and property of a name, which is that of the two again.
pub(super) fn split_name(name: &str) -> (&str, &str) {
    name.rsplit_once('.').filter(|(_, property)| !property.is_empty()).unwrap_or((name, ""))
}

/// Whether a joint has channels of a position.
fn moves(joint: &Joint) -> bool {
    joint.axes.iter().any(|axis| !axis.is_rotation())
}

/// JSON knows no number that is not finite.
fn require_finite(clip: &Clip, components: std::ops::Range<usize>, format: Format) -> Result<()> {
    let bad = components
        .filter_map(|component| {
            let frame = clip.samples[component].iter().position(|value| !value.is_finite())?;
            Some((frame, component))
        })
        .min();
    let Some((frame, component)) = bad else { return Ok(()) };
    Err(not_finite(clip, frame, component, format))
}

/// The error for a sample that no JSON can hold.
pub(super) fn not_finite(clip: &Clip, frame: usize, component: usize, format: Format) -> Error {
    let name = clip.component_tracks().nth(component).map_or("", |(track, _)| clip.tracks[track].name());
    let place = crate::error::Place::Frame { frame: frame as u64, component: Some(component as u64) };
    let what =
        format!("{} is {}, and JSON has finite numbers only", named(name), clip.samples[component][frame]);
    Error::format(format, place, what)
}

/// Angles that begin beyond a half turn: a quaternion does not tell whole turns, and a reader goes on from the first.
pub(super) fn turn_loss(clip: &Clip) -> Option<Note> {
    let angles = clip.channel_axes().into_iter().zip(&clip.samples).enumerate();
    let beyond = angles.filter(|(_, (axis, samples))| {
        axis.is_rotation() && samples.first().is_some_and(|degrees| degrees.abs() > 180.0)
    });
    let (count, first) =
        beyond.fold((0, None), |(count, first), (track, _)| (count + 1, first.or(Some(track))));
    let name = shown(clip.tracks[first?].name());
    Some(Note::loss(format!("whole turns of {count} angles that begin beyond a half turn, {name} first")))
}

/// What of a skeleton the file cannot tell: hierarchy and places of its joints, unless a reader takes them to be the
/// same.
pub(super) fn rig_note(clip: &Clip, assumed: Option<&sinew::Rig>) -> Option<Note> {
    let rig = clip.rig.as_ref()?;
    let Some(assumed) = assumed else {
        return Some(Note::loss(format!(
            "the rig of {} joints: the file tells no hierarchy",
            rig.joints.len()
        )));
    };
    let offset = |rig: &sinew::Rig, joint: usize| Vec3::from(rig.joints[joint].offset.map(f64::from));
    let number = |name: &str| assumed.joints.iter().position(|joint| joint.name == name);
    let parent =
        |rig: &sinew::Rig, joint: usize| rig.joints[joint].parent.map(|at| rig.joints[at].name.clone());
    let mut most = 0.0f64;
    for (joint, row) in rig.joints.iter().enumerate().filter(|(_, row)| !row.axes.is_empty()) {
        match number(&row.name) {
            Some(there) if parent(rig, joint) == parent(assumed, there) => {
                // Where position channels stand in for the offset, it means nothing.
                if !moves(row) {
                    most = most.max((offset(rig, joint) - offset(assumed, there)).length());
                }
            }
            _ => {
                return Some(Note::loss(format!(
                    "the rig of {} joints: the file tells no hierarchy",
                    rig.joints.len()
                )));
            }
        }
    }
    (most > 1e-6).then(|| {
        Note::loss(format!(
            "the lengths of bones: a reader takes the reference skeleton, where joints are up to {most:.3} elsewhere"
        ))
    })
}
