//! What a target makes of a clip: what stays a skeleton, what is solved, what is posed, and what is told of it.

use crate::support::{
    bvh_clip, bvh_text, human, human_of, muscle_difference, placed, random_motion, reference_motion,
    root_difference, straight_rig,
};
use sinew::humanoid::{Bone, Vec3};
use sinew::{Clip, MUSCLE_COUNT, Times, Track, TrackKind};
use sinew_formats::skeleton::{HumanRig, MapChanges, RootMode};
use sinew_formats::{Figure, FitOptions, Format, Note, WriteOptions, fit, write};
use std::sync::Arc;

const HOLD_SKELETONS: [Format; 6] =
    [Format::Sinew, Format::Bvh, Format::Vrma, Format::Three, Format::Csv, Format::Npy];
/// Any other skeleton is posed on theirs.
const HOLD_ONE_SKELETON: [Format; 1] = [Format::Plask];
const HOLD_MUSCLES_ONLY: [Format; 4] = [Format::Data, Format::Anim, Format::UnityPackage, Format::Muscles];

#[track_caller]
fn fitted(clip: &Clip, format: Format, options: &FitOptions) -> (Clip, Vec<Note>) {
    fit(clip.clone(), format, options, &mut |_| {}).expect("fits")
}

fn refusal(clip: &Clip, format: Format, options: &FitOptions) -> String {
    fit(clip.clone(), format, options, &mut |_| {}).map(|_| ()).expect_err("refused").to_string()
}

fn is_humanoid(clip: &Clip) -> bool {
    clip.is_humanoid() && !clip.is_skeleton()
}

#[test]
fn every_format_is_listed() {
    for &format in Format::ALL {
        let holds = HOLD_SKELETONS.contains(&format) || HOLD_ONE_SKELETON.contains(&format);
        let lists = (holds, HOLD_MUSCLES_ONLY.contains(&format));
        assert_eq!(lists, (format.holds_skeletons(), !format.holds_skeletons()), "{format}");
    }
}

#[test]
fn skeletons_stay_where_they_can_be_held() {
    let skeleton = reference_motion(4);
    for format in HOLD_SKELETONS {
        assert_eq!(fitted(&skeleton, format, &FitOptions::default()), (skeleton.clone(), vec![]), "{format}");
    }
    for format in HOLD_ONE_SKELETON {
        let (clip, notes) = fitted(&skeleton, format, &FitOptions::default());
        assert!(is_humanoid(&clip) && notes[0].text.contains("of 55 human bones"), "{format}: {notes:?}");
        let scaled = FitOptions { scale: Some(2.0), ..FitOptions::default() };
        let (own, _) = fitted(&clip, format, &scaled);
        assert!(own.is_skeleton() && own.tracks[0].name().starts_with("hips."), "{format}");
        assert_eq!(fitted(&own, format, &FitOptions::default()), (own.clone(), vec![]), "{format}");
    }
    for format in HOLD_MUSCLES_ONLY {
        let (clip, notes) = fitted(&skeleton, format, &FitOptions::default());
        assert!(is_humanoid(&clip) && notes[0].text.contains("of 55 human bones"), "{format}: {notes:?}");
        let options = FitOptions { figure: Some(Figure::Skeleton), ..FitOptions::default() };
        assert!(refusal(&skeleton, format, &options).contains("--as skeleton"), "{format}");
    }
}

