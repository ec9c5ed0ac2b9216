//! `sinew convert`: rings through all formats, resampling, modes, losses.

use crate::support::{Folder, GUID, humanoid, humanoid_at, humanoid_with_root, odd_clips};
use sinew::data::DataMode;
use sinew::{Clip, MUSCLES};

#[test]
fn a_ring_through_all_formats_keeps_samples_and_times() {
    let mut clips = odd_clips();
    clips.push(("irregular", humanoid(50)));
    for (name, clip) in clips {
        let folder = Folder::new();
        folder.write_data("a.data", &clip, DataMode::Named);
        let ring = ["a.data", "b.csv", "c.sinew", "d.npy", "e.csv", "f.npy", "g.data", "h.sinew", "i.data"];
        for pair in ring.windows(2) {
            folder.run(&["convert", pair[0], pair[1]]).exits(0);
            folder.run(&["compare", "a.data", pair[1]]).exits(0);
        }
        let options = ["convert", "i.data", "j.data", "--mode", "named", "--guid", GUID];
        folder.run(&options).exits(0);
        if clip.frames() > 0 {
            assert_eq!(folder.read("a.data"), folder.read("j.data"), "{name}");
        }
    }
}

#[test]
fn named_from_nameless_has_the_property_names() {
    let folder = Folder::new();
    folder.write_data("short.data", &humanoid(2), DataMode::Nameless);
    folder.run(&["convert", "short.data", "long.data", "--mode", "named"]).exits(0);
    let long = sinew::data::read(folder.read("long.data").as_slice()).expect("readable");
    let names: Vec<&str> = long.clip.tracks.iter().map(|track| track.name()).collect();
    assert_eq!(names, MUSCLES.map(|muscle| muscle.property));
    let text = String::from_utf8_lossy(&folder.read("long.data")).into_owned();
    assert_eq!(text.matches("LeftHand.Thumb.1 Stretched").count(), 2);
    folder.run(&["convert", "long.data", "again.data", "--mode", "nameless"]).exits(0);
    assert_eq!(folder.read("short.data"), folder.read("again.data"));
}

#[test]
fn resampling_goes_by_time() {
    let folder = Folder::new();
    let times: Vec<f32> = humanoid(61).times.iter().map(|time| time as f32).collect();
    let mut clip = humanoid_at(&times);
    clip.samples[0] = times.clone();
    folder.write_data("a.data", &clip, DataMode::Nameless);
    let run = folder.run(&["convert", "a.data", "b.sinew", "--fps", "30"]).exits(0);
    assert!(run.stderr.contains("resampled"), "{}", run.stderr);
    let resampled: Clip = sinew::decode(&folder.read("b.sinew")).expect("decodable");
    let span = f64::from(times[60]) - f64::from(times[0]);
    assert_eq!(resampled.frames(), (span * 30.0).round() as usize + 1);
    for frame in 0..resampled.frames() - 1 {
        let expected = f64::from(times[0]) + frame as f64 / 30.0;
        assert!((resampled.times.get(frame).expect("a time") - expected).abs() < 1e-9);
        assert!((f64::from(resampled.samples[0][frame]) - expected).abs() < 1e-6, "frame {frame}");
    }
    assert_eq!(resampled.samples[0].last(), times.last());
    let json = folder.run(&["info", "b.sinew", "--json"]).exits(0).json();
    assert!((json["mean_fps"].as_f64().expect("a rate") - 30.0).abs() < 1e-6);
    assert_eq!(json["irregular"], false);
    for fps in ["0", "-30", "nan", "inf"] {
        folder.run(&["convert", "a.data", "c.sinew", "--fps", fps]).misuses("--fps");
    }
}

#[test]
fn resampling_counts_frames_that_go_back() {
    let folder = Folder::new();
    folder.write_data("a.data", &odd_clips().remove(2).1, DataMode::Nameless);
    let run = folder.run(&["convert", "a.data", "b.data", "--fps", "60"]).exits(0);
    assert!(run.stderr.contains("3 frames whose time does not move forward"), "{}", run.stderr);
    assert_eq!(folder.run(&["info", "b.data", "--json"]).exits(0).json()["frames"], 4);
    folder.run(&["convert", "a.data", "c.data", "--fps", "60", "--strict"]).exits(1);
}

