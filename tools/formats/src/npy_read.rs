//! Reads `.npy` arrays without trusting their header.

use crate::error::{Error, Place, Result};
use crate::load::{Loaded, ReadOptions};
use crate::note::Note;
use crate::npy::{MAGIC, times_path, tracks_of_columns};
use crate::registry::{Format, Progress, Source};
use npyz::{DType, NpyFile, NpyHeader, Order};
use sinew::{Clip, Times};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

const FORMAT: Format = Format::Npy;

/// Longest header text that is read: NumPy pads that of a plain array to 118 bytes.
const MAX_HEADER_BYTES: usize = 1024;
/// Most digits in a header: their numbers then multiply to less than 10^19, which fits u64.
const MAX_HEADER_DIGITS: usize = 19;
/// Most opening brackets in a header: a plain array has two.
const MAX_HEADER_BRACKETS: usize = 4;

fn fault(place: Place, what: impl Into<String>) -> Error {
    Error::format(FORMAT, place, what)
}

/// Reads and checks a header. The library allocates what the length field says, descends into nested brackets and
/// multiplies the shape unchecked, so length, brackets and digits are bounded before it sees them.
fn read_header(reader: &mut dyn BufRead) -> Result<(NpyHeader, u64)> {
    let mut start = Vec::new();
    Read::take(&mut *reader, 10).read_to_end(&mut start)?;
    if start.len() < 10 || !start.starts_with(MAGIC) {
        return Err(fault(Place::Byte(0), "no NumPy array starts here"));
    }
    let text_bytes = match start[6] {
        1 => usize::from(u16::from_le_bytes([start[8], start[9]])),
        2 | 3 => {
            Read::take(&mut *reader, 2).read_to_end(&mut start)?;
            match start[8..] {
                [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as usize,
                _ => return Err(fault(Place::Byte(8), "the header is cut off")),
            }
        }
        version => {
            return Err(fault(Place::Byte(6), format!("version {version} of the array format is not known")));
        }
    };
    if text_bytes > MAX_HEADER_BYTES {
        return Err(fault(Place::Byte(8), format!("a header of {text_bytes} bytes is no plain array's")));
    }
    let text_start = start.len();
    Read::take(&mut *reader, text_bytes as u64).read_to_end(&mut start)?;
    let text = &start[text_start..];
    if text.len() < text_bytes {
        return Err(fault(Place::Byte(start.len() as u64), "the header is cut off"));
    }
    let count = |set: &[u8]| text.iter().filter(|byte| set.contains(byte)).count();
    if count(b"0123456789") > MAX_HEADER_DIGITS || count(b"([{") > MAX_HEADER_BRACKETS {
        return Err(fault(Place::Byte(text_start as u64), "only a plain array of numbers can be read"));
    }
    let header = NpyHeader::from_reader(start.as_slice())
        .map_err(|error| fault(Place::Byte(text_start as u64), format!("header: {error}")))?;
    Ok((header, start.len() as u64))
}

/// Reads the numbers of an array one by one as f64, which holds every f32.
fn numbers<'a>(header: NpyHeader, reader: &'a mut dyn BufRead) -> Result<Numbers<'a>> {
    let dtype = match header.dtype() {
        DType::Plain(dtype) => dtype.to_string(),
        _ => return Err(fault(Place::File, "records cannot be read: f32 or f64 is needed")),
    };
    let unreadable =
        |_| fault(Place::File, format!("elements of type {dtype:?} cannot be read: f32 or f64 is needed"));
    let file = NpyFile::with_header(header, reader);
    Ok(match dtype.as_str() {
        "<f4" | ">f4" => Numbers::Single(file.data().map_err(unreadable)?),
        "<f8" | ">f8" => Numbers::Double(file.data().map_err(unreadable)?),
        _ => {
            return Err(fault(
                Place::File,
                format!("elements of type {dtype:?} cannot be read: f32 or f64 is needed"),
            ));
        }
    })
}

