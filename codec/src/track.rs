//! Tracks: name, kind and role of each quantity that a clip holds, and their body-part groups.

use crate::muscles::{MUSCLE_COUNT, MUSCLES, muscle_index};
use std::borrow::Cow;

/// How many components a track has and what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TrackKind {
    /// One number in the track's own unit (a muscle: about [-1, 1], not confined to it).
    Scalar,
    /// x, y, z in metres.
    Vector,
    /// Unit quaternion x, y, z, w.
    Rotation,
}

impl TrackKind {
    /// Number of components: 1, 3 or 4.
    pub const fn components(self) -> usize {
        match self {
            TrackKind::Scalar => 1,
            TrackKind::Vector => 3,
            TrackKind::Rotation => 4,
        }
    }
}

/// What the built-in humanoid track set knows a track as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Muscle number 0..95 of [`MUSCLES`].
    Muscle(u8),
    /// Body position (mass centre) `RootT`, in units of the rig's human scale.
    RootPosition,
    /// Body rotation `RootQ`.
    RootRotation,
    /// Known by its name only: goals, blend shapes, tracked devices.
    Other,
}

/// Name of the body position track.
pub const ROOT_POSITION: &str = "RootT";
/// Name of the body rotation track.
pub const ROOT_ROTATION: &str = "RootQ";

/// One quantity over time: its name and kind. Samples are kept by the [`Clip`](crate::Clip).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    name: Cow<'static, str>,
    kind: TrackKind,
    role: Role,
}

impl Track {
    /// Muscle number `index` under its AnimationClip property name, or `None` from 95 on.
    pub fn muscle(index: usize) -> Option<Track> {
        let muscle = MUSCLES.get(index)?;
        Some(Track {
            name: Cow::Borrowed(muscle.property),
            kind: TrackKind::Scalar,
            role: Role::Muscle(index as u8),
        })
    }

    /// All 95 muscles in HumanTrait order.
    pub fn muscles() -> Vec<Track> {
        (0..MUSCLE_COUNT).filter_map(Track::muscle).collect()
    }

    /// Body position `RootT`: x, y, z.
    pub fn root_position() -> Track {
        Track::new(ROOT_POSITION, TrackKind::Vector)
    }

    /// Body rotation `RootQ`: x, y, z, w.
    pub fn root_rotation() -> Track {
        Track::new(ROOT_ROTATION, TrackKind::Rotation)
    }

    /// A track by name. A scalar named as a muscle (in either spelling) becomes that muscle under its property
    /// name; `RootT` and `RootQ` of the right kind become the root; any other name is kept as it is.
    pub fn new(name: &str, kind: TrackKind) -> Track {
        match (kind, name) {
            (TrackKind::Scalar, _) => {
                if let Some(track) = muscle_index(name).and_then(Track::muscle) {
                    return track;
                }
            }
            (TrackKind::Vector, ROOT_POSITION) => {
                return Track { name: Cow::Borrowed(ROOT_POSITION), kind, role: Role::RootPosition };
            }
            (TrackKind::Rotation, ROOT_ROTATION) => {
                return Track { name: Cow::Borrowed(ROOT_ROTATION), kind, role: Role::RootRotation };
            }
            _ => {}
        }
        Track { name: Cow::Owned(name.to_owned()), kind, role: Role::Other }
    }

    /// The track's name; for a muscle its AnimationClip property name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The track's kind.
    pub fn kind(&self) -> TrackKind {
        self.kind
    }

    /// Number of components: 1, 3 or 4.
    pub fn components(&self) -> usize {
        self.kind.components()
    }

    /// What the humanoid track set knows the track as.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Muscle number, if the track is a muscle.
    pub fn muscle_index(&self) -> Option<usize> {
        match self.role {
            Role::Muscle(index) => Some(usize::from(index)),
            _ => None,
        }
    }

    /// The body-part group of a humanoid track; `None` for [`Role::Other`], which groups by device.
    pub fn body_part(&self) -> Option<BodyPart> {
        match self.role {
            Role::Muscle(index) => Some(BodyPart::of_muscle(usize::from(index))),
            Role::RootPosition | Role::RootRotation => Some(BodyPart::Root),
            Role::Other => None,
        }
    }

    /// Name of the device that a [`Role::Other`] track belongs to: the text before the first `/` or `.`.
    pub fn device(&self) -> &str {
        self.name.split(['/', '.']).next().unwrap_or("")
    }
}

/// Number of the first sample array of each track.
pub(crate) fn component_starts(tracks: &[Track]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(tracks.len());
    let mut next = 0;
    for track in tracks {
        starts.push(next);
        next += track.components();
    }
    starts
}

