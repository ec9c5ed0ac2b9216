//! Where the joints of a clip's figure are, whatever describes it: for pictures and checks.

use super::channels::Kinematics;
use super::human_rig::HumanRig;
use super::space::mirrored;
use crate::error::{Error, Result};
use sinew::Clip;
use sinew::humanoid::{Bone, HumanFrame, HumanTracks, Vec3};

/// The joints of a clip's figure, frame by frame.
#[derive(Debug, Clone)]
pub struct FigureJoints<'a> {
    source: Source<'a>,
    names: Vec<String>,
    parents: Vec<Option<usize>>,
}

#[derive(Debug, Clone)]
enum Source<'a> {
    Skeleton(Box<Kinematics>, &'a Clip),
    Humanoid(Box<HumanTracks<'a>>, &'a HumanRig),
}

impl<'a> FigureJoints<'a> {
    /// The joints of a skeleton clip in the file's own axes and unit, or those of a humanoid clip on the avatar of
    /// `rig`: right-handed, y up, the left side of somebody who faces +z at +x, in metres.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a clip that is neither or not valid.
    pub fn of(clip: &'a Clip, rig: &'a HumanRig) -> Result<FigureJoints<'a>> {
        clip.validate()?;
        if let Some(own) = clip.rig.as_ref().filter(|_| clip.is_skeleton()) {
            let mut kinematics = Kinematics::of(own)?;
            kinematics.find_added(clip, &(0..clip.frames()).collect::<Vec<_>>());
            let (names, parents) = (kinematics.tree.names.clone(), kinematics.tree.parents.clone());
            return Ok(FigureJoints { source: Source::Skeleton(Box::new(kinematics), clip), names, parents });
        }
        let tracks = HumanTracks::of(clip)?;
        let bones = rig.avatar().bones();
        let number = |bone: Bone| bones.iter().position(|&other| other == bone);
        let names = bones.iter().map(|bone| bone.name().to_owned()).collect();
        let parent = |&bone: &Bone| rig.avatar().bone(bone).and_then(|row| row.parent).and_then(number);
        let parents = bones.iter().map(parent).collect();
        Ok(FigureJoints { source: Source::Humanoid(Box::new(tracks), rig), names, parents })
    }

    /// Names of the joints.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of each joint's parent, smaller than its own; `None` for a root.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Where the joints are in a frame.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a value that places no joint, by name.
    ///
    /// # Panics
    /// If the clip has no such frame.
    pub fn frame(&self, frame: usize) -> Result<Vec<Vec3>> {
        match &self.source {
            Source::Skeleton(kinematics, clip) => {
                let world = kinematics.in_frame(clip, frame)?;
                Ok(world.iter().map(|joint| joint.position).collect())
            }
            Source::Humanoid(tracks, rig) => {
                let HumanFrame { muscles, root } = tracks.frame(frame, &HumanFrame::at_rest(rig.avatar()));
                let pose = rig
                    .avatar()
                    .pose(&muscles, &root)
                    .map_err(|error| Error::invalid(format!("frame {frame}: {error}")))?;
                Ok(rig.avatar().bones().iter().map(|&bone| mirrored(pose.position(bone))).collect())
            }
        }
    }
}
