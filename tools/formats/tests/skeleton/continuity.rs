//! What moves smoothly stays smooth: channels of a turning figure, and muscles of limbs near straight.

use crate::support::{captures, human, placed, posed, skeleton_clip, solved, straight_rig, times};
use sinew::humanoid::{Bone, HumanFrame};
use sinew::{Clip, MUSCLE_COUNT, MUSCLES, Track};
use sinew_formats::skeleton::{HumanRig, RigHints, to_humanoid};
use sinew_formats::{Format, ReadOptions, read};

/// A step of a muscle is a jump if it is larger than the turns of the joints about it by this. Degrees.
const JUMP_DEG: f64 = 45.0;

#[test]
fn a_turning_figure_has_no_jumps_in_its_angles() {
    let avatar = HumanRig::reference().avatar();
    let rest = HumanFrame::at_rest(avatar);
    let frames = 200;
    let mut tracks = Track::muscles();
    tracks.extend([Track::root_position(), Track::root_rotation()]);
    let mut clip = Clip::empty(tracks);
    clip.times = times(frames);
    for frame in 0..frames {
        // Five turns to one side, with the arms going round.
        let half = (frame as f64 * 9.0).to_radians() / 2.0;
        let mut values: Vec<f64> = rest.muscles.to_vec();
        for (muscle, value) in values.iter_mut().enumerate().skip(37).take(18) {
            *value += 0.5 * (frame as f64 * 0.1 + muscle as f64).sin();
        }
        values.extend([0.0, 1.0, 0.0, 0.0, half.sin(), 0.0, half.cos()]);
        clip.samples.iter_mut().zip(values).for_each(|(samples, value)| samples.push(value as f32));
    }
    let skeleton = posed(&clip, HumanRig::reference());
    for (samples, track) in skeleton.samples.iter().zip(&skeleton.tracks).skip(3) {
        let step = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
        assert!(step < 20.0, "{}: {step}", track.name());
    }
    let turned = |samples: &[f32]| (samples[frames - 1] - samples[0]).abs();
    let most = skeleton.samples[3..6].iter().map(|samples| turned(samples)).fold(0.0, f32::max);
    // The hips turn a little against the body as the arms go round.
    assert!((most - 199.0 * 9.0).abs() < 20.0, "{most}");
}

/// Largest step of a muscle from frame to frame.
fn largest_step(clip: &Clip, muscle: &str) -> f32 {
    let number = MUSCLES.iter().position(|known| known.property == muscle).expect("a muscle");
    clip.samples[number].windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max)
}

/// The straight figure's clip in which these channels of joints have these values in each frame, all others 0.
fn moved(frames: usize, value: &dyn Fn(&str, usize) -> [f32; 3]) -> Clip {
    let rig = straight_rig();
    let mut samples = Vec::new();
    for joint in &rig.joints {
        if joint.parent.is_none() {
            samples.extend(joint.offset.map(|x| vec![x; frames]));
        }
        let angles: Vec<[f32; 3]> = (0..frames).map(|frame| value(&joint.name, frame)).collect();
        for axis in 0..if joint.axes.is_empty() { 0 } else { 3 } {
            samples.push(angles.iter().map(|angles| angles[axis]).collect());
        }
    }
    skeleton_clip(rig, samples, times(frames))
}

#[test]
fn an_elbow_that_is_straight_but_for_noise_does_not_twist_the_arm() {
    let clip = moved(200, &|name, frame| {
        let noise = |salt: usize| ((frame * 7919 + salt * 104_729) % 1000) as f32 / 1000.0 - 0.5;
        match name {
            "LeftLowerArm" | "RightLowerArm" | "LeftLowerLeg" => [noise(1), noise(2), noise(3)],
            _ => [0.0; 3],
        }
    });
    let (found, _) = solved(&clip);
    for muscle in ["Left Arm Twist In-Out", "Left Forearm Twist In-Out", "Right Arm Twist In-Out"] {
        assert!(largest_step(&found, muscle) < 0.2, "{muscle}: {}", largest_step(&found, muscle));
    }
    assert!(largest_step(&found, "Left Upper Leg Twist In-Out") < 0.3);
    // The forearm still points where it did.
    let rig = human(&straight_rig());
    let back = posed(&found, &rig);
    let joint = |bone| rig.map().joint(bone).expect("mapped");
    for frame in 0..clip.frames() {
        let along = |clip: &Clip| {
            let joints = placed(clip, frame, false);
            joints[joint(Bone::LeftHand)].0 - joints[joint(Bone::LeftLowerArm)].0
        };
        let off = crate::support::degrees_between(along(&clip), along(&back));
        assert!(off < 1.5, "frame {frame}: {off}");
    }
}