#[test]
fn figures_are_made_as_asked() {
    let (skeleton, motion) = (reference_motion(4), random_motion(4, 0.8, 11));
    let asked = |figure| FitOptions { figure: Some(figure), ..FitOptions::default() };
    let (solved, _) = fitted(&skeleton, Format::Sinew, &asked(Figure::Humanoid));
    assert!(is_humanoid(&solved) && muscle_difference(&solved, &motion).0 < 1e-4);
    let (posed, _) = fitted(&motion, Format::Sinew, &asked(Figure::Skeleton));
    assert!(posed.is_skeleton() && !posed.is_humanoid());
    assert_eq!(posed.rig, skeleton.rig);
    // What is already as asked stays.
    assert_eq!(fitted(&motion, Format::Sinew, &asked(Figure::Humanoid)).0, motion);
    assert_eq!(fitted(&skeleton, Format::Sinew, &asked(Figure::Skeleton)).0, skeleton);
    // BVH poses muscles itself; a clip of neither is left alone.
    assert_eq!(fitted(&motion, Format::Bvh, &FitOptions::default()).0, motion);
    let mut other = Clip::empty(vec![Track::new("Blink", TrackKind::Scalar)]);
    other.times = Times::Uniform { start_s: 0.0, frame_s: 0.1, frames: 2 };
    other.samples = vec![vec![0.0, 1.0]];
    assert_eq!(fitted(&other, Format::Data, &FitOptions::default()), (other.clone(), vec![]));
    for figure in [Figure::Skeleton, Figure::Humanoid] {
        assert!(refusal(&other, Format::Sinew, &asked(figure)).contains("neither a skeleton nor a muscle"));
    }
}

/// The place of a bone's joint relative to the hips, in parts of the figure's arm.
fn relative(clip: &Clip, rig: &HumanRig, frame: usize, bone: Bone) -> Vec3 {
    let joints = placed(clip, frame, false);
    let at = |bone: Bone| joints[rig.map().joint(bone).expect("mapped")].0;
    at(bone) - at(Bone::Hips)
}

#[test]
fn a_skeleton_on_another_rig_is_retargeted() {
    // Twice the size, in other axes.
    let mut large = straight_rig();
    for joint in &mut large.joints {
        let [x, y, z] = joint.offset;
        joint.offset = [2.0 * x, -2.0 * z, 2.0 * y];
        if joint.name == "Hips" {
            joint.name = "pelvis".into();
        }
    }
    let target = Arc::new(human(&large));
    let small = human(&straight_rig());
    let motion = random_motion(10, 0.6, 2);
    let (source, _) = sinew_formats::skeleton::to_skeleton(&motion, &small, &mut |_| {}).expect("posable");
    let options = FitOptions { rig: Some(target.clone()), ..FitOptions::default() };
    let (clip, notes) = fitted(&source, Format::Bvh, &options);
    assert!(is_humanoid(&clip) && !notes.is_empty());
    let mut bytes = Vec::new();
    let write_options = WriteOptions { rig: Some(target.clone()), ..WriteOptions::default() };
    write(&clip, Format::Bvh, &write_options, &mut bytes, &mut |_| {}).expect("writable");
    let found = bvh_clip(std::str::from_utf8(&bytes).expect("text"));
    assert_eq!(found.rig.as_ref(), Some(target.rig()));
    for frame in 0..motion.frames() {
        for bone in [Bone::LeftHand, Bone::RightFoot, Bone::Head] {
            let Vec3 { x, y, z } = relative(&source, &small, frame, bone);
            let off =
                (relative(&found, &target, frame, bone) - Vec3::new(2.0 * x, -2.0 * z, 2.0 * y)).length();
            assert!(off < 0.1, "frame {frame}, {bone:?}: {off} of hundreds");
        }
    }
}

#[test]
fn a_rig_is_used_or_said_to_be_of_no_use() {
    let target = Arc::new(human(&straight_rig()));
    let skeleton = reference_motion(3);
    for figure in [None, Some(Figure::Skeleton)] {
        let options = FitOptions { rig: Some(target.clone()), figure, ..FitOptions::default() };
        // The own format gets the channels, BVH poses the muscles as it is written.
        assert_eq!(fitted(&skeleton, Format::Sinew, &options).0.rig.as_ref(), Some(target.rig()));
        assert!(is_humanoid(&fitted(&skeleton, Format::Bvh, &options).0));
    }
    let options = FitOptions { rig: Some(target), ..FitOptions::default() };
    for (clip, format) in [(&skeleton, Format::Data), (&random_motion(3, 0.5, 1), Format::Sinew)] {
        let (found, notes) = fitted(clip, format, &options);
        assert!(is_humanoid(&found));
        assert!(notes.iter().any(|note| note.text.contains("the rig changes nothing")), "{notes:?}");
    }
}

