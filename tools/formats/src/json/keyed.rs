//! Keyed motions of nodes exactly as a file has them: the layer below a clip.

use sinew::TrackKind;

/// How a track runs between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interpolation {
    /// Straight, a rotation along the shorter way.
    #[default]
    Linear,
    /// At the earlier key's value until the later key.
    Step,
    /// Along a curve through the keys, which is read as straight lines.
    Smooth,
}

/// What moves a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moves {
    /// Its place relative to its parent.
    Position,
    /// Its rotation relative to its parent, a quaternion x, y, z, w.
    Rotation,
    /// Anything else of it.
    Other,
}

/// Keys of one property of one node.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyedTrack {
    /// The node's name.
    pub node: String,
    /// The property's name as the file spells it.
    pub property: String,
    /// What the property is.
    pub moves: Moves,
    /// Numbers in a value: 1, 3 or 4 make scalars, vectors and rotations.
    pub kind: TrackKind,
    /// Times of the keys in seconds, in the file's order.
    pub times_s: Vec<f64>,
    /// Values of the keys one after another, as many numbers each as the kind has components.
    pub values: Vec<f32>,
    /// How it runs between keys.
    pub interpolation: Interpolation,
}

impl KeyedTrack {
    /// Node and property as one name.
    pub fn name(&self) -> String {
        match self.property.is_empty() {
            true => self.node.clone(),
            false => format!("{}.{}", self.node, self.property),
        }
    }

    /// The numbers of a key.
    pub(super) fn value(&self, key: usize) -> &[f32] {
        let width = self.kind.components();
        &self.values[key * width..(key + 1) * width]
    }
}

/// The kind of track that has values of so many numbers.
pub(super) fn kind_of_width(width: usize) -> Option<TrackKind> {
    [TrackKind::Scalar, TrackKind::Vector, TrackKind::Rotation]
        .into_iter()
        .find(|kind| kind.components() == width)
}
