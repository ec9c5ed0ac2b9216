//! Bones of files that tell no hierarchy and no rest pose: their names, and the skeleton that they are taken to be.

use crate::skeleton::{HumanRig, RigHints, reference_rig};
use sinew::humanoid::Bone;
use sinew::{Joint, JointAxis, Rig};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Metres in the unit of the reference skeleton.
const CENTIMETRES: f64 = 0.01;
/// Where the end of a head is, above its joint; the reference skeleton has eyes and jaw there. Metres.
const HEAD_END: [f64; 3] = [0.0, 0.18, 0.0];

/// The bones that Plask tells, in the order of its files.
pub(super) const PLASK_BONES: [Bone; 24] = {
    use Bone::*;
    [
        Hips,
        LeftUpperLeg,
        RightUpperLeg,
        Spine,
        LeftLowerLeg,
        RightLowerLeg,
        Chest,
        LeftFoot,
        RightFoot,
        UpperChest,
        LeftToes,
        RightToes,
        Neck,
        LeftShoulder,
        RightShoulder,
        Head,
        LeftUpperArm,
        RightUpperArm,
        RightLowerArm,
        LeftLowerArm,
        LeftHand,
        RightHand,
        LeftIndexProximal,
        RightIndexProximal,
    ]
};

/// The name of a bone in Mixamo's rigs, without their prefix.
pub(super) fn mixamo_name(bone: Bone) -> String {
    let name = bone.name();
    let (side, part) = ["Left", "Right"]
        .into_iter()
        .find_map(|side| Some((side, name.strip_prefix(side)?)))
        .unwrap_or(("", name));
    let part = match part {
        "Chest" => "Spine1",
        "UpperChest" => "Spine2",
        "UpperArm" => "Arm",
        "LowerArm" => "ForeArm",
        "UpperLeg" => "UpLeg",
        "LowerLeg" => "Leg",
        "Toes" => "ToeBase",
        part => return format!("{side}{}", finger_name(part)),
    };
    format!("{side}{part}")
}

fn finger_name(part: &str) -> String {
    let joint = ["Proximal", "Intermediate", "Distal"]
        .into_iter()
        .zip(1..)
        .find_map(|(joint, number)| Some((part.strip_suffix(joint)?, number)));
    match joint {
        None => part.to_owned(),
        Some(("Little", number)) => format!("HandPinky{number}"),
        Some((finger, number)) => format!("Hand{finger}{number}"),
    }
}

/// Plask's name of a bone: Mixamo's with a small first letter.
pub(super) fn plask_name(bone: Bone) -> String {
    let mut name = mixamo_name(bone);
    name[..1].make_ascii_lowercase();
    name
}

/// The bone that Plask calls so.
pub(super) fn plask_bone(name: &str) -> Option<Bone> {
    PLASK_BONES.into_iter().find(|&bone| plask_name(bone) == name)
}

/// The bone of a node's name: Unity's or VRM's name, or Mixamo's with its prefix or without.
pub(super) fn bone_of_node(name: &str) -> Option<Bone> {
    static MIXAMO: LazyLock<HashMap<String, Bone>> = LazyLock::new(|| {
        let lower = |bone: Bone| mixamo_name(bone).to_ascii_lowercase();
        Bone::ALL.into_iter().map(|bone| (lower(bone), bone)).collect()
    });
    let last = name.rsplit(['/', ':', '|']).next().unwrap_or(name);
    // The two spell thumbs alike but for the first letter, and mean different joints.
    let vrm = || Bone::ALL.into_iter().find(|bone| bone.info().vrm1_name == last);
    let mixamo = || {
        let lower = last.to_ascii_lowercase();
        MIXAMO.get(lower.strip_prefix("mixamorig").unwrap_or(&lower)).copied()
    };
    vrm().or_else(|| Bone::from_name(last)).or_else(mixamo)
}

/// A bone of a skeleton to build, by its name in the file, with its channels.
pub(super) struct NamedBone {
    pub bone: Bone,
    pub name: String,
    pub axes: Vec<JointAxis>,
}

