//! Files that end early, are damaged inside, or go on after their end.

use crate::bytes::*;
use proptest::prelude::*;
use sinew::data;

/// Asserts that recovery gives the first `frames` of the whole take and says so.
fn assert_recovers(bytes: &[u8], frames: usize, whole: &data::DataFile) {
    let file = data::recover(bytes).expect("recoverable");
    assert_eq!(file.clip.frames(), frames);
    for frame in 0..frames {
        assert_eq!(bits(&file, frame), bits(whole, frame));
        assert_eq!(file.clip.times.get(frame), whole.clip.times.get(frame));
    }
    let lost = format!("{} of {} frames lost", whole.clip.frames() - frames, whole.clip.frames());
    assert!(file.losses[0].contains(&lost), "{:?} has no {lost}", file.losses);
    assert!(!file.exact);
    file.clip.validate().expect("a whole clip");
}

#[test]
fn a_cut_file_tells_its_whole_frames_and_gives_them_back() {
    let bytes = take(&nameless_frames(10));
    let whole = read(&bytes);
    let cut = &bytes[..5185];
    let (frame, entry, at, what) = fault(cut);
    assert_eq!((frame, entry, at), (Some(7), None, 4985));
    assert!(what.contains("7 of 10 frames are whole") && what.contains("byte 5185"), "{what}");
    assert_recovers(cut, 7, &whole);
}

#[test]
fn every_cut_gives_exactly_the_whole_frames() {
    let frames: Vec<_> = (0..4).map(|index| frame(index as f32, &["a", "b"], &values(index, 2))).collect();
    let bytes = take(&frames);
    let whole = read(&bytes);
    for cut in 1..bytes.len() {
        assert_recovers(&bytes[..cut], (cut - 1) / frames[0].len(), &whole);
        assert!(data::read(&bytes[..cut]).is_err());
    }
}

#[test]
fn a_header_alone_recovers_to_an_empty_take() {
    let file = data::recover(&[0x9a][..]).expect("recoverable");
    assert_eq!((file.clip.frames(), file.clip.tracks.len()), (0, 95));
    assert!(file.losses[0].contains("10 of 10 frames lost"), "{:?}", file.losses);
    assert!(fault(&[0x9a]).3.contains("0 of 10 frames are whole"));
}

#[test]
fn damage_inside_costs_the_frames_that_it_touches() {
    let bytes = take(&nameless_frames(5));
    let whole = read(&bytes);
    // Marker of the fourth value of frame 2; then a header that claims more than a frame can have.
    for (at, damage) in
        [(1 + 2 * 712 + 47 + 3 * 7 + 2, &[0xc3][..]), (1 + 2 * 712 + 1, &[0xdb, 255, 255, 255, 255])]
    {
        let mut damaged = bytes.clone();
        damaged[at..at + damage.len()].copy_from_slice(damage);
        assert_eq!(fault(&damaged).0, Some(2));
        let file = data::recover(&damaged[..]).expect("recoverable");
        assert_eq!(file.clip.frames(), 4);
        for (frame, original) in [0, 1, 3, 4].into_iter().enumerate() {
            assert_eq!(bits(&file, frame), bits(&whole, original));
            assert_eq!(file.clip.times.get(frame), whole.clip.times.get(original));
        }
        assert!(file.losses[0].starts_with("1 of 5 frames lost: .data: frame 2"), "{:?}", file.losses);
        assert_eq!(file.losses[1], "712 bytes passed over, once, to whole frames behind damage");
    }
}

#[test]
fn frames_are_found_again_wherever_bytes_are_missing_or_too_many() {
    let frames = nameless_frames(40);
    let whole = read(&take(&frames));
    let mut bytes = take(&frames);
    // From the end, so that the places stay: rubbish in frame 30, the end of frame 20 and start of frame 21 cut out.
    bytes.splice(3 + 30 * 712 + 100..3 + 30 * 712 + 100, [0xc1; 300_000]);
    bytes.drain(3 + 20 * 712 + 600..3 + 21 * 712 + 50);
    let file = data::recover(&bytes[..]).expect("recoverable");
    let kept: Vec<usize> = (0..40).filter(|frame| ![20, 21, 30].contains(frame)).collect();
    assert_eq!(file.clip.frames(), kept.len());
    for (frame, &original) in kept.iter().enumerate() {
        assert_eq!(bits(&file, frame), bits(&whole, original));
    }
    assert!(file.losses[0].starts_with("3 of 40 frames lost"), "{:?}", file.losses);
    let passed = 2 * 712 - 162 + 712 + 300_000;
    assert_eq!(file.losses[1], format!("{passed} bytes passed over, 2 times, to whole frames behind damage"));
}

