//! Transforms: names of the tracks that animate them, and the rig that their paths tell.

use super::packed::Property;
use super::tracks::BLEND_SHAPE;
use crate::error::Result;
use sinew::{Joint, Rig, Track, TrackKind};
use std::collections::HashMap;

/// Metadata key of the order of the Euler angles of the transform at `path`, a number of Unity's.
pub(super) fn rotation_order_key(path: &str) -> String {
    format!("anim-rotation-order/{path}")
}

/// Axes of a transform's scale and Euler angles, which are single tracks.
const AXES: [&str; 3] = ["x", "y", "z"];

impl Property {
    /// The properties of transforms, in the order of a file's lists.
    pub const TRANSFORMS: [Property; 4] =
        [Property::Rotation, Property::Euler, Property::Position, Property::Scale];

    /// Name of a transform's property in a script.
    fn script_name(self) -> &'static str {
        match self {
            Property::Rotation => "localRotation",
            Property::Euler => "localEulerAngles",
            Property::Position => "localPosition",
            Property::Scale => "localScale",
            Property::Float => "",
        }
    }

    /// Kind of the one track that holds the property, or `None` if each of its components is a track.
    fn whole_kind(self) -> Option<TrackKind> {
        match self {
            Property::Rotation => Some(TrackKind::Rotation),
            Property::Position => Some(TrackKind::Vector),
            // Degrees and factors are no metres.
            Property::Euler | Property::Scale | Property::Float => None,
        }
    }

    /// The tracks that hold the property of the transform at `path`, with their components in order.
    pub fn tracks(self, path: &str) -> Vec<Track> {
        let stem = match path {
            "" => self.script_name().to_owned(),
            _ => format!("{path}.{}", self.script_name()),
        };
        match self.whole_kind() {
            Some(kind) => vec![Track::new(&stem, kind)],
            None => {
                AXES.iter().map(|axis| Track::new(&format!("{stem}.{axis}"), TrackKind::Scalar)).collect()
            }
        }
    }
}

/// The transform's property that a track holds: its path, the property, and which component if it holds only one.
///
/// Vectors of degrees and factors are taken too: a table has no other name for three columns than that of a vector.
pub(super) fn transform_of(track: &Track) -> Option<(&str, Property, Option<usize>)> {
    let name = track.name();
    let (stem, axis) = match track.kind() {
        TrackKind::Scalar => {
            let (stem, axis) = name.rsplit_once('.')?;
            (stem, Some(AXES.iter().position(|&known| known == axis)?))
        }
        _ => (name, None),
    };
    let (path, script_name) = match stem.rsplit_once('.') {
        // An empty path has no dot after it.
        Some(("", _)) => return None,
        Some(parts) => parts,
        None => ("", stem),
    };
    let property = Property::TRANSFORMS.into_iter().find(|property| property.script_name() == script_name)?;
    // A blend shape may be called anything.
    let fits = match (property.whole_kind(), axis) {
        (kind, None) => kind.unwrap_or(TrackKind::Vector) == track.kind(),
        (None, Some(_)) => !name.contains(BLEND_SHAPE),
        _ => false,
    };
    fits.then_some((path, property, axis))
}

/// The joints that paths tell: each name between slashes is one, below the one before it. They stand in the order in
/// which the paths first name them. The animated object itself, whose path is empty, is a joint without a name, above
/// all others, if it is among the paths.
pub(super) struct Joints<'a> {
    joints: Vec<Joint>,
    numbers: HashMap<(Option<usize>, &'a str), usize>,
    limit: u32,
}

