//! Animation clips of three.js: as its own JSON has them, and motions to it and back.

use crate::support::{largest_difference, loaded, read_with, refusal, solved, walk, written};
use sinew::humanoid::Bone;
use sinew::{META_GUID, Times, TrackKind};
use sinew_formats::unity_anim::META_NAME;
use sinew_formats::{Format, ReadOptions};

/// A clip of things that are no human, as `AnimationClip.toJSON` writes one.
const BOX: &str = r#"{"name":"spin","duration":2,"tracks":[
    {"name":"Box.quaternion","times":[0,1,2],"values":[0,0,0,1,0,1,0,0,0,0,0,1],"type":"quaternion"},
    {"name":"Box.position","times":[0,1,2],"values":[0,0,0,1,2,3,0,0,0],"type":"vector"},
    {"name":"Box.material.opacity","times":[0,1,2],"values":[1,0.5,1],"type":"number","interpolation":2300},
    {"name":".visible","times":[0,1],"values":[true,false],"type":"bool"},
    {"name":"Box.morphTargetInfluences","times":[0,1],"values":[0,1,1,0],"type":"number"}],
    "uuid":"5D8C3B3A-0C0B-4B2C-9E40-5A1F6A0E3E11","blendMode":2500}"#;

#[test]
fn tracks_of_other_things_ride_along_and_come_back() {
    let found = loaded(BOX);
    assert_eq!(found.format, Format::Three);
    let names: Vec<(&str, TrackKind)> =
        found.clip.tracks.iter().map(|track| (track.name(), track.kind())).collect();
    assert_eq!(
        names,
        [
            ("Box.quaternion", TrackKind::Rotation),
            ("Box.position", TrackKind::Vector),
            ("Box.material.opacity", TrackKind::Scalar)
        ]
    );
    assert_eq!(found.clip.meta.get(META_NAME).map(String::as_str), Some("spin"));
    assert_eq!(found.clip.times, Times::Explicit(vec![0.0, 1.0, 2.0]));
    let losses: Vec<&str> =
        found.notes.iter().filter(|note| note.is_loss()).map(|note| note.text.as_str()).collect();
    assert_eq!(losses.len(), 2, "{losses:?}");
    assert!(
        losses[0].contains("2 tracks that are no number") && losses[0].contains(".visible"),
        "{losses:?}"
    );
    assert!(
        losses[1].contains("hold their values") && losses[1].contains("Box.material.opacity"),
        "{losses:?}"
    );

    let (text, notes) = written(&found.clip, Format::Three);
    assert_eq!(notes, []);
    let again = loaded(&text).clip;
    assert!(again.bits_equal(&found.clip) && again.meta == found.clip.meta, "{text}");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((value["duration"].as_f64(), value["blendMode"].as_u64()), (Some(2.0), Some(2500)));
    assert_eq!(value["uuid"], "5D8C3B3A-0C0B-4B2C-9E40-5A1F6A0E3E11");
}

#[test]
fn a_humanoid_comes_back_as_muscles_with_its_fingers() {
    let mut walk = walk(20);
    walk.samples[60].iter_mut().for_each(|value| *value = 0.4);
    walk.meta.insert(META_GUID.into(), "g".into());
    walk.times = Times::Explicit((0..20).map(|frame| f64::from((0.017 * frame as f32).sqrt())).collect());
    let (text, notes) = written(&walk, Format::Three);
    assert!(notes.iter().all(|note| !note.is_loss()), "{notes:?}");
    let back = loaded(&text);
    assert_eq!((back.clip.times.clone(), back.clip.meta.clone()), (walk.times.clone(), walk.meta.clone()));
    let (muscles, _) = solved(back.clip.clone());
    let (off, at) = largest_difference(&walk, &muscles, |_| true);
    assert!(off < 1e-5, "{off} at {at}");
    // The channels' skeleton is the one that a reader takes, and comes back with its rotations.
    let (again, notes) = written(&back.clip, Format::Three);
    assert_eq!(notes, []);
    let again = loaded(&again).clip;
    assert_eq!(again.rig, back.clip.rig);
    let (off, at) = largest_difference(&back.clip, &again, |_| true);
    assert!(off < 1e-4, "{off} at {at}");
}

/// Mixamo's name of a finger's joint.
fn finger(name: &str) -> String {
    let hand =
        name.replace("Little", "Pinky").replacen("Left", "LeftHand", 1).replacen("Right", "RightHand", 1);
    for (joint, number) in [("Proximal", 1), ("Intermediate", 2), ("Distal", 3)] {
        if let Some(hand) = hand.strip_suffix(joint) {
            return format!("{hand}{number}");
        }
    }
    name.to_owned()
}

