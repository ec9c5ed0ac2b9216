//! The 95 humanoid muscles, in HumanTrait order: names, bone, axis and limits in one table.
//!
//! The order is that of `HumanTrait.MuscleName`, of `HumanPose.muscles` and of the values in a nameless `.data`
//! frame. Only the 40 finger muscles have a clip property that differs from their HumanTrait name: the dotted
//! form (`LeftHand.Thumb.1 Stretched`). Both spellings are read; only the clip property is written.

/// Rotation axis of a muscle in its bone's own frame: `X` twists about the bone, `Y` and `Z` swing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Twist about the bone.
    X,
    /// First swing axis.
    Y,
    /// Second swing axis.
    Z,
}

/// One row of the muscle table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Muscle {
    /// `HumanTrait.MuscleName`, for example `Left Thumb 1 Stretched`.
    pub trait_name: &'static str,
    /// AnimationClip property name, for example `LeftHand.Thumb.1 Stretched`.
    pub property: &'static str,
    /// Human bone that the muscle turns, as the HumanBodyBones enum spells it.
    pub bone: &'static str,
    /// Axis of that bone.
    pub axis: Axis,
    /// Angle in degrees at the value -1 (negative). Values beyond ±1 extrapolate.
    pub min_deg: f32,
    /// Angle in degrees at the value +1.
    pub max_deg: f32,
}

/// Number of muscles of the humanoid.
pub const MUSCLE_COUNT: usize = 95;

/// The muscle that a name means, in either spelling: clip property or HumanTrait name.
///
/// ```
/// assert_eq!(sinew::muscle_index("LeftHand.Thumb.Spread"), Some(56));
/// assert_eq!(sinew::muscle_index("Left Thumb Spread"), Some(56));
/// assert_eq!(sinew::muscle_index("LeftHand.Thumb Spread"), None);
/// ```
pub fn muscle_index(name: &str) -> Option<usize> {
    // A linear scan over 95 short names: callers look names up once a clip, never once a frame.
    MUSCLES.iter().position(|muscle| muscle.property == name || muscle.trait_name == name)
}

const fn row(
    trait_name: &'static str,
    property: &'static str,
    bone: &'static str,
    axis: Axis,
    min_deg: f32,
    max_deg: f32,
) -> Muscle {
    Muscle { trait_name, property, bone, axis, min_deg, max_deg }
}

