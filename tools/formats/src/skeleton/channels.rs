//! A skeleton's channels to the place of every joint: forward kinematics in the file's own axes.

use super::tree::Tree;
use crate::error::{Error, Result};
use sinew::humanoid::{Quat, Transform, Vec3};
use sinew::{Clip, JointAxis, Rig};

/// Which component of a position or axis of a rotation a channel is: 0, 1, 2.
pub(super) fn axis_index(axis: JointAxis) -> usize {
    match axis {
        JointAxis::PositionX | JointAxis::RotationX => 0,
        JointAxis::PositionY | JointAxis::RotationY => 1,
        JointAxis::PositionZ | JointAxis::RotationZ => 2,
    }
}

/// The rotation by `degrees` about x (0), y (1) or z (2).
fn about(axis: usize, degrees: f64) -> Quat {
    let angle = degrees.to_radians();
    match axis {
        0 => Quat::about_x(angle),
        1 => Quat::about_y(angle),
        _ => Quat::about_z(angle),
    }
}

/// Forward kinematics of a rig whose joints have channels.
///
/// A joint's transform relative to its parent is a move by its position channels, which stand in the place of the
/// offset's components, then its rotation channels as a product in the order in which they are listed. Some files
/// have position channels that are to be added to the offset instead: [`Kinematics::find_added`] tells them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kinematics {
    pub rig: Rig,
    pub tree: Tree,
    /// Number of each joint's first channel.
    pub first: Vec<usize>,
    /// Whether a joint's position channels are added to its offset.
    pub added: Vec<bool>,
}

impl Kinematics {
    /// # Errors
    /// [`Error::Codec`] for a rig whose parents do not stand before their children or whose offsets are not finite.
    pub fn of(rig: &Rig) -> Result<Kinematics> {
        rig.validate()?;
        let mut next = 0;
        let first = rig
            .joints
            .iter()
            .map(|joint| {
                next += joint.axes.len();
                next - joint.axes.len()
            })
            .collect();
        let added = vec![false; rig.joints.len()];
        Ok(Kinematics { rig: rig.clone(), tree: Tree::of(rig), first, added })
    }

    /// Finds the joints below roots whose position channels stay nearer to 0 than to their offsets in these frames.
    pub fn find_added(&mut self, clip: &Clip, frames: &[usize]) {
        for (number, joint) in self.rig.joints.iter().enumerate() {
            let (mut to_zero, mut to_offset) = (0.0, 0.0);
            for (channel, &axis) in joint.axes.iter().enumerate().filter(|(_, axis)| !axis.is_rotation()) {
                let samples = &clip.samples[self.first[number] + channel];
                let offset = f64::from(joint.offset[axis_index(axis)]);
                for value in frames.iter().map(|&frame| f64::from(samples[frame])) {
                    (to_zero, to_offset) = (to_zero + value.abs(), to_offset + (value - offset).abs());
                }
            }
            self.added[number] = joint.parent.is_some() && to_zero < to_offset;
        }
    }

    /// Every joint with all channels that are angles at 0, and with its offset as position.
    pub fn at_rest(&self) -> Vec<Transform> {
        let offset = |joint: usize| Vec3::from(self.rig.joints[joint].offset.map(f64::from));
        let local =
            (0..self.tree.len()).map(|joint| Transform { position: offset(joint), rotation: Quat::IDENTITY });
        self.placed(local)
    }

    /// Every joint in a frame of a skeleton clip of this rig.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the track if a sample is not finite.
    pub fn in_frame(&self, clip: &Clip, frame: usize) -> Result<Vec<Transform>> {
        let local: Result<Vec<Transform>> =
            (0..self.tree.len()).map(|joint| self.local(clip, joint, frame)).collect();
        Ok(self.placed(local?.into_iter()))
    }

    /// A joint relative to its parent in a frame of a skeleton clip of this rig.
    ///
    /// # Errors
    /// As [`Kinematics::in_frame`].
    pub fn local(&self, clip: &Clip, number: usize, frame: usize) -> Result<Transform> {
        let (joint, first, added) = (&self.rig.joints[number], self.first[number], self.added[number]);
        let mut position = joint.offset.map(f64::from);
        let mut rotation = Quat::IDENTITY;
        for (channel, &axis) in joint.axes.iter().enumerate() {
            let value = f64::from(clip.samples[first + channel][frame]);
            if !value.is_finite() {
                let track = clip.tracks[first + channel].name();
                return Err(Error::invalid(format!(
                    "frame {frame}, track {track:?}: {value} places no joint"
                )));
            }
            match axis_index(axis) {
                index if axis.is_rotation() => rotation = rotation * about(index, value),
                index if added => position[index] += value,
                index => position[index] = value,
            }
        }
        Ok(Transform { position: Vec3::from(position), rotation })
    }

    /// World transforms of local ones in joint order.
    fn placed(&self, local: impl Iterator<Item = Transform>) -> Vec<Transform> {
        let mut world: Vec<Transform> = Vec::with_capacity(self.tree.len());
        for (joint, own) in local.enumerate() {
            let placed = match self.tree.parents[joint] {
                None => own,
                Some(parent) => {
                    let at = world[parent];
                    Transform {
                        position: at.position + at.rotation.rotate(own.position),
                        // Long chains of products drift off unit length.
                        rotation: (at.rotation * own.rotation).normalized().unwrap_or(at.rotation),
                    }
                }
            };
            world.push(placed);
        }
        world
    }
}