#[test]
fn a_search_for_false_starts_ends_soon() {
    // A name that is made of the very bytes that a frame with this name begins with, as characters.
    let start =
        [&[0x93, 0xa1, b'g', 0xca, 0x80, b't', 0xf0, 0x9f, 0x91, 0x92, 0xda, 0xbf, 0x6d][..], &[0xf0, 0x9f]];
    let start = start.concat();
    let name = [&start[13..], &start[..13]].concat().repeat(0xbf6d / 15);
    assert!(name.len() == 0xbf6d && String::from_utf8(name.clone()).is_ok());
    let frame = [&start[..13], &name, &[0xca, 0, 0, 0, 0]].concat();
    let bytes = [&[0x92][..], &frame, &[0xc1], &start.repeat(4_000_000)].concat();
    let begin = std::time::Instant::now();
    let file = data::recover(&bytes[..]).expect("recoverable");
    assert_eq!((file.clip.frames(), file.losses.len()), (1, 1), "{:?}", file.losses);
    assert!(begin.elapsed() < std::time::Duration::from_secs(3), "{:?}", begin.elapsed());
}

#[test]
fn a_frame_that_fails_leaves_nothing_behind() {
    let mut entries = vec![(text(""), f64(0.1)); 3];
    entries[2].1 = vec![0xc2];
    let bytes = take(&[nameless(0.0, &[0.0; 3]), frame_of(&text("other"), &f32(1.0), &entries)]);
    let file = data::recover(&bytes[..]).expect("recoverable");
    assert_eq!((file.clip.frames(), file.losses.len(), file.notes.len()), (1, 1, 0), "{:?}", file.losses);
}

#[test]
fn trailing_bytes_are_told_and_are_no_frame() {
    let bytes = [take(&nameless_frames(10)), vec![0x93, 0xa0, 0xca]].concat();
    for file in [read(&bytes), data::recover(&bytes[..]).expect("whole")] {
        assert_eq!((file.clip.frames(), file.exact), (10, false));
        assert!(file.notes[0].contains("3 trailing bytes") && file.losses.is_empty(), "{:?}", file.notes);
    }
    assert!(read(&[0x90, 0x00]).notes[0].contains("1 trailing byte "));
}

#[test]
fn a_failing_source_is_an_io_error_even_when_recovering() {
    use std::io::Read;
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::ConnectionReset.into())
        }
    }
    let bytes = take(&nameless_frames(3));
    let source = || bytes[..1000].chain(Broken);
    let expected = sinew::Error::Io(std::io::ErrorKind::ConnectionReset);
    assert_eq!(data::read(source()), Err(expected.clone()));
    assert_eq!(data::recover(source()), Err(expected.clone()));
    assert_eq!(data::recover(bytes.chain(Broken)), Err(expected));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn changed_bytes_never_panic_and_exactness_stays_a_fact(
        packed in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let frames: Vec<_> = (0..6).map(|index| frame(index as f32, &["a", "b", "Jaw Close"], &values(index, 3))).collect();
        let plain = take(&frames);
        let mut bytes = if packed { crate::lz4::block_array(&plain, 100) } else { plain };
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(file) = data::recover(&bytes[..]) {
            file.clip.validate().expect("a whole clip");
            prop_assert_eq!(data::read(&bytes[..]).is_ok(), !file.losses.iter().any(|loss| loss.contains("frames lost")));
            let mode = data::DataMode::of_clip(&file.clip).expect("stored");
            let mut written = Vec::new();
            // A float64 time beyond float32 can be read but not written.
            if data::write(&file.clip, mode, &mut written).is_ok() {
                prop_assert_eq!(written == bytes, file.exact);
                prop_assert!(data::read(&written[..]).expect("written just now").exact);
            }
        }
    }
}
