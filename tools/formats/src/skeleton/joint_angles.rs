//! Joints relative to their parents, for files that hold quaternions: from rotations to channels, and back.

use super::channels::{Kinematics, axis_index};
use super::euler::Order;
use crate::error::{Error, Result};
use sinew::humanoid::{Quat, Transform};
use sinew::{Clip, JointAxis};

/// Makes angles of a joint's rotations, each as near as can be to the frame before.
pub(crate) struct JointAngles {
    order: Order,
    before: Option<Vec<f64>>,
}

impl JointAngles {
    /// `None` if a rotation axis comes twice.
    pub fn new(axes: &[JointAxis]) -> Option<JointAngles> {
        let turns = axes.iter().copied().filter(|axis| axis.is_rotation()).map(axis_index);
        Some(JointAngles { order: Order::new(turns.collect())?, before: None })
    }

    /// The angles in degrees of the next frame, in the order of the axes.
    pub fn next(&mut self, rotation: Quat) -> &[f64] {
        let angles = self.order.angles(rotation, self.before.as_deref());
        self.before.insert(angles)
    }
}

/// The joints of a skeleton clip relative to their parents, in the file's axes and unit.
pub(crate) struct JointMotion<'a> {
    kinematics: Kinematics,
    clip: &'a Clip,
}

impl<'a> JointMotion<'a> {
    /// # Errors
    /// [`Error::InvalidInput`] for a clip that is no skeleton's.
    pub fn of(clip: &'a Clip) -> Result<JointMotion<'a>> {
        let rig = clip.rig.as_ref().filter(|_| clip.is_skeleton());
        let rig = rig.ok_or_else(|| Error::invalid("there is no skeleton whose joints have channels"))?;
        let mut kinematics = Kinematics::of(rig)?;
        kinematics.find_added(clip, &(0..clip.frames()).collect::<Vec<_>>());
        Ok(JointMotion { kinematics, clip })
    }

    /// A joint in a frame.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the track if a sample is not finite.
    pub fn local(&self, joint: usize, frame: usize) -> Result<Transform> {
        self.kinematics.local(self.clip, joint, frame)
    }
}
