//! JSON on the command line: kinds by content and by name, legacy clips, folders, choices and refusals.

use crate::support::{Folder, humanoid};
use sinew::data::DataMode;

/// An answer of Plask with two motions: a turn of the head, and hips that walk and turn their tail.
const TWO: &str = r#"{"id":"x","workingtime":0,"result":[
 {"motionNumber":0,"trackData":[{"boneName":"head","fps":30,"property":"rotationQuaternion","transformKeys":[
  {"frame":0,"time":0,"value":[0,0,0,1]},{"frame":1,"time":0.5,"value":[0,0.6,0,0.8]}]}]},
 {"motionNumber":1,"trackData":[{"boneName":"hips","fps":30,"property":"position","transformKeys":[
  {"frame":0,"time":0,"value":[0.25,0.9,0]},{"frame":1,"time":1,"value":[0.5,0.9,2]}]},
  {"boneName":"tail","fps":30,"property":"rotationQuaternion","transformKeys":[{"frame":0,"time":0,"value":[0,0,0,1]}]}]}]}"#;

#[test]
fn every_json_is_known_by_its_content_and_written_by_its_name() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(5), DataMode::Named);
    for (kind, name) in
        [("plask.json", "a.json"), ("three.json", "a.three.json"), ("muscles.json", "a.muscles.json")]
    {
        folder.run(&["convert", "a.data", name]).exits(0);
        std::fs::rename(folder.path(name), folder.path("b.txt")).expect("renamed");
        let info = folder.run(&["info", "b.txt", "--json"]).exits(0).json();
        assert_eq!((&info["format"], &info["frames"]), (&kind.into(), &5.into()));
        let short = kind.strip_suffix(".json").expect("JSON");
        folder.run(&["convert", "b.txt", "back.data", "--from", short, "--force"]).exits(0);
        folder.run(&["convert", "a.data", "c.txt", "--to", short, "--name", "a", "--force"]).exits(0);
        assert!(folder.read("b.txt") == folder.read("c.txt"), "{kind}");
        let compared = folder.run(&["compare", "a.data", "back.data", "--within", "1e-5"]);
        // Plask has no fingers.
        compared.exits(i32::from(kind == "plask.json"));
    }
    folder.run(&["convert", "a.data", "a.muscles.json", "--strict"]).exits(0);
    folder.run(&["convert", "a.data", "refused.json", "--strict"]).exits(1);
    assert!(!folder.path("refused.json").exists());
    std::fs::create_dir(folder.path("in")).expect("a folder");
    folder.write("in/a.data", folder.read("a.data"));
    folder.run(&["convert", "in", "out", "--to", "three"]).exits(0);
    folder.run(&["convert", "out", "again", "--to", "data"]).exits(0);
    folder.run(&["compare", "a.data", "again/a.data", "--within", "1e-5"]).exits(0);
}

#[test]
fn a_motion_of_several_is_chosen() {
    let folder = Folder::new();
    folder.write("two.json", TWO);
    folder.run(&["info", "two.json"]).fails_with(&["two.json", "2 motions", "--asset", "\"0\", \"1\""]);
    let run = folder.run(&["convert", "two.json", "walk.bvh", "--asset", "1"]).exits(0);
    assert!(
        run.stderr.contains("the motion is \"1\" of 2") && run.stderr.contains("1 tracks beyond"),
        "{}",
        run.stderr
    );
    assert!(String::from_utf8(folder.read("walk.bvh")).expect("text").contains("ROOT hips"));
    folder.run(&["convert", "two.json", "x.data", "--asset", "2"]).fails_with(&["no motion is called \"2\""]);
}

#[test]
fn a_legacy_clip_has_the_keys_of_the_script() {
    let folder = Folder::new();
    folder.write("two.json", TWO);
    let run = folder
        .run(&["convert", "two.json", "Walk.anim", "--legacy", "--published-slopes", "--asset", "1"])
        .exits(0);
    assert!(run.stderr.contains("loss: 1 tracks that turn no bone"), "{}", run.stderr);
    let text = String::from_utf8(folder.read("Walk.anim")).expect("text");
    assert!(text.contains("m_Name: Walk\n") && text.contains("m_Legacy: 1\n"), "{text}");
    assert!(
        text.contains("time: 1\n        value: {x: 0.5, y: 0.9, z: 2}\n        inSlope: {x: 0, y: 0, z: 0}"),
        "{text}"
    );
    assert!(text.contains("path: mixamorig:Hips\n"), "{text}");
    folder.run(&["convert", "two.json", "m.anim", "--legacy", "--mirror-positions", "--asset", "1"]).exits(0);
    let text = String::from_utf8(folder.read("m.anim")).expect("text");
    assert!(
        text.contains("value: {x: -0.5, y: 0.9, z: 2}\n        inSlope: {x: -0.25, y: 0, z: 2}"),
        "{text}"
    );

    let args = ["convert", "two.json", "bones", "--legacy", "--per-bone", "--asset", "0"];
    let written = folder.run(&[&args[..], &["--json"]].concat()).exits(0).json();
    assert_eq!(
        (&written["format"], &written["tracks"], &written["frames"]),
        (&"anim".into(), &1.into(), &2.into())
    );
    let text = String::from_utf8(folder.read("bones/head.anim")).expect("text");
    assert!(text.contains("m_Name: head\n") && text.contains("path: \n"), "{text}");
    assert!(text.contains("value: {x: 0, y: -0.6, z: -0, w: 0.8}"), "{text}");
    folder.run(&args).fails_with(&["bones/head.anim", "--force"]);
    folder.run(&[&args[..], &["--force"]].concat()).exits(0);
}

#[test]
fn legacy_clips_are_refused_where_they_make_no_sense() {
    let folder = Folder::new();
    folder.write("two.json", TWO);
    folder.write_data("a.data", &humanoid(4), DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.bvh", "--legacy"]).fails_with(&["a.bvh", "--legacy writes .anim"]);
    folder.run(&["convert", "a.data", "a.anim", "--per-bone"]).misuses("--legacy");
    folder.run(&["convert", "a.data", "-", "--legacy", "--per-bone"]).fails_with(&["--per-bone"]);
    folder
        .run(&["convert", "a.data", "a.data", "--legacy", "--per-bone"])
        .fails_with(&["a.data", "is a file"]);
    let strict =
        folder.run(&["convert", "two.json", "s.anim", "--legacy", "--strict", "--asset", "1"]).exits(1);
    assert!(strict.stderr.contains("not written") && !folder.path("s.anim").exists(), "{}", strict.stderr);
    // Of any other clip the frames are the keys.
    folder.run(&["convert", "a.data", "a.anim", "--legacy"]).exits(0);
    let info = folder.run(&["info", "a.anim", "--json"]).exits(0).json();
    assert_eq!((&info["frames"], &info["tracks"]), (&4.into(), &25.into()));
    folder.run(&["convert", "a.data", "b.anim", "--legacy", "--fps", "120"]).exits(0);
}
