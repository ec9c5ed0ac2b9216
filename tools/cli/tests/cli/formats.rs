//! `.csv` and `.npy` as other programs write them.

use crate::support::{Folder, humanoid};
use sinew::data::DataMode;

/// A NumPy file of version 1.
fn array(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn a_table_in_any_order_and_spelling_is_the_same_clip() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(4), DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.csv"]).exits(0);
    let text = String::from_utf8(folder.read("a.csv")).expect("text");
    let turned: Vec<String> = text
        .lines()
        .map(|line| line.split(',').rev().collect::<Vec<_>>().join(";"))
        .map(|line| line.replace("LeftHand.Thumb.1 Stretched", "Left Thumb 1 Stretched").replace(';', ","))
        .collect();
    folder.write("turned.csv", format!("\u{feff}{}\r\n", turned.join("\r\n")));
    folder.run(&["compare", "a.data", "turned.csv"]).exits(0);
}

#[test]
fn faults_of_a_table_name_line_and_column() {
    let folder = Folder::new();
    let cases = [
        ("time,Jaw Close\n0,1\n1,0,5\n", vec!["line 3", "3 fields where the header has 2"]),
        ("time,Jaw Close\n0,1\n1,abc\n", vec!["line 3, column 2", "abc", "Jaw Close"]),
        ("time,Jaw Close,Jaw Close\n", vec!["line 1, column 3"]),
        ("Jaw Close\n0\n", vec!["--fps"]),
        ("time,RootT.x\n", vec!["RootT.y"]),
        ("", vec!["empty"]),
    ];
    for (text, parts) in cases {
        folder.write("bad.csv", text);
        let mut expected = vec!["bad.csv"];
        expected.extend(parts);
        folder.run(&["info", "bad.csv"]).fails_with(&expected);
        folder.run(&["convert", "bad.csv", "out.data"]).fails_with(&expected);
        assert!(!folder.path("out.data").exists());
    }
}

#[test]
fn a_table_or_array_without_times_takes_the_rate_that_is_given() {
    let folder = Folder::new();
    folder.write("a.csv", "Jaw Close\n0\n0.5\n1\n");
    let data: Vec<u8> = (0..3 * 95).flat_map(|i| (i as f32).to_le_bytes()).collect();
    folder.write("a.npy", array("<f4", "(3, 95)", &data));
    for input in ["a.csv", "a.npy"] {
        folder.run(&["info", input]).fails_with(&["--fps"]);
        folder.run(&["convert", input, "out.sinew", "--fps", "50", "--force"]).exits(0);
        let json = folder.run(&["info", "out.sinew", "--json"]).exits(0).json();
        assert_eq!((&json["frames"], &json["duration_s"]), (&3.into(), &0.04.into()), "{input}");
    }
}

#[test]
fn an_array_keeps_its_times_beside_it() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(5), DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.npy"]).exits(0);
    assert_eq!(folder.names(), ["a.data", "a.npy", "a.times.npy"]);
    let (main, times) = (folder.read("a.npy"), folder.read("a.times.npy"));
    assert!(String::from_utf8_lossy(&main).contains("(5, 95") && main.len() == 128 + 5 * 95 * 4);
    assert!(String::from_utf8_lossy(&times).contains("'<f4'") && times.len() == 128 + 5 * 4);
    folder.write("b.csv", "time,Jaw Close\n0.1,0\n0.2,1\n");
    folder.run(&["convert", "b.csv", "b.npy"]).exits(0);
    assert!(String::from_utf8_lossy(&folder.read("b.times.npy")).contains("'<f8'"));
    let stream = folder.run(&["convert", "b.csv", "-", "--to", "npy"]).exits(0);
    assert!(stream.stderr.contains("times") && stream.stdout.starts_with(b"\x93NUMPY"), "{}", stream.stderr);
    // Neither of the two files is written over.
    std::fs::remove_file(folder.path("b.npy")).expect("removed");
    folder.run(&["convert", "b.csv", "b.npy"]).fails_with(&["b.times.npy", "--force"]);
    assert!(!folder.path("b.npy").exists());
}

#[test]
fn hostile_arrays_are_refused() {
    let folder = Folder::new();
    let files = [
        ("huge.npy", array("<f4", "(99999999999999, 95)", &[]), "the file ends here"),
        ("flat.npy", array("<f4", "(95,)", &[0; 380]), "dimensions"),
        ("whole.npy", array("<i8", "(1, 95)", &[0; 760]), "<i8"),
        ("deep.npy", array("<f4", &"(".repeat(500), &[]), "plain array"),
    ];
    for (name, bytes, part) in files {
        folder.write(name, bytes);
        folder.run(&["convert", name, "out.data", "--fps", "60"]).fails_with(&[name, part]);
    }
}

