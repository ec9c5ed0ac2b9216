//! Sampled nodes to a clip: the channels of a skeleton where the nodes are a human's bones, else tracks by their names.

use super::bones::{NamedBone, ROTATION_AXES, rig_of};
use super::keyed::{KeyedTrack, Moves};
use super::keyed_to_clip::{Sampled, sample};
use crate::bvh::channel_tracks;
use crate::error::{Error, Result};
use crate::load::ReadOptions;
use crate::note::Note;
use crate::quote::shown;
use crate::skeleton::JointAngles;
use sinew::humanoid::{Bone, Quat};
use sinew::{Clip, JointAxis, Track, TrackKind};
use std::collections::HashMap;

/// How far from 1 the length of a quaternion may be, as decimals round it, without being told.
const ROUNDED: f64 = 1e-3;
/// A figure whose hips are higher than this is not in metres. Metres.
pub(super) const HIGHEST_HIPS_M: f64 = 10.0;

/// What a format knows of the nodes that it tells.
pub(super) struct Nodes<'a> {
    /// The bone of a node's name.
    pub bone_of: fn(&str) -> Option<Bone>,
    /// Bones, with their names, that a figure has even if no track moves them.
    pub always: &'a [(Bone, String)],
}

/// Makes a clip of keyed tracks.
///
/// # Errors
/// [`Error::InvalidInput`] for a rotation of zeros; what sampling refuses.
pub(super) fn clip_of(
    mut tracks: Vec<KeyedTrack>,
    fps: Option<f64>,
    nodes: &Nodes<'_>,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Clip> {
    // 1. Values at every frame.
    let before = tracks.len();
    tracks.retain(|track| !track.times_s.is_empty());
    if tracks.len() < before && !tracks.is_empty() {
        notes.push(Note::info(format!("{} tracks have no keys", before - tracks.len())));
    }
    let heads: Vec<Head> = tracks.iter().map(Head::of).collect();
    let Sampled { times, mut values } = sample(tracks, fps, options.hz, &options.limits, notes)?;

    // 2. A skeleton of those that are bones.
    let figure = Figure::of(&heads, &values, nodes, notes);
    let mut clip = Clip { times, ..Clip::empty(Vec::new()) };
    let mut used = vec![false; heads.len()];
    if let Some(figure) = figure {
        let rig = figure.rig;
        let joints = rig.joints.iter().map(|joint| joint.name.as_str());
        let by_node: HashMap<&str, (Option<usize>, Option<usize>)> = figure.tracks;
        let mut lengths = Lengths::default();
        for (name, joint) in joints.zip(&rig.joints).filter(|(_, joint)| !joint.axes.is_empty()) {
            let (position, rotation) = by_node[name];
            if let Some(track) = position {
                clip.samples.append(&mut values[track]);
                used[track] = true;
            }
            if let Some(track) = rotation {
                let turns = std::mem::take(&mut values[track]);
                clip.samples.extend(angles(&turns, &heads[track].name, &joint.axes, &mut lengths)?);
                used[track] = true;
            }
        }
        notes.extend(lengths.note());
        clip.tracks = channel_tracks(&rig);
        clip.rig = Some(rig);
    }

    // 3. Whatever else there is rides along.
    for (track, head) in heads.into_iter().enumerate().filter(|(track, _)| !used[*track]) {
        clip.tracks.push(Track::new(&head.name, head.kind));
        clip.samples.append(&mut values[track]);
    }
    clip.validate()?;
    Ok(clip)
}

/// A track without its keys.
struct Head {
    node: String,
    name: String,
    moves: Moves,
    kind: TrackKind,
}

impl Head {
    fn of(track: &KeyedTrack) -> Head {
        Head { node: track.node.clone(), name: track.name(), moves: track.moves, kind: track.kind }
    }
}

/// A skeleton, and the tracks for place and rotation of each of its nodes.
struct Figure<'a> {
    rig: sinew::Rig,
    tracks: HashMap<&'a str, (Option<usize>, Option<usize>)>,
}