/// The 95 muscles; the index is the muscle's number.
#[rustfmt::skip]
pub const MUSCLES: [Muscle; MUSCLE_COUNT] = [
    row("Spine Front-Back", "Spine Front-Back", "Spine", Axis::Z, -40.0, 40.0),
    row("Spine Left-Right", "Spine Left-Right", "Spine", Axis::Y, -40.0, 40.0),
    row("Spine Twist Left-Right", "Spine Twist Left-Right", "Spine", Axis::X, -40.0, 40.0),
    row("Chest Front-Back", "Chest Front-Back", "Chest", Axis::Z, -40.0, 40.0),
    row("Chest Left-Right", "Chest Left-Right", "Chest", Axis::Y, -40.0, 40.0),
    row("Chest Twist Left-Right", "Chest Twist Left-Right", "Chest", Axis::X, -40.0, 40.0),
    row("UpperChest Front-Back", "UpperChest Front-Back", "UpperChest", Axis::Z, -20.0, 20.0),
    row("UpperChest Left-Right", "UpperChest Left-Right", "UpperChest", Axis::Y, -20.0, 20.0),
    row("UpperChest Twist Left-Right", "UpperChest Twist Left-Right", "UpperChest", Axis::X, -20.0, 20.0),
    row("Neck Nod Down-Up", "Neck Nod Down-Up", "Neck", Axis::Z, -40.0, 40.0),
    row("Neck Tilt Left-Right", "Neck Tilt Left-Right", "Neck", Axis::Y, -40.0, 40.0),
    row("Neck Turn Left-Right", "Neck Turn Left-Right", "Neck", Axis::X, -40.0, 40.0),
    row("Head Nod Down-Up", "Head Nod Down-Up", "Head", Axis::Z, -40.0, 40.0),
    row("Head Tilt Left-Right", "Head Tilt Left-Right", "Head", Axis::Y, -40.0, 40.0),
    row("Head Turn Left-Right", "Head Turn Left-Right", "Head", Axis::X, -40.0, 40.0),
    row("Left Eye Down-Up", "Left Eye Down-Up", "LeftEye", Axis::Z, -10.0, 15.0),
    row("Left Eye In-Out", "Left Eye In-Out", "LeftEye", Axis::Y, -20.0, 20.0),
    row("Right Eye Down-Up", "Right Eye Down-Up", "RightEye", Axis::Z, -10.0, 15.0),
    row("Right Eye In-Out", "Right Eye In-Out", "RightEye", Axis::Y, -20.0, 20.0),
    row("Jaw Close", "Jaw Close", "Jaw", Axis::Z, -10.0, 10.0),
    row("Jaw Left-Right", "Jaw Left-Right", "Jaw", Axis::Y, -10.0, 10.0),
    row("Left Upper Leg Front-Back", "Left Upper Leg Front-Back", "LeftUpperLeg", Axis::Z, -90.0, 50.0),
    row("Left Upper Leg In-Out", "Left Upper Leg In-Out", "LeftUpperLeg", Axis::Y, -60.0, 60.0),
    row("Left Upper Leg Twist In-Out", "Left Upper Leg Twist In-Out", "LeftUpperLeg", Axis::X, -60.0, 60.0),
    row("Left Lower Leg Stretch", "Left Lower Leg Stretch", "LeftLowerLeg", Axis::Z, -80.0, 80.0),
    row("Left Lower Leg Twist In-Out", "Left Lower Leg Twist In-Out", "LeftLowerLeg", Axis::X, -90.0, 90.0),
    row("Left Foot Up-Down", "Left Foot Up-Down", "LeftFoot", Axis::Z, -50.0, 50.0),
    row("Left Foot Twist In-Out", "Left Foot Twist In-Out", "LeftFoot", Axis::Y, -30.0, 30.0),
    row("Left Toes Up-Down", "Left Toes Up-Down", "LeftToes", Axis::Z, -50.0, 50.0),
    row("Right Upper Leg Front-Back", "Right Upper Leg Front-Back", "RightUpperLeg", Axis::Z, -90.0, 50.0),
    row("Right Upper Leg In-Out", "Right Upper Leg In-Out", "RightUpperLeg", Axis::Y, -60.0, 60.0),
    row("Right Upper Leg Twist In-Out", "Right Upper Leg Twist In-Out", "RightUpperLeg", Axis::X, -60.0, 60.0),
    row("Right Lower Leg Stretch", "Right Lower Leg Stretch", "RightLowerLeg", Axis::Z, -80.0, 80.0),
    row("Right Lower Leg Twist In-Out", "Right Lower Leg Twist In-Out", "RightLowerLeg", Axis::X, -90.0, 90.0),
    row("Right Foot Up-Down", "Right Foot Up-Down", "RightFoot", Axis::Z, -50.0, 50.0),
    row("Right Foot Twist In-Out", "Right Foot Twist In-Out", "RightFoot", Axis::Y, -30.0, 30.0),
    row("Right Toes Up-Down", "Right Toes Up-Down", "RightToes", Axis::Z, -50.0, 50.0),
    row("Left Shoulder Down-Up", "Left Shoulder Down-Up", "LeftShoulder", Axis::Z, -15.0, 30.0),
    row("Left Shoulder Front-Back", "Left Shoulder Front-Back", "LeftShoulder", Axis::Y, -15.0, 15.0),
    row("Left Arm Down-Up", "Left Arm Down-Up", "LeftUpperArm", Axis::Z, -60.0, 100.0),
    row("Left Arm Front-Back", "Left Arm Front-Back", "LeftUpperArm", Axis::Y, -100.0, 100.0),
    row("Left Arm Twist In-Out", "Left Arm Twist In-Out", "LeftUpperArm", Axis::X, -90.0, 90.0),
    row("Left Forearm Stretch", "Left Forearm Stretch", "LeftLowerArm", Axis::Z, -80.0, 80.0),
    row("Left Forearm Twist In-Out", "Left Forearm Twist In-Out", "LeftLowerArm", Axis::X, -90.0, 90.0),
    row("Left Hand Down-Up", "Left Hand Down-Up", "LeftHand", Axis::Z, -80.0, 80.0),
    row("Left Hand In-Out", "Left Hand In-Out", "LeftHand", Axis::Y, -40.0, 40.0),
    row("Right Shoulder Down-Up", "Right Shoulder Down-Up", "RightShoulder", Axis::Z, -15.0, 30.0),
    row("Right Shoulder Front-Back", "Right Shoulder Front-Back", "RightShoulder", Axis::Y, -15.0, 15.0),
    row("Right Arm Down-Up", "Right Arm Down-Up", "RightUpperArm", Axis::Z, -60.0, 100.0),
    row("Right Arm Front-Back", "Right Arm Front-Back", "RightUpperArm", Axis::Y, -100.0, 100.0),
    row("Right Arm Twist In-Out", "Right Arm Twist In-Out", "RightUpperArm", Axis::X, -90.0, 90.0),
    row("Right Forearm Stretch", "Right Forearm Stretch", "RightLowerArm", Axis::Z, -80.0, 80.0),
    row("Right Forearm Twist In-Out", "Right Forearm Twist In-Out", "RightLowerArm", Axis::X, -90.0, 90.0),
    row("Right Hand Down-Up", "Right Hand Down-Up", "RightHand", Axis::Z, -80.0, 80.0),
    row("Right Hand In-Out", "Right Hand In-Out", "RightHand", Axis::Y, -40.0, 40.0),
    row("Left Thumb 1 Stretched", "LeftHand.Thumb.1 Stretched", "LeftThumbProximal", Axis::Z, -20.0, 20.0),
    row("Left Thumb Spread", "LeftHand.Thumb.Spread", "LeftThumbProximal", Axis::Y, -25.0, 25.0),
    row("Left Thumb 2 Stretched", "LeftHand.Thumb.2 Stretched", "LeftThumbIntermediate", Axis::Z, -40.0, 35.0),
    row("Left Thumb 3 Stretched", "LeftHand.Thumb.3 Stretched", "LeftThumbDistal", Axis::Z, -40.0, 35.0),
    row("Left Index 1 Stretched", "LeftHand.Index.1 Stretched", "LeftIndexProximal", Axis::Z, -50.0, 50.0),
    row("Left Index Spread", "LeftHand.Index.Spread", "LeftIndexProximal", Axis::Y, -20.0, 20.0),
    row("Left Index 2 Stretched", "LeftHand.Index.2 Stretched", "LeftIndexIntermediate", Axis::Z, -45.0, 45.0),
    row("Left Index 3 Stretched", "LeftHand.Index.3 Stretched", "LeftIndexDistal", Axis::Z, -45.0, 45.0),
    row("Left Middle 1 Stretched", "LeftHand.Middle.1 Stretched", "LeftMiddleProximal", Axis::Z, -50.0, 50.0),
    row("Left Middle Spread", "LeftHand.Middle.Spread", "LeftMiddleProximal", Axis::Y, -7.5, 7.5),
    row("Left Middle 2 Stretched", "LeftHand.Middle.2 Stretched", "LeftMiddleIntermediate", Axis::Z, -45.0, 45.0),
    row("Left Middle 3 Stretched", "LeftHand.Middle.3 Stretched", "LeftMiddleDistal", Axis::Z, -45.0, 45.0),
    row("Left Ring 1 Stretched", "LeftHand.Ring.1 Stretched", "LeftRingProximal", Axis::Z, -50.0, 50.0),
    row("Left Ring Spread", "LeftHand.Ring.Spread", "LeftRingProximal", Axis::Y, -7.5, 7.5),
    row("Left Ring 2 Stretched", "LeftHand.Ring.2 Stretched", "LeftRingIntermediate", Axis::Z, -45.0, 45.0),
    row("Left Ring 3 Stretched", "LeftHand.Ring.3 Stretched", "LeftRingDistal", Axis::Z, -45.0, 45.0),
    row("Left Little 1 Stretched", "LeftHand.Little.1 Stretched", "LeftLittleProximal", Axis::Z, -50.0, 50.0),
    row("Left Little Spread", "LeftHand.Little.Spread", "LeftLittleProximal", Axis::Y, -20.0, 20.0),
    row("Left Little 2 Stretched", "LeftHand.Little.2 Stretched", "LeftLittleIntermediate", Axis::Z, -45.0, 45.0),
    row("Left Little 3 Stretched", "LeftHand.Little.3 Stretched", "LeftLittleDistal", Axis::Z, -45.0, 45.0),
    row("Right Thumb 1 Stretched", "RightHand.Thumb.1 Stretched", "RightThumbProximal", Axis::Z, -20.0, 20.0),
    row("Right Thumb Spread", "RightHand.Thumb.Spread", "RightThumbProximal", Axis::Y, -25.0, 25.0),
    row("Right Thumb 2 Stretched", "RightHand.Thumb.2 Stretched", "RightThumbIntermediate", Axis::Z, -40.0, 35.0),
    row("Right Thumb 3 Stretched", "RightHand.Thumb.3 Stretched", "RightThumbDistal", Axis::Z, -40.0, 35.0),
    row("Right Index 1 Stretched", "RightHand.Index.1 Stretched", "RightIndexProximal", Axis::Z, -50.0, 50.0),
    row("Right Index Spread", "RightHand.Index.Spread", "RightIndexProximal", Axis::Y, -20.0, 20.0),
    row("Right Index 2 Stretched", "RightHand.Index.2 Stretched", "RightIndexIntermediate", Axis::Z, -45.0, 45.0),
    row("Right Index 3 Stretched", "RightHand.Index.3 Stretched", "RightIndexDistal", Axis::Z, -45.0, 45.0),
    row("Right Middle 1 Stretched", "RightHand.Middle.1 Stretched", "RightMiddleProximal", Axis::Z, -50.0, 50.0),
    row("Right Middle Spread", "RightHand.Middle.Spread", "RightMiddleProximal", Axis::Y, -7.5, 7.5),
    row("Right Middle 2 Stretched", "RightHand.Middle.2 Stretched", "RightMiddleIntermediate", Axis::Z, -45.0, 45.0),
    row("Right Middle 3 Stretched", "RightHand.Middle.3 Stretched", "RightMiddleDistal", Axis::Z, -45.0, 45.0),
    row("Right Ring 1 Stretched", "RightHand.Ring.1 Stretched", "RightRingProximal", Axis::Z, -50.0, 50.0),
    row("Right Ring Spread", "RightHand.Ring.Spread", "RightRingProximal", Axis::Y, -7.5, 7.5),
    row("Right Ring 2 Stretched", "RightHand.Ring.2 Stretched", "RightRingIntermediate", Axis::Z, -45.0, 45.0),
    row("Right Ring 3 Stretched", "RightHand.Ring.3 Stretched", "RightRingDistal", Axis::Z, -45.0, 45.0),
    row("Right Little 1 Stretched", "RightHand.Little.1 Stretched", "RightLittleProximal", Axis::Z, -50.0, 50.0),
    row("Right Little Spread", "RightHand.Little.Spread", "RightLittleProximal", Axis::Y, -20.0, 20.0),
    row("Right Little 2 Stretched", "RightHand.Little.2 Stretched", "RightLittleIntermediate", Axis::Z, -45.0, 45.0),
    row("Right Little 3 Stretched", "RightHand.Little.3 Stretched", "RightLittleDistal", Axis::Z, -45.0, 45.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_find_themselves_in_both_spellings() {
        for (index, muscle) in MUSCLES.iter().enumerate() {
            assert_eq!(muscle_index(muscle.property), Some(index));
            assert_eq!(muscle_index(muscle.trait_name), Some(index));
            assert!(muscle.min_deg < 0.0 && muscle.max_deg > 0.0, "{}", muscle.property);
        }
    }

    #[test]
    fn only_the_forty_finger_muscles_have_a_second_spelling() {
        let differing: Vec<usize> =
            (0..MUSCLE_COUNT).filter(|&i| MUSCLES[i].property != MUSCLES[i].trait_name).collect();
        assert_eq!(differing, (55..95).collect::<Vec<_>>());
        assert!(MUSCLES[55..].iter().all(|m| m.property.contains("Hand.")));
    }

    #[test]
    fn near_misses_are_no_muscle() {
        for name in ["", "LeftHand.Thumb Spread", "spine front-back", "Spine Front-Back ", "RootT.x"] {
            assert_eq!(muscle_index(name), None, "{name}");
        }
    }
}
