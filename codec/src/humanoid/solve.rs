//! Local rotations to muscles: the inverse of sharing out limb twist, then of each bone's swing and twist.

use super::avatar::Avatar;
use super::bone::{BONE_COUNT, Bone};
use super::quat::Quat;
use super::swing_twist::{angles_of, wrapped};
use super::vec3::Vec3;
use crate::error::{Error, Result};
use crate::muscles::MUSCLE_COUNT;
use std::f64::consts::TAU;

/// A limb bent by less than this has two ways to be bent that are nearly the same.
const NEARLY_STRAIGHT: f64 = 15.0 * (TAU / 360.0);
/// Below this bend the plane in which a limb bends is mostly noise, and turns no faster than a speed that grows with
/// the bend, up to this one a frame. Forearms and shins that lag behind point wrong by less than the bend.
const STRAIGHT: f64 = 3.0 * (TAU / 360.0);
const PLANE_STEP: f64 = 60.0 * (TAU / 360.0);
/// How much of its turn a plane that lags behind keeps from frame to frame, so that noise does not wind it up.
const KEPT: f64 = 0.9;
/// Angles go on beyond a half turn up to here, and then begin again.
const ONWARD: f64 = 0.75 * TAU;

/// Below this the turn that a straight limb hides is rounding noise and taken as none.
const VANISHING: f64 = 1e-7;

/// What of a frame the next one goes on from; the default goes on from nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct MusclesBefore {
    muscles: Option<[f64; MUSCLE_COUNT]>,
    /// What limb bones got back of the next bone's twist. Radians.
    turns: [f64; BONE_COUNT],
}

impl Default for MusclesBefore {
    fn default() -> MusclesBefore {
        MusclesBefore { muscles: None, turns: [0.0; BONE_COUNT] }
    }
}

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
        Ok(self.muscles_by(rotations, None)?.0)
    }

    /// The same, going on from the frame before: of the values that mean the same rotations those that are nearest.
    ///
    /// Angles go on beyond a half turn, up to three quarters of a turn, instead of jumping by a whole one. A limb that
    /// is nearly straight keeps the side to which it bent; within three degrees of straight, where its plane is mostly
    /// noise, the plane does not jump, so that the limb may point wrong by less than that.
    ///
    /// # Errors
    /// As [`Avatar::muscles`].
    pub fn muscles_after(
        &self,
        rotations: &[Quat; BONE_COUNT],
        before: &MusclesBefore,
    ) -> Result<([f64; MUSCLE_COUNT], MusclesBefore)> {
        let (muscles, turns) = self.muscles_by(rotations, Some(before))?;
        Ok((muscles, MusclesBefore { muscles: Some(muscles), turns }))
    }

    /// Muscles, and what limb bones got back of the next bone's twist.
    fn muscles_by(
        &self,
        rotations: &[Quat; BONE_COUNT],
        before: Option<&MusclesBefore>,
    ) -> Result<([f64; MUSCLE_COUNT], [f64; BONE_COUNT])> {
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
                _ => match before {
                    None => side_swing_hiding(zero, seen)[0],
                    Some(before) => side_swing_after(zero, seen, before.turns[bone as usize]),
                },
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
                let Some(muscle) = muscle else { continue };
                let angle =
                    match before.and_then(|before| self.angle_before(bone, axis, before.muscles.as_ref()?)) {
                        Some(before) => onward(angles[axis], before),
                        None => angles[axis],
                    };
                muscles[usize::from(*muscle)] = row.value(bone, axis, angle);
            }
        }
        Ok((muscles, given_back))
    }

    /// The angle in radians that an axis of a bone had; `None` without a muscle or a value.
    fn angle_before(&self, bone: Bone, axis: usize, before: &[f64; MUSCLE_COUNT]) -> Option<f64> {
        let muscle = bone.info().muscles[axis]?;
        let angle = self.required(bone).angle(bone, axis, before[usize::from(muscle)]);
        angle.is_finite().then_some(angle)
    }
}

/// The angle plus whole turns that is nearest to the one before, if it is not too far round.
fn onward(angle: f64, before: f64) -> f64 {
    let next = before + wrapped(angle - before);
    if next.abs() <= ONWARD { next } else { angle }
}

/// The turn r about x after whose removal a hand or foot, which has no twist muscle, is not twisted:
/// `inverse(zero) * about_x(-r) * seen` has no x.
fn twist_hiding(zero: Quat, seen: Quat) -> f64 {
    let back = zero.conjugate();
    let (cosine, sine) = ((back * seen).x, (back * Quat::new(1.0, 0.0, 0.0, 0.0) * seen).x);
    if cosine.hypot(sine) < VANISHING { 0.0 } else { wrapped(2.0 * cosine.atan2(sine)) }
}

