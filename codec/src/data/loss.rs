//! What `.data` has no place for: root motion, tracked devices, rigs. Each kind is reported with its size.

use crate::clip::{Clip, META_DATA_MODE, META_GUID, ZERO_GUID};
use crate::muscles::MUSCLE_COUNT;
use crate::tolerance::HUMAN_SCALE;
use crate::track::{Role, Track, TrackKind};

/// One line for each kind of thing in the clip that no mode of `.data` stores.
pub(super) fn unstorable_notes(clip: &Clip) -> Vec<String> {
    let mut notes = Vec::new();
    let mut vectors = Dropped::default();
    let mut rotations = Dropped::default();
    let mut component = 0;
    for track in &clip.tracks {
        let samples = &clip.samples[component..component + track.components()];
        component += track.components();
        match (track.kind(), track.role()) {
            (TrackKind::Scalar, _) => {}
            (_, Role::RootPosition) => {
                let path_m = HUMAN_SCALE * farthest(samples);
                notes.push(format!(
                    "root motion cannot be stored in .data: position path of {path_m:.2} m dropped"
                ));
            }
            (_, Role::RootRotation) => notes.push(format!(
                "root motion cannot be stored in .data: rotation of {:.1}° dropped",
                largest_turn_deg(samples)
            )),
            (TrackKind::Vector, _) => vectors.add(track.name(), farthest(samples)),
            (TrackKind::Rotation, _) => rotations.add(track.name(), largest_turn_deg(samples)),
        }
    }
    if let Some((name, path_m)) = vectors.largest {
        let count = vectors.count;
        notes.push(format!(
            "position tracks cannot be stored in .data: {count} dropped, longest path {path_m:.2} m ({name:?})"
        ));
    }
    if let Some((name, turn_deg)) = rotations.largest {
        let count = rotations.count;
        notes.push(format!(
            "rotation tracks cannot be stored in .data: {count} dropped, largest turn {turn_deg:.1}° ({name:?})"
        ));
    }
    if let Some(rig) = &clip.rig {
        notes.push(format!("the rig cannot be stored in .data: {} joints dropped", rig.joints.len()));
    }
    notes.extend(metadata_note(clip));
    notes
}

/// Most metadata keys that are named.
const NAMED_KEYS: usize = 8;

/// The metadata that frames have no place for: all but GUID and mode.
fn metadata_note(clip: &Clip) -> Option<String> {
    let dropped: Vec<&String> =
        clip.meta.keys().filter(|key| ![META_GUID, META_DATA_MODE].contains(&key.as_str())).collect();
    let named: Vec<String> = dropped.iter().take(NAMED_KEYS).map(|key| format!("{key:?}")).collect();
    let more = match dropped.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!dropped.is_empty())
        .then(|| format!("metadata cannot be stored in .data: {}{more} dropped", named.join(", ")))
}

/// What frames would tell, of a clip that has none: its GUID, and tracks other than those that are assumed.
pub(super) fn frameless_notes(clip: &Clip, stored: &[Track]) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(guid) = clip.meta.get(META_GUID).filter(|guid| !guid.is_empty() && *guid != ZERO_GUID) {
        notes.push(format!("the GUID cannot be stored in .data without frames: {guid} dropped"));
    }
    let muscles = stored.iter().filter(|track| track.muscle_index().is_some()).count();
    if muscles != stored.len() || muscles != MUSCLE_COUNT {
        let count = stored.len();
        notes.push(format!("tracks cannot be stored in .data without frames: {count} dropped"));
    }
    notes
}

/// Tracks of one kind: how many, and the one that moves most.
#[derive(Default)]
struct Dropped<'a> {
    count: usize,
    largest: Option<(&'a str, f64)>,
}

impl<'a> Dropped<'a> {
    fn add(&mut self, name: &'a str, size: f64) {
        self.count += 1;
        if self.largest.is_none_or(|(_, largest)| size > largest) {
            self.largest = Some((name, size));
        }
    }
}

/// Largest distance from the first frame's position. Frames that are not finite do not count.
fn farthest(samples: &[Vec<f32>]) -> f64 {
    let frames = samples.first().map_or(0, Vec::len);
    (0..frames)
        .map(|frame| {
            let square = |axis: &Vec<f32>| (f64::from(axis[frame]) - f64::from(axis[0])).powi(2);
            samples.iter().map(square).sum::<f64>().sqrt()
        })
        .filter(|distance| distance.is_finite())
        .fold(0.0, f64::max)
}

