//! Clip to file: what each bone does, as rotations of nodes that are not rotated at rest.

use super::glb::{Glb, shortest};
use crate::error::{Error, Result};
use crate::gltf::{EXPRESSION, LOOK_AT, PRESETS};
use crate::note::{Note, meta_losses_except};
use crate::registry::{Format, Progress};
use crate::save::WriteOptions;
use crate::skeleton::{BoneFrame, HumanRig, RigHints, bone_frames};
use serde_json::{Map, Value, json};
use sinew::humanoid::{Bone, Quat, Vec3};
use sinew::{Clip, Role, Times, TrackKind};
use std::borrow::Cow;
use std::io::Write;

/// Shifts of times up to this are the rounding to f32 of a short clip.
const SMALL_SHIFT_S: f64 = 1e-6;

pub(super) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    clip.validate()?;
    let rig: Cow<'_, HumanRig> = if clip.is_skeleton() {
        Cow::Owned(HumanRig::of_clip(clip, &RigHints::default())?)
    } else {
        Cow::Borrowed(options.rig.as_deref().unwrap_or_else(|| HumanRig::reference()))
    };
    let mut notes = meta_losses_except(clip, &[]);
    let (frames, times_s, time_notes) = times_of(&clip.times)?;
    notes.extend(time_notes);

    // 1. What the bones do.
    let bones: Vec<Bone> = rig
        .avatar()
        .bones()
        .iter()
        .copied()
        .filter(|bone| !matches!(bone, Bone::LeftEye | Bone::RightEye))
        .collect();
    let parent = |bone: Bone| rig.avatar().bone(bone).and_then(|row| row.parent);
    let mut rotations: Vec<Vec<f32>> = vec![Vec::new(); bones.len()];
    let mut before: Vec<Option<Quat>> = vec![None; bones.len()];
    let mut hips = Vec::new();
    let (mut number, mut kept) = (0, frames.iter().peekable());
    notes.extend(bone_frames(clip, &rig, |frame: BoneFrame| {
        number += 1;
        if kept.next_if(|&&frame| frame == number - 1).is_none() {
            return Ok(());
        }
        hips.extend([frame.hips.x, frame.hips.y, frame.hips.z].map(|value| value as f32));
        for ((bone, rotations), before) in bones.iter().zip(&mut rotations).zip(&mut before) {
            let above = parent(*bone).map_or(Quat::IDENTITY, |parent| frame.turns[parent as usize]);
            let mut local =
                (above.conjugate() * frame.turns[*bone as usize]).normalized().unwrap_or(Quat::IDENTITY);
            // Players take the shorter way; so it is that of the numbers too.
            if before.is_some_and(|before| before.dot(local) < 0.0) {
                local = -local;
            }
            *before = Some(local);
            rotations.extend([local.x, local.y, local.z, local.w].map(|value| value as f32));
        }
        progress(number as u64);
        Ok(())
    })?);
    notes.extend(eye_loss(clip));

    // 2. Nodes: bones in T-pose, then the face and the gaze.
    let rest = rig.avatar().rest_pose();
    let at = |bone: Bone| {
        let Vec3 { x, y, z } =
            rest.position(bone) - parent(bone).map_or(Vec3::ZERO, |parent| rest.position(parent));
        [-x, y, z].map(|value| shortest(value as f32 + 0.0))
    };
    let number_of = |bone: Bone| bones.iter().position(|&other| other == bone);
    let mut nodes: Vec<Value> = Vec::new();
    let mut human_bones = Map::new();
    for (number, &bone) in bones.iter().enumerate() {
        let mut node = json!({"name": bone.info().vrm1_name, "translation": at(bone)});
        let children: Vec<usize> = bones
            .iter()
            .filter(|&&child| parent(child) == Some(bone))
            .filter_map(|&child| number_of(child))
            .collect();
        if !children.is_empty() {
            node["children"] = children.into();
        }
        nodes.push(node);
        human_bones.insert(bone.info().vrm1_name.to_owned(), json!({"node": number}));
    }
    let mut roots: Vec<usize> = number_of(Bone::Hips).into_iter().collect();

    // 3. Curves.
    let mut glb = Glb::default();
    let input = glb.accessor("SCALAR", 1, &times_s);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    let mut curve = |node: usize, path: &str, output: usize| {
        channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
        samplers.push(json!({"input": input, "interpolation": "LINEAR", "output": output}));
    };
    curve(roots[0], "translation", glb.accessor("VEC3", 3, &hips));
    for (node, values) in rotations.iter().enumerate() {
        curve(node, "rotation", glb.accessor("VEC4", 4, values));
    }
    let (mut preset, mut custom, mut look_at) = (Map::new(), Map::new(), None);
    let skipped = clip.channel_axes().len();
    let mut lost: Vec<&str> = Vec::new();
    let mut first = 0;
    for (place, track) in clip.tracks.iter().enumerate() {
        let arrays = &clip.samples[first..first + track.components()];
        first += track.components();
        if place < skipped || track.role() != Role::Other {
            continue;
        }
        if let Some((array, component)) = (0..arrays.len())
            .find_map(|c| frames.iter().find(|&&f| !arrays[c][f].is_finite()).map(|f| (*f, c)))
        {
            let what = format!(
                "track {:?}, frame {array}, component {component}: a .vrma holds finite numbers only",
                track.name()
            );
            return Err(Error::invalid(what));
        }
        let node = nodes.len();
        match (track.kind(), track.name().strip_prefix(EXPRESSION)) {
            (TrackKind::Scalar, Some(name)) => {
                let values: Vec<f32> =
                    frames.iter().flat_map(|&frame| [arrays[0][frame], 0.0, 0.0]).collect();
                curve(node, "translation", glb.accessor("VEC3", 3, &values));
                match name.strip_prefix("custom.") {
                    None if PRESETS.contains(&name) => preset.insert(name.to_owned(), json!({"node": node})),
                    own => custom.insert(own.unwrap_or(name).to_owned(), json!({"node": node})),
                };
            }
            (TrackKind::Rotation, None) if track.name() == LOOK_AT => {
                let turn = |frame: usize| {
                    let q = Quat::from([0, 1, 2, 3].map(|c| f64::from(arrays[c][frame]))).normalized();
                    let q = q.unwrap_or(Quat::IDENTITY);
                    [q.x, q.y, q.z, q.w].map(|value| value as f32)
                };
                let values: Vec<f32> = frames.iter().flat_map(|&frame| turn(frame)).collect();
                curve(node, "rotation", glb.accessor("VEC4", 4, &values));
                look_at = Some(json!({"node": node}));
            }
            _ => {
                lost.push(track.name());
                continue;
            }
        }
        nodes.push(json!({"name": track.name()}));
        roots.push(node);
    }
    if let Some(name) = lost.first() {
        let name = crate::quote::shown(name);
        notes.push(Note::loss(format!(
            "{} tracks that are no bone, expression or gaze, {name} first",
            lost.len()
        )));
    }

    // 4. The file.
    let mut extension = json!({"specVersion": "1.0", "humanoid": {"humanBones": human_bones}});
    for (kind, list) in [("preset", preset), ("custom", custom)] {
        if !list.is_empty() {
            extension["expressions"][kind] = list.into();
        }
    }
    if let Some(look_at) = look_at {
        extension["lookAt"] = look_at;
    }
    let json = json!({
        "asset": {"version": "2.0", "generator": "sinew"},
        "scene": 0,
        "scenes": [{"nodes": roots}],
        "nodes": nodes,
        "animations": [{"channels": channels, "samplers": samplers}],
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": {"VRMC_vrm_animation": extension},
    });
    glb.write(json, sink)?;
    Ok(notes)
}

