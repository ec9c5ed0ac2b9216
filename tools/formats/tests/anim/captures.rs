//! Files that Unity wrote, and the recorder's sample capture.

use crate::support::{anim_of, captures, data_of, document, document_text};
use sinew::data::DataMode;
use sinew::{DecodeLimits, TrackKind};
use sinew_formats::unity_anim::{AnimDocument, Curve};
use std::collections::BTreeMap;

fn files() -> Vec<(String, String)> {
    let Some(folder) = captures("anim") else { return Vec::new() };
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "anim"))
        .map(|path| {
            (
                path.file_name().expect("a name").to_string_lossy().into(),
                std::fs::read_to_string(path).expect("text"),
            )
        })
        .collect();
    files.sort();
    assert!(files.len() >= 8, "{}", files.len());
    files
}

/// What all lines `name: ` of a text say, in order.
fn said<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    text.lines()
        .filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(name))
        .map(str::trim)
        .collect()
}

fn said_bits(text: &str, name: &str) -> Vec<u32> {
    said(text, name).into_iter().map(|number| number.parse::<f32>().expect("a number").to_bits()).collect()
}

#[test]
fn documents_hold_every_number_of_the_file_and_write_it_again() {
    for (name, text) in files() {
        let document = document(&text).expect("readable");
        assert!(document.left_out.is_empty(), "{name}: {:?}", document.left_out);
        let keys: Vec<_> = document
            .float_curves
            .iter()
            .chain(&document.editor_curves)
            .flat_map(|curve| &curve.keys)
            .collect();
        let bits = |of: fn(&sinew_formats::unity_anim::Key<1>) -> f32| -> Vec<u32> {
            keys.iter().map(|key| of(key).to_bits()).collect()
        };
        assert_eq!(bits(|key| key.time_s), said_bits(&text, "time: "), "{name}");
        assert_eq!(bits(|key| key.value[0]), said_bits(&text, "value: "), "{name}");
        assert_eq!(bits(|key| key.in_slope[0]), said_bits(&text, "inSlope: "), "{name}");
        assert_eq!(bits(|key| key.out_slope[0]), said_bits(&text, "outSlope: "), "{name}");
        assert_eq!(bits(|key| key.in_weight[0]), said_bits(&text, "inWeight: "), "{name}");
        assert_eq!(bits(|key| key.out_weight[0]), said_bits(&text, "outWeight: "), "{name}");

        let again = document_text(&document);
        let back = crate::support::document(&again).expect("readable");
        // Text tells -0 from 0, which comparing numbers would not.
        assert_eq!(format!("{back:?}"), format!("{document:?}"), "{name}");
    }
}

#[test]
fn written_files_are_unitys_byte_for_byte_but_for_the_order_of_bindings() {
    /// The lines before the bindings, the bindings sorted, and the lines after them.
    fn parts(text: &str) -> (&str, Vec<&str>, &str) {
        let (before, rest) = text.split_once("    genericBindings:\n").expect("bindings");
        let (bindings, after) = rest.split_once("    pptrCurveMapping").expect("an end");
        let mut items: Vec<&str> = bindings.split("    - serializedVersion: 2\n").collect();
        items.sort_unstable();
        (before, items, after)
    }
    for (name, text) in files() {
        let written = document_text(&document(&text).expect("readable"));
        // Later versions of Unity write the same fields in the same order, and nothing else differs.
        let (before, bindings, after) = parts(&written);
        let (before_unity, bindings_unity, after_unity) = parts(&text);
        assert!(before == before_unity, "{name}");
        assert_eq!(bindings, bindings_unity, "{name}");
        assert!(after == after_unity, "{name}");
    }
}

