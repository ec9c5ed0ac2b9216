//! Files as the recorder writes them come back byte for byte, in both modes.

use crate::bytes::*;
use proptest::prelude::*;
use sinew::data::{self, DataMode};
use sinew::{Clip, META_DATA_MODE, META_GUID, Times, Track};
use std::io::Write as _;
use std::path::PathBuf;

/// Reads, checks the exactness that is claimed, and gives the file.
fn assert_exact(bytes: &[u8], mode: DataMode) -> data::DataFile {
    let file = read(bytes);
    assert_eq!((file.exact, &file.notes[..], &file.losses[..]), (true, &[][..], &[][..]));
    assert_eq!(DataMode::of_clip(&file.clip), Some(mode));
    let mut written = Vec::new();
    assert_eq!(data::write(&file.clip, mode, &mut written), Ok(vec![]));
    assert_eq!(written, bytes);
    assert_eq!(data::written_bytes(&file.clip, mode), Ok(bytes.len() as u64));
    // The same through a lossless file of our own, which keeps GUID and mode.
    let stored = sinew::encode(&file.clip, &sinew::EncodeConfig::lossless()).expect("any clip encodes");
    let restored = sinew::decode(&stored).expect("encoded just now");
    assert_eq!(DataMode::of_clip(&restored), Some(mode));
    written.clear();
    assert_eq!(data::write(&restored, mode, &mut written), Ok(vec![]));
    assert_eq!(written, bytes);
    file
}

#[test]
fn values_beyond_one_keep_their_bits() {
    let mut frames = [values(0, 95), values(1, 95)];
    frames[1][..5].copy_from_slice(&[-1.6486, 1.5691, 3.25, -12.0, 1000.001]);
    let bytes = take(&[nameless(0.0, &frames[0]), nameless(0.1, &frames[1])]);
    let file = assert_exact(&bytes, DataMode::Nameless);
    assert_eq!(bits(&file, 1), bits_of(&frames[1]));
}

#[test]
fn nan_infinity_zero_sign_and_subnormals_keep_their_bits() {
    let patterns = [0x7fc0_0001, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 1, 0xffc1_2345, 0x7f7f_ffff];
    let mut middle = values(1, 95);
    for (muscle, pattern) in patterns.into_iter().enumerate() {
        middle[5 + muscle] = f32::from_bits(pattern);
    }
    let bytes = take(&[nameless(0.0, &values(0, 95)), nameless(0.1, &middle), nameless(0.2, &values(2, 95))]);
    let file = assert_exact(&bytes, DataMode::Nameless);
    for (frame, expected) in [values(0, 95), middle, values(2, 95)].iter().enumerate() {
        assert_eq!(bits(&file, frame), bits_of(expected));
    }
}

#[test]
fn times_that_repeat_and_step_back_stay() {
    let times = [0.0f32, 1.0 / 60.0, 2.0 / 60.0, 2.0 / 60.0, 1.0 / 60.0, 3.0 / 60.0, 3.0 / 60.0];
    let frames: Vec<_> = times.iter().enumerate().map(|(i, &time)| nameless(time, &values(i, 95))).collect();
    let file = assert_exact(&take(&frames), DataMode::Nameless);
    assert_eq!(file.clip.times, Times::Explicit(times.map(f64::from).to_vec()));
}

#[test]
fn a_clock_of_ten_hours_keeps_its_coarse_steps() {
    let times: Vec<f32> = (0..12).map(|frame| (36_000.0 + f64::from(frame) / 60.0) as f32).collect();
    let frames: Vec<_> = times.iter().map(|&time| frame(time, &properties(), &values(0, 95))).collect();
    let file = assert_exact(&take(&frames), DataMode::Named);
    assert_eq!(file.clip.times.step_range_s(), Some((0.015625, 0.01953125)));
}

#[test]
fn irregular_times_stay_as_they_are() {
    let times: Vec<f32> =
        (0..61).map(|frame| 0.024 + frame as f32 * 0.026 + (frame % 5) as f32 * 0.001).collect();
    let frames: Vec<_> = times
        .iter()
        .enumerate()
        .map(|(index, &time)| nameless(time, &[&[time], &values(index, 94)[..]].concat()))
        .collect();
    let file = assert_exact(&take(&frames), DataMode::Nameless);
    assert!(file.clip.times.iter().zip(&file.clip.samples[0]).all(|(time, &value)| time == f64::from(value)));
}

#[test]
fn incompressible_values_stay() {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f32::from_bits((state >> 33) as u32 & 0xbf7f_ffff)
    };
    let frames: Vec<_> = (0..40)
        .map(|frame| nameless(frame as f32, &std::array::from_fn::<f32, 95, _>(|_| noise())))
        .collect();
    assert_exact(&take(&frames), DataMode::Nameless);
}

#[test]
fn other_counts_than_95_round_trip_with_their_count() {
    for count in [0, 1, 94, 102, 400] {
        let frames: Vec<_> = (0..3).map(|frame| nameless(frame as f32, &values(frame, count))).collect();
        let file = assert_exact(&take(&frames), DataMode::Nameless);
        assert_eq!(file.clip.tracks.len(), count);
        for (index, track) in file.clip.tracks.iter().enumerate() {
            match track.muscle_index() {
                Some(muscle) => assert_eq!(muscle, index),
                None => assert_eq!(track.name(), format!("value-{index}")),
            }
        }
    }
}

#[test]
fn one_frame_and_no_frame_are_takes() {
    let file = assert_exact(&take(&nameless_frames(1)), DataMode::Nameless);
    assert_eq!((file.clip.frames(), file.clip.times.span_s()), (1, 0.0));
    let file = assert_exact(&[0x90], DataMode::Nameless);
    assert_eq!((file.clip.frames(), file.clip.tracks), (0, Track::muscles()));
}

