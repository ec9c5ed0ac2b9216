//! The 55 human bones: parents, muscles, masses and what their axes are derived from, in one table.
//!
//! Numbers follow the HumanBodyBones enum, so that `UpperChest`, added late, has the last one although it stands
//! between chest and neck. World directions are those of a T-pose: x right, y up, z forward, left-handed, the
//! character facing +z with its left side at -x.

use super::vec3::Vec3;

/// Number of human bones.
pub const BONE_COUNT: usize = 55;

/// What the table knows of a bone, whatever the skeleton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoneInfo {
    /// Name as the HumanBodyBones enum spells it.
    pub name: &'static str,
    /// Name in VRM 1.0.
    pub vrm1_name: &'static str,
    /// The bone it hangs on; if that one is missing, the nearest ancestor that is there.
    pub parent: Option<Bone>,
    /// Whether every humanoid has it.
    pub required: bool,
    /// Muscle numbers about x (twist), y and z (swing).
    pub muscles: [Option<u8>; 3],
    /// Share of the body's mass, in units of which the whole body has 82.5.
    pub mass: f64,
    /// Rotation from the T-pose to the pose of zero muscles, in T-pose world axes, as half-angle tangents: the
    /// unnormalised quaternion (x, y, z, 1).
    pub zero_offset: Vec3,
    /// World direction R that fixes the bone's y axis as R x X, where X points along the bone.
    pub main_axis: Vec3,
    /// Sense of the muscles about x, y and z.
    pub sign: [f64; 3],
}

const REQUIRED: bool = true;
const OPTIONAL: bool = false;
const RIGHT: Vec3 = Vec3::new(1.0, 0.0, 0.0);
const LEFT: Vec3 = Vec3::new(-1.0, 0.0, 0.0);
const UP: Vec3 = Vec3::new(0.0, 1.0, 0.0);
const FORWARD: Vec3 = Vec3::new(0.0, 0.0, 1.0);

macro_rules! muscle {
    (_) => {
        None
    };
    ($number:literal) => {
        Some($number)
    };
}

macro_rules! parent {
    (_) => {
        None
    };
    ($bone:ident) => {
        Some(Bone::$bone)
    };
}

macro_rules! bones {
    ($($name:ident: $parent:tt, $required:ident, [$x:tt, $y:tt, $z:tt], $mass:literal, [$wx:expr, $wy:expr, $wz:expr],
        $axis:ident, $sign:expr, $vrm1:literal;)*) => {
        /// One human bone; the number is that of the HumanBodyBones enum.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Bone {
            $(#[doc = concat!("`", stringify!($name), "`")] $name,)*
        }

        impl Bone {
            /// All bones by number.
            pub const ALL: [Bone; BONE_COUNT] = [$(Bone::$name,)*];
        }

        static INFOS: [BoneInfo; BONE_COUNT] = [$(BoneInfo {
            name: stringify!($name),
            vrm1_name: $vrm1,
            parent: parent!($parent),
            required: $required,
            muscles: [muscle!($x), muscle!($y), muscle!($z)],
            mass: $mass,
            zero_offset: Vec3::new($wx, $wy, $wz),
            main_axis: $axis,
            sign: $sign,
        },)*];
    };
}

