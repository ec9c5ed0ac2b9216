//! The crate `bvh_anim` reads the same.
//!
//! It serves as an oracle only: it cuts names at blanks, makes the sibling of a joint without End Site its child, takes
//! `nan`, keeps frame times in whole nanoseconds, refuses braces and channels in some spellings, panics on files that
//! are cut and aborts on a huge count. Guarding against all that would mean to read the file first.

use crate::support::{bvh_of, capture_files, joint, read_bytes, skeleton};
use bvh_anim::{Bvh, ChannelType};
use sinew::{Clip, JointAxis};

fn axis(channel: ChannelType) -> JointAxis {
    match channel {
        ChannelType::PositionX => JointAxis::PositionX,
        ChannelType::PositionY => JointAxis::PositionY,
        ChannelType::PositionZ => JointAxis::PositionZ,
        ChannelType::RotationX => JointAxis::RotationX,
        ChannelType::RotationY => JointAxis::RotationY,
        ChannelType::RotationZ => JointAxis::RotationZ,
    }
}

/// Its reading, or `None` where it gives up in any way.
fn read(bytes: &[u8]) -> Option<Bvh> {
    std::panic::catch_unwind(|| bvh_anim::from_bytes(bytes).ok()).ok().flatten()
}

fn bits(values: [f32; 3]) -> [u32; 3] {
    values.map(f32::to_bits)
}

/// Whether every chain ends as the oracle needs it.
fn ends_with_sites(clip: &Clip) -> bool {
    let joints = &clip.rig.as_ref().expect("a rig").joints;
    let is_parent = |number: usize| joints.iter().any(|joint| joint.parent == Some(number));
    (0..joints.len()).all(|number| joints[number].name == "End Site" || is_parent(number))
}

fn assert_agrees(clip: &Clip, theirs: &Bvh, what: &str) {
    let rig = clip.rig.as_ref().expect("a rig");
    let mut ours = rig.joints.iter().enumerate().filter(|(_, joint)| joint.name != "End Site");
    // Numbers of their joints to those of ours, which count end sites.
    let mut numbers = Vec::new();
    for joint in theirs.joints() {
        let data = joint.data();
        let (number, found) = ours.next().expect("as many joints");
        numbers.push(number);
        let first_word = found.name.split_ascii_whitespace().next().expect("a name");
        assert_eq!(data.name(), first_word, "{what}");
        assert_eq!(found.parent, data.parent_index().map(|parent| numbers[parent]), "{what}: {}", found.name);
        let offset = data.offset();
        assert_eq!(bits(found.offset), bits([offset.x, offset.y, offset.z]), "{what}: {}", found.name);
        let axes: Vec<JointAxis> = data.channels().iter().map(|c| axis(c.channel_type())).collect();
        assert_eq!(found.axes, axes, "{what}: {}", found.name);
        if let Some(end) = data.end_site() {
            let site = rig.joints.iter().find(|joint| joint.parent == Some(number)).expect("an end site");
            assert_eq!((site.name.as_str(), bits(site.offset)), ("End Site", bits([end.x, end.y, end.z])));
        }
    }
    assert!(ours.next().is_none(), "{what}");

    let nanoseconds = theirs.frame_time().as_secs_f64();
    let sinew::Times::Uniform { frame_s, .. } = clip.times else { panic!("{what}: uniform times") };
    assert!((nanoseconds - frame_s).abs() <= 1e-9, "{what}");
    assert_eq!((theirs.num_channels(), theirs.num_frames()), (clip.samples.len(), clip.frames()), "{what}");
    for (number, frame) in theirs.frames().enumerate() {
        for (samples, value) in clip.samples.iter().zip(frame.as_slice()) {
            assert_eq!(samples[number].to_bits(), value.to_bits(), "{what}: frame {number}");
        }
    }
}

#[test]
fn captures_are_the_same() {
    let files = capture_files();
    let mut compared = 0;
    for (name, bytes) in &files {
        let ours = read_bytes(bytes).expect("readable");
        // A count that is wrong is no motion to the oracle.
        let Some(theirs) = read(bytes).filter(|_| ours.notes.is_empty()) else { continue };
        if ends_with_sites(&ours.clip) {
            assert_agrees(&ours.clip, &theirs, name);
            compared += 1;
        }
    }
    // Nearly all of them are plain enough.
    assert!(files.is_empty() || compared >= 20, "{compared}");
}

#[test]
fn written_skeletons_are_the_same() {
    use JointAxis::{PositionX, PositionY, PositionZ, RotationX, RotationY, RotationZ};
    let mut clip = skeleton(
        vec![
            joint("Hips", None, &[RotationX, PositionZ, RotationZ, PositionX, PositionY, RotationY]),
            joint("Spine", Some(0), &[RotationY]),
            joint("胸", Some(1), &[RotationY, RotationX, RotationZ]),
            joint("End Site", Some(2), &[]),
            joint("Leg", Some(0), &[RotationZ, RotationY]),
            joint("End Site", Some(4), &[]),
        ],
        50,
    );
    // Every exponent of numbers that are written plainly.
    for (number, value) in clip.samples.iter_mut().flatten().enumerate() {
        let bits = 0x3089_705f + (number as u32).wrapping_mul(0x0123_4567) % (0x5a0e_1bc9 - 0x3089_705f);
        *value = f32::from_bits(bits | (number as u32 % 2) << 31);
    }
    let (text, _) = bvh_of(&clip);
    let ours = read_bytes(text.as_bytes()).expect("readable").clip;
    assert_eq!(ours.samples, clip.samples);
    assert_agrees(&ours, &read(text.as_bytes()).expect("plain"), "written");
}
