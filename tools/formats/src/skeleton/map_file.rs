//! A map given as text: one line a bone, `Bone = joint`.

use super::map::BoneMap;
use super::tree::Tree;
use crate::error::{Error, Result};
use sinew::Rig;
use sinew::humanoid::Bone;

/// What stands for no joint.
const NONE: &str = "-";

/// Changes of a map, read from text: lines `Bone = joint name`, bones in the spelling of the HumanBodyBones enum or of
/// VRM, in any case. `Bone = -` takes a bone's joint from it. Blank lines and lines that begin with `#` are skipped. Of
/// joints with one name, `name#2` is the second in the file's order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MapChanges {
    lines: Vec<(u64, Bone, Option<String>)>,
}

impl MapChanges {
    /// Reads the text of a map.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the line.
    pub fn parse(text: &str) -> Result<MapChanges> {
        let mut lines: Vec<(u64, Bone, Option<String>)> = Vec::new();
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let fault = |what: String| Error::invalid(format!("map, line {number}: {what}"));
            let Some((bone, joint)) = line.split_once('=') else {
                return Err(fault(format!("{} is not `Bone = joint`", super::shown(line))));
            };
            let bone = bone_named(bone.trim())
                .ok_or_else(|| fault(format!("{} is no human bone", super::shown(bone.trim()))))?;
            if lines.iter().any(|&(_, known, _)| known == bone) {
                return Err(fault(format!("{} comes twice", bone.name())));
            }
            let joint = joint.trim();
            if joint.is_empty() {
                return Err(fault(format!("{} has no joint; `-` stands for none", bone.name())));
            }
            lines.push((number, bone, (joint != NONE).then(|| joint.to_owned())));
        }
        Ok(MapChanges { lines })
    }

    /// The map of a rig, found by names or shape, with these changes.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the line of a joint that the rig does not have.
    pub fn applied_to(&self, rig: &Rig) -> Result<BoneMap> {
        self.applied_over(BoneMap::of_rig(rig)?, rig)
    }

    /// These changes of a map of a valid rig.
    pub(super) fn applied_over(&self, mut map: BoneMap, rig: &Rig) -> Result<BoneMap> {
        let tree = Tree::of(rig);
        for (number, bone, joint) in &self.lines {
            let joint = match joint {
                None => None,
                Some(name) => Some(joint_named(&tree, name).ok_or_else(|| {
                    Error::invalid(format!("map, line {number}: no joint is named {}", super::shown(name)))
                })?),
            };
            map.set(*bone, joint);
        }
        map.set_given();
        Ok(map)
    }
}

/// A bone in either spelling.
pub(super) fn bone_named(name: &str) -> Option<Bone> {
    Bone::ALL.into_iter().find(|bone| {
        bone.name().eq_ignore_ascii_case(name) || bone.info().vrm1_name.eq_ignore_ascii_case(name)
    })
}

fn joint_named(tree: &Tree, name: &str) -> Option<usize> {
    let all =
        |name: &str| -> Vec<usize> { (0..tree.len()).filter(|&joint| tree.names[joint] == name).collect() };
    if let Some(&first) = all(name).first() {
        return Some(first);
    }
    let (name, number) = name.rsplit_once('#')?;
    let number: usize = number.parse().ok()?;
    all(name).get(number.checked_sub(1)?).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::reference_rig;

    #[test]
    fn lines_change_bones_and_the_rest_is_found() {
        let rig = reference_rig();
        let text =
            "# comment\n\n  leftHand = LeftLowerArm \nLEFTLOWERARM = LeftHand\nJaw = -\nHead = End Site#1\n";
        let map = MapChanges::parse(text).unwrap().applied_to(&rig).unwrap();
        let name = |bone| map.joint(bone).map(|joint| rig.joints[joint].name.as_str());
        assert_eq!(name(Bone::LeftHand), Some("LeftLowerArm"));
        assert_eq!(name(Bone::LeftLowerArm), Some("LeftHand"));
        assert_eq!((name(Bone::Jaw), name(Bone::Head)), (None, Some("End Site")));
        assert_eq!(name(Bone::RightHand), Some("RightHand"));
    }

    #[test]
    fn faults_name_their_line() {
        for (text, expected) in [
            ("Hips\n", "line 1"),
            ("\nTail = a", "line 2: \"Tail\" is no human bone"),
            ("Hips = a\nhips = b", "line 2: Hips comes twice"),
            ("Hips =", "line 1: Hips has no joint"),
        ] {
            let error = MapChanges::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        let changes = MapChanges::parse("Hips = nowhere#3").unwrap();
        let error = changes.applied_to(&reference_rig()).unwrap_err().to_string();
        assert!(error.contains("line 1: no joint is named \"nowhere#3\""), "{error}");
    }
}
