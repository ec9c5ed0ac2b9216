//! The T-pose of a skeleton: from its rest pose where that stands like a human, else from the frame that does best.

use super::channels::Kinematics;
use super::map::BoneMap;
use super::stance::{FORWARD, SIDES, Stance, UP, side_bone};
use sinew::humanoid::{Bone, Quat, Transform, Vec3};

/// A rest pose is taken as it stands up to this badness ([`Stance::badness`]): one limb 70 degrees off, or all of
/// them about 20.
const GOOD_REST: f64 = 1.5;
/// A frame of a smaller badness stands so straight that somebody made it a T-pose, or one with lowered arms.
const MADE_POSE: f64 = 0.02;
/// A limb nearer than this to its direction in a T-pose stays as it is, as avatars are built from T-poses that people
/// made. Degrees for arms and legs.
const GOOD_ARM_DEG: f64 = 12.0;
const GOOD_LEG_DEG: f64 = 8.0;
/// A foot turned farther from forward than this is turned forward. Degrees.
const GOOD_FOOT_DEG: f64 = 40.0;
/// Hands and fingers bent farther than this are straightened: relaxed ones are not.
const GOOD_HAND_DEG: f64 = 45.0;
/// How much of the leg's length the ankle is above the ground where nothing is below it.
const ANKLE: f64 = 0.08;

/// Where the T-pose came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestPose {
    /// The rest pose is a T-pose.
    T,
    /// The rest pose has its arms this many degrees below the T-pose's (the larger of both); they are raised.
    ArmsLowered(u32),
    /// The rest pose does not stand as a human does (all bones along one axis, say), and this frame's pose was used.
    Frame(usize),
}

/// A T-pose: the transform of each joint in the world, in the humanoid's axes: upright, facing +z, on the ground y = 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TPose {
    pub joints: Vec<Transform>,
    /// Each joint relative to its parent in the pose that this one was made from, in the humanoid's axes. That of a
    /// root is its place in the world.
    pub base_local: Vec<Transform>,
    pub source: RestPose,
    /// Names of the limbs that were turned, without the side.
    pub turned: Vec<&'static str>,
}

/// Makes the T-pose. `rest` is the rest pose, `mean` each joint's mean place relative to its parent in the motion, if
/// there is one, and `frames` gives poses of the motion with their frame numbers; all in the humanoid's axes. `None`
/// where no pose has a body.
///
/// Joints that are no bone take their mean place, as muscles do not move them.
pub(super) fn t_pose(
    kinematics: &Kinematics,
    map: &BoneMap,
    rest: Vec<Transform>,
    mean: &[Option<Transform>],
    frames: impl Iterator<Item = (usize, Vec<Transform>)>,
) -> Option<TPose> {
    // 1. The base.
    let badness = |world: &[Transform]| Stance::new(map, world).badness().unwrap_or(f64::INFINITY);
    let (mut base, mut source, mut moving) = (rest, None, false);
    let rest_badness = badness(&base);
    if rest_badness > GOOD_REST {
        // Frames are the better base only if they are clearly better.
        let mut least = 0.8 * rest_badness;
        for (frame, world) in frames {
            let found = badness(&world);
            if found < least {
                (base, source, least) = (world, Some(frame), found);
            }
        }
        moving = source.is_some() && least > MADE_POSE;
    }
    let stance = Stance::new(map, &base);
    let upright = if moving { stance.body()?.conjugate() } else { stance.upright()? };
    let rest_hips_height = map.joint(Bone::Hips).map_or(0.0, |joint| base[joint].position.y);
    let mut builder = Builder::new(kinematics, map, &base, mean, upright);

    // 2. Limbs into their directions, from the body outwards. A frame in motion is nobody's T-pose: all of it is turned.
    let good = |deg: f64| if moving { 0.0 } else { deg };
    if moving {
        builder.straighten_torso();
    }
    let mut lowered: f64 = 0.0;
    for (side, out) in SIDES {
        let bone = |part: &str| side_bone(side, part);
        builder.align("legs", bone("UpperLeg"), bone("LowerLeg"), -UP, good(GOOD_LEG_DEG));
        builder.align("legs", bone("LowerLeg"), bone("Foot"), -UP, good(GOOD_LEG_DEG));
        builder.turn_foot_forward(bone("Foot"), bone("Toes"));
        let arm = builder.align("arms", bone("UpperArm"), bone("LowerArm"), out, good(GOOD_ARM_DEG));
        lowered = lowered.max(arm);
        builder.align("arms", bone("LowerArm"), bone("Hand"), out, good(GOOD_ARM_DEG));
        if let Some(end) = builder.end_of_hand(side) {
            builder.align_to("hands", bone("Hand"), end, out, GOOD_HAND_DEG);
        }
        for finger in ["Index", "Middle", "Ring", "Little"] {
            let bones = ["Proximal", "Intermediate", "Distal"].map(|part| bone(&format!("{finger}{part}")));
            builder.align("fingers", bones[0], bones[1], out, GOOD_HAND_DEG);
            builder.align("fingers", bones[1], bones[2], out, GOOD_HAND_DEG);
        }
    }
    let source = match source {
        Some(frame) => RestPose::Frame(frame),
        None if lowered > GOOD_ARM_DEG => RestPose::ArmsLowered(lowered.round() as u32),
        None => RestPose::T,
    };
    Some(builder.finish(source, moving, rest_hips_height))
}