#[test]
fn names_of_mixamo_and_vrm_are_bones_in_either_unit() {
    let (text, _) = written(&walk(6), Format::Three);
    let (human, _) = solved(loaded(&text).clip);
    // In the file's own quotes, so that no name is found within another.
    let renamed = |other: &dyn Fn(Bone) -> String| {
        Bone::ALL.into_iter().fold(text.clone(), |text, bone| {
            text.replace(
                &format!("{{\"name\":\"{}.", bone.name()),
                &format!("{{ \"name\":\"{}.", other(bone)),
            )
        })
    };
    let mixamo = |bone: Bone| {
        let parts = [
            ("UpperChest", "Spine2"),
            ("Chest", "Spine1"),
            ("UpperArm", "Arm"),
            ("LowerArm", "ForeArm"),
            ("UpperLeg", "UpLeg"),
            ("LowerLeg", "Leg"),
            ("Toes", "ToeBase"),
        ];
        let renamed = |(part, other)| Some(format!("{}{other}", bone.name().strip_suffix(part)?));
        parts.into_iter().find_map(renamed).unwrap_or_else(|| finger(bone.name()))
    };
    for text in [
        renamed(&|bone| format!("mixamorig{}", mixamo(bone))),
        renamed(&|bone| format!("mesh.bones[mixamorig:{}]", mixamo(bone))),
        renamed(&|bone| bone.info().vrm1_name.to_owned()),
    ] {
        let (found, notes) = solved(loaded(&text).clip);
        assert!(notes.iter().any(|note| note.text.starts_with("55 of 55 human bones")), "{notes:?}");
        let (off, at) = largest_difference(&human, &found, |_| true);
        assert!(off < 1e-5, "{off} at {at}");
    }
    // Hips a hundred times as high are centimetres: the root is the same.
    let mut value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let track = value["tracks"]
        .as_array_mut()
        .expect("tracks")
        .iter_mut()
        .find(|track| track["name"] == "Hips.position");
    for number in track.expect("a place")["values"].as_array_mut().expect("values") {
        *number = (100.0 * number.as_f64().expect("a number")).into();
    }
    let found = loaded(&value.to_string());
    assert!(found.notes.iter().any(|note| note.text.contains("in centimetres")), "{:?}", found.notes);
    let (off, at) = largest_difference(&human, &solved(found.clip).0, |_| true);
    assert!(off < 1e-5, "{off} at {at}");
}

#[test]
fn any_skeleton_is_written_and_what_a_reader_cannot_know_is_told() {
    let bvh = "HIERARCHY\nROOT foot.L\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation \
               Yrotation\nJOINT a b\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 \
               0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3 0 0 0 90 0 0\n1 2 3 0 0 90 0 0 0\n";
    let (text, notes) = written(&loaded(bvh).clip, Format::Three);
    let losses: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    assert!(losses.iter().any(|loss| loss.contains("2 names of joints")), "{losses:?}");
    assert!(losses.iter().any(|loss| loss.contains("the rig of 3 joints")), "{losses:?}");
    let found = loaded(&text).clip;
    let names: Vec<&str> = found.tracks.iter().map(|track| track.name()).collect();
    assert_eq!(names, ["footL.position", "footL.quaternion", "a_b.quaternion"]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!((found.samples[9][0] - half).abs() < 1e-6 && (found.samples[10][0] - half).abs() < 1e-6);
}

#[test]
fn one_of_several_clips_is_chosen_by_its_name() {
    let clip = |name: &str| format!(r#"{{"name":"{name}","duration":1,"tracks":[],"uuid":"{name}"}}"#);
    let text = format!(
        r#"{{"metadata":{{"version":4.5}},"animations":[{},{}],"object":{{}}}}"#,
        clip("a"),
        clip("b")
    );
    let options = ReadOptions { asset: Some("b".into()), ..ReadOptions::default() };
    let found = read_with(text.as_bytes(), &options).expect("one");
    assert_eq!(found.clip.meta.get(META_NAME).map(String::as_str), Some("b"));
    let error = refusal(Format::Three, text.as_bytes());
    assert!(
        error.contains("2 clips") && error.contains("--asset") && error.contains("\"a\", \"b\""),
        "{error}"
    );
    assert_eq!(loaded(&format!("[{}]", clip("c"))).clip.frames(), 0);
    assert!(refusal(Format::Three, b"{\"object\":{}}").contains("no clip of three.js"));
}
