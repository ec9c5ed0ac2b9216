//! `sinew recover`.

use crate::support::{Folder, data_bytes, humanoid, odd_clips};
use sinew::data::DataMode;
use sinew::{Clip, EncodeConfig};

fn first_frames(clip: &Clip, frames: usize) -> Clip {
    let mut clip = clip.clone();
    clip.times = sinew::Times::Explicit(clip.times.iter().take(frames).collect());
    clip.samples.iter_mut().for_each(|values| values.truncate(frames));
    clip
}

#[test]
fn a_cut_recording_keeps_its_whole_frames() {
    let folder = Folder::new();
    let clip = humanoid(10);
    let bytes = data_bytes(&clip, DataMode::Nameless);
    let seven = data_bytes(&first_frames(&clip, 7), DataMode::Nameless).len();
    folder.write("cut.data", &bytes[..seven + 200]);
    folder.run(&["info", "cut.data"]).fails_with(&["cut.data", "7 of 10", "sinew recover"]);
    let run = folder.run(&["recover", "cut.data", "-o", "saved.data"]).exits(0);
    assert!(run.stderr.contains("7 of 10"), "{}", run.stderr);
    assert_eq!(folder.read("saved.data"), data_bytes(&first_frames(&clip, 7), DataMode::Nameless));
    let json = folder.run(&["recover", "cut.data", "-o", "saved.sinew", "--json"]).exits(0).json();
    assert_eq!(json["frames"], 7);
    folder.run(&["compare", "saved.data", "saved.sinew"]).exits(0);
}

#[test]
fn a_cut_container_keeps_its_whole_blocks() {
    let folder = Folder::new();
    let clip = humanoid(100);
    let bytes = sinew::encode(&clip, &EncodeConfig::lossless().with_block_frames(20)).expect("encodable");
    folder.write("cut.sinew", &bytes[..bytes.len() * 2 / 3]);
    folder.run(&["decode", "cut.sinew", "-o", "a.data"]).fails_with(&["cut.sinew"]);
    let run = folder.run(&["recover", "cut.sinew", "-o", "saved.sinew"]).exits(0);
    assert!(!run.stderr.is_empty());
    let saved = sinew::decode(&folder.read("saved.sinew")).expect("decodable");
    assert!(saved.frames() >= 20 && saved.frames().is_multiple_of(20), "{}", saved.frames());
    assert!(saved.bits_equal(&first_frames(&clip, saved.frames())));
}

#[test]
fn damage_inside_a_recording_costs_the_frames_that_it_touches() {
    let folder = Folder::new();
    let mut bytes = data_bytes(&humanoid(10), DataMode::Nameless);
    let length = bytes.len();
    bytes[length - 3 * 712 + 60..length - 3 * 712 + 90].fill(0xc1);
    folder.write("bad.data", &bytes);
    folder.run(&["info", "bad.data"]).fails_with(&["frame 7", "sinew recover"]);
    let run = folder.run(&["recover", "bad.data", "-o", "saved.data"]).exits(0);
    assert!(run.stderr.contains("1 of 10 frames lost") && run.stderr.contains("712 bytes passed over, once"));
    assert_eq!(folder.run(&["info", "saved.data", "--json"]).exits(0).json()["frames"], 9);
}

#[test]
fn nothing_saved_is_said_plainly() {
    let folder = Folder::new();
    let bytes = data_bytes(&humanoid(3), DataMode::Nameless);
    folder.write("cut.data", &bytes[..300]);
    let whole = sinew::encode(&humanoid(30), &EncodeConfig::lossless()).expect("encodable");
    folder.write("cut.sinew", &whole[..200]);
    for name in ["cut.data", "cut.sinew"] {
        let run = folder.run(&["recover", name, "-o", "saved.sinew", "--force"]).exits(0);
        assert!(run.stderr.contains(&format!("{name}: loss: 0 frames saved")), "{}", run.stderr);
    }
}

#[test]
fn a_recovered_file_names_its_tracks_as_it_did() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(600), DataMode::Nameless);
    folder.run(&["convert", "a.data", "a.sinew", "--mode", "named"]).exits(0);
    let whole = folder.read("a.sinew");
    folder.write("cut.sinew", &whole[..whole.len() - 9]);
    for name in ["a.sinew", "cut.sinew"] {
        folder.run(&["recover", name, "-o", "saved.sinew", "--force"]).exits(0);
        assert_eq!(folder.run(&["info", "saved.sinew", "--json"]).exits(0).json()["mode"], "named", "{name}");
    }
}

#[test]
fn a_whole_file_comes_through_without_a_word() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(5), DataMode::Named);
    folder.run(&["encode", "a.data", "-o", "a.sinew"]).exits(0);
    for (input, output) in [("a.data", "b.data"), ("a.sinew", "b.sinew")] {
        let run = folder.run(&["recover", input, "-o", output]).exits(0);
        assert!(run.stderr.is_empty(), "{}", run.stderr);
        folder.run(&["compare", input, output]).exits(0);
    }
    let stream = folder.run_with(&["recover", "-", "-o", "-"], &folder.read("a.data")).exits(0);
    assert_eq!(stream.stdout, folder.read("a.data"));
}

#[test]
fn odd_clips_come_through() {
    for (name, clip) in odd_clips() {
        let folder = Folder::new();
        folder.write_data("a.data", &clip, DataMode::Nameless);
        folder.run(&["recover", "a.data", "-o", "b.sinew"]).exits(0);
        folder.run(&["recover", "b.sinew", "-o", "c.data"]).exits(0);
        assert_eq!(folder.read("a.data"), folder.read("c.data"), "{name}");
    }
}

#[test]
fn what_is_no_recording_is_an_error() {
    let folder = Folder::new();
    folder.write("a.csv", "time,x\n0,1\n");
    folder.run(&["recover", "a.csv", "-o", "b.csv"]).fails_with(&["a.csv", "recover"]);
    folder.write("a.data", "rubbish");
    folder.run(&["recover", "a.data", "-o", "b.data"]).fails_with(&["a.data"]);
    folder.run(&["recover", "a.data", "-o", "b"]).fails_with(&["extension"]);
    assert_eq!(folder.names(), ["a.csv", "a.data"]);
}
