//! What writing drops is told, and what a mode cannot mean is refused.

use crate::bytes::*;
use sinew::data::{self, DataMode};
use sinew::{Clip, Error, Times, Track, TrackKind};

/// Two frames in which every sample is the number of its array.
fn clip_of(tracks: Vec<Track>) -> Clip {
    let mut clip = Clip::empty(tracks);
    clip.times = Times::Explicit(vec![0.0, 0.5]);
    clip.samples = (0..clip.components()).map(|component| vec![component as f32; 2]).collect();
    clip
}

fn write(clip: &Clip, mode: DataMode) -> (Vec<u8>, Vec<String>) {
    let mut bytes = Vec::new();
    let notes = data::write(clip, mode, &mut bytes).expect("writable");
    (bytes, notes)
}

/// Text of the refusal.
fn refusal(clip: &Clip, mode: DataMode) -> String {
    match data::write(clip, mode, std::io::sink()) {
        Err(Error::InvalidInput { what }) => what,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn nameless_mode_puts_muscles_in_order_whatever_the_clip_has() {
    let mut tracks = Track::muscles();
    tracks.reverse();
    tracks.insert(0, Track::root_position());
    tracks.push(Track::new("blink", TrackKind::Scalar));
    let (bytes, notes) = write(&clip_of(tracks), DataMode::Nameless);
    let file = read(&bytes);
    assert_eq!(file.clip.tracks, Track::muscles());
    assert_eq!((file.clip.samples[0][0], file.clip.samples[94][0]), (97.0, 3.0));
    assert_eq!(notes.len(), 2);
    assert!(notes[0].contains("1 dropped, first \"blink\""), "{notes:?}");
    assert!(notes[1].contains("root motion cannot be stored in .data: position path of 0.00 m"), "{notes:?}");
}

#[test]
fn nameless_mode_refuses_a_missing_muscle_by_name() {
    let mut tracks = Track::muscles();
    tracks.remove(19);
    let what = refusal(&clip_of(tracks), DataMode::Nameless);
    assert!(what.contains("muscle 19 (Jaw Close)") && what.contains("named mode"), "{what}");
    let what = refusal(&clip_of(vec![Track::new("x", TrackKind::Scalar)]), DataMode::Nameless);
    assert!(what.contains("muscle 0"), "{what}");
}

#[test]
fn named_mode_writes_any_scalar_but_not_an_unnamed_one() {
    let clip = clip_of(vec![Track::new("x", TrackKind::Scalar), Track::new("RootT.y", TrackKind::Scalar)]);
    let (bytes, notes) = write(&clip, DataMode::Named);
    assert_eq!((read(&bytes).clip.tracks, notes.len()), (clip.tracks, 0));
    let what = refusal(&clip_of(vec![Track::new("", TrackKind::Scalar)]), DataMode::Named);
    assert!(what.contains("no name"), "{what}");
}

#[test]
fn a_clip_without_a_guid_gets_the_zero_one() {
    let (bytes, _) = write(&clip_of(Track::muscles()), DataMode::Nameless);
    assert_eq!(read(&bytes).clip.meta[sinew::META_GUID], sinew::ZERO_GUID);
    assert_eq!(bytes.len(), 1 + 2 * 712);
}

#[test]
fn uniform_times_are_rounded_and_told() {
    let mut clip = clip_of(Track::muscles());
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames: 2 };
    let (bytes, notes) = write(&clip, DataMode::Named);
    assert_eq!(read(&bytes).clip.times, Times::Explicit(vec![0.0, f64::from(1.0f32 / 60.0)]));
    assert!(notes.len() == 1 && notes[0].contains("rounded to float32: 1"), "{notes:?}");
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 0.25, frames: 2 };
    assert!(write(&clip, DataMode::Named).1.is_empty());
}

#[test]
fn a_time_beyond_float32_and_an_invalid_clip_are_refused() {
    let mut clip = clip_of(Track::muscles());
    clip.times = Times::Explicit(vec![0.0, 1e300]);
    assert!(refusal(&clip, DataMode::Named).contains("frame 1: time 1e300"));
    clip.samples[4].pop();
    assert!(refusal(&clip, DataMode::Named).contains("Chest Left-Right"));
}

#[test]
fn a_full_disk_is_an_io_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = data::write(&clip_of(Track::muscles()), DataMode::Named, Full);
    assert_eq!(error, Err(Error::Io(std::io::ErrorKind::StorageFull)));
}
