//! One motion of one figure under many rest poses, axes, units and channel orders: always the same muscles.

use crate::support::{
    Placed, Random, bvh_clip, bvh_text, difference, human, human_of, muscle_difference, placed, posed,
    random_motion, root_difference, solved, straight_rig,
};
use sinew::humanoid::{Bone, Quat, Vec3};
use sinew::{Clip, Joint, JointAxis, MUSCLE_COUNT, Rig};
use sinew_formats::skeleton::{HumanRig, RestPose, UpAxis};

/// Muscle values are equal within this: angles pass through f32 degrees.
const SAME: f64 = 1e-4;
const Z_X_Y: [JointAxis; 3] = [JointAxis::RotationZ, JointAxis::RotationX, JointAxis::RotationY];

/// How a file describes the figure.
struct Description {
    /// How much each joint is turned in the rest pose, relative to its parent, in the T-pose's axes.
    rest: Box<dyn Fn(&str) -> Quat>,
    /// Turns the file's axes.
    turn: Quat,
    /// Length of a centimetre.
    scale: f64,
    order: [JointAxis; 3],
    /// Position channels on every joint: none, as places, or as moves from the offset.
    positions: Positions,
}

#[derive(Clone, Copy, PartialEq)]
enum Positions {
    OfRoot,
    Places,
    Moves,
}

impl Default for Description {
    fn default() -> Description {
        Description {
            rest: Box::new(|_| Quat::IDENTITY),
            turn: Quat::IDENTITY,
            scale: 1.0,
            order: Z_X_Y,
            positions: Positions::OfRoot,
        }
    }
}

/// Angles in degrees about three distinct axes of a rotation that is their product, found by looking for them: the
/// middle one from one entry, the others from two each.
fn angles(q: Quat, order: [JointAxis; 3]) -> [f64; 3] {
    let [i, j, k] = order.map(|axis| axis as usize - JointAxis::RotationX as usize);
    let column = |axis: usize| {
        let v =
            q.rotate([Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0)][axis]);
        [v.x, v.y, v.z]
    };
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let middle = (sign * column(k)[i]).clamp(-1.0, 1.0).asin();
    let first = (-sign * column(k)[j]).atan2(column(k)[k]);
    let last = (-sign * column(j)[i]).atan2(column(i)[i]);
    [first, middle, last].map(f64::to_degrees)
}

/// The motion of a clip of a rig at rest in T-pose as a file of this description says it.
fn described(clip: &Clip, description: &Description) -> Clip {
    let Description { rest, turn, scale, order, positions } = description;
    let old = clip.rig.as_ref().expect("a rig");
    // 1. How joints are turned in the rest pose.
    let mut rests: Vec<Quat> = Vec::new();
    for joint in &old.joints {
        let above = joint.parent.map_or(Quat::IDENTITY, |parent| rests[parent]);
        rests.push(above * rest(&joint.name));
    }
    // 2. The rig whose joints are not turned there.
    let mut rig = Rig::default();
    for joint in &old.joints {
        let above = joint.parent.map_or(Quat::IDENTITY, |parent| rests[parent]);
        let Vec3 { x, y, z } = turn.rotate(above.rotate(Vec3::from(joint.offset.map(f64::from)))) * *scale;
        let moves = joint.parent.is_none() || *positions != Positions::OfRoot;
        let axes = match joint.axes.is_empty() {
            true => Vec::new(),
            false if moves => [JointAxis::PositionX, JointAxis::PositionY, JointAxis::PositionZ]
                .into_iter()
                .chain(*order)
                .collect(),
            false => order.to_vec(),
        };
        let offset = [x as f32, y as f32, z as f32];
        rig.joints.push(Joint { name: joint.name.clone(), parent: joint.parent, offset, axes });
    }
    // 3. Its channels.
    let mut samples: Vec<Vec<f32>> = vec![Vec::new(); rig.channels()];
    for frame in 0..clip.frames() {
        let old: Placed = placed(clip, frame, false)
            .into_iter()
            .zip(&rests)
            .map(|((at, q), rest)| {
                (turn.rotate(at) * *scale, *turn * q * rest.conjugate() * turn.conjugate())
            })
            .collect();
        let mut channel = 0;
        for (number, joint) in rig.joints.iter().enumerate() {
            let (at, q) = match joint.parent {
                None => old[number],
                Some(parent) => {
                    let back = old[parent].1.conjugate();
                    (back.rotate(old[number].0 - old[parent].0), back * old[number].1)
                }
            };
            let is_moved = joint.parent.is_some() && *positions == Positions::Moves;
            let at = if is_moved { at - Vec3::from(joint.offset.map(f64::from)) } else { at };
            let angles = angles(q, *order);
            for &axis in &joint.axes {
                let value = match axis as usize {
                    component @ 0..=2 => [at.x, at.y, at.z][component],
                    _ => angles[order.iter().position(|&other| other == axis).expect("listed")],
                };
                samples[channel].push(value as f32);
                channel += 1;
            }
        }
    }
    let mut out = bvh_clip(&bvh_text(&Clip { rig: Some(rig.clone()), ..clip.clone() }.with(&rig, samples)).0);
    out.times = clip.times.clone();
    out
}

