//! Document to clip: which curves are the clip's, at which instants, and what is left behind.

use super::document::{AnimDocument, CLASS_ANIMATOR, CLASS_SKINNED_MESH, Curve};
use super::instants::{Instants, choose};
use super::settings::ClipSettings;
use super::tracks::{BLEND_SHAPE, group, name_of};
use super::{META_NAME, number};
use crate::error::{Error, Place, Result};
use crate::note::Note;
use crate::registry::Format;
use sinew::data::DataMode;
use sinew::{Clip, DecodeLimits, META_DATA_MODE, Times, Track, TrackKind, muscle_index};
use std::collections::{BTreeMap, HashSet};

impl AnimDocument {
    /// The clip that the document's humanoid curves describe, and what of the document is not in it.
    ///
    /// Frames are the keys' times if all curves with more than one key share them and are either straight between keys
    /// or have at least ten keys a second; values then are the keys' values. Otherwise, or if `hz` is given, curves are
    /// evaluated at that rate, else at the document's, from the first key to the last; sampled rotations are brought to
    /// unit length, as Unity does. A curve with one key is constant.
    ///
    /// # Errors
    /// [`Error::Format`] for a clip without muscles or root (generic and legacy clips);
    /// [`Error::InvalidInput`] for a rate that is not positive and finite;
    /// [`Error::Codec`] if there would be more samples than [`DecodeLimits::max_samples`].
    pub fn to_clip(&self, hz: Option<f64>, limits: &DecodeLimits) -> Result<(Clip, Vec<Note>)> {
        let mut notes = Vec::new();
        // 1. The curves.
        let curves = if has_humanoid(&self.float_curves) || !has_humanoid(&self.editor_curves) {
            &self.float_curves
        } else {
            notes.push(Note::info("m_FloatCurves has no muscle: the curves are those of m_EditorCurves"));
            &self.editor_curves
        };
        if !has_humanoid(curves) {
            return Err(self.refusal());
        }
        let (names, curves) = self.choose_curves(curves, &mut notes);

        // 2. The instants.
        let instants = match curves.iter().all(|curve| curve.keys.is_empty()) {
            true => Instants::of_keys(Vec::new()),
            false => choose(&curves, self.sample_rate_hz, hz, limits, &mut notes)?,
        };

        // 3. The samples, track by track.
        let (mut tracks, mut samples): (Vec<Track>, Vec<Vec<f32>>) = (Vec::new(), Vec::new());
        let Instants { times, at_keys } = instants;
        for (track, members) in group(&names) {
            let arrays = members.iter().map(|&member| match at_keys {
                true => key_values(curves[member], times.len()),
                false => times.iter().map(|time_s| curves[member].evaluate(time_s)[0] as f32).collect(),
            });
            let first = samples.len();
            samples.extend(arrays);
            if track.kind() == TrackKind::Rotation && !at_keys {
                normalize(&mut samples[first..]);
            }
            tracks.push(track);
        }
        let mut meta = BTreeMap::new();
        if !self.name.is_empty() {
            meta.insert(META_NAME.to_owned(), self.name.clone());
        }
        let mut clip = Clip { tracks, samples, times, meta, rig: None };
        clip.validate()?;
        if !clip.is_humanoid() {
            // Without all muscles a number does not tell which one a value is.
            clip.meta.insert(META_DATA_MODE.to_owned(), DataMode::Named.as_str().to_owned());
        }
        notes.extend(self.losses(&clip.times));
        Ok((clip, notes))
    }

    /// The curves of the clip under their track names, each once and with keys.
    fn choose_curves<'a>(
        &self,
        curves: &'a [Curve<1>],
        notes: &mut Vec<Note>,
    ) -> (Vec<String>, Vec<&'a Curve<1>>) {
        let path = animator_path(curves);
        if !path.is_empty() {
            notes.push(Note::info(format!("the muscles are those of the animator {path:?}")));
        }
        let belongs = |curve: &Curve<1>| match curve.binding.class_id {
            CLASS_ANIMATOR => curve.binding.path == path,
            CLASS_SKINNED_MESH => curve.binding.attribute.starts_with(BLEND_SHAPE),
            _ => false,
        };
        let without_keys = curves.iter().all(|curve| !belongs(curve) || curve.keys.is_empty());
        let (mut names, mut chosen, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        let (mut foreign, mut empty, mut double) =
            (Counted::default(), Counted::default(), Counted::default());
        for curve in curves {
            let name = name_of(&curve.binding);
            if !belongs(curve) {
                foreign.add(curve);
            } else if curve.keys.is_empty() && !without_keys {
                empty.add(curve);
            } else if seen.contains(&name) {
                double.add(curve);
            } else {
                seen.insert(name.clone());
                names.push(name);
                chosen.push(curve);
            }
        }
        foreign.report(notes, "of other objects");
        empty.report(notes, "without keys");
        double.report(notes, "that move what an earlier curve moves");
        (names, chosen)
    }

    fn refusal(&self) -> Error {
        let lists = [
            ("rotation", self.rotation_curves.len()),
            ("Euler", self.euler_curves.len()),
            ("position", self.position_curves.len()),
            ("scale", self.scale_curves.len()),
            ("float", self.float_curves.len()),
        ];
        let parts: Vec<String> = lists
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let built = self.left_out.iter().any(|left_out| left_out.field == "m_MuscleClip");
        let kind = if self.legacy { "legacy" } else { "generic" };
        let what = match parts.is_empty() {
            true if built => {
                "the curves are in m_MuscleClip only, the form of a built game, which is not read".to_owned()
            }
            true => format!("{kind} clip, 0 muscles: it has no curves at all"),
            false => format!(
                "{kind} clip, 0 muscles: its curves ({}) move no humanoid, and only humanoid clips are read",
                parts.join(", ")
            ),
        };
        Error::format(Format::Anim, Place::File, what)
    }

    /// What a clip has no place for.
    fn losses(&self, times: &Times) -> Vec<Note> {
        let mut notes = Vec::new();
        let transforms = self.rotation_curves.len()
            + self.euler_curves.len()
            + self.position_curves.len()
            + self.scale_curves.len();
        if transforms > 0 {
            notes.push(Note::loss(format!("{transforms} curves of transforms")));
        }
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

fn is_humanoid(curve: &Curve<1>) -> bool {
    let binding = &curve.binding;
    let root = ["RootT.", "RootQ."].iter().any(|stem| binding.attribute.starts_with(stem));
    binding.class_id == CLASS_ANIMATOR && (root || muscle_index(&binding.attribute).is_some())
}

fn has_humanoid(curves: &[Curve<1>]) -> bool {
    curves.iter().any(is_humanoid)
}

/// The path of the animator with most muscles; the shortest of several.
fn animator_path(curves: &[Curve<1>]) -> &str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for curve in curves.iter().filter(|curve| is_humanoid(curve)) {
        *counts.entry(&curve.binding.path).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(path, count)| (**count, std::cmp::Reverse(path.len())));
    most.map_or("", |(path, _)| path)
}

/// Values of keys that are the frames; those of the one key where there is one.
fn key_values(curve: &Curve<1>, frames: usize) -> Vec<f32> {
    match curve.keys.as_slice() {
        [only] => vec![only.value[0]; frames],
        keys => keys.iter().map(|key| key.value[0]).collect(),
    }
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
    fn add(&mut self, curve: &Curve<1>) {
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
