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
    // 61 frames over 1.5628 s, 18 to 30 ms apart.
    let mut times: Vec<f32> =
        (0..61).map(|frame| 0.024 + frame as f32 * 0.026 + (frame % 3) as f32 * 0.002).collect();
    times[60] = 0.024 + 1.5628;
    let mut clip = humanoid_at(&times);
    clip.samples[0] = times.clone();
    folder.write_data("a.data", &clip, DataMode::Nameless);
    let run = folder.run(&["convert", "a.data", "b.sinew", "--fps", "30"]).exits(0);
    assert!(run.stderr.contains("from 61 to 47 frames") && run.stderr.contains("29.47 ms"), "{}", run.stderr);
    let resampled: Clip = sinew::decode(&folder.read("b.sinew")).expect("decodable");
    assert_eq!(resampled.frames(), 47);
    for frame in 0..resampled.frames() {
        let expected = f64::from(times[0]) + frame as f64 / 30.0;
        assert!((resampled.times.get(frame).expect("a time") - expected).abs() < 1e-9);
        assert!((f64::from(resampled.samples[0][frame]) - expected).abs() < 1e-6, "frame {frame}");
    }
    let json = folder.run(&["info", "b.sinew", "--json"]).exits(0).json();
    assert!((json["mean_fps"].as_f64().expect("a rate") - 30.0).abs() < 1e-6);
    assert_eq!(json["irregular"], false);
    for fps in ["0", "-30", "nan", "inf"] {
        folder.run(&["convert", "a.data", "c.sinew", "--fps", fps]).misuses("--fps");
    }
}

#[test]
fn resampling_ends_with_the_last_frame_where_it_reaches_it() {
    let folder = Folder::new();
    let clip = humanoid_at(&[0.0, 0.5, 1.0]);
    folder.write_data("a.data", &clip, DataMode::Nameless);
    folder.run(&["convert", "a.data", "b.sinew", "--fps", "30", "--strict"]).exits(0);
    let resampled = sinew::decode(&folder.read("b.sinew")).expect("decodable");
    assert_eq!(resampled.frames(), 31);
    assert!(resampled.samples.iter().zip(&clip.samples).all(|(new, old)| new[30] == old[2]));
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
fn losses_of_a_recording_are_told_apart_from_remarks() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(3), DataMode::Nameless);
    let mut other = folder.read("a.data");
    // The last frame gets another GUID: its text follows the frame's header.
    let at = other.len() - 712 + 3;
    other[at] = b'f';
    folder.write("guids.data", &other);
    let run = folder.run(&["convert", "guids.data", "b.sinew"]).exits(0);
    assert!(run.stderr.contains("guids.data: loss: 1 frame (frame 2) with another GUID"), "{}", run.stderr);
    let json = folder.run(&["convert", "guids.data", "c.sinew", "--strict", "--json"]).exits(1).json();
    assert_eq!((&json["written"], json["losses"].as_array().map(Vec::len)), (&false.into(), Some(1)));
    assert!(!folder.path("c.sinew").exists());
    // Bytes after the recording are none of the clip's.
    folder.write("more.data", [folder.read("a.data"), vec![0; 3]].concat());
    folder.run(&["convert", "more.data", "d.sinew", "--strict"]).exits(0);
    // One value as float64 that float32 cannot hold.
    let mut rounded = folder.read("a.data");
    let last = rounded.split_off(rounded.len() - 5);
    assert_eq!(last[0], 0xca);
    rounded.extend([&[0xcb][..], &0.1f64.to_be_bytes()].concat());
    folder.write("rounded.data", &rounded);
    let run = folder.run(&["convert", "rounded.data", "e.sinew", "--strict"]).exits(1);
    assert!(run.stderr.contains("values rounded to float32: 1"), "{}", run.stderr);
}

#[test]
fn metadata_that_a_recording_cannot_hold_is_a_loss() {
    let folder = Folder::new();
    let mut clip = humanoid(3);
    clip.meta.insert("actor".into(), "A".into());
    clip.meta.insert("take".into(), "7".into());
    folder.write("a.sinew", sinew::encode(&clip, &sinew::EncodeConfig::lossless()).expect("encodable"));
    let run = folder.run(&["convert", "a.sinew", "a.data"]).exits(0);
    assert!(
        run.stderr.contains("loss: metadata cannot be stored") && run.stderr.contains("\"actor\", \"take\"")
    );
    folder.run(&["convert", "a.sinew", "b.data", "--strict"]).exits(1);
    assert!(!folder.path("b.data").exists());
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
    folder
        .run(&["convert", "a.data", "a.csv", "--to", "zip"])
        .misuses("data, anim, unitypackage, bvh, vrma, plask.json, three.json, muscles.json, csv");
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
