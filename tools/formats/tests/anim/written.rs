//! Clips written as `.anim`: what Unity needs in them, and what is refused or told.

use crate::support::{anim_of, data_of, document, humanoid, read_text};
use sinew::data::DataMode;
use sinew::{Clip, MUSCLES, Times, Track, TrackKind};
use sinew_formats::unity_anim::{CLASS_ANIMATOR, META_NAME};
use sinew_formats::{Error, Format, Place, WriteOptions, write};
use std::time::Instant;

fn refusal(clip: &Clip) -> Error {
    let mut bytes = Vec::new();
    let written = write(clip, Format::Anim, &WriteOptions::default(), &mut bytes, &mut |_| {});
    assert!(bytes.is_empty());
    written.expect_err("refused")
}

#[test]
fn a_nameless_take_and_its_named_and_reordered_twins_give_one_file() {
    let clip = humanoid(&[0.024, 0.043, 0.07]);
    let mut turned = clip.clone();
    turned.tracks.reverse();
    turned.samples.reverse();
    let files: Vec<String> =
        [(&clip, DataMode::Nameless), (&clip, DataMode::Named), (&turned, DataMode::Named)]
            .iter()
            .map(|(clip, mode)| {
                anim_of(&sinew::data::read(data_of(clip, *mode).as_slice()).expect("readable").clip).0
            })
            .collect();
    assert!(files[0] == files[1] && files[0] == files[2]);
    let document = document(&files[0]).expect("readable");
    for (muscle, curve) in MUSCLES.iter().zip(&document.float_curves) {
        assert_eq!(
            (curve.binding.attribute.as_str(), curve.binding.class_id),
            (muscle.property, CLASS_ANIMATOR)
        );
        assert!(curve.binding.path.is_empty() && curve.keys.len() == 3);
    }
    assert_eq!((document.float_curves.len(), document.settings.stop_s), (95, 0.07));
    assert_eq!(files[0].matches("      attribute: ").count(), 95);
    assert!((42..137).all(|number| files[0].contains(&format!("      attribute: {number}\n"))));
    assert!(files[0].contains("attribute: LeftHand.Thumb.Spread\n    path: \n    classID: 95\n"));
}

#[test]
fn frames_come_back_bit_for_bit() {
    let mut clip = humanoid(&[-0.5, 0.0, 1.0 / 60.0, 36_000.004, 36_000.02]);
    clip.samples[3] = vec![-0.0, f32::from_bits(1), -1e-12, f32::MAX, 1000.001];
    clip.tracks.extend([
        Track::root_position(),
        Track::root_rotation(),
        Track::new("LeftFootT", TrackKind::Vector),
    ]);
    clip.tracks.push(Track::new("Body/blendShape.\u{3c9}", TrackKind::Scalar));
    for component in 95..106 {
        clip.samples.push((0..5).map(|frame| 0.01 * (component + frame) as f32).collect());
    }
    clip.meta.insert(META_NAME.into(), "a: b".into());
    let (text, notes) = anim_of(&clip);
    assert_eq!(notes, []);
    let loaded = read_text(&text, None).expect("readable");
    assert!(loaded.clip.bits_equal(&clip));
    assert_eq!(loaded.clip.meta, clip.meta);
    let document = document(&text).expect("readable");
    assert_eq!((document.settings.start_s, document.settings.stop_s), (-0.5, 36_000.02));
    let shape = document.float_curves.last().expect("a curve");
    assert_eq!((shape.binding.path.as_str(), shape.binding.class_id), ("Body", 137));
}

#[test]
fn few_frames_are_written_too() {
    for frames in 0..3 {
        let times = [0.25f32, 0.5][..frames].to_vec();
        let clip = humanoid(&times);
        let loaded = read_text(&anim_of(&clip).0, None).expect("readable");
        assert!(loaded.clip.bits_equal(&clip), "{frames}");
        // A rate does not make frames where there is no time.
        assert_eq!(read_text(&anim_of(&clip).0, Some(4.0)).expect("readable").clip.frames(), frames);
    }
}

#[test]
fn frames_that_do_not_move_forward_are_dropped_and_counted() {
    let step = 1.0 / 60.0f32;
    let clip = humanoid(&[0.0, step, 2.0 * step, 2.0 * step, step, 3.0 * step, 3.0 * step]);
    let (text, notes) = anim_of(&clip);
    assert!(notes[0].is_loss() && notes[0].text.starts_with("3 dropped of 7 frames"), "{notes:?}");
    let document = document(&text).expect("readable");
    for (muscle, curve) in document.float_curves.iter().enumerate() {
        let keys: Vec<(f32, f32)> = curve.keys.iter().map(|key| (key.time_s, key.value[0])).collect();
        let expected =
            [0, 1, 2, 5].map(|frame| (clip.times.get(frame).unwrap() as f32, clip.samples[muscle][frame]));
        assert_eq!(keys, expected);
    }
    // Times that only differ beyond float32 are one time.
    let mut close = humanoid(&[0.0, 1.0]);
    close.times = Times::Explicit(vec![1.0, 1.0 + 1e-12]);
    assert_eq!(anim_of(&close).1.len(), 1);
}

