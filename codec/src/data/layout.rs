//! Which entry of a frame belongs to which track: learned from the first frame, kept by all others.

use super::DataMode;
use crate::muscles::MUSCLE_COUNT;
use crate::track::{Track, TrackKind};
use std::collections::HashMap;

/// The entries of a clip's frames.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) mode: DataMode,
    pub(super) tracks: Vec<Track>,
    /// Name of each entry as the first frame spells it; all empty in nameless mode.
    names: Vec<String>,
    /// Track of each entry.
    columns: Vec<usize>,
    /// Track of each track name. Empty in nameless mode.
    by_name: HashMap<String, usize>,
}

/// What the first frame's names have wrong, with the entry.
pub(super) type EntryFault = (usize, String);

/// Track of entry `index` in nameless mode: the muscle of that number, then scalars `value-95` and so on.
pub fn nameless_track(index: usize) -> Track {
    Track::muscle(index).unwrap_or_else(|| Track::new(&nameless_name(index), TrackKind::Scalar))
}

/// Name given to values that stand after the 95 muscles of a nameless frame.
pub(super) fn nameless_name(index: usize) -> String {
    format!("value-{index}")
}

impl Layout {
    /// The layout of a clip without frames: nothing says otherwise, so the 95 muscles, nameless.
    pub(super) fn without_frames() -> Self {
        Layout::nameless(MUSCLE_COUNT)
    }

    fn nameless(count: usize) -> Self {
        Layout {
            mode: DataMode::Nameless,
            tracks: (0..count).map(nameless_track).collect(),
            names: vec![String::new(); count],
            columns: (0..count).collect(),
            by_name: HashMap::new(),
        }
    }

    /// The layout that a first frame with these entry names begins: nameless if all are empty, by name if none is.
    pub(super) fn learn(names: Vec<String>) -> Result<Self, EntryFault> {
        let nameless = names.first().is_none_or(|name| name.is_empty());
        if let Some(entry) = names.iter().position(|name| name.is_empty() != nameless) {
            let what = match nameless {
                true => format!("named {:?}, but entry 0 has no name", names[entry]),
                false => format!("no name, but entry 0 is named {:?}", names[0]),
            };
            return Err((entry, format!("{what}: a frame has all names or none")));
        }
        if nameless {
            return Ok(Layout::nameless(names.len()));
        }
        let entry_tracks: Vec<Track> = names.iter().map(|name| Track::new(name, TrackKind::Scalar)).collect();
        // Canonical order: muscles by number, then other names as the file has them (the sort is stable).
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by_key(|&entry| entry_tracks[entry].muscle_index().unwrap_or(MUSCLE_COUNT));
        let mut columns = vec![0; names.len()];
        for (column, &entry) in order.iter().enumerate() {
            columns[entry] = column;
        }
        let mut by_name: HashMap<String, usize> = HashMap::with_capacity(names.len());
        for (entry, track) in entry_tracks.iter().enumerate() {
            if by_name.insert(track.name().to_owned(), columns[entry]).is_some() {
                return Err((entry, format!("{:?} comes a second time", names[entry])));
            }
        }
        let tracks = order.iter().map(|&entry| entry_tracks[entry].clone()).collect();
        Ok(Layout { mode: DataMode::Named, tracks, names, columns, by_name })
    }

    /// Number of entries of every frame.
    pub(super) fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Track of `entry`, which a later frame names `name`.
    pub(super) fn column(&self, entry: usize, name: &str) -> Result<usize, String> {
        let expected = self.names.get(entry).map(String::as_str);
        match (self.mode, expected) {
            (_, None) => Err(format!("more values than the {} of frame 0", self.entries())),
            // Not by comparing the two empty texts: libc's memcmp takes 150 ns for no bytes at a dangling address.
            (DataMode::Nameless, _) if name.is_empty() => Ok(entry),
            (DataMode::Nameless, _) => Err(format!("named {name:?}, but frame 0 has no names")),
            // Nearly always the same name at the same place; only another order costs a look-up.
            (DataMode::Named, Some(expected)) if expected == name => Ok(self.columns[entry]),
            (DataMode::Named, Some(expected)) if name.is_empty() => {
                Err(format!("no name, but frame 0 names entries ({expected:?} here)"))
            }
            (DataMode::Named, _) => self
                .by_name
                .get(Track::new(name, TrackKind::Scalar).name())
                .copied()
                .ok_or_else(|| format!("{name:?} is not among the names of frame 0")),
        }
    }

    /// Track that entry `entry` of the first frame belongs to.
    pub(super) fn first_column(&self, entry: usize) -> usize {
        self.columns[entry]
    }

    /// Whether the first frame's names are those the recorder would write.
    pub(super) fn is_recorder_order(&self) -> bool {
        self.written_names().eq(self.names.iter().map(String::as_str))
    }

    /// Names that the recorder would write, in track order.
    pub(super) fn written_names(&self) -> impl ExactSizeIterator<Item = &str> {
        let named = self.mode == DataMode::Named;
        self.tracks.iter().map(move |track| if named { track.name() } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learn(names: &[&str]) -> Result<Layout, EntryFault> {
        Layout::learn(names.iter().map(|name| name.to_string()).collect())
    }

    #[test]
    fn muscles_come_first_and_other_names_keep_their_order() {
        let layout = learn(&["zeta", "Chest Front-Back", "alpha", "Left Thumb Spread", "Spine Front-Back"]);
        let layout = layout.expect("all names");
        let names: Vec<&str> = layout.tracks.iter().map(Track::name).collect();
        assert_eq!(names, ["Spine Front-Back", "Chest Front-Back", "LeftHand.Thumb.Spread", "zeta", "alpha"]);
        assert_eq!(layout.column(0, "zeta"), Ok(3));
        assert_eq!(layout.column(0, "LeftHand.Thumb.Spread"), Ok(2));
        assert!(layout.column(1, "").is_err() && layout.column(0, "beta").is_err());
    }

    #[test]
    fn values_beyond_the_muscles_get_numbered_names() {
        let layout = learn(&[""; 97]).expect("nameless");
        assert_eq!(layout.mode, DataMode::Nameless);
        assert_eq!(layout.tracks[94].muscle_index(), Some(94));
        assert_eq!(layout.tracks[96].name(), "value-96");
        assert!(layout.column(3, "Spine Front-Back").is_err());
        assert!(layout.column(97, "").is_err());
    }

    #[test]
    fn half_named_frames_and_double_names_are_refused() {
        assert_eq!(learn(&["a", "b", ""]).err().map(|fault| fault.0), Some(2));
        assert_eq!(learn(&["", "b"]).err().map(|fault| fault.0), Some(1));
        let twice = learn(&["Left Thumb Spread", "LeftHand.Thumb.Spread"]);
        assert_eq!(twice.err().map(|fault| fault.0), Some(1));
    }
}
