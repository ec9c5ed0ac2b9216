//! How muscles and root move the bones at one pose, to first order: rigid motions of bones with all that hangs on them.

use super::avatar::Avatar;
use super::body::{ANCHORS, body_rotation_of, mass_centre};
use super::bone::{BONE_COUNT, Bone};
use super::human_tracks::HumanFrame;
use super::pose::{Pose, Transform};
use super::quat::Quat;
use super::swing_twist::axes_of;
use super::vec3::Vec3;
use crate::error::Result;
use crate::muscles::MUSCLE_COUNT;

/// A rigid motion per unit of what causes it: a point p moves by `shift + turn × p`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Twist {
    /// Radians.
    pub(crate) turn: Vec3,
    /// In the unit of length of the points.
    pub(crate) shift: Vec3,
}

impl Twist {
    /// A turn about a point that stays.
    pub(crate) fn about(turn: Vec3, pivot: Vec3) -> Twist {
        Twist { turn, shift: pivot.cross(turn) }
    }

    fn moves(&self, point: Vec3) -> Vec3 {
        self.shift + self.turn.cross(point)
    }
}

/// What [`LinearAvatar::at`] finds at one pose.
pub(crate) struct LinearPose {
    pub(crate) pose: Pose,
    /// Of each muscle how it moves its own bone, the bone that it hands twist on to, and, because the body frame stays
    /// where the root has it, the whole body.
    pub(crate) muscles: [[Twist; 3]; MUSCLE_COUNT],
    /// How the components of `RootT`, then those of `RootQ`, move the whole body.
    pub(crate) root: [Twist; 7],
}

/// An avatar prepared to be linearised.
pub(crate) struct LinearAvatar<'a> {
    avatar: &'a Avatar,
    /// Share of each joint's place in that of the mass centre.
    weights: [f64; BONE_COUNT],
    /// For each muscle its bone, and the bone that it hands twist on to.
    turned: [(Option<Bone>, Option<Bone>); MUSCLE_COUNT],
    /// Whether one bone hangs on another or is the same: `[ancestor][bone]`.
    hangs_on: Vec<[bool; BONE_COUNT]>,
}

/// Difference, in units of a muscle, over which the body rotation's derivative is taken.
const SMALL: f64 = 1e-5;

impl<'a> LinearAvatar<'a> {
    pub(crate) fn new(avatar: &'a Avatar) -> LinearAvatar<'a> {
        let has: [bool; BONE_COUNT] = std::array::from_fn(|bone| avatar.bones[bone].is_some());
        let weights = std::array::from_fn(|bone| {
            let mut pose = Pose::default();
            let position = Vec3::new(1.0, 0.0, 0.0);
            pose.place(Bone::ALL[bone], Transform { position, rotation: Quat::IDENTITY });
            mass_centre(&pose, &has).x
        });
        let turned = std::array::from_fn(|muscle| {
            let Some((bone, axis)) = Bone::of_muscle(muscle).filter(|(bone, _)| has[*bone as usize]) else {
                return (None, None);
            };
            let next = avatar.twist_pairs().into_iter().find(|pair| axis == 0 && pair.0 == bone);
            (Some(bone), next.map(|pair| pair.1))
        });
        let hangs_on = Bone::ALL
            .iter()
            .map(|&ancestor| {
                let parent = |bone: &Bone| avatar.bone(*bone).and_then(|row| row.parent);
                Bone::ALL.map(|bone| std::iter::successors(Some(bone), parent).any(|at| at == ancestor))
            })
            .collect();
        LinearAvatar { avatar, weights, turned, hangs_on }
    }

    pub(crate) fn avatar(&self) -> &'a Avatar {
        self.avatar
    }

    /// The bone that a muscle turns, and the one that it hands twist on to.
    pub(crate) fn turned(&self, muscle: usize) -> (Option<Bone>, Option<Bone>) {
        self.turned[muscle]
    }

    /// Whether a muscle moves the mass centre or turns the body.
    pub(crate) fn moves_body(&self, muscle: usize) -> bool {
        let moves = |bone: Bone| {
            let heavy = |at: &Bone| self.weights[*at as usize] > 0.0 && self.hangs_on(*at, bone);
            Bone::ALL.iter().any(heavy)
        };
        self.turned[muscle].0.is_some_and(moves)
    }

    /// Whether `bone` is `ancestor` or hangs on it.
    pub(crate) fn hangs_on(&self, bone: Bone, ancestor: Bone) -> bool {
        self.hangs_on[ancestor as usize][bone as usize]
    }

    /// The pose of usable values, and how each of them moves it.
    ///
    /// # Errors
    /// As [`Avatar::pose`].
    pub(crate) fn at(&self, values: &HumanFrame) -> Result<LinearPose> {
        let avatar = self.avatar;
        let (angles, handed_on) = avatar.angles(&values.muscles)?;
        let local = avatar.rotations_of(&angles, &handed_on);
        let hips = avatar.hips_of(&local, &values.root)?;
        let pose = avatar.posed(&local, &hips);
        let mut muscles = [[Twist::default(); 3]; MUSCLE_COUNT];

        // 1. Each bone's muscles about its own joint; what is handed on, about the next one.
        for &bone in avatar.bones() {
            let row = avatar.required(bone);
            let Some(parent) = row.parent else { continue };
            let turn = handed_on[bone as usize].unwrap_or(Quat::IDENTITY);
            let frame = pose.rotation(parent) * turn * row.pre;
            let axes = axes_of(angles[bone as usize]);
            for (axis, muscle) in bone.info().muscles.iter().enumerate() {
                let Some(muscle) = muscle.map(usize::from) else { continue };
                let unit = row.angle_per_unit(bone, axis, values.muscles[muscle]);
                muscles[muscle][0] = Twist::about(frame.rotate(axes[axis]) * unit, pose.position(bone));
            }
        }
        for (bone, next, share) in avatar.twist_pairs() {
            let Some(muscle) = bone.info().muscles[0].map(usize::from) else { continue };
            let row = avatar.required(bone);
            let unit = row.angle_per_unit(bone, 0, values.muscles[muscle]) * (1.0 - share);
            let axis = (pose.rotation(bone) * row.post).rotate(Vec3::new(1.0, 0.0, 0.0));
            let [own, handed, _] = &mut muscles[muscle];
            own.turn = own.turn * share;
            own.shift = own.shift * share;
            *handed = Twist::about(axis * unit, pose.position(next));
        }

        // 2. The body frame stays: the whole turns and moves back.
        let centre = values.root.position * avatar.human_scale();
        for (muscle, twists) in muscles.iter_mut().enumerate() {
            twists[2] = self.held_back(&pose, centre, muscle, twists);
        }
        Ok(LinearPose { root: self.root(values, centre), muscles, pose })
    }

