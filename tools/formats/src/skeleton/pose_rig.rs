//! A humanoid clip to a skeleton's channels, frame by frame.

use super::channels::axis_index;
use super::euler::Order;
use super::human_rig::HumanRig;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::registry::Progress;
use sinew::humanoid::{BONE_COUNT, Bone, HumanFrame, HumanTracks, Quat, Transform, Vec3};
use sinew::{Clip, JointAxis, MUSCLE_COUNT};

/// Poses every frame of a humanoid clip on a rig and gives its channels to `each`, frame by frame: angles in degrees,
/// positions in the rig's unit. The notes tell what the rig does not show of the clip.
///
/// # Errors
/// [`Error::InvalidInput`] for a clip without muscles or a rig that no pose is written to, and for a value that cannot
/// be posed, by frame and name; what `each` gives.
pub(crate) fn pose_frames(
    clip: &Clip,
    rig: &HumanRig,
    mut each: impl FnMut(&[f32]) -> Result<()>,
) -> Result<Vec<Note>> {
    let tracks = HumanTracks::of(clip)?;
    let rest = HumanFrame::at_rest(&rig.avatar);
    let mut poser = RigPoser::new(rig)?;
    for frame in 0..clip.frames() {
        let HumanFrame { muscles, root } = tracks.frame(frame, &rest);
        let channels = poser.channels(&muscles, &root);
        each(&channels.map_err(|error| Error::invalid(format!("frame {frame}: {error}")))?)?;
    }
    let mut notes = super::losses::of_posing(clip, rig);
    if poser.carrier.is_none() && tracks.has_root() {
        notes.push(Note::loss(
            "where the body is: no joint of the rig down to the hips has position channels",
        ));
    }
    if !tracks.has_root() {
        notes.push(Note::info("the clip has no root: the body stays level at one place"));
    }
    Ok(notes)
}

/// Poses a humanoid clip on a rig, as a skeleton clip.
///
/// # Errors
/// As there are for a clip without muscles, a rig that no pose is written to, and a value that cannot be posed, by
/// frame and name: [`Error::InvalidInput`].
pub fn to_skeleton(clip: &Clip, rig: &HumanRig, progress: Progress<'_>) -> Result<(Clip, Vec<Note>)> {
    clip.validate()?;
    let channels = rig.rig().channels();
    let mut samples: Vec<Vec<f32>> = (0..channels).map(|_| Vec::with_capacity(clip.frames())).collect();
    let mut done = 0;
    let notes = pose_frames(clip, rig, |channels| {
        samples.iter_mut().zip(channels).for_each(|(samples, &value)| samples.push(value));
        done += 1;
        progress(done);
        Ok(())
    })?;
    let tracks = crate::bvh::channel_tracks(rig.rig());
    let rig = Some(rig.rig().clone());
    let skeleton = Clip { tracks, samples, times: clip.times.clone(), meta: clip.meta.clone(), rig };
    skeleton.validate()?;
    Ok((skeleton, notes))
}

/// Poses a rig by muscles and root. Angles go on from the frame before, so frames come in their order.
struct RigPoser<'a> {
    rig: &'a HumanRig,
    orders: Vec<Order>,
    /// The joint whose position channels carry the hips, if one has all three.
    carrier: Option<usize>,
    angles: Option<Vec<Vec<f64>>>,
}

