//! Notes: what a reader or writer has to say besides success, and what a table format cannot keep.

use crate::quote::{named, shown};
use sinew::{Clip, META_DATA_MODE, META_GUID, ZERO_GUID};
use std::fmt;

/// Whether a note tells of something that is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// Something of the clip is not in the result.
    Loss,
    /// Good to know; the clip is whole.
    Info,
}

/// One line about a read or a write that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Whether something is lost.
    pub kind: NoteKind,
    /// One line without a full stop.
    pub text: String,
}

impl Note {
    /// Something of the clip is not in the result.
    pub fn loss(text: impl Into<String>) -> Note {
        Note { kind: NoteKind::Loss, text: text.into() }
    }

    /// Good to know; the clip is whole.
    pub fn info(text: impl Into<String>) -> Note {
        Note { kind: NoteKind::Info, text: text.into() }
    }

    /// Whether something is lost.
    pub fn is_loss(&self) -> bool {
        self.kind == NoteKind::Loss
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            NoteKind::Loss => write!(f, "loss: {}", self.text),
            NoteKind::Info => write!(f, "note: {}", self.text),
        }
    }
}

/// The losses of a target that holds frames and times only: metadata and the rig.
///
/// The all-zero GUID and the nameless mode are what a clip without metadata gets anyway, so they are no loss.
pub(crate) fn metadata_losses(clip: &Clip) -> Vec<Note> {
    metadata_losses_except(clip, &[])
}

/// The same for a target that keeps the metadata entries `kept`.
pub(crate) fn metadata_losses_except(clip: &Clip, kept: &[&str]) -> Vec<Note> {
    let mut notes = meta_losses_except(clip, kept);
    notes.extend(rig_loss(clip));
    notes
}

/// The same for a target that keeps the rig.
pub(crate) fn meta_losses_except(clip: &Clip, kept: &[&str]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (key, value) in &clip.meta {
        match key.as_str() {
            _ if kept.contains(&key.as_str()) => {}
            META_GUID if value == ZERO_GUID => {}
            META_GUID => notes.push(Note::loss(format!("the GUID {}", named(value)))),
            META_DATA_MODE if value == "nameless" => {}
            META_DATA_MODE => notes.push(Note::loss(format!("that the source's mode is {}", named(value)))),
            _ => notes.push(Note::loss(format!("the metadata entry {}", shown(key)))),
        }
    }
    notes
}

/// The rig, if there is one.
pub(crate) fn rig_loss(clip: &Clip) -> Option<Note> {
    clip.rig.as_ref().map(|rig| Note::loss(format!("the rig of {} joints", rig.joints.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_reader_would_not_assume_is_a_loss() {
        let mut clip = Clip::empty(vec![]);
        clip.meta.insert(META_GUID.into(), ZERO_GUID.into());
        clip.meta.insert(META_DATA_MODE.into(), "nameless".into());
        assert_eq!(metadata_losses(&clip), []);
        clip.meta.insert(META_GUID.into(), "g".into());
        clip.meta.insert(META_DATA_MODE.into(), "named".into());
        clip.meta.insert("actor".into(), "A".into());
        clip.rig = Some(sinew::Rig::default());
        let notes = metadata_losses(&clip);
        assert_eq!(notes.len(), 4);
        assert!(notes.iter().all(Note::is_loss) && notes.iter().any(|note| note.text.contains("actor")));
    }
}
