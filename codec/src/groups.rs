//! Track groups: the parts of a block that decode on their own (FORMAT section 5.1).

use crate::config::{Effort, Fidelity};
use crate::track::{BodyPart, Track, TrackKind, component_starts};

/// One group: its tracks' sample arrays, in track order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group {
    /// Body part or device name.
    pub(crate) name: String,
    /// Numbers of the tracks.
    pub(crate) tracks: Vec<usize>,
    /// Numbers of the sample arrays.
    pub(crate) components: Vec<usize>,
    /// Where in `components` the four of each rotation track begin.
    pub(crate) rotations: Vec<usize>,
    /// Of each sample array, the number of its muscle.
    pub(crate) muscles: Vec<Option<usize>>,
}

/// The groups of a track list: body parts in stored order, then devices by first appearance. At the effort `max` all
/// tracks are one, for each may be coded from any other; at `fast` a rotation stays four arrays, each of which is played
/// alone, and so it does under a bound in millimetres, whose steps follow from each array's lever.
pub(crate) fn groups_of(tracks: &[Track], effort: Effort, fidelity: &Fidelity) -> Vec<Group> {
    let mut parts = parts_of(tracks);
    if effort == Effort::Fast || matches!(fidelity, Fidelity::World(_)) {
        parts.iter_mut().for_each(|part| part.rotations.clear());
    }
    if effort != Effort::Max || parts.is_empty() {
        return parts;
    }
    let mut all = Group::named("all tracks");
    for part in parts {
        all.tracks.extend(part.tracks);
        all.rotations.extend(part.rotations.iter().map(|&at| all.components.len() + at));
        all.components.extend(part.components);
        all.muscles.extend(part.muscles);
    }
    vec![all]
}

/// Body parts and devices.
pub(crate) fn parts_of(tracks: &[Track]) -> Vec<Group> {
    let first_component = component_starts(tracks);
    let mut parts: Vec<Group> = BodyPart::ALL.iter().map(|part| Group::named(part.name())).collect();
    let mut devices: Vec<Group> = Vec::new();
    let mut device_of = std::collections::HashMap::new();
    for (number, track) in tracks.iter().enumerate() {
        let group = match track.body_part() {
            Some(part) => &mut parts[part as usize],
            None => {
                let index = *device_of.entry(track.device()).or_insert_with(|| {
                    devices.push(Group::named(track.device()));
                    devices.len() - 1
                });
                &mut devices[index]
            }
        };
        group.tracks.push(number);
        if track.kind() == TrackKind::Rotation {
            group.rotations.push(group.components.len());
        }
        group.components.extend(first_component[number]..first_component[number] + track.components());
        group.muscles.resize(group.components.len(), track.muscle_index());
    }
    parts.retain(|group| !group.tracks.is_empty());
    parts.append(&mut devices);
    parts
}

impl Group {
    fn named(name: &str) -> Group {
        Group {
            name: name.to_owned(),
            tracks: Vec::new(),
            components: Vec::new(),
            rotations: Vec::new(),
            muscles: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_array_is_in_exactly_one_group() {
        let mut tracks = vec![Track::new("tracker1/rotation", TrackKind::Rotation)];
        tracks.extend(Track::muscles());
        tracks.push(Track::root_position());
        tracks.push(Track::new("smile", TrackKind::Scalar));
        tracks.push(Track::new("tracker1/position", TrackKind::Vector));
        let groups = parts_of(&tracks);
        assert_eq!(groups_of(&tracks, Effort::Balanced, &Fidelity::Lossless), groups);
        let names: Vec<&str> = groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(names[0], "root");
        assert_eq!(names[9..], ["tracker1", "smile"]);
        let mut all: Vec<usize> = groups.iter().flat_map(|group| group.components.clone()).collect();
        all.sort_unstable();
        assert_eq!(all, (0..4 + 95 + 3 + 1 + 3).collect::<Vec<_>>());
        let [joint] = &groups_of(&tracks, Effort::Max, &Fidelity::Lossless)[..] else {
            panic!("one group");
        };
        let apart: Vec<usize> = groups.iter().flat_map(|group| group.components.clone()).collect();
        assert_eq!(joint.components, apart);
        assert_eq!((&groups[9].rotations, &joint.rotations), (&vec![0], &vec![3 + 95]));
        assert_eq!(joint.components[3 + 95], 0);
    }
}
