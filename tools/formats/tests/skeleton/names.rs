//! Joints told by their names: for each way of naming, which joint is which bone.

use sinew::humanoid::Bone;
use sinew::{Joint, Rig};
use sinew_formats::skeleton::{BoneMap, MapSource, reference_rig};

/// Bones of the trunk, then those of one side, in the order in which names are listed below; `-` for none.
const TRUNK: [&str; 6] = ["Hips", "Spine", "Chest", "UpperChest", "Neck", "Head"];
const SIDE: [&str; 8] = ["Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toes"];
const FINGERS: [&str; 15] = [
    "ThumbProximal",
    "ThumbIntermediate",
    "ThumbDistal",
    "IndexProximal",
    "IndexIntermediate",
    "IndexDistal",
    "MiddleProximal",
    "MiddleIntermediate",
    "MiddleDistal",
    "RingProximal",
    "RingIntermediate",
    "RingDistal",
    "LittleProximal",
    "LittleIntermediate",
    "LittleDistal",
];

/// A way of naming joints. `@` stands for the side in names of sides: the two words are its.
struct Naming {
    name: &'static str,
    sides: [&'static str; 2],
    trunk: &'static str,
    side: &'static str,
    /// The five fingers, `#` standing for the three parts, whose spellings follow.
    fingers: &'static str,
    parts: [&'static str; 3],
}

const DIGITS: [&str; 3] = ["1", "2", "3"];
const NAMINGS: [Naming; 23] = [
    Naming {
        name: "Mixamo",
        sides: ["Left", "Right"],
        trunk: "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 mixamorig:Neck mixamorig:Head",
        side: "mixamorig:@Shoulder mixamorig:@Arm mixamorig:@ForeArm mixamorig:@Hand mixamorig:@UpLeg mixamorig:@Leg mixamorig:@Foot mixamorig:@ToeBase",
        fingers: "mixamorig:@HandThumb# mixamorig:@HandIndex# mixamorig:@HandMiddle# mixamorig:@HandRing# mixamorig:@HandPinky#",
        parts: DIGITS,
    },
    Naming {
        name: "Mixamo, numbered",
        sides: ["Left", "Right"],
        trunk: "mixamorig1:Hips mixamorig1:Spine mixamorig1:Spine1 mixamorig1:Spine2 mixamorig1:Neck mixamorig1:Head",
        side: "mixamorig1:@Shoulder mixamorig1:@Arm mixamorig1:@ForeArm mixamorig1:@Hand mixamorig1:@UpLeg mixamorig1:@Leg mixamorig1:@Foot mixamorig1:@ToeBase",
        fingers: "mixamorig1:@HandThumb# mixamorig1:@HandIndex# - - mixamorig1:@HandPinky#",
        parts: DIGITS,
    },
    Naming {
        name: "HumanIK with a character's name",
        sides: ["Left", "Right"],
        trunk: "Character1_Hips Character1_Spine Character1_Spine1 Character1_Spine2 Character1_Neck Character1_Head",
        side: "Character1_@Shoulder Character1_@Arm Character1_@ForeArm Character1_@Hand Character1_@UpLeg Character1_@Leg Character1_@Foot Character1_@ToeBase",
        fingers: "Character1_@HandThumb# Character1_@HandIndex# Character1_@HandMiddle# Character1_@HandRing# Character1_@HandPinky#",
        parts: DIGITS,
    },
    Naming {
        name: "LAFAN1",
        sides: ["Left", "Right"],
        trunk: "Hips Spine Spine1 Spine2 Neck Head",
        side: "@Shoulder @Arm @ForeArm @Hand @UpLeg @Leg @Foot @Toe",
        fingers: "- - - - -",
        parts: DIGITS,
    },
    Naming {
        name: "Rokoko",
        sides: ["Left", "Right"],
        trunk: "Hips Spine1 Spine2 Spine4 Neck Head",
        side: "@Shoulder @Arm @ForeArm @Hand @Thigh @Shin @Foot @Toe",
        fingers: "- @Finger2# @Finger3# @Finger4# @Finger5#",
        parts: ["Proximal", "Medial", "Distal"],
    },
    Naming {
        name: "Bandai-Namco",
        sides: ["L", "R"],
        trunk: "Hips Spine Chest - Neck Head",
        side: "Shoulder_@ UpperArm_@ LowerArm_@ Hand_@ UpperLeg_@ LowerLeg_@ Foot_@ Toes_@",
        fingers: "- - - - -",
        parts: DIGITS,
    },
    Naming {
        name: "Unity's enum",
        sides: ["Left", "Right"],
        trunk: "Hips Spine Chest UpperChest Neck Head",
        side: "@Shoulder @UpperArm @LowerArm @Hand @UpperLeg @LowerLeg @Foot @Toes",
        fingers: "@Thumb# @Index# @Middle# @Ring# @Little#",
        parts: ["Proximal", "Intermediate", "Distal"],
    },
    Naming {
        name: "VRoid",
        sides: ["L", "R"],
        trunk: "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_C_Neck J_Bip_C_Head",
        side: "J_Bip_@_Shoulder J_Bip_@_UpperArm J_Bip_@_LowerArm J_Bip_@_Hand J_Bip_@_UpperLeg J_Bip_@_LowerLeg J_Bip_@_Foot J_Bip_@_ToeBase",
        fingers: "J_Bip_@_Thumb# J_Bip_@_Index# J_Bip_@_Middle# J_Bip_@_Ring# J_Bip_@_Little#",
        parts: DIGITS,
    },
    Naming {
        name: "Biped",
        sides: ["L", "R"],
        trunk: "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Spine2 Bip01_Neck Bip01_Head",
        side: "Bip01_@_Clavicle Bip01_@_UpperArm Bip01_@_Forearm Bip01_@_Hand Bip01_@_Thigh Bip01_@_Calf Bip01_@_Foot Bip01_@_Toe0",
        fingers: "Bip01_@_Finger0# Bip01_@_Finger1# Bip01_@_Finger2# Bip01_@_Finger3# Bip01_@_Finger4#",
        parts: ["", "1", "2"],
    },
    Naming {
        name: "Perception Neuron",
        sides: ["Left", "Right"],
        trunk: "Hips Spine Spine1 Spine2 Neck Head",
        side: "@Shoulder @Arm @ForeArm @Hand @UpLeg @Leg @Foot -",
        fingers: "@HandThumb# @HandIndex# @HandMiddle# @HandRing# @HandPinky#",
        parts: DIGITS,
    },
    Naming {
        name: "SMPL",
        sides: ["L", "R"],
        trunk: "Pelvis Spine1 Spine2 Spine3 Neck Head",
        side: "@_Collar @_Shoulder @_Elbow @_Wrist @_Hip @_Knee @_Ankle @_Foot",
        fingers: "- - - - -",
        parts: DIGITS,
    },
    Naming {
        name: "SMPL-X",
        sides: ["left", "right"],
        trunk: "pelvis spine1 spine2 spine3 neck head",
        side: "@_collar @_shoulder @_elbow @_wrist @_hip @_knee @_ankle @_foot",
        fingers: "@_thumb# @_index# @_middle# @_ring# @_pinky#",
        parts: DIGITS,
    },
    Naming {
        name: "Plask",
        sides: ["left", "right"],
        trunk: "hips spine spine1 spine2 neck head",
        side: "@Shoulder @Arm @ForeArm @Hand @UpLeg @Leg @Foot @ToeBase",
        fingers: "- - - - -",
        parts: DIGITS,
    },
    Naming {
        name: "DAZ",
        sides: ["l", "r"],
        trunk: "hip abdomen chest - neck head",
        side: "@Collar @Shldr @ForeArm @Hand @Thigh @Shin @Foot @Toe",
        fingers: "@Thumb# @Index# @Mid# @Ring# @Pinky#",
        parts: DIGITS,
    },
    Naming {
        name: "DAZ Genesis 8",
        sides: ["l", "r"],
        trunk: "hip abdomenLower abdomenUpper chestLower neckLower head",
        side: "@Collar @ShldrBend @ForearmBend @Hand @ThighBend @Shin @Foot @Toe",
        fingers: "@Thumb# @Index# @Mid# @Ring# @Pinky#",
        parts: DIGITS,
    },
    Naming {
        name: "Xsens",
        sides: ["Left", "Right"],
        trunk: "Pelvis L5 T12 T8 Neck Head",
        side: "@Shoulder @UpperArm @ForeArm @Hand @UpperLeg @LowerLeg @Foot @Toe",
        fingers: "- - - - -",
        parts: DIGITS,
    },
    Naming {
        name: "Xsens, joints by their anatomy",
        sides: ["Left", "Right"],
        trunk: "Hips Chest Chest2 Chest4 Neck Head",
        side: "@Collar @Shoulder @Elbow @Wrist @Hip @Knee @Ankle @Toe",
        fingers: "- - - - -",
        parts: DIGITS,
    },
    Naming {
        name: "Unreal",
        sides: ["l", "r"],
        trunk: "pelvis spine_01 spine_02 spine_03 neck_01 head",
        side: "clavicle_@ upperarm_@ lowerarm_@ hand_@ thigh_@ calf_@ foot_@ ball_@",
        fingers: "thumb_0#_@ index_0#_@ middle_0#_@ ring_0#_@ pinky_0#_@",
        parts: DIGITS,
    },
    Naming {
        name: "Rigify",
        sides: ["L", "R"],
        trunk: "spine spine.001 spine.002 spine.003 spine.004 spine.006",
        side: "shoulder.@ upper_arm.@ forearm.@ hand.@ thigh.@ shin.@ foot.@ toe.@",
        fingers: "thumb.0#.@ f_index.0#.@ f_middle.0#.@ f_ring.0#.@ f_pinky.0#.@",
        parts: DIGITS,
    },
    Naming {
        name: "Rigify, deforming",
        sides: ["L", "R"],
        trunk: "DEF-spine DEF-spine.001 DEF-spine.002 DEF-spine.003 DEF-spine.004 DEF-spine.006",
        side: "DEF-shoulder.@ DEF-upper_arm.@ DEF-forearm.@ DEF-hand.@ DEF-thigh.@ DEF-shin.@ DEF-foot.@ DEF-toe.@",
        fingers: "DEF-thumb.0#.@ DEF-f_index.0#.@ DEF-f_middle.0#.@ DEF-f_ring.0#.@ DEF-f_pinky.0#.@",
        parts: DIGITS,
    },
    Naming {
        name: "Character Creator",
        sides: ["L", "R"],
        trunk: "CC_Base_Hip CC_Base_Waist CC_Base_Spine01 CC_Base_Spine02 CC_Base_NeckTwist01 CC_Base_Head",
        side: "CC_Base_@_Clavicle CC_Base_@_Upperarm CC_Base_@_Forearm CC_Base_@_Hand CC_Base_@_Thigh CC_Base_@_Calf CC_Base_@_Foot CC_Base_@_ToeBase",
        fingers: "CC_Base_@_Thumb# CC_Base_@_Index# CC_Base_@_Mid# CC_Base_@_Ring# CC_Base_@_Pinky#",
        parts: DIGITS,
    },
    Naming {
        name: "Advanced Skeleton",
        sides: ["L", "R"],
        trunk: "Root_M Spine1_M Spine2_M Chest_M Neck_M Head_M",
        side: "Scapula_@ Shoulder_@ Elbow_@ Wrist_@ Hip_@ Knee_@ Ankle_@ Toes_@",
        fingers: "ThumbFinger#_@ IndexFinger#_@ MiddleFinger#_@ RingFinger#_@ PinkyFinger#_@",
        parts: DIGITS,
    },
    Naming {
        name: "ARKit",
        sides: ["left", "right"],
        trunk: "hips_joint spine_1_joint spine_2_joint spine_7_joint neck_1_joint head_joint",
        side: "@_shoulder_1_joint @_arm_joint @_forearm_joint @_hand_joint @_upLeg_joint @_leg_joint @_foot_joint @_toes_joint",
        fingers: "- @_handIndex_#_joint @_handMid_#_joint @_handRing_#_joint @_handPinky_#_joint",
        parts: DIGITS,
    },
];

/// The reference skeleton with the joint of each bone under its new name. A bone without one is left out: what hung on
/// it hangs on its parent.
fn renamed(name_of: &dyn Fn(Bone) -> Option<String>) -> Rig {
    let old = reference_rig();
    let mut rig = Rig::default();
    // Of each old joint the new number that stands for it, and the way from there.
    let mut places: Vec<(Option<usize>, [f32; 3])> = Vec::new();
    for joint in &old.joints {
        let (parent, way) = joint.parent.map_or((None, [0.0; 3]), |parent| places[parent]);
        let offset: [f32; 3] = std::array::from_fn(|axis| way[axis] + joint.offset[axis]);
        let name = match Bone::from_name(&joint.name) {
            Some(bone) => name_of(bone),
            // An end that has lost its joint is none.
            None => (way == [0.0; 3]).then(|| joint.name.clone()),
        };
        places.push(match name {
            None => (parent, offset),
            Some(name) => {
                rig.joints.push(Joint { name, parent, offset, axes: joint.axes.clone() });
                (Some(rig.joints.len() - 1), [0.0; 3])
            }
        });
    }
    rig
}

impl Naming {
    fn name_of(&self, bone: Bone) -> Option<String> {
        let given = |name: &str| (name != "-").then(|| name.to_owned());
        if let Some(at) = TRUNK.iter().position(|&name| name == bone.name()) {
            return self.trunk.split(' ').nth(at).and_then(given);
        }
        let (side, part) = match bone.name().strip_prefix("Left") {
            Some(part) => (self.sides[0], part),
            None => (self.sides[1], bone.name().strip_prefix("Right")?),
        };
        let name = if let Some(at) = SIDE.iter().position(|&name| name == part) {
            self.side.split(' ').nth(at).and_then(given)?
        } else {
            let at = FINGERS.iter().position(|&name| name == part)?;
            given(self.fingers.split(' ').nth(at / 3)?)?.replace('#', self.parts[at % 3])
        };
        Some(name.replace('@', side))
    }
}

fn joint_name(rig: &Rig, map: &BoneMap, bone: Bone) -> Option<String> {
    map.joint(bone).map(|joint| rig.joints[joint].name.clone())
}

#[test]
fn every_naming_tells_its_bones() {
    for naming in &NAMINGS {
        assert_eq!(
            (naming.trunk.split(' ').count(), naming.side.split(' ').count()),
            (6, 8),
            "{}",
            naming.name
        );
        assert_eq!(naming.fingers.split(' ').count(), 5, "{}", naming.name);
        let rig = renamed(&|bone| naming.name_of(bone));
        let map = BoneMap::of_rig(&rig).expect("valid");
        assert_eq!(map.source(), MapSource::Names, "{}: {:?}", naming.name, map.missing());
        for bone in Bone::ALL {
            assert_eq!(joint_name(&rig, &map, bone), naming.name_of(bone), "{}: {bone:?}", naming.name);
        }
    }
}

/// Puts a joint between one and what hangs on it (`takes` tells which children).
fn with_joint(rig: &Rig, above: &str, name: &str, takes: &dyn Fn(&str) -> bool) -> Rig {
    let at = rig.joints.iter().position(|joint| joint.name == above).expect("a joint of that name");
    let mut out = Rig::default();
    let number = |old: usize| if old > at { old + 1 } else { old };
    for (old, joint) in rig.joints.iter().enumerate() {
        let mut joint = joint.clone();
        joint.parent = joint.parent.map(|parent| match parent == at && takes(&joint.name) {
            true => at + 1,
            false => number(parent),
        });
        out.joints.push(joint);
        if old == at {
            let axes = rig.joints[at].axes.iter().copied().filter(|axis| axis.is_rotation()).collect();
            let offset = [0.0, 1.0, 0.0];
            out.joints.push(Joint { name: name.to_owned(), parent: Some(at), offset, axes });
        }
    }
    out
}

fn naming(name: &str) -> &'static Naming {
    NAMINGS.iter().find(|naming| naming.name == name).expect("listed")
}

#[track_caller]
fn assert_bones(rig: &Rig, expected: &[(Bone, &str)]) {
    let map = BoneMap::of_rig(rig).expect("valid");
    assert_eq!(map.source(), MapSource::Names, "{:?}", map.missing());
    for &(bone, name) in expected {
        assert_eq!(joint_name(rig, &map, bone).as_deref(), Some(name), "{bone:?}");
    }
}

#[test]
fn helpers_of_a_limb_are_not_the_limb() {
    use Bone::*;
    let rig = renamed(&|bone| naming("Unreal").name_of(bone));
    // Beside the limb, and on its way.
    for takes in [false, true] {
        let mut rig = rig.clone();
        for part in ["upperarm", "lowerarm", "thigh", "calf"] {
            rig = with_joint(&rig, &format!("{part}_l"), &format!("{part}_twist_01_l"), &|_| takes);
        }
        assert_bones(
            &rig,
            &[
                (LeftUpperArm, "upperarm_l"),
                (LeftLowerArm, "lowerarm_l"),
                (LeftHand, "hand_l"),
                (LeftUpperLeg, "thigh_l"),
                (LeftLowerLeg, "calf_l"),
                (LeftFoot, "foot_l"),
            ],
        );
    }
    let mut rig = renamed(&|bone| naming("LAFAN1").name_of(bone));
    for part in ["LeftArm", "LeftForeArm", "LeftUpLeg", "LeftLeg"] {
        rig = with_joint(&rig, part, &format!("{part}Roll"), &|_| true);
    }
    assert_bones(
        &rig,
        &[(LeftUpperArm, "LeftArm"), (LeftLowerArm, "LeftForeArm"), (LeftLowerLeg, "LeftLeg")],
    );
    let rig = renamed(&|bone| naming("DAZ Genesis 8").name_of(bone));
    let rig = with_joint(&rig, "lShldrBend", "lShldrTwist", &|_| true);
    let rig = with_joint(&rig, "lThighBend", "lThighTwist", &|_| true);
    let rig = with_joint(&rig, "hip", "pelvis", &|name| name.contains("Thigh"));
    assert_bones(
        &rig,
        &[(Hips, "hip"), (LeftUpperArm, "lShldrBend"), (LeftUpperLeg, "lThighBend"), (LeftLowerLeg, "lShin")],
    );
}

#[test]
fn cmu_joints_between_bones_merge() {
    use Bone::*;
    let cmu = Naming {
        name: "CMU",
        sides: ["Left", "Right"],
        trunk: "Hips LowerBack Spine Spine1 Neck Head",
        side: "@Shoulder @Arm @ForeArm @Hand @UpLeg @Leg @Foot @ToeBase",
        fingers: "- @HandIndex# - - -",
        parts: ["1", "2", "3"],
    };
    let rig = renamed(&|bone| cmu.name_of(bone));
    let rig = with_joint(&rig, "Hips", "LHipJoint", &|name| name == "LeftUpLeg");
    let rig = with_joint(&rig, "Hips", "RHipJoint", &|name| name == "RightUpLeg");
    let rig = with_joint(&rig, "LeftHand", "LeftFingerBase", &|name| name == "LeftHandIndex1");
    let rig = with_joint(&rig, "LeftHand", "LThumb", &|_| false);
    // The first joint of the neck lies on Spine1, as in these files; the second one turns with the head's way.
    let rig = with_joint(&rig, "Neck", "Neck1", &|_| true);
    assert_bones(
        &rig,
        &[
            (Hips, "Hips"),
            (Spine, "LowerBack"),
            (Chest, "Spine"),
            (UpperChest, "Spine1"),
            (Neck, "Neck"),
            (Head, "Head"),
            (LeftUpperLeg, "LeftUpLeg"),
            (RightUpperLeg, "RightUpLeg"),
            (LeftIndexProximal, "LeftHandIndex1"),
            (LeftThumbProximal, "LThumb"),
            (LeftToes, "LeftToeBase"),
        ],
    );
}

#[test]
fn a_hand_may_have_roots_of_fingers_before_the_fingers() {
    use Bone::*;
    let mut rig = renamed(&|bone| naming("Perception Neuron").name_of(bone));
    for finger in ["Index", "Middle", "Ring", "Pinky"] {
        let takes = |name: &str| name == format!("LeftHand{finger}1");
        rig = with_joint(&rig, "LeftHand", &format!("LeftInHand{finger}"), &takes);
    }
    assert_bones(
        &rig,
        &[
            (LeftIndexProximal, "LeftHandIndex1"),
            (LeftIndexDistal, "LeftHandIndex3"),
            (LeftLittleDistal, "LeftHandPinky3"),
        ],
    );
    // A thumb of Rokoko begins with its metacarpal bone, other fingers begin after theirs.
    let mut rig = renamed(&|bone| naming("Rokoko").name_of(bone));
    rig = with_joint(&rig, "LeftHand", "LeftFinger1Metacarpal", &|_| false);
    rig = with_joint(&rig, "LeftHand", "LeftFinger2Metacarpal", &|name| name.starts_with("LeftFinger2"));
    assert_bones(
        &rig,
        &[(LeftThumbProximal, "LeftFinger1Metacarpal"), (LeftIndexProximal, "LeftFinger2Proximal")],
    );
}

#[test]
fn long_spines_give_their_first_middle_and_last_joint() {
    use Bone::*;
    let rig = renamed(&|bone| naming("Rokoko").name_of(bone));
    let rig = with_joint(&rig, "Spine2", "Spine3", &|_| true);
    assert_bones(&rig, &[(Spine, "Spine1"), (Chest, "Spine2"), (UpperChest, "Spine4")]);
}

#[test]
fn of_two_hips_on_a_way_the_lower_one_turns_the_leg() {
    let mut rig = reference_rig();
    for side in ["Left", "Right"] {
        let names = [("UpperLeg", "Hip"), ("LowerLeg", "Knee"), ("Foot", "Ankle")];
        for joint in &mut rig.joints {
            if let Some((_, new)) = names.iter().find(|(old, _)| joint.name == format!("{side}{old}")) {
                joint.name = format!("{side}{new}");
            }
        }
        let takes = |name: &str| name == format!("{side}Hip");
        rig = with_joint(&rig, "Hips", &format!("{}HipJoint", &side[..1]), &takes);
    }
    assert_bones(&rig, &[(Bone::LeftUpperLeg, "LeftHip"), (Bone::RightUpperLeg, "RightHip")]);
}
