//! The built-in avatar: a neutral adult of about 1.70 m in T-pose, all bones there, no rotations at rest.

use super::avatar::Avatar;
use super::bone::{BONE_COUNT, Bone};
use super::pose::Transform;
use super::quat::Quat;
use super::vec3::Vec3;
use std::sync::OnceLock;

/// Offsets from the parent in metres: the middle and the left side; the right side mirrors the left.
#[rustfmt::skip]
const OFFSETS: [(Bone, [f64; 3]); 31] = [
    (Bone::Hips, [0.0, 0.95, 0.0]),
    (Bone::Spine, [0.0, 0.08, 0.0]),
    (Bone::Chest, [0.0, 0.12, 0.0]),
    (Bone::UpperChest, [0.0, 0.12, 0.0]),
    (Bone::Neck, [0.0, 0.15, -0.01]),
    (Bone::Head, [0.0, 0.085, 0.01]),
    (Bone::LeftEye, [-0.032, 0.065, 0.08]),
    (Bone::Jaw, [0.0, 0.01, 0.03]),
    (Bone::LeftUpperLeg, [-0.09, -0.04, 0.0]),
    (Bone::LeftLowerLeg, [0.0, -0.425, 0.0]),
    (Bone::LeftFoot, [0.0, -0.405, 0.0]),
    (Bone::LeftToes, [0.0, -0.06, 0.13]),
    (Bone::LeftShoulder, [-0.03, 0.12, -0.01]),
    (Bone::LeftUpperArm, [-0.145, 0.0, 0.0]),
    (Bone::LeftLowerArm, [-0.29, 0.0, 0.0]),
    (Bone::LeftHand, [-0.25, 0.0, 0.0]),
    (Bone::LeftThumbProximal, [-0.022, -0.01, 0.025]),
    (Bone::LeftThumbIntermediate, [-0.03, 0.0, 0.03]),
    (Bone::LeftThumbDistal, [-0.024, 0.0, 0.024]),
    (Bone::LeftIndexProximal, [-0.09, 0.0, 0.028]),
    (Bone::LeftIndexIntermediate, [-0.042, 0.0, 0.0]),
    (Bone::LeftIndexDistal, [-0.025, 0.0, 0.0]),
    (Bone::LeftMiddleProximal, [-0.092, 0.0, 0.006]),
    (Bone::LeftMiddleIntermediate, [-0.046, 0.0, 0.0]),
    (Bone::LeftMiddleDistal, [-0.029, 0.0, 0.0]),
    (Bone::LeftRingProximal, [-0.087, 0.0, -0.016]),
    (Bone::LeftRingIntermediate, [-0.042, 0.0, 0.0]),
    (Bone::LeftRingDistal, [-0.027, 0.0, 0.0]),
    (Bone::LeftLittleProximal, [-0.08, 0.0, -0.036]),
    (Bone::LeftLittleIntermediate, [-0.033, 0.0, 0.0]),
    (Bone::LeftLittleDistal, [-0.02, 0.0, 0.0]),
];

impl Avatar {
    /// The built-in avatar, on which displacements are measured unless another is given.
    pub fn reference() -> &'static Avatar {
        static REFERENCE: OnceLock<Avatar> = OnceLock::new();
        REFERENCE.get_or_init(|| Avatar::from_t_pose(&t_pose()).expect("the built-in skeleton is a T-pose"))
    }
}

fn t_pose() -> Vec<(Bone, Transform)> {
    let mut world: [Option<Vec3>; BONE_COUNT] = [None; BONE_COUNT];
    for (bone, offset) in OFFSETS {
        let offset = Vec3::from(offset);
        let mirrored = Vec3::new(-offset.x, offset.y, offset.z);
        for (bone, offset) in [(bone, offset), (bone.mirrored(), mirrored)] {
            let at_parent = bone
                .info()
                .parent
                .map_or(Vec3::ZERO, |parent| world[parent as usize].expect("the table lists parents first"));
            world[bone as usize] = Some(at_parent + offset);
        }
    }
    let placed = Bone::ALL.into_iter().zip(world);
    placed
        .filter_map(|(bone, at)| Some((bone, Transform { position: at?, rotation: Quat::IDENTITY })))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_all_bones_and_stands_on_the_ground() {
        let avatar = Avatar::reference();
        assert_eq!(avatar.bones().len(), BONE_COUNT);
        let pose = avatar.rest_pose();
        let height = pose.position(Bone::Head).y;
        assert!((1.4..1.6).contains(&height), "{height}");
        assert!((0.0..0.05).contains(&pose.position(Bone::LeftToes).y));
    }
}
