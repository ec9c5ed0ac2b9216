//! The skeleton of a glTF 2.0 model: a VRM's humanoid map, else the names of its nodes.

use super::human_rig::RigHints;
use super::map::BoneMap;
use super::rig_json::usual_axes;
use crate::error::{Error, Result};
use serde_json::Value;
use sinew::humanoid::{Bone, Quat, Vec3};
use sinew::{Joint, Rig};

/// More nodes are no character.
const MAX_NODES: usize = 100_000;
/// Bytes before the first chunk of a binary file, and before a chunk's content.
const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;

fn fault(what: impl Into<String>) -> Error {
    Error::invalid(format!("glTF: {}", what.into()))
}

/// The JSON of a binary glTF; any other file whole.
pub(super) fn json_of(bytes: &[u8]) -> Result<&[u8]> {
    if !bytes.starts_with(b"glTF") {
        return Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    }
    let word = |at: usize| -> Option<u32> {
        bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes)
    };
    if word(4) != Some(2) {
        return Err(fault("only version 2 is read"));
    }
    let length = word(HEADER).ok_or_else(|| fault("cut before its first chunk"))? as usize;
    if bytes.get(HEADER + 4..HEADER + CHUNK_HEADER) != Some(b"JSON") {
        return Err(fault("its first chunk is not JSON"));
    }
    let content = &bytes[HEADER + CHUNK_HEADER..];
    content.get(..length).ok_or_else(|| fault(format!("cut: its JSON has {length} bytes")))
}

/// A node's place relative to its parent. Scales are kept apart from rotations; shears are not read.
struct Node {
    name: String,
    children: Vec<usize>,
    at: Vec3,
    turn: Quat,
    scale: Vec3,
}

/// Rig and hints of a model: the hips and what below them leads to a bone, in rest pose, in metres.
pub(super) fn of_value(value: &Value) -> Result<(Rig, RigHints)> {
    // 1. The nodes and where they are.
    let nodes = nodes_of(value)?;
    let parents = parents_of(&nodes)?;
    let world = world_places(&nodes, &parents)?;
    // 2. The bones.
    let (bones, turned) = bones_of(value, nodes.len())?;
    let is_bone = |node: usize| bones.is_empty() || bones.iter().any(|&(_, at)| at == node);
    let mut kept = vec![false; nodes.len()];
    for node in (0..nodes.len()).filter(|&node| is_bone(node)) {
        let mut at = Some(node);
        // What is above a kept node is kept already.
        while let Some(node) = at.filter(|&node| !std::mem::replace(&mut kept[node], true)) {
            at = parents[node];
        }
    }
    let hips = bones.iter().find(|(bone, _)| *bone == Bone::Hips).map(|&(_, node)| node);
    // 3. Joints depth first, from the hips or from all roots.
    let mut rig = Rig::default();
    let mut numbers = vec![None; nodes.len()];
    let mut to_do: Vec<usize> = match hips {
        Some(hips) => vec![hips],
        None => (0..nodes.len()).rev().filter(|&node| parents[node].is_none()).collect(),
    };
    while let Some(node) = to_do.pop() {
        let parent = parents[node].and_then(|parent| numbers[parent]);
        let from = match parent {
            Some(_) => parents[node].map_or(Vec3::ZERO, |parent| world[parent]),
            None => Vec3::ZERO,
        };
        let Vec3 { x, y, z } = world[node] - from;
        // A VRM 0 model faces -z.
        let (x, z) = if turned { (-x, -z) } else { (x, z) };
        numbers[node] = Some(rig.joints.len());
        let offset = [x, y, z].map(|value| value as f32);
        let axes = usual_axes(parent.is_none());
        rig.joints.push(Joint { name: nodes[node].name.clone(), parent, offset, axes });
        to_do.extend(nodes[node].children.iter().rev().copied().filter(|&child| kept[child]));
    }
    let mut hints = RigHints::default();
    if !bones.is_empty() {
        let mut map = BoneMap::given();
        for (bone, node) in bones {
            map.set(bone, numbers[node]);
        }
        hints.map = Some(map);
    }
    Ok((rig, hints))
}

fn nodes_of(value: &Value) -> Result<Vec<Node>> {
    let nodes = value.get("nodes").and_then(Value::as_array).ok_or_else(|| fault("it has no nodes"))?;
    if nodes.len() > MAX_NODES {
        return Err(fault(format!("{} nodes; at most {MAX_NODES} are read", nodes.len())));
    }
    nodes.iter().enumerate().map(|(number, node)| node_of(number, node)).collect()
}

