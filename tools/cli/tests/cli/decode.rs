//! `sinew decode`.

use crate::support::{Folder, humanoid};
use sinew::data::DataMode;

fn encoded(mode: DataMode) -> Folder {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(40), mode);
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--lossless"]).exits(0);
    folder
}

#[test]
fn mode_and_guid_of_the_source_come_back_byte_for_byte() {
    for mode in [DataMode::Named, DataMode::Nameless] {
        let folder = encoded(mode);
        let run = folder.run(&["decode", "a.sinew", "-o", "b.data"]).exits(0);
        assert_eq!(folder.read("a.data"), folder.read("b.data"));
        assert!(run.text().contains("40 frames") && run.stderr.is_empty(), "{}", run.stderr);
    }
}

#[test]
fn another_mode_can_be_asked_for() {
    let folder = encoded(DataMode::Nameless);
    folder.run(&["decode", "a.sinew", "-o", "named.data", "--mode", "named"]).exits(0);
    let json = folder.run(&["info", "named.data", "--json"]).exits(0).json();
    assert_eq!(json["mode"], "named");
    folder.run(&["compare", "a.data", "named.data"]).exits(0);
    folder.run(&["decode", "named.data", "-o", "x.data"]).fails_with(&["named.data", "not .sinew"]);
}

#[test]
fn other_formats_are_told_by_extension_or_by_option() {
    let folder = encoded(DataMode::Named);
    folder.run(&["decode", "a.sinew", "-o", "a.csv"]).exits(0);
    folder.run(&["decode", "a.sinew", "-o", "a.npy"]).exits(0);
    folder.run(&["decode", "a.sinew", "-o", "table", "--to", "csv"]).exits(0);
    assert_eq!(folder.read("a.csv"), folder.read("table"));
    folder.run(&["decode", "a.sinew", "-o", "out"]).fails_with(&["out", "--to"]);
    folder.run(&["decode", "a.sinew", "-o", "b.sinew"]).fails_with(&["sinew convert"]);
    let json = folder.run(&["decode", "a.sinew", "-o", "b.csv", "--json"]).exits(0).json();
    assert_eq!((&json["format"], &json["frames"]), (&"csv".into(), &40.into()));
    assert_eq!(json["losses"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_damaged_file_is_an_error_with_its_place() {
    let folder = encoded(DataMode::Named);
    let mut bytes = folder.read("a.sinew");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    folder.write("bad.sinew", &bytes);
    folder.run(&["decode", "bad.sinew", "-o", "b.data"]).fails_with(&["bad.sinew", "byte"]);
    folder.write("cut.sinew", &bytes[..middle]);
    folder.run(&["decode", "cut.sinew", "-o", "b.data"]).fails_with(&["cut.sinew"]);
    assert!(!folder.path("b.data").exists());
}
