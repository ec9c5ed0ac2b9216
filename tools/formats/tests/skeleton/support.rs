//! Forward kinematics of the tests' own, figures to solve, and motions to pose them by.

use sinew::humanoid::{Quat, Transform, Vec3};
use sinew::{Clip, JointAxis, MUSCLE_COUNT, Rig, Times, Track};
use sinew_formats::skeleton::{HumanRig, RigHints, reference_rig, to_humanoid, to_skeleton};
use sinew_formats::{Format, Note, ReadOptions, WriteOptions, read_from, write};

#[path = "../captures/mod.rs"]
mod real;
pub use real::captures;

/// Where joints are and how they are turned in a frame, in the file's axes.
pub type Placed = Vec<(Vec3, Quat)>;

fn about(axis: JointAxis, degrees: f64) -> Quat {
    let angle = degrees.to_radians();
    match axis {
        JointAxis::RotationX => Quat::about_x(angle),
        JointAxis::RotationY => Quat::about_y(angle),
        _ => Quat::about_z(angle),
    }
}

/// Joints of a frame; `added` adds position channels below the root to the offsets instead of replacing them.
pub fn placed(clip: &Clip, frame: usize, added: bool) -> Placed {
    let rig = clip.rig.as_ref().expect("a rig");
    let mut values = clip.samples.iter().map(|samples| f64::from(samples[frame]));
    let mut out: Placed = Vec::new();
    for joint in &rig.joints {
        let mut at = joint.offset.map(f64::from);
        let mut turn = Quat::IDENTITY;
        for &axis in &joint.axes {
            let value = values.next().expect("a value for each channel");
            match axis as usize {
                component @ 0..=2 if added && joint.parent.is_some() => at[component] += value,
                component @ 0..=2 => at[component] = value,
                _ => turn = turn * about(axis, value),
            }
        }
        let own = (Vec3::from(at), turn);
        out.push(joint.parent.map_or(own, |parent| {
            let (place, above) = out[parent];
            (place + above.rotate(own.0), above * own.1)
        }));
    }
    out
}

/// Angle between two directions in degrees; 0 where one of them has no length.
pub fn degrees_between(a: Vec3, b: Vec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b)).to_degrees()
}

/// Numbers that look random, the same on every machine.
pub struct Random(pub u64);

impl Random {
    /// In -1..1.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }
}

/// Frames a tenth of a second apart.
pub fn times(frames: usize) -> Times {
    Times::Uniform { start_s: 0.0, frame_s: 0.1, frames }
}

/// A humanoid with a root whose muscles are anywhere within `reach`. The first frame is the straight figure's T-pose.
pub fn random_motion(frames: usize, reach: f64, seed: u64) -> Clip {
    let figure = human(&straight_rig());
    let rest = figure.avatar().rest_muscles();
    let rest_root = figure.avatar().root_of(&figure.avatar().rest_pose()).expect("a body");
    let mut random = Random(seed);
    let mut tracks = Track::muscles();
    tracks.extend([Track::root_position(), Track::root_rotation()]);
    let mut clip = Clip::empty(tracks);
    clip.times = times(frames);
    for frame in 0..frames {
        for (samples, rest) in clip.samples.iter_mut().zip(rest) {
            let value = random.next() * reach;
            samples.push(if frame == 0 { rest as f32 } else { value as f32 });
        }
        let mut scaled = |most: f64| random.next() * most;
        let at = Vec3::new(scaled(2.0), 1.0 + scaled(0.2), scaled(2.0));
        let turn = Quat::about_y(scaled(3.0)) * Quat::about_x(scaled(0.4)) * Quat::about_z(scaled(0.4));
        let random = Transform { position: at, rotation: turn };
        let Transform { position: at, rotation: turn } = if frame == 0 { rest_root } else { random };
        let root = [at.x, at.y, at.z, turn.x, turn.y, turn.z, turn.w];
        clip.samples[MUSCLE_COUNT..].iter_mut().zip(root).for_each(|(s, value)| s.push(value as f32));
    }
    clip
}

