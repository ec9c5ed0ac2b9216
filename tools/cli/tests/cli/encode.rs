//! `sinew encode`.

use crate::support::{Folder, GUID, data_bytes, humanoid, humanoid_with_root, odd_clips};
use sinew::data::DataMode;

#[test]
fn the_default_keeps_the_bound_and_says_where_it_is_worst() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(200), DataMode::Nameless);
    let json = folder.run(&["encode", "a.data", "-o", "a.sinew", "--json"]).exits(0).json();
    assert_eq!(
        (&json["frames"], &json["tracks"], &json["fidelity"]),
        (&200.into(), &95.into(), &"bounded".into())
    );
    assert_eq!((&json["effort"], &json["mode"]), (&"balanced".into(), &"nameless".into()));
    assert_eq!(json["bounds"]["muscle"], 0.001);
    let error = json["max_abs"]["value"].as_f64().expect("a number");
    assert!(error > 0.0 && error <= 0.001);
    assert!(json["max_abs"]["track"].is_string() && json["max_abs"]["frame"].is_u64());
    let mm = json["max_joint_mm"]["value"].as_f64().expect("a number");
    assert!(mm > 0.0 && mm < 10.0 && json["max_joint_mm"]["joint"].is_string(), "{json}");
    assert!(json["max_angle_deg"].as_f64().is_some_and(|angle| angle > 0.0 && angle < 1.0));
    assert!(json["max_time_s"]["value"].as_f64().is_some_and(|time| time <= 0.0005));
    let bytes = folder.read("a.sinew").len();
    assert_eq!(json["bytes"], bytes);
    assert!(bytes * 20 < 200 * 95 * 4, "{bytes}");
    folder.run(&["compare", "a.data", "a.sinew", "--within", "0.001"]).exits(0);
    folder.run(&["compare", "a.data", "a.sinew", "--within", "0.00001"]).exits(1);
}

#[test]
fn a_tighter_bound_is_kept_too() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(60), DataMode::Named);
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--error", "1e-5", "--error-time", "0"]).exits(0);
    let json = folder.run(&["compare", "a.data", "a.sinew", "--within", "1e-5", "--json"]).exits(0).json();
    assert_eq!(json["max_time_s"]["value"], 0.0);
}

#[test]
fn every_kind_of_track_has_its_bound() {
    let folder = Folder::new();
    let bytes = sinew::encode(&humanoid_with_root(100), &sinew::EncodeConfig::lossless()).expect("encodable");
    folder.write("root.sinew", bytes);
    let bounds = ["--error", "0.01", "--error-pos", "0.002", "--error-rot", "0.5", "--error-extra", "0.1"];
    let mut args = vec!["encode", "root.sinew", "-o", "lossy.sinew", "--json"];
    args.extend(bounds);
    let json = folder.run(&args).exits(0).json();
    assert_eq!(
        json["bounds"],
        serde_json::json!({"mm": null, "muscle": 0.01, "time_s": 0.0005, "position_m": 0.002, "rotation_deg": 0.5, "extra": 0.1})
    );
    let info = folder.run(&["info", "lossy.sinew", "--json"]).exits(0).json();
    assert_eq!((&info["bounds"], &info["root"]), (&json["bounds"], &true.into()));
}

#[test]
fn lossless_keeps_every_bit_of_odd_clips() {
    for (name, clip) in odd_clips() {
        let folder = Folder::new();
        folder.write_data("a.data", &clip, DataMode::Nameless);
        let json = folder.run(&["encode", "a.data", "-o", "a.sinew", "--lossless", "--json"]).exits(0).json();
        assert_eq!((&json["equal"], &json["bounds"]), (&true.into(), &serde_json::Value::Null), "{name}");
        folder.run(&["compare", "a.data", "a.sinew"]).exits(0);
        folder.run(&["decode", "a.sinew", "-o", "b.data"]).exits(0);
        assert_eq!(folder.read("a.data"), folder.read("b.data"), "{name}");
        folder.run(&["encode", "a.data", "-o", "lossy.sinew"]).exits(0);
        folder.run(&["compare", "a.data", "lossy.sinew", "--within", "0.001"]).exits(0);
    }
}

