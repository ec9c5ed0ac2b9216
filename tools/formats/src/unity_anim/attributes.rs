//! Property names of the Animator and the numbers that a clip's bindings know them by.

use sinew::muscle_index;

/// Stems of the vectors and rotations of a humanoid, in the order of their numbers from 0 on.
const STEMS: [(&str, u32); 12] = [
    ("MotionT", 3),
    ("MotionQ", 4),
    ("RootT", 3),
    ("RootQ", 4),
    ("LeftFootT", 3),
    ("LeftFootQ", 4),
    ("RightFootT", 3),
    ("RightFootQ", 4),
    ("LeftHandT", 3),
    ("LeftHandQ", 4),
    ("RightHandT", 3),
    ("RightHandQ", 4),
];

/// Number of the first muscle.
const FIRST_MUSCLE: u32 = 42;
/// Number of the first bone's translation.
const FIRST_TRANSLATION: u32 = FIRST_MUSCLE + 95;

/// Bones that can be translated, in the order of their numbers, three each.
const TRANSLATED_BONES: [&str; 21] = [
    "Spine",
    "Chest",
    "UpperChest",
    "Neck",
    "Head",
    "LeftUpperLeg",
    "LeftLowerLeg",
    "LeftFoot",
    "LeftToes",
    "RightUpperLeg",
    "RightLowerLeg",
    "RightFoot",
    "RightToes",
    "LeftShoulder",
    "LeftUpperArm",
    "LeftLowerArm",
    "LeftHand",
    "RightShoulder",
    "RightUpperArm",
    "RightLowerArm",
    "RightHand",
];

/// Name of each component of a vector or rotation.
pub(super) const COMPONENT_SUFFIXES: [&str; 4] = [".x", ".y", ".z", ".w"];

/// Number of a humanoid's property, `None` for any other property of the Animator.
pub(super) fn humanoid_number(attribute: &str) -> Option<u32> {
    if let Some(index) = muscle_index(attribute) {
        return Some(FIRST_MUSCLE + index as u32);
    }
    let (stem, axis) = attribute.rsplit_once('.')?;
    let component = ["x", "y", "z", "w"].iter().position(|&name| name == axis)? as u32;
    let mut first = 0;
    for (known, components) in STEMS {
        if known == stem {
            return (component < components).then_some(first + component);
        }
        first += components;
    }
    let bone = stem.strip_suffix("TDOF")?;
    let index = TRANSLATED_BONES.iter().position(|&known| known == bone)? as u32;
    (component < 3).then_some(FIRST_TRANSLATION + 3 * index + component)
}

/// Number of components of a humanoid's vector or rotation.
pub(super) fn components_of_stem(stem: &str) -> Option<usize> {
    STEMS.iter().find(|(known, _)| *known == stem).map(|&(_, components)| components as usize)
}

/// The number by which Unity knows a path or a name that has no number of its own.
pub(super) fn hash(text: &str) -> u32 {
    crc32fast::hash(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_unity() {
        let cases = [
            ("MotionT.x", 0),
            ("RootT.x", 7),
            ("RootQ.w", 13),
            ("LeftFootT.x", 14),
            ("LeftHandQ.w", 34),
            ("RightHandQ.w", 41),
            ("Spine Front-Back", 42),
            ("Chest Front-Back", 45),
            ("UpperChest Twist Left-Right", 50),
            ("LeftHand.Thumb.1 Stretched", 97),
            ("RightHand.Little.3 Stretched", 136),
            ("SpineTDOF.x", 137),
            ("RightHandTDOF.z", 199),
        ];
        for (attribute, number) in cases {
            assert_eq!(humanoid_number(attribute), Some(number), "{attribute}");
        }
        for attribute in ["", "RootT", "RootT.w", "RootQ.v", "SpineTDOF.w", "HipsTDOF.x", "blink", "a.x"] {
            assert_eq!(humanoid_number(attribute), None, "{attribute}");
        }
    }

    #[test]
    fn hashes_are_those_of_unity() {
        assert_eq!((hash(""), hash("Recorder")), (0, 381_964_769));
    }
}
