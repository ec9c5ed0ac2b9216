//! Which node is which human bone, as the file's VRM extension says.

use super::fault;
use crate::error::Result;
use serde_json::Value;
use sinew::humanoid::Bone;

/// The humanoid map of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct HumanBones {
    /// Bones with their nodes; none if the file has no map.
    pub bones: Vec<(Bone, usize)>,
    /// Whether the model faces -z, as those of VRM 0 do.
    pub faces_back: bool,
}

impl HumanBones {
    /// # Errors
    /// [`Error::Format`](crate::Error::Format) that names a bone whose node is none or another's.
    pub fn of(value: &Value, nodes: usize) -> Result<HumanBones> {
        let (bones, faces_back) = bones_of(value, nodes)?;
        Ok(HumanBones { bones, faces_back })
    }
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
