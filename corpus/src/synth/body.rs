//! Muscle numbers by name and the resting stance that every layer moves away from.

use sinew::MUSCLE_COUNT;

/// One value a muscle, in HumanTrait order.
pub(crate) type Pose = [f64; MUSCLE_COUNT];

pub(crate) const SPINE_FRONT_BACK: usize = 0;
pub(crate) const SPINE_LEFT_RIGHT: usize = 1;
pub(crate) const SPINE_TWIST: usize = 2;
pub(crate) const CHEST_FRONT_BACK: usize = 3;
pub(crate) const CHEST_LEFT_RIGHT: usize = 4;
pub(crate) const CHEST_TWIST: usize = 5;
pub(crate) const NECK_NOD: usize = 9;
pub(crate) const NECK_TILT: usize = 10;
pub(crate) const NECK_TURN: usize = 11;
pub(crate) const HEAD_NOD: usize = 12;
pub(crate) const HEAD_TILT: usize = 13;
pub(crate) const HEAD_TURN: usize = 14;

/// First muscle of the left and right leg.
pub(crate) const LEGS: [usize; 2] = [21, 29];
/// Number of muscles of a leg.
pub(crate) const LEG_MUSCLES: usize = 8;
pub(crate) const UPPER_LEG_FRONT_BACK: usize = 0;
pub(crate) const UPPER_LEG_IN_OUT: usize = 1;
pub(crate) const UPPER_LEG_TWIST: usize = 2;
pub(crate) const LOWER_LEG_STRETCH: usize = 3;
pub(crate) const LOWER_LEG_TWIST: usize = 4;
pub(crate) const FOOT_UP_DOWN: usize = 5;
pub(crate) const FOOT_TWIST: usize = 6;
pub(crate) const TOES_UP_DOWN: usize = 7;

/// First muscle of the left and right arm.
pub(crate) const ARMS: [usize; 2] = [37, 46];
/// Number of muscles of an arm.
pub(crate) const ARM_MUSCLES: usize = 9;
pub(crate) const SHOULDER_DOWN_UP: usize = 0;
pub(crate) const ARM_DOWN_UP: usize = 2;
pub(crate) const ARM_FRONT_BACK: usize = 3;
pub(crate) const ARM_TWIST: usize = 4;
pub(crate) const FOREARM_STRETCH: usize = 5;
pub(crate) const FOREARM_TWIST: usize = 6;
pub(crate) const HAND_DOWN_UP: usize = 7;
pub(crate) const HAND_IN_OUT: usize = 8;

/// First muscle of the left and right fingers.
pub(crate) const FINGERS: [usize; 2] = [55, 75];
/// Number of muscles of a hand's fingers.
pub(crate) const FINGER_MUSCLES: usize = 20;

/// An arm that hangs.
pub(crate) const HANGING_ARM: [f64; ARM_MUSCLES] = [-0.12, 0.16, -0.47, 0.17, 0.14, 0.86, 0.11, 0.08, 0.03];
/// A leg that stands, knee straight.
const STANDING_LEG: [f64; LEG_MUSCLES] = [0.64, -0.01, 0.43, 1.03, -0.31, 0.05, -0.04, 0.0];

/// Standing at rest; arms and fingers are left to the layers that own them. The tiny values are what a humanoid
/// retarget leaves on bones that the rig lacks.
pub(crate) fn standing() -> Pose {
    let mut pose = [0.0; MUSCLE_COUNT];
    pose[..9].copy_from_slice(&[0.012, 0.003, -0.008, -0.055, 0.005, -0.009, 0.0, 0.0, -1.7e-8]);
    pose[9..21]
        .copy_from_slice(&[0.1, 0.02, 0.01, -0.07, -0.03, 0.01, -2.1e-8, -1.1e-8, -2.1e-8, 1.1e-8, 0.0, 0.0]);
    for (side, &leg) in LEGS.iter().enumerate() {
        pose[leg..leg + LEG_MUSCLES].copy_from_slice(&STANDING_LEG);
        // Nobody stands symmetrically.
        pose[leg + UPPER_LEG_TWIST] += 0.05 * side as f64;
        pose[leg + FOOT_TWIST] += 0.03 * side as f64;
    }
    pose
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::MUSCLES;

    #[test]
    fn the_numbers_are_those_of_the_muscle_table() {
        let named = [
            (SPINE_FRONT_BACK, "Spine Front-Back"),
            (SPINE_LEFT_RIGHT, "Spine Left-Right"),
            (SPINE_TWIST, "Spine Twist Left-Right"),
            (CHEST_FRONT_BACK, "Chest Front-Back"),
            (CHEST_LEFT_RIGHT, "Chest Left-Right"),
            (CHEST_TWIST, "Chest Twist Left-Right"),
            (NECK_NOD, "Neck Nod Down-Up"),
            (NECK_TILT, "Neck Tilt Left-Right"),
            (NECK_TURN, "Neck Turn Left-Right"),
            (HEAD_NOD, "Head Nod Down-Up"),
            (HEAD_TILT, "Head Tilt Left-Right"),
            (HEAD_TURN, "Head Turn Left-Right"),
            (LEGS[0] + UPPER_LEG_FRONT_BACK, "Left Upper Leg Front-Back"),
            (LEGS[0] + UPPER_LEG_IN_OUT, "Left Upper Leg In-Out"),
            (LEGS[0] + UPPER_LEG_TWIST, "Left Upper Leg Twist In-Out"),
            (LEGS[0] + LOWER_LEG_STRETCH, "Left Lower Leg Stretch"),
            (LEGS[1] + LOWER_LEG_TWIST, "Right Lower Leg Twist In-Out"),
            (LEGS[1] + FOOT_UP_DOWN, "Right Foot Up-Down"),
            (LEGS[1] + FOOT_TWIST, "Right Foot Twist In-Out"),
            (LEGS[1] + TOES_UP_DOWN, "Right Toes Up-Down"),
            (ARMS[0] + SHOULDER_DOWN_UP, "Left Shoulder Down-Up"),
            (ARMS[0] + ARM_DOWN_UP, "Left Arm Down-Up"),
            (ARMS[0] + ARM_FRONT_BACK, "Left Arm Front-Back"),
            (ARMS[1] + ARM_TWIST, "Right Arm Twist In-Out"),
            (ARMS[1] + FOREARM_STRETCH, "Right Forearm Stretch"),
            (ARMS[1] + FOREARM_TWIST, "Right Forearm Twist In-Out"),
            (ARMS[1] + HAND_DOWN_UP, "Right Hand Down-Up"),
            (ARMS[1] + HAND_IN_OUT, "Right Hand In-Out"),
            (FINGERS[0], "Left Thumb 1 Stretched"),
            (FINGERS[1] + FINGER_MUSCLES - 1, "Right Little 3 Stretched"),
        ];
        for (number, name) in named {
            assert_eq!(MUSCLES[number].trait_name, name);
        }
    }
}
