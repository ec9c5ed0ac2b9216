//! Names of bones in files that tell no hierarchy, and the skeleton that such a file's bones are taken to be.

use crate::skeleton::{HumanRig, RigHints, reference_rig};
use sinew::humanoid::Bone;
use sinew::{Joint, JointAxis, Rig};
use std::sync::LazyLock;

/// Mixamo's names, without their prefix, of the bones whose names are not Unity's. Fingers but the little one are told
/// by their number.
const MIXAMO: [(&str, Bone); 20] = [
    ("Spine1", Bone::Chest),
    ("Spine2", Bone::UpperChest),
    ("LeftArm", Bone::LeftUpperArm),
    ("LeftForeArm", Bone::LeftLowerArm),
    ("LeftUpLeg", Bone::LeftUpperLeg),
    ("LeftLeg", Bone::LeftLowerLeg),
    ("LeftToeBase", Bone::LeftToes),
    ("LeftHandPinky1", Bone::LeftLittleProximal),
    ("LeftHandPinky2", Bone::LeftLittleIntermediate),
    ("LeftHandPinky3", Bone::LeftLittleDistal),
    ("RightArm", Bone::RightUpperArm),
    ("RightForeArm", Bone::RightLowerArm),
    ("RightUpLeg", Bone::RightUpperLeg),
    ("RightLeg", Bone::RightLowerLeg),
    ("RightToeBase", Bone::RightToes),
    ("RightHandPinky1", Bone::RightLittleProximal),
    ("RightHandPinky2", Bone::RightLittleIntermediate),
    ("RightHandPinky3", Bone::RightLittleDistal),
    ("HeadTop_End", Bone::Head),
    ("Eye", Bone::Head),
];

