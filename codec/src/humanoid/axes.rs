//! Axes from a T-pose: what building an avatar works out from positions and rotations alone.

use super::avatar::{Avatar, AvatarBone, TwistShares};
use super::body::{body_rotation, mass_centre};
use super::bone::{BONE_COUNT, Bone};
use super::pose::{Pose, Transform};
use super::quat::Quat;
use super::vec3::Vec3;
use crate::error::{Error, Result};
use crate::muscles::MUSCLES;

/// Joints nearer than this coincide: their direction would be rounding noise. Metres.
const COINCIDENT_M: f64 = 1e-6;
/// Positions beyond this are not metres of a person.
const FARTHEST_M: f64 = 1e6;
const UP: Vec3 = Vec3::new(0.0, 1.0, 0.0);
const DOWN: Vec3 = Vec3::new(0.0, -1.0, 0.0);
const FORWARD: Vec3 = Vec3::new(0.0, 0.0, 1.0);

impl Avatar {
    /// An avatar from the world positions (metres) and rotations of its bones in T-pose: on the ground y = 0, facing
    /// +z with its left side at -x, arms along x, legs vertical.
    ///
    /// Optional bones may be missing; what hung on them hangs on the nearest ancestor that is there.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the bone: a required one is missing, one is given twice, a value is not
    /// finite or no rotation, a bone lies on its child, or the skeleton is not upright, above ground and facing +z.
    pub fn from_t_pose(bones: &[(Bone, Transform)]) -> Result<Avatar> {
        // 1. What is there.
        let mut world: [Option<Transform>; BONE_COUNT] = [None; BONE_COUNT];
        for (bone, given) in bones {
            let name = bone.name();
            let position = given.position;
            if !position.is_finite() || position.length() > FARTHEST_M {
                return Err(Error::invalid(format!(
                    "{name}: its T-pose position is not in metres: {position:?}"
                )));
            }
            let Some(rotation) = given.rotation.normalized() else {
                return Err(Error::invalid(format!("{name}: its T-pose rotation is no rotation")));
            };
            if world[*bone as usize].replace(Transform { position, rotation }).is_some() {
                return Err(Error::invalid(format!("{name}: given twice")));
            }
        }
        if let Some(bone) = Bone::ALL.iter().find(|b| b.info().required && world[**b as usize].is_none()) {
            return Err(Error::invalid(format!("{}: a humanoid needs it, and it is missing", bone.name())));
        }

        // 2. Which way it stands: the world axes below mean nothing otherwise.
        let mut pose = Pose::default();
        for (bone, transform) in Bone::ALL.into_iter().zip(&world) {
            if let Some(transform) = transform {
                pose.place(bone, *transform);
            }
        }
        let body = body_rotation(&pose)
            .ok_or_else(|| Error::invalid("the T-pose has no width or height between its arms and legs"))?;
        if body.rotate(UP).y < 0.7 || body.rotate(FORWARD).z < 0.7 {
            return Err(Error::invalid("the T-pose must be upright and face +z with its left side at -x"));
        }

        // 3. Each bone's axes, parents first.
        let order = parents_first(&world);
        let mut directions: [(Vec3, f64); BONE_COUNT] = [(UP, 0.1); BONE_COUNT];
        let mut rows: [Option<AvatarBone>; BONE_COUNT] = [None; BONE_COUNT];
        for &bone in &order {
            let (along, length) = direction(bone, &world, &directions)?;
            directions[bone as usize] = (along, length);
            rows[bone as usize] = Some(row(bone, &world, along, length)?);
        }

        // 4. Scale and rest of the whole.
        let mut has = [false; BONE_COUNT];
        order.iter().for_each(|&bone| has[bone as usize] = true);
        let centre = mass_centre(&pose, &has);
        if centre.y < COINCIDENT_M {
            return Err(Error::invalid(
                "the T-pose must stand on the ground y = 0: its mass centre is below",
            ));
        }
        Ok(Avatar {
            bones: rows,
            order,
            twist: TwistShares::default(),
            human_scale: centre.y,
            rest_root: Transform { position: centre / centre.y, rotation: Quat::IDENTITY },
        })
    }
}

fn nearest_parent(bone: Bone, world: &[Option<Transform>; BONE_COUNT]) -> Option<Bone> {
    let mut parent = bone.info().parent;
    while let Some(at) = parent {
        if world[at as usize].is_some() {
            return parent;
        }
        parent = at.info().parent;
    }
    None
}

