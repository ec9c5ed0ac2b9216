//! Document to clip: a skeleton whose joints are not rotated at rest, in metres, and tracks of face and gaze.

use super::document::{Curve, CurvePath, GltfDocument, LOOK_AT};
use super::evaluate::rotation;
use super::figure::{Figure, figure_of};
use super::human_bones::HumanBones;
use super::nodes::Placed;
use super::{instants, shown};
use crate::error::Result;
use crate::load::ReadOptions;
use crate::note::Note;
use crate::registry::Progress;
use crate::skeleton::{AngleOrder, BoneMap, usual_axes};
use sinew::humanoid::{Bone, Quat, Vec3};
use sinew::{Clip, Times, Track, TrackKind};
use std::collections::BTreeMap;

/// Moves and stretches below this are the rounding of their file. Metres, and factors.
const SMALL: f64 = 1e-4;

/// Curves of a node.
#[derive(Default)]
struct Moves<'a> {
    translation: Option<&'a Curve>,
    rotation: Option<&'a Curve>,
    scale: Option<&'a Curve>,
}

/// The clip of a document, and what there is to say.
pub(crate) fn to_clip(
    document: &GltfDocument,
    options: &ReadOptions,
    progress: Progress<'_>,
) -> Result<(Clip, Vec<Note>)> {
    let mut notes = Vec::new();
    if document.animations > 1 {
        let name = document.animation.name.as_deref().map_or("the first".to_owned(), shown);
        notes.push(Note::info(format!(
            "one of {} animations is read, {name}; --asset NAME reads another",
            document.animations
        )));
    }
    // 1. The figure, and the curves that move it.
    let nodes = &document.nodes;
    let mut moves: BTreeMap<usize, Moves<'_>> = BTreeMap::new();
    for curve in &document.animation.curves {
        let of_node = moves.entry(curve.node).or_default();
        match curve.path {
            CurvePath::Translation => of_node.translation = Some(curve),
            CurvePath::Rotation => of_node.rotation = Some(curve),
            CurvePath::Scale => of_node.scale = Some(curve),
        }
    }
    let mut figure = whole_figure(document, &moves)?;
    let needed = nodes.with_ancestors(figure.nodes.iter().copied());
    let extra: Vec<(&str, usize, Track)> = document
        .expressions
        .iter()
        .map(|(name, node)| (name.as_str(), *node, Track::new(name, TrackKind::Scalar)))
        .chain(document.look_at.map(|node| (LOOK_AT, node, Track::new(LOOK_AT, TrackKind::Rotation))))
        .collect();
    let is_extra = |node: usize| extra.iter().any(|&(_, of, _)| of == node);
    let used = |curve: &&Curve| needed[curve.node] || is_extra(curve.node);
    let curves: Vec<&Curve> = document.animation.curves.iter().filter(used).collect();
    notes.extend(curve_losses(document, curves.len(), &moves, &needed));

    // 2. The instants, and the order in which nodes are placed.
    let components = figure.rig.joints.len() * 6 + extra.len() * 4;
    let most = options.limits.max_samples / components.max(1) as u64;
    let times = instants::choose(&curves, options.hz, most, &mut notes)?;
    let order: Vec<usize> = nodes.order.iter().copied().filter(|&node| needed[node]).collect();

    // 3. Joints that move relative to their parents have position channels.
    let mut world = nodes.rest.clone();
    let mut moved = vec![false; figure.nodes.len()];
    for time_s in times.iter() {
        place(document, &order, &moves, time_s, &mut world);
        for (joint, moved) in moved.iter_mut().enumerate() {
            let (position, _) = relative(document, &figure, &world, joint);
            let offset = Vec3::from(figure.rig.joints[joint].offset.map(f64::from));
            *moved |= (position - offset).length() > SMALL;
        }
    }
    for (joint, moved) in figure.rig.joints.iter_mut().zip(&moved) {
        joint.axes = usual_axes(joint.parent.is_none() || *moved);
    }

    // 4. Frame by frame.
    let mut tracks = crate::bvh::channel_tracks(&figure.rig);
    tracks.extend(extra.iter().map(|(_, _, track)| track.clone()));
    let arrays: usize = tracks.iter().map(Track::components).sum();
    let mut samples: Vec<Vec<f32>> = vec![Vec::new(); arrays];
    let angle_order = AngleOrder::usual();
    let mut before: Vec<Option<Vec<f64>>> = vec![None; figure.nodes.len()];
    let mut row: Vec<f64> = Vec::with_capacity(arrays);
    for (frame, time_s) in times.iter().enumerate() {
        place(document, &order, &moves, time_s, &mut world);
        row.clear();
        for (joint, before) in before.iter_mut().enumerate() {
            let (position, turn) = relative(document, &figure, &world, joint);
            if figure.rig.joints[joint].axes.len() == 6 {
                row.extend([position.x, position.y, position.z]);
            }
            let angles = angle_order.angles(turn, before.as_deref());
            row.extend(&angles);
            *before = Some(angles);
        }
        for (name, node, _) in &extra {
            let of_node = moves.get(node);
            if *name == LOOK_AT {
                let curve = of_node.and_then(|moves| moves.rotation);
                let turn =
                    curve.and_then(|curve| rotation(curve.at(time_s))).unwrap_or(nodes.list[*node].turn);
                row.extend([turn.x, turn.y, turn.z, turn.w]);
            } else {
                let curve = of_node.and_then(|moves| moves.translation);
                row.push(curve.map_or(nodes.list[*node].at.x, |curve| curve.at(time_s)[0]));
            }
        }
        samples.iter_mut().zip(&row).for_each(|(samples, &value)| samples.push(value as f32));
        progress(frame as u64 + 1);
    }
    let times = if times.is_empty() { Times::Explicit(Vec::new()) } else { times };
    let clip = Clip { tracks, samples, times, rig: Some(figure.rig), ..Clip::empty(Vec::new()) };
    clip.validate()?;
    Ok((clip, notes))
}

