//! Rigs from files: JSON, `.bvh` and `.sinew`, and maps that change what was found.

use crate::support::{bvh_text, reference_motion, solved};
use serde_json::{Value, json};
use sinew::EncodeConfig;
use sinew::humanoid::Bone;
use sinew_formats::skeleton::{HumanRig, MapChanges, MapSource, read_rig, reference_rig};
use std::path::PathBuf;

pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path
    }
}

#[track_caller]
pub fn rig_of(name: &str, bytes: impl AsRef<[u8]>) -> HumanRig {
    let folder = Folder::new();
    let path = folder.write(name, bytes);
    read_rig(&path, None).expect("a rig")
}

#[track_caller]
pub fn refusal(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let folder = Folder::new();
    let path = folder.write(name, bytes);
    read_rig(&path, None).map(|_| ()).expect_err("refused").to_string()
}

/// The reference skeleton as JSON; joints are named `j0`, `j1` ..., bones are told.
fn json_rig() -> Value {
    let rig = reference_rig();
    let joints = rig.joints.iter().enumerate().filter(|(_, joint)| joint.name != "End Site");
    let joints: Vec<Value> = joints
        .map(|(number, joint)| {
            let mut value = json!({"name": format!("j{number}"), "offset": joint.offset, "bone": joint.name});
            if let Some(parent) = joint.parent {
                value["parent"] = format!("j{parent}").into();
            }
            value
        })
        .collect();
    json!({ "joints": joints })
}

#[test]
fn json_tells_joints_limits_and_twist() {
    let plain = rig_of("rig.json", json_rig().to_string());
    assert_eq!(plain.map().source(), MapSource::Given);
    assert_eq!(plain.map().bones().count(), 55);
    assert_eq!(plain.rig().joints[0].axes.len(), 6);
    let reference = HumanRig::reference().avatar();
    let muscles = std::array::from_fn(|muscle| (muscle as f64).sin() * 0.7);
    let expected = reference.local_rotations(&muscles).expect("posable");
    let found = plain.avatar().local_rotations(&muscles).expect("posable");
    assert!(expected.iter().zip(&found).all(|(a, b)| a.angle_to(*b) < 1e-5));

    let mut value = json_rig();
    value["limits_deg"] = json!({"Neck Nod Down-Up": [-20, 60]});
    value["twist"] = json!({"upper_arm": 0.25, "lower_arm": 0.5, "upper_leg": 0.75, "lower_leg": 1.0});
    let changed = rig_of("rig.json", format!("\u{feff}  {value}"));
    let neck = changed.avatar().bone(Bone::Neck).expect("there");
    assert!(
        (neck.max_rad[2].to_degrees() - 60.0).abs() < 1e-9
            && (neck.min_rad[2].to_degrees() + 20.0).abs() < 1e-9
    );
    assert_eq!(changed.avatar().twist_shares().upper_leg, 0.75);
    // Names tell where bones are not told.
    let mut named = json_rig();
    for joint in named["joints"].as_array_mut().expect("joints") {
        let object = joint.as_object_mut().expect("an object");
        let bone = object.remove("bone").expect("there");
        object.insert("channels".into(), json!(["Yrotation", "Xrotation", "Zrotation"]));
        object.insert("name".into(), bone);
    }
    let rig = reference_rig();
    for joint in named["joints"].as_array_mut().expect("joints") {
        if let Some(parent) = joint.get("parent").and_then(Value::as_str) {
            let number: usize = parent[1..].parse().expect("a number");
            joint["parent"] = rig.joints[number].name.clone().into();
        }
    }
    let named = rig_of("rig.json", named.to_string());
    assert_eq!((named.map().source(), named.rig().joints[5].axes.len()), (MapSource::Names, 3));
}

