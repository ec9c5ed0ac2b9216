//! `sinew info`.

use crate::support::{Folder, GUID, data_bytes, humanoid, odd_clips};
use serde_json::Value;
use sinew::data::DataMode;

const FIELDS: [&str; 15] = [
    "format",
    "mode",
    "version",
    "frames",
    "tracks",
    "duration_s",
    "mean_fps",
    "min_dt_s",
    "max_dt_s",
    "bytes",
    "bits_per_value",
    "fidelity",
    "effort",
    "root",
    "irregular",
];

#[test]
fn every_field_is_there_for_every_format() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(61), DataMode::Named);
    for other in ["a.sinew", "a.csv", "a.npy"] {
        folder.run(&["convert", "a.data", other]).exits(0);
    }
    for file in ["a.data", "a.sinew", "a.csv", "a.npy"] {
        let json = folder.run(&["info", file, "--json"]).exits(0).json();
        for field in FIELDS {
            assert!(json.get(field).is_some(), "{file} has no {field}");
        }
        assert_eq!(json["bytes"], folder.read(file).len());
        assert_eq!(
            (&json["frames"], &json["tracks"], &json["root"]),
            (&61.into(), &95.into(), &false.into())
        );
        assert_eq!(json["irregular"], true);
        let parts: u64 =
            json["parts"].as_array().expect("a list").iter().filter_map(|p| p["bytes"].as_u64()).sum();
        let all_told = file == "a.data" || file == "a.sinew";
        assert_eq!(parts, if all_told { json["bytes"].as_u64().expect("a number") } else { 0 }, "{file}");
        let text = folder.run(&["info", file]).exits(0).text();
        assert!(text.contains("irregular") && text.contains("61"), "{text}");
    }
    let sinew = folder.run(&["info", "a.sinew", "--json"]).exits(0).json();
    assert_eq!((&sinew["fidelity"], &sinew["effort"]), (&"lossless".into(), &"balanced".into()));
    assert!(sinew["version"].is_u64());
    let data = folder.run(&["info", "a.data", "--json"]).exits(0).json();
    assert_eq!((&data["mode"], &data["guid"], &data["exact"]), (&"named".into(), &GUID.into(), &true.into()));
    assert!(data["version"].is_null() && data["fidelity"].is_null());
}

#[test]
fn stages_are_told_when_asked_and_add_up_to_the_motion() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(61), DataMode::Nameless);
    folder.run(&["encode", "a.data", "-o", "a.sinew"]).exits(0);
    let plain = folder.run(&["info", "a.sinew", "--json"]).exits(0).json();
    assert_eq!(plain["stages"], serde_json::json!([]));
    let json = folder.run(&["info", "a.sinew", "--stages", "--json"]).exits(0).json();
    let sum = |rows: &Value, part: &str, name: &str| {
        let rows = rows.as_array().expect("a list").iter().filter(|row| row[name] == part);
        rows.filter_map(|row| row["bytes"].as_u64()).sum::<u64>()
    };
    for part in ["torso", "left fingers"] {
        let bytes = sum(&json["parts"], part, "name");
        assert!(bytes > 0 && sum(&json["stages"], part, "part") == bytes, "{part}: {json}");
    }
    let text = folder.run(&["info", "a.sinew", "--stages"]).exits(0).text();
    assert!(text.contains("torso: masks") && text.contains("residuals, level 0"), "{text}");
    // Another format has parts, but no stages.
    let data = folder.run(&["info", "a.data", "--stages", "--json"]).exits(0).json();
    assert_eq!(data["stages"], serde_json::json!([]));
}

#[test]
fn the_rate_is_that_of_the_whole_span() {
    let folder = Folder::new();
    let clip = humanoid(61);
    folder.write_data("a.data", &clip, DataMode::Nameless);
    let json = folder.run(&["info", "a.data", "--json"]).exits(0).json();
    let span = clip.times.span_s();
    assert_eq!(json["duration_s"], span);
    assert_eq!(json["mean_fps"], 60.0 / span);
}

