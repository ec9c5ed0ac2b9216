//! Skeletons and humanoids: `--as`, `--rig`, `--map`, `--root`, and what is told of them.

use crate::support::{Folder, humanoid_with_root};
use serde_json::Value;
use sinew::data::DataMode;
use sinew::{Clip, EncodeConfig};
use sinew_formats::skeleton::{HumanRig, to_skeleton};
use sinew_formats::{Format, WriteOptions, write};

/// A folder with `walk.bvh`, somebody on the reference skeleton whose root moves, and the muscles of that in
/// `walk.sinew`.
fn folder() -> (Folder, Clip) {
    let folder = Folder::new();
    let mut clip = humanoid_with_root(30);
    clip.samples[..95].iter_mut().flatten().for_each(|value| *value *= 0.5);
    // Away from the ground, 1.45 units to the left.
    clip.samples[96].fill(1.0);
    clip.samples[97].iter_mut().enumerate().for_each(|(frame, value)| *value = 0.05 * frame as f32);
    folder.write("walk.sinew", sinew::encode(&clip, &EncodeConfig::lossless()).expect("valid"));
    folder.write("walk.bvh", bvh(&clip));
    (folder, clip)
}

fn bvh(clip: &Clip) -> Vec<u8> {
    let (skeleton, _) = to_skeleton(clip, HumanRig::reference(), &mut |_| {}).expect("posable");
    let mut bytes = Vec::new();
    write(&skeleton, Format::Bvh, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    bytes
}

fn decoded(folder: &Folder, name: &str) -> Clip {
    sinew::decode(&folder.read(name)).expect("decodable")
}

/// The skeleton's text under other names.
fn renamed(text: &[u8], change: impl Fn(&str) -> String) -> String {
    let text = std::str::from_utf8(text).expect("text");
    let line = |line: &str| {
        let name =
            ["ROOT ", "JOINT "].iter().find_map(|word| Some((*word, line.trim_start().strip_prefix(word)?)));
        match name {
            Some((word, name)) => format!("{word}{}\n", change(name)),
            None => format!("{line}\n"),
        }
    };
    text.lines().map(line).collect()
}

#[test]
fn a_skeleton_becomes_muscles_where_the_target_wants_them() {
    let (folder, clip) = folder();
    let run = folder.run(&["convert", "walk.bvh", "walk.data"]).exits(0);
    assert!(
        run.stderr.contains("55 of 55 human bones among 70 joints, found by their names"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.contains("centimetres") && run.stderr.contains("the rest pose is a T-pose"),
        "{}",
        run.stderr
    );
    folder.run(&["convert", "walk.bvh", "kept.sinew"]).exits(0);
    assert!(decoded(&folder, "kept.sinew").is_skeleton());
    folder.run(&["convert", "walk.bvh", "solved.sinew", "--as", "humanoid"]).exits(0);
    let solved = decoded(&folder, "solved.sinew");
    assert!(solved.is_humanoid() && !solved.is_skeleton());
    for (a, b) in solved.samples[..98].iter().zip(&clip.samples) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4));
    }
    // And back, in both formats that hold skeletons.
    folder.run(&["convert", "solved.sinew", "back.bvh"]).exits(0);
    folder.run(&["convert", "solved.sinew", "back.sinew", "--as", "skeleton"]).exits(0);
    for name in ["back.bvh", "back.sinew"] {
        let json = folder.run(&["compare", "walk.bvh", name, "--json"]).exits(1).json();
        assert!(json["max_channel_deg"]["value"].as_f64().expect("an angle") < 0.02, "{name}: {json}");
    }
    folder
        .run(&["convert", "walk.bvh", "no.data", "--as", "skeleton"])
        .fails_with(&["walk.bvh", "--as skeleton"]);
    assert!(!folder.names().contains(&"no.data".to_owned()));
    folder.run(&["convert", "walk.bvh", "no.data", "--as", "robot"]).misuses("robot");
}

