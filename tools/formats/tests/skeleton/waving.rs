//! A real recording of muscles on the reference skeleton, as text, and back.

use crate::support::{bvh_clip, bvh_text, captures, muscle_difference, solved};
use sinew_formats::{Format, ReadOptions, read};

#[test]
fn a_recording_comes_back_from_text() {
    let Some(folder) = captures("muscle") else { return };
    let waving = read(&folder.join("waving.data"), Some(Format::Data), &ReadOptions::default());
    let waving = waving.expect("readable").clip;
    let (text, notes) = bvh_text(&waving);
    let frame_s = waving.times.span_s() / (waving.frames() - 1) as f64;
    assert!(text.contains(&format!("\nFrames: {}\n", waving.frames())));
    let line = text.lines().find_map(|line| line.strip_prefix("Frame Time: ")).expect("a frame time");
    assert!((line.parse::<f64>().expect("a number") - frame_s).abs() < 1e-9 * frame_s, "{line}");
    assert!(notes.iter().any(|note| note.text.contains("no root")), "{notes:?}");

    let file = bvh_clip(&text);
    assert_eq!(file.frames(), waving.frames());
    let (found, _) = solved(&file);
    let (off, at) = muscle_difference(&waving, &found);
    assert!(off < 1e-5, "{off} at {at}");
}
