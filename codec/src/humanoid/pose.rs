//! Forward kinematics: local rotations and the body's root to the place of every bone in the world.

use super::avatar::Avatar;
use super::bone::{BONE_COUNT, Bone};
use super::quat::Quat;
use super::vec3::Vec3;
use crate::error::{Error, Result};
use crate::muscles::MUSCLE_COUNT;

/// Distance of the shell points from their joint in metres.
pub const SHELL_M: f64 = 0.03;

/// A position and a rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transform {
    /// Metres, or units of the human scale where the body's root is meant.
    pub position: Vec3,
    /// Rotation.
    pub rotation: Quat,
}

impl Transform {
    /// At the origin, not rotated.
    pub const IDENTITY: Transform = Transform { position: Vec3::ZERO, rotation: Quat::IDENTITY };
}

/// Where every bone is: world position in metres and world rotation, by bone number. A missing bone is at the origin.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    bones: [Transform; BONE_COUNT],
}

impl Default for Pose {
    fn default() -> Pose {
        Pose { bones: [Transform::IDENTITY; BONE_COUNT] }
    }
}

impl Pose {
    /// World position of a joint in metres.
    pub fn position(&self, bone: Bone) -> Vec3 {
        self.bones[bone as usize].position
    }

    /// World rotation of a bone.
    pub fn rotation(&self, bone: Bone) -> Quat {
        self.bones[bone as usize].rotation
    }

    /// World position and rotation.
    pub fn transform(&self, bone: Bone) -> Transform {
        self.bones[bone as usize]
    }

    /// Three points 3 cm off the joint along the bone's own x, y and z: they show a turn that moves no joint.
    pub fn shell(&self, bone: Bone) -> [Vec3; 3] {
        let Transform { position, rotation } = self.transform(bone);
        [Vec3::new(SHELL_M, 0.0, 0.0), Vec3::new(0.0, SHELL_M, 0.0), Vec3::new(0.0, 0.0, SHELL_M)]
            .map(|offset| position + rotation.rotate(offset))
    }

    pub(super) fn place(&mut self, bone: Bone, transform: Transform) {
        self.bones[bone as usize] = transform;
    }
}

impl Avatar {
    /// The pose of muscles (0..95) and the body's root: `RootT` in units of the human scale, and `RootQ`.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a muscle value or root that is not usable, by name.
    pub fn pose(&self, muscles: &[f64; MUSCLE_COUNT], root: &Transform) -> Result<Pose> {
        let rotations = self.local_rotations(muscles)?;
        let hips = self.hips_of(&rotations, root)?;
        self.pose_of_rotations(&rotations, &hips)
    }

    /// The pose of local rotations (by bone number; that of the hips is not read) with the hips at a place in the
    /// world.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the hips' position is not finite or their rotation is none. The other rotations are
    /// used as they are.
    pub fn pose_of_rotations(&self, rotations: &[Quat; BONE_COUNT], hips: &Transform) -> Result<Pose> {
        Ok(self.posed(rotations, &usable(hips, "hips")?))
    }

    /// The T-pose.
    pub fn rest_pose(&self) -> Pose {
        let mut rest = [Quat::IDENTITY; BONE_COUNT];
        for &bone in &self.order {
            rest[bone as usize] = self.required(bone).rest_rotation;
        }
        let hips = self.required(Bone::Hips);
        self.posed(&rest, &Transform { position: hips.rest_position, rotation: hips.rest_rotation })
    }

    /// The pose, for hips known to be usable.
    pub(super) fn posed(&self, rotations: &[Quat; BONE_COUNT], hips: &Transform) -> Pose {
        let mut pose = Pose::default();
        pose.place(Bone::Hips, *hips);
        for &bone in &self.order {
            let row = self.required(bone);
            let Some(parent) = row.parent else { continue };
            let at = pose.transform(parent);
            pose.place(
                bone,
                Transform {
                    position: at.position + at.rotation.rotate(row.rest_position),
                    rotation: at.rotation * rotations[bone as usize],
                },
            );
        }
        pose
    }
}

/// The transform with its rotation made unit length, if it is one.
pub(super) fn usable(transform: &Transform, name: &str) -> Result<Transform> {
    let Transform { position, rotation } = *transform;
    // Beyond this squares overflow and distances could be NaN.
    if !position.is_finite() || position.length() > 1e150 {
        return Err(Error::invalid(format!("{name}: {position:?} is no position")));
    }
    let rotation = rotation
        .normalized()
        .ok_or_else(|| Error::invalid(format!("{name}: {rotation:?} is no rotation")))?;
    Ok(Transform { position, rotation })
}
