//! Any bytes as each kind of JSON: no panic; what is read comes back through the same format unless a loss is told, and
//! Plask's keys come back from legacy clips.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::Clip;
use sinew_formats::json::{LegacyOptions, PlaskDocument};
use sinew_formats::unity_anim::AnimDocument;
use sinew_formats::{Format, Loaded, ReadOptions, Result, WriteOptions, read_from, write};
use sinew_fuzz::LIMITS;
use std::io::{BufRead, BufReader};

const OPTIONS: ReadOptions = ReadOptions { hz: None, limits: LIMITS, asset: None, stages: false };
const AT_RATE: ReadOptions = ReadOptions { hz: Some(30.0), limits: LIMITS, asset: None, stages: false };

/// How far the samples of a skeleton may be from those of before: angles and places are rounded to float32.
const ROUNDED: f32 = 1e-3;

fuzz_target!(|bytes: &[u8]| {
    for format in [Format::Plask, Format::Three, Format::Muscles] {
        let read = |reader: &mut dyn BufRead, options: &ReadOptions| {
            read_from(reader, Some(format), None, options, &mut |_| {})
        };
        let whole = read(&mut &bytes[..], &OPTIONS);
        let slow = read(&mut BufReader::with_capacity(1, bytes), &OPTIONS);
        assert!(same_result(&whole, &slow), "a slow pipe reads otherwise");
        match &whole {
            Ok(loaded) => check_clip(&loaded.clip, format),
            Err(error) => assert!((1..1000).contains(&error.to_string().len())),
        }
        if let Ok(loaded) = read(&mut &bytes[..], &AT_RATE) {
            loaded.clip.validate().expect("what is read is valid");
        }
    }
    if let Ok((document, _)) = PlaskDocument::read(&mut &bytes[..], &OPTIONS) {
        check_legacy(&document);
    }
});

fn same_result(a: &Result<Loaded>, b: &Result<Loaded>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a.clip.bits_equal(&b.clip) && a.notes == b.notes && a.clip.meta == b.clip.meta,
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

fn check_clip(clip: &Clip, format: Format) {
    clip.validate().expect("what is read is valid");
    let mut text = Vec::new();
    let Ok(notes) = write(clip, format, &WriteOptions::default(), &mut text, &mut |_| {}) else { return };
    let again = read_from(&mut &text[..], Some(format), None, &OPTIONS, &mut |_| {});
    let again = again.unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)));
    if notes.iter().any(|note| note.is_loss()) {
        return;
    }
    // A muscle's name in a file of keyed nodes makes it a humanoid, which is posed when it is written.
    let is_posed =
        format != Format::Muscles && clip.tracks.iter().any(|track| track.muscle_index().is_some());
    if is_posed {
        return;
    }
    let again = again.clip;
    if !clip.is_skeleton() {
        assert!(clip.frames() == 0 || again.bits_equal(clip), "{}", String::from_utf8_lossy(&text));
        return;
    }
    assert_eq!(again.frames(), clip.frames());
    assert_eq!(again.tracks, clip.tracks);
    // Another way to the same rotation is as good; places stay.
    for (track, (a, b)) in clip.tracks.iter().zip(clip.samples.iter().zip(&again.samples)) {
        if track.name().ends_with("position") {
            assert!(
                a.iter().zip(b).all(|(a, b)| (a - b).abs() <= ROUNDED * a.abs().max(1.0)),
                "{}",
                track.name()
            );
        }
    }
}

fn check_legacy(document: &PlaskDocument) {
    for published_slopes in [false, true] {
        let options = LegacyOptions { published_slopes, mirror_positions: published_slopes };
        let Ok((clip, _)) = document.legacy_clip(options) else { continue };
        let mut text = Vec::new();
        clip.write(&mut text).expect("finite keys");
        let read = AnimDocument::read(&mut &text[..], &LIMITS).expect("its own text");
        assert!(read.legacy && read.rotation_curves.len() == clip.rotation_curves.len());
        let (clips, _) = document.legacy_clips(options).expect("as for the whole");
        assert_eq!(
            clips.iter().map(|clip| clip.rotation_curves.len()).sum::<usize>(),
            clip.rotation_curves.len()
        );
    }
}
