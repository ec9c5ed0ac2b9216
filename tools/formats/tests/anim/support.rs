//! Reading, writing and making clips for the tests of `.anim`.

use sinew::data::DataMode;
use sinew::{Clip, DecodeLimits, Times};
use sinew_formats::unity_anim::{AnimDocument, AnimOptions};
use sinew_formats::{Format, Loaded, Note, ReadOptions, Result, WriteOptions, read_from, write};

#[path = "../captures/mod.rs"]
mod real;
pub use real::captures;

/// Shortest file that holds a curve: its parts in order are keys, attribute and class.
pub fn file_of(curves: &str) -> String {
    format!(
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: t\n  m_FloatCurves:\n{curves}  \
         m_SampleRate: 60\n"
    )
}

/// An item of `m_FloatCurves`; keys are time, value and slope.
pub fn curve_of(attribute: &str, path: &str, class: i32, keys: &[(f32, f32, &str)]) -> String {
    let mut text = "  - curve:\n      serializedVersion: 2\n      m_Curve:\n".to_owned();
    for (time, value, slope) in keys {
        text += &format!(
            "      - serializedVersion: 2\n        time: {time}\n        value: {value}\n        inSlope: {slope}\n        outSlope: \
             {slope}\n        tangentMode: 0\n"
        );
    }
    text += &format!(
        "    attribute: {attribute}\n    path: {path}\n    classID: {class}\n    script: {{fileID: 0}}\n"
    );
    text
}

pub fn document(text: &str) -> Result<AnimDocument> {
    AnimDocument::read(&mut text.as_bytes(), &DecodeLimits::default())
}

#[track_caller]
pub fn refused(text: &str, part: &str) {
    let error = read_text(text, None).expect_err("refused").to_string();
    assert!(error.contains(part), "{part:?} is not in {error:?}");
}

pub fn read_text(text: &str, hz: Option<f64>) -> Result<Loaded> {
    let options = ReadOptions { hz, ..ReadOptions::default() };
    read_from(&mut text.as_bytes(), Some(Format::Anim), None, &options, &mut |_| {})
}

/// An item of a list of transforms' curves; keys are time, value and slope, the latter two as the file spells them.
pub fn transform_of(path: &str, keys: &[(f32, &str, &str)]) -> String {
    let mut text = "  - curve:\n      serializedVersion: 2\n      m_Curve:\n".to_owned();
    for (time, value, slope) in keys {
        text += &format!(
            "      - serializedVersion: 3\n        time: {time}\n        value: {value}\n        inSlope: {slope}\n        outSlope: \
             {slope}\n        tangentMode: 0\n"
        );
    }
    text + &format!(
        "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n    path: {path}\n"
    )
}

/// A file of lists of curves: the name of each and its items.
pub fn file_of_lists(head: &str, lists: &[(&str, &str)]) -> String {
    let mut text = format!("%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: t\n{head}");
    for (name, items) in lists {
        text += &format!("  {name}:\n{items}");
    }
    text + "  m_SampleRate: 60\n"
}

/// The clip as `.anim` text, and what was lost.
pub fn anim_of(clip: &Clip) -> (String, Vec<Note>) {
    anim_with(clip, AnimOptions::default())
}

/// The same with options.
pub fn anim_with(clip: &Clip, anim: AnimOptions) -> (String, Vec<Note>) {
    let mut bytes = Vec::new();
    let options = WriteOptions { anim, ..WriteOptions::default() };
    let notes = write(clip, Format::Anim, &options, &mut bytes, &mut |_| {}).expect("writable");
    (String::from_utf8(bytes).expect("text"), notes)
}

pub fn document_text(document: &AnimDocument) -> String {
    let mut bytes = Vec::new();
    document.write(&mut bytes).expect("writable");
    String::from_utf8(bytes).expect("text")
}

pub fn data_of(clip: &Clip, mode: DataMode) -> Vec<u8> {
    let mut bytes = Vec::new();
    sinew::data::write(clip, mode, &mut bytes).expect("writable");
    bytes
}

/// A humanoid whose values differ in every muscle and frame.
pub fn humanoid(times: &[f32]) -> Clip {
    let frames: Vec<[f32; 95]> = (0..times.len())
        .map(|frame| std::array::from_fn(|muscle| 1.3 * (0.37 * frame as f32 + muscle as f32).sin()))
        .collect();
    let times = Times::Explicit(times.iter().map(|&time| f64::from(time)).collect());
    Clip::from_muscle_frames(&frames, times).expect("a clip")
}
