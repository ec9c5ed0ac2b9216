//! Reads `.csv` line by line into columns.

use crate::csv_columns::Layout;
use crate::csv_table::TIME_COLUMN;
use crate::error::{Error, Place, Result};
use crate::load::{Loaded, ReadOptions};
use crate::quote::{named, shown};
use crate::registry::{Format, Progress, Source};
use sinew::{Clip, Times};
use std::io::{BufRead, Read};

const FORMAT: Format = Format::Csv;

fn fault(line: u64, column: Option<usize>, what: impl Into<String>) -> Error {
    let column = column.map(|column| column as u64 + 1);
    Error::format(FORMAT, Place::Line { line, column }, what)
}

fn table_fault(error: csv::Error, line: u64) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error.into(),
        csv::ErrorKind::Utf8 { err, .. } => fault(line, Some(err.field()), "not UTF-8 text"),
        _ => fault(line, None, "not a table of comma-separated values"),
    }
}

/// The lines of a table, each with its true number.
///
/// The csv crate numbers a record by the line on which it started to look for it, so blank lines and the `\n` of
/// `\r\n` put it off. Here only `\n` ends a line and one is added at the end, so that the line after the record is
/// known; `\r` and blank lines are dealt with by [`Lines::next`].
struct Lines<R> {
    table: csv::Reader<R>,
    record: csv::StringRecord,
}

impl<'a> Lines<std::io::Chain<&'a mut dyn BufRead, &'static [u8]>> {
    fn new(reader: &'a mut dyn BufRead) -> Self {
        let last_line_end: &'static [u8] = b"\n";
        let table = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .terminator(csv::Terminator::Any(b'\n'))
            .from_reader(reader.chain(last_line_end));
        Lines { table, record: csv::StringRecord::new() }
    }
}

impl<R: Read> Lines<R> {
    /// The fields of the next line that is not blank, and its number from 1.
    fn next(&mut self) -> Result<Option<(u64, &csv::StringRecord)>> {
        loop {
            let more = self.table.read_record(&mut self.record);
            let end = self.table.position().line().saturating_sub(1);
            if !more.map_err(|error| table_fault(error, end))? {
                return Ok(None);
            }
            if self.record.len() != 1 || !self.record[0].trim().is_empty() {
                let inner = self.record.iter().flat_map(str::bytes).filter(|&byte| byte == b'\n').count();
                return Ok(Some((end.saturating_sub(inner as u64), &self.record)));
            }
        }
    }
}

/// Reads a number that must stay finite unless its text says otherwise: `1e300` does not fit f32.
fn sample(text: &str) -> std::result::Result<f32, String> {
    let text = text.trim();
    let value: f32 = text.parse().map_err(|_| format!("{} is not a number", shown(text)))?;
    let says_infinite = text.contains(['n', 'N']);
    if value.is_infinite() && !says_infinite {
        return Err(format!("{} is beyond the range of a 32-bit float", named(text)));
    }
    Ok(value)
}

fn time(text: &str) -> std::result::Result<f64, String> {
    let text = text.trim();
    let value: f64 = text.parse().map_err(|_| format!("{} is not a time in seconds", shown(text)))?;
    if value.is_finite() { Ok(value) } else { Err(format!("time {} is not finite", named(text))) }
}

