//! IK goals: where feet and hands are, as `LeftFootT`, `LeftFootQ` and their like store it.

use super::avatar::Avatar;
use super::bone::Bone;
use super::pose::{Pose, Transform, usable};
use super::vec3::Vec3;
use crate::error::Result;

/// One of the four limb ends that have a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Sole of the left foot.
    LeftFoot,
    /// Sole of the right foot.
    RightFoot,
    /// Left wrist.
    LeftHand,
    /// Right wrist.
    RightHand,
}

impl Goal {
    /// All goals in stored order.
    pub const ALL: [Goal; 4] = [Goal::LeftFoot, Goal::RightFoot, Goal::LeftHand, Goal::RightHand];

    /// The bone.
    pub fn bone(self) -> Bone {
        match self {
            Goal::LeftFoot => Bone::LeftFoot,
            Goal::RightFoot => Bone::RightFoot,
            Goal::LeftHand => Bone::LeftHand,
            Goal::RightHand => Bone::RightHand,
        }
    }
}

impl Avatar {
    /// A goal of a pose, relative to the body's root (which [`Avatar::root_of`] finds) and in units of the human scale.
    ///
    /// # Errors
    /// [`Error::InvalidInput`](crate::Error::InvalidInput) if the root is not usable.
    pub fn goal(&self, pose: &Pose, root: &Transform, goal: Goal) -> Result<Transform> {
        let root = usable(root, "root")?;
        let row = self.required(goal.bone());
        let rotation = pose.rotation(goal.bone()) * row.post;
        let reach = match goal {
            Goal::LeftFoot | Goal::RightFoot => row.length,
            Goal::LeftHand | Goal::RightHand => 0.0,
        };
        let position = pose.position(goal.bone()) + rotation.rotate(Vec3::new(reach, 0.0, 0.0));
        let to_body = root.rotation.conjugate();
        Ok(Transform {
            position: to_body.rotate(position - root.position * self.human_scale) / self.human_scale,
            rotation: to_body * rotation,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid::Quat;

    #[test]
    fn goals_of_a_t_pose_are_soles_and_wrists_and_follow_the_body() {
        let avatar = Avatar::reference();
        let rest = avatar.rest_pose();
        let root = avatar.root_of(&rest).unwrap();
        let place = |goal: Goal| {
            let found = avatar.goal(&rest, &root, goal).unwrap();
            (root.rotation.rotate(found.position) + root.position) * avatar.human_scale()
        };
        assert!((place(Goal::LeftFoot) - Vec3::new(-0.09, 0.0, 0.0)).length() < 1e-12);
        assert!((place(Goal::RightHand) - rest.position(Bone::RightHand)).length() < 1e-12);

        let moved = Transform {
            position: Vec3::new(0.3, 1.1, -2.0),
            rotation: Quat::new(0.1, 0.7, -0.2, 0.4).normalized().unwrap(),
        };
        let muscles = avatar.rest_muscles();
        let pose = avatar.pose(&muscles, &moved).unwrap();
        for goal in Goal::ALL {
            let (a, b) =
                (avatar.goal(&rest, &root, goal).unwrap(), avatar.goal(&pose, &moved, goal).unwrap());
            assert!((a.position - b.position).length() < 1e-9, "{goal:?}");
            assert!(a.rotation.angle_to(b.rotation) < 1e-9, "{goal:?}");
        }
    }
}
