//! How a body stands: its frame, and how far a pose is from one that leads to a T-pose without guessing.

use super::map::BoneMap;
use sinew::humanoid::{Bone, Quat, Transform, Vec3};

pub(super) const RIGHT: Vec3 = Vec3::new(1.0, 0.0, 0.0);
pub(super) const UP: Vec3 = Vec3::new(0.0, 1.0, 0.0);
pub(super) const FORWARD: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// A body that is off an axis by less than this leans as figures do (the reference skeleton by 1.2) and keeps its vertical
/// axis. Degrees.
const LEAN_DEG: f64 = 5.0;

/// The two sides with where their arms point in a T-pose.
pub(super) const SIDES: [(&str, Vec3); 2] = [("Left", Vec3::new(-1.0, 0.0, 0.0)), ("Right", RIGHT)];

/// The bone of a side.
pub(super) fn side_bone(side: &str, part: &str) -> Bone {
    Bone::from_name(&format!("{side}{part}")).expect("every limb bone has two sides")
}

/// Where the mapped joints are, by bone, in the humanoid's axes.
pub(super) struct Stance<'a> {
    map: &'a BoneMap,
    world: &'a [Transform],
}

impl<'a> Stance<'a> {
    pub fn new(map: &'a BoneMap, world: &'a [Transform]) -> Stance<'a> {
        Stance { map, world }
    }

    fn place(&self, bone: Bone) -> Option<Vec3> {
        self.map.joint(bone).map(|joint| self.world[joint].position)
    }

    /// The direction from one bone to another.
    pub fn direction(&self, from: Bone, to: Bone) -> Option<Vec3> {
        (self.place(to)? - self.place(from)?).normalized()
    }

    /// The rotation from the world to the body: x to its right, y up, z forward. `None` where it has no width or
    /// height.
    pub fn body(&self) -> Option<Quat> {
        use Bone::*;
        let [left_arm, right_arm, left_leg, right_leg] =
            [LeftUpperArm, RightUpperArm, LeftUpperLeg, RightUpperLeg].map(|bone| self.place(bone));
        let (left_arm, right_arm, left_leg, right_leg) = (left_arm?, right_arm?, left_leg?, right_leg?);
        let up = ((left_arm + right_arm) - (left_leg + right_leg)).normalized()?;
        // Arms that lie on the spine, as collar bones of some files do, have no width: the legs have.
        let right = (right_arm + right_leg) - (left_arm + left_leg);
        let forward = right.cross(up).normalized()?;
        Some(Quat::from_basis(up.cross(forward), up, forward))
    }

    /// The turn that stands the pose upright, facing forward. A body that leans a little in a pose that somebody made
    /// does so on purpose, and the file's vertical axis is kept. One whose shoulders stand far behind its hips, as in
    /// CMU files, is stood upright: bodies are turned by the line from legs to arms, so that any other figure, legs and
    /// all, would lean as far.
    pub fn upright(&self) -> Option<Quat> {
        let body = self.body()?;
        let up = body.rotate(UP);
        let axes = [RIGHT, UP, FORWARD].into_iter().flat_map(|axis| [axis, -axis]);
        let Some(axis) = axes.into_iter().find(|axis| axis.dot(up) > LEAN_DEG.to_radians().cos()) else {
            return Some(body.conjugate());
        };
        let stood = Quat::between(axis, UP)?;
        let forward = stood.rotate(body.rotate(FORWARD));
        Some(Quat::about_y(-forward.x.atan2(forward.z)) * stood)
    }

    /// How far from standing straight with arms between hanging and stretched out sideways: the sum of squared angles
    /// in radians by which the limbs are off. `None` without a body frame.
    pub fn badness(&self) -> Option<f64> {
        let to_body = self.body()?.conjugate();
        let angle = |from: Vec3, to: Vec3| from.cross(to).length().atan2(from.dot(to));
        let mut sum = 0.0;
        for (side, out) in SIDES {
            let bone = |part| side_bone(side, part);
            let along = |from, to| self.direction(bone(from), bone(to)).map(|v| to_body.rotate(v));
            let thigh = along("UpperLeg", "LowerLeg")?;
            let shin = along("LowerLeg", "Foot")?;
            let arm = along("UpperArm", "LowerArm")?;
            let forearm = along("LowerArm", "Hand")?;
            sum += angle(thigh, -UP).powi(2) + angle(shin, -UP).powi(2) + angle(arm, forearm).powi(2);
            // Sideways and down is free; forward, back, up and across the body are not.
            let nearest = Vec3::new(out.x * (arm.x * out.x).max(0.0), arm.y.min(0.0), 0.0);
            sum += angle(arm, if nearest.length() > 1e-6 { nearest } else { out }).powi(2);
            if let Some(foot) = along("Foot", "Toes") {
                let level = Vec3::new(foot.x, 0.0, foot.z);
                // A foot that points straight down tells nothing and is no standing foot either.
                sum += if level.length() > 0.2 { angle(level, FORWARD).powi(2) } else { 1.0 };
            }
        }
        let spine = self.direction(Bone::Hips, Bone::Head)?;
        Some(sum + angle(to_body.rotate(spine), UP).powi(2))
    }
}