/// The elements of an array in stored order.
enum Numbers<'a> {
    Single(npyz::NpyReader<f32, &'a mut dyn BufRead>),
    Double(npyz::NpyReader<f64, &'a mut dyn BufRead>),
}

impl Numbers<'_> {
    /// The next element as f64; the f32 one with its NaN bits beside it.
    fn next(&mut self) -> Option<std::io::Result<(f64, Option<f32>)>> {
        match self {
            Numbers::Single(values) => values.next().map(|item| item.map(|x| (f64::from(x), Some(x)))),
            Numbers::Double(values) => values.next().map(|item| item.map(|x| (x, None))),
        }
    }
}

pub(crate) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    // 1. The header gives the shape.
    let (header, _) = read_header(source.reader)?;
    let [frames, columns] = *header.shape() else {
        return Err(fault(
            Place::File,
            format!("the array has {} dimensions: frames x components are needed", header.shape().len()),
        ));
    };
    if columns == 0 {
        return Err(fault(Place::File, "the array has no columns"));
    }
    if columns > u64::from(options.limits.max_components) {
        return Err(sinew::Error::LimitExceeded { what: "number of components" }.into());
    }
    let order = header.order();

    // 2. The samples, in the order in which they are stored. Nothing is allocated ahead of what is read.
    let mut samples = vec![Vec::new(); columns as usize];
    let (mut rounded, mut cut_nans) = (0u64, 0u64);
    let mut values = numbers(header, source.reader)?;
    let (outer, inner) = if order == Order::C { (frames, columns) } else { (columns, frames) };
    for i in 0..outer {
        for j in 0..inner {
            let (frame, component) = if order == Order::C { (i, j) } else { (j, i) };
            let place = Place::Frame { frame, component: Some(component) };
            let cut =
                || fault(place, format!("the file ends here; its header says {frames} frames of {columns}"));
            let (wide, exact) = match values.next().ok_or_else(cut)? {
                Ok(value) => value,
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => return Err(cut()),
                Err(error) => return Err(error.into()),
            };
            let value = exact.unwrap_or(wide as f32);
            if value.is_infinite() && wide.is_finite() {
                return Err(fault(place, format!("{wide} is beyond the range of a 32-bit float")));
            }
            rounded += u64::from(f64::from(value) != wide && !wide.is_nan());
            let keeps_nan = exact.is_some() || f64::from(value).to_bits() == wide.to_bits();
            cut_nans += u64::from(wide.is_nan() && !keeps_nan);
            samples[component as usize].push(value);
        }
        if order == Order::C {
            progress(i + 1);
        }
    }
    drop(values);
    let mut notes = Vec::new();
    if rounded > 0 {
        notes.push(Note::loss(format!("{rounded} values are rounded to the nearest 32-bit float")));
    }
    if cut_nans > 0 {
        notes.push(Note::loss(format!("bits of {cut_nans} NaN values that a 32-bit float has no place for")));
    }
    let trailing = std::io::copy(source.reader, &mut std::io::sink())?;
    if trailing > 0 {
        notes.push(Note::info(format!("{trailing} bytes after the array are not read")));
    }

    // 3. The times: from beside the array, else at the rate that the caller gives.
    let frames = samples[0].len();
    let (times, rate_was_given) = match source.path.map(times_path).filter(|path| path.exists()) {
        Some(path) => (Times::Explicit(read_times(&path, frames)?), false),
        None => {
            let missing = match source.path {
                Some(path) => format!("there is no {} with the times", times_path(path).display()),
                None => "an array from a stream has no times".to_owned(),
            };
            let frame_s = options.frame_s(FORMAT, &missing)?;
            (Times::Uniform { start_s: 0.0, frame_s, frames }, true)
        }
    };
    let clip = Clip {
        tracks: tracks_of_columns(columns as usize),
        samples,
        times,
        meta: Default::default(),
        rig: None,
    };
    clip.validate()?;
    Ok(Loaded { notes, rate_was_given, ..Loaded::plain(clip, FORMAT) })
}