pub(crate) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    // 1. The header says which column is what.
    let mut lines = Lines::new(source.reader);
    let Some((header_line, header)) = lines.next()? else {
        return Err(fault(1, None, "the file is empty: a header line is needed"));
    };
    if header.len() as u64 > u64::from(options.limits.max_components) + 1 {
        return Err(sinew::Error::LimitExceeded { what: "number of components" }.into());
    }
    let names: Vec<String> = header.iter().map(|name| name.trim_end_matches('\r').to_owned()).collect();
    let layout =
        Layout::of_columns(&names).map_err(|(column, what)| fault(header_line, Some(column), what))?;
    let frame_s = match layout.time {
        Some(_) => None,
        None => Some(options.frame_s(FORMAT, &format!("there is no column {TIME_COLUMN:?}"))?),
    };

    // 2. Each line is a frame.
    let columns: Vec<usize> = layout.tracks.iter().flat_map(|(_, columns)| columns.iter().copied()).collect();
    let mut samples = vec![Vec::new(); columns.len()];
    let (mut times, mut frames) = (Vec::new(), 0usize);
    while let Some((line, record)) = lines.next()? {
        if record.len() != names.len() {
            let what = format!("{} fields where the header has {}", record.len(), names.len());
            return Err(fault(line, None, what));
        }
        let place = |column: usize, what: String| {
            fault(line, Some(column), format!("{what} ({})", named(&names[column])))
        };
        if let Some(column) = layout.time {
            times.push(time(&record[column]).map_err(|what| place(column, what))?);
        }
        for (&column, values) in columns.iter().zip(&mut samples) {
            values.push(sample(&record[column]).map_err(|what| place(column, what))?);
        }
        frames += 1;
        progress(frames as u64);
    }

    // 3. The clip.
    let times = match frame_s {
        Some(frame_s) => Times::Uniform { start_s: 0.0, frame_s, frames },
        None => Times::Explicit(times),
    };
    let tracks = layout.tracks.into_iter().map(|(track, _)| track).collect();
    let clip = Clip { tracks, samples, times, meta: Default::default(), rig: None };
    clip.validate()?;
    Ok(Loaded { rate_was_given: frame_s.is_some(), ..Loaded::plain(clip, FORMAT) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &[u8], hz: Option<f64>) -> Result<Loaded> {
        let mut reader = text;
        let options = ReadOptions { hz, ..ReadOptions::default() };
        read(Source { reader: &mut reader, path: None }, &options, &mut |_| {})
    }

    #[test]
    fn a_byte_order_mark_blank_lines_and_crlf_are_no_fault() {
        let loaded = read_text(b"\xef\xbb\xbftime,a\r\n0, 1\r\n\r\n1,\"2\"\r\n\r\n", None).expect("good");
        assert_eq!(loaded.clip.samples, [vec![1.0, 2.0]]);
        assert_eq!(loaded.clip.times, Times::Explicit(vec![0.0, 1.0]));
    }

    #[test]
    fn faults_name_line_and_column() {
        let message = |text: &str| read_text(text.as_bytes(), None).expect_err("a fault").to_string();
        assert_eq!(message("time,a\n0,1\n1\n"), ".csv: line 3: 1 fields where the header has 2");
        assert_eq!(message("time,a\n0,1\n1,x\n"), ".csv: line 3, column 2: \"x\" is not a number (a)");
        assert_eq!(message("time,a\n0,\n"), ".csv: line 2, column 2: \"\" is not a number (a)");
        assert_eq!(message("time,a\n\n\nnan,1\n"), ".csv: line 4, column 1: time nan is not finite (time)");
        assert_eq!(message("time,a,a\n"), ".csv: line 1, column 3: \"a\" is also column 2");
        assert!(message("time,a\n0,1e300\n").contains("beyond the range"));
        assert!(message("").contains("empty"));
        assert!(message("time,a\r\n\r\n0,1\r\n\r\n0,\"2\"\r\n1,x").starts_with(".csv: line 6, column 2"));
        assert!(message("time,\"a\nb\"\n0,1\n\n\"\nz\",1").starts_with(".csv: line 5, column 1"));
        let error = read_text(b"time,a\n0,\xff\n", None).expect_err("a fault").to_string();
        assert_eq!(error, ".csv: line 2, column 2: not UTF-8 text");
    }

    #[test]
    fn without_times_a_rate_is_needed() {
        let text = b"a\n1\n2\n3\n";
        assert!(read_text(text, None).expect_err("no rate").to_string().contains("--fps"));
        let loaded = read_text(text, Some(50.0)).expect("a rate");
        assert!(loaded.rate_was_given);
        assert_eq!(loaded.clip.times, Times::Uniform { start_s: 0.0, frame_s: 0.02, frames: 3 });
        for hz in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
            assert!(read_text(text, Some(hz)).is_err(), "{hz}");
        }
    }

    #[test]
    fn special_values_are_read_in_any_case() {
        let loaded = read_text(b"time,a\n0,NaN\n0,-inf\n0,Infinity\n0,-0\n0,1e-45\n", None).expect("good");
        let bits: Vec<u32> = loaded.clip.samples[0].iter().map(|value| value.to_bits()).collect();
        assert_eq!(bits, [0x7fc0_0000, 0xff80_0000, 0x7f80_0000, 0x8000_0000, 1]);
    }
}