impl<'a> Joints<'a> {
    /// The joints of `paths`, at most `limit`.
    ///
    /// # Errors
    /// A limit if there are more.
    pub fn of(paths: impl Iterator<Item = &'a str> + Clone, limit: u32) -> Result<Joints<'a>> {
        let mut joints = Joints { joints: Vec::new(), numbers: HashMap::new(), limit };
        if paths.clone().any(str::is_empty) {
            joints.child(None, "")?;
        }
        for path in paths {
            joints.add(path)?;
        }
        Ok(joints)
    }

    /// The object itself, if it is among the paths: the parent of the paths' first joints.
    fn object(&self) -> Option<usize> {
        self.numbers.get(&(None, "")).copied()
    }

    fn add(&mut self, path: &'a str) -> Result<()> {
        let mut parent = self.object();
        if !path.is_empty() {
            for name in path.split('/') {
                parent = Some(self.child(parent, name)?);
            }
        }
        Ok(())
    }

    /// Number of the joint at `path`, one of those given.
    pub fn number(&self, path: &str) -> Option<usize> {
        match path {
            "" => self.object(),
            _ => path
                .split('/')
                .try_fold(self.object(), |parent, name| Some(self.numbers.get(&(parent, name)).copied()))
                .flatten(),
        }
    }

    fn child(&mut self, parent: Option<usize>, name: &'a str) -> Result<usize> {
        if let Some(&number) = self.numbers.get(&(parent, name)) {
            return Ok(number);
        }
        let number = self.joints.len();
        if number as u64 >= u64::from(self.limit) {
            return Err(sinew::Error::LimitExceeded { what: "number of joints" }.into());
        }
        self.joints.push(Joint { name: name.to_owned(), parent, offset: [0.0; 3], axes: Vec::new() });
        self.numbers.insert((parent, name), number);
        Ok(number)
    }

    /// Puts a joint where its first position key has it. Others stay at their parent: nothing tells their rest.
    pub fn place(&mut self, number: usize, offset: [f32; 3]) {
        self.joints[number].offset = offset;
    }

    /// The rig, if there is any joint.
    pub fn into_rig(self) -> Option<Rig> {
        (!self.joints.is_empty()).then_some(Rig { joints: self.joints })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tracks_tell_path_property_and_component() {
        for path in ["", "Hips", "Root/a.b/c", "localScale.x", "\u{3c9}"] {
            for property in Property::TRANSFORMS {
                let tracks = property.tracks(path);
                for (component, track) in tracks.iter().enumerate() {
                    let axis = (tracks.len() > 1).then_some(component);
                    assert_eq!(transform_of(track), Some((path, property, axis)), "{track:?}");
                }
            }
        }
        for (name, kind) in [
            (".localRotation", TrackKind::Rotation),
            ("Hips.localRotation", TrackKind::Vector),
            ("Hips.localRotation.x", TrackKind::Scalar),
            ("Hips.localScale", TrackKind::Rotation),
            ("Hips.localScale.w", TrackKind::Scalar),
            ("Face/blendShape.localScale.x", TrackKind::Scalar),
            ("RootQ", TrackKind::Rotation),
            ("Spine Front-Back", TrackKind::Scalar),
        ] {
            assert_eq!(transform_of(&Track::new(name, kind)), None, "{name}");
        }
    }

    #[test]
    fn vectors_of_a_table_are_transforms_too() {
        let scale = Track::new("Hips.localScale", TrackKind::Vector);
        assert_eq!(transform_of(&scale), Some(("Hips", Property::Scale, None)));
    }

    #[test]
    fn parents_stand_before_their_children() {
        let paths = ["a/b/c", "a/d", "a"];
        let mut joints = Joints::of(paths.into_iter(), 10).expect("few");
        assert_eq!(paths.map(|path| joints.number(path)), [Some(2), Some(3), Some(0)]);
        assert_eq!((joints.number(""), joints.number("a/e")), (None, None));
        joints.place(3, [1.0, 2.0, 3.0]);
        let rig = joints.into_rig().expect("joints");
        rig.validate().expect("a good rig");
        let told: Vec<_> = rig.joints.iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
        assert_eq!(told, [("a", None), ("b", Some(0)), ("c", Some(1)), ("d", Some(0))]);
        assert_eq!(rig.joints[3].offset, [1.0, 2.0, 3.0]);
        assert!(Joints::of(paths.into_iter(), 3).is_err());
    }

    #[test]
    fn the_object_itself_is_above_all() {
        let joints = Joints::of(["a/b", "", "/c"].into_iter(), 10).expect("few");
        assert_eq!(["a/b", "", "/c"].map(|path| joints.number(path)), [Some(2), Some(0), Some(4)]);
        let rig = joints.into_rig().expect("joints");
        rig.validate().expect("a good rig");
        let told: Vec<_> = rig.joints.iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
        let expected = [("", None), ("a", Some(0)), ("b", Some(1)), ("", Some(0)), ("c", Some(3))];
        assert_eq!(told, expected);
    }
}
