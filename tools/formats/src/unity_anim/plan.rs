//! What a written file moves: which tracks of a clip become which curve, and which clips no file can hold.

use super::attributes::COMPONENT_SUFFIXES;
use super::document::{Binding, CLASS_SKINNED_MESH, CLASS_TRANSFORM, ORDER_ZXY};
use super::packed::Property;
use super::tracks::{bindings_of, group, name_of};
use super::transforms::{Joints, rotation_order_key, transform_of};
use super::{KIND_GENERIC, KIND_LEGACY, META_KIND, META_NAME, META_WRAP_MODE};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::quote::shown;
use crate::registry::Format;
use sinew::{Clip, META_DATA_MODE, Rig, Role, Track, TrackKind};
use std::collections::{HashMap, HashSet};

/// A curve to write.
pub(super) struct PlannedCurve {
    pub binding: Binding,
    pub property: Property,
    /// Number of the track that holds the first component.
    pub track: usize,
    /// Sample array of each component.
    pub components: Vec<usize>,
    /// Order of Euler angles.
    pub rotation_order: i32,
}

/// All curves of a file, in the order of its lists.
pub(super) struct Plan {
    pub curves: Vec<PlannedCurve>,
    /// Whether the clip moves a humanoid.
    pub humanoid: bool,
}

impl Plan {
    /// Plans the curves of a valid clip, and notes what of its tracks is not kept.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a clip with nothing that a file could move, or with two tracks for one curve.
    pub fn of(clip: &Clip, notes: &mut Vec<Note>) -> Result<Plan> {
        let axes = complete_axes(clip);
        let (mut curves, mut floats, mut nameless) = (Vec::new(), Vec::new(), 0usize);
        let mut component = 0;
        for (number, track) in clip.tracks.iter().enumerate() {
            let components: Vec<usize> = (component..component + track.components()).collect();
            component += track.components();
            match transform_of(track) {
                _ if is_nameless(track) => nameless += 1,
                Some((path, property, None)) => {
                    curves.push(transform(clip, path, property, number, components))
                }
                Some((path, property, Some(axis))) if axes.contains_key(&(path, property)) => {
                    // The first axis stands for all three.
                    if axis == 0 {
                        let components = axes[&(path, property)].to_vec();
                        curves.push(transform(clip, path, property, number, components));
                    }
                }
                _ => floats.push((number, components)),
            }
        }
        if nameless > 0 {
            notes.push(Note::loss(format!(
                "{nameless} values without a name: a curve needs one, so the first 95 are kept"
            )));
        }
        curves.sort_by_key(|curve| curve.property);
        check_transforms(clip, &curves, notes)?;
        let humanoid = clip.tracks.iter().any(|track| track.role() != Role::Other);
        plan_floats(clip, &floats, &mut curves, notes)?;
        let plan = Plan { curves, humanoid };
        plan.require_moving(clip)?;
        Ok(plan)
    }

    /// The curves of one list.
    pub fn list(&self, property: Property) -> impl Iterator<Item = &PlannedCurve> {
        self.curves.iter().filter(move |curve| curve.property == property)
    }

    fn require_moving(&self, clip: &Clip) -> Result<()> {
        let moves = |curve: &PlannedCurve| {
            curve.property != Property::Float || curve.binding.class_id == CLASS_SKINNED_MESH
        };
        if self.humanoid || clip.meta.contains_key(META_KIND) || self.curves.iter().any(moves) {
            return Ok(());
        }
        Err(Error::Unsupported {
            format: Format::Anim,
            what: "the clip has no muscle and no root, no transform and no blend shape: nothing of it moves in Unity"
                .into(),
        })
    }

    /// Whether the file is one for the legacy component, which knows no muscles.
    pub fn is_legacy(&self, clip: &Clip) -> bool {
        !self.humanoid && clip.meta.get(META_KIND).is_some_and(|kind| kind == KIND_LEGACY)
    }

    /// What the clip does at its end.
    pub fn wrap_mode(&self, clip: &Clip) -> i32 {
        if self.humanoid { 0 } else { integer(clip, META_WRAP_MODE).unwrap_or(0) }
    }

    /// Keys of the metadata that a reader of the file finds again.
    pub fn kept_meta(&self, clip: &Clip) -> Vec<String> {
        let mut kept = vec![META_NAME.to_owned()];
        // A clip that lacks a muscle is read back as named.
        if !clip.is_humanoid() {
            kept.push(META_DATA_MODE.to_owned());
        }
        if !self.humanoid {
            let known = |kind: &String| [KIND_GENERIC, KIND_LEGACY].contains(&kind.as_str());
            kept.extend(clip.meta.get(META_KIND).filter(|kind| known(kind)).map(|_| META_KIND.to_owned()));
            kept.extend(integer(clip, META_WRAP_MODE).map(|_| META_WRAP_MODE.to_owned()));
        }
        let orders = self.list(Property::Euler).map(|curve| rotation_order_key(&curve.binding.path));
        kept.extend(orders.filter(|key| integer(clip, key).is_some()));
        kept
    }

    /// Whether a reader finds the clip's rig again: the paths tell the same joints, and the positions of the frame
    /// `first` the same places.
    pub fn keeps_rig(&self, clip: &Clip, first: Option<usize>) -> Result<bool> {
        let told = if self.humanoid { None } else { self.rig(clip, first)? };
        Ok(told == clip.rig)
    }