#[test]
fn named_nameless_and_reordered_takes_give_equal_clips() {
    let names = properties();
    let backwards: Vec<&str> = names.iter().rev().copied().collect();
    let spoken: Vec<&str> = sinew::MUSCLES.iter().map(|muscle| muscle.trait_name).collect();
    let build = |names: &[&str], reverse: bool| {
        let frames: Vec<_> = (0..3)
            .map(|index| {
                let mut values = values(index, 95);
                if reverse {
                    values.reverse();
                }
                frame(index as f32, names, &values)
            })
            .collect();
        take(&frames)
    };
    let named = assert_exact(&build(&names, false), DataMode::Named);
    let nameless = assert_exact(&build(&[""; 95], false), DataMode::Nameless);
    assert!(named.clip.bits_equal(&nameless.clip));
    for bytes in [build(&backwards, true), build(&spoken, false)] {
        let other = read(&bytes);
        assert!(other.clip.bits_equal(&named.clip) && !other.exact);
        assert!(other.notes[0].contains("another order or spelling of names"), "{:?}", other.notes);
    }
}

#[test]
fn a_later_frame_in_another_order_is_matched_by_name() {
    let names = ["zeta", "Chest Front-Back", "Spine Front-Back"];
    let frames = [
        frame(0.0, &names, &[1.0, 2.0, 3.0]),
        frame(0.1, &["Spine Front-Back", "zeta", "Chest Front-Back"], &[6.0, 4.0, 5.0]),
    ];
    let file = read(&take(&frames));
    let tracks: Vec<&str> = file.clip.tracks.iter().map(Track::name).collect();
    assert_eq!(tracks, ["Spine Front-Back", "Chest Front-Back", "zeta"]);
    assert_eq!(file.clip.samples, [[3.0, 6.0], [2.0, 5.0], [1.0, 4.0]]);
    assert!(!file.exact);
}

#[test]
fn the_guid_is_kept_and_a_change_is_told() {
    let with = |guid: &str| frame_of(&text(guid), &f32(0.0), &[(text("x"), f32(1.0))]);
    let file = read(&take(&[with("first"), with("first")]));
    assert_eq!((file.clip.meta[META_GUID].as_str(), file.exact), ("first", true));
    let file = read(&take(&[with(""), with("first"), with("second"), with("third")]));
    assert_eq!(file.clip.meta[META_GUID], "first");
    assert!(!file.exact);
    assert!(file.notes[0].contains("1 frame (frame 0) without a GUID"), "{:?}", file.notes);
    assert_eq!(file.losses, ["2 frames (from frame 2 on) with another GUID; the first is kept"]);
    let file = read(&take(&[with("")]));
    assert!(!file.clip.meta.contains_key(META_GUID) && file.notes[0].contains(sinew::ZERO_GUID));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_clip_with_the_muscles_round_trips_in_both_modes(
        times in prop::collection::vec(any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |t| t.is_finite()), 0..20),
        extra in 0usize..4,
        guid in "[a-z0-9-]{1,60}",
        seed in any::<u32>(),
    ) {
        let mut clip = Clip::empty(Track::muscles());
        clip.tracks.extend((95..95 + extra).map(|index| Track::new(&format!("value-{index}"), sinew::TrackKind::Scalar)));
        clip.samples = (0..95 + extra as u32)
            .map(|track| (0..times.len() as u32).map(|frame| f32::from_bits(seed.wrapping_mul(2_654_435_761 + track).wrapping_add(frame * 40_503))).collect())
            .collect();
        clip.times = Times::Explicit(times.iter().map(|&time| f64::from(time)).collect());
        clip.meta.insert(META_GUID.into(), guid.clone());
        for mode in [DataMode::Named, DataMode::Nameless] {
            let mut bytes = Vec::new();
            let losses = data::write(&clip, mode, &mut bytes).expect("writable");
            let file = data::read(&bytes[..]).expect("written just now");
            prop_assert!(file.exact && file.notes.is_empty());
            // Without a frame there is nothing that could tell names or tracks.
            if !times.is_empty() {
                prop_assert_eq!(losses, Vec::<String>::new());
                prop_assert!(file.clip.bits_equal(&clip));
                prop_assert_eq!(&file.clip.meta[META_GUID], &guid);
                prop_assert_eq!(&file.clip.meta[META_DATA_MODE], mode.as_str());
            }
        }
    }
}

#[test]
fn the_projects_capture_is_exact_and_has_a_smaller_twin() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let corpus =
        std::env::var_os("SINEW_CORPUS").map_or(root.join("../shared/corpus"), |path| root.join(path));
    let Ok(bytes) = std::fs::read(corpus.join("muscle/waving.data")) else {
        assert!(std::env::var_os("CI").is_none(), "no waving.data below {}", corpus.display());
        // Not println!, which the test runner swallows when a test passes.
        let _ = writeln!(std::io::stderr(), "skipped: no waving.data below {}", corpus.display());
        return;
    };
    let file = assert_exact(&bytes, DataMode::Named);
    assert_eq!((file.clip.frames(), file.clip.tracks.len(), bytes.len()), (360, 95, 1_021_323));
    let mut twin = Vec::new();
    assert_eq!(data::write(&file.clip, DataMode::Nameless, &mut twin), Ok(vec![]));
    assert_eq!(twin.len(), 256_323);
    assert!(assert_exact(&twin, DataMode::Nameless).clip.bits_equal(&file.clip));
}
