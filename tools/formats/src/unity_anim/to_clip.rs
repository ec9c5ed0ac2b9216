//! Document to clip: which curves are the clip's, at which instants, and what is left behind.

use super::document::{AnimDocument, CLASS_ANIMATOR, CLASS_SKINNED_MESH, Curve, ORDER_ZXY};
use super::instants::{Instants, choose};
use super::packed::{PackedCurve, Property};
use super::settings::ClipSettings;
use super::tracks::{BLEND_SHAPE, group, name_of};
use super::transforms::{Joints, rotation_order_key};
use super::{KIND_GENERIC, KIND_LEGACY, META_KIND, META_NAME, META_WRAP_MODE, number};
use crate::error::{Error, Place, Result};
use crate::note::Note;
use crate::registry::Format;
use sinew::data::DataMode;
use sinew::{Clip, DecodeLimits, META_DATA_MODE, MUSCLES, Rig, Role, Times, Track, TrackKind, muscle_index};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

impl AnimDocument {
    /// The clip that the document describes, and what of the document is not in it.
    ///
    /// A clip with muscles or a root is a humanoid's: its Animator's properties and blend shapes, then what transforms
    /// it moves besides. Any other is the clip of a skeleton whose rig is the joints that the curves' paths name, at the
    /// place of their first position key, if they have one, else at their parent; [`META_KIND`] tells `generic` from
    /// `legacy`. A transform at PATH (the animated object itself: nothing before the dot) has the tracks
    /// `PATH.localRotation`, `PATH.localPosition`, `PATH.localEulerAngles.x` and so on in degrees beyond any full turn,
    /// and `PATH.localScale.x` and so on.
    ///
    /// Frames are the keys' times if all curves with more than one key share them and are either straight between keys
    /// or have at least ten keys a second; values then are the keys' values. Otherwise, or if `hz` is given, curves are
    /// evaluated at that rate, else at the document's, from the first key to the last; sampled rotations are brought to
    /// unit length, as Unity does. So fewer shared keys that bend are sampled too: the keys alone would play otherwise.
    /// A curve with one key is constant.
    ///
    /// # Errors
    /// [`Error::Format`] for a clip whose curves, if it has any, move nothing that a clip holds;
    /// [`Error::InvalidInput`] for a rate that is not positive and finite;
    /// [`Error::Codec`] if there would be more samples than [`DecodeLimits::max_samples`] or more joints than
    /// [`DecodeLimits::max_components`].
    pub fn to_clip(&self, hz: Option<f64>, limits: &DecodeLimits) -> Result<(Clip, Vec<Note>)> {
        fn pack<'a, const N: usize>(
            curves: &'a [Curve<N>],
            property: Property,
        ) -> impl Iterator<Item = PackedCurve> + 'a {
            let mut times_s: Rc<[f32]> = Rc::from([]);
            curves.iter().map(move |curve| PackedCurve::pack(curve, property, &mut times_s))
        }
        let curves = pack(&self.rotation_curves, Property::Rotation)
            .chain(pack(&self.euler_curves, Property::Euler))
            .chain(pack(&self.position_curves, Property::Position))
            .chain(pack(&self.scale_curves, Property::Scale))
            .chain(pack(&self.float_curves, Property::Float));
        let head = AnimDocument {
            name: self.name.clone(),
            legacy: self.legacy,
            sample_rate_hz: self.sample_rate_hz,
            wrap_mode: self.wrap_mode,
            settings: self.settings,
            left_out: self.left_out.clone(),
            ..AnimDocument::default()
        };
        let editor_curves = pack(&self.editor_curves, Property::Float).collect();
        PackedDocument { head, curves: curves.collect(), editor_curves }.into_clip(hz, limits)
    }
}

/// A document whose curves are packed.
pub(super) struct PackedDocument {
    /// All but the curves.
    pub head: AnimDocument,
    /// The curves, those of transforms before the single numbers.
    pub curves: Vec<PackedCurve>,
    /// The editor's copy, if it may be of use.
    pub editor_curves: Vec<PackedCurve>,
}