/// The frames that are written, their times from 0 on as f32, and what that loses: keys must go forward.
fn times_of(times: &Times) -> Result<(Vec<usize>, Vec<f32>, Vec<Note>)> {
    let Some(start_s) = times.get(0) else {
        return Err(Error::Unsupported { format: Format::Vrma, what: "it holds at least one frame".into() });
    };
    let (mut frames, mut kept, mut shift_s, mut dropped) = (Vec::new(), Vec::<f32>::new(), 0.0f64, 0);
    for (frame, time_s) in times.iter().enumerate() {
        let exact_s = time_s - start_s;
        let time_s = exact_s as f32;
        if kept.last().is_some_and(|&last_s| time_s <= last_s) || !time_s.is_finite() {
            dropped += 1;
            continue;
        }
        shift_s = shift_s.max((f64::from(time_s) - exact_s).abs());
        frames.push(frame);
        kept.push(time_s);
    }
    let mut notes = Vec::new();
    if dropped > 0 {
        notes.push(Note::loss(format!("{dropped} frames whose times do not go forward")));
    }
    if start_s != 0.0 {
        notes.push(Note::loss(format!("the start time of {start_s} s: the first frame is at 0 s")));
    }
    if shift_s > SMALL_SHIFT_S {
        notes.push(Note::loss(format!("digits of the times: they are rounded by up to {shift_s:.1e} s")));
    }
    Ok((frames, kept, notes))
}

/// Muscles of the eyes: a file names no eye as a bone.
fn eye_loss(clip: &Clip) -> Option<Note> {
    let mut most = 0.0f32;
    let mut first = 0;
    for track in &clip.tracks {
        let bone = track.muscle_index().and_then(Bone::of_muscle).map(|(bone, _)| bone);
        if matches!(bone, Some(Bone::LeftEye | Bone::RightEye)) {
            most = clip.samples[first].iter().fold(most, |most, value| most.max(value.abs()));
        }
        first += track.components();
    }
    (most > 0.0)
        .then(|| Note::loss(format!("the muscles of the eyes, up to {most:.3}: a .vrma has no eye bones")))
}
