//! A skeleton clip to a humanoid one: world rotations of joints to muscles and root, frame by frame.

use super::human_rig::HumanRig;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::registry::Progress;
use sinew::humanoid::{BONE_COUNT, Bone, MusclesBefore, Quat, Transform, Vec3};
use sinew::{Clip, MUSCLE_COUNT, Track};

/// Bones that cannot turn as their joint does leave the rest to the next bone; four passes reach a fingertip.
const PASSES: usize = 4;
/// Angle in radians below which a pass changes nothing.
const SETTLED: f64 = 1e-9;

/// Solves the frames of a skeleton clip for muscles, `RootT` and `RootQ`.
///
/// Each bone takes the world rotation of its joint, so that joints between two bones turn with the lower one; a bone
/// with such joints below it is swung until it points to where the next bone is. What a bone has no muscle for (the
/// twist of a shoulder, say) its children make up for. Tracks beyond the skeleton's channels ride along.
///
/// The notes tell what was found out about the skeleton, and what of its motion is lost.
///
/// # Errors
/// [`Error::InvalidInput`] if the clip is not of this rig, or a sample is not finite, by track and frame.
pub fn to_humanoid(clip: &Clip, rig: &HumanRig, progress: Progress<'_>) -> Result<(Clip, Vec<Note>)> {
    clip.validate()?;
    if clip.rig.as_ref() != Some(rig.rig()) || !clip.is_skeleton() {
        return Err(Error::invalid("the clip is not of this rig"));
    }
    let frames = clip.frames();
    let mut tracks = Track::muscles();
    tracks.extend([Track::root_position(), Track::root_rotation()]);
    let mut samples: Vec<Vec<f32>> = (0..MUSCLE_COUNT + 7).map(|_| Vec::with_capacity(frames)).collect();
    let solver = Solver::new(rig);
    let mut before = MusclesBefore::default();
    let mut rotation: Option<Quat> = None;
    for frame in 0..frames {
        let world = rig.kinematics.in_frame(clip, frame)?;
        let (muscles, mut root) = solver
            .frame(&world, &mut before)
            .map_err(|error| Error::invalid(format!("frame {frame}: {error}")))?;
        // A quaternion and its negative are the same rotation; neighbours are kept on one side.
        if rotation.is_some_and(|before| before.dot(root.rotation) < 0.0) {
            root.rotation = -root.rotation;
        }
        rotation = Some(root.rotation);
        let Transform { position: p, rotation: q } = root;
        let values = muscles.into_iter().chain([p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
        samples.iter_mut().zip(values).for_each(|(samples, value)| samples.push(value as f32));
        progress(frame as u64 + 1);
    }
    let channels = rig.rig().channels();
    tracks.extend(clip.tracks[channels..].iter().cloned());
    samples.extend(clip.samples[channels..].iter().cloned());
    let humanoid = Clip { tracks, samples, times: clip.times.clone(), meta: clip.meta.clone(), rig: None };
    humanoid.validate()?;
    let mut notes = rig.notes();
    notes.extend(super::losses::of_solving(clip, rig)?);
    Ok((humanoid, notes))
}

/// A bone whose direction is that to another bone's joint, because joints between them move that.
struct Aimed {
    bone: Bone,
    joint: usize,
    child: usize,
    /// From the joint to the child's, in the joint's own axes, in T-pose.
    along: Vec3,
}

pub(super) struct Solver<'a> {
    rig: &'a HumanRig,
    aimed: Vec<Aimed>,
}

impl<'a> Solver<'a> {
    pub fn new(rig: &'a HumanRig) -> Solver<'a> {
        let aimed = rig.map.bones().filter_map(|(bone, joint)| aimed(rig, bone, joint)).collect();
        Solver { rig, aimed }
    }

    /// The hips, and the world rotations that the bones ought to have.
    pub fn wanted(&self, world: &[Transform]) -> (Transform, [Quat; BONE_COUNT]) {
        let mut wanted = [Quat::IDENTITY; BONE_COUNT];
        let place = |joint: usize| self.rig.space.to_human(world[joint]);
        for (bone, joint) in self.rig.map.bones() {
            wanted[bone as usize] = place(joint).rotation;
        }
        for Aimed { bone, joint, child, along } in &self.aimed {
            let there = place(*child).position - place(*joint).position;
            let rotation = wanted[*bone as usize];
            if let Some(turn) = Quat::between(rotation.rotate(*along), there) {
                wanted[*bone as usize] = turn * rotation;
            }
        }
        (place(self.rig.map.joint(Bone::Hips).expect("a human rig has hips")), wanted)
    }

    /// Muscles, and the root in units of the human scale, of joints in the file's axes; muscles go on from those of the
    /// frame before.
    fn frame(
        &self,
        world: &[Transform],
        before: &mut MusclesBefore,
    ) -> sinew::Result<([f64; MUSCLE_COUNT], Transform)> {
        let avatar = &self.rig.avatar;
        // 1. World rotations that the bones ought to have.
        let (hips, wanted) = self.wanted(world);

        // 2. Muscles, until what the bones really do settles.
        let mut real = wanted;
        let mut local = self.relative(&wanted, &real);
        let (mut muscles, mut now) = avatar.muscles_after(&local, before)?;
        let mut made = avatar.local_rotations(&muscles)?;
        for _ in 1..PASSES {
            for &bone in avatar.bones() {
                if let Some(parent) = avatar.bone(bone).and_then(|row| row.parent) {
                    real[bone as usize] = real[parent as usize] * made[bone as usize];
                }
            }
            let next = self.relative(&wanted, &real);
            let change = local.iter().zip(&next).map(|(a, b)| a.angle_to(*b)).fold(0.0, f64::max);
            if change < SETTLED {
                break;
            }
            local = next;
            (muscles, now) = avatar.muscles_after(&local, before)?;
            made = avatar.local_rotations(&muscles)?;
        }

        *before = now;

        // 3. The root for which these muscles put the hips where they are.
        let pose = avatar.pose_of_rotations(&made, &hips)?;
        Ok((muscles, avatar.root_of(&pose)?))
    }

    /// Rotations relative to parents. Those of forearms, hands, shins and feet are relative to what the limb above ought
    /// to do: muscles share the twist between the two, so that the limb above is not seen to twist that way.
    fn relative(&self, wanted: &[Quat; BONE_COUNT], real: &[Quat; BONE_COUNT]) -> [Quat; BONE_COUNT] {
        use Bone::*;
        let mut local = [Quat::IDENTITY; BONE_COUNT];
        for &bone in self.rig.avatar.bones() {
            let Some(parent) = self.rig.avatar.bone(bone).and_then(|row| row.parent) else { continue };
            let shares_twist = matches!(
                bone,
                LeftLowerArm
                    | RightLowerArm
                    | LeftHand
                    | RightHand
                    | LeftLowerLeg
                    | RightLowerLeg
                    | LeftFoot
                    | RightFoot
            );
            let above = if shares_twist { wanted } else { real };
            local[bone as usize] = above[parent as usize].conjugate() * wanted[bone as usize];
        }
        local
    }
}

/// The next bone along a limb or the spine, if other joints, or positions that move, lie on the way.
fn aimed(rig: &HumanRig, bone: Bone, joint: usize) -> Option<Aimed> {
    let child = rig.map.next_along(bone)?;
    let way = rig.kinematics.tree.path(joint, child);
    let moves = |joint: &usize| rig.rig().joints[*joint].axes.iter().any(|&axis| !axis.is_rotation());
    if way.len() < 2 && !way.iter().any(moves) {
        return None;
    }
    let from = rig.t_pose.joints[joint];
    let along = from.rotation.conjugate().rotate(rig.t_pose.joints[child].position - from.position);
    along.normalized().map(|_| Aimed { bone, joint, child, along })
}