#[test]
fn a_twist_goes_on_beyond_a_half_turn() {
    // The forearm, bent, turns with the upper arm about the upper arm's length.
    let clip = moved(80, &|name, frame| match name {
        "LeftUpperArm" => [0.0, -100.0 + frame as f32 * 4.0, 0.0],
        "LeftLowerArm" => [0.0, 0.0, -60.0],
        _ => [0.0; 3],
    });
    let (found, _) = solved(&clip);
    assert!(largest_step(&found, "Left Arm Twist In-Out") < 0.1);
    assert!(largest_step(&found, "Left Forearm Twist In-Out") < 0.1);
    let number = MUSCLES.iter().position(|muscle| muscle.property == "Left Arm Twist In-Out").expect("there");
    let (first, last) = (found.samples[number][0], found.samples[number][79]);
    assert!((last - first).abs() > 3.0, "{first} to {last}");
}

/// How often a muscle of a capture steps farther than the joints about it turn.
fn jumps(clip: &Clip) -> usize {
    let rig = HumanRig::of_clip(clip, &RigHints::default()).expect("a human");
    let (found, _) = to_humanoid(clip, &rig, &mut |_| {}).expect("solvable");
    let avatar = rig.avatar();
    let local: Vec<_> = (0..found.frames())
        .map(|frame| {
            let muscles: [f64; MUSCLE_COUNT] =
                std::array::from_fn(|muscle| f64::from(found.samples[muscle][frame]));
            avatar.local_rotations(&muscles).expect("posable")
        })
        .collect();
    let mut count = 0;
    // The single joint of a thumb in some files is noise all the way round.
    let counted = |muscle: &usize| !MUSCLES[*muscle].property.contains("Thumb");
    for muscle in (0..MUSCLE_COUNT).filter(counted) {
        let (bone, axis) = Bone::of_muscle(muscle).expect("every muscle turns a bone");
        let Some(row) = avatar.bone(bone) else { continue };
        let range_deg = (row.max_rad[axis] - row.min_rad[axis]).to_degrees() / 2.0;
        let parent_of = |bone: Bone| avatar.bone(bone).and_then(|row| row.parent);
        let near: Vec<Bone> = avatar
            .bones()
            .iter()
            .copied()
            .filter(|&other| {
                other == bone || parent_of(other) == Some(bone) || parent_of(bone) == Some(other)
            })
            .collect();
        for (pair, locals) in found.samples[muscle].windows(2).zip(local.windows(2)) {
            let turn =
                |&bone: &Bone| locals[0][bone as usize].angle_to(locals[1][bone as usize]).to_degrees();
            let turned = near.iter().map(turn).fold(0.0, f64::max);
            count += usize::from(f64::from((pair[1] - pair[0]).abs()) * range_deg - turned > JUMP_DEG);
        }
    }
    count
}

#[test]
fn muscles_of_captures_move_as_their_joints_do() {
    let Some(folder) = captures("bvh") else { return };
    // Where an arm or leg passes through straight while it turns, its plane turns by half a turn: no choice avoids that.
    for (name, most) in [
        ("VictorS-67__cmu_12_01_walk.bvh", 0),
        ("assimp__01_01.bvh", 0),
        ("assimp__Boxing_Toes.bvh", 0),
        ("OlafHaag__walk01.bvh", 0),
        ("facebookresearch__jesse_dance.bvh", 0),
        ("facebookresearch__zombie.bvh", 0),
        ("yuki-koyama__131_01.bvh", 0),
        ("vrm-c__vrm10viewer_test_motion.txt", 4),
    ] {
        let clip =
            read(&folder.join(name), Some(Format::Bvh), &ReadOptions::default()).expect("readable").clip;
        let found = jumps(&clip);
        assert!(found <= most, "{name}: {found}");
    }
}
