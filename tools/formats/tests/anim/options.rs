//! What a writer is asked: tangents and key reduction.

use crate::support::{anim_of, anim_with, document, humanoid, read_text};
use sinew::{Clip, Times, Track, TrackKind};
use sinew_formats::unity_anim::{AnimOptions, Tangents};
use sinew_formats::{Format, WriteOptions, write};

const SMOOTH: AnimOptions = AnimOptions { tangents: Tangents::ClampedAuto, reduce: None };

/// A humanoid of 600 frames at 60 Hz whose muscles swing slowly, and a still one.
fn slow() -> Clip {
    let times: Vec<f32> = (0..600).map(|frame| frame as f32 / 60.0).collect();
    let mut clip = humanoid(&times);
    for (muscle, samples) in clip.samples.iter_mut().enumerate() {
        for (sample, time) in samples.iter_mut().zip(&times) {
            *sample = 0.8 * (time * (0.5 + 0.01 * muscle as f32) + muscle as f32).sin();
        }
    }
    clip.samples[7].fill(0.25);
    clip
}

#[test]
fn plateaus_stay_plateaus_and_peaks_are_not_passed() {
    let times = [0.0, 1.0 / 60.0, 2.0 / 60.0, 0.5, 0.5167, 1.0f32];
    let mut clip = Clip::empty(vec![Track::new("Jaw Close", TrackKind::Scalar)]);
    clip.times = Times::Explicit(times.iter().map(|&time| f64::from(time)).collect());
    clip.samples = vec![vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0]];
    for options in [AnimOptions::default(), SMOOTH] {
        let curve = &document(&anim_with(&clip, options).0).expect("readable").float_curves[0];
        assert_eq!((curve.evaluate(0.25), curve.evaluate(0.75)), ([1.0], [0.0]));
        let mut values = (0..=10_000).map(|step| curve.evaluate(f64::from(step) / 10_000.0)[0]);
        assert!(values.all(|value| (0.0..=1.0).contains(&value)), "{options:?}");
    }
}

#[test]
fn smooth_clips_keep_their_frames() {
    let clip = slow();
    let (text, notes) = anim_with(&clip, SMOOTH);
    assert_eq!(notes, []);
    assert!(text.contains("tangentMode: 136") && !text.contains("tangentMode: 69"));
    let loaded = read_text(&text, None).expect("readable");
    assert!(loaded.clip.bits_equal(&clip));
    let slope = document(&text).expect("readable").float_curves[0].keys[1].out_slope[0];
    let [a, b, c] = [0, 1, 2].map(|frame| f64::from(clip.samples[0][frame]));
    // Neighbouring rises of like size: the mean of their slopes.
    assert!((f64::from(slope) - 30.0 * ((b - a) + (c - b))).abs() < 1e-4, "{slope}");
}

#[test]
fn fewer_keys_are_asked_for_and_measured() {
    let clip = slow();
    let frames = clip.frames();
    assert!(anim_of(&clip).1.is_empty());
    for tangents in [Tangents::Linear, Tangents::ClampedAuto] {
        let options = AnimOptions { tangents, reduce: Some(0.002) };
        let (text, notes) = anim_with(&clip, options);
        let document = document(&text).expect("readable");
        let keys: usize = document.float_curves.iter().map(|curve| curve.keys.len()).sum();
        assert!(keys < 95 * frames / 7 && document.float_curves[7].keys.len() == 2, "{tangents:?}: {keys}");
        let mut largest = 0.0f64;
        for (curve, samples) in document.float_curves.iter().zip(&clip.samples) {
            assert_eq!(
                (curve.keys[0].value[0], curve.keys[curve.keys.len() - 1].value[0]),
                (samples[0], samples[599])
            );
            for (time_s, sample) in clip.times.iter().zip(samples) {
                largest = largest.max((curve.evaluate(time_s)[0] - f64::from(*sample)).abs());
            }
        }
        let start = format!("keys left out: {keys} of {} are written; largest error ", 95 * frames);
        let told = notes.iter().find_map(|note| note.text.strip_prefix(&start)).expect("a note");
        let (told, place) = told.split_once(' ').expect("an error and its place");
        let told: f64 = told.parse().expect("a number");
        assert!(largest <= told + 1e-12 && told <= 0.002 && told > 0.0005, "{largest} {told}");
        assert!(place.starts_with('(') && place.contains(" at "), "{place}");
        // Read back, the curves are sampled at the rate of the frames.
        let back = read_text(&text, None).expect("readable").clip;
        assert_eq!(back.frames(), frames);
        for (before, after) in clip.samples.iter().zip(&back.samples) {
            assert!(before.iter().zip(after).all(|(a, b)| (a - b).abs() <= 0.002 + 1e-5));
        }
    }
}

#[test]
fn without_tolerance_only_what_is_needless_goes() {
    let clip = slow();
    let (text, notes) = anim_with(&clip, AnimOptions { reduce: Some(0.0), ..AnimOptions::default() });
    let document = document(&text).expect("readable");
    assert_eq!(document.float_curves[7].keys.len(), 2);
    assert!(notes[0].is_loss() && notes[0].text.ends_with("largest error 0e0"), "{notes:?}");
}

#[test]
fn tolerances_that_are_none_are_refused() {
    for reduce in [-1.0, f64::NAN, f64::INFINITY] {
        let anim = AnimOptions { reduce: Some(reduce), ..AnimOptions::default() };
        let options = WriteOptions { anim, ..WriteOptions::default() };
        let mut bytes = Vec::new();
        assert!(write(&slow(), Format::Anim, &options, &mut bytes, &mut |_| {}).is_err());
        assert!(bytes.is_empty());
    }
}
