//! Joints without telling names, told by the skeleton's shape.

use sinew::humanoid::{Bone, Quat, Vec3};
use sinew::{Joint, JointAxis, Rig};
use sinew_formats::skeleton::{BoneMap, HumanRig, MapSource, RigHints, reference_rig};

const TURNS: [JointAxis; 3] = [JointAxis::RotationZ, JointAxis::RotationX, JointAxis::RotationY];

/// The reference skeleton under names that say nothing, its offsets changed.
fn nameless(change: impl Fn(&Joint, Vec3) -> Vec3) -> Rig {
    let mut rig = reference_rig();
    for (number, joint) in rig.joints.iter_mut().enumerate() {
        let Vec3 { x, y, z } = change(joint, Vec3::from(joint.offset.map(f64::from)));
        joint.offset = [x as f32, y as f32, z as f32];
        joint.name = format!("j{number}");
    }
    rig
}

/// Bones of the body that shape tells: no fingers, no face.
fn is_of_body(bone: Bone) -> bool {
    let name = bone.name();
    !["Thumb", "Index", "Middle", "Ring", "Little", "Eye", "Jaw"].iter().any(|part| name.contains(part))
}

#[track_caller]
fn assert_same_bones(what: &str, rig: &Rig) {
    let expected = BoneMap::of_rig(&reference_rig()).expect("valid");
    let found = BoneMap::of_rig(rig).expect("valid");
    assert_eq!(found.source(), MapSource::Shape, "{what}: {:?}", found.missing());
    for bone in Bone::ALL.into_iter().filter(|&bone| is_of_body(bone)) {
        assert_eq!(found.joint(bone), expected.joint(bone), "{what}: {bone:?}");
    }
    HumanRig::of_rig(rig, &RigHints::default()).expect("a human");
}

#[test]
fn a_human_without_names_is_found() {
    assert_same_bones("as it is", &nameless(|_, offset| offset));
}

#[test]
fn axes_sizes_and_facing_do_not_matter() {
    for scale in [1e-3, 0.01, 0.3937, 10.0] {
        assert_same_bones(&format!("scaled by {scale}"), &nameless(|_, offset| offset * scale));
    }
    for degrees in [37.0f64, 90.0, 180.0, -90.0] {
        let turn = Quat::about_y(degrees.to_radians());
        assert_same_bones(&format!("turned by {degrees}"), &nameless(|_, offset| turn.rotate(offset)));
        let z_up = Quat::about_z(degrees.to_radians()) * Quat::about_x(90f64.to_radians());
        assert_same_bones(&format!("z up, turned by {degrees}"), &nameless(|_, offset| z_up.rotate(offset)));
    }
}

#[test]
fn hanging_arms_are_arms() {
    let arms = ["LowerArm", "Hand"];
    let down = |joint: &Joint, offset: Vec3| {
        let is_arm = arms.iter().any(|part| joint.name.ends_with(part));
        if is_arm { Vec3::new(0.0, -offset.length(), 0.0) } else { offset }
    };
    assert_same_bones("arms down", &nameless(down));
}

fn chain(joints: &mut Vec<Joint>, from: usize, way: &[[f32; 3]]) -> usize {
    way.iter().fold(from, |parent, &offset| {
        let name = format!("j{}", joints.len());
        joints.push(Joint { name, parent: Some(parent), offset, axes: TURNS.to_vec() });
        joints.len() - 1
    })
}

#[test]
fn a_chain_a_star_and_a_hand_are_nobody() {
    let root = || vec![Joint { name: "j0".into(), parent: None, offset: [0.0; 3], axes: TURNS.to_vec() }];
    let mut line = root();
    chain(&mut line, 0, &[[0.0, 10.0, 0.0]; 20]);
    let mut star = root();
    for n in 0..8 {
        let angle = n as f32 * 0.785;
        chain(&mut star, 0, &[[angle.cos(), angle.sin(), 0.0]; 4]);
    }
    let mut hand = root();
    for n in 0..5 {
        chain(&mut hand, 0, &[[n as f32 - 2.0, 8.0, 0.0], [0.0, 4.0, 0.0], [0.0, 3.0, 0.0]]);
    }
    for (what, joints) in [("line", line), ("star", star), ("hand", hand)] {
        let error =
            HumanRig::of_rig(&Rig { joints }, &RigHints::default()).map(|_| ()).expect_err(what).to_string();
        assert!(error.contains("Hips") || error.contains("UpperLeg"), "{what}: {error}");
    }
}

#[test]
fn a_quadruped_is_nobody() {
    let mut joints =
        vec![Joint { name: "j0".into(), parent: None, offset: [0.0, 50.0, -40.0], axes: TURNS.to_vec() }];
    let chest = chain(&mut joints, 0, &[[0.0, 0.0, 25.0], [0.0, 0.0, 25.0], [0.0, 0.0, 25.0]]);
    for (at, front) in [(0, false), (chest, true)] {
        for side in [8.0, -8.0] {
            let knee = if front { -3.0 } else { 3.0 };
            chain(
                &mut joints,
                at,
                &[[side, -5.0, 0.0], [0.0, -20.0, knee], [0.0, -20.0, -knee], [0.0, -4.0, 4.0]],
            );
        }
    }
    chain(&mut joints, chest, &[[0.0, 10.0, 12.0], [0.0, 8.0, 12.0], [0.0, 0.0, 10.0]]);
    chain(&mut joints, 0, &[[0.0, 0.0, -10.0], [0.0, 0.0, -10.0], [0.0, 0.0, -10.0]]);
    let error = HumanRig::of_rig(&Rig { joints }, &RigHints::default())
        .map(|_| ())
        .expect_err("no human")
        .to_string();
    assert!(error.contains("Hips") || error.contains("UpperLeg"), "{error}");
}
