//! Local rotations to muscles: the inverse of sharing out limb twist, then of each bone's swing and twist.

use super::avatar::Avatar;
use super::bone::{BONE_COUNT, Bone};
use super::quat::Quat;
use super::swing_twist::{angles_of, wrapped};
use super::vec3::Vec3;
use crate::error::{Error, Result};
use crate::muscles::MUSCLE_COUNT;

/// Below this the turn that a straight limb hides is rounding noise and taken as none.
const VANISHING: f64 = 1e-7;

impl Avatar {
    /// The muscles of a T-pose.
    pub fn rest_muscles(&self) -> [f64; MUSCLE_COUNT] {
        let mut rest = [Quat::IDENTITY; BONE_COUNT];
        for &bone in &self.order {
            rest[bone as usize] = self.required(bone).rest_rotation;
        }
        self.muscles(&rest).expect("rotations at rest are unit quaternions")
    }

    /// Muscles from the rotation of each bone relative to its parent, by bone number. The hips are not read, nor are
    /// missing bones, whose muscles are 0.
    ///
    /// Where an elbow or knee is nearly straight, its own twist and that of the bone above are hardly told apart; where
    /// a bone is swung by a half turn, its twist is undefined; a limb bone that hands on more than a quarter turn (with
    /// even shares: twist values beyond ±2) reads as one that hands on less and bends the other way. The rotations are
    /// met all the same.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names a bone whose quaternion is no rotation.
    pub fn muscles(&self, rotations: &[Quat; BONE_COUNT]) -> Result<[f64; MUSCLE_COUNT]> {
        let mut local = *rotations;
        for &bone in self.order.iter().filter(|&&bone| bone != Bone::Hips) {
            local[bone as usize] = rotations[bone as usize]
                .normalized()
                .ok_or_else(|| Error::invalid(format!("{}: its rotation is no rotation", bone.name())))?;
        }
        // 1. Give limb bones back the twist that the next bone shows. Only the next bone's rotation changes, so the
        //    pairs do not depend on each other's order.
        let mut given_back = [0.0; BONE_COUNT];
        for (bone, next, _) in self.twist_pairs() {
            let (row, next_row) = (self.required(bone), self.required(next));
            let seen = row.post.conjugate() * local[next as usize] * next_row.post;
            let zero = row.post.conjugate() * next_row.pre;
            let turn = match next {
                Bone::LeftHand | Bone::RightHand | Bone::LeftFoot | Bone::RightFoot => {
                    twist_hiding(zero, seen)
                }
                _ => side_swing_hiding(zero, seen),
            };
            given_back[bone as usize] = turn;
            local[next as usize] =
                row.post * Quat::about_x(-turn) * row.post.conjugate() * local[next as usize];
        }
        // 2. Each bone's angles.
        let mut muscles = [0.0; MUSCLE_COUNT];
        for &bone in &self.order {
            let row = self.required(bone);
            let mut angles = angles_of(row.pre.conjugate() * local[bone as usize] * row.post);
            angles[0] += given_back[bone as usize];
            for (axis, muscle) in bone.info().muscles.iter().enumerate() {
                if let Some(muscle) = muscle {
                    muscles[usize::from(*muscle)] = row.value(bone, axis, angles[axis]);
                }
            }
        }
        Ok(muscles)
    }
}

/// The turn r about x after whose removal a hand or foot, which has no twist muscle, is not twisted:
/// `inverse(zero) * about_x(-r) * seen` has no x.
fn twist_hiding(zero: Quat, seen: Quat) -> f64 {
    let back = zero.conjugate();
    let (cosine, sine) = ((back * seen).x, (back * Quat::new(1.0, 0.0, 0.0, 0.0) * seen).x);
    if cosine.hypot(sine) < VANISHING { 0.0 } else { wrapped(2.0 * cosine.atan2(sine)) }
}

/// The turn r about x after whose removal a forearm or lower leg, which has no y muscle, does not swing about y.
/// There are two; the smaller one is the limb that bends the way limbs do.
fn side_swing_hiding(zero: Quat, seen: Quat) -> f64 {
    let along = seen.rotate(Vec3::new(1.0, 0.0, 0.0));
    let normal = zero.rotate(Vec3::new(0.0, 0.0, 1.0));
    let cosine = normal.y * along.y + normal.z * along.z;
    let sine = normal.y * along.z - normal.z * along.y;
    let length = cosine.hypot(sine);
    if length < VANISHING {
        return 0.0;
    }
    let middle = sine.atan2(cosine);
    let half = (-along.x * normal.x / length).clamp(-1.0, 1.0).acos();
    let (a, b) = (wrapped(middle + half), wrapped(middle - half));
    if a.abs() <= b.abs() { a } else { b }
}
