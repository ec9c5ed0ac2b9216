//! Writes `.npy` arrays: the samples, and the times beside them.

use crate::error::{Error, Result};
use crate::note::{Note, metadata_losses};
use crate::npy::tracks_of_columns;
use crate::registry::{Format, Progress};
use crate::save::WriteOptions;
use npyz::WriterBuilder;
use sinew::Clip;
use std::io::Write;

pub(crate) fn write(
    clip: &Clip,
    _options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    clip.validate()?;
    let (frames, components) = (clip.frames(), clip.components());
    if components == 0 {
        return Err(Error::Unsupported {
            format: Format::Npy,
            what: "a clip without tracks has no array".into(),
        });
    }
    let mut array = npyz::WriteOptions::<f32>::new()
        .default_dtype()
        .shape(&[frames as u64, components as u64])
        .writer(sink)
        .begin_nd()?;
    for frame in 0..frames {
        for values in &clip.samples {
            array.push(&values[frame])?;
        }
        progress(frame as u64 + 1);
    }
    array.finish()?;

    let mut notes = metadata_losses(clip);
    if clip.tracks != tracks_of_columns(components) {
        notes.push(Note::loss(format!(
            "the names and kinds of {} tracks, as an array has none: its {components} columns read back as {}",
            clip.tracks.len(),
            if components <= 95 { "the first muscles" } else { "the muscles and nameless values" }
        )));
    }
    Ok(notes)
}

pub(crate) fn write_times(clip: &Clip, sink: &mut dyn Write) -> Result<()> {
    let shape = [clip.frames() as u64];
    if clip.times.iter().all(|time| f64::from(time as f32).to_bits() == time.to_bits()) {
        let mut array =
            npyz::WriteOptions::<f32>::new().default_dtype().shape(&shape).writer(sink).begin_nd()?;
        array.extend(clip.times.iter().map(|time| time as f32))?;
        array.finish()?;
    } else {
        let mut array =
            npyz::WriteOptions::<f64>::new().default_dtype().shape(&shape).writer(sink).begin_nd()?;
        array.extend(clip.times.iter())?;
        array.finish()?;
    }
    Ok(())
}