#[test]
fn losses_are_told_and_strict_refuses_them() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(5), DataMode::Named);
    let run = folder.run(&["convert", "a.data", "a.csv"]).exits(0);
    assert!(run.stderr.contains(GUID) && run.stderr.contains("mode is named"), "{}", run.stderr);
    let run = folder.run(&["convert", "a.data", "b.csv", "--strict"]).exits(1);
    assert!(run.stderr.contains("--strict") && run.stdout.is_empty(), "{}", run.stderr);
    assert!(!folder.path("b.csv").exists());
    let stream = folder.run(&["convert", "a.data", "-", "--to", "csv", "--strict"]).exits(1);
    assert!(stream.stdout.is_empty());
    let json = folder.run(&["convert", "a.data", "b.csv", "--strict", "--json"]).exits(1).json();
    assert_eq!((&json["written"], json["losses"].as_array().map(Vec::len)), (&false.into(), Some(2)));
    folder.run(&["convert", "a.data", "a.sinew", "--strict"]).exits(0);
    folder.run(&["convert", "a.sinew", "b.data", "--strict"]).exits(0);
    assert_eq!(folder.read("a.data"), folder.read("b.data"));
    assert_eq!(folder.names(), ["a.csv", "a.data", "a.sinew", "b.data"]);
}

#[test]
fn root_motion_stays_where_it_can_and_is_reported_where_it_cannot() {
    let folder = Folder::new();
    let clip = humanoid_with_root(30);
    folder.write("a.sinew", sinew::encode(&clip, &sinew::EncodeConfig::lossless()).expect("encodable"));
    folder.run(&["convert", "a.sinew", "a.csv"]).exits(0);
    folder.run(&["compare", "a.sinew", "a.csv"]).exits(0);
    let header = String::from_utf8(folder.read("a.csv")).expect("text");
    let header = header.lines().next().expect("a header").to_owned();
    assert!(
        header.starts_with("time,Spine Front-Back,") && header.ends_with("RootQ.z,RootQ.w,blink"),
        "{header}"
    );
    let run = folder.run(&["convert", "a.sinew", "a.data", "--mode", "nameless"]).exits(0);
    assert!(run.stderr.contains("root motion cannot be stored"), "{}", run.stderr);
    let run = folder.run(&["convert", "a.sinew", "a.npy"]).exits(0);
    assert!(run.stderr.contains("names and kinds of 98 tracks"), "{}", run.stderr);
    let back = folder.run(&["info", "a.npy", "--json"]).exits(0).json();
    assert_eq!((&back["tracks"], &back["muscles"]), (&103.into(), &95.into()));
}

#[test]
fn formats_can_be_named_for_streams_and_odd_extensions() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(3), DataMode::Nameless);
    let data = folder.read("a.data");
    let csv = folder.run_with(&["convert", "-", "-", "--to", "csv"], &data).exits(0);
    let again = folder.run_with(&["convert", "-", "-", "--to", "data", "--guid", GUID], &csv.stdout).exits(0);
    assert_eq!(again.stdout, data);
    folder.run(&["convert", "a.data", "-"]).fails_with(&["--to"]);
    folder.run(&["convert", "a.data", "a.xyz"]).fails_with(&["a.xyz", "--to"]);
    folder.run(&["convert", "a.data", "a.csv", "--to", "zip"]).misuses("data, csv");
    folder.run(&["convert", "a.data", "a.csv", "--from", "csv"]).fails_with(&["a.data", ".csv"]);
    folder.run(&["convert", "a.data", "a.csv", "--guid", "x"]).misuses("--guid");
    folder.write("wrong.csv", &data);
    let run = folder.run(&["convert", "wrong.csv", "b.data"]).exits(0);
    assert!(run.stderr.contains("read as .data"), "{}", run.stderr);
}

#[test]
fn the_mode_of_a_sinew_output_is_the_one_asked_for() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(3), DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.sinew", "--mode", "named"]).exits(0);
    assert_eq!(folder.run(&["info", "a.sinew", "--json"]).exits(0).json()["mode"], "named");
    folder.run(&["convert", "a.sinew", "b.sinew"]).exits(0);
    assert_eq!(folder.run(&["info", "b.sinew", "--json"]).exits(0).json()["mode"], "named");
    folder.run(&["decode", "b.sinew", "-o", "b.data"]).exits(0);
    assert_eq!(folder.run(&["info", "b.data", "--json"]).exits(0).json()["mode"], "named");
}
