//! The avatar: a humanoid skeleton in T-pose with its muscle axes and limits.

use super::bone::{BONE_COUNT, Bone};
use super::pose::Transform;
use super::quat::Quat;
use super::vec3::Vec3;
use crate::error::{Error, Result};
use crate::muscles::MUSCLES;

/// One bone of an avatar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AvatarBone {
    /// The bone that it hangs on: the nearest ancestor of the table that this avatar has.
    pub parent: Option<Bone>,
    /// Position in T-pose relative to the parent and in its axes; for the hips in the world. Metres.
    pub rest_position: Vec3,
    /// Rotation in T-pose relative to the parent; for the hips in the world.
    pub rest_rotation: Quat,
    /// Axes at zero muscles, in the parent's space (`preQ`).
    pub pre: Quat,
    /// Axes in the bone's own space (`postQ`): x points along the bone.
    pub post: Quat,
    /// Angles in radians about x, y, z at the muscle value -1; zero or negative.
    pub min_rad: [f64; 3],
    /// Angles in radians about x, y, z at the muscle value +1; zero or positive.
    pub max_rad: [f64; 3],
    /// Length of the bone in metres.
    pub length: f64,
}

/// How much of a limb bone's twist stays on it; the rest turns the next bone. 0 to 1, by default one half each.
///
/// Hands and feet point the same way whatever the shares are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwistShares {
    /// Upper arm over forearm.
    pub upper_arm: f64,
    /// Forearm over hand.
    pub lower_arm: f64,
    /// Upper leg over lower leg.
    pub upper_leg: f64,
    /// Lower leg over foot.
    pub lower_leg: f64,
}

impl Default for TwistShares {
    fn default() -> TwistShares {
        TwistShares { upper_arm: 0.5, lower_arm: 0.5, upper_leg: 0.5, lower_leg: 0.5 }
    }
}

/// A humanoid skeleton: its T-pose, axes, limits and scale. Made by [`Avatar::reference`] or
/// [`Avatar::from_t_pose`].
#[derive(Debug, Clone, PartialEq)]
pub struct Avatar {
    pub(super) bones: [Option<AvatarBone>; BONE_COUNT],
    /// The bones that are there, parents before children.
    pub(super) order: Vec<Bone>,
    pub(super) twist: TwistShares,
    pub(super) human_scale: f64,
    pub(super) rest_root: Transform,
}

impl Avatar {
    /// The bone, if this avatar has it.
    pub fn bone(&self, bone: Bone) -> Option<&AvatarBone> {
        self.bones[bone as usize].as_ref()
    }

    /// The bones that this avatar has, parents before children.
    pub fn bones(&self) -> &[Bone] {
        &self.order
    }

    /// Height of the mass centre in T-pose, in metres: the unit of `RootT`.
    pub fn human_scale(&self) -> f64 {
        self.human_scale
    }

    /// The body's root at rest: mass centre of the T-pose in units of the human scale, level and facing +z.
    ///
    /// It stands in where a clip has no `RootT` or `RootQ`.
    pub fn rest_root(&self) -> Transform {
        self.rest_root
    }

    /// How limb twist is shared out.
    pub fn twist_shares(&self) -> TwistShares {
        self.twist
    }

    /// The same avatar with other twist shares.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a share outside 0 to 1.
    pub fn with_twist_shares(mut self, shares: TwistShares) -> Result<Avatar> {
        let TwistShares { upper_arm, lower_arm, upper_leg, lower_leg } = shares;
        for share in [upper_arm, lower_arm, upper_leg, lower_leg] {
            if !(0.0..=1.0).contains(&share) {
                return Err(Error::invalid(format!("a twist share must be 0 to 1, not {share}")));
            }
        }
        self.twist = shares;
        Ok(self)
    }

    /// The same avatar with other limits for one muscle (0..95), in degrees.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a muscle number from 95 on, a muscle whose bone is missing, or limits that are not
    /// `-180 <= min <= 0 <= max <= 180`.
    pub fn with_limits(mut self, muscle: usize, min_deg: f64, max_deg: f64) -> Result<Avatar> {
        let Some((bone, axis)) = Bone::of_muscle(muscle) else {
            return Err(Error::invalid(format!("there is no muscle {muscle}")));
        };
        let name = MUSCLES[muscle].property;
        if !(-180.0..=0.0).contains(&min_deg) || !(0.0..=180.0).contains(&max_deg) {
            return Err(Error::invalid(format!(
                "{name}: limits of {min_deg} to {max_deg} degrees; they must enclose 0 within -180 to 180"
            )));
        }
        let Some(row) = &mut self.bones[bone as usize] else {
            return Err(Error::invalid(format!("{name}: the avatar has no {}", bone.name())));
        };
        (row.min_rad[axis], row.max_rad[axis]) = (min_deg.to_radians(), max_deg.to_radians());
        Ok(self)
    }

    /// The limb pairs that share twist: the bone, the next one, and the share that stays.
    pub(super) fn twist_pairs(&self) -> [(Bone, Bone, f64); 8] {
        use Bone::*;
        let TwistShares { upper_arm, lower_arm, upper_leg, lower_leg } = self.twist;
        [
            (LeftUpperArm, LeftLowerArm, upper_arm),
            (LeftLowerArm, LeftHand, lower_arm),
            (LeftUpperLeg, LeftLowerLeg, upper_leg),
            (LeftLowerLeg, LeftFoot, lower_leg),
            (RightUpperArm, RightLowerArm, upper_arm),
            (RightLowerArm, RightHand, lower_arm),
            (RightUpperLeg, RightLowerLeg, upper_leg),
            (RightLowerLeg, RightFoot, lower_leg),
        ]
    }

    /// A bone that every avatar has.
    pub(super) fn required(&self, bone: Bone) -> &AvatarBone {
        self.bone(bone).expect("a required bone is there in every avatar")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::muscle_index;

    #[test]
    fn limits_and_shares_out_of_range_are_refused_by_name() {
        let avatar = || Avatar::reference().clone();
        let neck = muscle_index("Neck Nod Down-Up").unwrap();
        for (min, max) in [(1.0, 2.0), (-10.0, -1.0), (f64::NAN, 1.0), (-1.0, f64::INFINITY), (-181.0, 0.0)] {
            let error = avatar().with_limits(neck, min, max).expect_err("limits");
            assert!(error.to_string().contains("Neck Nod"), "{error}");
        }
        assert!(avatar().with_limits(95, -1.0, 1.0).is_err());
        for share in [-0.1, 1.1, f64::NAN] {
            let shares = TwistShares { lower_leg: share, ..TwistShares::default() };
            assert!(avatar().with_twist_shares(shares).is_err());
        }
    }

    #[test]
    fn custom_limits_scale_their_muscle_only() {
        let neck = muscle_index("Neck Nod Down-Up").unwrap();
        let wide = Avatar::reference().clone().with_limits(neck, -80.0, 20.0).unwrap();
        let mut muscles = [0.25; 95];
        muscles[neck] = -0.5;
        let mut same = muscles;
        same[neck] = -1.0;
        let (a, b) =
            (wide.local_rotations(&muscles).unwrap(), Avatar::reference().local_rotations(&same).unwrap());
        assert!(a.iter().zip(&b).all(|(a, b)| a.angle_to(*b) < 1e-12));
        assert!((wide.muscles(&a).unwrap()[neck] + 0.5).abs() < 1e-9);
    }
}