trait With {
    fn with(self, rig: &Rig, samples: Vec<Vec<f32>>) -> Clip;
}

impl With for Clip {
    /// The clip with other joints and channels.
    fn with(mut self, rig: &Rig, samples: Vec<Vec<f32>>) -> Clip {
        let names = (0..rig.channels()).map(|number| format!("channel{number}"));
        self.tracks = names.map(|name| sinew::Track::new(&name, sinew::TrackKind::Scalar)).collect();
        self.samples = samples;
        self
    }
}

/// A random motion of the straight figure, and the same on its skeleton.
fn motion() -> (Clip, Clip) {
    let motion = random_motion(40, 0.8, 7);
    let skeleton = posed(&motion, &human(&straight_rig()));
    (motion, skeleton)
}

/// Solves the motion in another description and compares muscles and root.
#[track_caller]
fn comes_back(what: &str, description: &Description) -> Clip {
    let (motion, skeleton) = motion();
    let file = described(&skeleton, description);
    let rig = human_of(&file);
    let (found, _) = solved(&file);
    let (off, at) = muscle_difference(&motion, &found);
    assert!(off < SAME, "{what} ({:?}): {off} at {at}", rig.rest_pose());
    assert_not_mirrored(what, &found);
    let (way, angle) = root_difference(&motion, &found);
    assert!(description.turn != Quat::IDENTITY || (way < SAME && angle < 0.01), "{what}: {way} {angle}");
    found
}

/// Left hands are at -x of the humanoid's own axes in a T-pose, which is the motion's first frame.
#[track_caller]
fn assert_not_mirrored(what: &str, clip: &Clip) {
    let avatar = sinew::humanoid::Avatar::reference();
    let muscles = std::array::from_fn(|muscle| f64::from(clip.samples[muscle][0]));
    let pose = avatar.pose(&muscles, &avatar.rest_root()).expect("posable");
    let hands = [Bone::LeftHand, Bone::RightHand].map(|bone| pose.position(bone).x);
    assert!(hands[0] < -0.5 && hands[1] > 0.5, "{what}: {hands:?}");
}

fn degrees(angle: f64) -> f64 {
    angle.to_radians()
}

/// Turns arms down (left arms about +z are raised) and legs apart.
fn arms_down(angle: f64) -> Box<dyn Fn(&str) -> Quat> {
    Box::new(move |name| match name {
        "LeftUpperArm" => Quat::about_z(degrees(-angle)),
        "RightUpperArm" => Quat::about_z(degrees(angle)),
        _ => Quat::IDENTITY,
    })
}

#[test]
fn the_reference_skeleton_is_the_reference_avatar() {
    let (expected, found) = (sinew::humanoid::Avatar::reference(), HumanRig::reference().avatar());
    assert_eq!(expected.bones(), found.bones());
    assert!((expected.human_scale() - found.human_scale()).abs() < 1e-6);
    for &bone in expected.bones() {
        let (a, b) = (expected.bone(bone).expect("there"), found.bone(bone).expect("there"));
        let turned = a.pre.angle_to(b.pre).max(a.post.angle_to(b.post));
        let moved = (a.rest_position - b.rest_position).length();
        assert!(turned < 1e-6 && moved < 1e-6 && (a.length - b.length).abs() < 1e-6, "{bone:?}: {a:?} {b:?}");
    }
}

#[test]
fn the_same_description_gives_the_same_muscles() {
    let (motion, skeleton) = motion();
    assert!(muscle_difference(&motion, &solved(&skeleton).0).0 < 1e-5);
    comes_back("plain", &Description::default());
}

#[test]
fn arms_may_rest_lowered() {
    for angle in [20.0, 45.0, 60.0, 85.0, 90.0] {
        comes_back(
            &format!("arms {angle} down"),
            &Description { rest: arms_down(angle), ..Description::default() },
        );
    }
}

#[test]
fn legs_may_rest_apart() {
    let rest = Box::new(|name: &str| match name {
        "LeftUpperLeg" => Quat::about_z(degrees(20.0)),
        "RightUpperLeg" => Quat::about_z(degrees(-20.0)),
        _ => Quat::IDENTITY,
    });
    comes_back("legs apart", &Description { rest, ..Description::default() });
}

#[test]
fn the_rest_pose_may_face_anywhere() {
    for angle in [180.0, 90.0, -90.0, 33.0] {
        let rest = Box::new(move |name: &str| match name {
            "Hips" => Quat::about_y(degrees(angle)),
            _ => Quat::IDENTITY,
        });
        comes_back(&format!("rest turned by {angle}"), &Description { rest, ..Description::default() });
    }
}

