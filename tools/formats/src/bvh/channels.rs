//! Channels: how a file spells them, and the names of the tracks that hold them.

use sinew::{JointAxis, Rig, Track, TrackKind};
use std::collections::HashMap;

/// All channels with their spelling.
const CHANNELS: [(JointAxis, &str); 6] = [
    (JointAxis::PositionX, "Xposition"),
    (JointAxis::PositionY, "Yposition"),
    (JointAxis::PositionZ, "Zposition"),
    (JointAxis::RotationX, "Xrotation"),
    (JointAxis::RotationY, "Yrotation"),
    (JointAxis::RotationZ, "Zrotation"),
];

/// A channel as files spell it.
pub(crate) fn channel_name(axis: JointAxis) -> &'static str {
    CHANNELS[axis as usize].1
}

/// The channel that a word means, in any case.
pub(crate) fn channel(word: &str) -> Option<JointAxis> {
    CHANNELS.iter().find(|(_, name)| name.eq_ignore_ascii_case(word)).map(|&(axis, _)| axis)
}

/// One scalar track for each channel, joint by joint: `Hips.Xposition`.
pub(crate) fn tracks(rig: &Rig) -> Vec<Track> {
    track_names(rig).iter().map(|name| Track::new(name, TrackKind::Scalar)).collect()
}

/// Names of the channels' tracks. They are distinct: the second joint of a name that moves is `foot#2`, and the second
/// time that a joint lists a channel is `foot.Zrotation#2`.
pub(super) fn track_names(rig: &Rig) -> Vec<String> {
    let mut names = Vec::new();
    // Every label in use, with the number to try for the next joint of that name.
    let mut labels: HashMap<String, usize> = HashMap::new();
    for joint in rig.joints.iter().filter(|joint| !joint.axes.is_empty()) {
        let label = distinct_label(&joint.name, &mut labels);
        let mut times_listed = [0usize; CHANNELS.len()];
        for &axis in &joint.axes {
            let listed = &mut times_listed[axis as usize];
            *listed += 1;
            let mut name = format!("{label}.{}", channel_name(axis));
            if *listed > 1 {
                name += &format!("#{listed}");
            }
            names.push(name);
        }
    }
    names
}

fn distinct_label(name: &str, labels: &mut HashMap<String, usize>) -> String {
    let Some(&next) = labels.get(name) else {
        labels.insert(name.to_owned(), 2);
        return name.to_owned();
    };
    // A joint may itself be called `foot#2`.
    let number = (next..).find(|number| !labels.contains_key(&format!("{name}#{number}")));
    let number = number.expect("fewer labels than numbers");
    let label = format!("{name}#{number}");
    labels.insert(name.to_owned(), number + 1);
    labels.insert(label.clone(), 2);
    label
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::{Joint, MUSCLES, Role};
    use std::collections::HashSet;

    fn rig(joints: &[(&str, &[JointAxis])]) -> Rig {
        let joint = |&(name, axes): &(&str, &[JointAxis])| Joint {
            name: name.into(),
            parent: None,
            offset: [0.0; 3],
            axes: axes.to_vec(),
        };
        Rig { joints: joints.iter().map(joint).collect() }
    }

    #[test]
    fn words_mean_channels_in_any_case() {
        for number in 0..6 {
            let axis = JointAxis::from_number(number).expect("an axis");
            assert_eq!(channel(channel_name(axis)), Some(axis));
            assert_eq!(channel(&channel_name(axis).to_uppercase()), Some(axis));
        }
        assert_eq!(channel("Wrotation"), None);
    }

    #[test]
    fn names_are_distinct_whatever_the_joints_are_called() {
        let z: &[JointAxis] = &[JointAxis::RotationZ];
        let zz: &[JointAxis] = &[JointAxis::RotationZ, JointAxis::RotationZ];
        let names = track_names(&rig(&[
            ("foot", &[]),
            ("foot", z),
            ("foot#2", z),
            ("foot", z),
            ("foot", zz),
            ("foot#2", z),
            ("foot.Zrotation", z),
            ("foot.Zrotation#2", z),
        ]));
        let expected = [
            "foot.Zrotation",
            "foot#2.Zrotation",
            "foot#3.Zrotation",
            "foot#4.Zrotation",
            "foot#4.Zrotation#2",
            "foot#2#2.Zrotation",
            "foot.Zrotation.Zrotation",
            "foot.Zrotation#2.Zrotation",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn many_joints_of_one_name_take_linear_time() {
        let z: &[JointAxis] = &[JointAxis::RotationZ];
        let names = track_names(&rig(&vec![("a", z); 60_000]));
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), 60_000);
        assert_eq!(names[59_999], "a#60000.Zrotation");
    }

    #[test]
    fn no_joint_makes_a_muscle() {
        let all: Vec<JointAxis> = (0..6).filter_map(JointAxis::from_number).collect();
        for muscle in &MUSCLES {
            for name in [muscle.property, muscle.trait_name] {
                for part in [name, name.split('.').next().unwrap_or(name)] {
                    assert!(tracks(&rig(&[(part, &all)])).iter().all(|track| track.role() == Role::Other));
                }
                assert!(CHANNELS.iter().all(|(_, channel)| !name.contains(channel)), "{name}");
            }
        }
    }
}
