//! What becomes of the body's way through space.

use crate::note::Note;
use sinew::{Clip, Role, TrackKind};

/// What becomes of `RootT` and `RootQ`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootMode {
    /// They stay.
    #[default]
    Keep,
    /// They go: the body stays level at one place.
    Drop,
    /// The body stays above the place of the first frame: it turns, rises and sinks, but does not travel.
    InPlace,
}

/// Changes the root of a humanoid clip. The note tells what was asked and done; clips without a root stay.
pub(crate) fn change_root(clip: &mut Clip, mode: RootMode) -> Option<Note> {
    let travel = || super::losses::travel(clip);
    match mode {
        RootMode::Keep => None,
        RootMode::Drop => {
            let note = travel().map(|way| Note::info(format!("root dropped, as asked: it travelled {way}")));
            let is_root = |role: Role| matches!(role, Role::RootPosition | Role::RootRotation);
            let mut arrays = std::mem::take(&mut clip.samples).into_iter();
            for track in std::mem::take(&mut clip.tracks) {
                let own: Vec<Vec<f32>> = arrays.by_ref().take(track.components()).collect();
                if !is_root(track.role()) {
                    clip.tracks.push(track);
                    clip.samples.extend(own);
                }
            }
            note
        }
        RootMode::InPlace => {
            let note = travel().map(|way| Note::info(format!("kept in place, as asked: it travelled {way}")));
            let mut first = 0;
            for track in &clip.tracks {
                if track.role() == Role::RootPosition && track.kind() == TrackKind::Vector {
                    for samples in [first, first + 2] {
                        let samples = &mut clip.samples[samples];
                        let start = samples.first().copied().unwrap_or(0.0);
                        samples.fill(start);
                    }
                }
                first += track.components();
            }
            note
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::{Times, Track};

    fn walk() -> Clip {
        let mut tracks = Track::muscles();
        tracks.extend([Track::root_position(), Track::root_rotation()]);
        let mut clip = Clip::empty(tracks);
        clip.times = Times::Uniform { start_s: 0.0, frame_s: 0.1, frames: 3 };
        clip.samples.iter_mut().for_each(|samples| *samples = vec![0.5; 3]);
        clip.samples[95] = vec![1.0, 2.0, 3.0];
        clip.samples[96] = vec![1.0, 0.9, 1.1];
        clip
    }

    #[test]
    fn each_mode_does_what_it_says() {
        let (mut kept, mut dropped, mut in_place) = (walk(), walk(), walk());
        assert_eq!(change_root(&mut kept, RootMode::Keep), None);
        assert_eq!(kept, walk());
        assert!(change_root(&mut dropped, RootMode::Drop).is_some_and(|note| !note.is_loss()));
        assert_eq!((dropped.tracks.len(), dropped.samples.len()), (95, 95));
        assert!(dropped.validate().is_ok());
        let note = change_root(&mut in_place, RootMode::InPlace).expect("a note");
        assert!(note.text.contains("1.98 m"), "{}", note.text);
        assert_eq!((&in_place.samples[95][..], in_place.samples[96][1]), (&[1.0, 1.0, 1.0][..], 0.9));
    }
}
