//! Any bytes as an `.anim` file: no panic; the document comes back from its own text, and the clip from its own file.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::{Clip, TrackKind};
use sinew_formats::unity_anim::{AnimDocument, AnimOptions, Tangents};
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, write};
use sinew_fuzz::LIMITS;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = bytes;
    let document = match AnimDocument::read(&mut reader, &LIMITS) {
        Ok(document) => document,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    check_document(&document);
    check_packed(bytes, &document);
    for hz in [None, Some(30.0)] {
        if let Ok((clip, _)) = document.to_clip(hz, &LIMITS) {
            clip.validate().expect("what is read is valid");
            check_clip(&clip);
            check_options(&clip);
        }
    }
});

/// All but what is left out is written and reads back the same.
fn check_document(document: &AnimDocument) {
    let mut text = Vec::new();
    document.write(&mut text).unwrap_or_else(|error| panic!("a document that was read: {error}"));
    let mut reader = &text[..];
    let again = AnimDocument::read(&mut reader, &LIMITS)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)));
    let expected = AnimDocument { left_out: again.left_out.clone(), ..document.clone() };
    assert_eq!(again, expected);
}

/// Reading a clip at once gives what reading the document first does.
fn check_packed(bytes: &[u8], document: &AnimDocument) {
    let mut reader = bytes;
    let options = ReadOptions { limits: LIMITS, ..ReadOptions::default() };
    let loaded = read_from(&mut reader, Some(Format::Anim), None, &options, &mut |_| {});
    match (loaded, document.to_clip(None, &LIMITS)) {
        (Ok(loaded), Ok((clip, notes))) => {
            assert!(
                loaded.clip.bits_equal(&clip) && loaded.clip.meta == clip.meta && loaded.clip.rig == clip.rig
            );
            assert_eq!(loaded.notes, notes);
        }
        (Err(error), Err(other)) => assert_eq!(error, other),
        (loaded, clip) => panic!("{:?} {:?}", loaded.err(), clip.err()),
    }
}

/// Whatever is asked of the curves, they are written whole or refused, and fewer keys are within what was asked.
fn check_options(clip: &Clip) {
    for tangents in [Tangents::Linear, Tangents::ClampedAuto] {
        let anim = AnimOptions { tangents, reduce: Some(0.125) };
        let options = WriteOptions { anim, ..WriteOptions::default() };
        let mut text = Vec::new();
        if write(clip, Format::Anim, &options, &mut text, &mut |_| {}).is_ok() {
            AnimDocument::read(&mut &text[..], &LIMITS).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// A clip that can be written reads back with the same values, unless a loss is told.
fn check_clip(clip: &Clip) {
    let mut text = Vec::new();
    let Ok(notes) = write(clip, Format::Anim, &WriteOptions::default(), &mut text, &mut |_| {}) else {
        return;
    };
    let mut reader = &text[..];
    let options = ReadOptions { limits: LIMITS, ..ReadOptions::default() };
    let again = read_from(&mut reader, None, None, &options, &mut |_| {})
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)));
    assert_eq!(again.format, Format::Anim);
    if notes.iter().any(|note| note.is_loss()) {
        return;
    }
    assert_eq!(again.clip.frames(), clip.frames());
    assert!(again.clip.times.iter().eq(clip.times.iter()), "times differ");
    let arrays = |clip: &Clip, name: &str| -> Option<Vec<Vec<f32>>> {
        let mut first = 0;
        for track in &clip.tracks {
            if track.name() == name {
                return Some(clip.samples[first..first + track.components()].to_vec());
            }
            first += track.components();
        }
        None
    };
    assert_eq!(again.clip.tracks.len(), clip.tracks.len());
    for track in &clip.tracks {
        let (before, after) = (arrays(clip, track.name()), arrays(&again.clip, track.name()));
        // Neighbouring quaternions may have been negated to go the shorter way.
        let positive = |arrays: Option<Vec<Vec<f32>>>| {
            arrays.map(|arrays| {
                arrays
                    .into_iter()
                    .map(|array| array.into_iter().map(f32::abs).collect::<Vec<_>>())
                    .collect::<Vec<_>>()
            })
        };
        match track.kind() {
            TrackKind::Rotation => assert_eq!(positive(after), positive(before), "{}", track.name()),
            _ => assert_eq!(after, before, "{}", track.name()),
        }
    }
}
