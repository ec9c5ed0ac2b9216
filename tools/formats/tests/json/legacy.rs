//! Legacy clips of Plask's bones: key by key what the published script makes.

use crate::support::{loaded, walk, written};
use sinew::Times;
use sinew_formats::json::{LegacyOptions, PlaskDocument};
use sinew_formats::unity_anim::{AnimDocument, Key};
use sinew_formats::{ReadOptions, WriteOptions};

/// The file that the script is tried on: keys of other times for each track, and a rotation that changes sides.
const TEXT: &str = r#"{"result":[{"motionNumber":0,"trackData":[
  {"boneName":"hips","fps":25,"property":"position","transformKeys":[
    {"frame":0,"time":0,"value":[0.1,0.9,-0.2]},{"frame":3,"time":0.12,"value":[0.3,0.95,0.4]}]},
  {"boneName":"hips","fps":25,"property":"rotationQuaternion","transformKeys":[{"frame":0,"time":0,"value":[0.1,0.2,0.3,0.9]}]},
  {"boneName":"leftHandIndex1","fps":25,"property":"rotationQuaternion","transformKeys":[
    {"frame":1,"time":0.04,"value":[0,0,0.6,0.8]},{"frame":2,"time":0.08,"value":[0,0,-0.8,-0.6]},
    {"frame":4,"time":0.16,"value":[0.5,0.5,0.5,0.5]}]},
  {"boneName":"tail","fps":25,"property":"rotationQuaternion","transformKeys":[]}]}]}"#;

fn document() -> PlaskDocument {
    PlaskDocument::read(&mut TEXT.as_bytes(), &ReadOptions::default()).expect("readable").0
}

const PUBLISHED: LegacyOptions = LegacyOptions { mirror_positions: false, published_slopes: true };

#[test]
fn keys_are_those_of_the_published_script() {
    let (clip, notes) = document().legacy_clip(PUBLISHED).expect("bones");
    assert!(clip.legacy && clip.float_curves.is_empty() && clip.euler_curves.is_empty());
    assert_eq!((clip.sample_rate_hz, clip.settings.start_s, clip.settings.stop_s), (25.0, 0.0, 0.16));
    let [hips] = clip.position_curves.as_slice() else { panic!("one place") };
    assert_eq!(hips.binding.path, "mixamorig:Hips");
    assert_eq!(hips.keys, [Key::level(0.0, [0.1, 0.9, -0.2]), Key::level(0.12, [0.3, 0.95, 0.4])]);
    let [turn, finger] = clip.rotation_curves.as_slice() else { panic!("two turns") };
    assert_eq!(turn.keys, [Key::level(0.0, [0.1, -0.2, -0.3, 0.9])]);
    assert!(
        finger.binding.path.ends_with("/mixamorig:LeftHand/mixamorig:LeftHandMiddle1"),
        "{}",
        finger.binding.path
    );
    assert_eq!(
        finger.keys,
        [
            Key::level(0.04, [0.0, -0.0, -0.6, 0.8]),
            Key::level(0.08, [0.0, -0.0, 0.8, -0.6]),
            Key::level(0.16, [0.5, -0.5, -0.5, 0.5]),
        ]
    );
    let losses: Vec<&str> =
        notes.iter().filter(|note| note.is_loss()).map(|note| note.text.as_str()).collect();
    assert_eq!(losses.len(), 1);
    assert!(losses[0].starts_with("1 tracks") && losses[0].contains("tail.rotationQuaternion"), "{losses:?}");
}

#[test]
fn by_default_keys_are_joined_by_lines_the_shorter_way() {
    let (clip, notes) = document().legacy_clip(LegacyOptions::default()).expect("bones");
    let hips = &clip.position_curves[0];
    let slope = (0.4f32 + 0.2) / 0.12;
    assert!((hips.keys[0].out_slope[2] - slope).abs() < 1e-4 && hips.keys[0].value == [0.1, 0.9, -0.2]);
    assert!((hips.evaluate(0.06)[0] - 0.2).abs() < 1e-6);
    let finger = &clip.rotation_curves[1];
    assert_eq!(finger.keys[1].value, [-0.0, 0.0, -0.8, 0.6]);
    assert!(
        notes.iter().any(|note| !note.is_loss() && note.text.starts_with("1 keys of rotations are negated"))
    );
    // The consistent mirror negates x of places as well.
    let mirror = LegacyOptions { mirror_positions: true, ..LegacyOptions::default() };
    let (mirrored, _) = document().legacy_clip(mirror).expect("bones");
    assert_eq!(mirrored.position_curves[0].keys[1].value, [-0.3, 0.95, 0.4]);
    assert_eq!(mirrored.rotation_curves, clip.rotation_curves);
}

