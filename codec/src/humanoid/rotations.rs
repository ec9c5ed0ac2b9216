//! Muscles to local rotations: `pre * swing * twist * inverse(post)` for each bone, limb twist shared out.

use super::avatar::{Avatar, AvatarBone};
use super::bone::{BONE_COUNT, Bone};
use super::quat::Quat;
use super::swing_twist::rotation_of;
use crate::error::{Error, Result};
use crate::muscles::{MUSCLE_COUNT, MUSCLES};

impl Avatar {
    /// Rotation of each bone relative to its parent, by bone number. The hips, which no muscle turns, have their
    /// rotation at rest; a missing bone has none and its muscles are ignored.
    ///
    /// Values beyond ±1 extrapolate.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names a muscle whose value is no angle: NaN, infinite or near the largest f64.
    pub fn local_rotations(&self, muscles: &[f64; MUSCLE_COUNT]) -> Result<[Quat; BONE_COUNT]> {
        // 1. Angles.
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
        // 2. What limb bones hand on: a turn in the space of the next bone's parent.
        let mut handed_on = [None; BONE_COUNT];
        for (bone, next, share) in self.twist_pairs() {
            let twist = angles[bone as usize][0];
            angles[bone as usize][0] = share * twist;
            let post = self.required(bone).post;
            handed_on[next as usize] = Some(post * Quat::about_x((1.0 - share) * twist) * post.conjugate());
        }
        // 3. Rotations.
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
        Ok(rotations)
    }
}

impl AvatarBone {
    /// The angle in radians of a muscle value.
    pub(super) fn angle(&self, bone: Bone, axis: usize, value: f64) -> f64 {
        let limit = if value >= 0.0 { self.max_rad[axis] } else { -self.min_rad[axis] };
        bone.info().sign[axis] * value * limit
    }

    /// The muscle value of an angle in radians; 0 where the limits allow no turn that way.
    pub(super) fn value(&self, bone: Bone, axis: usize, angle: f64) -> f64 {
        let turn = bone.info().sign[axis] * angle;
        let limit = if turn >= 0.0 { self.max_rad[axis] } else { -self.min_rad[axis] };
        if limit > 0.0 { turn / limit } else { 0.0 }
    }
}
