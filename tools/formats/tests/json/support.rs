//! Reading and writing for the tests of JSON, and motions to do it with.

use sinew::humanoid::Bone;
use sinew::{Clip, MUSCLES, Times, Track};
use sinew_formats::{
    Figure, FitOptions, Format, Loaded, Note, ReadOptions, Result, WriteOptions, fit, read_from, write,
};

#[path = "../captures/mod.rs"]
mod real;
pub use real::captures;

pub fn read_with(text: &[u8], options: &ReadOptions) -> Result<Loaded> {
    let mut reader = text;
    read_from(&mut reader, None, None, options, &mut |_| {})
}

/// The clip of a text whose kind its content tells.
#[track_caller]
pub fn loaded(text: &str) -> Loaded {
    read_with(text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The whole message of a text that is refused as a format.
#[track_caller]
pub fn refusal(format: Format, text: &[u8]) -> String {
    let mut reader = text;
    let read = read_from(&mut reader, Some(format), None, &ReadOptions::default(), &mut |_| {});
    let message = read.expect_err("refused").to_string();
    assert!(message.len() < 400, "{}", &message[..400]);
    message
}

/// A clip made what the format holds and written as it, with what was lost.
#[track_caller]
pub fn written(clip: &Clip, format: Format) -> (String, Vec<Note>) {
    let (clip, mut notes) =
        fit(clip.clone(), format, &FitOptions::default(), &mut |_| {}).expect("it can be held");
    let mut bytes = Vec::new();
    notes.extend(write(&clip, format, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable"));
    (String::from_utf8(bytes).expect("text"), notes)
}

/// The muscles of a clip.
#[track_caller]
pub fn solved(clip: Clip) -> (Clip, Vec<Note>) {
    let options = FitOptions { figure: Some(Figure::Humanoid), ..FitOptions::default() };
    fit(clip, Format::Sinew, &options, &mut |_| {}).expect("a human")
}

/// A walk on bent knees and elbows: muscles of the body, not of fingers, eyes and jaw, and a root.
pub fn walk(frames: usize) -> Clip {
    let mut tracks = Track::muscles();
    tracks.extend([Track::root_position(), Track::root_rotation()]);
    let mut clip = Clip::empty(tracks);
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 30.0, frames };
    let phase = |frame: usize| frame as f64 * 0.2;
    for (muscle, samples) in clip.samples[..95].iter_mut().enumerate() {
        let property = MUSCLES[muscle].property;
        let rest = match property {
            _ if property.ends_with("Lower Leg Stretch") => 0.3,
            _ if property.ends_with("Forearm Stretch") => 0.2,
            _ => 0.0,
        };
        let reach = if is_of_plask_body(muscle) { 0.25 } else { 0.0 };
        samples.extend((0..frames).map(|frame| (rest + reach * (phase(frame) + muscle as f64).sin()) as f32));
    }
    for frame in 0..frames {
        let (x, turn) = (0.03 * frame as f64, 0.1 * phase(frame).sin());
        let values = [0.1 * x, 0.95 + 0.02 * phase(frame).sin(), x, 0.0, turn.sin(), 0.0, turn.cos()];
        clip.samples[95..].iter_mut().zip(values).for_each(|(samples, value)| samples.push(value as f32));
    }
    clip
}

/// Whether a muscle turns one of Plask's bones that is no finger.
pub fn is_of_plask_body(muscle: usize) -> bool {
    let (bone, _) = Bone::of_muscle(muscle).expect("every muscle turns a bone");
    muscle < 55 && !matches!(bone, Bone::LeftEye | Bone::RightEye | Bone::Jaw)
}

/// The largest difference of the samples of two clips' tracks of one name, and the track.
pub fn largest_difference(a: &Clip, b: &Clip, wanted: impl Fn(usize) -> bool) -> (f32, String) {
    let mut worst = (0.0, String::new());
    for ((track, component), samples) in a.component_tracks().zip(&a.samples) {
        let name = a.tracks[track].name();
        if a.tracks[track].muscle_index().is_some_and(|muscle| !wanted(muscle)) {
            continue;
        }
        let at = b
            .component_tracks()
            .position(|(other, of_other)| b.tracks[other].name() == name && of_other == component)
            .unwrap_or_else(|| panic!("no {name}"));
        for (x, y) in samples.iter().zip(&b.samples[at]) {
            let off = (x - y).abs();
            // NaN is no small difference.
            if off > worst.0 || off.is_nan() {
                worst = (off, name.to_owned());
            }
        }
    }
    worst
}