/// The figure with what moves below its hips. Where the file has no map, names and shape tell the bones.
fn whole_figure(document: &GltfDocument, moves: &BTreeMap<usize, Moves<'_>>) -> Result<Figure> {
    let nodes = &document.nodes;
    let moving = || moves.keys().copied();
    if !document.human.bones.is_empty() {
        let mut figure = figure_of(nodes, &document.human, moving());
        rename(&mut figure);
        return Ok(figure);
    }
    let all = figure_of(nodes, &document.human, std::iter::empty());
    let map = BoneMap::of_rig(&all.rig)?;
    if !map.missing().is_empty() {
        return Ok(all);
    }
    let bones = map.bones().map(|(bone, joint)| (bone, all.nodes[joint])).collect();
    Ok(figure_of(nodes, &HumanBones { bones, faces_back: false }, moving()))
}

/// Names bones as such, so that the map stays with the clip, and no other joint as a bone.
fn rename(figure: &mut Figure) {
    for joint in &mut figure.rig.joints {
        if Bone::from_name(&joint.name).is_some() {
            joint.name.push_str(".node");
        }
    }
    for &(bone, joint) in &figure.bones {
        figure.rig.joints[joint].name = bone.name().to_owned();
    }
}

/// Places nodes at an instant.
fn place(
    document: &GltfDocument,
    order: &[usize],
    moves: &BTreeMap<usize, Moves<'_>>,
    time_s: f64,
    world: &mut [Placed],
) {
    let nodes = &document.nodes;
    for &node in order {
        let rest = &nodes.list[node];
        let (mut at, mut turn, mut scale) = (rest.at, rest.turn, rest.scale);
        if let Some(moves) = moves.get(&node) {
            let vector = |curve: &Curve| {
                let [x, y, z, _] = curve.at(time_s);
                Vec3::new(x, y, z)
            };
            at = moves.translation.map_or(at, vector);
            scale = moves.scale.map_or(scale, vector);
            turn = moves.rotation.and_then(|curve| rotation(curve.at(time_s))).unwrap_or(turn);
        }
        let above = nodes.parents[node].map_or(Placed::WORLD, |parent| world[parent]);
        world[node] = above.below(at, turn, scale);
    }
}

/// A joint relative to its parent, in the rig's axes, as turned from the rest pose.
fn relative(document: &GltfDocument, figure: &Figure, world: &[Placed], joint: usize) -> (Vec3, Quat) {
    let rest = &document.nodes.rest;
    let turned = |node: usize| world[node].turn * rest[node].turn.conjugate();
    let node = figure.nodes[joint];
    let (from, above) = match figure.rig.joints[joint].parent {
        None => (Vec3::ZERO, Quat::IDENTITY),
        Some(parent) => (world[figure.nodes[parent]].at, turned(figure.nodes[parent])),
    };
    let position = above.conjugate().rotate(world[node].at - from);
    let turn = (above.conjugate() * turned(node)).normalized().unwrap_or(Quat::IDENTITY);
    (figure.place(position), figure.rotation(turn))
}

/// Curves that the clip does not hold.
fn curve_losses(
    document: &GltfDocument,
    used: usize,
    moves: &BTreeMap<usize, Moves<'_>>,
    needed: &[bool],
) -> Vec<Note> {
    let mut notes = Vec::new();
    let others = document.animation.curves.len() - used + document.other_curves;
    if others > 0 {
        notes.push(Note::loss(format!(
            "{others} curves of nodes that are no part of the figure, or of morph weights"
        )));
    }
    let stretch = |(&node, moves): (&usize, &Moves<'_>)| -> Option<f64> {
        let curve = moves.scale.filter(|_| needed[node])?;
        let rest = document.nodes.list[node].scale;
        let off = |key: &f32| {
            let [x, y, z, _] = curve.at(f64::from(*key));
            (Vec3::new(x, y, z) - rest).length()
        };
        Some(curve.times_s.iter().map(off).fold(0.0, f64::max)).filter(|&off| off > SMALL)
    };
    let stretched: Vec<f64> = moves.iter().filter_map(stretch).collect();
    if !stretched.is_empty() {
        let most = stretched.iter().copied().fold(0.0, f64::max);
        notes.push(Note::loss(format!(
            "that {} nodes change their scale, by up to {most:.3}",
            stretched.len()
        )));
    }
    if document.has_look_at_offset {
        notes.push(Note::loss("from where beside the head the eyes look"));
    }
    notes
}
