//! `.sinew`: sinew's own container, read and written by the codec crate.

use crate::error::Result;
use crate::load::{Loaded, ReadOptions};
use crate::note::Note;
use crate::registry::{Entry, Format, Progress, Source};
use crate::save::WriteOptions;
use sinew::Clip;
use std::io::Write;

pub(crate) const ENTRY: Entry = Entry {
    name: "sinew",
    extensions: &["sinew"],
    sniff: sinew::sniff_sinew,
    read,
    recover: Some(recover),
    write,
    holds_skeletons: true,
    own_rig: None,
    companion: None,
};

fn bytes_of(source: Source<'_>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let bytes = bytes_of(source)?;
    let clip = sinew::decode_with(&bytes, &options.limits, progress)?;
    let info_of = if options.stages { sinew::file_info_with_stages } else { sinew::file_info };
    let info = info_of(&bytes, &options.limits)?;
    let notes = info.notes.iter().map(Note::info).collect();
    Ok(Loaded { notes, naming: info.naming, file_info: Some(info), ..Loaded::plain(clip, Format::Sinew) })
}

fn recover(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let bytes = bytes_of(source)?;
    let recovered = sinew::recover(&bytes, &options.limits)?;
    progress(recovered.clip.frames() as u64);
    let complete = recovered.complete;
    let note = |text: String| if complete { Note::info(text) } else { Note::loss(text) };
    let notes = recovered.notes.into_iter().map(note).collect();
    Ok(Loaded { notes, naming: recovered.naming, ..Loaded::plain(recovered.clip, Format::Sinew) })
}

fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    let bytes = sinew::encode_with(clip, &options.encode, progress)?;
    sink.write_all(&bytes)?;
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_clips_are_known_by_their_first_bytes() {
        let bytes = sinew::encode(&Clip::empty(vec![]), &sinew::EncodeConfig::lossless()).expect("encodable");
        assert!((ENTRY.sniff)(&bytes[..4]) && !(ENTRY.sniff)(&bytes[..3]));
        assert!(!(ENTRY.sniff)(&[0x93, 0x93, 0xa0]));
    }
}
