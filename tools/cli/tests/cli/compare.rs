//! `sinew compare`.

use crate::support::{Folder, humanoid, humanoid_with_root};
use serde_json::Value;
use sinew::data::DataMode;
use sinew::{Clip, EncodeConfig, Times};

fn folder_of(clips: &[(&str, &Clip)]) -> Folder {
    let folder = Folder::new();
    for (name, clip) in clips {
        folder.write(name, sinew::encode(clip, &EncodeConfig::lossless()).expect("encodable"));
    }
    folder
}

#[test]
fn equal_means_bitwise_and_naming_is_no_difference() {
    let folder = Folder::new();
    folder.write_data("named.data", &humanoid(9), DataMode::Named);
    folder.write_data("nameless.data", &humanoid(9), DataMode::Nameless);
    let json = folder.run(&["compare", "named.data", "nameless.data", "--json"]).exits(0).json();
    assert_eq!((&json["equal"], &json["good"], &json["rms"]), (&true.into(), &true.into(), &0.0.into()));
    assert_eq!((&json["frames"], &json["tracks"]), (&9.into(), &95.into()));
    for field in ["within", "within_mm", "difference"] {
        assert_eq!(json.get(field), Some(&Value::Null), "{field}");
    }
    for place in ["max_joint_mm", "max_shell_mm", "max_angle_place"] {
        assert_eq!(json[place]["value"], 0.0, "{place}");
    }
    assert_eq!((&json["p99_joint_mm"], &json["max_angle_deg"]), (&0.0.into(), &0.0.into()));
    assert_eq!(json["skeleton"], "reference");
    assert!(folder.run(&["compare", "named.data", "nameless.data"]).exits(0).text().contains("every bit"));
}

#[test]
fn the_order_of_tracks_and_the_format_are_no_difference() {
    let clip = humanoid_with_root(9);
    let mut turned = Clip::empty(clip.tracks.iter().rev().cloned().collect());
    turned.times = clip.times.clone();
    let mut arrays = clip.samples.clone();
    turned.samples =
        turned.tracks.iter().flat_map(|track| arrays.split_off(arrays.len() - track.components())).collect();
    let named = EncodeConfig::lossless().with_naming(sinew::Naming::Named);
    let folder = folder_of(&[("a.sinew", &clip), ("turned.sinew", &turned)]);
    folder.write("named.sinew", sinew::encode(&turned, &named).expect("encodable"));
    folder.run(&["convert", "turned.sinew", "a.csv"]).exits(0);
    let names = ["a.sinew", "turned.sinew", "named.sinew", "a.csv"];
    for a in names {
        for b in names {
            folder.run(&["compare", a, b]).exits(0);
            folder.run(&["compare", a, b, "--within", "0", "--json"]).exits(0);
        }
    }
    // One value of one track, in another order: still found, under its name.
    *turned.samples[0].last_mut().expect("a sample") += 1.0;
    folder.write("off.sinew", sinew::encode(&turned, &named).expect("encodable"));
    let json = folder.run(&["compare", "a.sinew", "off.sinew", "--json"]).exits(1).json();
    assert_eq!((&json["max_abs"]["track"], &json["max_abs"]["frame"]), (&"blink".into(), &8.into()));
}

#[test]
fn values_that_are_not_finite_equal_themselves_only() {
    let clip = humanoid(3);
    let with = |bits: u32| {
        let mut clip = clip.clone();
        clip.samples[7][1] = f32::from_bits(bits);
        clip
    };
    let clips = [0x7fc0_0000u32, 0x7fc0_0001, 0x7f80_0000, 0xff80_0000].map(with);
    let names = ["nan.sinew", "other.sinew", "inf.sinew", "minus.sinew", "finite.sinew"];
    let all: Vec<(&str, &Clip)> = names.into_iter().zip(clips.iter().chain([&clip])).collect();
    let folder = folder_of(&all);
    for a in names {
        for b in names {
            let code = i32::from(a != b);
            folder.run(&["compare", a, b, "--within", "1e9"]).exits(code);
            let text = folder.run(&["compare", a, b]).exits(code).text();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            assert_eq!(text.contains("not finite"), a != b, "{text}");
            let json = folder.run(&["compare", a, b, "--json"]).exits(code).json();
            assert_eq!(json["max_abs"]["value"].is_null(), a != b);
            assert_eq!((&json["max_abs"]["frame"], json["equal"] == (a == b)), (&(code).into(), true));
        }
    }
}