/// A pose being turned limb by limb.
struct Builder<'a> {
    kinematics: &'a Kinematics,
    map: &'a BoneMap,
    /// Offset and rotation of each joint relative to its parent.
    local: Vec<Transform>,
    base_local: Vec<Transform>,
    world: Vec<Transform>,
    turned: Vec<&'static str>,
}

impl<'a> Builder<'a> {
    fn new(
        kinematics: &'a Kinematics,
        map: &'a BoneMap,
        base: &[Transform],
        mean: &[Option<Transform>],
        turn: Quat,
    ) -> Builder<'a> {
        let hips = map.joint(Bone::Hips).expect("a complete map has hips");
        let is_loose = |joint: usize| kinematics.tree.is_below(joint, hips) && map.bone_of(joint).is_none();
        // Those on a bone's way to the next are seen in where the bone points: they keep their turn, as of a T-pose.
        let mut on_way = vec![false; kinematics.tree.len()];
        for (bone, joint) in map.bones() {
            let way = map.next_along(bone).map(|next| kinematics.tree.path(joint, next));
            way.into_iter().flatten().for_each(|at| on_way[at] = true);
        }
        let relative = |joint: usize| {
            let own = base[joint];
            match kinematics.tree.parents[joint] {
                None => Transform { position: turn.rotate(own.position), rotation: turn * own.rotation },
                Some(parent) => {
                    let back = base[parent].rotation.conjugate();
                    let based = Transform {
                        position: back.rotate(own.position - base[parent].position),
                        rotation: back * own.rotation,
                    };
                    match mean[joint].filter(|_| is_loose(joint)) {
                        Some(mean) if on_way[joint] => Transform { position: mean.position, ..based },
                        mean => mean.unwrap_or(based),
                    }
                }
            }
        };
        let local: Vec<Transform> = (0..base.len()).map(relative).collect();
        let base_local = local
            .iter()
            .zip(&kinematics.tree.parents)
            .zip(base)
            .map(|((local, parent), base)| if parent.is_some() { *local } else { *base })
            .collect();
        let mut builder =
            Builder { kinematics, map, local, base_local, world: base.to_vec(), turned: Vec::new() };
        builder.place(0);
        builder
    }

    /// Forward kinematics from a joint number on.
    fn place(&mut self, from: usize) {
        for joint in from..self.local.len() {
            let own = self.local[joint];
            self.world[joint] = match self.kinematics.tree.parents[joint] {
                None => own,
                Some(parent) => {
                    let at = self.world[parent];
                    Transform {
                        position: at.position + at.rotation.rotate(own.position),
                        rotation: at.rotation * own.rotation,
                    }
                }
            };
        }
    }

    /// Turns a bone so that it points where it does in a T-pose, if it is farther off than `good_deg`. Gives the angle
    /// in degrees by which it was off.
    fn align(&mut self, limb: &'static str, bone: Bone, child: Bone, to: Vec3, good_deg: f64) -> f64 {
        let child = self.map.joint(child);
        child.map_or(0.0, |child| self.align_to(limb, bone, child, to, good_deg))
    }

    fn align_to(&mut self, limb: &'static str, bone: Bone, child: usize, to: Vec3, good_deg: f64) -> f64 {
        let Some(joint) = self.map.joint(bone) else { return 0.0 };
        let along = self.world[child].position - self.world[joint].position;
        let Some(turn) = Quat::between(along, to) else { return 0.0 };
        let angle_deg = turn.angle_to(Quat::IDENTITY).to_degrees();
        if angle_deg > good_deg {
            self.turn(joint, turn);
            if !self.turned.contains(&limb) {
                self.turned.push(limb);
            }
        }
        angle_deg
    }

    /// Turns a joint, and what hangs on it, in the world.
    fn turn(&mut self, joint: usize, turn: Quat) {
        let parent = self.kinematics.tree.parents[joint];
        let at = parent.map_or(Quat::IDENTITY, |parent| self.world[parent].rotation);
        let rotation = at.conjugate() * turn * self.world[joint].rotation;
        self.local[joint].rotation = rotation.normalized().unwrap_or(rotation);
        self.place(joint);
    }

    /// Stands pelvis and spine upright and turns the body to face forward again.
    fn straighten_torso(&mut self) {
        use Bone::{Chest, Head, Hips, Neck, Spine, UpperChest};
        let chain: Vec<Bone> = [Hips, Spine, Chest, UpperChest, Neck, Head]
            .into_iter()
            .filter(|&bone| self.map.joint(bone).is_some())
            .collect();
        for pair in chain.windows(2).filter(|pair| pair[0] != Neck) {
            self.align("torso", pair[0], pair[1], UP, 0.0);
        }
        let hips = self.map.joint(Hips).expect("a complete map has hips");
        if let Some(body) = Stance::new(self.map, &self.world).body() {
            self.turn(hips, body.conjugate());
        }
    }

    /// A foot that points far off forward is turned about the vertical, with its leg: the leg's own twist is what a
    /// direction alone cannot tell.
    fn turn_foot_forward(&mut self, foot: Bone, toes: Bone) {
        let Some(joint) = self.map.joint(foot) else { return };
        let end = self.map.joint(toes).or_else(|| self.kinematics.tree.children[joint].first().copied());
        let Some(end) = end else { return };
        let along = self.world[end].position - self.world[joint].position;
        let level = Vec3::new(along.x, 0.0, along.z);
        if level.length() < 0.3 * along.length() {
            return;
        }
        let heading = level.x.atan2(level.z);
        if heading.abs() > GOOD_FOOT_DEG.to_radians() {
            self.turn(joint, Quat::about_y(-heading));
            if !self.turned.contains(&"feet") {
                self.turned.push("feet");
            }
        }
    }

    /// A joint that tells where the hand points: a finger's root, else what marks its end.
    fn end_of_hand(&self, side: &str) -> Option<usize> {
        let fingers = ["MiddleProximal", "IndexProximal", "RingProximal", "LittleProximal"];
        let root = fingers.iter().find_map(|part| self.map.joint(side_bone(side, part)));
        let hand = self.map.joint(side_bone(side, "Hand"))?;
        root.or_else(|| self.kinematics.tree.children[hand].first().copied())
    }

    /// Puts the pose on the ground.
    fn finish(mut self, source: RestPose, moving: bool, rest_hips_height: f64) -> TPose {
        let hips = self.map.joint(Bone::Hips).map_or(Vec3::ZERO, |joint| self.world[joint].position);
        let height = |joint: usize| self.world[joint].position.y;
        let feet = [Bone::LeftFoot, Bone::RightFoot].map(|foot| self.map.joint(foot));
        let ankle = feet.iter().flatten().map(|&foot| height(foot)).fold(f64::INFINITY, f64::min);
        let below = |joint: usize| {
            feet.iter().flatten().any(|&foot| joint == foot || self.kinematics.tree.is_below(joint, foot))
        };
        let lowest = (0..self.world.len()).filter(|&joint| below(joint)).map(height).fold(ankle, f64::min);
        let leg = hips.y - ankle;
        // A pose that has its feet on the file's own ground stands there; most have their hips at the origin.
        let own = hips.y - rest_hips_height;
        let floats = moving || !(-0.03 * leg..=0.15 * leg).contains(&(lowest - own));
        let ground = if floats { lowest.min(ankle - ANKLE * leg) } else { own };
        let origin = Vec3::new(hips.x, ground, hips.z);
        self.world.iter_mut().for_each(|joint| joint.position = joint.position - origin);
        TPose { joints: self.world, base_local: self.base_local, source, turned: self.turned }
    }
}

/// Facing of a pose in degrees from +z to the character's left, for reports.
pub(super) fn facing_deg(map: &BoneMap, world: &[Transform]) -> Option<f64> {
    let forward = Stance::new(map, world).body()?.rotate(FORWARD);
    Some((-forward.x).atan2(forward.z).to_degrees())
}