#[test]
fn a_skeleton_in_the_own_format_is_decoded_to_muscles() {
    let (folder, _) = folder();
    folder.run(&["encode", "walk.bvh", "-o", "a.sinew"]).exits(0);
    let run = folder.run(&["decode", "a.sinew", "-o", "a.data"]).exits(0);
    assert!(run.stderr.contains("a.sinew: note: 55 of 55 human bones"), "{}", run.stderr);
    assert!(run.stderr.contains("a.data: loss: root motion"), "{}", run.stderr);
    let read = sinew::data::read(folder.read("a.data").as_slice()).expect("readable");
    assert_eq!((read.clip.frames(), read.clip.tracks.len()), (30, 95));
}

#[test]
fn the_way_is_lost_loudly_kept_or_changed_as_asked() {
    let (folder, _) = folder();
    let json = folder.run(&["convert", "walk.bvh", "a.data", "--json"]).exits(0).json();
    let texts = |json: &Value, field: &str| -> String {
        json[field]
            .as_array()
            .expect("a list")
            .iter()
            .map(|text| text.as_str().expect("text").to_owned() + "\n")
            .collect()
    };
    // 1.45 units of 0.98659 m.
    assert!(texts(&json, "losses").contains("1.43 m"), "{json}");
    assert!(texts(&json, "notes").contains("human bones"), "{json}");
    folder.run(&["convert", "walk.bvh", "b.data", "--strict"]).exits(1);
    assert!(!folder.names().contains(&"b.data".to_owned()));
    // What is asked for is no loss.
    let run = folder.run(&["convert", "walk.sinew", "c.sinew", "--root", "drop", "--strict"]).exits(0);
    assert!(run.stderr.contains("root dropped, as asked: it travelled up to 1.43 m"), "{}", run.stderr);
    folder.run(&["convert", "walk.sinew", "d.sinew", "--root", "inplace"]).exits(0);
    let held = decoded(&folder, "d.sinew");
    assert!(
        held.samples[95].iter().all(|x| *x == held.samples[95][0])
            && held.samples[97].iter().all(|z| *z == 0.0)
    );
    folder
        .run(&["convert", "walk.bvh", "e.sinew", "--root", "drop"])
        .fails_with(&["walk.bvh", "--as humanoid"]);
}

#[test]
fn a_rig_is_what_muscles_are_posed_on() {
    let (folder, _) = folder();
    let mixamo = renamed(&folder.read("walk.bvh"), |name| match name {
        "Chest" => "mixamorig:Spine1".into(),
        "UpperChest" => "mixamorig:Spine2".into(),
        name => format!("mixamorig:{}", name.replace("UpperArm", "Arm").replace("UpperLeg", "UpLeg")),
    });
    folder.write("rig.bvh", &mixamo);
    folder.run(&["convert", "walk.sinew", "a.bvh", "--rig", "rig.bvh"]).exits(0);
    folder.run(&["convert", "walk.bvh", "b.bvh", "--rig", "rig.bvh"]).exits(0);
    folder.run(&["convert", "walk.bvh", "c.sinew", "--rig", "rig.bvh"]).exits(0);
    for name in ["a.bvh", "b.bvh"] {
        let text = String::from_utf8(folder.read(name)).expect("text");
        assert!(text.contains("ROOT mixamorig:Hips") && text.contains("JOINT mixamorig:LeftUpLeg"), "{name}");
    }
    let skeleton = decoded(&folder, "c.sinew");
    assert!(skeleton.rig.is_some_and(|rig| rig.joints[0].name == "mixamorig:Hips"));
    let run = folder.run(&["convert", "walk.bvh", "d.data", "--rig", "rig.bvh"]).exits(0);
    assert!(run.stderr.contains("the rig changes nothing"), "{}", run.stderr);
    // Rigs that are none.
    folder.write("empty.json", "{\"joints\": []}");
    folder.write("bad.glb", b"glTF\x01\0\0\0");
    for (rig, parts) in [
        ("empty.json", ["empty.json", "Hips, LeftUpperLeg"]),
        ("bad.glb", ["bad.glb", "only version 2"]),
        ("walk.sinew", ["walk.sinew", "holds no rig"]),
        ("nowhere.bvh", ["nowhere.bvh", "not found"]),
    ] {
        folder.run(&["convert", "walk.sinew", "e.bvh", "--rig", rig]).fails_with(&parts);
    }
}

