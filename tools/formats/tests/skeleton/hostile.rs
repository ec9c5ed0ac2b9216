//! Clips and rigs that mean harm, or are only strange: an answer in a moment, never a panic.

use crate::support::{human_of, posed, random_motion, reference_motion, skeleton_clip, times};
use sinew::{Clip, Joint, JointAxis, Rig};
use sinew_formats::skeleton::{BoneMap, HumanRig, RigHints, reference_rig, to_humanoid, to_skeleton};
use std::time::{Duration, Instant};

/// Far more than any of these takes, and far less than squares of these sizes would.
const MOMENT: Duration = Duration::from_secs(5);
const TURNS: [JointAxis; 3] = [JointAxis::RotationZ, JointAxis::RotationX, JointAxis::RotationY];

fn joint(name: &str, parent: Option<usize>, offset: [f32; 3]) -> Joint {
    Joint { name: name.into(), parent, offset, axes: TURNS.to_vec() }
}

#[track_caller]
fn refused(rig: &Rig) -> String {
    let start = Instant::now();
    let error = HumanRig::of_rig(rig, &RigHints::default()).map(|_| ()).expect_err("no human").to_string();
    assert!(start.elapsed() < MOMENT, "{:?}", start.elapsed());
    assert!(error.len() < 1000, "{error}");
    error
}

#[test]
fn values_that_place_nothing_are_named() {
    let clip = reference_motion(5);
    let rig = human_of(&clip);
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut clip = clip.clone();
        clip.samples[20][3] = value;
        let name = clip.tracks[20].name().to_owned();
        let error = to_humanoid(&clip, &rig, &mut |_| {}).expect_err("refused").to_string();
        assert!(error.contains("frame 3") && error.contains(&name), "{error}");
        assert!(HumanRig::of_clip(&clip, &RigHints::default()).is_err());
    }
}

#[test]
fn huge_values_are_solved_or_refused() {
    let clip = reference_motion(3);
    for channel in 0..clip.samples.len() {
        for value in [f32::MAX, -1e30, 1e9, f32::MIN_POSITIVE] {
            let mut clip = clip.clone();
            clip.samples[channel][1] = value;
            let Ok(rig) = HumanRig::of_clip(&clip, &RigHints::default()) else { continue };
            if let Ok((solved, _)) = to_humanoid(&clip, &rig, &mut |_| {}) {
                let all = solved.samples.iter().flatten().all(|value| value.is_finite());
                assert!(all, "channel {channel}: {value}");
            }
        }
    }
}

#[test]
fn muscles_that_pose_nothing_are_named() {
    for value in [f32::NAN, f32::INFINITY] {
        let mut motion = random_motion(3, 0.5, 1);
        motion.samples[10][2] = value;
        let error =
            to_skeleton(&motion, HumanRig::reference(), &mut |_| {}).expect_err("refused").to_string();
        assert!(error.contains("frame 2") && error.contains(sinew::MUSCLES[10].property), "{error}");
    }
}

#[test]
fn few_frames_are_enough() {
    for frames in [0, 1, 2] {
        let clip = reference_motion(frames);
        let (solved, _) = to_humanoid(&clip, &human_of(&clip), &mut |_| {}).expect("solvable");
        assert_eq!(solved.frames(), frames);
        assert_eq!(posed(&solved, HumanRig::reference()).frames(), frames);
    }
}

#[test]
fn what_is_no_human_is_refused_by_what_it_lacks() {
    assert!(refused(&Rig::default()).contains("Hips"));
    assert!(refused(&Rig { joints: vec![joint("Hips", None, [0.0; 3])] }).contains("LeftUpperLeg"));
    // All joints at one place, with all their names.
    let mut rig = reference_rig();
    rig.joints.iter_mut().for_each(|joint| joint.offset = [0.0; 3]);
    assert!(refused(&rig).contains("no width or height"));
    // Joints of one name.
    let mut rig = reference_rig();
    rig.joints.iter_mut().for_each(|joint| joint.name = "LeftArm".into());
    if let Ok(rig) = HumanRig::of_rig(&rig, &RigHints::default()) {
        assert_eq!(rig.map().source(), sinew_formats::skeleton::MapSource::Shape);
    }
}