impl PackedDocument {
    /// As [`AnimDocument::to_clip`].
    pub fn into_clip(mut self, hz: Option<f64>, limits: &DecodeLimits) -> Result<(Clip, Vec<Note>)> {
        let mut notes = Vec::new();
        // 1. The curves.
        if !has_humanoid(&self.curves) && has_humanoid(&self.editor_curves) {
            notes.push(Note::info("m_FloatCurves has no muscle: the curves are those of m_EditorCurves"));
            self.curves.retain(|curve| curve.property != Property::Float);
            self.curves.append(&mut self.editor_curves);
        }
        let humanoid = has_humanoid(&self.curves);
        let (mut curves, left) = choose_curves(self.curves, &mut notes);
        if curves.is_empty() {
            return Err(self.head.refusal(left));
        }
        // 2. The tracks, and the rig where the clip is a skeleton's.
        let (rig, joints) = skeleton(&curves, limits)?;
        let rig = rig.filter(|_| !humanoid);
        let plans = plan_tracks(&curves, &joints, &mut notes);
        let meta = self.head.meta(humanoid, &curves);

        // 3. The instants.
        let instants = match curves.iter().all(PackedCurve::is_empty) {
            true => Instants::of_keys(Vec::new()),
            false => choose(&curves, self.head.sample_rate_hz, hz, limits, &mut notes)?,
        };

        // 4. The samples, track by track.
        let (mut tracks, mut samples): (Vec<Track>, Vec<Vec<f32>>) = (Vec::new(), Vec::new());
        let Instants { times, at_keys } = instants;
        for (track, members) in plans {
            let first = samples.len();
            for (curve, component) in members {
                let curve = &mut curves[curve];
                samples.push(match at_keys {
                    true if curve.len() == 1 => vec![curve.values(component)[0]; times.len()],
                    true => curve.take_values(component),
                    false => {
                        let values = times.iter().map(|time_s| curve.evaluate(component, time_s) as f32);
                        let values = values.collect();
                        curve.release(component);
                        values
                    }
                });
            }
            if track.kind() == TrackKind::Rotation && !at_keys {
                normalize(&mut samples[first..]);
            }
            tracks.push(track);
        }
        let mut clip = Clip { tracks, samples, times, meta, rig };
        clip.validate()?;
        if !clip.is_humanoid() {
            // Without all muscles a number does not tell which one a value is.
            clip.meta.insert(META_DATA_MODE.to_owned(), DataMode::Named.as_str().to_owned());
        }
        notes.extend(self.head.losses(&clip.times));
        Ok((clip, notes))
    }
}

/// The curves that the clip is made of, each once and with keys; and what is counted of the others.
fn choose_curves(curves: Vec<PackedCurve>, notes: &mut Vec<Note>) -> (Vec<PackedCurve>, usize) {
    let path = animator_path(&curves).to_owned();
    if !path.is_empty() {
        notes.push(Note::info(format!("the muscles are those of the animator {}", number::shown(&path))));
    }
    let belongs = |curve: &PackedCurve| match curve.binding.class_id {
        _ if curve.property != Property::Float => true,
        CLASS_ANIMATOR => curve.binding.path == path,
        CLASS_SKINNED_MESH => curve.binding.attribute.starts_with(BLEND_SHAPE),
        _ => false,
    };
    let without_keys = curves.iter().all(|curve| !belongs(curve) || curve.is_empty());
    let (mut chosen, mut seen) = (Vec::new(), HashSet::new());
    let (mut foreign, mut empty, mut double) = (Counted::default(), Counted::default(), Counted::default());
    for curve in curves {
        if !belongs(&curve) {
            foreign.add(&curve);
        } else if curve.is_empty() && !without_keys {
            empty.add(&curve);
        } else if !seen.insert((curve.property, name_of_curve(&curve))) {
            double.add(&curve);
        } else {
            chosen.push(curve);
        }
    }
    let left = foreign.count;
    foreign.report(notes, "of other objects");
    empty.report(notes, "without keys");
    double.report(notes, "that move what an earlier curve moves");
    (chosen, left)
}

fn name_of_curve(curve: &PackedCurve) -> String {
    match curve.property {
        Property::Float => name_of(&curve.binding),
        _ => curve.binding.path.clone(),
    }
}

/// The rig that the paths of the transforms tell, if any is moved, and the joint of each curve; that of a curve of
/// single numbers is none.
fn skeleton(curves: &[PackedCurve], limits: &DecodeLimits) -> Result<(Option<Rig>, Vec<Option<usize>>)> {
    let transform_path =
        |curve: &'_ PackedCurve| (curve.property != Property::Float).then_some(curve.binding.path.clone());
    let paths: Vec<Option<String>> = curves.iter().map(transform_path).collect();
    let mut joints = Joints::of(paths.iter().flatten().map(String::as_str), limits.max_components)?;
    let numbers: Vec<Option<usize>> =
        paths.iter().map(|path| path.as_deref().and_then(|path| joints.number(path))).collect();
    for (curve, number) in curves.iter().zip(&numbers) {
        if let Some(number) = number
            && curve.property == Property::Position
            && !curve.is_empty()
        {
            joints.place(*number, [0, 1, 2].map(|component| curve.values(component)[0]));
        }
    }
    Ok((joints.into_rig(), numbers))
}

