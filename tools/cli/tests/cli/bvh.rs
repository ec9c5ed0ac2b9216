//! Skeletons in `.bvh`, by every verb.

use crate::support::{Folder, humanoid};
use sinew::data::DataMode;

/// A skeleton of two joints that turns past 180 degrees and walks.
pub fn walk(frames: usize) -> String {
    let mut text = "HIERARCHY\nROOT mixamorig:Hips\n{\n\tOFFSET 0 95.5 0
\tCHANNELS 4 Xposition Zrotation Xrotation Yrotation\n\tJOINT Left Leg\n\t{\n\t\tOFFSET 8 -4 0
\t\tCHANNELS 1 Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -40 0\n\t\t}\n\t}\n}\n"
        .to_owned();
    text += &format!("MOTION\nFrames: {frames}\nFrame Time: 0.033333333333333333\n");
    for frame in 0..frames {
        let wrapped = (frame * 7 + 170) % 360;
        let turned = if wrapped > 180 { wrapped as f32 - 360.0 } else { wrapped as f32 };
        let step = frame as f32;
        text += &format!("{} {turned} {} 0 {}\n", step * 0.37, (step * 0.1).sin() * 30.0, step * 0.01);
    }
    text
}

#[test]
fn a_skeleton_comes_back_from_every_ring() {
    let folder = Folder::new();
    folder.write("a.bvh", walk(90));
    for ring in [&["a.bvh", "b.sinew", "c.bvh"][..], &["a.bvh", "d.bvh", "e.sinew", "f.bvh"]] {
        for step in ring.windows(2) {
            let run = folder.run(&["convert", step[0], step[1]]).exits(0);
            assert!(run.stderr.is_empty(), "{}", run.stderr);
        }
        folder.run(&["compare", "a.bvh", ring[ring.len() - 1]]).exits(0);
    }
    folder.run(&["decode", "b.sinew", "-o", "g.bvh"]).exits(0);
    assert!(folder.read("c.bvh") == folder.read("f.bvh") && folder.read("c.bvh") == folder.read("g.bvh"));
    let run = folder.run_with(&["convert", "-", "-", "--to", "bvh"], walk(90).as_bytes()).exits(0);
    assert!(run.stdout == folder.read("c.bvh"));
}

#[test]
fn numbers_have_a_point_in_every_locale() {
    let folder = Folder::new();
    folder.write("a.bvh", walk(10));
    folder.run(&["convert", "a.bvh", "plain.bvh"]).exits(0);
    let mut command = folder.command(&["convert", "a.bvh", "french.bvh"]);
    assert!(command.env("LC_ALL", "fr_FR.UTF-8").output().expect("runs").status.success());
    assert!(folder.read("plain.bvh") == folder.read("french.bvh"));
}

#[test]
fn info_tells_of_joints_and_channels() {
    let folder = Folder::new();
    folder.write("a.bvh", walk(31));
    let json = folder.run(&["info", "a.bvh", "--json"]).exits(0).json();
    assert_eq!((&json["format"], &json["frames"], &json["tracks"]), (&"bvh".into(), &31.into(), &5.into()));
    assert_eq!((&json["joints"], &json["channels"], &json["muscles"]), (&3.into(), &5.into(), &0.into()));
    assert_eq!((json["duration_s"].as_f64(), json["mean_fps"].as_f64()), (Some(1.0), Some(30.0)));
    let text = folder.run(&["info", "a.bvh"]).exits(0).text();
    assert!(text.contains("5 (5 channels of 3 joints)"), "{text}");
    folder.write_data("a.data", &humanoid(3), DataMode::Named);
    let json = folder.run(&["info", "a.data", "--json"]).exits(0).json();
    assert_eq!((&json["joints"], &json["channels"]), (&serde_json::Value::Null, &0.into()));
}

#[test]
fn bounds_of_angles_and_positions_are_asked_for_and_kept() {
    let folder = Folder::new();
    folder.write("a.bvh", walk(300));
    let args =
        ["encode", "a.bvh", "-o", "a.sinew", "--error-rot", "0.5", "--error-pos", "0.125", "--error", "1e-9"];
    folder.run(&args).exits(0);
    let json = folder.run(&["compare", "a.bvh", "a.sinew", "--json"]).exits(1).json();
    let worst = |field: &str| json[field]["value"].as_f64().expect("a number");
    assert!((0.25..=0.5).contains(&worst("max_channel_deg")), "{json}");
    assert!((0.05..=0.125).contains(&worst("max_channel_position")), "{json}");
    assert_eq!(json["max_channel_position"]["track"], "mixamorig:Hips.Xposition");
    let text = folder.run(&["compare", "a.bvh", "a.sinew"]).exits(1).text();
    assert!(text.contains("\nangles         ") && text.contains(", in the file's unit\n"), "{text}");
    let text = folder.run(&["info", "a.sinew"]).exits(0).text();
    assert!(text.contains("angles 0.5 degrees, positions 0.125, times"), "{text}");
    // A skeleton has no muscles to judge.
    folder.run(&["compare", "a.bvh", "a.sinew", "--within", "1"]).fails_with(&["there is no muscle track"]);
}

#[test]
fn resampling_turns_the_shorter_way() {
    let folder = Folder::new();
    folder.write("a.bvh", walk(31));
    folder.run(&["convert", "a.bvh", "b.csv", "--fps", "120"]).exits(0);
    let text = String::from_utf8(folder.read("b.csv")).expect("text");
    let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
    let column = header.iter().position(|name| *name == "mixamorig:Hips.Zrotation").expect("a column");
    let angles: Vec<f64> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(column).expect("a field").parse().expect("a number"))
        .collect();
    assert_eq!(angles.len(), 121);
    // Seven degrees a frame, four times as many frames, whole turns aside.
    for pair in angles.windows(2) {
        assert!(((pair[1] - pair[0]).rem_euclid(360.0) - 1.75).abs() < 1e-4, "{pair:?}");
    }
}

#[test]
fn miscounted_and_cut_files_are_refused_and_recovered() {
    let folder = Folder::new();
    let text = walk(20);
    folder.write("cut.bvh", &text[..text.len() - 10]);
    folder.run(&["convert", "cut.bvh", "out.sinew"]).fails_with(&["cut.bvh", "line 38: frame 19"]);
    let run = folder.run(&["recover", "cut.bvh", "-o", "out.bvh"]).exits(0);
    assert!(run.stderr.contains("Frames says 20; 19 whole frames are kept"), "{}", run.stderr);
    folder.write("few.bvh", text.replace("Frames: 20", "Frames: 21"));
    folder
        .run(&["info", "few.bvh"])
        .fails_with(&["Frames says 21, but the motion has 20 frames", "sinew recover"]);
    folder.run(&["recover", "few.bvh", "-o", "out.sinew"]).exits(0);
    folder.write("a.bvh", &text);
    folder.run(&["compare", "a.bvh", "out.sinew"]).exits(0);
}

#[test]
fn a_file_of_something_else_is_known_by_its_first_line() {
    let folder = Folder::new();
    folder.write("path.bvh", format!("C:\\a.bvh\n{}", walk(1)));
    folder.run(&["info", "path.bvh"]).fails_with(&["not a BVH: expected HIERARCHY at line 1"]);
}

#[test]
fn what_is_neither_skeleton_nor_humanoid_is_refused() {
    let folder = Folder::new();
    folder.write("a.csv", "time,blink\n0,0.5\n1,1\n");
    folder.run(&["convert", "a.csv", "a.bvh"]).fails_with(&["a.bvh"]);
    assert!(!folder.path("a.bvh").exists());
}
