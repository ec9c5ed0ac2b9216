//! Cut and changed files of every format: an error or a clip, quickly, and never a panic.

use sinew::{Clip, Joint, JointAxis, Rig, Times, Track, TrackKind};
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, recover_from, write};

fn clip() -> Clip {
    let mut clip = Clip::empty(vec![
        Track::new("Jaw Close", TrackKind::Scalar),
        Track::root_position(),
        Track::new("a \"quoted\", name", TrackKind::Scalar),
    ]);
    clip.times = Times::Explicit(vec![0.0, 0.1, 0.05, 0.3]);
    clip.samples = (0..5).map(|i| (0..4).map(|frame| 0.1 * (i * frame) as f32 - 0.3).collect()).collect();
    clip
}

/// The same number of frames of a skeleton.
fn skeleton() -> Clip {
    let mut clip = Clip::empty(vec![
        Track::new("Hips.Xposition", TrackKind::Scalar),
        Track::new("Hips.Zrotation", TrackKind::Scalar),
    ]);
    let axes = vec![JointAxis::PositionX, JointAxis::RotationZ];
    clip.rig =
        Some(Rig { joints: vec![Joint { name: "Hips".into(), parent: None, offset: [0.5; 3], axes }] });
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 0.1, frames: 4 };
    clip.samples = vec![vec![0.5, -1.0, 2.0, 1e-5], vec![90.0, -180.0, 0.0, 7.25]];
    clip
}

/// The same number of keys of a bone.
fn keyed() -> Clip {
    let mut clip = Clip::empty(vec![Track::new("hips.position", TrackKind::Vector)]);
    clip.times = Times::Explicit(vec![0.0, 0.1, 0.25, 0.3]);
    clip.samples = vec![vec![0.5, -1.0, 2.0, 1e-5], vec![1.0; 4], vec![0.0, 0.5, 0.0, -0.5]];
    clip
}

fn bytes_of(format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = WriteOptions { mode: Some(sinew::data::DataMode::Named), ..WriteOptions::default() };
    let clip = match format {
        Format::Bvh => skeleton(),
        Format::Plask | Format::Three => keyed(),
        _ => clip(),
    };
    write(&clip, format, &options, &mut bytes, &mut |_| {}).expect("writable");
    bytes
}

/// Reads in every way; whatever is read is a valid clip.
fn try_all(bytes: &[u8], format: Format) {
    let options = ReadOptions { hz: Some(30.0), ..ReadOptions::default() };
    for asked in [Some(format), None] {
        for read in [read_from, recover_from] {
            let mut reader = bytes;
            if let Ok(loaded) = read(&mut reader, asked, None, &options, &mut |_| {}) {
                loaded.clip.validate().expect("valid");
            }
        }
    }
}

#[test]
fn cuts_and_changed_bytes_never_panic() {
    for &format in Format::ALL {
        let bytes = bytes_of(format);
        for length in 0..bytes.len() {
            try_all(&bytes[..length], format);
        }
        for at in 0..bytes.len() {
            for change in [0x01, 0x10, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                try_all(&changed, format);
            }
            for replacement in [b'9', b',', b'\n', b'"', b'('] {
                let mut changed = bytes.clone();
                changed[at] = replacement;
                try_all(&changed, format);
            }
        }
    }
}

#[test]
fn one_format_read_as_another_never_panics() {
    for &written in Format::ALL {
        let bytes = bytes_of(written);
        for &read in Format::ALL {
            try_all(&bytes, read);
        }
    }
}

#[test]
fn messages_are_short_however_long_the_text_is_that_they_quote() {
    let long = "x".repeat(1 << 20);
    let anim = |line: &str| {
        format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n{line}\n")
    };
    let files = [
        (Format::Csv, format!("time,a\n0,{long}\n")),
        (Format::Csv, format!("time,a\n{long},0\n")),
        (Format::Csv, format!("time,a\n0,{}\n", "9".repeat(1 << 20))),
        (Format::Csv, format!("time,a\n{},0\n", "9".repeat(1 << 20))),
        (Format::Csv, format!("time,{long}\n0,y\n")),
        (Format::Csv, format!("{long},{long}\n")),
        (Format::Csv, format!("{long}\n0\n")),
        (Format::Npy, format!("\u{93}NUMPY{long}")),
        (Format::Anim, anim(&format!("  m_SampleRate: {}", &long[10..]))),
        (Format::Anim, anim(&format!("  m_SampleRate: 0.{}", "9".repeat(1 << 19)))),
        (Format::Anim, anim(&format!("  m_SampleRate: {}", "9".repeat(1 << 19)))),
        (Format::Anim, anim(&format!("  m_FloatCurves: {}", &long[30..]))),
        (Format::Anim, anim(&format!("  m_FloatCurves:\n  - curve:\n      {}: 1", &long[30..]))),
        (Format::Anim, anim(&format!("  m_Name: '{}", &long[30..]))),
        (Format::Anim, format!("%YAML 1.1\n%TAG !u!\n--- !u!1 &1\n{}:\n", &long[30..])),
    ];
    for (format, text) in files {
        let start = &text[..40];
        let error = read_from(&mut text.as_bytes(), Some(format), None, &ReadOptions::default(), &mut |_| {});
        let error = error.expect_err(start).to_string();
        assert!(error.len() < 400, "{start}: {} bytes: {}", error.len(), &error[..400]);
    }
}

#[test]
fn notes_are_short_however_long_the_metadata_is() {
    let mut clip = clip();
    let long = "x".repeat(1 << 20);
    for key in [sinew::META_GUID, sinew::META_DATA_MODE, &long] {
        clip.meta.insert(key.into(), long.clone());
    }
    for format in [Format::Csv, Format::Npy] {
        let notes =
            write(&clip, format, &WriteOptions::default(), &mut Vec::new(), &mut |_| {}).expect("writable");
        assert!(notes.len() >= 3 && notes.iter().all(|note| note.text.len() < 200), "{format}");
    }
}