#[test]
fn axes_of_the_file_turn_the_root_only() {
    let (motion, _) = motion();
    let plain = comes_back("plain", &Description::default());
    for angle in [180.0f64, 90.0, -45.0] {
        let turn = Quat::about_y(degrees(angle));
        let found = comes_back(&format!("turned {angle}"), &Description { turn, ..Description::default() });
        // Mirrored axes turn the other way.
        let turn = Quat::about_y(degrees(-angle));
        for frame in 0..motion.frames() {
            let q = |clip: &Clip| {
                let v: Vec<f64> = (3..7).map(|c| f64::from(clip.samples[MUSCLE_COUNT + c][frame])).collect();
                Quat::new(v[0], v[1], v[2], v[3])
            };
            assert!((turn * q(&plain)).angle_to(q(&found)) < 1e-3, "{angle}, frame {frame}");
        }
    }
    // z up: the same figure, the same root.
    let z_up = Description { turn: Quat::about_x(degrees(90.0)), ..Description::default() };
    let (_, skeleton) = self::motion();
    assert_eq!(human_of(&described(&skeleton, &z_up)).up(), UpAxis::Z);
    let found = comes_back("z up", &z_up);
    let (way, angle) = root_difference(&motion, &found);
    assert!(way < SAME && angle < 0.01, "{way} {angle}");
}

#[test]
fn any_unit_will_do() {
    // Centimetres are what the figure is made in; 0.3 is a unit that nobody knows.
    for (scale, unit) in
        [(1.0, "centimetres"), (0.01, "metres"), (1.0 / 2.54, "inches"), (0.03, "no known unit")]
    {
        let description = Description { scale, ..Description::default() };
        comes_back(unit, &description);
        let (_, skeleton) = motion();
        let notes = human_of(&described(&skeleton, &description)).notes();
        assert!(notes.iter().any(|note| note.text.contains(unit)), "{unit}: {notes:?}");
    }
}

#[test]
fn channels_may_come_in_every_order() {
    use JointAxis::{RotationX as X, RotationY as Y, RotationZ as Z};
    for order in [[X, Y, Z], [X, Z, Y], [Y, X, Z], [Y, Z, X], [Z, X, Y], [Z, Y, X]] {
        comes_back(&format!("{order:?}"), &Description { order, ..Description::default() });
    }
}

#[test]
fn positions_on_every_joint_are_places_or_moves() {
    for positions in [Positions::Places, Positions::Moves] {
        comes_back("positions", &Description { positions, ..Description::default() });
    }
}

#[test]
fn bones_may_rest_along_one_axis_if_a_frame_stands() {
    // Every joint's bone along +x, as some captures have it: only the motion tells how the bones lie.
    let rig = straight_rig();
    let along: Vec<(String, Quat)> = rig
        .joints
        .iter()
        .enumerate()
        .map(|(number, joint)| {
            let child = rig.joints.iter().find(|child| child.parent == Some(number));
            let offset = child.map_or([1.0, 0.0, 0.0], |child| child.offset).map(f64::from);
            let to =
                Quat::between(Vec3::from(offset), Vec3::new(1.0, 0.0, 0.0)).expect("a bone has a length");
            (joint.name.clone(), to)
        })
        .collect();
    let world =
        move |name: &str| along.iter().find(|(other, _)| other == name).map_or(Quat::IDENTITY, |a| a.1);
    let parents: Vec<(String, Option<String>)> = rig
        .joints
        .iter()
        .map(|joint| (joint.name.clone(), joint.parent.map(|parent| rig.joints[parent].name.clone())))
        .collect();
    let rest = Box::new(move |name: &str| {
        let parent = parents.iter().find(|(other, _)| other == name).and_then(|(_, parent)| parent.clone());
        parent.map_or(Quat::IDENTITY, |parent| world(&parent)).conjugate() * world(name)
    });
    let description = Description { rest, ..Description::default() };
    let (mut motion, _) = motion();
    let skeleton = |motion: &Clip| described(&posed(motion, &human(&straight_rig())), &description);
    assert_eq!(human_of(&skeleton(&motion)).rest_pose(), RestPose::Frame(0));
    comes_back("all along x", &description);

    // A frame that only nearly stands is stood upright limb by limb, torso too, which this figure's is not quite: by
    // 1.2 degrees from hips to shoulders, and by what the frame's limbs are twisted, which no direction tells.
    let mut random = Random(3);
    for samples in &mut motion.samples[..MUSCLE_COUNT] {
        samples[0] += 0.1 * random.next() as f32;
    }
    let file = skeleton(&motion);
    assert_eq!(human_of(&file).rest_pose(), RestPose::Frame(0));
    let found = solved(&file).0;
    // Fingers spread by few degrees from -1 to 1, so that theirs say little.
    let (off, at) = difference(&motion, &found, 0..55);
    assert!(off < 0.4, "{off} at {at}");
    let (way, angle) = root_difference(&motion, &found);
    assert!(way < 0.05 && angle < 3.0, "{way} {angle}");
}
