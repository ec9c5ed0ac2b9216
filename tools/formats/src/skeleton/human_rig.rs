//! A skeleton understood as a human: which joint is which bone, its T-pose, its avatar, its unit and axes.

use super::channels::Kinematics;
use super::map::{BoneMap, MapSource};
use super::reference_rig::reference_rig;
use super::space::{Space, UpAxis, mirrored, mirrored_rotation};
use super::t_pose::{RestPose, TPose, facing_deg, t_pose};
use super::units::{Unit, metres_by_height, unit_of};
use crate::error::{Error, Result};
use crate::note::Note;
use sinew::humanoid::{Avatar, BONE_COUNT, Bone, Quat, Transform, TwistShares, Vec3};
use sinew::{Clip, Rig};
use std::sync::LazyLock;

/// Most frames of a motion that are looked at to tell which way is up and which pose leads to a T-pose.
const SAMPLED_FRAMES: usize = 512;
/// Most joints, over all these frames, that are placed: more than any character has, and little memory.
const SAMPLED_JOINTS: usize = 1 << 20;
/// Rest joints nearer than this are at one place, in parts of the figure's height.
const COINCIDENT: f64 = 1e-6;

/// What a caller knows of a rig beyond its joints.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RigHints {
    /// Joints of bones, instead of those that names and shape tell.
    pub map: Option<BoneMap>,
    /// Limits of muscles in degrees: muscle number, at -1, at +1.
    pub limits_deg: Vec<(usize, f64, f64)>,
    /// How limb twist is shared out.
    pub twist: Option<TwistShares>,
}

/// A skeleton understood as a human. Made once, used for every frame.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanRig {
    pub(super) kinematics: Kinematics,
    pub(super) map: BoneMap,
    pub(super) space: Space,
    pub(super) t_pose: TPose,
    pub(super) avatar: Avatar,
    unit: Option<Unit>,
    height_m: f64,
    facing_deg: f64,
}

impl HumanRig {
    /// Understands the rig of a skeleton clip. Its frames help where the rest pose does not stand like a human.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the bones for which no joint is found, or says why there is no T-pose.
    pub fn of_clip(clip: &Clip, hints: &RigHints) -> Result<HumanRig> {
        let Some(rig) = clip.rig.as_ref().filter(|_| clip.is_skeleton()) else {
            return Err(Error::invalid("there is no skeleton whose joints have channels"));
        };
        HumanRig::new(rig, Some(clip), hints)
    }

    /// Understands a rig by its rest pose alone.
    ///
    /// # Errors
    /// As [`HumanRig::of_clip`].
    pub fn of_rig(rig: &Rig, hints: &RigHints) -> Result<HumanRig> {
        HumanRig::new(rig, None, hints)
    }

    fn new(rig: &Rig, clip: Option<&Clip>, hints: &RigHints) -> Result<HumanRig> {
        // 1. Which joint is which bone.
        let mut kinematics = Kinematics::of(rig)?;
        let rest = kinematics.at_rest();
        let mut map = match &hints.map {
            Some(map) => map.clone(),
            None => BoneMap::of_rig(rig)?,
        };
        let missing = map.missing();
        if !missing.is_empty() {
            return Err(Error::invalid(format!(
                "no humanoid: neither names nor shape tell which joint is {}; of an input `--map FILE` tells, of a JSON rig `bone`",
                missing.join(", ")
            )));
        }
        check_hierarchy(&kinematics, &map)?;

        // 2. Which way is up, and the T-pose, in the file's unit.
        let numbers = sampled_frames(clip, kinematics.tree.len());
        if let Some(clip) = clip {
            kinematics.find_added(clip, &numbers);
        }
        let sampled = placed_frames(&kinematics, clip, &numbers)?;
        let mut space = Space { up: up_axis(&map, &rest, &sampled), metres: 1.0 };
        let to_human = |world: &[Transform]| -> Vec<Transform> {
            world.iter().map(|&joint| space.to_human(joint)).collect()
        };
        let facing = facing_deg(&map, &to_human(&rest)).unwrap_or(0.0);
        let frames = sampled.iter().map(|(frame, world)| (*frame, to_human(world)));
        let mean = mean_local(&kinematics, &sampled);
        let mut t_pose = t_pose(&kinematics, &map, to_human(&rest), &mean, frames)
            .ok_or_else(|| Error::invalid("the skeleton has no width or height between its arms and legs"))?;
        drop_coincident(&mut map, &t_pose, &kinematics);

        // 3. The unit, and everything in metres.
        let height = t_pose.joints.iter().map(|joint| joint.position.y).fold(0.0, f64::max);
        let unit = unit_of(height);
        space.metres = unit.map_or_else(|| metres_by_height(height), |unit| unit.metres);
        for joint in t_pose.joints.iter_mut().chain(&mut t_pose.base_local) {
            joint.position = joint.position * space.metres;
        }

        // 4. The avatar.
        let bones: Vec<(Bone, Transform)> =
            map.bones().map(|(bone, joint)| (bone, t_pose.joints[joint])).collect();
        let mut avatar = Avatar::from_t_pose(&bones)?;
        for &(muscle, min_deg, max_deg) in &hints.limits_deg {
            avatar = avatar.with_limits(muscle, min_deg, max_deg)?;
        }
        if let Some(twist) = hints.twist {
            avatar = avatar.with_twist_shares(twist)?;
        }
        let height_m = height * space.metres;
        Ok(HumanRig { kinematics, map, space, t_pose, avatar, unit, height_m, facing_deg: facing })
    }

