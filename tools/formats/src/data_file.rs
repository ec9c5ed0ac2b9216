//! `.data`: the recorder's file, read and written by the codec crate.

use crate::error::{Error, Result};
use crate::load::Loaded;
use crate::note::Note;
use crate::registry::{Entry, Format, Progress};
use crate::save::WriteOptions;
use crate::unity_anim;
use sinew::Clip;
use sinew::data::{DataFile, DataMode};
use std::io::Write;

pub(crate) const ENTRY: Entry = Entry {
    name: "data",
    extensions: &["data"],
    sniff: sinew::data::sniff_data,
    read: |source, _, _| Ok(loaded(sinew::data::read(source.reader)?)),
    recover: Some(|source, _, _| Ok(loaded(sinew::data::recover(source.reader)?))),
    write,
    holds_skeletons: false,
    own_rig: None,
    companion: None,
};

fn loaded(file: DataFile) -> Loaded {
    let losses = file.losses.into_iter().map(Note::loss);
    Loaded {
        notes: losses.chain(file.notes.into_iter().map(Note::info)).collect(),
        exact: Some(file.exact),
        ..Loaded::plain(file.clip, Format::Data)
    }
}

fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    _progress: Progress<'_>,
) -> Result<Vec<Note>> {
    require_muscles(clip, Format::Data)?;
    let mode = options.mode.or_else(|| DataMode::of_clip(clip)).unwrap_or(DataMode::Nameless);
    Ok(sinew::data::write(clip, mode, sink)?.into_iter().map(Note::loss).collect())
}

/// Refuses a clip that moves transforms only, for a format of muscles.
pub(crate) fn require_muscles(clip: &Clip, format: Format) -> Result<()> {
    let Some(kind) = unity_anim::kind_without_muscles(clip) else { return Ok(()) };
    Err(Error::Unsupported {
        format,
        what: format!(
            "{kind} clip, 0 muscles: its transforms tell no rest pose, so no muscles can be told from them (.sinew, .anim, \
             .csv and .npy hold it)"
        ),
    })
}
