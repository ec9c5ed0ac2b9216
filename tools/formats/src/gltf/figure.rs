//! The nodes that become joints: the bones, what lies between them, and what else moves below the hips.

use super::human_bones::HumanBones;
use super::nodes::Nodes;
use crate::skeleton::usual_axes;
use sinew::humanoid::{Bone, Quat, Vec3};
use sinew::{Joint, Rig};

/// A rig made of nodes, in their rest pose, in metres; joints are not rotated at rest.
pub(crate) struct Figure {
    pub rig: Rig,
    /// The node of each joint.
    pub nodes: Vec<usize>,
    /// The joint of each bone that the file names.
    pub bones: Vec<(Bone, usize)>,
    /// Whether the file's axes are to be turned by half a turn about y, so that the figure faces +z.
    pub turned: bool,
}

impl Figure {
    /// A place of the file as the rig has it.
    pub fn place(&self, v: Vec3) -> Vec3 {
        if self.turned { Vec3::new(-v.x, v.y, -v.z) } else { v }
    }

    /// A rotation of the file as the rig has it.
    pub fn rotation(&self, q: Quat) -> Quat {
        if self.turned { Quat::new(-q.x, q.y, -q.z, q.w) } else { q }
    }
}

/// The figure of these bones, from the hips on, and of `others` below them; of all nodes from their roots on if there
/// are no bones.
pub(crate) fn figure_of(nodes: &Nodes, human: &HumanBones, others: impl Iterator<Item = usize>) -> Figure {
    let is_whole = human.bones.is_empty();
    let all = if is_whole { 0..nodes.list.len() } else { 0..0 };
    let kept = nodes.with_ancestors(human.bones.iter().map(|&(_, node)| node).chain(others).chain(all));
    let hips = human.bones.iter().find(|(bone, _)| *bone == Bone::Hips).map(|&(_, node)| node);
    let mut figure =
        Figure { rig: Rig::default(), nodes: Vec::new(), bones: Vec::new(), turned: human.faces_back };
    let mut numbers = vec![None; nodes.list.len()];
    let mut to_do: Vec<usize> = match hips {
        Some(hips) => vec![hips],
        None => (0..nodes.list.len()).rev().filter(|&node| nodes.parents[node].is_none()).collect(),
    };
    while let Some(node) = to_do.pop() {
        let parent = nodes.parents[node].filter(|&parent| numbers[parent].is_some());
        let from = parent.map_or(Vec3::ZERO, |parent| nodes.rest[parent].at);
        let Vec3 { x, y, z } = figure.place(nodes.rest[node].at - from);
        numbers[node] = Some(figure.nodes.len());
        figure.nodes.push(node);
        let offset = [x, y, z].map(|value| value as f32);
        let (parent, axes) = (parent.and_then(|parent| numbers[parent]), usual_axes(parent.is_none()));
        figure.rig.joints.push(Joint { name: nodes.list[node].name.clone(), parent, offset, axes });
        to_do.extend(nodes.list[node].children.iter().rev().copied().filter(|&child| kept[child]));
    }
    let joint = |&(bone, node): &(Bone, usize)| numbers[node].map(|joint| (bone, joint));
    figure.bones = human.bones.iter().filter_map(joint).collect();
    figure
}
