//! Plask's JSON: every spelling, and motions to it and back.

use crate::support::{
    is_of_plask_body, largest_difference, loaded, read_with, refusal, solved, walk, written,
};
use sinew::humanoid::Quat;
use sinew::{Clip, Times};
use sinew_formats::json::{KeyedTrack, PlaskDocument};
use sinew_formats::{Format, ReadOptions, WriteOptions, write};

const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

fn document(text: &str) -> PlaskDocument {
    PlaskDocument::read(&mut text.as_bytes(), &ReadOptions::default()).expect("readable").0
}

#[test]
fn every_spelling_is_the_same_document() {
    let keys = r#"[{"frame":0,"time":0,"value":[0,0,0,1]},{"frame":2,"time":0.5,"value":[1e0,-0,0,0]}]"#;
    let track =
        format!(r#"{{"boneName":"neck","fps":30,"property":"rotationQuaternion","transformKeys":{keys}}}"#);
    let plain = document(&format!(
        r#"{{"id":"x","workingtime":1.5,"result":[{{"motionNumber":3,"trackData":[{track}]}}]}}"#
    ));
    assert_eq!(
        (plain.id.as_deref(), plain.working_time_s, plain.motion.as_deref()),
        (Some("x"), Some(1.5), Some("3"))
    );
    assert_eq!(plain.fps, Some(30.0));
    let [KeyedTrack { times_s, values, .. }] = plain.tracks.as_slice() else { panic!("one track") };
    assert_eq!(
        (times_s.as_slice(), values.as_slice()),
        (&[0.0, 0.5][..], &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0][..])
    );
    assert!(values[5].is_sign_negative());
    let flat = r#"{"boneName":"neck","property":"rotationQuaternion","fps":30,"times":[0,0.5],"values":[0,0,0,1,1,-0.0,0,0]}"#;
    let nested = r#"{"property":"rotationQuaternion","values":[[0,0,0,1],[1,-0.0,0,0]],"times":[0,0.5],"fps":30,"boneName":"neck"}"#;
    let other_keys = track.replace("\"time\"", "\"times\"").replace("\"value\"", "\"values\"");
    for text in [
        format!(r#"{{"data":[{{"trackData":[{track}]}}]}}"#),
        format!(r#"{{"data":[{track}]}}"#),
        format!(r#"{{"result":[{{"data":[{flat}],"other":[1,{{}}]}}]}}"#),
        format!(r#"{{"trackData":[{nested}]}}"#),
        format!("\u{feff}\n [{track}]"),
        format!(r#"[{{"trackData":[{other_keys}]}}]"#),
    ] {
        assert_eq!(document(&text).tracks, plain.tracks, "{text}");
        assert_eq!(loaded(&text).format, Format::Plask);
    }
}

#[test]
fn one_of_several_motions_is_chosen_by_its_number() {
    let motion = |number: u32, time: f32| {
        format!(
            r#"{{"trackData":[{{"boneName":"hips","property":"position","transformKeys":[{{"time":{time},"value":[0,1,0]}}]}}],"motionNumber":{number}}}"#
        )
    };
    let text = format!(r#"{{"result":[{},{},{}]}}"#, motion(0, 1.0), motion(7, 2.0), motion(7, 3.0));
    let pick = |asset: &str| {
        read_with(text.as_bytes(), &ReadOptions { asset: Some(asset.into()), ..ReadOptions::default() })
    };
    assert_eq!(pick("0").expect("one").clip.times, Times::Explicit(vec![1.0]));
    let error = refusal(Format::Plask, text.as_bytes());
    assert!(error.contains("3 motions") && error.contains("--asset") && error.contains("\"7\""), "{error}");
    assert!(pick("7").expect_err("two").to_string().contains("2 motions are called"));
    assert!(pick("1").expect_err("none").to_string().contains("no motion is called \"1\""));
}

#[test]
fn keys_at_different_times_are_sampled_at_the_files_rate() {
    // A half turn of the neck around y over a second with the keys of most frames left out, and a still head.
    let text = format!(
        r#"[{{"boneName":"neck","fps":10,"property":"rotationQuaternion","transformKeys":[{{"time":0,"value":[0,0,0,1]}},{{"time":1,"value":[0,{HALF},0,{HALF}]}}]}},
        {{"boneName":"hips","fps":10,"property":"position","transformKeys":[{{"time":0,"value":[0,1,0]}},{{"time":0.5,"value":[1,1,0]}},{{"time":1,"value":[1,2,0]}}]}},
        {{"boneName":"head","property":"rotationQuaternion","transformKeys":[{{"time":0.3,"value":[0,0,0,1]}}]}}]"#
    );
    let found = loaded(&text);
    assert_eq!(found.clip.times, Times::Uniform { start_s: 0.0, frame_s: 0.1, frames: 11 });
    assert!(
        found.notes.iter().any(|note| note.text.contains("sampled at 10 frames per second")),
        "{:?}",
        found.notes
    );
    let track = |name: &str| {
        let at = found.clip.tracks.iter().position(|track| track.name() == name);
        &found.clip.samples[at.unwrap_or_else(|| panic!("no {name}"))]
    };
    for frame in 0..11 {
        assert!((track("neck.Yrotation")[frame] - 9.0 * frame as f32).abs() < 1e-4);
        assert!((track("hips.Xposition")[frame] - (0.2 * frame as f32).min(1.0)).abs() < 1e-6);
        assert_eq!(track("head.Zrotation")[frame], 0.0);
    }
    let at_20 =
        read_with(text.as_bytes(), &ReadOptions { hz: Some(20.0), ..ReadOptions::default() }).expect("good");
    assert_eq!((at_20.clip.frames(), at_20.rate_was_given), (21, true));
}

#[test]
fn handedness_is_kept_and_the_left_arm_is_up() {
    // Hips that face +z, the left arm turned by a quarter about z: up.
    let text = format!(
        r#"[{{"boneName":"leftArm","property":"rotationQuaternion","transformKeys":[{{"time":0,"value":[0,0,{HALF},{HALF}]}}]}},
        {{"boneName":"hips","property":"position","transformKeys":[{{"time":0,"value":[0.5,1,0]}}]}}]"#
    );
    let found = loaded(&text);
    assert!(
        found.notes.iter().any(|note| note.text.contains("22 of 24 bones have no track")),
        "{:?}",
        found.notes
    );
    let (human, _) = solved(found.clip.clone());
    let rig = sinew_formats::skeleton::HumanRig::reference();
    let joints = sinew_formats::skeleton::FigureJoints::of(&human, rig).expect("posable");
    let places = joints.frame(0).expect("a frame");
    let place = |name: &str| places[joints.names().iter().position(|joint| joint == name).expect("a joint")];
    // Right-handed, y up: the left hand stays on the side of +x and is above the head.
    assert!(place("LeftHand").y > place("Head").y && place("LeftHand").x > place("Head").x);
    assert!((place("Hips").x - 0.5).abs() < 1e-3);
    // And through a BVH it is the same file.
    let (bvh, _) = written(&found.clip, Format::Bvh);
    let (again, notes) = written(&loaded(&bvh).clip, Format::Plask);
    assert!(notes.iter().all(|note| !note.is_loss()), "{notes:?}");
    let (before, after) = (document(&written(&found.clip, Format::Plask).0), document(&again));
    for (a, b) in before.tracks.iter().zip(&after.tracks) {
        assert_eq!((&a.node, &a.property), (&b.node, &b.property));
        assert!(a.values.iter().zip(&b.values).all(|(a, b)| (a - b).abs() < 1e-6), "{a:?} {b:?}");
    }
}

#[test]
fn a_walk_comes_back_as_muscles_for_all_of_plasks_bones() {
    let walk = walk(40);
    let (text, notes) = written(&walk, Format::Plask);
    assert!(notes.iter().all(|note| !note.is_loss()), "{notes:?}");
    let document = document(&text);
    assert_eq!(document.tracks.len(), 25);
    assert_eq!(document.tracks.iter().filter(|track| track.property == "rotationQuaternion").count(), 24);
    let back = loaded(&text);
    assert_eq!(back.clip.times.iter().collect::<Vec<_>>(), walk.times.iter().collect::<Vec<_>>());
    let (muscles, _) = solved(back.clip);
    let (off, at) = largest_difference(&walk, &muscles, is_of_plask_body);
    assert!(off < 1e-5, "{off} at {at}");
}

#[test]
fn a_skeleton_of_other_joints_goes_by_way_of_its_muscles() {
    let walk = walk(5);
    let (bvh, _) = written(&walk, Format::Bvh);
    let (text, notes) = written(&loaded(&bvh).clip, Format::Plask);
    assert!(notes.iter().any(|note| note.text.contains("found by their names")), "{notes:?}");
    let (muscles, _) = solved(loaded(&text).clip);
    let (off, at) = largest_difference(&walk, &muscles, is_of_plask_body);
    assert!(off < 1e-4, "{off} at {at}");
}

#[test]
fn quaternions_come_back_and_what_the_answer_says_besides() {
    let (text, _) = written(&walk(30), Format::Plask);
    let text = text.replace("\"id\":\"\",\"workingtime\":0", "\"id\":\"a\\u00e9\\\"\",\"workingtime\":2.25");
    let first = document(&text);
    let (again, notes) = written(&loaded(&text).clip, Format::Plask);
    assert_eq!(notes, []);
    let second = document(&again);
    assert_eq!((second.id.as_deref(), second.working_time_s), (Some("aé\""), Some(2.25)));
    for (a, b) in first.tracks.iter().zip(&second.tracks) {
        assert_eq!((&a.node, &a.times_s), (&b.node, &b.times_s));
        assert!(a.values.iter().zip(&b.values).all(|(a, b)| (a - b).abs() < 1e-6), "{}", a.node);
    }
}

#[test]
fn bare_numbers_and_unknown_nodes_ride_along() {
    let text = r#"{"result":[{"trackData":[
        {"boneName":"hips","property":"position","transformKeys":[{"time":0,"value":[0,1,0]},{"time":1,"value":[0,1,1]}]},
        {"boneName":"face","property":"smile","transformKeys":[{"time":0,"value":0.25},{"time":1,"value":[0.5]}]},
        {"boneName":"tail","property":"rotationQuaternion","times":[0,1],"values":[0,0,0,1,0,1,0,0]}]}]}"#;
    let found = loaded(text).clip;
    let (first_other, names): (usize, Vec<&str>) =
        (3, found.tracks[3..].iter().map(|track| track.name()).collect());
    assert_eq!(names, ["face.smile", "tail.rotationQuaternion"]);
    assert_eq!(found.samples[first_other], [0.25, 0.5]);
    let (again, notes) = written(&found, Format::Plask);
    assert!(notes.is_empty(), "{notes:?}");
    assert!(loaded(&again).clip.bits_equal(&found), "{again}");
}