// name: parent, required, muscles [x, y, z], mass, zero offset, main axis, sign, name in VRM 1.0
bones! {
    Hips: _, REQUIRED, [_, _, _], 12.0, [0.0, 0.0, 0.0], LEFT, [1.0, 1.0, 1.0], "hips";
    LeftUpperLeg: Hips, REQUIRED, [23, 22, 21], 10.0, [-0.268, 0.0, 0.0], RIGHT, [1.0, 1.0, 1.0], "leftUpperLeg";
    RightUpperLeg: Hips, REQUIRED, [31, 30, 29], 10.0, [-0.268, 0.0, 0.0], RIGHT, [-1.0, -1.0, 1.0], "rightUpperLeg";
    LeftLowerLeg: LeftUpperLeg, REQUIRED, [25, _, 24], 4.0, [0.839, 0.0, 0.0], RIGHT, [1.0, 1.0, -1.0], "leftLowerLeg";
    RightLowerLeg: RightUpperLeg, REQUIRED, [33, _, 32], 4.0, [0.839, 0.0, 0.0], RIGHT, [-1.0, 1.0, -1.0], "rightLowerLeg";
    LeftFoot: LeftLowerLeg, REQUIRED, [_, 27, 26], 0.8, [0.0, 0.0, 0.0], RIGHT, [1.0, 1.0, 1.0], "leftFoot";
    RightFoot: RightLowerLeg, REQUIRED, [_, 35, 34], 0.8, [0.0, 0.0, 0.0], RIGHT, [1.0, -1.0, 1.0], "rightFoot";
    Spine: Hips, REQUIRED, [2, 1, 0], 2.5, [0.0, 0.0, 0.0], LEFT, [1.0, 1.0, 1.0], "spine";
    Chest: Spine, OPTIONAL, [5, 4, 3], 12.0, [0.0, 0.0, 0.0], LEFT, [1.0, 1.0, 1.0], "chest";
    Neck: UpperChest, OPTIONAL, [11, 10, 9], 1.0, [0.0, 0.0, 0.0], LEFT, [1.0, 1.0, 1.0], "neck";
    Head: Neck, REQUIRED, [14, 13, 12], 4.0, [0.0, 0.0, 0.0], LEFT, [1.0, 1.0, 1.0], "head";
    LeftShoulder: UpperChest, OPTIONAL, [_, 38, 37], 0.5, [0.0, 0.0, 0.0], FORWARD, [1.0, 1.0, -1.0], "leftShoulder";
    RightShoulder: UpperChest, OPTIONAL, [_, 47, 46], 0.5, [0.0, 0.0, 0.0], FORWARD, [1.0, 1.0, 1.0], "rightShoulder";
    LeftUpperArm: LeftShoulder, REQUIRED, [41, 40, 39], 2.0, [0.0, 0.268, 0.364], FORWARD, [1.0, 1.0, -1.0], "leftUpperArm";
    RightUpperArm: RightShoulder, REQUIRED, [50, 49, 48], 2.0, [0.0, -0.268, -0.364], FORWARD, [-1.0, 1.0, 1.0], "rightUpperArm";
    LeftLowerArm: LeftUpperArm, REQUIRED, [43, _, 42], 1.5, [0.0, 0.839, 0.0], UP, [1.0, 1.0, -1.0], "leftLowerArm";
    RightLowerArm: RightUpperArm, REQUIRED, [52, _, 51], 1.5, [0.0, -0.839, 0.0], UP, [-1.0, 1.0, 1.0], "rightLowerArm";
    LeftHand: LeftLowerArm, REQUIRED, [_, 45, 44], 0.5, [0.0, 0.0, 0.0], FORWARD, [1.0, 1.0, -1.0], "leftHand";
    RightHand: RightLowerArm, REQUIRED, [_, 54, 53], 0.5, [0.0, 0.0, 0.0], FORWARD, [1.0, 1.0, 1.0], "rightHand";
    LeftToes: LeftFoot, OPTIONAL, [_, _, 28], 0.2, [0.0, 0.0, 0.0], RIGHT, [1.0, 1.0, 1.0], "leftToes";
    RightToes: RightFoot, OPTIONAL, [_, _, 36], 0.2, [0.0, 0.0, 0.0], RIGHT, [1.0, 1.0, 1.0], "rightToes";
    LeftEye: Head, OPTIONAL, [_, 16, 15], 0.0, [0.0, 0.0, 0.0], RIGHT, [1.0, 1.0, -1.0], "leftEye";
    RightEye: Head, OPTIONAL, [_, 18, 17], 0.0, [0.0, 0.0, 0.0], RIGHT, [1.0, -1.0, -1.0], "rightEye";
    Jaw: Head, OPTIONAL, [_, 20, 19], 0.0, [0.09, 0.0, 0.0], RIGHT, [1.0, 1.0, -1.0], "jaw";
    LeftThumbProximal: LeftHand, OPTIONAL, [_, 56, 55], 0.0, [0.0, 0.125, 0.125], UP, [-1.0, -1.0, 1.0], "leftThumbMetacarpal";
    LeftThumbIntermediate: LeftThumbProximal, OPTIONAL, [_, _, 57], 0.0, [0.0, -0.2, 0.0], UP, [-1.0, 1.0, 1.0], "leftThumbProximal";
    LeftThumbDistal: LeftThumbIntermediate, OPTIONAL, [_, _, 58], 0.0, [0.0, -0.2, 0.0], UP, [-1.0, 1.0, 1.0], "leftThumbDistal";
    LeftIndexProximal: LeftHand, OPTIONAL, [_, 60, 59], 0.0, [0.0, 0.08, 0.3], FORWARD, [-1.0, -1.0, -1.0], "leftIndexProximal";
    LeftIndexIntermediate: LeftIndexProximal, OPTIONAL, [_, _, 61], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftIndexIntermediate";
    LeftIndexDistal: LeftIndexIntermediate, OPTIONAL, [_, _, 62], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftIndexDistal";
    LeftMiddleProximal: LeftHand, OPTIONAL, [_, 64, 63], 0.0, [0.0, 0.04, 0.3], FORWARD, [-1.0, -1.0, -1.0], "leftMiddleProximal";
    LeftMiddleIntermediate: LeftMiddleProximal, OPTIONAL, [_, _, 65], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftMiddleIntermediate";
    LeftMiddleDistal: LeftMiddleIntermediate, OPTIONAL, [_, _, 66], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftMiddleDistal";
    LeftRingProximal: LeftHand, OPTIONAL, [_, 68, 67], 0.0, [0.0, -0.04, 0.3], FORWARD, [-1.0, 1.0, -1.0], "leftRingProximal";
    LeftRingIntermediate: LeftRingProximal, OPTIONAL, [_, _, 69], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftRingIntermediate";
    LeftRingDistal: LeftRingIntermediate, OPTIONAL, [_, _, 70], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftRingDistal";
    LeftLittleProximal: LeftHand, OPTIONAL, [_, 72, 71], 0.0, [0.0, -0.08, 0.3], FORWARD, [-1.0, 1.0, -1.0], "leftLittleProximal";
    LeftLittleIntermediate: LeftLittleProximal, OPTIONAL, [_, _, 73], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftLittleIntermediate";
    LeftLittleDistal: LeftLittleIntermediate, OPTIONAL, [_, _, 74], 0.0, [0.0, 0.0, 0.33], FORWARD, [-1.0, 1.0, -1.0], "leftLittleDistal";
    RightThumbProximal: RightHand, OPTIONAL, [_, 76, 75], 0.0, [0.0, -0.125, -0.125], UP, [1.0, -1.0, -1.0], "rightThumbMetacarpal";
    RightThumbIntermediate: RightThumbProximal, OPTIONAL, [_, _, 77], 0.0, [0.0, 0.2, 0.0], UP, [1.0, 1.0, -1.0], "rightThumbProximal";
    RightThumbDistal: RightThumbIntermediate, OPTIONAL, [_, _, 78], 0.0, [0.0, 0.2, 0.0], UP, [1.0, 1.0, -1.0], "rightThumbDistal";
    RightIndexProximal: RightHand, OPTIONAL, [_, 80, 79], 0.0, [0.0, -0.08, -0.3], FORWARD, [1.0, -1.0, 1.0], "rightIndexProximal";
    RightIndexIntermediate: RightIndexProximal, OPTIONAL, [_, _, 81], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightIndexIntermediate";
    RightIndexDistal: RightIndexIntermediate, OPTIONAL, [_, _, 82], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightIndexDistal";
    RightMiddleProximal: RightHand, OPTIONAL, [_, 84, 83], 0.0, [0.0, -0.04, -0.3], FORWARD, [1.0, -1.0, 1.0], "rightMiddleProximal";
    RightMiddleIntermediate: RightMiddleProximal, OPTIONAL, [_, _, 85], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightMiddleIntermediate";
    RightMiddleDistal: RightMiddleIntermediate, OPTIONAL, [_, _, 86], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightMiddleDistal";
    RightRingProximal: RightHand, OPTIONAL, [_, 88, 87], 0.0, [0.0, 0.04, -0.3], FORWARD, [1.0, 1.0, 1.0], "rightRingProximal";
    RightRingIntermediate: RightRingProximal, OPTIONAL, [_, _, 89], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightRingIntermediate";
    RightRingDistal: RightRingIntermediate, OPTIONAL, [_, _, 90], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightRingDistal";
    RightLittleProximal: RightHand, OPTIONAL, [_, 92, 91], 0.0, [0.0, 0.08, -0.3], FORWARD, [1.0, 1.0, 1.0], "rightLittleProximal";
    RightLittleIntermediate: RightLittleProximal, OPTIONAL, [_, _, 93], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightLittleIntermediate";
    RightLittleDistal: RightLittleIntermediate, OPTIONAL, [_, _, 94], 0.0, [0.0, 0.0, -0.33], FORWARD, [1.0, 1.0, 1.0], "rightLittleDistal";
    UpperChest: Chest, OPTIONAL, [8, 7, 6], 12.0, [0.0, 0.0, 0.0], LEFT, [1.0, 1.0, 1.0], "upperChest";
}