fn parents_first(world: &[Option<Transform>; BONE_COUNT]) -> Vec<Bone> {
    let depth = |bone: &Bone| std::iter::successors(bone.info().parent, |at| at.info().parent).count();
    let mut order: Vec<Bone> = Bone::ALL.into_iter().filter(|bone| world[*bone as usize].is_some()).collect();
    order.sort_by_key(depth);
    order
}

/// The bones whose position gives a bone its direction: the first that is there.
fn children(bone: Bone) -> Vec<Bone> {
    use Bone::*;
    let chain: &[Bone] = match bone {
        // In some skeletons a joint of the torso lies on the next one: then the one after tells the direction.
        Hips => &[Spine, Chest, UpperChest, Neck, Head],
        Spine => &[Chest, UpperChest, Neck, Head],
        Chest => &[UpperChest, Neck, Head],
        UpperChest => &[Neck, Head],
        // The head points up, feet down, toes, eyes and jaw forward, hands as their forearms, whatever hangs on them.
        Head | LeftHand | RightHand | LeftFoot | RightFoot => &[],
        _ => {
            let child_of = |bone: Bone| Bone::ALL.into_iter().find(|child| child.info().parent == Some(bone));
            return std::iter::successors(child_of(bone), |&child| child_of(child)).collect();
        }
    };
    chain.to_vec()
}

/// World direction along a bone, and its length.
fn direction(
    bone: Bone,
    world: &[Option<Transform>; BONE_COUNT],
    known: &[(Vec3, f64); BONE_COUNT],
) -> Result<(Vec3, f64)> {
    use Bone::*;
    let at = |bone: Bone| world[bone as usize].map(|transform| transform.position);
    let own = at(bone).expect("only bones that are there have a direction");
    let parent = nearest_parent(bone, world);
    match bone {
        LeftFoot | RightFoot => return Ok((DOWN, own.y)),
        LeftToes | RightToes => {
            let foot = parent.and_then(at).expect("feet are required");
            return Ok((FORWARD, (own - foot).length() / 4.0));
        }
        LeftEye | RightEye | Jaw => return Ok((FORWARD, 0.1)),
        Head => return Ok((UP, if at(Neck).is_some() { known[Neck as usize].1 } else { 0.1 })),
        LeftHand | RightHand => {
            let (along, length) = known[parent.expect("forearms are required") as usize];
            return Ok((along, length / 4.0));
        }
        _ => {}
    }
    let is_torso = matches!(bone, Hips | Spine | Chest | UpperChest);
    let below = || children(bone).into_iter().filter_map(|child| Some((child, at(child)? - own)));
    let apart = below().find(|(_, offset)| offset.length() > COINCIDENT_M);
    match (below().next(), apart) {
        (Some(next), Some(apart)) if is_torso || next.0 == apart.0 => {
            let length = apart.1.length();
            return Ok((apart.1 / length, length));
        }
        (Some((child, _)), _) => {
            let (bone, child) = (bone.name(), child.name());
            return Err(Error::invalid(format!("{bone}: it lies on {child}, so that it has no direction")));
        }
        (None, _) => {}
    }
    // The last bone of a finger goes on in the direction of the one before.
    let (along, length) = parent.map_or((UP, 0.1), |parent| known[parent as usize]);
    Ok((along, length * 0.5625))
}

