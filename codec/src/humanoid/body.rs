//! The body frame: mass centre and body rotation, which `RootT` and `RootQ` give instead of the hips.

use super::avatar::Avatar;
use super::bone::{BONE_COUNT, Bone};
use super::pose::{Pose, Transform, usable};
use super::quat::Quat;
use super::vec3::Vec3;
use crate::error::{Error, Result};

impl Avatar {
    /// The hips' place in the world for local rotations (by bone number) and the body's root: `RootT` in units of the
    /// human scale, and `RootQ`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the root is not usable, or the limbs stand so that the body has no direction.
    pub fn hips_of(&self, rotations: &[Quat; BONE_COUNT], root: &Transform) -> Result<Transform> {
        let root = usable(root, "root")?;
        let at_rest = self.required(Bone::Hips).rest_rotation;
        // With the hips at the origin, to see where mass centre and body rotation fall.
        let trial = self.posed(rotations, &Transform { position: Vec3::ZERO, rotation: at_rest });
        let turn = root.rotation * body_rotation(&trial).ok_or_else(no_body)?.conjugate();
        let position = root.position * self.human_scale - turn.rotate(mass_centre(&trial, &self.has()));
        usable(&Transform { position, rotation: turn * at_rest }, "hips")
    }

    /// The body's root of a pose: `RootT` in units of the human scale, and `RootQ`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the limbs stand so that the body has no direction.
    pub fn root_of(&self, pose: &Pose) -> Result<Transform> {
        let rotation = body_rotation(pose).ok_or_else(no_body)?;
        Ok(Transform { position: mass_centre(pose, &self.has()) / self.human_scale, rotation })
    }

    fn has(&self) -> [bool; BONE_COUNT] {
        self.bones.each_ref().map(Option::is_some)
    }
}

fn no_body() -> Error {
    Error::invalid("arms and legs stand so that the body has no direction")
}

/// The joints whose places give the body's rotation.
pub(super) const ANCHORS: [Bone; 4] =
    [Bone::LeftUpperArm, Bone::RightUpperArm, Bone::LeftUpperLeg, Bone::RightUpperLeg];

/// Right, up and forward of the body from the places of upper arms and upper legs; `None` where they give none.
pub(super) fn body_rotation(pose: &Pose) -> Option<Quat> {
    body_rotation_of(ANCHORS.map(|bone| pose.position(bone)))
}

/// The same from the places of the [`ANCHORS`].
pub(super) fn body_rotation_of([left_arm, right_arm, left_leg, right_leg]: [Vec3; 4]) -> Option<Quat> {
    let right = (right_arm + right_leg) - (left_arm + left_leg);
    let up = ((left_arm + right_arm) - (left_leg + right_leg)).normalized()?;
    let forward = right.cross(up).normalized()?;
    Some(Quat::from_basis(up.cross(forward), up, forward))
}

/// Mean of the bones' own mass centres, weighted by mass. A missing bone's mass is left out.
///
/// The left forearm's centre lies between upper arm and hand, the right one's between forearm and hand: measured
/// avatars have it so, and even an exactly symmetric T-pose has its mass centre a little to the right.
pub(super) fn mass_centre(pose: &Pose, has: &[bool; BONE_COUNT]) -> Vec3 {
    use Bone::*;
    let there = |bone: Bone| has[bone as usize];
    // The topmost spine bone carries neck and shoulders.
    let top = [UpperChest, Chest, Spine].into_iter().find(|&bone| there(bone));
    let (mut sum, mut masses) = (Vec3::ZERO, 0.0);
    for bone in Bone::ALL.into_iter().filter(|&bone| there(bone) && bone.info().mass > 0.0) {
        let points: &[Bone] = match bone {
            _ if Some(bone) == top => &[bone, Neck, LeftShoulder, RightShoulder],
            Hips => &[LeftUpperLeg, RightUpperLeg, Spine],
            Spine => &[Spine, Chest],
            Chest => &[Chest, UpperChest],
            Neck => &[Neck, Head],
            LeftShoulder => &[LeftShoulder, LeftUpperArm],
            RightShoulder => &[RightShoulder, RightUpperArm],
            LeftUpperArm => &[LeftUpperArm, LeftLowerArm],
            RightUpperArm => &[RightUpperArm, RightLowerArm],
            LeftLowerArm => &[LeftUpperArm, LeftHand],
            RightLowerArm => &[RightLowerArm, RightHand],
            LeftUpperLeg => &[LeftUpperLeg, LeftLowerLeg],
            RightUpperLeg => &[RightUpperLeg, RightLowerLeg],
            LeftLowerLeg => &[LeftLowerLeg, LeftFoot],
            RightLowerLeg => &[RightLowerLeg, RightFoot],
            _ => &[bone],
        };
        let (mut centre, mut count) = (Vec3::ZERO, 0.0);
        for &point in points.iter().filter(|&&point| there(point)) {
            centre = centre + pose.position(point);
            count += 1.0;
        }
        let mass = bone.info().mass;
        sum = sum + centre * (mass / count);
        masses += mass;
    }
    sum / masses
}
