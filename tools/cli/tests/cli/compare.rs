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
    for field in ["max_angle_deg", "max_joint_mm", "max_shell_mm", "p99_joint_mm", "within", "difference"] {
        assert_eq!(json.get(field), Some(&Value::Null), "{field}");
    }
    assert!(folder.run(&["compare", "named.data", "nameless.data"]).exits(0).text().contains("every bit"));
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
        .run(&["compare", "a.sinew", "a.sinew", "--within-mm", "1"])
        .fails_with(&["--within-mm", "millimetres"]);
    folder.run(&["compare", "a.sinew", "a.sinew", "--within", "-1"]).misuses("--within");
    folder.run(&["compare", "a.sinew", "missing.sinew"]).fails_with(&["missing.sinew"]);
    folder.run(&["compare", "-", "-"]).fails_with(&["standard input"]);
    folder.write("other.csv", "time,x\n0,1\n");
    folder.run(&["compare", "other.csv", "other.csv", "--within", "1"]).fails_with(&["no muscle"]);
    folder.run(&["compare", "other.csv", "other.csv"]).exits(0);
}