#[test]
fn names_with_dots_come_back_whatever_stands_behind_the_dot() {
    let text = r#"[{"boneName":"hips","property":"position","times":[0],"values":[0,1,0]},
        {"boneName":"hips","property":"x.position","times":[0],"values":[0,0,0,1]},
        {"boneName":"tail","property":"turn.","times":[0],"values":[1]}]"#;
    let found = loaded(text).clip;
    let (again, notes) = written(&found, Format::Plask);
    assert!(notes.is_empty() && loaded(&again).clip.bits_equal(&found), "{notes:?} {again}");
}

#[test]
fn quaternions_off_unit_length_are_told_and_zeros_refused() {
    let text = |value: &str| {
        format!(
            r#"[{{"boneName":"head","property":"rotationQuaternion","times":[0,1],"values":[0,0,0,1,{value}]}}]"#
        )
    };
    let found = loaded(&text("0,0,0,2"));
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.is_loss() && note.text.contains("1 quaternions, off 1 by up to 1.00e0"))
    );
    assert!(loaded(&text("0,0.0005,0,0.9999")).notes.iter().all(|note| !note.is_loss()));
    let error = refusal(Format::Plask, text("0,0,0,0").as_bytes());
    assert!(error.contains("head.rotationQuaternion") && error.contains("frame 1"), "{error}");
}

