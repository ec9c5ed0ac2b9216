//! Muscles to local rotations: `pre * swing * twist * inverse(post)` for each bone, limb twist shared out.

use super::avatar::{Avatar, AvatarBone};
use super::bone::{BONE_COUNT, Bone};
use super::quat::Quat;
use super::swing_twist::rotation_of;
use crate::error::{Error, Result};
use crate::muscles::{MUSCLE_COUNT, MUSCLES};

/// Three angles a bone.
pub(super) type Angles = [[f64; 3]; BONE_COUNT];
/// A turn before a bone's own rotation, where there is one.
pub(super) type HandedOn = [Option<Quat>; BONE_COUNT];

impl Avatar {
    /// Rotation of each bone relative to its parent, by bone number. The hips, which no muscle turns, have their
    /// rotation at rest; a missing bone has none and its muscles are ignored.
    ///
    /// Values beyond ±1 extrapolate.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names a muscle whose value is no angle: NaN, infinite or near the largest f64.
    pub fn local_rotations(&self, muscles: &[f64; MUSCLE_COUNT]) -> Result<[Quat; BONE_COUNT]> {
        let (angles, handed_on) = self.angles(muscles)?;
        Ok(self.rotations_of(&angles, &handed_on))
    }

    /// Each bone's own angles about x, y, z in radians, and what limb bones hand on to it: a turn in the space of its
    /// parent.
    ///
    /// # Errors
    /// As [`Avatar::local_rotations`].
    pub(super) fn angles(&self, muscles: &[f64; MUSCLE_COUNT]) -> Result<(Angles, HandedOn)> {
        let mut angles = [[0.0; 3]; BONE_COUNT];
        for &bone in &self.order {
            let row = self.required(bone);
            for (axis, muscle) in bone.info().muscles.iter().enumerate() {
                let Some(muscle) = muscle.map(usize::from) else { continue };
                let angle = row.angle(bone, axis, muscles[muscle]);
                if !angle.is_finite() {
                    let name = MUSCLES[muscle].property;
                    return Err(Error::invalid(format!("{name}: {} is no muscle value", muscles[muscle])));
                }
                angles[bone as usize][axis] = angle;
            }
        }
        let mut handed_on = [None; BONE_COUNT];
        for (bone, next, share) in self.twist_pairs() {
            let twist = angles[bone as usize][0];
            angles[bone as usize][0] = share * twist;
            let post = self.required(bone).post;
            handed_on[next as usize] = Some(post * Quat::about_x((1.0 - share) * twist) * post.conjugate());
        }
        Ok((angles, handed_on))
    }

    /// The local rotations of such angles.
    pub(super) fn rotations_of(&self, angles: &Angles, handed_on: &HandedOn) -> [Quat; BONE_COUNT] {
        let mut rotations = [Quat::IDENTITY; BONE_COUNT];
        for &bone in &self.order {
            let row = self.required(bone);
            rotations[bone as usize] = if bone == Bone::Hips {
                row.rest_rotation
            } else {
                let own = row.pre * rotation_of(angles[bone as usize]) * row.post.conjugate();
                handed_on[bone as usize].map_or(own, |turn| turn * own)
            };
        }
        rotations
    }
}

impl AvatarBone {
    /// The angle in radians of a muscle value.
    pub(super) fn angle(&self, bone: Bone, axis: usize, value: f64) -> f64 {
        self.angle_per_unit(bone, axis, value) * value
    }

    /// Radians a unit of the muscle at a value.
    pub(super) fn angle_per_unit(&self, bone: Bone, axis: usize, value: f64) -> f64 {
        let limit = if value >= 0.0 { self.max_rad[axis] } else { -self.min_rad[axis] };
        bone.info().sign[axis] * limit
    }

    /// The muscle value of an angle in radians; 0 where the limits allow no turn that way.
    pub(super) fn value(&self, bone: Bone, axis: usize, angle: f64) -> f64 {
        let turn = bone.info().sign[axis] * angle;
        let limit = if turn >= 0.0 { self.max_rad[axis] } else { -self.min_rad[axis] };
        if limit > 0.0 { turn / limit } else { 0.0 }
    }
}
