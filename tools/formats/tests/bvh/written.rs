//! What is written is read back bit for bit; what cannot be is told or refused.

use crate::support::{assert_same, bvh_of, clip_of, joint, read_bytes, skeleton, through_sinew};
use sinew::{Clip, JointAxis, Times, Track, TrackKind};
use sinew_formats::{Format, Note, WriteOptions, write};

use JointAxis::{PositionX, PositionY, RotationX, RotationY, RotationZ};

fn refused(clip: &Clip) -> String {
    let mut sink = Vec::new();
    write(clip, Format::Bvh, &WriteOptions::default(), &mut sink, &mut |_| {})
        .expect_err("refused")
        .to_string()
}

/// A clip as a reader gives it, with every kind of joint.
fn small() -> Clip {
    let joints = vec![
        joint("Hips", None, &[PositionY, RotationZ]),
        joint("胸 {".trim_end_matches(" {"), Some(0), &[]),
        joint("a b", Some(1), &[RotationX]),
        joint("End Site", Some(2), &[]),
        joint("end", Some(0), &[]),
        joint("Prop", None, &[RotationY, PositionX]),
    ];
    let (text, _) = bvh_of(&skeleton(joints, 3));
    clip_of(&text)
}

#[test]
fn the_text_is_the_plainest() {
    let mut clip = small();
    clip.samples.iter_mut().for_each(|samples| samples.truncate(2));
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1001.0 / 60000.0, frames: 2 };
    clip.samples[0] = vec![-0.0, 1e-40];
    clip.samples[1] = vec![0.1, 123456.79];
    let (text, notes) = bvh_of(&clip);
    assert_eq!(notes, []);
    let hierarchy = "HIERARCHY
ROOT Hips\n{\n\tOFFSET 0 1.5 -0.25\n\tCHANNELS 2 Yposition Zrotation
\tJOINT 胸\n\t{\n\t\tOFFSET 0 1.5 -0.25\n\t\tCHANNELS 0
\t\tJOINT a b\n\t\t{\n\t\t\tOFFSET 0 1.5 -0.25\n\t\t\tCHANNELS 1 Xrotation
\t\t\tEnd Site\n\t\t\t{\n\t\t\t\tOFFSET 0 1.5 -0.25\n\t\t\t}\n\t\t}\n\t}
\tJOINT end\n\t{\n\t\tOFFSET 0 1.5 -0.25\n\t\tCHANNELS 0\n\t}\n}
ROOT Prop\n{\n\tOFFSET 0 1.5 -0.25\n\tCHANNELS 2 Yrotation Xposition\n}
MOTION\nFrames: 2\nFrame Time: 0.016683333333333335
-0 0.1 28.571428 42.857143 57.142857\n1e-40 123456.79 28.714285 43 57.285713\n";
    assert_eq!(text, hierarchy);
    assert_same(&clip_of(&text), &clip);
}

#[test]
fn clips_come_back_bit_for_bit_also_through_sinew() {
    let clip = small();
    let (text, notes) = bvh_of(&clip);
    assert_eq!(notes, []);
    assert_same(&clip_of(&text), &clip);
    let through = through_sinew(&clip);
    assert_same(&through, &clip);
    assert!(bvh_of(&through).0 == text);
}

#[test]
fn rates_are_written_with_all_their_digits() {
    let mut clip = small();
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 59.94, frames: 3 };
    let back = clip_of(&bvh_of(&clip).0);
    assert_eq!(back.times, clip.times);
    assert!((back.times.mean_hz().expect("a rate") - 59.94).abs() < 1e-9);
}

#[test]
fn a_clip_without_frames_is_a_whole_file() {
    let mut clip = small();
    clip.samples.iter_mut().for_each(Vec::clear);
    clip.times = Times::Explicit(Vec::new());
    let (text, notes) = bvh_of(&clip);
    assert!(text.ends_with("MOTION\nFrames: 0\nFrame Time: 0.016666666666666666\n") && notes.is_empty());
    assert!(clip_of(&text).bits_equal(&clip));
}

#[test]
fn joints_that_are_not_depth_first_are_sorted_and_their_values_with_them() {
    let joints = vec![
        joint("a", None, &[RotationX]),
        joint("b", Some(0), &[RotationX]),
        joint("c", Some(0), &[RotationX]),
        joint("d", Some(1), &[RotationX]),
    ];
    let clip = skeleton(joints, 2);
    let (text, notes) = bvh_of(&clip);
    assert!(notes.contains(&Note::loss("the order of the joints: a BVH lists them depth first")));
    let back = clip_of(&text);
    let names: Vec<&str> = back.tracks.iter().map(|track| track.name()).collect();
    assert_eq!(names, ["a.Xrotation", "b.Xrotation", "d.Xrotation", "c.Xrotation"]);
    assert_eq!((&back.samples[2], &back.samples[3]), (&clip.samples[3], &clip.samples[2]));
}