/// The reference skeleton with arms exactly sideways, legs exactly down and feet exactly forward: a figure whose T-pose
/// can be told to the last digit from any other pose.
pub fn straight_rig() -> Rig {
    let mut rig = reference_rig();
    for joint in &mut rig.joints {
        let length = joint.offset.iter().map(|x| x * x).sum::<f32>().sqrt();
        let side = if joint.offset[0] < 0.0 { -length } else { length };
        joint.offset = match joint.name.as_str() {
            "LeftLowerArm" | "LeftHand" | "RightLowerArm" | "RightHand" => [side, 0.0, 0.0],
            "LeftLowerLeg" | "LeftFoot" | "RightLowerLeg" | "RightFoot" => [0.0, -length, 0.0],
            "LeftToes" | "RightToes" => [0.0, joint.offset[1], joint.offset[2].abs()],
            _ => joint.offset,
        };
    }
    rig
}

#[track_caller]
pub fn human(rig: &Rig) -> HumanRig {
    HumanRig::of_rig(rig, &RigHints::default()).expect("a human's skeleton")
}

#[track_caller]
pub fn human_of(clip: &Clip) -> HumanRig {
    HumanRig::of_clip(clip, &RigHints::default()).expect("a human's skeleton")
}

#[track_caller]
pub fn solved(clip: &Clip) -> (Clip, Vec<Note>) {
    to_humanoid(clip, &human_of(clip), &mut |_| {}).expect("solvable")
}

#[track_caller]
pub fn posed(clip: &Clip, rig: &HumanRig) -> Clip {
    to_skeleton(clip, rig, &mut |_| {}).expect("posable").0
}

#[track_caller]
pub fn bvh_text(clip: &Clip) -> (String, Vec<Note>) {
    let mut bytes = Vec::new();
    let notes =
        write(clip, Format::Bvh, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    (String::from_utf8(bytes).expect("text"), notes)
}

#[track_caller]
pub fn bvh_clip(text: &str) -> Clip {
    let mut bytes = text.as_bytes();
    let read = read_from(&mut bytes, Some(Format::Bvh), None, &ReadOptions::default(), &mut |_| {});
    read.expect("readable").clip
}

/// Largest difference of a muscle, with its frame and name.
pub fn muscle_difference(a: &Clip, b: &Clip) -> (f64, String) {
    difference(a, b, 0..MUSCLE_COUNT)
}

/// Largest difference within these components, with its place.
pub fn difference(a: &Clip, b: &Clip, components: std::ops::Range<usize>) -> (f64, String) {
    assert_eq!(a.frames(), b.frames());
    let mut worst = (0.0, String::new());
    for component in components {
        for frame in 0..a.frames() {
            let (x, y) = (a.samples[component][frame], b.samples[component][frame]);
            let off = f64::from((x - y).abs());
            if off > worst.0 || off.is_nan() {
                let name = sinew::MUSCLES.get(component).map_or("root", |muscle| muscle.property);
                worst = (off, format!("frame {frame}, {name}: {x} and {y}"));
            }
        }
    }
    worst
}

/// Largest distance of `RootT` in units and largest angle of `RootQ` in degrees between two humanoid clips.
pub fn root_difference(a: &Clip, b: &Clip) -> (f64, f64) {
    let root = |clip: &Clip, frame: usize| {
        let v: Vec<f64> = clip.samples[MUSCLE_COUNT..][..7].iter().map(|s| f64::from(s[frame])).collect();
        (Vec3::new(v[0], v[1], v[2]), Quat::new(v[3], v[4], v[5], v[6]))
    };
    (0..a.frames()).fold((0.0, 0.0), |(way, angle): (f64, f64), frame| {
        let ((p, q), (r, s)) = (root(a, frame), root(b, frame));
        (way.max((p - r).length()), angle.max(q.angle_to(s).to_degrees()))
    })
}

/// A skeleton clip of a rig.
pub fn skeleton_clip(rig: Rig, samples: Vec<Vec<f32>>, times: Times) -> Clip {
    let names = (0..rig.channels()).map(|number| format!("channel{number}"));
    let mut clip = Clip::empty(names.map(|name| Track::new(&name, sinew::TrackKind::Scalar)).collect());
    (clip.samples, clip.times, clip.rig) = (samples, times, Some(rig));
    clip
}

/// A random motion on the reference skeleton.
pub fn reference_motion(frames: usize) -> Clip {
    posed(&random_motion(frames, 0.8, 11), HumanRig::reference())
}