#[test]
fn faults_of_json_are_named() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut value = json_rig();
        change(&mut value);
        refusal("rig.json", value.to_string())
    };
    for (error, expected) in [
        (
            with(&|rig| rig["joints"][3]["parent"] = "nobody".into()),
            "its parent \"nobody\" does not stand before it",
        ),
        (with(&|rig| rig["joints"][3]["name"] = "j0".into()), "two joints are named \"j0\""),
        (with(&|rig| rig["joints"][3]["bone"] = "Tail".into()), "\"Tail\" is no human bone"),
        (with(&|rig| rig["joints"][3]["bone"] = "Hips".into()), "Hips comes twice"),
        (with(&|rig| rig["joints"][3]["channels"] = json!(["Wrotation"])), "\"Wrotation\" is no channel"),
        (with(&|rig| rig["joints"][3]["channels"] = json!(["Xrotation", "Xrotation"])), "Xrotation"),
        (with(&|rig| rig["joints"][3]["offset"] = json!([1, 2])), "3"),
        (with(&|rig| rig["joints"][3]["offset"] = json!([1, 2, 1e300])), "offset"),
        (with(&|rig| rig["joints"][3]["lenght"] = 1.into()), "lenght"),
        (with(&|rig| rig["limits_deg"] = json!({"Tail Wag": [-1, 1]})), "\"Tail Wag\" is no muscle"),
        (with(&|rig| rig["limits_deg"] = json!({"Jaw Close": [10, 20]})), "Jaw Close"),
        (
            with(&|rig| {
                rig["twist"] = json!({"upper_arm": 2, "lower_arm": 0, "upper_leg": 0, "lower_leg": 0})
            }),
            "twist",
        ),
        (with(&|rig| rig["joints"] = json!([])), "Hips"),
        (with(&|rig| rig["joints"] = json!(null)), "null"),
        (refusal("rig.json", "{\"joints\": [}"), "not JSON"),
        (refusal("rig.json", "{"), "not JSON"),
        (refusal("rig.json", "{\"a\":".repeat(100_000)), "not JSON"),
    ] {
        assert!(error.contains(expected) && error.len() < 400, "{expected:?}: {error}");
    }
}

#[test]
fn a_rig_of_a_motion_takes_its_t_pose_from_it() {
    let clip = reference_motion(20);
    let of_bvh = rig_of("a.bvh", bvh_text(&clip).0);
    assert_eq!(of_bvh.rig(), clip.rig.as_ref().expect("a rig"));
    let of_sinew = rig_of("a.sinew", sinew::encode(&clip, &EncodeConfig::lossless()).expect("valid"));
    assert_eq!(of_bvh.avatar(), of_sinew.avatar());
    // A humanoid's file holds no rig; nor does a table.
    let (humanoid, _) = solved(&clip);
    let error = refusal("b.sinew", sinew::encode(&humanoid, &EncodeConfig::lossless()).expect("valid"));
    assert!(error.contains("holds no rig"), "{error}");
    assert!(refusal("a.csv", "time,Spine Front-Back\n0,0.5\n").contains("holds no rig"));
    refusal("a.json", "");
    refusal("a.bvh", "HIERARCHY\n");
}

#[test]
fn maps_change_what_was_found() {
    let folder = Folder::new();
    let path = folder.write("a.bvh", bvh_text(&reference_motion(3)).0);
    let map = |text: &str| MapChanges::parse(text).expect("a map");
    let changes = map("leftToes = -\nJaw = -\nUpperChest = -\nChest = UpperChest");
    let rig = read_rig(&path, Some(&changes)).expect("a rig");
    let name = |bone| rig.map().joint(bone).map(|joint| rig.rig().joints[joint].name.as_str());
    assert_eq!(
        (name(Bone::Chest), name(Bone::UpperChest), name(Bone::LeftToes)),
        (Some("UpperChest"), None, None)
    );
    assert_eq!(name(Bone::RightToes), Some("RightToes"));
    for (text, expected) in [
        ("LeftToes = Jaw", "LeftToes is the joint \"Jaw\", which does not hang on \"LeftFoot\""),
        ("LeftHand = -", "LeftHand"),
        ("LeftHand = Claw", "line 1: no joint is named \"Claw\""),
    ] {
        let error = read_rig(&path, Some(&map(text))).map(|_| ()).expect_err("refused").to_string();
        assert!(error.contains(expected), "{error}");
    }
    // A rig file's own map is changed, not found anew.
    let path = folder.write("rig.json", json_rig().to_string());
    let rig = read_rig(&path, Some(&map("Jaw = -"))).expect("a rig");
    assert_eq!((rig.map().joint(Bone::Jaw), rig.map().bones().count()), (None, 54));
}