    /// The reference skeleton, [`reference_rig`].
    pub fn reference() -> &'static HumanRig {
        static REFERENCE: LazyLock<HumanRig> = LazyLock::new(|| {
            let rig = HumanRig::of_rig(&reference_rig(), &RigHints::default());
            rig.expect("the reference skeleton is a human's")
        });
        &REFERENCE
    }

    /// The avatar: what muscles mean on this rig.
    pub fn avatar(&self) -> &Avatar {
        &self.avatar
    }

    /// The joints, with their channels in the file's order.
    pub fn rig(&self) -> &Rig {
        &self.kinematics.rig
    }

    /// Which joint is which bone.
    pub fn map(&self) -> &BoneMap {
        &self.map
    }

    /// Which axis of the file points up.
    pub fn up(&self) -> UpAxis {
        self.space.up
    }

    /// Where the T-pose came from.
    pub fn rest_pose(&self) -> RestPose {
        self.t_pose.source
    }

    /// What was found out, one line each: bones, unit, rest pose, facing.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        let bones = self.map.bones().count();
        let by = match self.map.source() {
            MapSource::Names => "by their names",
            MapSource::Shape => "by the skeleton's shape, because names do not tell",
            MapSource::Given => "as the map says",
        };
        notes.push(Note::info(format!(
            "{bones} of {BONE_COUNT} human bones among {} joints, found {by}",
            self.kinematics.tree.len()
        )));
        let unit = match self.unit {
            Some(unit) => format!("lengths are {}", unit.name),
            None => "lengths are in no known unit, so that the figure was made 1.70 m".to_owned(),
        };
        let up = match self.space.up {
            UpAxis::Y => "",
            UpAxis::Z => "; z is up",
        };
        notes.push(Note::info(format!("{unit}: the figure's joints reach up to {:.2} m{up}", self.height_m)));
        let turned = match self.t_pose.turned.as_slice() {
            [] => String::new(),
            limbs => format!("; turned into a T-pose: {}", limbs.join(", ")),
        };
        let rest = match self.t_pose.source {
            RestPose::T => "the rest pose is a T-pose".to_owned(),
            RestPose::ArmsLowered(degrees) => {
                format!("the rest pose has its arms {degrees} degrees off a T-pose")
            }
            RestPose::Frame(frame) => format!(
                "the rest pose does not stand as a human does, so that frame {frame} tells how the bones lie"
            ),
        };
        notes.push(Note::info(format!("{rest}{turned}")));
        let added = self.kinematics.added.iter().filter(|&&added| added).count();
        if added > 0 {
            notes.push(Note::info(format!(
                "the position channels of {added} joints are added to their offsets, as their values are near 0"
            )));
        }
        if matches!(self.t_pose.source, RestPose::T | RestPose::ArmsLowered(_)) && self.facing_deg.abs() > 1.0
        {
            let side = if self.facing_deg > 0.0 { "left" } else { "right" };
            notes.push(Note::info(match self.facing_deg.abs() {
                degrees if degrees > 179.0 => "the rest pose faces backwards, along -z".to_owned(),
                degrees => {
                    format!("the rest pose is turned {degrees:.0} degrees to its {side} from facing +z")
                }
            }));
        }
        notes
    }

    /// A joint relative to its parent, in the file's axes and unit, where nothing of the humanoid turns it.
    pub(super) fn base_local(&self, joint: usize) -> Transform {
        let base = self.t_pose.base_local[joint];
        if self.kinematics.tree.parents[joint].is_none() {
            return self.space.to_file(base);
        }
        // Relative to a parent there is no up: only mirroring and the unit are to be undone.
        Transform {
            position: mirrored(base.position / self.space.metres),
            rotation: mirrored_rotation(base.rotation),
        }
    }
}