/// Reads the times of `frames` frames.
fn read_times(path: &Path, frames: usize) -> Result<Vec<f64>> {
    let in_file = |error: Error| match error {
        Error::Format { format, place, what } => {
            Error::Format { format, place, what: format!("{what} ({})", path.display()) }
        }
        other => other,
    };
    let mut reader = BufReader::new(File::open(path)?);
    let (header, _) = read_header(&mut reader).map_err(in_file)?;
    if *header.shape() != [frames as u64] {
        let what = format!("{frames} times are needed, the shape is {:?}", header.shape());
        return Err(in_file(fault(Place::File, what)));
    }
    let mut times = Vec::new();
    let mut values = numbers(header, &mut reader).map_err(in_file)?;
    while let Some(value) = values.next() {
        let place = Place::Frame { frame: times.len() as u64, component: None };
        let (time, _) = value.map_err(|_| in_file(fault(place, "the file ends here")))?;
        if !time.is_finite() {
            return Err(in_file(fault(place, format!("time {time} is not finite"))));
        }
        times.push(time);
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    /// An array file with this header text and data.
    fn array(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn plain(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        array(&format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n"), data)
    }

    fn read_bytes(bytes: &[u8]) -> Result<Loaded> {
        let mut reader = bytes;
        let options = ReadOptions { hz: Some(10.0), ..ReadOptions::default() };
        read(Source { reader: &mut reader, path: None }, &options, &mut |_| {})
    }

    fn message(bytes: &[u8]) -> String {
        read_bytes(bytes).expect_err("a fault").to_string()
    }

    #[test]
    fn both_orders_both_endings_and_both_widths_read_the_same() {
        let values = [1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0];
        let by_column = [1.0f64, 3.0, 5.0, 2.0, 4.0, 6.0];
        let expected = [vec![1.0f32, 3.0, 5.0], vec![2.0, 4.0, 6.0]];
        let files = [
            plain("<f4", "False", "(3, 2)", &values.map(|x| (x as f32).to_le_bytes()).concat()),
            plain(">f4", "False", "(3, 2)", &values.map(|x| (x as f32).to_be_bytes()).concat()),
            plain("<f8", "False", "(3, 2)", &values.map(f64::to_le_bytes).concat()),
            plain(">f8", "True", "(3, 2)", &by_column.map(f64::to_be_bytes).concat()),
        ];
        for file in &files {
            let loaded = read_bytes(file).expect("readable");
            assert_eq!(loaded.clip.samples, expected);
            assert_eq!(loaded.notes, []);
            assert_eq!(loaded.clip.tracks[1].muscle_index(), Some(1));
        }
    }

    #[test]
    fn columns_beyond_the_muscles_are_numbered() {
        let loaded = read_bytes(&plain("<f4", "False", "(1, 97)", &[0; 97 * 4])).expect("readable");
        assert!(loaded.clip.is_humanoid());
        assert_eq!(loaded.clip.tracks[96].name(), "value-96");
    }

    #[test]
    fn doubles_are_rounded_and_told_or_refused() {
        let loaded =
            read_bytes(&plain("<f8", "False", "(1, 2)", &[0.1f64, f64::NAN].map(f64::to_le_bytes).concat()));
        let loaded = loaded.expect("readable");
        assert_eq!(loaded.clip.samples[0], [0.1f32]);
        assert!(
            loaded.notes.len() == 1
                && loaded.notes[0].is_loss()
                && loaded.notes[0].text.starts_with("1 value")
        );
        let nan = f64::from_bits(0xfff8_0000_0000_0001).to_le_bytes();
        let loaded = read_bytes(&plain("<f8", "False", "(1, 1)", &nan)).expect("readable");
        assert!(loaded.notes.len() == 1 && loaded.notes[0].text.starts_with("bits of 1 NaN"));
        let huge = plain("<f8", "False", "(1, 1)", &1e300f64.to_le_bytes());
        assert!(message(&huge).starts_with(".npy: frame 0, component 0: 1"), "{}", message(&huge));
    }

    #[test]
    fn nan_bits_of_singles_are_kept() {
        let loaded =
            read_bytes(&plain("<f4", "False", "(1, 1)", &0xffc1_2345u32.to_le_bytes())).expect("readable");
        assert_eq!(loaded.clip.samples[0][0].to_bits(), 0xffc1_2345);
    }

    #[test]
    fn hostile_headers_are_refused() {
        let long = |text: &str| array(text, &[]);
        let nested = format!("{{'descr': {}1{}}}", "(".repeat(400), ")".repeat(400));
        assert!(message(&long(&nested)).contains("plain array"));
        assert!(message(&long(&format!("{{'shape': ({},)}}", "9".repeat(600)))).contains("plain array"));
        assert!(message(&long(&" ".repeat(60_000))).contains("60000 bytes"));
        assert!(message(&plain("<f4", "False", "(99999999, 999999999, 9)", &[])).contains("3 dimensions"));
        assert!(
            message(&plain("<f4", "False", "(99999999999999999, 9)", &[])).contains("the file ends here")
        );
        assert!(message(&plain("<f4", "True", "(99999999999999999, 9)", &[])).contains("the file ends here"));
        assert!(message(&plain("<f4", "False", "(9, 9999999999)", &[])).contains("limit"));
        assert!(message(&plain("<f4", "False", "(9, 0)", &[])).contains("no columns"));
        assert!(message(&plain("<f4", "False", "(9,)", &[])).contains("1 dimensions"));
        for descr in ["<i4", "<f2", "<c8", "|O", "<U3", "|b1", "rubbish"] {
            assert!(read_bytes(&plain(descr, "False", "(1, 1)", &[0; 64])).is_err(), "{descr}");
        }
        let mut version_two = MAGIC.to_vec();
        version_two.extend([2, 0, 0xff, 0xff, 0xff, 0xff]);
        assert!(message(&version_two).contains("4294967295 bytes"));
        for length in 0..version_two.len() {
            assert!(read_bytes(&version_two[..length]).is_err());
        }
        let good = plain("<f4", "False", "(2, 1)", &[0; 8]);
        for length in 0..good.len() {
            assert!(read_bytes(&good[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn bytes_after_the_array_are_told() {
        let loaded = read_bytes(&plain("<f4", "False", "(1, 1)", &[0; 7])).expect("readable");
        assert_eq!(loaded.notes, [Note::info("3 bytes after the array are not read")]);
    }

    #[test]
    fn times_come_from_beside_the_array() {
        let folder = tempfile::tempdir().expect("a folder");
        let main: PathBuf = folder.path().join("clip.npy");
        let times = folder.path().join("clip.times.npy");
        std::fs::write(&main, plain("<f4", "False", "(2, 1)", &[0; 8])).expect("written");
        let load = || crate::load::read(&main, None, &ReadOptions::default());
        assert!(load().expect_err("no times").to_string().contains("clip.times.npy"));
        let write_times = |values: &[f64]| {
            let data: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
            std::fs::write(&times, plain("<f8", "False", &format!("({},)", values.len()), &data))
                .expect("written");
        };
        write_times(&[0.1, 0.05]);
        assert_eq!(load().expect("readable").clip.times, Times::Explicit(vec![0.1, 0.05]));
        write_times(&[0.1]);
        assert!(load().expect_err("too few").to_string().contains("2 times are needed"));
        write_times(&[0.1, f64::NAN]);
        assert!(load().expect_err("not finite").to_string().contains("frame 1: time NaN is not finite"));
    }
}
