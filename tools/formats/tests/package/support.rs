//! Building and reading packages.

use flate2::Compression;
use flate2::write::GzEncoder;
use sinew::{Clip, Times};
use sinew_formats::unity_anim::META_NAME;
use sinew_formats::{Format, Loaded, Note, ReadOptions, Result, WriteOptions, read_from, write};
use std::io::Write;

pub fn guid(number: u32) -> String {
    format!("{number:032x}")
}

/// A humanoid whose values differ in every muscle and frame.
pub fn humanoid(frames: usize) -> Clip {
    let values: Vec<[f32; 95]> = (0..frames)
        .map(|frame| std::array::from_fn(|muscle| (0.37 * frame as f32 + muscle as f32).sin()))
        .collect();
    let times = (0..frames).map(|frame| f64::from(frame as f32 / 60.0)).collect();
    Clip::from_muscle_frames(&values, Times::Explicit(times)).expect("a clip")
}

/// A clip's text.
pub fn anim_named(name: &str) -> Vec<u8> {
    let mut clip = humanoid(3);
    clip.meta.insert(META_NAME.into(), name.into());
    let mut bytes = Vec::new();
    write(&clip, Format::Anim, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    bytes
}

pub fn packed(clip: &Clip, options: WriteOptions) -> (Vec<u8>, Vec<Note>) {
    let mut bytes = Vec::new();
    let notes = write(clip, Format::UnityPackage, &options, &mut bytes, &mut |_| {}).expect("writable");
    (bytes, notes)
}

pub fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).expect("a Vec takes any bytes");
    encoder.finish().expect("a Vec takes any bytes")
}

/// An archive of files: folder, name and content of each.
pub fn archive(files: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (folder, name, content) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        archive
            .append_data(&mut header, format!("{folder}/{name}"), *content)
            .expect("a Vec takes any bytes");
    }
    archive.into_inner().expect("a Vec takes any bytes")
}

pub fn package(files: &[(&str, &str, &[u8])]) -> Vec<u8> {
    gzip(&archive(files))
}

pub fn read(bytes: &[u8]) -> Result<Loaded> {
    with_asset(bytes, None)
}

pub fn read_asset(bytes: &[u8], asset: &str) -> Result<Loaded> {
    with_asset(bytes, Some(asset))
}

fn with_asset(mut bytes: &[u8], asset: Option<&str>) -> Result<Loaded> {
    let options = ReadOptions { asset: asset.map(Into::into), ..ReadOptions::default() };
    read_from(&mut bytes, Some(Format::UnityPackage), None, &options, &mut |_| {})
}

#[track_caller]
pub fn refused(bytes: &[u8], asset: Option<&str>, part: &str) {
    let error = with_asset(bytes, asset).map(|loaded| loaded.notes).expect_err("refused").to_string();
    assert!(error.contains(part), "{part:?} is not in {error:?}");
}