#[test]
fn irregular_times_keep_every_frame_and_are_told() {
    let mut clip = small();
    clip.times = Times::Explicit(vec![2.0, 2.625, 3.0]);
    let (text, notes) = bvh_of(&clip);
    let told =
        "irregular times: frames are put 0.5 s apart, by 125 ms at most (frame 1); the start time of 2 s";
    assert_eq!(notes, [Note::loss(told)]);
    let back = clip_of(&text);
    assert_eq!(back.times, Times::Uniform { start_s: 0.0, frame_s: 0.5, frames: 3 });
    assert_eq!(back.samples, clip.samples);
}

#[test]
fn what_does_not_fit_is_told() {
    let mut clip = small();
    clip.tracks.push(Track::new("smile", TrackKind::Scalar));
    clip.samples.push(vec![1.0; 3]);
    clip.tracks[0] = Track::new("height", TrackKind::Scalar);
    clip.meta.insert("actor".into(), "A".into());
    let (text, notes) = bvh_of(&clip);
    let expected = [
        Note::loss("the metadata entry \"actor\""),
        Note::loss("1 tracks beyond the skeleton's channels, first \"smile\""),
        Note::loss("the names of 1 tracks: channels are named by their joints"),
    ];
    assert_eq!(notes, expected);
    assert_eq!(clip_of(&text).samples, clip.samples[..5]);
}

#[test]
fn what_is_no_skeleton_is_refused() {
    let clip = Clip::empty(vec![Track::new("grip", TrackKind::Scalar)]);
    assert!(refused(&clip).ends_with("the clip has no rig"));
    let mut clip = small();
    clip.rig.as_mut().expect("a rig").joints[0].axes.clear();
    clip.tracks.truncate(2);
    clip.samples.truncate(2);
    assert!(refused(&clip).contains("no channels of their own"));
}

#[test]
fn samples_that_are_not_finite_are_refused_by_frame_and_track() {
    let mut clip = small();
    clip.samples[4][1] = f32::NAN;
    let error = refused(&clip);
    assert_eq!(
        error,
        ".bvh: frame 1, component 4: \"Prop.Xposition\" is NaN: a BVH holds finite numbers only"
    );
    clip.samples[4][1] = f32::NEG_INFINITY;
    assert!(refused(&clip).contains("is -inf"));
}

#[test]
fn names_that_no_reader_would_find_again_are_refused() {
    for (name, why) in [
        ("", "is blank"),
        (" \t", "is blank"),
        ("a ", "begins or ends with a blank"),
        ("\ta", "begins or ends with a blank"),
        ("a\nb", "has a line end"),
        ("a\rb", "has a line end"),
        ("a{b", "has a brace"),
        ("}", "has a brace"),
    ] {
        let clip = skeleton(vec![joint("Hips", None, &[RotationX]), joint(name, Some(0), &[])], 1);
        let error = refused(&clip);
        assert_eq!(error, format!("joint 1: the name {name:?} {why}, which a BVH cannot hold"));
    }
    for name in ["MOTION", "End Site", "CHANNELS 3", "\u{feff}x", "a: b", "0", "a\u{85}", "\"q\"", "#"] {
        let joints = vec![joint(name, None, &[RotationX]), joint(name, Some(0), &[RotationX])];
        let (text, _) = bvh_of(&skeleton(joints, 1));
        let back = clip_of(&text);
        assert!(back.rig.expect("a rig").joints.iter().all(|joint| joint.name == name), "{name}");
    }
}

#[test]
fn a_chain_of_many_joints_is_written_in_little_text() {
    let count = 20_000;
    let joints = (0..count).map(|n: usize| joint("j", n.checked_sub(1), &[])).collect::<Vec<_>>();
    let mut joints = joints;
    joints[0].axes.push(RotationX);
    let clip = skeleton(joints, 1);
    let (text, _) = bvh_of(&clip);
    assert!(text.len() < count * 400, "{}", text.len());
    let loaded = read_bytes(text.as_bytes()).expect("readable");
    assert_eq!(loaded.clip.rig, clip.rig);
}
