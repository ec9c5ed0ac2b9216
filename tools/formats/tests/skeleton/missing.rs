//! Skeletons that lack bones which a human may lack.

use crate::support::{
    difference, human, muscle_difference, placed, posed, random_motion, solved, straight_rig,
};
use sinew::humanoid::Bone;
use sinew::{Clip, Joint, MUSCLE_COUNT, MUSCLES, Rig};
use sinew_formats::skeleton::{BoneMap, HumanRig, RigHints};

/// The rig without these joints: what hangs on one hangs on its parent, at the same place.
fn without(rig: &Rig, is_gone: &dyn Fn(&str) -> bool) -> Rig {
    let mut out = Rig::default();
    let mut places: Vec<(Option<usize>, [f32; 3])> = Vec::new();
    for joint in &rig.joints {
        let (parent, way) = joint.parent.map_or((None, [0.0; 3]), |parent| places[parent]);
        let offset: [f32; 3] = std::array::from_fn(|axis| way[axis] + joint.offset[axis]);
        let lost_its_joint = joint.name == "End Site" && way != [0.0; 3];
        places.push(if is_gone(&joint.name) || lost_its_joint {
            (parent, offset)
        } else {
            out.joints.push(Joint { parent, offset, ..joint.clone() });
            (Some(out.joints.len() - 1), [0.0; 3])
        });
    }
    out
}

fn is_finger(name: &str) -> bool {
    ["Thumb", "Index", "Middle", "Ring", "Little"].iter().any(|part| name.contains(part))
}

/// The muscles of bones that are not there are 0, all others as they were.
#[track_caller]
fn comes_back(what: &str, rig: &Rig) {
    let figure = human(rig);
    let mut motion = random_motion(30, 0.8, 5);
    // The first frame is another figure's T-pose.
    let rest = figure.avatar().rest_muscles();
    for (muscle, samples) in motion.samples[..MUSCLE_COUNT].iter_mut().enumerate() {
        let (bone, _) = Bone::of_muscle(muscle).expect("every muscle turns a bone");
        samples[0] = rest[muscle] as f32;
        if figure.avatar().bone(bone).is_none() {
            samples.fill(0.0);
        }
    }
    let skeleton = posed(&motion, &figure);
    let (found, notes) = solved(&skeleton);
    let (off, at) = muscle_difference(&motion, &found);
    assert!(off < 1e-4, "{what}: {off} at {at}");
    let (off, at) = difference(&motion, &found, MUSCLE_COUNT..MUSCLE_COUNT + 3);
    assert!(off < 1e-4, "{what}: {off} at {at}");
    let bones = figure.avatar().bones().len();
    assert!(notes[0].text.starts_with(&format!("{bones} of 55 human bones")), "{what}: {}", notes[0].text);
}

#[test]
fn every_optional_bone_may_be_missing() {
    let rig = straight_rig();
    type Gone = fn(&str) -> bool;
    let cases: [(&str, Gone); 9] = [
        ("no shoulders", |name| name.ends_with("Shoulder")),
        ("no neck", |name| name == "Neck"),
        ("no upper chest", |name| name == "UpperChest"),
        ("no chest", |name| name == "Chest" || name == "UpperChest"),
        ("no toes", |name| name.ends_with("Toes")),
        ("no fingers", is_finger),
        ("no thumbs", |name| name.contains("Thumb")),
        ("no face", |name| name.ends_with("Eye") || name == "Jaw"),
        ("the fewest bones", |name| {
            is_finger(name)
                || ["Shoulder", "Neck", "Chest", "Toes", "Eye", "Jaw"].iter().any(|part| name.ends_with(part))
        }),
    ];
    for (what, is_gone) in cases {
        comes_back(what, &without(&rig, &is_gone));
    }
}

#[test]
fn muscles_that_a_rig_does_not_have_are_told() {
    let rig = human(&without(&straight_rig(), &is_finger));
    let motion = random_motion(3, 0.8, 9);
    let (_, notes) = sinew_formats::skeleton::to_skeleton(&motion, &rig, &mut |_| {}).expect("posable");
    let note = notes.iter().find(|note| note.text.contains("no joint")).expect("a note");
    assert!(note.is_loss() && note.text.starts_with("40 muscles"), "{}", note.text);
}

/// A rig whose hands and feet only mark where forearms and shins end.
fn with_marks() -> Rig {
    let rig = straight_rig();
    let is_beyond = |name: &str| is_finger(name) || name.ends_with("Toes");
    let mut rig = without(&rig, &is_beyond);
    // Ends of what was below hang on hands and feet no more.
    let is_limb_end = |name: &str| name.ends_with("Hand") || name.ends_with("Foot");
    for joint in rig.joints.iter_mut().filter(|joint| is_limb_end(&joint.name)) {
        joint.name = "End Site".into();
        joint.axes.clear();
    }
    rig
}

#[test]
fn hands_and_feet_may_be_marks_of_ends() {
    let rig = with_marks();
    let map = BoneMap::of_rig(&rig).expect("valid");
    assert_eq!(map.missing(), Vec::<&str>::new());
    let figure = HumanRig::of_rig(&rig, &RigHints::default()).expect("a human");
    let motion = random_motion(30, 0.8, 6);
    let skeleton = posed(&motion, &figure);
    let (found, _) = solved(&skeleton);
    let back = posed(&found, &figure);
    for frame in 0..motion.frames() {
        for (a, b) in placed(&skeleton, frame, false).iter().zip(placed(&back, frame, false)) {
            assert!((a.0 - b.0).length() < 1e-2, "frame {frame}");
        }
    }
    // A mark turns nothing, so that its muscles say nothing of the motion; those of what is above it do.
    let stretch = MUSCLES.iter().position(|muscle| muscle.property == "Left Forearm Stretch").expect("there");
    let (off, at) = difference(&motion, &found, stretch..stretch + 1);
    assert!(off < 1e-3, "{off} at {at}");
}

#[test]
fn joints_that_are_no_bone_are_told_when_they_turn() {
    let mut rig = straight_rig();
    let hips = rig.joints[0].axes.clone();
    let turns = hips.into_iter().filter(|axis| axis.is_rotation()).collect();
    rig.joints.push(Joint { name: "Tail".into(), parent: Some(0), offset: [0.0, 0.0, -20.0], axes: turns });
    let mut skeleton: Clip = posed(&random_motion(10, 0.5, 3), &human(&rig));
    let last = skeleton.samples.len() - 1;
    skeleton.samples[last].iter_mut().enumerate().for_each(|(frame, value)| *value += 5.0 * frame as f32);
    let (_, notes) = solved(&skeleton);
    let note = notes.iter().find(|note| note.is_loss()).expect("a loss");
    assert!(note.text.contains("\"Tail\"") && note.text.contains("degrees"), "{}", note.text);
}