#[test]
fn a_map_tells_what_names_do_not() {
    let (folder, _) = folder();
    // Fingers under names of no finger, so that shape tells the body; arms that are called tentacles.
    let odd = renamed(&folder.read("walk.bvh"), |name| name.replace("LowerArm", "Tentacle"));
    folder.write("odd.bvh", &odd);
    folder.write("two.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0\n");
    folder.run(&["convert", "two.bvh", "a.data"]).fails_with(&[
        "two.bvh",
        "Hips, LeftUpperLeg",
        "--map FILE",
    ]);
    folder.write(
        "map.txt",
        "# arms\nLeftLowerArm = LeftTentacle\nRightLowerArm = RightTentacle\nLeftUpperArm = LeftUpperArm\n\
         RightUpperArm = RightUpperArm\nLeftHand = LeftHand\nRightHand = RightHand\n",
    );
    let run = folder.run(&["convert", "odd.bvh", "b.data", "--map", "map.txt"]).exits(0);
    assert!(run.stderr.contains("as the map says"), "{}", run.stderr);
    let run = folder.run(&["convert", "odd.bvh", "c.sinew", "--map", "map.txt"]).exits(0);
    assert!(run.stderr.contains("the map changes nothing"), "{}", run.stderr);
    for (text, parts) in [
        ("Hips Hips", ["map.txt", "line 1"]),
        ("\nTail = a", ["line 2", "\"Tail\" is no human bone"]),
        ("LeftHand = Claw", ["line 1", "no joint is named \"Claw\""]),
        ("LeftHand = -", ["odd.bvh", "LeftHand"]),
    ] {
        folder.write("map.txt", text);
        folder.run(&["convert", "odd.bvh", "d.data", "--map", "map.txt"]).fails_with(&parts);
    }
}

#[test]
fn fingers_that_a_rig_lacks_are_a_loss() {
    let (folder, _) = folder();
    // A rig of the body alone, as JSON.
    let rig = HumanRig::reference();
    let body = |name: &str| {
        name != "End Site"
            && !["Thumb", "Index", "Middle", "Ring", "Little"].iter().any(|part| name.contains(part))
    };
    let joints = &rig.rig().joints;
    let list: Vec<Value> = joints
        .iter()
        .filter(|joint| body(&joint.name))
        .map(|joint| {
            let mut value = serde_json::json!({"name": joint.name, "offset": joint.offset});
            if let Some(parent) = joint.parent {
                value["parent"] = joints[parent].name.clone().into();
            }
            value
        })
        .collect();
    folder.write("body.json", serde_json::json!({ "joints": list }).to_string());
    folder.write_data("a.data", &humanoid_with_root(3).muscles_only(), DataMode::Nameless);
    let run = folder.run(&["convert", "a.data", "a.bvh", "--rig", "body.json"]).exits(0);
    assert!(run.stderr.contains("loss: 40 muscles of bones that the rig has no joint for"), "{}", run.stderr);
    let run = folder.run(&["convert", "a.data", "b.bvh", "--rig", "body.json", "--strict"]).exits(1);
    assert!(run.stderr.contains("b.bvh") && !folder.names().contains(&"b.bvh".to_owned()), "{}", run.stderr);
}

trait MusclesOnly {
    fn muscles_only(self) -> Clip;
}

impl MusclesOnly for Clip {
    /// The clip without what is no muscle.
    fn muscles_only(mut self) -> Clip {
        self.tracks.truncate(95);
        self.samples.truncate(95);
        self
    }
}

#[test]
fn lengths_are_scaled_together() {
    let (folder, _) = folder();
    folder.run(&["convert", "walk.sinew", "metres.bvh", "--scale", "0.01"]).exits(0);
    let text = String::from_utf8(folder.read("metres.bvh")).expect("text");
    assert!(text.contains("OFFSET 0 0.95 0"), "{}", &text[..200]);
    folder.run(&["convert", "metres.bvh", "half.bvh", "--scale", "0.5"]).exits(0);
    let text = String::from_utf8(folder.read("half.bvh")).expect("text");
    assert!(text.contains("OFFSET 0 0.475 0"), "{}", &text[..200]);
    let run = folder.run(&["convert", "walk.sinew", "a.csv", "--scale", "2"]).exits(0);
    assert!(run.stderr.contains("the scale changes nothing"), "{}", run.stderr);
    folder.run(&["convert", "walk.sinew", "b.bvh", "--scale", "0"]).misuses("--scale");
}