    fn rig(&self, clip: &Clip, first: Option<usize>) -> Result<Option<Rig>> {
        let transforms = || self.curves.iter().filter(|curve| curve.property != Property::Float);
        let mut joints = Joints::of(transforms().map(|curve| curve.binding.path.as_str()), u32::MAX)?;
        for curve in self.list(Property::Position) {
            if let (Some(number), Some(frame), &[x, y, z]) =
                (joints.number(&curve.binding.path), first, curve.components.as_slice())
            {
                joints.place(number, [x, y, z].map(|component| clip.samples[component][frame]));
            }
        }
        Ok(joints.into_rig())
    }
}

impl PlannedCurve {
    /// What a component is called in a message.
    pub fn component_name(&self, clip: &Clip, component: usize) -> String {
        if self.property == Property::Float {
            return self.binding.attribute.clone();
        }
        match self.property.tracks(&self.binding.path).as_slice() {
            [_] => format!("{}{}", clip.tracks[self.track].name(), COMPONENT_SUFFIXES[component]),
            each => each[component].name().to_owned(),
        }
    }
}

fn integer(clip: &Clip, key: &str) -> Option<i32> {
    clip.meta.get(key)?.parse().ok()
}

/// Sample arrays of the transforms' properties of which each axis is a track, where all three are there.
fn complete_axes(clip: &Clip) -> HashMap<(&str, Property), [usize; 3]> {
    let mut found: HashMap<(&str, Property), [Option<usize>; 3]> = HashMap::new();
    let mut component = 0;
    for track in &clip.tracks {
        if let Some((path, property, Some(axis))) = transform_of(track) {
            found.entry((path, property)).or_default()[axis] = Some(component);
        }
        component += track.components();
    }
    let complete = |(of, axes): (_, [Option<usize>; 3])| match axes {
        [Some(x), Some(y), Some(z)] => Some((of, [x, y, z])),
        _ => None,
    };
    found.into_iter().filter_map(complete).collect()
}

fn transform(
    clip: &Clip,
    path: &str,
    property: Property,
    track: usize,
    components: Vec<usize>,
) -> PlannedCurve {
    let binding = Binding { path: path.to_owned(), class_id: CLASS_TRANSFORM, ..Binding::default() };
    let order = match property {
        Property::Euler => integer(clip, &rotation_order_key(path)),
        _ => None,
    };
    PlannedCurve { binding, property, track, components, rotation_order: order.unwrap_or(ORDER_ZXY) }
}

/// Refuses two curves for one property of a transform, and tells of vectors that are read back as single tracks.
fn check_transforms(clip: &Clip, curves: &[PlannedCurve], notes: &mut Vec<Note>) -> Result<()> {
    let mut seen = HashSet::new();
    let mut split = 0usize;
    for curve in curves {
        if !seen.insert((curve.binding.path.as_str(), curve.property)) {
            return Err(twice(clip.tracks[curve.track].name()));
        }
        let read_back = curve.property.tracks(&curve.binding.path);
        split += usize::from(!read_back.contains(&clip.tracks[curve.track]));
    }
    if split > 0 {
        notes.push(Note::loss(format!("{split} vectors read back as three single tracks each")));
    }
    Ok(())
}

fn twice(name: &str) -> Error {
    Error::Unsupported {
        format: Format::Anim,
        what: format!("two of the clip's tracks need the curve {}", shown(name)),
    }
}

/// Plans the curves of single numbers: tracks by number, with their sample arrays.
fn plan_floats(
    clip: &Clip,
    floats: &[(usize, Vec<usize>)],
    curves: &mut Vec<PlannedCurve>,
    notes: &mut Vec<Note>,
) -> Result<()> {
    let first = curves.len();
    for (track, components) in floats {
        let bindings = bindings_of(&clip.tracks[*track]).into_iter().zip(components);
        curves.extend(bindings.map(|(binding, &component)| PlannedCurve {
            binding,
            property: Property::Float,
            track: *track,
            components: vec![component],
            rotation_order: ORDER_ZXY,
        }));
    }
    let names: Vec<String> = curves[first..].iter().map(|curve| name_of(&curve.binding)).collect();
    if let Some(name) = first_repeated(&names) {
        return Err(twice(name));
    }
    let groups = group(&names);
    let read_back: HashMap<&str, &Track> = groups.iter().map(|(track, _)| (track.name(), track)).collect();
    let tracks = floats.iter().map(|(track, _)| &clip.tracks[*track]);
    let regrouped = tracks.filter(|track| read_back.get(track.name()) != Some(track)).count();
    if regrouped > 0 {
        notes.push(Note::loss(format!(
            "{regrouped} tracks are named like components of vectors and read back as such"
        )));
    }
    Ok(())
}

/// Whether a nameless recording had this value beyond the 95 muscles.
fn is_nameless(track: &Track) -> bool {
    let number = track.name().strip_prefix("value-").and_then(|number| number.parse::<usize>().ok());
    track.kind() == TrackKind::Scalar && number.is_some_and(|number| number >= sinew::MUSCLE_COUNT)
}

fn first_repeated(names: &[String]) -> Option<&str> {
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
