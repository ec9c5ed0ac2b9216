//! The built-in avatar as a skeleton with channels, for files that need one.

use super::space::mirrored;
use sinew::humanoid::{Avatar, Bone, Vec3};
use sinew::{Joint, JointAxis, Rig};

/// Centimetres in a metre: the unit of the rig.
const CENTIMETRES: f64 = 100.0;

/// Lengths below this are rounding noise. Centimetres.
const NOISE: f64 = 1e-9;

/// The reference skeleton in T-pose, in centimetres and right-handed axes: y up, facing +z, its left at +x.
///
/// Joints are named as the HumanBodyBones enum spells them and stand depth first. The hips have position channels and
/// rotations in the order z, x, y; all others have rotations in that order. Each last joint of a limb has an end.
pub fn reference_rig() -> Rig {
    let avatar = Avatar::reference();
    let mut rig = Rig::default();
    add(avatar, Bone::Hips, None, &mut rig);
    rig
}

fn add(avatar: &Avatar, bone: Bone, parent: Option<usize>, rig: &mut Rig) {
    use JointAxis::*;
    let row = avatar.bone(bone).expect("only bones that are there are added");
    let mut axes = vec![RotationZ, RotationX, RotationY];
    if parent.is_none() {
        axes.splice(0..0, [PositionX, PositionY, PositionZ]);
    }
    let joint = rig.joints.len();
    rig.joints.push(Joint { name: bone.name().to_owned(), parent, offset: offset(row.rest_position), axes });
    let children = || {
        avatar.bones().iter().filter(|&&child| avatar.bone(child).is_some_and(|row| row.parent == Some(bone)))
    };
    children().for_each(|&child| add(avatar, child, Some(joint), rig));
    if children().next().is_none() {
        let end = row.post.rotate(Vec3::new(row.length, 0.0, 0.0));
        let end =
            Joint { name: "End Site".to_owned(), parent: Some(joint), offset: offset(end), axes: Vec::new() };
        rig.joints.push(end);
    }
}

/// Metres of the avatar in the rig's axes and unit.
fn offset(metres: Vec3) -> [f32; 3] {
    let Vec3 { x, y, z } = mirrored(metres) * CENTIMETRES;
    // Rounding noise of a rotated axis would only be read as if it meant something; -0 neither.
    [x, y, z].map(|value| if value.abs() < NOISE { 0.0 } else { value as f32 })
}
