//! Files that programs wrote: each becomes muscles, and on the same rig the joints are back where they were.
//!
//! What is not back to 5 degrees is pinned in `exceptions.csv`, with its reason; `SINEW_UPDATE_EXCEPTIONS=1` writes the
//! table anew.

use crate::support::{Placed, captures, degrees_between, placed, posed};
use sinew::Clip;
use sinew::humanoid::Bone;
use sinew_formats::skeleton::{HumanRig, RigHints, to_humanoid};
use sinew_formats::{Format, ReadOptions, read};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Files without a human: name and a bone that the refusal names.
const NO_HUMANS: [(&str, &str); 3] = [
    ("VictorS-67__full_precision_frame_time.bvh", "LeftUpperLeg"),
    ("VictorS-67__rotation_first_root.bvh", "RightUpperLeg"),
    ("facebookresearch__sinusoidal.bvh", "Hips, LeftUpperLeg"),
];
/// Position channels of this file's joints are near 0, so that they are added to the offsets.
const ADDED: &str = "makehumancommunity__tpose.bvh";
/// Most frames of a file that are looked at.
const FRAMES: usize = 400;
/// Joints farther off than this in some frame are exceptions. Degrees.
const OFF_DEG: f64 = 5.0;
/// Largest part of a file's bones that may be exceptions.
const PART: f64 = 0.05;

const TABLE: &str = include_str!("exceptions.csv");
const HEADER: &str = "file,bone,degrees,reason";
/// Every skeleton of the folder, by name.
fn clips() -> Vec<(String, Clip)> {
    let Some(folder) = captures("bvh") else { return Vec::new() };
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let loaded = read(path, Some(Format::Bvh), &ReadOptions::default()).expect("readable");
        (path.file_name().expect("a name").to_string_lossy().into_owned(), loaded.clip)
    };
    let clips: Vec<_> = paths.iter().map(read).collect();
    assert!(clips.len() >= 29, "{}", clips.len());
    clips
}

fn is_human(name: &str) -> bool {
    NO_HUMANS.iter().all(|(other, _)| *other != name)
}

#[test]
fn skeletons_of_nobody_are_refused_by_the_bones_that_are_missing() {
    for (name, clip) in clips().into_iter().filter(|(name, _)| !is_human(name)) {
        let error =
            HumanRig::of_clip(&clip, &RigHints::default()).map(|_| ()).expect_err("refused").to_string();
        let (_, bone) = NO_HUMANS.iter().find(|(other, _)| *other == name).expect("listed");
        assert!(error.contains(bone) && error.contains("--map"), "{name}: {error}");
    }
}

/// What a file's way to muscles and back changes.
struct Change {
    /// Every bone's direction, sorted, in degrees.
    all: Vec<f64>,
    /// The largest of each bone, by the bone at the lower end.
    worst: BTreeMap<Bone, f64>,
    /// Of the hips, in the file's unit.
    hips: f64,
}

fn change_of(name: &str, clip: &Clip) -> Change {
    let rig = HumanRig::of_clip(clip, &RigHints::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (humanoid, _) =
        to_humanoid(clip, &rig, &mut |_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
    let back = posed(&humanoid, &rig);
    assert_eq!((back.frames(), &back.rig), (clip.frames(), &clip.rig), "{name}");
    let step = clip.frames().div_ceil(FRAMES).max(1);
    let frames: Vec<(Placed, Placed)> = (0..clip.frames())
        .step_by(step)
        .map(|frame| (placed(clip, frame, name == ADDED), placed(&back, frame, name == ADDED)))
        .collect();

    let joint = |bone: Bone| rig.map().joint(bone).expect("a bone of the avatar is mapped");
    let mut change = Change { all: Vec::new(), worst: BTreeMap::new(), hips: 0.0 };
    for &bone in rig.avatar().bones() {
        let own = joint(bone);
        let Some(parent) = rig.avatar().bone(bone).and_then(|row| row.parent).map(joint) else {
            change.hips = frames.iter().map(|(a, b)| (a[own].0 - b[own].0).length()).fold(0.0, f64::max);
            continue;
        };
        let angles: Vec<f64> = frames
            .iter()
            .map(|(a, b)| degrees_between(a[own].0 - a[parent].0, b[own].0 - b[parent].0))
            .collect();
        change.worst.insert(bone, angles.iter().copied().fold(0.0, f64::max));
        change.all.extend(angles);
    }
    change.all.sort_by(f64::total_cmp);
    change
}

/// Why the direction to a bone's joint may be off.
fn reason(bone: Bone, clip: &Clip) -> &'static str {
    let rig = HumanRig::of_clip(clip, &RigHints::default()).expect("understood before");
    let joint = |bone: Bone| rig.map().joint(bone).expect("a bone of the avatar is mapped");
    let parent = rig.avatar().bone(bone).and_then(|row| row.parent).expect("not the hips");
    if rig.rig().joints[joint(bone)].parent != Some(joint(parent)) {
        return "joints that are no bone turn between the two";
    }
    assert!(parent.info().muscles.iter().any(Option::is_none), "{bone:?}: {parent:?} can turn any way");
    "the bone above has too few muscles to point there"
}

#[test]
fn captures_keep_the_directions_of_their_bones() {
    let mut table = format!("{HEADER}\n");
    for (name, clip) in clips().into_iter().filter(|(name, _)| is_human(name)) {
        let Change { all, worst, hips } = change_of(&name, &clip);
        let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
        assert!(at(0.5) < 1.0, "{name}: median {}", at(0.5));
        // Of one frame, each bone is more than a hundredth: the table below judges it.
        assert!(clip.frames() == 1 || at(0.99) < OFF_DEG, "{name}: 99th percentile {}", at(0.99));
        assert!(hips < 1e-3, "{name}: hips {hips}");

        let off: Vec<_> = worst.iter().filter(|&(_, &degrees)| degrees > OFF_DEG).collect();
        let allowed = (PART * worst.len() as f64).ceil() as usize;
        assert!(off.len() <= allowed, "{name}: {off:?}");
        for (bone, degrees) in off {
            // No whole limb: what hangs on a bone that is off is back in its direction.
            let below = worst.iter().find(|(other, _)| other.info().parent == Some(*bone));
            assert!(below.is_none_or(|(_, &degrees)| degrees < OFF_DEG), "{name}: {bone:?} and below");
            let reason = reason(*bone, &clip);
            writeln!(table, "{name},{},{degrees:.1},{reason}", bone.name()).expect("a string grows");
        }
    }
    if table.lines().count() == 1 && captures("bvh").is_none() {
        return;
    }
    if std::env::var_os("SINEW_UPDATE_EXCEPTIONS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/skeleton/exceptions.csv");
        std::fs::write(path, table).expect("written");
        return;
    }
    assert!(table == TABLE.replace("\r\n", "\n"), "exceptions.csv is another:\n{table}");
}
