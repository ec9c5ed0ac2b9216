//! `.data`: the recorder's file, read and written by the codec crate.

use crate::error::Result;
use crate::load::Loaded;
use crate::note::Note;
use crate::registry::{Entry, Format, Progress};
use crate::save::WriteOptions;
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
    let mode = options.mode.or_else(|| DataMode::of_clip(clip)).unwrap_or(DataMode::Nameless);
    Ok(sinew::data::write(clip, mode, sink)?.into_iter().map(Note::loss).collect())
}
