//! The rig: the joints of a skeleton clip, with parents, rest offsets and the order of their channels.

use crate::error::{Error, Result};

/// One motion component of a joint, as a skeleton file lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum JointAxis {
    /// Position along x.
    PositionX = 0,
    /// Position along y.
    PositionY = 1,
    /// Position along z.
    PositionZ = 2,
    /// Rotation about x.
    RotationX = 3,
    /// Rotation about y.
    RotationY = 4,
    /// Rotation about z.
    RotationZ = 5,
}

impl JointAxis {
    /// The axis of a stored number 0..6.
    pub const fn from_number(number: u8) -> Option<JointAxis> {
        Some(match number {
            0 => JointAxis::PositionX,
            1 => JointAxis::PositionY,
            2 => JointAxis::PositionZ,
            3 => JointAxis::RotationX,
            4 => JointAxis::RotationY,
            5 => JointAxis::RotationZ,
            _ => return None,
        })
    }

    /// Whether the axis turns, in degrees; otherwise it moves, in the rig's length unit.
    pub const fn is_rotation(self) -> bool {
        matches!(self, JointAxis::RotationX | JointAxis::RotationY | JointAxis::RotationZ)
    }
}

/// One joint of a rig.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name as in the file; names may repeat.
    pub name: String,
    /// Number of the parent joint, smaller than this joint's own; `None` for a root.
    pub parent: Option<usize>,
    /// Rest position relative to the parent, in the source's length unit.
    pub offset: [f32; 3],
    /// The joint's motion components in the order the source lists and applies them.
    pub axes: Vec<JointAxis>,
}

/// A skeleton: joints with parents before children.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rig {
    /// The joints.
    pub joints: Vec<Joint>,
}

impl Rig {
    /// The motion components of all joints, joint by joint.
    pub fn axes(&self) -> impl Iterator<Item = JointAxis> + '_ {
        self.joints.iter().flat_map(|joint| joint.axes.iter().copied())
    }

    /// Number of motion components of all joints together.
    pub fn channels(&self) -> usize {
        self.joints.iter().map(|joint| joint.axes.len()).sum()
    }

    /// Checks that every parent stands before its child and every offset is finite.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the joint.
    pub fn validate(&self) -> Result<()> {
        for (index, joint) in self.joints.iter().enumerate() {
            if joint.parent.is_some_and(|parent| parent >= index) {
                return Err(Error::invalid(format!(
                    "joint {index} ({}): its parent must stand before it",
                    joint.name
                )));
            }
            if !joint.offset.iter().all(|x| x.is_finite()) {
                return Err(Error::invalid(format!("joint {index} ({}): offset is not finite", joint.name)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_must_stand_before_its_child() {
        let joint = |parent| Joint { name: "j".into(), parent, offset: [0.0; 3], axes: vec![] };
        assert!(Rig { joints: vec![joint(None), joint(Some(0))] }.validate().is_ok());
        assert!(Rig { joints: vec![joint(Some(0))] }.validate().is_err());
        assert!(Rig { joints: vec![joint(None), joint(Some(2)), joint(None)] }.validate().is_err());
    }

    #[test]
    fn axis_numbers_round_trip() {
        for number in 0..6 {
            assert_eq!(JointAxis::from_number(number).map(|axis| axis as u8), Some(number));
        }
        assert_eq!(JointAxis::from_number(6), None);
        let turning = (0..6).filter_map(JointAxis::from_number).map(JointAxis::is_rotation);
        assert!(turning.eq([false, false, false, true, true, true]));
    }
}