/// The turn r about x after whose removal a forearm or lower leg, which has no y muscle, does not swing about y.
/// There are two; the smaller one, given first, is the limb that bends the way limbs do.
fn side_swing_hiding(zero: Quat, seen: Quat) -> [f64; 2] {
    let along = seen.rotate(Vec3::new(1.0, 0.0, 0.0));
    let normal = zero.rotate(Vec3::new(0.0, 0.0, 1.0));
    let cosine = normal.y * along.y + normal.z * along.z;
    let sine = normal.y * along.z - normal.z * along.y;
    let length = cosine.hypot(sine);
    if length < VANISHING {
        return [0.0, 0.0];
    }
    let middle = sine.atan2(cosine);
    let half = (-along.x * normal.x / length).clamp(-1.0, 1.0).acos();
    let (a, b) = (wrapped(middle + half), wrapped(middle - half));
    if a.abs() <= b.abs() { [a, b] } else { [b, a] }
}

/// The same turn, going on from that of the frame before.
fn side_swing_after(zero: Quat, seen: Quat, before: f64) -> f64 {
    let x = Vec3::new(1.0, 0.0, 0.0);
    let (along, bent) = (seen.rotate(x), zero.rotate(x));
    let bend = along.y.hypot(along.z).atan2(along.x);
    let step = |turn: f64| wrapped(turn - before);
    // Whether the limb then bends to the side to which it has most room.
    let is_usual = |turn: f64| {
        let (sine, cosine) = turn.sin_cos();
        let (y, z) = (along.y * cosine + along.z * sine, along.z * cosine - along.y * sine);
        y * bent.y + z * bent.z > 0.0
    };
    let [near, far] = side_swing_hiding(zero, seen);
    let may_be_far = bend < NEARLY_STRAIGHT || is_usual(far);
    let turn = if may_be_far && step(far).abs() < step(near).abs() { far } else { near };
    let most = PLANE_STEP * bend / STRAIGHT;
    if bend >= STRAIGHT || step(turn).abs() <= most {
        return turn;
    }
    wrapped(KEPT * before + wrapped(turn - KEPT * before).clamp(-most, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::muscle_index;

    fn muscles_with(values: &[(&str, f64)]) -> [f64; MUSCLE_COUNT] {
        let mut muscles = [0.1; MUSCLE_COUNT];
        for &(name, value) in values {
            muscles[muscle_index(name).expect("a muscle")] = value;
        }
        muscles
    }

    #[test]
    fn twists_beyond_a_half_turn_go_on_from_the_frame_before() {
        let avatar = Avatar::reference();
        let mut before = MusclesBefore::default();
        for step in 0..=26 {
            let value = f64::from(step) * 0.1;
            let muscles =
                muscles_with(&[("Left Arm Twist In-Out", value), ("Right Upper Leg Twist In-Out", -value)]);
            let rotations = avatar.local_rotations(&muscles).expect("angles");
            let (found, now) = avatar.muscles_after(&rotations, &before).expect("rotations");
            let off = muscles.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{value}: {off}");
            before = now;
        }
        // On its own the last frame is read as another that turns the same.
        let muscles = muscles_with(&[("Left Arm Twist In-Out", 2.6)]);
        let rotations = avatar.local_rotations(&muscles).expect("angles");
        let alone = avatar.muscles(&rotations).expect("rotations");
        assert!((alone[muscle_index("Left Arm Twist In-Out").expect("a muscle")] - 2.6).abs() > 0.5);
        let back = avatar.local_rotations(&alone).expect("angles");
        let hand = |rotations: &[Quat; BONE_COUNT]| {
            [Bone::LeftUpperArm, Bone::LeftLowerArm, Bone::LeftHand]
                .iter()
                .fold(Quat::IDENTITY, |q, bone| q * rotations[*bone as usize])
        };
        assert!(hand(&back).angle_to(hand(&rotations)) < 1e-6);
    }

    #[test]
    fn a_straight_limb_keeps_its_plane() {
        let avatar = Avatar::reference();
        let twist = muscle_index("Left Arm Twist In-Out").expect("a muscle");
        let bent = muscles_with(&[("Left Forearm Stretch", 0.5), ("Left Arm Twist In-Out", 0.6)]);
        let rotations = avatar.local_rotations(&bent).expect("angles");
        let (_, mut before) = avatar.muscles_after(&rotations, &MusclesBefore::default()).expect("rotations");
        // Straight, the forearm is turned about all sides by a thousandth of a degree.
        let lower = Bone::LeftLowerArm as usize;
        let row = avatar.bone(Bone::LeftUpperArm).expect("there");
        let next = avatar.bone(Bone::LeftLowerArm).expect("there");
        let straight = row.post * next.post.conjugate();
        for step in 0..50 {
            let noise =
                Quat::about_y(1e-5 * f64::from(step % 7 - 3)) * Quat::about_z(1e-5 * f64::from(step % 5 - 2));
            let mut rotations = rotations;
            rotations[lower] = row.post * noise * row.post.conjugate() * straight;
            let (found, now) = avatar.muscles_after(&rotations, &before).expect("rotations");
            assert!((found[twist] - 0.6).abs() < 0.35, "step {step}: {}", found[twist]);
            before = now;
        }
    }
}
