//! The table as text: aligned columns under a heading that names the clip and every baseline.

use crate::machine;
use crate::report::ClipReport;
use crate::row::{Row, ratio};
use anyhow::Result;
use std::io::Write;

const HEADINGS: [&str; 12] = [
    "codec",
    "settings",
    "bytes",
    "x raw",
    "x data-nameless",
    "x anim",
    "bits/value",
    "max error",
    "max joint mm",
    "encode ms",
    "decode ms",
    "ns/pose",
];
/// The first columns hold words, the others numbers.
const TEXT_COLUMNS: usize = 2;
const UNKNOWN: &str = "n/a";

/// Heading, rows, notes, failures.
pub(crate) fn write_clip(report: &ClipReport, sink: &mut dyn Write) -> Result<()> {
    let clip = &report.summary;
    let number = |bytes: Option<u64>| bytes.map_or(UNKNOWN.to_owned(), |bytes| bytes.to_string());
    writeln!(
        sink,
        "{}: {} frames, {} tracks ({} components), {} s, {} fps on average",
        clip.clip,
        clip.frames,
        clip.tracks,
        clip.components,
        fixed(Some(clip.duration_s), 3),
        fixed(clip.mean_hz, 2),
    )?;
    writeln!(
        sink,
        "raw f32 {} bytes (frames x components x 4); .data named {} bytes, nameless {} bytes; .anim {} bytes",
        clip.raw_bytes,
        number(clip.data_named_bytes),
        number(clip.data_nameless_bytes),
        number(clip.anim_bytes),
    )?;
    if let Some(reason) = &clip.data_refusal {
        writeln!(sink, "note: no .data baseline: {reason}")?;
    } else if !clip.times_are_f32 {
        writeln!(sink, "note: .data holds times as f32, so its rows keep this clip's times rounded")?;
    }
    for note in &report.notes {
        writeln!(sink, "note: {note}")?;
    }
    writeln!(sink)?;
    write_rows(report, sink)?;
    for failure in &report.failures {
        writeln!(sink, "FAILED {} ({}): {}", failure.codec, failure.settings, failure.what)?;
    }
    Ok(())
}

fn write_rows(report: &ClipReport, sink: &mut dyn Write) -> Result<()> {
    let mut table = vec![HEADINGS.map(str::to_owned)];
    table.extend(report.rows.iter().map(|row| cells(report, row)));
    let widths: [usize; HEADINGS.len()] =
        std::array::from_fn(|column| table.iter().map(|line| line[column].len()).max().unwrap_or(0));
    for line in &table {
        let mut text = String::new();
        for (column, cell) in line.iter().enumerate() {
            let width = widths[column];
            text += &if column < TEXT_COLUMNS {
                format!("{cell:<width$}  ")
            } else {
                format!("{cell:>width$}  ")
            };
        }
        writeln!(sink, "{}", text.trim_end())?;
    }
    Ok(())
}

fn cells(report: &ClipReport, row: &Row) -> [String; HEADINGS.len()] {
    let clip = &report.summary;
    let failed = report.failures.iter().any(|f| (&f.codec, &f.settings) == (&row.codec, &row.settings));
    let values = clip.raw_bytes as f64 / 4.0;
    let bits_per_value = row.bytes.filter(|_| values > 0.0).map(|bytes| bytes as f64 * 8.0 / values);
    [
        row.codec.clone(),
        row.settings.clone(),
        match row.bytes {
            Some(bytes) => bytes.to_string(),
            None if failed => "FAILED".to_owned(),
            None => UNKNOWN.to_owned(),
        },
        fixed(ratio(Some(clip.raw_bytes), row.bytes, clip.raw_bytes), 2),
        fixed(row.ratio_to_data_nameless, 2),
        fixed(row.ratio_to_anim, 2),
        fixed(bits_per_value, 3),
        match row.max_abs {
            None => UNKNOWN.to_owned(),
            Some(0.0) => "0".to_owned(),
            // Five digits, so that an error just within its bound does not look like one on it.
            Some(error) => format!("{error:.4e}"),
        },
        fixed(row.max_joint_mm, 3),
        fixed(row.encode_ms, 2),
        fixed(row.decode_ms, 2),
        fixed(row.decode_ns_per_pose, 0),
    ]
}

/// A figure with so many digits after the point. One that is not known, or is beyond f64, is not told.
fn fixed(value: Option<f64>, digits: usize) -> String {
    value.filter(|value| value.is_finite()).map_or(UNKNOWN.to_owned(), |value| format!("{value:.digits$}"))
}

/// How the figures came about.
pub(crate) fn write_method(sink: &mut dyn Write) -> Result<()> {
    writeln!(sink, "Method: {}; one thread, memory to memory.", machine::describe())?;
    sink.write_all(METHOD.as_bytes())?;
    Ok(())
}

const METHOD: &str = "\
- Every row is verified before it is timed: lossless rows bit for bit, bounded rows |x - x'| <= bound on the decoded
  f32 (rotations by angle), values that are not finite bit for bit, times too. A row that fails shows no figure.
- Bytes are all that a decoder needs: samples, shape and times. Bounded rows keep times within 0.5 ms, lossless rows
  exactly (.data: as f32). GUID and metadata are in .data and sinew only, names in the named rows only.
- Max joint mm: the farthest that any joint of the reference skeleton (55 joints), or of the rig given, is displaced, at
  stored times and half way between them; without root tracks the body frame (mass centre and body rotation) is fixed.
- A ratio is baseline bytes / row bytes: `x raw` against raw f32 samples, `x data-nameless` against the uncompressed
  nameless .data file, `x anim` against the .anim file with a key a frame. n/a: not known, or the clip has no samples.
- Times are medians of up to 15 runs (3 when quick), no further run starting once 0.3 s (0.06 s) are spent, so slow
  encoders run once. `data-*+X` rows time the compressor X on the finished .data file, not MessagePack; all others go
  from the clip in memory to bytes and back. External programs run once; their times include process start and files.
- d2+X: integers on a lattice of twice the bound, track by track, second time difference, zigzag, byte planes, then X.
  f32-d2+X: the same on the ordered integers of the f32. pco: pcodec on the same integers, or on the f32, a chunk a
  track. lz4: MessagePack for C#'s Lz4BlockArray. All of these code the clip as one piece; sinew rows are files of
  independent, checksummed blocks with a seek index.
- Libraries: zstd and xz are the C originals (zstd, liblzma); gzip (flate2 on miniz_oxide), brotli, LZ4 (lz4_flex) and
  pcodec are Rust.
";