/// The Hermite polynomial, written down a second time.
fn hermite(curve: &Curve<1>, time_s: f64) -> f64 {
    let keys = &curve.keys;
    let seconds = |index: usize| f64::from(keys[index].time_s);
    if keys.len() == 1 || time_s <= seconds(0) {
        return f64::from(keys[0].value[0]);
    }
    let Some(to) = (1..keys.len()).find(|&index| time_s < seconds(index)) else {
        return f64::from(keys[keys.len() - 1].value[0]);
    };
    let (a, b) = (&keys[to - 1], &keys[to]);
    let step = seconds(to) - seconds(to - 1);
    let s = (time_s - seconds(to - 1)) / step;
    let (v0, v1) = (f64::from(a.value[0]), f64::from(b.value[0]));
    let (m0, m1) = (f64::from(a.out_slope[0]) * step, f64::from(b.in_slope[0]) * step);
    // Horner's form of the cubic through both ends with both slopes.
    v0 + s * (m0 + s * ((3.0 * (v1 - v0) - 2.0 * m0 - m1) + s * (2.0 * (v0 - v1) + m0 + m1)))
}

#[test]
fn clips_follow_the_curves() {
    for (name, text) in files() {
        let document = document(&text).expect("readable");
        let (clip, _) = document.to_clip(None, &DecodeLimits::default()).expect("humanoid");
        let curves: BTreeMap<&str, &Curve<1>> =
            document.float_curves.iter().map(|curve| (curve.binding.attribute.as_str(), curve)).collect();
        assert_eq!(clip.components(), curves.len(), "{name}");
        let mut first = 0;
        for track in &clip.tracks {
            let suffixes: &[&str] = if track.kind() == TrackKind::Scalar {
                &[""]
            } else {
                &[".x", ".y", ".z", ".w"][..track.components()]
            };
            for (frame, time_s) in clip.times.iter().enumerate() {
                let values: Vec<f64> = suffixes
                    .iter()
                    .map(|suffix| hermite(curves[format!("{}{suffix}", track.name()).as_str()], time_s))
                    .collect();
                let length = match track.kind() {
                    TrackKind::Rotation => values.iter().map(|value| value * value).sum::<f64>().sqrt(),
                    _ => 1.0,
                };
                for (component, value) in values.iter().enumerate() {
                    let found = f64::from(clip.samples[first + component][frame]);
                    assert!((found - value / length).abs() < 1e-6, "{name}: {} at {time_s}", track.name());
                }
            }
            first += track.components();
        }
        // The last instant is the last key's, and a rate that is asked for is the one used.
        let last_s = document
            .float_curves
            .iter()
            .filter_map(|curve| curve.keys.last())
            .fold(0.0f32, |last, key| last.max(key.time_s));
        let end_s = clip.times.iter().last().expect("a frame");
        assert!((end_s - f64::from(last_s)).abs() < 1e-6, "{name}");
        if clip.frames() > 1 {
            let (slow, _) = document.to_clip(Some(12.0), &DecodeLimits::default()).expect("humanoid");
            assert_eq!(slow.frames(), (f64::from(last_s) * 12.0 + 0.01).floor() as usize + 1, "{name}");
        }
    }
}

#[test]
fn the_sample_capture_comes_back_bit_for_bit() {
    let Some(path) = captures("muscle/waving.data") else { return };
    let bytes = std::fs::read(path).expect("readable");
    let file = sinew::data::read(bytes.as_slice()).expect("readable");
    let (text, _) = anim_of(&file.clip);
    let attributes: Vec<&str> = said(&text, "attribute: ").into_iter().take(95).collect();
    let muscles: Vec<&str> = sinew::MUSCLES.iter().map(|muscle| muscle.property).collect();
    assert_eq!(attributes, muscles);
    let document = AnimDocument::read(&mut text.as_bytes(), &DecodeLimits::default()).expect("readable");
    let (back, _) = document.to_clip(None, &DecodeLimits::default()).expect("humanoid");
    assert!(back.bits_equal(&file.clip));
    let mut clip = back;
    clip.meta = file.clip.meta.clone();
    assert!(data_of(&clip, DataMode::Named) == bytes);
}