#[test]
fn uniform_times_have_one_step_and_bytes_add_up() {
    let folder = Folder::new();
    let mut clip = humanoid(61);
    clip.times = sinew::Times::Uniform { start_s: 12_345.6, frame_s: 0.02, frames: 61 };
    for (name, config) in [
        ("lossless.sinew", sinew::EncodeConfig::lossless()),
        ("bounded.sinew", sinew::EncodeConfig::default().with_naming(sinew::Naming::Named)),
    ] {
        let bytes = sinew::encode(&clip, &config).expect("encodable");
        folder.write(name, &bytes);
        let json = folder.run(&["info", name, "--json"]).exits(0).json();
        assert_eq!((&json["min_dt_s"], &json["max_dt_s"]), (&0.02.into(), &0.02.into()));
        assert_eq!((&json["mean_fps"], &json["duration_s"]), (&50.0.into(), &1.2.into()));
        assert_eq!((&json["irregular"], &json["backward_steps"]), (&false.into(), &0.into()));
        let parts = json["parts"].as_array().expect("a list");
        assert_eq!(parts.iter().filter_map(|part| part["bytes"].as_u64()).sum::<u64>(), bytes.len() as u64);
        let bits = 8.0 * bytes.len() as f64 / (61.0 * 95.0);
        assert!((json["bits_per_value"].as_f64().expect("a number") - bits).abs() < 1e-9);
    }
}

#[test]
fn clips_without_tracks_or_frames_have_no_figure_that_is_none() {
    let folder = Folder::new();
    for (name, text) in [("a.csv", "time\n"), ("b.csv", "time\n1\n"), ("c.csv", "time\n1\n1\n1\n")] {
        folder.write(name, text);
        for step in [
            vec!["info", name],
            vec!["info", name, "--json"],
            vec!["encode", name, "-o", "x.sinew", "--force"],
            vec!["encode", name, "-o", "x.sinew", "--force", "--json"],
            vec!["info", "x.sinew"],
            vec!["info", "x.sinew", "--json"],
            vec!["compare", name, "x.sinew"],
            vec!["compare", name, "x.sinew", "--json"],
            vec!["decode", "x.sinew", "-o", "y.csv", "--force"],
            vec!["convert", name, "y.data", "--force", "--mode", "named", "--json"],
            vec!["convert", name, "y.sinew", "--force", "--fps", "30"],
            vec!["recover", "x.sinew", "-o", "z.sinew", "--force", "--json"],
            vec!["bench", name, "--quick", "--lossless-only"],
            vec!["bench", name, "--quick", "--lossless-only", "--json"],
        ] {
            let run = folder.run(&step).exits(0);
            let text = run.text() + &run.stderr;
            assert!(!text.contains("NaN") && !text.contains("inf ") && !text.contains(" inf"), "{text}");
            if step.contains(&"--json") {
                run.json();
            }
        }
    }
}

#[test]
fn times_and_bounds_at_the_ends_of_f64_stay_short() {
    let folder = Folder::new();
    folder.write("wide.csv", "time,Jaw Close\n-1e308,0\n1e308,1\n");
    folder.write("narrow.csv", "time,Jaw Close\n0,0\n1e-320,1\n");
    folder.write("huge.csv", "time,Jaw Close\n0,0\n1e300,1\n");
    for name in ["wide.csv", "narrow.csv", "huge.csv"] {
        let bounds =
            ["encode", name, "-o", "a.sinew", "--force", "--error", "1e-300", "--error-time", "1e-320"];
        folder.run(&bounds).exits(0);
        for file in [name, "a.sinew"] {
            let text = folder.run(&["info", file]).exits(0).text();
            assert!(!text.contains("inf ") && text.lines().all(|line| line.len() < 150), "{text}");
            let json = folder.run(&["info", file, "--json"]).exits(0).json();
            assert_eq!(json["duration_s"].is_null(), name == "wide.csv");
        }
        let text = folder.run(&["bench", name, "--quick", "--lossless-only"]).exits(0).text();
        assert!(!text.contains("inf ") && !text.contains("inf,"), "{text}");
    }
    folder.run(&["convert", "wide.csv", "b.sinew", "--fps", "30"]).fails_with(&["too many frames"]);
    let run = folder.run(&["convert", "huge.csv", "b.sinew", "--fps", "1e-300"]).exits(0);
    assert!(run.stderr.contains("from 2 to 2 frames at 1e-300 per second"), "{}", run.stderr);
}