/// The reference skeleton with these bones only, in T-pose, right-handed, y up, facing +z, its left at +x; lengths are
/// metres times `scale`. A last joint of a limb has an end.
pub(super) fn rig_of(bones: Vec<NamedBone>, scale: f64) -> Rig {
    let reference = reference_rig();
    let mut given: HashMap<&'static str, NamedBone> =
        bones.into_iter().map(|named| (named.bone.name(), named)).collect();
    let kept: Vec<bool> =
        reference.joints.iter().map(|joint| given.contains_key(joint.name.as_str())).collect();
    let above = |joint: usize| {
        std::iter::successors(reference.joints[joint].parent, |&at| reference.joints[at].parent)
    };
    let metres = CENTIMETRES * scale;
    let mut rig = Rig::default();
    let mut number_of = vec![0; kept.len()];
    for (joint, row) in reference.joints.iter().enumerate() {
        let Some(NamedBone { bone, name, axes }) = given.remove(row.name.as_str()) else { continue };
        let mut offset = row.offset.map(f64::from);
        // Nothing turns the joints that are left out.
        for at in above(joint).take_while(|&at| !kept[at]) {
            (0..3).for_each(|axis| offset[axis] += f64::from(reference.joints[at].offset[axis]));
        }
        let parent = above(joint).find(|&at| kept[at]).map(|at| number_of[at]);
        number_of[joint] = rig.joints.len();
        let offset = offset.map(|value| (value * metres) as f32);
        rig.joints.push(Joint { name, parent, offset, axes });
        let leads_on = (joint + 1..kept.len()).any(|below| kept[below] && above(below).any(|at| at == joint));
        let tip = reference.joints.iter().find(|below| below.parent == Some(joint));
        if let (false, Some(tip)) = (leads_on, tip) {
            let offset = match bone {
                Bone::Head => HEAD_END.map(|value| (value * scale) as f32),
                _ => tip.offset.map(|value| (f64::from(value) * metres) as f32),
            };
            let parent = Some(number_of[joint]);
            rig.joints.push(Joint { name: "End Site".to_owned(), parent, offset, axes: Vec::new() });
        }
    }
    rig
}

/// All channels of a bone: a place for the hips, a rotation for all.
fn usual_axes(bone: Bone) -> Vec<JointAxis> {
    use JointAxis::*;
    let place: &[JointAxis] = if bone == Bone::Hips { &[PositionX, PositionY, PositionZ] } else { &[] };
    place.iter().copied().chain(ROTATION_AXES).collect()
}

/// Order of the rotation channels that stand for a quaternion.
pub(super) const ROTATION_AXES: [JointAxis; 3] =
    [JointAxis::RotationZ, JointAxis::RotationX, JointAxis::RotationY];

fn human_rig(bones: impl Iterator<Item = (Bone, String)>) -> HumanRig {
    let bones = bones.map(|(bone, name)| NamedBone { bone, name, axes: usual_axes(bone) }).collect();
    HumanRig::of_rig(&rig_of(bones, 1.0), &RigHints::default()).expect("the reference skeleton is a human's")
}

/// The skeleton that motions are posed on for Plask's files, in metres.
pub(super) fn plask_rig() -> &'static HumanRig {
    static RIG: LazyLock<HumanRig> =
        LazyLock::new(|| human_rig(PLASK_BONES.into_iter().map(|bone| (bone, plask_name(bone)))));
    &RIG
}

/// The skeleton that motions are posed on for three.js: all bones under Unity's names, in metres.
pub(super) fn three_rig() -> &'static HumanRig {
    static RIG: LazyLock<HumanRig> =
        LazyLock::new(|| human_rig(Bone::ALL.into_iter().map(|bone| (bone, bone.name().to_owned()))));
    &RIG
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_programs_lead_to_the_bone() {
        for bone in Bone::ALL {
            let mixamo = mixamo_name(bone);
            for name in [bone.name(), bone.info().vrm1_name, &mixamo, &format!("mixamorig:{mixamo}")] {
                assert_eq!(bone_of_node(name), Some(bone), "{name}");
            }
            assert_eq!(bone_of_node(&format!("mixamorig{mixamo}")), Some(bone));
        }
        assert_eq!(bone_of_node("Armature/mixamorigLeftHandPinky2"), Some(Bone::LeftLittleIntermediate));
        assert_eq!(bone_of_node("tail"), None);
        let names = PLASK_BONES.map(plask_name);
        let expected = "hips leftUpLeg rightUpLeg spine leftLeg rightLeg spine1 leftFoot rightFoot spine2 leftToeBase \
                        rightToeBase neck leftShoulder rightShoulder head leftArm rightArm rightForeArm leftForeArm \
                        leftHand rightHand leftHandIndex1 rightHandIndex1";
        assert!(names.iter().map(String::as_str).eq(expected.split(' ')), "{names:?}");
    }

    #[test]
    fn every_bone_of_both_skeletons_is_found_again() {
        let plask = plask_rig();
        let found: Vec<Bone> = plask.map().bones().map(|(bone, _)| bone).collect();
        assert_eq!(found.len(), 24);
        for (bone, joint) in plask.map().bones() {
            assert_eq!(plask.rig().joints[joint].name, plask_name(bone));
        }
        assert_eq!(three_rig().map().bones().count(), 55);
        assert_eq!(plask.rest_pose(), crate::skeleton::RestPose::T);
        // Left out joints are bridged: the same places as on the whole skeleton.
        let height = |rig: &HumanRig| {
            let head = rig.map().joint(Bone::Head);
            std::iter::successors(head, |&joint| rig.rig().joints[joint].parent)
                .map(|joint| rig.rig().joints[joint].offset[1])
                .sum::<f32>()
        };
        assert!((height(plask) - height(three_rig())).abs() < 1e-5);
    }
}