#[test]
fn a_unity_clip_keeps_values_times_and_name() {
    let folder = Folder::new();
    let clip = humanoid(5);
    folder.write_data("a.data", &clip, DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.anim", "--name", "Wave Left"]).exits(0);
    let text = String::from_utf8(folder.read("a.anim")).expect("text");
    assert!(text.contains("\n  m_Name: Wave Left\n") && text.matches("    attribute: ").count() == 2 * 95);
    // Content tells the format, whatever the name says.
    folder.write("b.txt", &text);
    folder.run(&["convert", "b.txt", "b.sinew"]).exits(0);
    folder.run(&["compare", "a.data", "b.sinew"]).exits(0);
    folder.run(&["convert", "b.sinew", "b.anim"]).exits(0);
    assert_eq!(folder.read("a.anim"), folder.read("b.anim"));
    folder.run(&["convert", "a.anim", "c.data", "--guid", crate::support::GUID]).exits(0);
    assert_eq!(folder.read("a.data"), folder.read("c.data"));
    let run = folder.run(&["convert", "a.anim", "d.csv", "--fps", "100"]).exits(0);
    assert!(run.stderr.contains("sampled at 100") && !run.stderr.contains("resampled"), "{}", run.stderr);
}

#[test]
fn a_unity_clip_that_would_be_wrong_is_not_written() {
    let folder = Folder::new();
    for (name, clip) in crate::support::odd_clips() {
        folder.write_data(&format!("{name}.data"), &clip, DataMode::Nameless);
    }
    folder.run(&["convert", "special.data", "a.anim"]).fails_with(&[".anim: frame 1, component 0", "NaN"]);
    folder.run(&["convert", "backwards.data", "a.anim", "--strict"]).exits(1);
    assert!(!folder.path("a.anim").exists());
    let run = folder.run(&["convert", "backwards.data", "a.anim"]).exits(0);
    assert!(run.stderr.contains("3 dropped of 7 frames"), "{}", run.stderr);
    folder.write("generic.anim", "%YAML 1.1\nAnimationClip:\n  m_FloatCurves: []\n  m_SampleRate: 60\n");
    folder.run(&["info", "generic.anim"]).fails_with(&["generic.anim", "generic clip, 0 muscles"]);
}

/// A generic clip of one turning joint.
const GENERIC: &str = "%YAML 1.1\nAnimationClip:\n  m_Name: Turn\n  m_EulerCurves:\n  - curve:\n      m_Curve:\n      - time: \
                       0\n        value: {x: 0, y: 0, z: 0}\n        outSlope: {x: 0, y: -18, z: 0}\n      - time: 40\n        value: \
                       {x: 0, y: -720, z: 0}\n        inSlope: {x: 0, y: -18, z: 0}\n    path: Root/Dancer\n  m_SampleRate: 60\n";

#[test]
fn a_generic_clip_goes_where_skeletons_can_be() {
    let folder = Folder::new();
    folder.write("turn.anim", GENERIC);
    folder.run(&["convert", "turn.anim", "a.data"]).fails_with(&["generic clip, 0 muscles", "no rest pose"]);
    assert!(!folder.path("a.data").exists());
    folder.run(&["convert", "turn.anim", "a.sinew", "--strict"]).exits(0);
    folder.run(&["convert", "a.sinew", "b.anim", "--strict"]).exits(0);
    folder.run(&["compare", "turn.anim", "b.anim"]).exits(0);
    for name in ["a.csv", "a.npy", "a.unitypackage"] {
        folder.run(&["convert", "turn.anim", name]).exits(0);
    }
    folder.run(&["compare", "turn.anim", "a.unitypackage"]).exits(0);
    folder.run(&["convert", "turn.anim", "ten.csv", "--fps", "10"]).exits(0);
    let text = String::from_utf8(folder.read("ten.csv")).expect("text");
    assert!(text.starts_with("time,Root/Dancer.localEulerAngles.x,"), "{}", &text[..80]);
    assert!(text.contains("\n10.0,0.0,-180.0,0.0\n") && text.ends_with(",0.0,-720.0,0.0\n"));
}

#[test]
fn a_unity_package_holds_a_clip_and_one_of_several_is_chosen() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(5), DataMode::Nameless);
    folder.run(&["convert", "a.data", "Wave.unitypackage"]).exits(0);
    // Content tells the format, whatever the name says, and the clip has the file's name.
    std::fs::rename(folder.path("Wave.unitypackage"), folder.path("b.txt")).expect("renamed");
    let run = folder.run(&["convert", "b.txt", "back.data", "--asset", "Wave"]).exits(0);
    assert!(run.stderr.contains("Assets/Wave.anim"), "{}", run.stderr);
    folder.run(&["compare", "a.data", "back.data"]).exits(0);
    folder.run(&["convert", "b.txt", "c.data", "--asset", "Jump"]).fails_with(&[
        "no clip",
        "Jump",
        "Wave.anim",
    ]);
    let run = folder.run(&["convert", "a.data", "c.sinew", "--asset", "Jump"]).exits(0);
    assert!(run.stderr.contains(".data holds one clip: --asset changes nothing"), "{}", run.stderr);
}

#[test]
fn curves_are_as_asked_for_and_only_where_there_are_any() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(50), DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.anim", "--tangents", "clamped-auto"]).exits(0);
    let text = String::from_utf8(folder.read("a.anim")).expect("text");
    assert!(text.contains("tangentMode: 136"));
    let run = folder.run(&["convert", "a.data", "b.anim", "--reduce", "0.5"]).exits(0);
    assert!(
        run.stderr.contains("loss: keys left out: ") && run.stderr.contains("largest error"),
        "{}",
        run.stderr
    );
    let reduced = String::from_utf8(folder.read("b.anim")).expect("text");
    assert!(reduced.matches("tangentMode").count() < text.matches("tangentMode").count());
    folder.run(&["convert", "a.data", "c.anim", "--reduce", "0.5", "--strict"]).exits(1);
    for (option, value) in [("--tangents", "linear"), ("--reduce", "0")] {
        let run = folder.run(&["convert", "a.data", "a.csv", option, value, "--force"]).exits(0);
        let told = format!(".csv has no keyed curves: {option} changes nothing");
        assert!(run.stderr.contains(&told), "{}", run.stderr);
    }
    folder.run(&["convert", "a.data", "d.anim", "--reduce=-1"]).misuses("0 or more");
    folder.run(&["convert", "a.data", "d.anim", "--tangents", "round"]).misuses("clamped-auto");
}