#[test]
fn what_a_file_says_of_itself_commands_no_terminal() {
    let folder = Folder::new();
    let mut clip = humanoid(3);
    clip.tracks.push(sinew::Track::new("a\n\u{1b}[2Jb", sinew::TrackKind::Scalar));
    clip.samples.push(vec![5.0, 1.0, -3.0]);
    clip.meta.insert(sinew::META_GUID.into(), "g\u{1b}[31m\nframes".into());
    folder.write("a.sinew", sinew::encode(&clip, &sinew::EncodeConfig::lossless()).expect("encodable"));
    clip.samples[95][1] = 9.0;
    folder.write("b.sinew", sinew::encode(&clip, &sinew::EncodeConfig::lossless()).expect("encodable"));
    let lossy = ["encode", "a.sinew", "-o", "c.sinew", "--error-extra", "0.3", "--error", "1e-6"];
    for (args, code, part) in [
        (vec!["info", "a.sinew"], 0, "g\\u{1b}[31m\\nframes"),
        (vec!["compare", "a.sinew", "b.sinew"], 1, "a\\n\\u{1b}[2Jb"),
        (lossy.to_vec(), 0, "a\\n\\u{1b}[2Jb"),
        (vec!["convert", "a.sinew", "a.csv"], 0, "g\\u{1b}[31m\\nframes"),
    ] {
        let run = folder.run(&args).exits(code);
        let text = run.text() + &run.stderr;
        assert!(text.contains(part) && !text.contains('\u{1b}'), "{text}");
    }
}

#[test]
fn clips_of_no_and_one_frame_have_no_rate() {
    for (name, clip) in odd_clips().into_iter().take(2) {
        let folder = Folder::new();
        folder.write_data("a.data", &clip, DataMode::Nameless);
        let run = folder.run(&["info", "a.data", "--json"]).exits(0);
        let json = run.json();
        assert_eq!(json["duration_s"], 0.0, "{name}");
        for field in ["mean_fps", "min_dt_s", "max_dt_s"] {
            assert_eq!(json[field], Value::Null, "{name} {field}");
        }
        let text = folder.run(&["info", "a.data"]).exits(0).text();
        assert!(text.contains("unknown") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}

#[test]
fn odd_times_and_values_are_counted() {
    let folder = Folder::new();
    let clips = odd_clips();
    folder.write_data("backwards.data", &clips[2].1, DataMode::Nameless);
    let json = folder.run(&["info", "backwards.data", "--json"]).exits(0).json();
    assert_eq!((&json["backward_steps"], &json["equal_steps"]), (&1.into(), &2.into()));
    folder.write_data("special.data", &clips[3].1, DataMode::Nameless);
    let json = folder.run(&["info", "special.data", "--json"]).exits(0).json();
    assert_eq!(json["non_finite"], 3);
    assert!(json["outside_percent"].as_f64().is_some_and(|percent| percent > 0.0));
}

#[test]
fn trailing_bytes_are_told() {
    let folder = Folder::new();
    let mut bytes = data_bytes(&humanoid(10), DataMode::Nameless);
    bytes.extend([1, 2, 3]);
    folder.write("a.data", &bytes);
    let json = folder.run(&["info", "a.data", "--json"]).exits(0).json();
    assert_eq!((&json["frames"], &json["exact"]), (&10.into(), &false.into()));
    assert!(json["notes"][0].as_str().is_some_and(|note| note.contains("3 trailing bytes")), "{json}");
    for output in ["b.data", "b.sinew", "b.csv"] {
        let run = folder.run(&["convert", "a.data", output]).exits(0);
        assert!(run.stderr.contains("a.data: note: 3 trailing bytes"), "{}", run.stderr);
        assert_eq!(run.stderr.matches("trailing").count(), 1);
    }
    assert!(folder.run(&["encode", "a.data", "-o", "c.sinew"]).exits(0).stderr.contains("3 trailing bytes"));
}

#[test]
fn standard_input_is_told_apart_by_content() {
    let folder = Folder::new();
    let bytes = data_bytes(&humanoid(3), DataMode::Named);
    let json = folder.run_with(&["info", "-", "--json"], &bytes).exits(0).json();
    assert_eq!((&json["format"], &json["bytes"]), (&"data".into(), &bytes.len().into()));
    folder.run_with(&["info", "-"], b"").fails_with(&["standard input", "empty"]);
    folder.run_with(&["info", "-"], b"PK\x03\x04").fails_with(&["standard input", "format"]);
}

#[test]
fn what_cannot_be_read_is_one_line() {
    let folder = Folder::new();
    folder.run(&["info", "missing.data"]).fails_with(&["missing.data", "No such file"]);
    folder.write("empty.data", "");
    folder.run(&["info", "empty.data"]).fails_with(&["empty.data", "empty"]);
    folder.write("nil.data", [0xc0]);
    folder.run(&["info", "nil.data"]).fails_with(&["nil.data"]);
    folder.run(&["info", "line\nfeed.data"]).fails_with(&["line\\nfeed.data"]);
    std::fs::create_dir(folder.path("folder.data")).expect("a folder");
    folder.run(&["info", "folder.data"]).fails_with(&["folder.data"]);
}