impl<'a> RigPoser<'a> {
    /// # Errors
    /// [`Error::InvalidInput`] if a joint lists a rotation axis twice.
    pub fn new(rig: &'a HumanRig) -> Result<RigPoser<'a>> {
        let mut orders = Vec::new();
        for joint in &rig.rig().joints {
            let axes = joint.axes.iter().copied().filter(|axis| axis.is_rotation()).map(axis_index);
            orders.push(Order::new(axes.collect()).ok_or_else(|| {
                let name = super::shown(&joint.name);
                Error::invalid(format!(
                    "joint {name} lists a rotation axis twice, which no pose is written to"
                ))
            })?);
        }
        let hips = rig.map.joint(Bone::Hips).expect("a human rig has hips");
        let moves = |joint: &usize| {
            use JointAxis::{PositionX, PositionY, PositionZ};
            let axes = &rig.rig().joints[*joint].axes;
            [PositionX, PositionY, PositionZ].iter().all(|axis| axes.contains(axis))
        };
        let carrier = rig.kinematics.tree.upwards(hips).filter(moves).last();
        Ok(RigPoser { rig, orders, carrier, angles: None })
    }

    /// The channels of a pose, in the rig's order: degrees, and positions in the file's unit.
    ///
    /// # Errors
    /// [`Error::Codec`] for muscle values or a root that cannot be posed, by name.
    pub fn channels(&mut self, muscles: &[f64; MUSCLE_COUNT], root: &Transform) -> Result<Vec<f32>> {
        let rig = self.rig;
        let tree = &rig.kinematics.tree;
        // 1. Where the bones are, in the file's axes.
        let rotations = rig.avatar.local_rotations(muscles)?;
        let hips = rig.avatar.hips_of(&rotations, root)?;
        let pose = rig.avatar.pose_of_rotations(&rotations, &hips)?;
        let mut wanted: [Option<Quat>; BONE_COUNT] = [None; BONE_COUNT];
        for (bone, _) in rig.map.bones() {
            wanted[bone as usize] = Some(rig.space.to_file(pose.transform(bone)).rotation);
        }
        let hips_at = rig.space.to_file(hips).position;

        // 2. Local transforms, parents first.
        let mut world: Vec<Transform> = Vec::with_capacity(tree.len());
        let mut local: Vec<Transform> = Vec::with_capacity(tree.len());
        for joint in 0..tree.len() {
            let at = tree.parents[joint].map_or(Transform::IDENTITY, |parent| world[parent]);
            let mut own = rig.base_local(joint);
            if let Some(rotation) = rig.map.bone_of(joint).and_then(|bone| wanted[bone as usize]) {
                own.rotation = at.rotation.conjugate() * rotation;
            }
            if self.carrier == Some(joint) {
                own.position =
                    at.rotation.conjugate().rotate(hips_at - self.way_to_hips(joint, own, &at) - at.position);
            } else if tree.parents[joint].is_none() {
                own.position = Vec3::from(rig.rig().joints[joint].offset.map(f64::from));
            }
            world.push(Transform {
                position: at.position + at.rotation.rotate(own.position),
                rotation: (at.rotation * own.rotation).normalized().unwrap_or(Quat::IDENTITY),
            });
            local.push(own);
        }

        // 3. Channels.
        let before = self.angles.take();
        let mut angles = Vec::with_capacity(tree.len());
        let mut channels = Vec::with_capacity(rig.rig().channels());
        for (joint, own) in local.iter().enumerate() {
            let before = before.as_ref().map(|before| before[joint].as_slice());
            let degrees = self.orders[joint].angles(own.rotation, before);
            let mut next = degrees.iter();
            for &axis in &rig.rig().joints[joint].axes {
                let offset = Vec3::from(rig.rig().joints[joint].offset.map(f64::from));
                let is_added = rig.kinematics.added[joint];
                let Vec3 { x, y, z } = if is_added { own.position - offset } else { own.position };
                channels.push(match axis.is_rotation() {
                    true => *next.next().expect("an angle for each rotation channel"),
                    false => [x, y, z][axis_index(axis)],
                } as f32);
            }
            angles.push(degrees);
        }
        self.angles = Some(angles);
        Ok(channels)
    }

    /// From the carrier's joint to the hips, in the file's world axes: nothing of the humanoid turns what lies between.
    fn way_to_hips(&self, carrier: usize, own: Transform, above: &Transform) -> Vec3 {
        let hips = self.rig.map.joint(Bone::Hips).expect("a human rig has hips");
        let mut rotation = above.rotation * own.rotation;
        let mut way = Vec3::ZERO;
        for joint in self.rig.kinematics.tree.path(carrier, hips).into_iter().filter(|_| carrier != hips) {
            let base = self.rig.base_local(joint);
            way = way + rotation.rotate(base.position);
            rotation = rotation * base.rotation;
        }
        way
    }
}