#[test]
fn what_json_cannot_say_is_refused_or_told() {
    let mut clip = walk(4);
    clip.samples[10][2] = f32::NAN;
    let mut sink = Vec::new();
    let error =
        write(&clip, Format::Plask, &WriteOptions::default(), &mut sink, &mut |_| {}).expect_err("NaN");
    assert!(error.to_string().contains("frame 2"), "{error}");
    let (text, _) = written(&walk(4), Format::Plask);
    let mut clip = loaded(&text).clip;
    clip.samples[4][1] = f32::INFINITY;
    let error =
        write(&clip, Format::Plask, &WriteOptions::default(), &mut sink, &mut |_| {}).expect_err("inf");
    assert!(error.to_string().contains("frame 1, component 4"), "{error}");

    let mut clip = walk(6);
    clip.times = Times::Explicit(vec![0.0, 0.1, 0.2, 0.2, 0.1, 0.3]);
    let (text, notes) = written(&clip, Format::Plask);
    assert!(notes.iter().any(|note| note.is_loss() && note.text.starts_with("2 of 6 frames")), "{notes:?}");
    assert_eq!(loaded(&text).clip.times, Times::Explicit(vec![0.0, 0.1, 0.2, 0.3]));
    // Bones of other lengths: rotations stay, and the lengths are told as lost.
    let mut long = loaded(&text).clip;
    long.rig.as_mut().expect("a rig").joints[2].offset[1] += 0.25;
    let (_, notes) = written(&long, Format::Plask);
    assert!(notes.iter().any(|note| note.is_loss() && note.text.contains("0.250")), "{notes:?}");
}

