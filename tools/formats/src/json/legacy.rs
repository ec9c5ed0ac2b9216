//! Plask's motion as clips of Unity's legacy Animation component, by the rule of the published run-time script.
//!
//! The script gives each bone's transform a clip of its own with an empty path, whose curves hold the keys of the file:
//! rotations as x, -y, -z, w, which is the mirror image in x that Unity's left-handed axes need, and the hips' places as
//! they are. One clip for all bones names them by the paths of Mixamo's hierarchy, where the script looks for them.

use super::bones::{PLASK_BONES, mixamo_name, plask_bone};
use super::keyed::{KeyedTrack, Moves};
use super::plask_document::PlaskDocument;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::quote::shown;
use crate::registry::Format;
use crate::unity_anim::{
    AnimDocument, Binding, CLASS_TRANSFORM, ClipSettings, Curve, Key, Tangents, set_tangents,
};
use sinew::TrackKind;
use sinew::humanoid::Bone;

/// Rate of the editor's grid for a file that tells none.
const USUAL_HZ: f32 = 30.0;

/// How legacy clips are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LegacyOptions {
    /// Mirrors places in x as rotations are, instead of keeping them as the script does.
    pub mirror_positions: bool,
    /// Level tangents at every key, as the script makes keys: the motion halts at each. Otherwise keys are joined by
    /// straight lines, and a rotation's keys are brought to one side, so that it takes the shorter way.
    pub published_slopes: bool,
}

/// What is told of all curves together.
#[derive(Default)]
struct Told {
    other_tracks: Vec<String>,
    dropped_keys: u64,
    negated: u64,
}

impl Told {
    fn notes(self) -> Vec<Note> {
        let mut notes = Vec::new();
        if let Some(first) = self.other_tracks.first() {
            notes.push(Note::loss(format!(
                "{} tracks that turn no bone of Plask's and are not the place of the hips, {} first",
                self.other_tracks.len(),
                shown(first)
            )));
        }
        if self.dropped_keys > 0 {
            notes.push(Note::loss(format!(
                "{} keys: their time is not later than that of every key before, as a key's must be",
                self.dropped_keys
            )));
        }
        if self.negated > 0 {
            notes.push(Note::info(format!(
                "{} keys of rotations are negated, which is the same rotation, so that neighbours take the shorter way",
                self.negated
            )));
        }
        notes
    }
}

impl PlaskDocument {
    /// One legacy clip that moves all bones, by their paths below the object that has `mixamorig:Hips`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if no track moves a bone; [`Error::InvalidInput`] for a time beyond float32.
    pub fn legacy_clip(&self, options: LegacyOptions) -> Result<(AnimDocument, Vec<Note>)> {
        let mut told = Told::default();
        let mut clip = self.empty_clip(self.name.as_deref().unwrap_or("clip"));
        for track in &self.tracks {
            add(&mut clip, track, &path_of, options, &mut told)?;
        }
        require_curves(&clip)?;
        finish(&mut clip);
        Ok((clip, told.notes()))
    }

    /// A legacy clip for each bone, named as Plask names it, which moves the object that it is put on.
    ///
    /// # Errors
    /// As [`PlaskDocument::legacy_clip`].
    pub fn legacy_clips(&self, options: LegacyOptions) -> Result<(Vec<AnimDocument>, Vec<Note>)> {
        let mut told = Told::default();
        let mut clips: Vec<AnimDocument> = Vec::new();
        for track in &self.tracks {
            let mut clip = match clips.iter().position(|clip| clip.name == track.node) {
                Some(number) => clips.remove(number),
                None => self.empty_clip(&track.node),
            };
            add(&mut clip, track, &|_| String::new(), options, &mut told)?;
            if require_curves(&clip).is_ok() {
                finish(&mut clip);
                clips.push(clip);
            }
        }
        if clips.is_empty() {
            require_curves(&AnimDocument::default())?;
        }
        Ok((clips, told.notes()))
    }

    fn empty_clip(&self, name: &str) -> AnimDocument {
        let hz = self.fps.map_or(USUAL_HZ, |hz| hz as f32);
        let sample_rate_hz = if hz.is_finite() && hz > 0.0 { hz } else { USUAL_HZ };
        AnimDocument { name: name.to_owned(), legacy: true, sample_rate_hz, ..AnimDocument::default() }
    }
}

fn require_curves(clip: &AnimDocument) -> Result<()> {
    match clip.rotation_curves.is_empty() && clip.position_curves.is_empty() {
        false => Ok(()),
        true => Err(Error::Unsupported {
            format: Format::Anim,
            what: "no track turns a bone of Plask's or places the hips: no legacy clip can be made".into(),
        }),
    }
}