impl<'a> Figure<'a> {
    /// The figure that the nodes make, if they make one.
    fn of(
        heads: &'a [Head],
        values: &[Vec<Vec<f32>>],
        nodes: &Nodes<'_>,
        notes: &mut Vec<Note>,
    ) -> Option<Figure<'a>> {
        // 1. Which node is which bone, and what moves it.
        let mut tracks: HashMap<&str, (Option<usize>, Option<usize>)> = HashMap::new();
        let mut bones: HashMap<Bone, &str> = HashMap::new();
        for (number, head) in heads.iter().enumerate() {
            let Some(bone) = (nodes.bone_of)(&head.node) else { continue };
            if *bones.entry(bone).or_insert(&head.node) != head.node {
                notes.push(Note::info(format!(
                    "{} and {} are both called as the bone {}: no skeleton is made of them",
                    shown(bones[&bone]),
                    shown(&head.node),
                    bone.name()
                )));
                return None;
            }
            let of_node = tracks.entry(&head.node).or_default();
            match head.moves {
                Moves::Position => of_node.0 = Some(number),
                Moves::Rotation => of_node.1 = Some(number),
                Moves::Other => {}
            }
        }
        let has =
            |bone: Bone| bones.contains_key(&bone) || nodes.always.iter().any(|(other, _)| *other == bone);
        if bones.is_empty() && nodes.always.is_empty()
            || Bone::ALL.iter().any(|&bone| bone.info().required && !has(bone))
        {
            return None;
        }

        // 2. The skeleton.
        let scale = scale_of(bones.get(&Bone::Hips).and_then(|node| tracks[node].0), values);
        let named = |(&bone, &node): (&Bone, &&str)| {
            use JointAxis::{PositionX, PositionY, PositionZ};
            let (position, rotation) = tracks[node];
            let mut axes = Vec::new();
            axes.extend(position.map(|_| [PositionX, PositionY, PositionZ]).into_iter().flatten());
            axes.extend(rotation.map(|_| ROTATION_AXES).into_iter().flatten());
            NamedBone { bone, name: node.to_owned(), axes }
        };
        let still: Vec<_> = nodes.always.iter().filter(|(bone, _)| !bones.contains_key(bone)).collect();
        if !still.is_empty() {
            notes.push(Note::info(format!(
                "{} of {} bones have no track, {} first: they stay as in the T-pose",
                still.len(),
                nodes.always.len(),
                still[0].1
            )));
        }
        let still = still.into_iter().map(|(bone, name)| NamedBone {
            bone: *bone,
            name: name.clone(),
            axes: Vec::new(),
        });
        let rig = rig_of(bones.iter().map(named).chain(still).collect(), scale);
        rig.axes().next()?;
        let unit = if scale == 1.0 { "metres" } else { "centimetres" };
        notes.push(Note::info(format!(
            "the file tells no bone lengths and no rest pose: the reference skeleton in T-pose, in {unit}, is taken"
        )));
        Some(Figure { rig, tracks })
    }
}

/// Units in a metre: those of a figure whose hips are as high as these.
fn scale_of(hips: Option<usize>, values: &[Vec<Vec<f32>>]) -> f64 {
    let highest = hips.map_or(0.0, |track| values[track][1].iter().fold(0.0f32, |most, y| most.max(y.abs())));
    if f64::from(highest) > HIGHEST_HIPS_M { 100.0 } else { 1.0 }
}

/// How far lengths of quaternions are from 1.
#[derive(Default)]
struct Lengths {
    count: u64,
    most: f64,
}

impl Lengths {
    fn note(self) -> Option<Note> {
        (self.count > 0).then(|| {
            Note::loss(format!(
                "lengths of {} quaternions, off 1 by up to {:.2e}: a rotation has none",
                self.count, self.most
            ))
        })
    }
}

/// Channels of a joint, angle by angle, for the quaternions of a track.
fn angles(
    turns: &[Vec<f32>],
    name: &str,
    axes: &[JointAxis],
    lengths: &mut Lengths,
) -> Result<Vec<Vec<f32>>> {
    let mut angles = JointAngles::new(axes).expect("each axis comes once");
    let [xs, ys, zs, ws] = turns else { unreachable!("a rotation has four components") };
    let mut samples: Vec<Vec<f32>> = ROTATION_AXES.iter().map(|_| Vec::with_capacity(xs.len())).collect();
    for (frame, (((&x, &y), &z), &w)) in xs.iter().zip(ys).zip(zs).zip(ws).enumerate() {
        let [x, y, z, w] = [x, y, z, w].map(f64::from);
        let q = Quat::new(x, y, z, w);
        let rotation = q.normalized().ok_or_else(|| {
            Error::invalid(format!(
                "track {}, key or frame {frame}: a quaternion of zeros is no rotation",
                shown(name)
            ))
        })?;
        let off = (q.dot(q).sqrt() - 1.0).abs();
        if off > ROUNDED {
            (lengths.count, lengths.most) = (lengths.count + 1, lengths.most.max(off));
        }
        let degrees = angles.next(rotation);
        samples.iter_mut().zip(degrees).for_each(|(samples, &degrees)| samples.push(degrees as f32));
    }
    Ok(samples)
}