#[test]
fn turns_go_on_and_those_before_the_first_frame_are_told() {
    let (text, _) = written(&walk(4), Format::Plask);
    let mut clip = loaded(&text).clip;
    let neck = clip.tracks.iter().position(|track| track.name() == "neck.Yrotation").expect("a neck");
    clip.samples[neck] = vec![100.0, 200.0, 290.0, 400.0];
    let (text, notes) = written(&clip, Format::Plask);
    assert_eq!(notes, []);
    assert!(
        loaded(&text).clip.samples[neck].iter().zip(&clip.samples[neck]).all(|(a, b)| (a - b).abs() < 1e-3)
    );
    clip.samples[neck] = vec![460.0, 470.0, 480.0, 490.0];
    for format in [Format::Plask, Format::Three] {
        let (_, notes) = written(&clip, format);
        let told =
            |note: &sinew_formats::Note| note.is_loss() && note.text.contains("whole turns of 1 angles");
        assert!(notes.iter().any(told), "{notes:?}");
    }
}

#[test]
fn a_clip_of_nothing_that_plask_knows_is_refused() {
    let clip = Clip::empty(vec![sinew::Track::new("x", sinew::TrackKind::Scalar)]);
    let mut sink = Vec::new();
    let error =
        write(&clip, Format::Plask, &WriteOptions::default(), &mut sink, &mut |_| {}).expect_err("no bone");
    assert!(error.to_string().contains("none of the clip's tracks moves a bone"), "{error}");
}

#[test]
fn no_keys_and_one_key_are_clips() {
    let (text, _) = written(&walk(1), Format::Plask);
    assert_eq!(loaded(&text).clip.frames(), 1);
    let (text, _) = written(&walk(0), Format::Plask);
    assert_eq!(loaded(&text).clip.frames(), 0);
    assert_eq!(loaded(r#"{"trackData":[]}"#).clip.frames(), 0);
    // One side of a rotation is as good as the other.
    let text =
        r#"[{"boneName":"head","property":"rotationQuaternion","times":[0,1],"values":[0,0,0,1,0,0,0,-1]}]"#;
    let clip = loaded(text).clip;
    assert!(clip.samples.iter().all(|samples| samples[1].abs() < 1e-6), "{:?}", clip.samples);
    assert!(Quat::IDENTITY.angle_to(-Quat::IDENTITY) < 1e-9);
}