#[test]
fn maps_are_for_skeletons_that_are_solved() {
    let skeleton = reference_motion(3);
    let map = MapChanges::parse("Jaw = -\nLeftToes = -").expect("a map");
    let options = FitOptions { map: Some(map), ..FitOptions::default() };
    let (_, notes) = fitted(&skeleton, Format::Data, &options);
    assert!(
        notes.iter().any(|note| note.text.starts_with("53 of 55") && note.text.contains("map")),
        "{notes:?}"
    );
    for clip in [&skeleton, &random_motion(3, 0.5, 1)] {
        let (_, notes) = fitted(clip, Format::Bvh, &options);
        assert!(notes.iter().any(|note| note.text.contains("the map changes nothing")), "{notes:?}");
    }
}

/// Somebody who walks 2 m forward, turned a quarter, as text.
fn walk() -> Clip {
    let mut motion = random_motion(11, 0.2, 4);
    let scale = HumanRig::reference().avatar().human_scale();
    for frame in 0..11 {
        let values = [0.0, 1.0, 0.2 * frame as f64 / scale, 0.0, 0.0, 0.0, 1.0];
        motion.samples[MUSCLE_COUNT..].iter_mut().zip(values).for_each(|(s, value)| s[frame] = value as f32);
    }
    bvh_clip(&bvh_text(&motion).0)
}

#[test]
fn the_way_of_a_walk_is_told_where_it_is_lost() {
    let walk = walk();
    let (humanoid, notes) = fitted(&walk, Format::Data, &FitOptions::default());
    assert!(notes.iter().all(|note| !note.is_loss()), "{notes:?}");
    let mut bytes = Vec::new();
    let notes =
        write(&humanoid, Format::Data, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    let loss = notes.iter().find(|note| note.is_loss() && note.text.contains(" m")).expect("the way is lost");
    assert!(loss.text.contains("2.00 m"), "{}", loss.text);

    // The own format keeps it.
    let options = FitOptions { figure: Some(Figure::Humanoid), ..FitOptions::default() };
    let (kept, _) = fitted(&walk, Format::Sinew, &options);
    let mut bytes = Vec::new();
    let notes =
        write(&kept, Format::Sinew, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    assert!(notes.iter().all(|note| !note.is_loss()), "{notes:?}");
    let back = bvh_clip(&bvh_text(&kept).0);
    let rig = human_of(&walk);
    let hips = rig.map().joint(Bone::Hips).expect("mapped");
    for frame in 0..walk.frames() {
        let off = placed(&walk, frame, false)[hips].0 - placed(&back, frame, false)[hips].0;
        assert!(off.length() < 1e-2, "frame {frame}: {off:?} cm");
    }
}

#[test]
fn the_root_is_kept_dropped_or_held() {
    let motion = random_motion(6, 0.5, 8);
    let with = |root| FitOptions { root, ..FitOptions::default() };
    assert_eq!(fitted(&motion, Format::Sinew, &with(RootMode::Keep)).0, motion);
    let (dropped, notes) = fitted(&motion, Format::Sinew, &with(RootMode::Drop));
    assert_eq!(dropped.tracks.len(), MUSCLE_COUNT);
    assert!(notes.iter().any(|note| note.text.contains("dropped, as asked") && !note.is_loss()), "{notes:?}");
    let (held, _) = fitted(&motion, Format::Sinew, &with(RootMode::InPlace));
    let axis = |number: usize| &held.samples[MUSCLE_COUNT + number];
    assert!([0, 2].iter().all(|&number| axis(number).iter().all(|value| *value == axis(number)[0])));
    assert_eq!(axis(1), &motion.samples[MUSCLE_COUNT + 1]);
    assert!(root_difference(&held, &motion).1 < 1e-9);
    // Of a skeleton that stays one, there is no root to change.
    let skeleton = reference_motion(3);
    for root in [RootMode::Drop, RootMode::InPlace] {
        assert!(refusal(&skeleton, Format::Bvh, &with(root)).contains("--as humanoid"));
        assert!(is_humanoid(&fitted(&skeleton, Format::Data, &with(root)).0));
    }
}
