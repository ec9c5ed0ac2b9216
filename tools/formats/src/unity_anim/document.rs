//! The document: the keyed curves of a text `.anim` exactly as the file has them, before anything is sampled.

use super::settings::ClipSettings;

/// Weight of a tangent that nobody changed: a third of the way to the next key.
pub const DEFAULT_WEIGHT: f32 = 1.0 / 3.0;
/// Bit of [`Key::weighted_mode`]: the tangent before the key is weighted.
pub const WEIGHTED_IN: u8 = 1;
/// Bit of [`Key::weighted_mode`]: the tangent after the key is weighted.
pub const WEIGHTED_OUT: u8 = 2;
/// Class of a property of the Animator: muscles, root, goals and parameters.
pub const CLASS_ANIMATOR: i32 = 95;
/// Class of a property of a skinned mesh: blend shapes.
pub const CLASS_SKINNED_MESH: i32 = 137;
/// Class of a property of a transform.
pub const CLASS_TRANSFORM: i32 = 4;

/// Rotation order of Unity's Euler angles: around z, then x, then y.
pub(super) const ORDER_ZXY: i32 = 4;

/// A key of a curve with `N` components. Slopes are value per second; an infinite one makes a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key<const N: usize> {
    /// Time in seconds.
    pub time_s: f32,
    /// Value at that time; finite.
    pub value: [f32; N],
    /// Slope at which the curve arrives.
    pub in_slope: [f32; N],
    /// Slope at which the curve leaves.
    pub out_slope: [f32; N],
    /// What Unity's editor remembers of how the slopes came about. Evaluation does not use it.
    pub tangent_mode: i32,
    /// Which tangents are weighted: [`WEIGHTED_IN`] and [`WEIGHTED_OUT`].
    pub weighted_mode: u8,
    /// Length of the tangent before the key, as part of the distance to the previous key.
    pub in_weight: [f32; N],
    /// Length of the tangent after the key, as part of the distance to the next key.
    pub out_weight: [f32; N],
}

impl<const N: usize> Key<N> {
    /// A key with level tangents, as Unity makes one from a time and a value alone.
    pub fn level(time_s: f32, value: [f32; N]) -> Key<N> {
        Key {
            time_s,
            value,
            in_slope: [0.0; N],
            out_slope: [0.0; N],
            tangent_mode: 0,
            weighted_mode: 0,
            in_weight: [DEFAULT_WEIGHT; N],
            out_weight: [DEFAULT_WEIGHT; N],
        }
    }
}

/// What a curve moves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Binding {
    /// Names from the animated object downwards, joined by `/`; the object itself is empty.
    pub path: String,
    /// Name of the property; empty for the curves of transforms.
    pub attribute: String,
    /// Unity's number of the class that has the property.
    pub class_id: i32,
    /// Reference to the script that has the property, as the file spells it; `None` if there is none.
    pub script: Option<String>,
}

/// A curve: keys in order of time, and what they move.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve<const N: usize> {
    /// What the curve moves.
    pub binding: Binding,
    /// The keys; times never decrease.
    pub keys: Vec<Key<N>>,
    /// What happens before the first key: 0 swings back and forth, 1 repeats, 2 stays.
    pub pre_infinity: i32,
    /// What happens after the last key, likewise.
    pub post_infinity: i32,
    /// Order of Euler angles; 4 is ZXY.
    pub rotation_order: i32,
}

impl<const N: usize> Curve<N> {
    /// A curve without keys.
    pub fn new(binding: Binding) -> Curve<N> {
        Curve { binding, keys: Vec::new(), pre_infinity: 2, post_infinity: 2, rotation_order: ORDER_ZXY }
    }
}

/// A field of the file that the document does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Line number from 1.
    pub line: u64,
    /// Name of the field.
    pub field: String,
    /// Number of list items in it.
    pub items: u64,
    /// Whether the field is one that Unity is known to write.
    pub known: bool,
}

/// An animation clip of Unity as its text file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct AnimDocument {
    /// The clip's name; Unity wants it to be the file's name without the extension.
    pub name: String,
    /// Whether the clip is for the legacy Animation component, which knows no muscles.
    pub legacy: bool,
    /// Frames a second of the editor's grid. Keys need not lie on it.
    pub sample_rate_hz: f32,
    /// What a legacy clip does at its end.
    pub wrap_mode: i32,
    /// Rotations of transforms as quaternions x, y, z, w.
    pub rotation_curves: Vec<Curve<4>>,
    /// Rotations of transforms in degrees around x, y, z.
    pub euler_curves: Vec<Curve<3>>,
    /// Positions of transforms.
    pub position_curves: Vec<Curve<3>>,
    /// Scales of transforms.
    pub scale_curves: Vec<Curve<3>>,
    /// All single numbers: muscles, root, blend shapes, parameters.
    pub float_curves: Vec<Curve<1>>,
    /// The editor's own curves: a copy of the above component by component, or none.
    pub editor_curves: Vec<Curve<1>>,
    /// Start, end and looping.
    pub settings: ClipSettings,
    /// Fields of the file that are not above; at most [`AnimDocument::MAX_LEFT_OUT`].
    pub left_out: Vec<LeftOut>,
}

impl AnimDocument {
    /// Most entries of [`AnimDocument::left_out`].
    pub const MAX_LEFT_OUT: usize = 64;
}

impl Default for AnimDocument {
    fn default() -> Self {
        AnimDocument {
            name: String::new(),
            legacy: false,
            sample_rate_hz: 60.0,
            wrap_mode: 0,
            rotation_curves: Vec::new(),
            euler_curves: Vec::new(),
            position_curves: Vec::new(),
            scale_curves: Vec::new(),
            float_curves: Vec::new(),
            editor_curves: Vec::new(),
            settings: ClipSettings::default(),
            left_out: Vec::new(),
        }
    }
}