/// Largest angle from the first frame's rotation in degrees. Frames without a rotation do not count.
fn largest_turn_deg(samples: &[Vec<f32>]) -> f64 {
    let frames = samples.first().map_or(0, Vec::len);
    let at = |frame: usize| samples.iter().map(move |axis| f64::from(axis[frame]));
    let norm = |frame: usize| at(frame).map(|x| x * x).sum::<f64>().sqrt();
    (0..frames)
        .map(|frame| {
            let dot: f64 = at(0).zip(at(frame)).map(|(a, b)| a * b).sum();
            2.0 * (dot.abs() / (norm(0) * norm(frame))).min(1.0).acos().to_degrees()
        })
        .filter(|turn| turn.is_finite())
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Times;

    #[test]
    fn each_kind_is_told_once_with_its_size() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let mut clip = Clip::empty(vec![
            Track::root_position(),
            Track::root_rotation(),
            Track::new("hand/position", TrackKind::Vector),
            Track::new("foot/position", TrackKind::Vector),
        ]);
        clip.times = Times::Explicit(vec![0.0, 1.0, 2.0]);
        clip.samples = vec![
            vec![0.0, 1.0 / 0.98659, 2.0 / 0.98659],
            vec![0.0; 3],
            vec![0.0; 3],
            vec![0.0; 3],
            vec![0.0, half, 0.0],
            vec![0.0; 3],
            vec![1.0, half, f32::NAN],
            vec![0.0, 0.5, 0.0],
            vec![1.0; 3],
            vec![1.0; 3],
            vec![0.0, f32::INFINITY, 0.0],
            vec![1.0; 3],
            vec![1.0, 1.25, 1.0],
        ];
        clip.rig = Some(crate::Rig::default());
        let notes = unstorable_notes(&clip);
        let parts =
            ["path of 2.00 m", "rotation of 90.0°", "2 dropped, longest path 0.50 m (\"hand/", "0 joints"];
        assert_eq!(notes.len(), parts.len(), "{notes:?}");
        for (note, part) in notes.iter().zip(parts) {
            assert!(note.contains(part), "{note}");
        }
    }

    #[test]
    fn dropped_metadata_is_one_line_that_names_its_keys() {
        let mut clip = Clip::empty(vec![]);
        for key in [META_GUID, META_DATA_MODE] {
            clip.meta.insert(key.into(), "x".into());
        }
        assert_eq!(unstorable_notes(&clip), Vec::<String>::new());
        for key in ["take", "actor"] {
            clip.meta.insert(key.into(), "x".into());
        }
        assert_eq!(
            unstorable_notes(&clip),
            ["metadata cannot be stored in .data: \"actor\", \"take\" dropped"]
        );
        for number in 0..8 {
            clip.meta.insert(format!("z{number}"), "x".into());
        }
        let notes = unstorable_notes(&clip);
        assert!(notes.len() == 1 && notes[0].ends_with("\"z5\" and 2 more dropped"), "{notes:?}");
    }

    #[test]
    fn a_clip_without_frames_loses_what_only_frames_tell() {
        let mut clip = Clip::empty(Track::muscles());
        assert_eq!(frameless_notes(&clip, &clip.tracks), Vec::<String>::new());
        clip.meta.insert(META_GUID.into(), ZERO_GUID.into());
        assert_eq!(frameless_notes(&clip, &clip.tracks), Vec::<String>::new());
        clip.meta.insert(META_GUID.into(), "mine".into());
        let notes = frameless_notes(&clip, &clip.tracks[..3]);
        assert!(notes.len() == 2 && notes[0].contains("mine") && notes[1].contains("3 dropped"), "{notes:?}");
    }

    #[test]
    fn a_clip_without_frames_moves_nothing() {
        let notes = unstorable_notes(&Clip::empty(vec![Track::root_position(), Track::root_rotation()]));
        assert!(notes[0].contains("0.00 m") && notes[1].contains("0.0°"), "{notes:?}");
    }
}