impl Bone {
    /// The table's row.
    pub fn info(self) -> &'static BoneInfo {
        &INFOS[self as usize]
    }

    /// Name as the HumanBodyBones enum spells it.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The bone of that name (HumanBodyBones spelling).
    pub fn from_name(name: &str) -> Option<Bone> {
        Bone::ALL.into_iter().find(|bone| bone.name() == name)
    }

    /// The same bone of the other side; a bone in the middle is its own.
    pub fn mirrored(self) -> Bone {
        let name = self.name();
        let other = match (name.strip_prefix("Left"), name.strip_prefix("Right")) {
            (Some(part), _) => format!("Right{part}"),
            (_, Some(part)) => format!("Left{part}"),
            _ => return self,
        };
        Bone::from_name(&other).expect("bones come in pairs")
    }

    /// The bone that a muscle (0..95) turns, and about which axis (0 twist, 1 and 2 swing).
    pub fn of_muscle(muscle: usize) -> Option<(Bone, usize)> {
        Bone::ALL.into_iter().find_map(|bone| {
            let axis =
                bone.info().muscles.iter().position(|&m| m.is_some_and(|m| usize::from(m) == muscle))?;
            Some((bone, axis))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::muscles::{Axis, MUSCLES};

    #[test]
    fn the_table_agrees_with_the_muscles_both_ways() {
        for (number, muscle) in MUSCLES.iter().enumerate() {
            let axis = match muscle.axis {
                Axis::X => 0,
                Axis::Y => 1,
                Axis::Z => 2,
            };
            let bone = Bone::from_name(muscle.bone).expect("a human bone");
            assert_eq!(Bone::of_muscle(number), Some((bone, axis)), "{}", muscle.property);
        }
        let turned = Bone::ALL.iter().flat_map(|bone| bone.info().muscles).flatten().count();
        assert_eq!(turned, MUSCLES.len());
        assert_eq!(Bone::of_muscle(95), None);
    }

    #[test]
    fn parents_lead_to_the_hips_and_required_bones_hang_on_each_other() {
        assert_eq!(Bone::ALL.iter().filter(|bone| bone.info().required).count(), 15);
        assert_eq!((Bone::UpperChest as usize, Bone::Hips as usize), (54, 0));
        for bone in Bone::ALL {
            let mut ancestors = 0;
            let mut at = bone;
            while let Some(parent) = at.info().parent {
                (at, ancestors) = (parent, ancestors + 1);
                assert!(ancestors < BONE_COUNT, "{} is its own ancestor", bone.name());
            }
            assert_eq!(at, Bone::Hips);
        }
    }

    #[test]
    fn sides_mirror_each_other() {
        for bone in Bone::ALL {
            let (own, other) = (bone.info(), bone.mirrored().info());
            assert_eq!(bone.mirrored().mirrored(), bone);
            assert_eq!(
                (own.mass, own.main_axis, own.required),
                (other.mass, other.main_axis, other.required)
            );
            if bone.mirrored() != bone {
                let w = own.zero_offset;
                assert_eq!(other.zero_offset, Vec3::new(w.x, -w.y, -w.z), "{}", own.name);
            }
        }
        let masses: f64 = Bone::ALL.iter().map(|bone| bone.info().mass).sum();
        assert!((masses - 82.5).abs() < 1e-9);
    }
}