/// Checks that each bone's joint hangs below that of the bone it belongs to.
fn check_hierarchy(kinematics: &Kinematics, map: &BoneMap) -> Result<()> {
    let joints = kinematics.tree.len();
    if let Some((bone, joint)) = map.bones().find(|&(_, joint)| joint >= joints) {
        return Err(Error::invalid(format!("{} is joint {joint} of a rig of {joints} joints", bone.name())));
    }
    for (bone, joint) in map.bones() {
        let parent = std::iter::successors(bone.info().parent, |parent| parent.info().parent)
            .find_map(|parent| Some((parent, map.joint(parent)?)));
        if let Some((parent, above)) = parent
            && !kinematics.tree.is_below(joint, above)
        {
            let name = |joint: usize| super::shown(&kinematics.tree.names[joint]);
            return Err(Error::invalid(format!(
                "{} is the joint {}, which does not hang on {}, the joint of {}; `--map FILE` tells joints",
                bone.name(),
                name(joint),
                name(above),
                parent.name()
            )));
        }
    }
    Ok(())
}

/// Numbers of frames spread evenly over the clip.
fn sampled_frames(clip: Option<&Clip>, joints: usize) -> Vec<usize> {
    let frames = clip.map_or(0, Clip::frames);
    let most = SAMPLED_FRAMES.min(SAMPLED_JOINTS / joints.max(1)).max(1);
    (0..frames).step_by(frames.div_ceil(most).max(1)).collect()
}

/// The joints' transforms in the file's axes in each of these frames.
fn placed_frames(
    kinematics: &Kinematics,
    clip: Option<&Clip>,
    numbers: &[usize],
) -> Result<Vec<(usize, Vec<Transform>)>> {
    let Some(clip) = clip else { return Ok(Vec::new()) };
    numbers.iter().map(|&frame| Ok((frame, kinematics.in_frame(clip, frame)?))).collect()
}

/// Each joint's mean place relative to its parent, in the humanoid's axes and the file's unit; nothing without frames.
fn mean_local(kinematics: &Kinematics, frames: &[(usize, Vec<Transform>)]) -> Vec<Option<Transform>> {
    let mean = |joint: usize| {
        let parent = kinematics.tree.parents[joint]?;
        let mut sum: Option<(Vec3, Quat)> = None;
        for (_, world) in frames {
            let back = world[parent].rotation.conjugate();
            let position = mirrored(back.rotate(world[joint].position - world[parent].position));
            let rotation = mirrored_rotation(back * world[joint].rotation);
            sum = Some(match sum {
                None => (position, rotation),
                Some((at, turn)) => {
                    let near = if turn.dot(rotation) < 0.0 { -rotation } else { rotation };
                    let added = Quat::new(turn.x + near.x, turn.y + near.y, turn.z + near.z, turn.w + near.w);
                    (at + position, added)
                }
            });
        }
        let (position, rotation) = sum?;
        Some(Transform { position: position / frames.len() as f64, rotation: rotation.normalized()? })
    };
    (0..kinematics.tree.len()).map(mean).collect()
}

/// Which axis the body stands along in the motion, or at rest where there is none.
fn up_axis(map: &BoneMap, rest: &[Transform], frames: &[(usize, Vec<Transform>)]) -> UpAxis {
    let up_of = |world: &[Transform]| {
        let place = |bone| map.joint(bone).map(|joint| world[joint].position);
        let legs = place(Bone::LeftUpperLeg)? + place(Bone::RightUpperLeg)?;
        let arms = place(Bone::LeftUpperArm)? + place(Bone::RightUpperArm)?;
        (arms - legs).normalized()
    };
    let sum = match frames {
        [] => up_of(rest).unwrap_or(Vec3::ZERO),
        frames => frames.iter().filter_map(|(_, world)| up_of(world)).fold(Vec3::ZERO, |sum, up| sum + up),
    };
    // Somebody who lies down in a y-up file is as likely as not to point along +z: only a clear case counts.
    if sum.z > 0.0 && sum.z > 2.0 * sum.y.abs() { UpAxis::Z } else { UpAxis::Y }
}

/// Takes from optional bones a joint that lies on the next bone's: it has no direction of its own. Joints of the torso
/// may coincide.
fn drop_coincident(map: &mut BoneMap, t_pose: &TPose, kinematics: &Kinematics) {
    let height = t_pose.joints.iter().map(|joint| joint.position.y).fold(0.0, f64::max);
    let torso = [Bone::Hips, Bone::Spine, Bone::Chest, Bone::UpperChest, Bone::Neck];
    let at: Vec<(Bone, usize)> = map.bones().collect();
    for &(bone, joint) in at.iter().filter(|(bone, _)| !bone.info().required && !torso.contains(bone)) {
        let coincides = at.iter().any(|&(other, below)| {
            let way = t_pose.joints[below].position - t_pose.joints[joint].position;
            other.info().parent == Some(bone)
                && kinematics.tree.is_below(below, joint)
                && way.length() <= COINCIDENT * height
        });
        if coincides {
            map.set(bone, None);
        }
    }
}