#[test]
fn each_bone_may_have_a_clip_of_its_own() {
    let (whole, _) = document().legacy_clip(PUBLISHED).expect("bones");
    let (clips, _) = document().legacy_clips(PUBLISHED).expect("bones");
    let names: Vec<&str> = clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["hips", "leftHandIndex1"]);
    let hips = &clips[0];
    assert_eq!((hips.position_curves.len(), hips.rotation_curves.len()), (1, 1));
    assert!(clips.iter().all(|clip| clip.legacy && clip.rotation_curves[0].binding.path.is_empty()));
    assert_eq!(hips.position_curves[0].keys, whole.position_curves[0].keys);
    assert_eq!(clips[1].rotation_curves[0].keys, whole.rotation_curves[1].keys);
    assert_eq!((hips.settings.stop_s, clips[1].settings.stop_s), (0.12, 0.16));
}

#[test]
fn what_is_written_is_read_as_a_legacy_clip_of_the_same_keys() {
    let (clip, _) = document().legacy_clip(PUBLISHED).expect("bones");
    let mut text = Vec::new();
    clip.write(&mut text).expect("writable");
    let read = AnimDocument::read(&mut &text[..], &Default::default()).expect("readable");
    assert!(read.legacy);
    assert_eq!((read.rotation_curves, read.position_curves), (clip.rotation_curves, clip.position_curves));
}

#[test]
fn any_humanoid_becomes_a_legacy_clip_by_its_frames() {
    let mut walk = walk(9);
    walk.times = Times::Explicit((0..9).map(|frame| 0.5 + 0.04 * f64::from(frame)).collect());
    let (document, _) = PlaskDocument::of_clip(&walk, &WriteOptions::default()).expect("a human");
    let (clip, notes) = document.legacy_clip(LegacyOptions::default()).expect("bones");
    assert_eq!((clip.rotation_curves.len(), clip.position_curves.len()), (24, 1));
    assert!(notes.iter().all(|note| !note.is_loss()), "{notes:?}");
    let (text, _) = written(&walk, sinew_formats::Format::Plask);
    let of_text = PlaskDocument::read(&mut text.as_bytes(), &ReadOptions::default()).expect("readable").0;
    assert_eq!(of_text.tracks, document.tracks);
    assert_eq!(loaded(&text).clip.frames(), 9);
    // A document that turns none of the bones makes none.
    let none = PlaskDocument::default();
    assert!(none.legacy_clip(PUBLISHED).is_err() && none.legacy_clips(PUBLISHED).is_err());
}

#[test]
fn keys_that_do_not_move_forward_are_told() {
    let text = r#"[{"boneName":"head","property":"rotationQuaternion","times":[0,1,1.00000001,0.5,2],
        "values":[0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,1,0,0,0,1]}]"#;
    let document = PlaskDocument::read(&mut text.as_bytes(), &ReadOptions::default()).expect("readable").0;
    let (clip, notes) = document.legacy_clip(PUBLISHED).expect("a bone");
    let times: Vec<f32> = clip.rotation_curves[0].keys.iter().map(|key| key.time_s).collect();
    assert_eq!(times, [0.0, 1.0, 2.0]);
    assert!(notes.iter().any(|note| note.is_loss() && note.text.starts_with("2 keys")), "{notes:?}");
    let text = text.replace("1.00000001", "1e300");
    let document = PlaskDocument::read(&mut text.as_bytes(), &ReadOptions::default()).expect("readable").0;
    let error = document.legacy_clip(PUBLISHED).expect_err("too late").to_string();
    assert!(error.contains("head.rotationQuaternion") && error.contains("key 2"), "{error}");
}