#[test]
fn clips_without_frames_are_equal_whatever_the_format() {
    let folder = folder_of(&[("a.sinew", &humanoid(0))]);
    folder.write_data("a.data", &humanoid(0), DataMode::Nameless);
    folder.run(&["convert", "a.sinew", "a.csv"]).exits(0);
    folder.run(&["convert", "a.sinew", "a.npy"]).exits(0);
    for name in ["a.data", "a.csv", "a.npy"] {
        let text = folder.run(&["compare", "a.sinew", name]).exits(0).text();
        assert!(text.contains("0 frames"), "{text}");
        folder.run(&["compare", name, "a.sinew", "--within", "0", "--json"]).exits(0);
    }
}

#[test]
fn the_worst_sample_is_named_and_judged() {
    let (a, mut b) = (humanoid(9), humanoid(9));
    b.samples[37][4] += 0.25;
    let folder = folder_of(&[("a.sinew", &a), ("b.sinew", &b)]);
    let json = folder.run(&["compare", "a.sinew", "b.sinew", "--json"]).exits(1).json();
    assert_eq!(
        (&json["max_abs"]["track"], &json["max_abs"]["frame"]),
        (&a.tracks[37].name().into(), &4.into())
    );
    assert_eq!((&json["equal"], &json["good"]), (&false.into(), &false.into()));
    folder.run(&["compare", "a.sinew", "b.sinew", "--within", "0.2"]).exits(1);
    folder.run(&["compare", "a.sinew", "b.sinew", "--within", "0.3"]).exits(0);
    folder.run(&["compare", "a.sinew", "a.sinew", "--within", "0"]).exits(0);
}

#[test]
fn joints_and_the_points_off_them_are_measured_and_judged() {
    let (a, mut b) = (humanoid(9), humanoid(9));
    b.samples[37][4] += 0.5; // Left Shoulder Down-Up: an arm's length swings
    let folder = folder_of(&[("a.sinew", &a), ("b.sinew", &b)]);
    let json = folder.run(&["compare", "a.sinew", "b.sinew", "--json"]).exits(1).json();
    let mm = json["max_joint_mm"]["value"].as_f64().expect("a number");
    assert!((20.0..300.0).contains(&mm), "{json}");
    assert!(json["max_joint_mm"]["joint"].as_str().is_some_and(|joint| joint.starts_with("Left")), "{json}");
    assert_eq!(
        (&json["max_joint_mm"]["frame"], &json["max_joint_mm"]["mid_time"]),
        (&4.into(), &false.into())
    );
    let shell = json["max_shell_mm"]["value"].as_f64().expect("a number");
    assert!(shell >= mm && shell < mm + 20.0, "{json}");
    let p99 = json["p99_joint_mm"].as_f64().expect("a number");
    assert!(p99 > 0.0 && p99 <= mm);
    assert!(json["max_angle_deg"].as_f64().is_some_and(|angle| (7.0..15.1).contains(&angle)), "{json}");
    for (bound, code) in [(shell * 1.001, 0), (shell * 0.999, 1), (0.0, 1)] {
        let bound = bound.to_string();
        folder.run(&["compare", "a.sinew", "b.sinew", "--within-mm", &bound]).exits(code);
    }
    let run = folder.run(&["compare", "a.sinew", "a.sinew", "--within-mm", "0"]).exits(0);
    assert!(run.text().contains("within 0 mm   yes"), "{}", run.text());
}

#[test]
fn a_turned_tip_is_judged_by_the_points_off_its_joint() {
    let (a, mut b) = (humanoid(3), humanoid(3));
    b.samples[94][1] += 0.25; // Right Little 3 Stretched: the last bone of a finger moves no joint
    let folder = folder_of(&[("a.sinew", &a), ("b.sinew", &b)]);
    let json = folder.run(&["compare", "a.sinew", "b.sinew", "--within-mm", "1", "--json"]).exits(1).json();
    assert!(json["max_joint_mm"]["value"].as_f64().is_some_and(|mm| mm < 1e-6), "{json}");
    assert_eq!(json["max_shell_mm"]["joint"], "RightLittleDistal");
    assert_eq!((&json["within_mm"], &json["within"]), (&1.0.into(), &Value::Null));
    let text = folder.run(&["compare", "a.sinew", "b.sinew", "--within-mm", "10"]).exits(0).text();
    assert!(text.contains("RightLittleDistal, frame 1"), "{text}");
}