/// A track, and the curve and its component that each of the track's components is.
type TrackPlan = (Track, Vec<(usize, usize)>);

/// The tracks: muscles and root, then transforms joint by joint, then other single numbers.
fn plan_tracks(curves: &[PackedCurve], joints: &[Option<usize>], notes: &mut Vec<Note>) -> Vec<TrackPlan> {
    let floats: Vec<usize> = (0..curves.len()).filter(|&curve| joints[curve].is_none()).collect();
    let names: Vec<String> = floats.iter().map(|&curve| name_of(&curves[curve].binding)).collect();
    let groups = group(&names).into_iter().map(|(track, members)| -> TrackPlan {
        (track, members.into_iter().map(|member| (floats[member], 0)).collect())
    });
    let (mut plans, others): (Vec<TrackPlan>, Vec<TrackPlan>) =
        groups.partition(|(track, _)| track.role() != Role::Other);

    let mut transforms: Vec<usize> = (0..curves.len()).filter(|&curve| joints[curve].is_some()).collect();
    transforms.sort_by_key(|&curve| (joints[curve], curves[curve].property));
    for curve in transforms {
        let mut component = 0;
        for track in curves[curve].property.tracks(&curves[curve].binding.path) {
            let members = component..component + track.components();
            component = members.end;
            plans.push((track, members.map(|component| (curve, component)).collect()));
        }
    }
    // A property of the Animator may be named as a transform's track is.
    let taken: HashSet<String> = plans.iter().map(|(track, _)| track.name().to_owned()).collect();
    let mut double = Counted::default();
    for (track, members) in others {
        if let Some(muscle) = meant_muscle(track.name()) {
            notes.push(Note::info(format!(
                "the property {} is no muscle, though nearly spelled as {muscle:?}: it moves nothing of a humanoid",
                number::shown(track.name())
            )));
        }
        if taken.contains(track.name()) {
            members.iter().for_each(|&(curve, _)| double.add(&curves[curve]));
        } else {
            plans.push((track, members));
        }
    }
    double.report(notes, "named as a transform's are");
    plans
}

/// The muscle that a name is when blanks, dots and capitals are not looked at.
fn meant_muscle(name: &str) -> Option<&'static str> {
    let letters = |name: &str| -> Vec<u8> {
        name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase()).collect()
    };
    let name = letters(name);
    MUSCLES.iter().map(|muscle| muscle.property).find(|property| letters(property) == name)
}

impl AnimDocument {
    /// What the clip keeps of the document besides its curves.
    fn meta(&self, humanoid: bool, curves: &[PackedCurve]) -> BTreeMap<String, String> {
        let mut meta = BTreeMap::new();
        if !self.name.is_empty() {
            meta.insert(META_NAME.to_owned(), self.name.clone());
        }
        if !humanoid {
            meta.insert(META_KIND.to_owned(), self.kind().to_owned());
            if self.wrap_mode != 0 {
                meta.insert(META_WRAP_MODE.to_owned(), self.wrap_mode.to_string());
            }
        }
        for curve in curves {
            if curve.property == Property::Euler && curve.rotation_order != ORDER_ZXY {
                meta.insert(rotation_order_key(&curve.binding.path), curve.rotation_order.to_string());
            }
        }
        meta
    }