    /// What brings the body frame back where the root has it after a muscle's own twists.
    fn held_back(&self, pose: &Pose, centre: Vec3, muscle: usize, twists: &[Twist; 3]) -> Twist {
        let (Some(bone), next) = self.turned[muscle] else { return Twist::default() };
        let way = |at: Bone| {
            let mut way = Vec3::ZERO;
            for (moved, twist) in [Some(bone), next].into_iter().zip(twists) {
                if moved.is_some_and(|moved| self.hangs_on(at, moved)) {
                    way = way + twist.moves(pose.position(at));
                }
            }
            way
        };
        let mut drift = Vec3::ZERO;
        for &at in self.avatar.bones() {
            if self.weights[at as usize] > 0.0 && self.hangs_on(at, bone) {
                drift = drift + way(at) * self.weights[at as usize];
            }
        }
        let mut turn = Vec3::ZERO;
        if ANCHORS.iter().any(|&anchor| anchor != bone && self.hangs_on(anchor, bone)) {
            let at = |step: f64| {
                body_rotation_of(ANCHORS.map(|anchor| pose.position(anchor) + way(anchor) * step))
            };
            if let (Some(before), Some(after)) = (at(-SMALL), at(SMALL)) {
                let turned = after * before.conjugate();
                let sense = if turned.w < 0.0 { -1.0 } else { 1.0 };
                turn = Vec3::new(turned.x, turned.y, turned.z) * (sense / SMALL);
            }
        }
        let mut twist = Twist::about(turn * -1.0, centre);
        twist.shift = twist.shift - drift;
        twist
    }

    fn root(&self, values: &HumanFrame, centre: Vec3) -> [Twist; 7] {
        let scale = self.avatar.human_scale();
        let raw = values.root.rotation;
        let square = raw.dot(raw);
        std::array::from_fn(|component| {
            let unit = |index: usize| if component == index { 1.0 } else { 0.0 };
            if component < 3 {
                let shift = Vec3::new(unit(0), unit(1), unit(2)) * scale;
                return Twist { turn: Vec3::ZERO, shift };
            }
            let turned = Quat::new(unit(3), unit(4), unit(5), unit(6)) * raw.conjugate();
            Twist::about(Vec3::new(turned.x, turned.y, turned.z) * (2.0 / square), centre)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every twist against the difference of two poses.
    #[test]
    fn twists_are_the_derivatives_of_the_pose() {
        let avatar = Avatar::reference();
        let linear = LinearAvatar::new(avatar);
        let mut values = HumanFrame::at_rest(avatar);
        for (i, value) in values.muscles.iter_mut().enumerate() {
            *value = 0.3 + ((i * 37) % 19) as f64 * 0.05 - 0.5;
            if value.abs() < 0.01 {
                *value = 0.1;
            }
        }
        values.root.position = Vec3::new(0.4, 1.1, -2.0);
        values.root.rotation = Quat::new(0.2, -0.5, 0.1, 0.7);
        let found = linear.at(&values).unwrap();
        let step = 1e-6;
        let measured = |change: &dyn Fn(&mut HumanFrame, f64), bone: Bone| {
            let pose = |step: f64| {
                let mut values = values.clone();
                change(&mut values, step);
                avatar.pose(&values.muscles, &values.root).unwrap().position(bone)
            };
            (pose(step) - pose(-step)) / (2.0 * step)
        };
        for bone in Bone::ALL {
            for muscle in 0..MUSCLE_COUNT {
                let (own, next) = linear.turned(muscle);
                let mut way = found.muscles[muscle][2].moves(found.pose.position(bone));
                for (moved, twist) in [own, next].into_iter().zip(&found.muscles[muscle]) {
                    if moved.is_some_and(|moved| linear.hangs_on(bone, moved)) {
                        way = way + twist.moves(found.pose.position(bone));
                    }
                }
                let expected = measured(&|values, step| values.muscles[muscle] += step, bone);
                assert!(
                    (way - expected).length() < 1e-6,
                    "muscle {muscle}, {}: {way:?} {expected:?}",
                    bone.name()
                );
            }
            for component in 0..7 {
                let expected = measured(
                    &|values, step| match component {
                        0 => values.root.position.x += step,
                        1 => values.root.position.y += step,
                        2 => values.root.position.z += step,
                        3 => values.root.rotation.x += step,
                        4 => values.root.rotation.y += step,
                        5 => values.root.rotation.z += step,
                        _ => values.root.rotation.w += step,
                    },
                    bone,
                );
                let way = found.root[component].moves(found.pose.position(bone));
                assert!((way - expected).length() < 1e-6, "root {component}: {way:?} {expected:?}");
            }
        }
    }
}