#[test]
fn chains_and_fans_of_many_joints_take_no_time() {
    for count in [20_000, 100_000] {
        for name in ["x", "LeftArm", "LeftUpLeg", "Head", "LeftHand"] {
            let chain = (0..count).map(|n: usize| joint(name, n.checked_sub(1), [0.0, 1.0, 0.1]));
            refused(&Rig { joints: chain.collect() });
            let fan = (0..count).map(|n: usize| joint(name, (n > 0).then_some(0), [n as f32, 1.0, 0.0]));
            refused(&Rig { joints: fan.collect() });
        }
    }
    // Every joint an arm with an elbow, and names that share their beginnings.
    let pairs = (0..40_000usize).map(|n| match n {
        0 => joint("Hips", None, [0.0; 3]),
        n if n % 2 == 1 => joint("LeftArm", Some(0), [1.0, n as f32, 0.0]),
        n => joint("LeftForeArm", Some(n - 1), [1.0, 0.0, 0.0]),
    });
    refused(&Rig { joints: pairs.collect() });
    let long = "a_".repeat(200);
    let named = (0..2_000usize).map(|n| joint(&format!("{long}{n}"), n.checked_sub(1), [0.0, 1.0, 0.0]));
    refused(&Rig { joints: named.collect() });
}

/// The clip with joints hung on its last one.
fn with_tail(clip: &Clip, tail: impl Iterator<Item = Joint>) -> Clip {
    let mut rig = clip.rig.clone().expect("a rig");
    rig.joints.extend(tail);
    let mut samples = clip.samples.clone();
    samples.resize(rig.channels(), vec![0.0; clip.frames()]);
    skeleton_clip(rig, samples, clip.times.clone())
}

#[test]
fn a_human_with_a_very_long_tail_is_solved() {
    let clip = reference_motion(600);
    let first = clip.rig.as_ref().expect("a rig").joints.len();
    let start = Instant::now();
    // Without channels the file is short, however many joints hang there.
    let still = |n: usize, parent: usize| Joint {
        axes: Vec::new(),
        ..joint("tail", Some(parent), [0.0, if n == 0 { -10.0 } else { 0.0 }, -0.001])
    };
    let deep = with_tail(&clip, (0..20_000).map(|n| still(n, if n == 0 { 0 } else { first + n - 1 })));
    let wide = with_tail(&clip, (0..20_000).map(|n| still(n, 0)));
    for clip in [deep, wide] {
        let rig = human_of(&clip);
        assert_eq!(rig.map().bones().count(), 55);
        let mut few = clip.clone();
        few.samples.iter_mut().for_each(|samples| samples.truncate(20));
        few.times = times(20);
        let (solved, _) = to_humanoid(&few, &rig, &mut |_| {}).expect("solvable");
        posed(&solved, &rig);
    }
    assert!(start.elapsed() < 4 * MOMENT, "{:?}", start.elapsed());
}

#[test]
fn rigs_that_are_not_valid_are_refused() {
    let mut late = reference_rig();
    late.joints[0].parent = Some(5);
    assert!(BoneMap::of_rig(&late).is_err() && HumanRig::of_rig(&late, &RigHints::default()).is_err());
    let mut far = reference_rig();
    far.joints[3].offset[1] = f32::INFINITY;
    assert!(BoneMap::of_rig(&far).is_err());
    let mut huge = reference_rig();
    huge.joints.iter_mut().for_each(|joint| joint.offset = joint.offset.map(|x| x * 1e30));
    if let Ok(rig) = HumanRig::of_rig(&huge, &RigHints::default()) {
        assert!(rig.avatar().human_scale().is_finite());
    }
    // A map that was made for another rig.
    let mut map = BoneMap::of_rig(&reference_rig()).expect("valid");
    map.set(sinew::humanoid::Bone::Jaw, Some(10_000));
    let hints = RigHints { map: Some(map), ..RigHints::default() };
    let error = HumanRig::of_rig(&reference_rig(), &hints).map(|_| ()).expect_err("refused").to_string();
    assert!(error.contains("Jaw"), "{error}");
}