#[test]
fn a_bound_judges_neither_times_nor_other_tracks() {
    let (a, mut b) = (humanoid_with_root(9), humanoid_with_root(9));
    b.samples[95][3] += 1.0;
    b.times = Times::Explicit(a.times.iter().map(|time| time + 0.5).collect());
    let folder = folder_of(&[("a.sinew", &a), ("b.sinew", &b)]);
    let json = folder.run(&["compare", "a.sinew", "b.sinew", "--within", "0", "--json"]).exits(0).json();
    assert_eq!(json["max_abs"]["track"], "RootT");
    assert_eq!((&json["max_muscle"]["value"], &json["max_time_s"]["value"]), (&0.0.into(), &0.5.into()));
    folder.run(&["compare", "a.sinew", "b.sinew"]).exits(1);
}

#[test]
fn other_frame_counts_and_track_sets_are_named() {
    let (a, b, root) = (humanoid(9), humanoid(8), humanoid_with_root(9));
    let folder = folder_of(&[("a.sinew", &a), ("b.sinew", &b), ("root.sinew", &root)]);
    let run = folder.run(&["compare", "a.sinew", "b.sinew", "--within", "1"]).exits(1);
    assert!(run.text().contains("9 in the reference, 8 in the candidate"), "{}", run.text());
    let json = folder.run(&["compare", "a.sinew", "root.sinew", "--json"]).exits(1).json();
    assert!(json["difference"].as_str().is_some_and(|text| text.contains("RootT")), "{json}");
    assert_eq!((&json["candidate_tracks"], &json["max_abs"]), (&98.into(), &Value::Null));
}

#[test]
fn a_value_that_is_not_finite_is_beyond_every_bound() {
    let (a, mut b) = (humanoid(3), humanoid(3));
    b.samples[0][1] = f32::NAN;
    let folder = folder_of(&[("a.sinew", &a), ("b.sinew", &b)]);
    let json = folder.run(&["compare", "a.sinew", "b.sinew", "--within", "1e30", "--json"]).exits(1).json();
    assert_eq!((&json["max_abs"]["value"], &json["max_abs"]["frame"]), (&Value::Null, &1.into()));
    folder.run(&["compare", "b.sinew", "b.sinew"]).exits(0);
}

#[test]
fn what_cannot_be_judged_is_an_error() {
    let folder = folder_of(&[("a.sinew", &humanoid(3))]);
    folder
        .run(&["compare", "a.sinew", "a.sinew", "--within-mm", "1", "--within", "1"])
        .misuses("cannot be used with");
    folder.run(&["compare", "a.sinew", "a.sinew", "--within-mm", "-1"]).misuses("--within-mm");
    folder.run(&["compare", "a.sinew", "a.sinew", "--within", "-1"]).misuses("--within");
    folder.run(&["compare", "a.sinew", "missing.sinew"]).fails_with(&["missing.sinew"]);
    folder.run(&["compare", "missing.sinew", "a.sinew", "--json"]).fails_with(&["missing.sinew"]);
    folder.write("rubbish.data", [0xc1; 40]);
    folder.run(&["compare", "a.sinew", "rubbish.data", "--json"]).fails_with(&["rubbish.data"]);
    std::fs::create_dir(folder.path("folder")).expect("a folder");
    folder.run(&["compare", "folder", "a.sinew"]).fails_with(&["folder"]);
    folder.run(&["compare", "-", "-"]).fails_with(&["standard input"]);
    folder.write("other.csv", "time,x\n0,1\n");
    for option in ["--within", "--within-mm"] {
        folder.run(&["compare", "other.csv", "other.csv", option, "1"]).fails_with(&[option, "no muscle"]);
    }
    let json = folder.run(&["compare", "other.csv", "other.csv", "--json"]).exits(0).json();
    assert_eq!((&json["max_joint_mm"], &json["skeleton"]), (&Value::Null, &Value::Null));
    folder.run(&["compare", "other.csv", "other.csv"]).exits(0);
}
