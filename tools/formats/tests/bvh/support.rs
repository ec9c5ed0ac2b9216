//! Reading, writing and making skeletons for the tests of `.bvh`.

use sinew::{Clip, EncodeConfig, Joint, JointAxis, Rig, Times, Track, TrackKind};
use sinew_formats::{
    Format, Loaded, Note, ReadOptions, Result, WriteOptions, read_from, recover_from, write,
};

#[path = "../captures/mod.rs"]
mod real;
pub use real::captures;

pub fn read_bytes(bytes: &[u8]) -> Result<Loaded> {
    let mut reader = bytes;
    read_from(&mut reader, Some(Format::Bvh), None, &ReadOptions::default(), &mut |_| {})
}

pub fn recover_bytes(bytes: &[u8]) -> Result<Loaded> {
    let mut reader = bytes;
    recover_from(&mut reader, Some(Format::Bvh), None, &ReadOptions::default(), &mut |_| {})
}

/// The clip of a file about which there is nothing to say.
#[track_caller]
pub fn clip_of(text: &str) -> Clip {
    let loaded = read_bytes(text.as_bytes()).expect("readable");
    assert_eq!(loaded.notes, []);
    loaded.clip.validate().expect("valid");
    loaded.clip
}

/// The whole message of a file that is refused.
#[track_caller]
pub fn refusal(text: &str) -> String {
    read_bytes(text.as_bytes()).expect_err("refused").to_string()
}

/// The clip as `.bvh` text, and what was lost.
#[track_caller]
pub fn bvh_of(clip: &Clip) -> (String, Vec<Note>) {
    let mut bytes = Vec::new();
    let notes =
        write(clip, Format::Bvh, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    (String::from_utf8(bytes).expect("text"), notes)
}

/// The same clip after `.sinew` without loss.
pub fn through_sinew(clip: &Clip) -> Clip {
    sinew::decode(&sinew::encode(clip, &EncodeConfig::lossless()).expect("valid")).expect("own file")
}

#[track_caller]
pub fn assert_same(a: &Clip, b: &Clip) {
    assert!(a.bits_equal(b), "samples, times or names differ");
    let offsets = |clip: &Clip| -> Vec<[u32; 3]> {
        let rig = clip.rig.as_ref().expect("a rig");
        rig.joints.iter().map(|joint| joint.offset.map(f32::to_bits)).collect()
    };
    // Bits tell -0 from 0.
    assert_eq!((&a.rig, offsets(a)), (&b.rig, offsets(b)));
    assert_eq!(a.times, b.times);
}

pub fn joint(name: &str, parent: Option<usize>, axes: &[JointAxis]) -> Joint {
    Joint { name: name.into(), parent, offset: [0.0, 1.5, -0.25], axes: axes.to_vec() }
}

/// A skeleton clip of these joints whose values are all different.
pub fn skeleton(joints: Vec<Joint>, frames: usize) -> Clip {
    let rig = Rig { joints };
    let names = (0..rig.channels()).map(|n| format!("channel{n}"));
    let mut clip = Clip::empty(names.map(|name| Track::new(&name, TrackKind::Scalar)).collect());
    for (number, samples) in clip.samples.iter_mut().enumerate() {
        samples.extend((0..frames).map(|frame| (number * 100 + frame) as f32 / 7.0));
    }
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 0.04, frames };
    clip.rig = Some(rig);
    clip
}

/// A file of one joint with this CHANNELS line, and what stands after the brace of its block.
pub fn file_of(channels: &str, motion: &str) -> String {
    format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS {channels}\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n{motion}"
    )
}

pub const SIX: &str = "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";

/// Name and bytes of every real capture.
pub fn capture_files() -> Vec<(String, Vec<u8>)> {
    let Some(folder) = captures("bvh") else { return Vec::new() };
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.display().to_string(), std::fs::read(path).expect("readable")))
        .filter(|(_, bytes)| bytes.starts_with(b"HIERARCHY"))
        .collect();
    files.sort();
    assert!(files.len() >= 29, "{}", files.len());
    files
}
