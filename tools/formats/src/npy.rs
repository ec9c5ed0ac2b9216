//! `.npy`: frames × components as f32, C order, little-endian; the times in `NAME.times.npy` beside it.
//!
//! An array holds no names. 95 or fewer columns are read as the first muscles in HumanTrait order; of more columns,
//! the first 95 are the muscles and the rest scalar tracks `value-95`, `value-96` ..., as in a nameless `.data`
//! frame. Times are f64, or f32 if every time is an f32. GUID, mode, other metadata and the rig are not kept.

use crate::registry::{Companion, Entry};
use crate::{npy_read, npy_write};
use sinew::Track;
use std::path::{Path, PathBuf};

pub(crate) const ENTRY: Entry = Entry {
    name: "npy",
    extensions: &["npy"],
    sniff,
    read: npy_read::read,
    recover: None,
    write: npy_write::write,
    holds_skeletons: true,
    own_rig: None,
    companion: Some(Companion {
        path_of: times_path,
        write: npy_write::write_times,
        loss: "the frame times, which need a second file",
    }),
};

/// First bytes of every array file.
pub(crate) const MAGIC: &[u8; 6] = b"\x93NUMPY";

fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Where the times of the array at `path` are.
pub(crate) fn times_path(path: &Path) -> PathBuf {
    path.with_extension("times.npy")
}

/// The tracks that an array of so many columns is read as.
pub(crate) fn tracks_of_columns(columns: usize) -> Vec<Track> {
    (0..columns).map(sinew::data::nameless_track).collect()
}
