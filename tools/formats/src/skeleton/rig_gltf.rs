//! The skeleton of a glTF 2.0 model: a VRM's humanoid map, else the names of its nodes.

use super::human_rig::RigHints;
use super::map::BoneMap;
use crate::error::Result;
use crate::gltf::{HumanBones, Nodes, figure_of};
use serde_json::Value;
use sinew::Rig;

/// Rig and hints of a model: the hips and what below them leads to a bone, in rest pose, in metres.
pub(super) fn of_value(value: &Value) -> Result<(Rig, RigHints)> {
    let nodes = Nodes::of(value)?;
    let human = HumanBones::of(value, nodes.list.len())?;
    let figure = figure_of(&nodes, &human, std::iter::empty());
    let mut hints = RigHints::default();
    if !figure.bones.is_empty() {
        let mut map = BoneMap::given();
        figure.bones.iter().for_each(|&(bone, joint)| map.set(bone, Some(joint)));
        hints.map = Some(map);
    }
    Ok((figure.rig, hints))
}