fn row(bone: Bone, world: &[Option<Transform>; BONE_COUNT], along: Vec3, length: f64) -> Result<AvatarBone> {
    let info = bone.info();
    let own = world[bone as usize].expect("only bones that are there have a row");
    let parent = nearest_parent(bone, world);
    let at_parent = parent.and_then(|parent| world[parent as usize]).unwrap_or(Transform::IDENTITY);
    let sideways = info.main_axis.cross(along);
    let Some(y) = sideways.normalized().filter(|_| sideways.length() > 1e-3) else {
        let axis = info.main_axis;
        return Err(Error::invalid(format!("{}: in a T-pose it cannot point along {axis:?}", bone.name())));
    };
    let basis = Quat::from_basis(along, y, along.cross(y));
    let offset = info.zero_offset;
    let zero = Quat::new(offset.x, offset.y, offset.z, 1.0).normalized().expect("its w is 1");
    let to_parent = at_parent.rotation.conjugate();
    let (mut min_rad, mut max_rad) = ([0.0; 3], [0.0; 3]);
    for (axis, muscle) in info.muscles.iter().enumerate() {
        if let Some(muscle) = muscle {
            let limits = &MUSCLES[usize::from(*muscle)];
            min_rad[axis] = f64::from(limits.min_deg).to_radians();
            max_rad[axis] = f64::from(limits.max_deg).to_radians();
        }
    }
    Ok(AvatarBone {
        parent,
        rest_position: to_parent.rotate(own.position - at_parent.position),
        rest_rotation: to_parent * own.rotation,
        pre: to_parent * zero * basis,
        post: own.rotation.conjugate() * basis,
        min_rad,
        max_rad,
        length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t_pose() -> Vec<(Bone, Transform)> {
        let avatar = Avatar::reference();
        let pose = avatar.rest_pose();
        avatar.bones().iter().map(|&bone| (bone, pose.transform(bone))).collect()
    }

    fn refusal(change: impl FnOnce(&mut Vec<(Bone, Transform)>)) -> String {
        let mut bones = t_pose();
        change(&mut bones);
        Avatar::from_t_pose(&bones).expect_err("no T-pose").to_string()
    }

    #[test]
    fn what_is_no_t_pose_is_refused_by_name() {
        let of = |bones: &[(Bone, Transform)], bone| bones.iter().position(|(b, _)| *b == bone).unwrap();
        assert!(refusal(|b| b.retain(|(bone, _)| *bone != Bone::LeftFoot)).contains("LeftFoot"));
        assert!(refusal(|b| b.push(b[20])).contains("twice"));
        assert!(refusal(Vec::clear).contains("Hips"));
        for x in [f64::NAN, f64::INFINITY, 1e7] {
            assert!(refusal(|b| b[0].1.position.x = x).contains("Hips"));
        }
        assert!(refusal(|b| b[0].1.rotation = Quat::new(0.0, 0.0, 0.0, 0.0)).contains("Hips"));
        let on_the_hand = refusal(|b| {
            let (h, a) = (of(b, Bone::LeftHand), of(b, Bone::LeftLowerArm));
            b[a].1.position = b[h].1.position;
        });
        assert!(on_the_hand.contains("LeftLowerArm: it lies on LeftHand"), "{on_the_hand}");
        assert!(refusal(|b| b.iter_mut().for_each(|(_, t)| t.position.y -= 2.0)).contains("ground"));
        assert!(refusal(|b| b.iter_mut().for_each(|(_, t)| t.position.x *= -1.0)).contains("face +z"));
        assert!(refusal(|b| b.iter_mut().for_each(|(_, t)| t.position = Vec3::ZERO)).contains("no width"));
        let forward_arm = refusal(|b| {
            let (h, a) = (of(b, Bone::RightLowerArm), of(b, Bone::RightUpperArm));
            b[h].1.position = b[a].1.position + FORWARD * 0.3;
        });
        assert!(forward_arm.contains("RightUpperArm"), "{forward_arm}");
    }

    #[test]
    fn torso_joints_may_coincide() {
        let mut bones = t_pose();
        let of = |bones: &[(Bone, Transform)], bone| bones.iter().position(|(b, _)| *b == bone).unwrap();
        let (hips, spine) = (of(&bones, Bone::Hips), of(&bones, Bone::Spine));
        bones[spine].1.position = bones[hips].1.position;
        let (whole, less) = (Avatar::reference(), Avatar::from_t_pose(&bones).unwrap());
        let along = |avatar: &Avatar| {
            let row = *avatar.bone(Bone::Hips).unwrap();
            row.post.rotate(Vec3::new(1.0, 0.0, 0.0))
        };
        assert!(along(whole).dot(along(&less)) > 0.9);
    }

    #[test]
    fn children_of_missing_bones_hang_on_the_nearest_ancestor() {
        let mut bones = t_pose();
        bones
            .retain(|(bone, _)| !matches!(bone, Bone::UpperChest | Bone::Neck | Bone::LeftIndexIntermediate));
        let avatar = Avatar::from_t_pose(&bones).unwrap();
        let parent = |bone| avatar.bone(bone).unwrap().parent;
        assert_eq!(parent(Bone::Head), Some(Bone::Chest));
        assert_eq!(parent(Bone::LeftShoulder), Some(Bone::Chest));
        assert_eq!(parent(Bone::LeftIndexDistal), Some(Bone::LeftIndexProximal));
        assert!(avatar.bone(Bone::Neck).is_none());
        let (whole, less) = (Avatar::reference().rest_pose(), avatar.rest_pose());
        for &bone in avatar.bones() {
            assert!((whole.position(bone) - less.position(bone)).length() < 1e-12, "{}", bone.name());
        }
    }
}