#[test]
fn what_is_no_number_is_refused_with_its_place() {
    let mut clip = humanoid(&[0.0, 1.0, 2.0]);
    clip.samples[5][1] = f32::NAN;
    clip.samples[6][1] = f32::INFINITY;
    let error = refusal(&clip);
    let place = Place::Frame { frame: 1, component: Some(5) };
    assert!(matches!(&error, Error::Format { place: found, .. } if *found == place), "{error}");
    assert!(error.to_string().contains("Chest Twist Left-Right is NaN"), "{error}");
    clip.samples[5][1] = 0.0;
    assert!(refusal(&clip).to_string().contains("component 6: UpperChest Front-Back is inf"));
    clip.samples[6][1] = 0.0;
    clip.times = Times::Explicit(vec![0.0, 1.0, 1e300]);
    assert!(refusal(&clip).to_string().contains("frame 2: time 1e300"));
}

#[test]
fn clips_that_move_nothing_are_refused() {
    let clip = Clip::empty(vec![Track::new("Hips/Xrotation", TrackKind::Scalar)]);
    assert!(refusal(&clip).to_string().contains("no muscle and no root, no transform and no blend shape"));
    let mut both = Clip::empty(vec![Track::root_position(), Track::new("RootT.x", TrackKind::Scalar)]);
    assert!(refusal(&both).to_string().contains("\"RootT.x\""));
    both.tracks.truncate(1);
    both.samples.truncate(3);
    anim_of(&both);
}

#[test]
fn values_beyond_the_muscles_are_told() {
    let frames = vec![vec![0.25f32; 102]; 3];
    let mut clip = humanoid(&[0.0, 0.5, 1.0]);
    for number in 95..102 {
        clip.tracks.push(Track::new(&format!("value-{number}"), TrackKind::Scalar));
        clip.samples.push(frames.iter().map(|frame| frame[number]).collect());
    }
    let clip = sinew::data::read(data_of(&clip, DataMode::Nameless).as_slice()).expect("readable").clip;
    let (text, notes) = anim_of(&clip);
    assert!(
        notes.iter().any(|note| note.is_loss() && note.text.starts_with("7 values without a name")),
        "{notes:?}"
    );
    assert_eq!(document(&text).expect("readable").float_curves.len(), 95);
}

#[test]
fn rotations_never_pass_through_zero() {
    let mut clip = Clip::empty(vec![Track::root_rotation()]);
    clip.times = Times::Explicit(vec![0.0, 1.0, 2.0, 3.0]);
    let turn = |degrees: f32, sign: f32| {
        let half = degrees.to_radians() / 2.0;
        [sign * half.sin(), 0.0, 0.0, sign * half.cos()]
    };
    let frames = [turn(10.0, 1.0), turn(12.0, -1.0), turn(14.0, 1.0), turn(16.0, 1.0)];
    clip.samples = (0..4).map(|component| frames.iter().map(|frame| frame[component]).collect()).collect();
    let (text, notes) = anim_of(&clip);
    assert!(notes[0].text.starts_with("1 keys of rotations are negated") && !notes[0].is_loss(), "{notes:?}");
    let document = document(&text).expect("readable");
    let middle: Vec<f64> = document.float_curves.iter().map(|curve| curve.evaluate(0.5)[0]).collect();
    let degrees = 2.0 * middle[0].atan2(middle[3]).to_degrees();
    assert!((degrees - 11.0).abs() < 1e-3, "{degrees}");
}

#[test]
fn time_grows_with_the_frames_not_with_their_square() {
    let take = |frames: usize| {
        let times: Vec<f32> = (0..frames).map(|frame| frame as f32 / 60.0).collect();
        let clip = humanoid(&times);
        // The best of three, since other programs share the machine.
        (0..3)
            .map(|_| {
                let start = Instant::now();
                let (text, _) = anim_of(&clip);
                let written = start.elapsed();
                read_text(&text, None).expect("readable");
                (written, start.elapsed() - written)
            })
            .fold((f64::MAX, f64::MAX), |(write, read), (written, took)| {
                (write.min(written.as_secs_f64()), read.min(took.as_secs_f64()))
            })
    };
    let (short, long) = (take(1000), take(4000));
    // Four times the frames; a square would be sixteen.
    assert!(long.0 < 10.0 * short.0 && long.1 < 10.0 * short.1, "{short:?} {long:?}");
}
