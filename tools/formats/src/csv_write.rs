//! Writes `.csv`: the shortest text that reads back to the same bits.

use crate::csv_columns::{Layout, column_names};
use crate::error::{Error, Result};
use crate::note::{Note, metadata_losses};
use crate::registry::{Format, Progress};
use crate::save::WriteOptions;
use sinew::{Clip, Track};
use std::fmt::Write as _;
use std::io::Write;

/// The one NaN that the text `nan` reads back to.
const TEXT_NAN_BITS: u32 = f32::NAN.to_bits();

fn unwritable(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        other => Error::invalid(format!("{other:?}")),
    }
}

/// What a reader of the written header would not find again.
fn name_losses(clip: &Clip, names: &[String]) -> Result<Vec<Note>> {
    let layout = Layout::of_columns(names).map_err(|(_, what)| Error::Unsupported {
        format: Format::Csv,
        what: format!("the clip's tracks need ambiguous columns: {what}"),
    })?;
    let read_back: std::collections::HashMap<&str, &Track> =
        layout.tracks.iter().map(|(track, _)| (track.name(), track)).collect();
    let regrouped = clip.tracks.iter().filter(|track| read_back.get(track.name()) != Some(track)).count();
    let mut notes = Vec::new();
    if regrouped > 0 {
        notes.push(Note::loss(format!(
            "{regrouped} scalar tracks are named like components and read back as vectors"
        )));
    }
    // The reader takes them for part of the line's end.
    let cut = names.iter().filter(|name| name.ends_with('\r')).count();
    if cut > 0 {
        notes.push(Note::loss(format!("the carriage returns that {cut} names end in")));
    }
    Ok(notes)
}

pub(crate) fn write(
    clip: &Clip,
    _options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    clip.validate()?;
    let names = column_names(clip);
    let mut notes = metadata_losses(clip);
    notes.extend(name_losses(clip, &names)?);

    let mut table = csv::Writer::from_writer(sink);
    table.write_record(&names).map_err(unwritable)?;
    let (mut text, mut odd_nans) = (String::new(), 0u64);
    for (frame, time) in clip.times.iter().enumerate() {
        text.clear();
        // `Debug` is the shortest text that reads back to the same bits, with an exponent where that is shorter.
        write!(text, "{time:?}").expect("a String takes any text");
        table.write_field(&text).map_err(unwritable)?;
        for values in &clip.samples {
            let value = values[frame];
            text.clear();
            if value.is_nan() {
                odd_nans += u64::from(value.to_bits() != TEXT_NAN_BITS);
                text.push_str("nan");
            } else {
                write!(text, "{value:?}").expect("a String takes any text");
            }
            table.write_field(&text).map_err(unwritable)?;
        }
        table.write_record(None::<&[u8]>).map_err(unwritable)?;
        progress(frame as u64 + 1);
    }
    table.flush()?;
    if odd_nans > 0 {
        notes.push(Note::loss(format!("sign and payload bits of {odd_nans} NaN values")));
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::ReadOptions;
    use crate::registry::Source;
    use sinew::{Times, TrackKind};

    fn clip(values: Vec<f32>) -> Clip {
        let mut clip = Clip::empty(vec![Track::new("a", TrackKind::Scalar)]);
        clip.times = Times::Explicit((0..values.len()).map(|i| i as f64 / 3.0).collect());
        clip.samples = vec![values];
        clip
    }

    fn written(clip: &Clip) -> (String, Vec<Note>) {
        let mut bytes = Vec::new();
        let notes = write(clip, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
        (String::from_utf8(bytes).expect("text"), notes)
    }

    #[test]
    fn every_finite_value_comes_back_bit_for_bit() {
        let values = [0.1f32, -0.0, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), 1e16, 123_456.79, -1e-5];
        let values: Vec<f32> =
            values.into_iter().chain([f32::INFINITY, f32::NEG_INFINITY, f32::NAN]).collect();
        let clip = clip(values);
        let (text, notes) = written(&clip);
        assert_eq!(notes, []);
        let mut reader = text.as_bytes();
        let source = Source { reader: &mut reader, path: None };
        let loaded = crate::csv_read::read(source, &ReadOptions::default(), &mut |_| {}).expect("readable");
        assert!(loaded.clip.bits_equal(&clip));
    }

    #[test]
    fn lost_nan_payloads_are_counted() {
        let clip = clip(vec![f32::from_bits(0x7fc0_0001), f32::from_bits(0xffc0_0000), f32::NAN, 0.0]);
        let (text, notes) = written(&clip);
        assert_eq!(text.lines().nth(1), Some("0.0,nan"));
        assert_eq!(notes, [Note::loss("sign and payload bits of 2 NaN values")]);
    }

    #[test]
    fn tracks_that_a_header_cannot_tell_apart_are_refused_or_told() {
        let scalars: Vec<Track> =
            ["p.x", "p.y", "p.z"].iter().map(|n| Track::new(n, TrackKind::Scalar)).collect();
        let (_, notes) = written(&Clip::empty(scalars.clone()));
        assert_eq!(notes.len(), 1);
        let (_, notes) = written(&Clip::empty(vec![Track::new("a\r", TrackKind::Scalar)]));
        assert_eq!(notes, [Note::loss("the carriage returns that 1 names end in")]);
        let mut both = scalars;
        both.push(Track::new("p", TrackKind::Vector));
        let mut sink = Vec::new();
        let error = write(&Clip::empty(both), &WriteOptions::default(), &mut sink, &mut |_| {});
        assert!(error.is_err_and(|error| error.to_string().contains("ambiguous")));
        let time = Clip::empty(vec![Track::new("time", TrackKind::Scalar)]);
        assert!(write(&time, &WriteOptions::default(), &mut sink, &mut |_| {}).is_err());
    }
}