#[test]
fn a_fast_file_is_one_for_every_verb() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(50), DataMode::Nameless);
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--effort", "fast"]).exits(0);
    let json = folder.run(&["info", "a.sinew", "--json"]).exits(0).json();
    assert_eq!((&json["effort"], &json["frames"]), (&"fast".into(), &50.into()));
    folder.run(&["compare", "a.data", "a.sinew", "--within", "0.001"]).exits(0);
    folder.run(&["decode", "a.sinew", "-o", "b.data"]).exits(0);
    folder.run(&["compare", "a.sinew", "b.data"]).exits(0);
    folder.run(&["recover", "a.sinew", "-o", "c.sinew"]).exits(0);
    folder.run(&["compare", "a.sinew", "c.sinew"]).exits(0);
}

#[test]
fn a_named_file_tells_its_mode_and_decodes_to_the_mode_of_its_source() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(10), DataMode::Nameless);
    folder.run(&["encode", "a.data", "-o", "plain.sinew", "--lossless"]).exits(0);
    folder.run(&["encode", "a.data", "-o", "named.sinew", "--lossless", "--named"]).exits(0);
    assert!(folder.read("named.sinew").len() > folder.read("plain.sinew").len());
    let json = folder.run(&["info", "named.sinew", "--json"]).exits(0).json();
    assert_eq!((&json["mode"], &json["source_mode"]), (&"named".into(), &"nameless".into()));
    folder.run(&["decode", "named.sinew", "-o", "b.data"]).exits(0);
    assert_eq!(folder.read("a.data"), folder.read("b.data"));
}

#[test]
fn streams_work_both_ways() {
    let folder = Folder::new();
    let data = data_bytes(&humanoid(20), DataMode::Named);
    let encoded = folder.run_with(&["encode", "-", "-o", "-", "--lossless"], &data).exits(0);
    assert!(encoded.stderr.contains("every bit is kept"), "{}", encoded.stderr);
    let decoded = folder.run_with(&["decode", "-", "-o", "-"], &encoded.stdout).exits(0);
    assert_eq!(decoded.stdout, data);
    assert!(folder.names().is_empty());
}

#[test]
fn options_that_need_what_is_not_there_are_refused_by_name() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(2), DataMode::Named);
    folder.write("table.csv", "time,blink\n0,0.5\n1,1\n");
    folder
        .run(&["encode", "table.csv", "-o", "a.sinew", "--error-mm", "1"])
        .fails_with(&["table.csv", "muscle track"]);
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--error-mm", "0"]).misuses("--error-mm");
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--error-mm", "1", "--error", "1"]).misuses("--error");
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--effort", "least"]).misuses("balanced");
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--lossless", "--error", "1"]).misuses("--lossless");
    for bound in ["0", "-1", "nan", "inf", "x"] {
        folder.run(&["encode", "a.data", "-o", "a.sinew", "--error", bound]).misuses("--error");
    }
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--error-time", "-1"]).misuses("--error-time");
    folder.run(&["encode", "a.data", "-o", "a.csv"]).fails_with(&["a.csv", "sinew convert"]);
    folder.run(&["encode", "a.data", "-o", "-", "--json"]).fails_with(&["--json"]);
    assert_eq!(folder.names(), ["a.data", "table.csv"]);
}

#[test]
fn every_effort_keeps_a_bound_in_millimetres() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(40), DataMode::Named);
    for effort in ["fast", "balanced", "max"] {
        let args = ["encode", "a.data", "-o", "a.sinew", "--force", "--error-mm", "2", "--effort", effort];
        folder.run(&args).exits(0);
        folder.run(&["compare", "a.data", "a.sinew", "--within-mm", "2"]).exits(0);
        let info = folder.run(&["info", "a.sinew", "--json"]).exits(0).json();
        assert_eq!((&info["bounds"]["mm"], &info["effort"]), (&2.0.into(), &effort.into()));
        assert!(info["bounds"]["muscle"].is_null(), "{info}");
    }
}

#[test]
fn the_guid_travels_along() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(3), DataMode::Named);
    folder.run(&["encode", "a.data", "-o", "a.sinew"]).exits(0);
    assert_eq!(folder.run(&["info", "a.sinew", "--json"]).exits(0).json()["guid"], GUID);
}