/// Body-part groups of the humanoid, in stored order. A block can be decoded group by group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum BodyPart {
    /// Body position and rotation.
    Root = 0,
    /// Muscles 0..=8: spine, chest, upper chest.
    Torso = 1,
    /// Muscles 9..=20: neck, head, eyes, jaw.
    Head = 2,
    /// Muscles 21..=28.
    LeftLeg = 3,
    /// Muscles 29..=36.
    RightLeg = 4,
    /// Muscles 37..=45.
    LeftArm = 5,
    /// Muscles 46..=54.
    RightArm = 6,
    /// Muscles 55..=74.
    LeftFingers = 7,
    /// Muscles 75..=94.
    RightFingers = 8,
}

impl BodyPart {
    /// All body parts in stored order.
    pub const ALL: [BodyPart; 9] = [
        BodyPart::Root,
        BodyPart::Torso,
        BodyPart::Head,
        BodyPart::LeftLeg,
        BodyPart::RightLeg,
        BodyPart::LeftArm,
        BodyPart::RightArm,
        BodyPart::LeftFingers,
        BodyPart::RightFingers,
    ];

    /// The group of muscle `index` (0..95).
    pub const fn of_muscle(index: usize) -> BodyPart {
        match index {
            0..=8 => BodyPart::Torso,
            9..=20 => BodyPart::Head,
            21..=28 => BodyPart::LeftLeg,
            29..=36 => BodyPart::RightLeg,
            37..=45 => BodyPart::LeftArm,
            46..=54 => BodyPart::RightArm,
            55..=74 => BodyPart::LeftFingers,
            _ => BodyPart::RightFingers,
        }
    }

    /// Name as shown by `sinew info`.
    pub const fn name(self) -> &'static str {
        match self {
            BodyPart::Root => "root",
            BodyPart::Torso => "torso",
            BodyPart::Head => "head",
            BodyPart::LeftLeg => "left leg",
            BodyPart::RightLeg => "right leg",
            BodyPart::LeftArm => "left arm",
            BodyPart::RightArm => "right arm",
            BodyPart::LeftFingers => "left fingers",
            BodyPart::RightFingers => "right fingers",
        }
    }
}

/// A choice of track groups to decode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mask {
    parts: u16,
    devices: bool,
}

impl Mask {
    /// Everything, devices included.
    pub const ALL: Mask = Mask { parts: 0x1ff, devices: true };
    /// Nothing yet; add with [`Mask::with`].
    pub const NONE: Mask = Mask { parts: 0, devices: false };
    /// Torso, head, arms and fingers.
    pub const UPPER: Mask = Mask::NONE
        .with(BodyPart::Torso)
        .with(BodyPart::Head)
        .with(BodyPart::LeftArm)
        .with(BodyPart::RightArm)
        .with(BodyPart::LeftFingers)
        .with(BodyPart::RightFingers);
    /// Legs and root.
    pub const LOWER: Mask = Mask::NONE.with(BodyPart::Root).with(BodyPart::LeftLeg).with(BodyPart::RightLeg);

    /// This mask and `part` too.
    pub const fn with(self, part: BodyPart) -> Mask {
        Mask { parts: self.parts | 1 << part as u16, devices: self.devices }
    }

    /// This mask and all tracks outside the humanoid too.
    pub const fn with_devices(self) -> Mask {
        Mask { parts: self.parts, devices: true }
    }

    /// Whether the mask chooses `track`.
    pub fn contains(self, track: &Track) -> bool {
        match track.body_part() {
            Some(part) => self.parts & (1 << part as u16) != 0,
            None => self.devices,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_finger_spellings_mean_the_same_track() {
        let dotted = Track::new("RightHand.Little.Spread", TrackKind::Scalar);
        let spoken = Track::new("Right Little Spread", TrackKind::Scalar);
        assert_eq!(dotted, spoken);
        assert_eq!(spoken.name(), "RightHand.Little.Spread");
        assert_eq!(spoken.muscle_index(), Some(92));
    }

    #[test]
    fn a_muscle_name_of_another_kind_is_no_muscle() {
        assert_eq!(Track::new("Spine Front-Back", TrackKind::Vector).role(), Role::Other);
        assert_eq!(Track::new("RootT", TrackKind::Scalar).role(), Role::Other);
    }

    #[test]
    fn upper_and_lower_cover_the_humanoid_once() {
        let mut tracks = Track::muscles();
        tracks.push(Track::root_position());
        tracks.push(Track::root_rotation());
        for track in &tracks {
            assert!(Mask::UPPER.contains(track) ^ Mask::LOWER.contains(track), "{}", track.name());
        }
        let device = Track::new("tracker1/position", TrackKind::Vector);
        assert!(!Mask::UPPER.contains(&device) && Mask::ALL.contains(&device));
        assert_eq!(device.device(), "tracker1");
    }
}
