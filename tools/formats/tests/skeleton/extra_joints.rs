//! Joints between two bones, which share their turn.

use crate::support::{
    degrees_between, difference, human, human_of, muscle_difference, placed, posed, random_motion,
    skeleton_clip, solved, straight_rig,
};
use sinew::humanoid::{Bone, Quat};
use sinew::{Clip, Joint, MUSCLES};

/// Takes a joint apart: half of its turn (or of its turn about x alone) is done by a second joint below it, a third of
/// the way to the next one.
fn split(clip: &Clip, name: &str, next: &str, about_x: bool) -> Clip {
    let rig = clip.rig.as_ref().expect("a rig");
    let at = rig.joints.iter().position(|joint| joint.name == name).expect("a joint");
    let below = rig.joints.iter().position(|joint| joint.name == next).expect("a joint");
    // 1. The rig: what hangs on the joint hangs on its second half.
    let part = rig.joints[below].offset.map(|x| x / 3.0);
    let mut new = rig.clone();
    let moved = |parent: usize| if parent >= at { parent + 1 } else { parent };
    for joint in &mut new.joints {
        if joint.parent == Some(at) {
            joint.offset = std::array::from_fn(|axis| joint.offset[axis] - part[axis]);
        }
        joint.parent = joint.parent.map(moved);
    }
    let axes = rig.joints[at].axes.clone();
    new.joints.insert(at + 1, Joint { name: format!("{name}_2"), parent: Some(at), offset: part, axes });
    // 2. Its channels, which are three turns about z, x, y.
    let first: usize = rig.joints[..at].iter().map(|joint| joint.axes.len()).sum();
    let mut samples = clip.samples.clone();
    let halves: Vec<[f64; 3]> = (0..clip.frames())
        .map(|frame| {
            let angle = |channel: usize| f64::from(clip.samples[first + channel][frame]).to_radians();
            let turn = Quat::about_z(angle(0)) * Quat::about_x(angle(1)) * Quat::about_y(angle(2));
            let half = match about_x {
                true => Quat::about_x(turn.x.atan2(turn.w)),
                false => turn.half_way(Quat::IDENTITY),
            };
            let upper = turn * half.conjugate();
            for (channel, degrees) in z_x_y(upper).into_iter().enumerate() {
                samples[first + channel][frame] = degrees as f32;
            }
            z_x_y(half)
        })
        .collect();
    for channel in (0..3).rev() {
        let values = halves.iter().map(|half| half[channel] as f32).collect();
        samples.insert(first + 3, values);
    }
    skeleton_clip(new, samples, clip.times.clone())
}

/// Angles in degrees about z, x, y of a turn.
fn z_x_y(Quat { x, y, z, w }: Quat) -> [f64; 3] {
    let about_x = (2.0 * (y * z + w * x)).clamp(-1.0, 1.0).asin();
    let about_z = (-2.0 * (x * y - w * z)).atan2(w * w - x * x + y * y - z * z);
    let about_y = (-2.0 * (x * z - w * y)).atan2(w * w - x * x - y * y + z * z);
    [about_z, about_x, about_y].map(f64::to_degrees)
}

#[test]
fn twist_joints_of_limbs_change_nothing() {
    let motion = random_motion(30, 0.8, 12);
    let skeleton = posed(&motion, &human(&straight_rig()));
    // Arms lie along x, so that what the helper takes over is the forearm's twist.
    let split = split(&skeleton, "LeftLowerArm", "LeftHand", true);
    let split = self::split(&split, "RightLowerArm", "RightHand", true);
    let rig = human_of(&split);
    assert_eq!(rig.map().bones().count(), 55);
    let (found, _) = solved(&split);
    let (off, at) = muscle_difference(&motion, &found);
    assert!(off < 1e-4, "{off} at {at}");
}

#[test]
fn spines_and_necks_of_many_joints_point_where_they_did() {
    let motion = random_motion(30, 0.6, 13);
    let skeleton = posed(&motion, &human(&straight_rig()));
    let split = split(&skeleton, "Neck", "Head", false);
    let split = self::split(&split, "Spine", "Chest", false);
    let (found, _) = solved(&split);
    let rig = human_of(&split);
    let back = posed(&found, &rig);
    // Directions come back exactly, though the halves of a turn are not told apart.
    let joint = |bone: Bone| rig.map().joint(bone).expect("mapped");
    for frame in 0..motion.frames() {
        let (a, b) = (placed(&split, frame, false), placed(&back, frame, false));
        for &bone in rig.avatar().bones() {
            let Some(parent) = rig.avatar().bone(bone).and_then(|row| row.parent) else { continue };
            let along = |places: &crate::support::Placed| places[joint(bone)].0 - places[joint(parent)].0;
            let off = degrees_between(along(&a), along(&b));
            assert!(off < 0.01, "frame {frame}, {bone:?}: {off}");
        }
    }
    // What hangs on neither is as it was.
    let arms =
        MUSCLES.iter().position(|muscle| muscle.property == "Left Upper Leg Front-Back").expect("there");
    let (off, at) = difference(&motion, &found, arms..arms + 16);
    assert!(off < 1e-4, "{off} at {at}");
}
