//! What the bones do in a clip, be it muscles or a skeleton: turns from the T-pose, frame by frame.

use super::human_rig::HumanRig;
use super::losses;
use super::solve::Solver;
use super::space::{mirrored, mirrored_rotation};
use crate::error::{Error, Result};
use crate::note::Note;
use sinew::Clip;
use sinew::humanoid::{BONE_COUNT, HumanFrame, HumanTracks, Quat, Vec3};

/// The bones in a frame: right-handed, y up, facing +z, metres.
pub(crate) struct BoneFrame {
    /// Where the hips are.
    pub hips: Vec3,
    /// How far each bone is turned from the T-pose, in the world's axes.
    pub turns: [Quat; BONE_COUNT],
}

/// Gives every frame of a clip to `each`. A skeleton clip must be of this rig; muscles are posed on its avatar.
///
/// The notes tell what is found out about a skeleton, and what of the clip its bones do not show; tracks that are
/// neither muscles nor channels are left to the caller.
///
/// # Errors
/// [`Error::InvalidInput`] for a clip that has neither, and for values that place no bone, by frame; what `each` gives.
pub(crate) fn bone_frames(
    clip: &Clip,
    rig: &HumanRig,
    mut each: impl FnMut(BoneFrame) -> Result<()>,
) -> Result<Vec<Note>> {
    let avatar = rig.avatar();
    let rest = avatar.rest_pose();
    let mut frame_of = |hips: Vec3, rotation: &dyn Fn(sinew::humanoid::Bone) -> Quat| {
        let mut turns = [Quat::IDENTITY; BONE_COUNT];
        for &bone in avatar.bones() {
            turns[bone as usize] = mirrored_rotation(rotation(bone) * rest.rotation(bone).conjugate());
        }
        each(BoneFrame { hips: mirrored(hips), turns })
    };
    if clip.is_skeleton() {
        let solver = Solver::new(rig);
        for frame in 0..clip.frames() {
            let (hips, wanted) = solver.wanted(&rig.kinematics.in_frame(clip, frame)?);
            frame_of(hips.position, &|bone| wanted[bone as usize])?;
        }
        let mut notes = rig.notes();
        notes.extend(losses::of_solving(clip, rig)?);
        return Ok(notes);
    }
    let tracks = HumanTracks::of(clip)?;
    let at_rest = HumanFrame::at_rest(avatar);
    for frame in 0..clip.frames() {
        let HumanFrame { muscles, root } = tracks.frame(frame, &at_rest);
        let pose = avatar.pose(&muscles, &root);
        let pose = pose.map_err(|error| Error::invalid(format!("frame {frame}: {error}")))?;
        frame_of(pose.position(sinew::humanoid::Bone::Hips), &|bone| pose.rotation(bone))?;
    }
    let mut notes: Vec<Note> = losses::of_muscles(clip, rig).into_iter().collect();
    if !tracks.has_root() {
        notes.push(Note::info("the clip has no root: where the hips are is a default, level at one place"));
    }
    Ok(notes)
}