fn node_of(number: usize, node: &Value) -> Result<Node> {
    let of = |key: &str| node.get(key).and_then(Value::as_array);
    let numbers = |key: &str, count: usize| -> Result<Option<Vec<f64>>> {
        let Some(found) = of(key) else { return Ok(None) };
        let found: Vec<f64> = found.iter().filter_map(Value::as_f64).filter(|x| x.is_finite()).collect();
        if found.len() == count {
            Ok(Some(found))
        } else {
            Err(fault(format!("node {number}: its {key} is not {count} numbers")))
        }
    };
    if of("matrix").is_some() {
        let m = numbers("matrix", 16)?.unwrap_or_default();
        let column = |at: usize| Vec3::new(m[at], m[at + 1], m[at + 2]);
        let [x, y, z] = [column(0), column(4), column(8)];
        let scale = Vec3::new(x.length(), y.length(), z.length());
        let axes = (x.normalized(), y.normalized(), z.normalized());
        let (Some(x), Some(y), Some(z)) = axes else {
            return Err(fault(format!("node {number}: its matrix is flat")));
        };
        return Ok(Node {
            name: name_of(number, node),
            children: children_of(number, node)?,
            at: column(12),
            turn: Quat::from_basis(x, y, z),
            scale,
        });
    }
    let vector = |key, other: f64| -> Result<Vec3> {
        Ok(numbers(key, 3)?.map_or(Vec3::new(other, other, other), |v| Vec3::new(v[0], v[1], v[2])))
    };
    let turn = match numbers("rotation", 4)? {
        None => Quat::IDENTITY,
        Some(q) => Quat::new(q[0], q[1], q[2], q[3])
            .normalized()
            .ok_or_else(|| fault(format!("node {number}: its rotation is none")))?,
    };
    Ok(Node {
        name: name_of(number, node),
        children: children_of(number, node)?,
        at: vector("translation", 0.0)?,
        turn,
        scale: vector("scale", 1.0)?,
    })
}

/// A node's name without what a skeleton file could not hold.
fn name_of(number: usize, node: &Value) -> String {
    let name = node.get("name").and_then(Value::as_str).unwrap_or_default().trim();
    let name: String = name.chars().filter(|c| !c.is_control() && !matches!(c, '{' | '}')).collect();
    if name.trim().is_empty() { format!("node{number}") } else { name.trim().to_owned() }
}

fn children_of(number: usize, node: &Value) -> Result<Vec<usize>> {
    let Some(children) = node.get("children").and_then(Value::as_array) else { return Ok(Vec::new()) };
    let child = |value: &Value| value.as_u64().and_then(|child| usize::try_from(child).ok());
    children
        .iter()
        .map(|value| child(value).ok_or_else(|| fault(format!("node {number}: a child is no node's number"))))
        .collect()
}

fn parents_of(nodes: &[Node]) -> Result<Vec<Option<usize>>> {
    let mut parents = vec![None; nodes.len()];
    for (number, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let slot = parents
                .get_mut(child)
                .ok_or_else(|| fault(format!("node {number}: there is no node {child}")))?;
            if slot.replace(number).is_some() {
                return Err(fault(format!("node {child} has two parents")));
            }
        }
    }
    Ok(parents)
}

/// World positions, parents before children.
fn world_places(nodes: &[Node], parents: &[Option<usize>]) -> Result<Vec<Vec3>> {
    let mut places = vec![None; nodes.len()];
    let mut to_do: Vec<(usize, Vec3, Quat, Vec3)> = Vec::new();
    let one = Vec3::new(1.0, 1.0, 1.0);
    let roots = (0..nodes.len()).filter(|&node| parents[node].is_none());
    to_do.extend(roots.map(|node| (node, Vec3::ZERO, Quat::IDENTITY, one)));
    while let Some((number, at, turn, scale)) = to_do.pop() {
        let node = &nodes[number];
        let times = |a: Vec3, b: Vec3| Vec3::new(a.x * b.x, a.y * b.y, a.z * b.z);
        let place = at + turn.rotate(times(scale, node.at));
        places[number] = Some(place);
        let below = (turn * node.turn, times(scale, node.scale));
        to_do.extend(node.children.iter().map(|&child| (child, place, below.0, below.1)));
    }
    // A ring of nodes has no root.
    places.into_iter().collect::<Option<_>>().ok_or_else(|| fault("its nodes are in a ring"))
}

/// The humanoid map of a VRM, and whether the model faces -z. No bones if there is no map.
fn bones_of(value: &Value, nodes: usize) -> Result<(Vec<(Bone, usize)>, bool)> {
    let extension = |name: &str| value.pointer(&format!("/extensions/{name}/humanoid/humanBones"));
    let mut bones: Vec<(Bone, usize)> = Vec::new();
    let mut add = |bone: Option<Bone>, node: Option<&Value>| -> Result<()> {
        let Some(bone) = bone else { return Ok(()) };
        let node = node.and_then(Value::as_u64).and_then(|node| usize::try_from(node).ok());
        let node = node
            .filter(|&node| node < nodes)
            .ok_or_else(|| fault(format!("{}: no such node", bone.name())))?;
        if bones.iter().any(|&(known, at)| known == bone || at == node) {
            return Err(fault(format!("{}: bone or node comes twice", bone.name())));
        }
        bones.push((bone, node));
        Ok(())
    };
    for name in ["VRMC_vrm", "VRMC_vrm_animation"] {
        if let Some(found) = extension(name).and_then(Value::as_object) {
            for (bone, entry) in found {
                let bone = Bone::ALL.into_iter().find(|known| known.info().vrm1_name == bone);
                add(bone, entry.get("node"))?;
            }
            return Ok((bones, false));
        }
    }
    // VRM 0 spells bones as Unity does, with a small first letter.
    let Some(found) = extension("VRM").and_then(Value::as_array) else { return Ok((bones, false)) };
    for entry in found {
        let name = entry.get("bone").and_then(Value::as_str).unwrap_or_default();
        let bone = Bone::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
        add(bone, entry.get("node"))?;
    }
    Ok((bones, true))
}