/// Adds the curve of a track.
fn add(
    clip: &mut AnimDocument,
    track: &KeyedTrack,
    path_of: &dyn Fn(Bone) -> String,
    options: LegacyOptions,
    told: &mut Told,
) -> Result<()> {
    let bone = plask_bone(&track.node);
    match (bone, track.moves, track.kind) {
        (Some(bone), Moves::Rotation, TrackKind::Rotation) => {
            let mirror = |q: &[f32]| [q[0], -q[1], -q[2], q[3]];
            let mut curve = curve_of(track, path_of(bone), mirror, told)?;
            if !options.published_slopes {
                told.negated += keep_side(&mut curve.keys);
                set_tangents(&mut curve.keys, Tangents::Linear);
            }
            clip.rotation_curves.push(curve);
        }
        (Some(bone @ Bone::Hips), Moves::Position, TrackKind::Vector) => {
            let sign = if options.mirror_positions { -1.0 } else { 1.0 };
            let mut curve = curve_of(track, path_of(bone), |p: &[f32]| [sign * p[0], p[1], p[2]], told)?;
            if !options.published_slopes {
                set_tangents(&mut curve.keys, Tangents::Linear);
            }
            clip.position_curves.push(curve);
        }
        _ => told.other_tracks.push(track.name()),
    }
    Ok(())
}

/// Keys of a track, level; those that do not move forward in time are left out.
fn curve_of<const N: usize>(
    track: &KeyedTrack,
    path: String,
    value: impl Fn(&[f32]) -> [f32; N],
    told: &mut Told,
) -> Result<Curve<N>> {
    let mut curve = Curve::new(Binding { path, class_id: CLASS_TRANSFORM, ..Binding::default() });
    for (key, &time_s) in track.times_s.iter().enumerate() {
        let stored = time_s as f32;
        if !stored.is_finite() {
            let name = shown(&track.name());
            return Err(Error::invalid(format!(
                "track {name}, key {key}: time {time_s:e} s does not fit float32"
            )));
        }
        match curve.keys.last().is_some_and(|last: &Key<N>| stored <= last.time_s) {
            true => told.dropped_keys += 1,
            false => curve.keys.push(Key::level(stored, value(track.value(key)))),
        }
    }
    Ok(curve)
}

/// Negates quaternions until neighbours are on one side. Gives how many are negated.
fn keep_side(keys: &mut [Key<4>]) -> u64 {
    let mut negated = 0;
    for index in 1..keys.len() {
        let before = keys[index - 1].value;
        let dot: f64 = keys[index].value.iter().zip(before).map(|(&a, b)| f64::from(a) * f64::from(b)).sum();
        if dot < 0.0 {
            keys[index].value = keys[index].value.map(|value| -value);
            negated += 1;
        }
    }
    negated
}

/// The clip ends with its last key, and begins with time itself.
fn finish(clip: &mut AnimDocument) {
    fn ends<const N: usize>(curves: &[Curve<N>]) -> impl Iterator<Item = (f32, f32)> + '_ {
        curves.iter().filter_map(|curve| Some((curve.keys.first()?.time_s, curve.keys.last()?.time_s)))
    }
    let (mut start_s, mut stop_s) = (0.0f32, 0.0f32);
    for (first_s, last_s) in ends(&clip.rotation_curves).chain(ends(&clip.position_curves)) {
        (start_s, stop_s) = (start_s.min(first_s), stop_s.max(last_s));
    }
    clip.settings = ClipSettings { start_s, stop_s, ..ClipSettings::default() };
}

/// Where the script finds a bone: Mixamo's names down the hierarchy. The one finger joint of Plask's turns the middle
/// finger.
fn path_of(bone: Bone) -> String {
    let above = std::iter::successors(Some(bone), |bone| bone.info().parent);
    let mut names: Vec<String> = above.map(target_name).collect();
    names.reverse();
    names.join("/")
}

fn target_name(bone: Bone) -> String {
    debug_assert!(PLASK_BONES.contains(&bone), "every ancestor of a bone of Plask's is one");
    let target = match bone {
        Bone::LeftIndexProximal => Bone::LeftMiddleProximal,
        Bone::RightIndexProximal => Bone::RightMiddleProximal,
        bone => bone,
    };
    format!("mixamorig:{}", mixamo_name(target))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_mixamo() {
        assert_eq!(path_of(Bone::Hips), "mixamorig:Hips");
        assert_eq!(
            path_of(Bone::LeftIndexProximal),
            "mixamorig:Hips/mixamorig:Spine/mixamorig:Spine1/mixamorig:Spine2/mixamorig:LeftShoulder/mixamorig:LeftArm/\
             mixamorig:LeftForeArm/mixamorig:LeftHand/mixamorig:LeftHandMiddle1"
        );
        assert_eq!(
            path_of(Bone::RightToes),
            "mixamorig:Hips/mixamorig:RightUpLeg/mixamorig:RightLeg/mixamorig:RightFoot/mixamorig:RightToeBase"
        );
    }
}
