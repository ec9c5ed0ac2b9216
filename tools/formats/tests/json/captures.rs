//! Real motions: a capture of muscles through every JSON, walks through Plask's.

use crate::support::{captures, is_of_plask_body, largest_difference, loaded, solved, written};
use sinew::Clip;
use sinew::data::DataMode;
use sinew_formats::json::{LegacyOptions, PlaskDocument};
use sinew_formats::{Format, ReadOptions, read};

fn data_bytes(clip: &Clip) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mode = DataMode::of_clip(clip).unwrap_or(DataMode::Nameless);
    sinew::data::write(clip, mode, &mut bytes).expect("writable");
    bytes
}

/// The table of the README.
#[test]
fn a_recording_of_muscles_through_every_json() {
    let Some(folder) = captures("muscle") else { return };
    let waving = read(&folder.join("waving.data"), None, &ReadOptions::default()).expect("readable").clip;
    let lost = |format: Format| {
        let (text, notes) = written(&waving, format);
        let losses: Vec<String> =
            notes.into_iter().filter(|note| note.is_loss()).map(|note| note.text).collect();
        (loaded(&text).clip, losses, text.len())
    };
    // The recorder's own frames: the same bytes.
    let (same, losses, size) = lost(Format::Muscles);
    assert_eq!((losses, size), (Vec::new(), 2_038_312));
    assert_eq!(data_bytes(&same), data_bytes(&waving));

    // three.js: all bones, within what float32 rounds.
    let (three, losses, size) = lost(Format::Three);
    assert_eq!((losses, size), (vec!["that the source's mode is named".to_owned()], 1_340_483));
    let (muscles, _) = solved(three);
    let (off, at) = largest_difference(&waving, &muscles, |_| true);
    assert!(off < 1e-6, "{off} at {at}");
    assert!(waving.times.iter().eq(muscles.times.iter()));

    // Plask: the body, and one joint of a finger on each hand.
    let (plask, losses, size) = lost(Format::Plask);
    assert_eq!((losses.len(), size), (3, 869_081), "{losses:?}");
    assert_eq!(
        losses[2],
        "36 muscles of bones that the rig has no joint for, \"RightHand.Ring.Spread\" up to 1.649"
    );
    let (muscles, _) = solved(plask);
    let (off, at) = largest_difference(&waving, &muscles, |muscle| {
        is_of_plask_body(muscle) || matches!(muscle, 59 | 60 | 79 | 80)
    });
    assert!(off < 1e-6, "{off} at {at}");
    assert!(waving.times.iter().eq(muscles.times.iter()));
}

/// Limbs that are nearly straight have no plane that tells their twist from that of the next bone: the solver leaves
/// that to the frames before, and what it finds again is the same pose.
#[test]
fn walks_come_back_from_plask_as_from_bvh() {
    let Some(folder) = captures("bvh") else { return };
    for file in ["yuki-koyama__131_01.bvh", "VictorS-67__cmu_12_01_walk.bvh"] {
        let clip = read(&folder.join(file), None, &ReadOptions::default()).expect("readable").clip;
        let (human, _) = solved(clip.clone());
        let (text, _) = written(&clip, Format::Plask);
        let document =
            PlaskDocument::read(&mut text.as_bytes(), &ReadOptions::default()).expect("readable").0;
        assert_eq!(document.tracks.len(), 25, "{file}");
        let (of_plask, _) = solved(loaded(&text).clip);
        let twists = |muscle: usize| sinew::MUSCLES[muscle].property.contains("Twist In-Out");
        let (off, at) =
            largest_difference(&human, &of_plask, |muscle| is_of_plask_body(muscle) && !twists(muscle));
        assert!(off < 1e-4, "{file}: {off} at {at}");
        let (bvh, _) = written(&human, Format::Bvh);
        let (of_bvh, _) = solved(loaded(&bvh).clip);
        let (off, at) = largest_difference(&of_bvh, &of_plask, is_of_plask_body);
        assert!(off < 1e-4, "{file}: {off} at {at}");
    }
}

#[test]
fn a_file_in_plasks_form_becomes_muscles_and_a_legacy_clip_of_its_very_keys() {
    let Some(folder) = captures("json") else { return };
    let path = folder.join("derived_cmu_131_02_plask.json");
    let found = read(&path, None, &ReadOptions::default()).expect("readable");
    assert_eq!((found.format, found.clip.frames(), found.clip.tracks.len()), (Format::Plask, 312, 18));
    assert!(
        found.notes.iter().any(|note| note.text.starts_with("19 of 24 bones have no track")),
        "{:?}",
        found.notes
    );
    let (muscles, _) = solved(found.clip);
    assert_eq!(muscles.frames(), 312);

    let bytes = std::fs::read(&path).expect("there");
    let value: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let document = PlaskDocument::read(&mut &bytes[..], &ReadOptions::default()).expect("readable").0;
    let (clip, notes) = document.legacy_clip(LegacyOptions::default()).expect("bones");
    assert_eq!(notes, []);
    let mut rotations = clip.rotation_curves.iter();
    for track in value["result"][0]["trackData"].as_array().expect("tracks") {
        let keys = track["transformKeys"].as_array().expect("keys");
        let numbers = |key: &serde_json::Value| -> Vec<f32> {
            key["value"]
                .as_array()
                .expect("numbers")
                .iter()
                .map(|x| x.as_f64().expect("a number") as f32)
                .collect()
        };
        let time_s = |key: &serde_json::Value| key["time"].as_f64().expect("a time") as f32;
        if track["property"] == "position" {
            let curve = &clip.position_curves[0];
            assert!(
                keys.iter()
                    .zip(&curve.keys)
                    .all(|(key, made)| numbers(key) == made.value && time_s(key) == made.time_s)
            );
            assert_eq!(keys.len(), curve.keys.len());
        } else {
            let curve = rotations.next().expect("a curve for each track");
            assert_eq!(keys.len(), curve.keys.len());
            for (key, made) in keys.iter().zip(&curve.keys) {
                let q = numbers(key);
                assert_eq!((made.time_s, made.value), (time_s(key), [q[0], -q[1], -q[2], q[3]]));
            }
        }
    }
}