    /// What Unity calls a clip without muscles.
    fn kind(&self) -> &'static str {
        if self.legacy { KIND_LEGACY } else { KIND_GENERIC }
    }

    /// Why there is no clip. `left` is the number of curves that move other things.
    fn refusal(&self, left: usize) -> Error {
        let built = self.left_out.iter().any(|left_out| left_out.field == "m_MuscleClip");
        let kind = self.kind();
        let what = match left {
            0 if built => {
                "the curves are in m_MuscleClip only, the form of a built game, which is not read".to_owned()
            }
            0 => format!("{kind} clip, 0 muscles: it has no curves at all"),
            _ => format!(
                "{kind} clip, 0 muscles: its {left} curves move neither transforms nor blend shapes nor properties of an \
                 Animator, and others are not read"
            ),
        };
        Error::format(Format::Anim, Place::File, what)
    }

    /// What a clip has no place for.
    fn losses(&self, times: &Times) -> Vec<Note> {
        let mut notes = Vec::new();
        for left_out in self.left_out.iter().filter(|left_out| left_out.known) {
            let (field, line) = (&left_out.field, left_out.line);
            notes.push(match left_out.items {
                0 => Note::loss(format!("{field} of line {line}")),
                items => Note::loss(format!("{items} items of {field} (line {line})")),
            });
        }
        let unknown: Vec<String> = self
            .left_out
            .iter()
            .filter(|left_out| !left_out.known)
            .map(|left_out| format!("{} (line {})", number::shown(&left_out.field), left_out.line))
            .collect();
        if !unknown.is_empty() {
            notes.push(Note::info(format!("fields that are not known here: {}", unknown.join(", "))));
        }
        let odd = odd_settings(&self.settings);
        if !odd.is_empty() {
            notes.push(Note::loss(format!("settings of the clip: {}", odd.join(", "))));
        }
        let last_s = times.len().checked_sub(1).and_then(|last| times.get(last)).unwrap_or(0.0);
        let stop_s = f64::from(self.settings.stop_s);
        // A frame of the usual rates is longer than that.
        if (stop_s - last_s).abs() > 1e-3 && stop_s != 0.0 {
            notes.push(Note::info(format!("the clip's end is at {stop_s} s, its last frame at {last_s} s")));
        }
        notes
    }
}

/// Settings other than times that neither Unity's default nor this writer has.
fn odd_settings(settings: &ClipSettings) -> Vec<String> {
    let texts = |settings: &ClipSettings| {
        let mut texts = Vec::new();
        settings.for_each(|name, text| texts.push((name.to_owned(), text.to_owned())));
        texts
    };
    let usual = [ClipSettings::default(), ClipSettings::recorded(0.0, 0.0)]
        .map(|usual| texts(&ClipSettings { start_s: settings.start_s, stop_s: settings.stop_s, ..usual }));
    let differs = |index: usize, text: &(String, Vec<u8>)| usual.iter().all(|usual| usual[index] != *text);
    texts(settings)
        .into_iter()
        .enumerate()
        .filter(|(index, text)| differs(*index, text))
        .map(|(_, (name, text))| format!("{name} {}", String::from_utf8_lossy(&text)))
        .collect()
}

fn is_humanoid(curve: &PackedCurve) -> bool {
    let binding = &curve.binding;
    let root = ["RootT.", "RootQ."].iter().any(|stem| binding.attribute.starts_with(stem));
    binding.class_id == CLASS_ANIMATOR && (root || muscle_index(&binding.attribute).is_some())
}

/// Whether any curve moves a muscle or the root.
pub(super) fn has_humanoid(curves: &[PackedCurve]) -> bool {
    curves.iter().any(is_humanoid)
}

/// The path of the animator with most muscles; the shortest of several.
fn animator_path(curves: &[PackedCurve]) -> &str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for curve in curves.iter().filter(|curve| is_humanoid(curve)) {
        *counts.entry(&curve.binding.path).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(path, count)| (**count, std::cmp::Reverse(path.len())));
    most.map_or("", |(path, _)| path)
}

/// Brings every frame of a rotation to unit length; one of length 0 stays.
fn normalize(arrays: &mut [Vec<f32>]) {
    for frame in 0..arrays.first().map_or(0, Vec::len) {
        let square: f64 = arrays.iter().map(|values| f64::from(values[frame]).powi(2)).sum();
        let length = square.sqrt();
        if length > 0.0 {
            for values in arrays.iter_mut() {
                values[frame] = (f64::from(values[frame]) / length) as f32;
            }
        }
    }
}

/// Curves left behind for one reason.
#[derive(Default)]
struct Counted {
    count: usize,
    first: String,
}

impl Counted {
    fn add(&mut self, curve: &PackedCurve) {
        self.count += 1;
        if self.count == 1 {
            let binding = &curve.binding;
            self.first = number::shown(&format!("{}:{}", binding.path, binding.attribute));
        }
    }

    fn report(self, notes: &mut Vec<Note>, which: &str) {
        let Counted { count, first } = self;
        match count {
            0 => {}
            1 => notes.push(Note::loss(format!("a curve {which}: {first}"))),
            _ => notes.push(Note::loss(format!("{count} curves {which}, {first} first"))),
        }
    }
}
