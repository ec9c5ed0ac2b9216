//! Any skeleton comes back from its file, bit for bit.

use crate::support::{assert_same, bvh_of, clip_of, through_sinew};
use proptest::prelude::*;
use sinew::{Clip, Joint, JointAxis, Rig, Times, Track, TrackKind};

fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("foot".to_owned()),
        Just("foot#2".to_owned()),
        Just("End Site".to_owned()),
        "[^{}\r\n]{1,8}".prop_map(|name| format!("n{name}n")),
    ]
}

fn any_float() -> impl Strategy<Value = f32> {
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |value| value.is_finite()),
        (-36_000_000i32..36_000_000).prop_map(|n| n as f32 / 100_000.0),
    ]
}

/// A joint, but for its parent: how many levels to go up from the joint before.
fn any_joint() -> impl Strategy<Value = (Joint, usize)> {
    let axes = prop::collection::vec(0u8..6, 0..7)
        .prop_map(|axes| axes.into_iter().filter_map(JointAxis::from_number).collect());
    let offset = [any_float(), any_float(), any_float()];
    (any_name(), offset, axes, 0usize..4)
        .prop_map(|(name, offset, axes, up)| (Joint { name, parent: None, offset, axes }, up))
}

/// Joints depth first, as a file has them.
fn any_rig() -> impl Strategy<Value = Rig> {
    prop::collection::vec(any_joint(), 1..12).prop_map(|made| {
        let mut joints: Vec<Joint> = Vec::new();
        for (mut joint, up) in made {
            let mut parent = joints.len().checked_sub(1);
            for _ in 0..up {
                parent = parent.and_then(|number| joints[number].parent);
            }
            joint.parent = parent;
            joints.push(joint);
        }
        // A file without channels has no frames to compare.
        joints[0].axes.push(JointAxis::RotationZ);
        Rig { joints }
    })
}

fn any_clip() -> impl Strategy<Value = Clip> {
    let frame_s = any::<u64>().prop_map(|bits| f64::from_bits(bits).abs());
    let frame_s = prop_oneof![frame_s, Just(1.0 / 60.0)];
    let frame_s = frame_s.prop_filter("usable", |s| *s > 0.0 && (s * 10.0).is_finite());
    (any_rig(), 0usize..6, frame_s).prop_flat_map(|(rig, frames, frame_s)| {
        let channels = rig.channels();
        prop::collection::vec(prop::collection::vec(any_float(), frames), channels).prop_map(move |samples| {
            let names = (0..channels).map(|number| format!("c{number}"));
            let tracks = names.map(|name| Track::new(&name, TrackKind::Scalar)).collect();
            let times = Times::Uniform { start_s: 0.0, frame_s, frames };
            Clip { samples, times, rig: Some(rig.clone()), ..Clip::empty(tracks) }
        })
    })
}

proptest! {
    #[test]
    fn skeletons_come_back(clip in any_clip()) {
        let (text, _) = bvh_of(&clip);
        let back = clip_of(&text);
        // Names of tracks are the file's; all else is the clip's.
        let renamed = Clip { tracks: back.tracks.clone(), ..clip };
        assert_same(&back, &renamed);
        let (again, notes) = bvh_of(&through_sinew(&back));
        prop_assert!(notes.is_empty(), "{:?}", notes);
        prop_assert!(again == text);
    }

    #[test]
    fn numbers_are_those_of_the_standard_parser(
        texts in prop::collection::vec("[+-]?[0-9]{1,12}(\\.[0-9]{0,12})?(e(-[0-9]{1,2}|\\+?1?[0-9]))?", 1..40)
    ) {
        let values: Vec<f32> = texts.iter().map(|text| text.parse().expect("a number")).collect();
        let motion = format!("MOTION\nFrames: {}\nFrame Time: 1\n{}", texts.len(), texts.join("\n"));
        let clip = clip_of(&crate::support::file_of("1 Xrotation", &motion));
        for (found, value) in clip.samples[0].iter().zip(&values) {
            prop_assert_eq!(found.to_bits(), value.to_bits());
        }
    }
}
