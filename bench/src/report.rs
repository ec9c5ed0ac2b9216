//! The result for one clip, and its JSON and CSV forms.

use crate::row::Row;
use crate::source::{Source, times_are_f32};
use crate::text_table;
use anyhow::Result;
use sinew::data::DataMode;
use std::io::Write;

/// What the heading says about the clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipSummary {
    /// Name of the clip.
    pub clip: String,
    /// Number of frames.
    pub frames: usize,
    /// Number of tracks.
    pub tracks: usize,
    /// Number of components.
    pub components: usize,
    /// Last time minus first.
    pub duration_s: f64,
    /// Intervals over duration; `None` where there is no positive duration.
    pub mean_hz: Option<f64>,
    /// Frames × components × 4.
    pub raw_bytes: u64,
    /// Size as a named `.data` file; `None` if `.data` cannot hold the clip.
    pub data_named_bytes: Option<u64>,
    /// Size as a nameless `.data` file; `None` if `.data` cannot hold the clip.
    pub data_nameless_bytes: Option<u64>,
    /// Size as a Unity `.anim` with a key a frame; `None` if `.anim` cannot hold the clip.
    pub anim_bytes: Option<u64>,
    /// Why a `.data` size is missing.
    pub data_refusal: Option<String>,
    /// Whether every time is an f32 value, as `.data` needs; otherwise its rows hold rounded times.
    pub times_are_f32: bool,
}

impl ClipSummary {
    pub(crate) fn of(clip: &str, source: &Source<'_>) -> ClipSummary {
        let named = source.data_file(DataMode::Named);
        let nameless = source.data_file(DataMode::Nameless);
        let refusal = nameless.as_ref().err().or(named.as_ref().err()).map(|reason| format!("{reason:#}"));
        ClipSummary {
            clip: clip.to_owned(),
            frames: source.clip.frames(),
            tracks: source.clip.tracks.len(),
            components: source.clip.components(),
            duration_s: source.clip.times.span_s(),
            mean_hz: source.clip.times.mean_hz(),
            raw_bytes: source.raw_bytes(),
            data_named_bytes: named.ok().map(|bytes| bytes.len() as u64),
            data_nameless_bytes: nameless.ok().map(|bytes| bytes.len() as u64),
            anim_bytes: source.anim_bytes(),
            data_refusal: refusal,
            times_are_f32: times_are_f32(&source.clip.times),
        }
    }
}

/// A codec that failed or broke its promise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Name of the clip.
    pub clip: String,
    /// The whole chain.
    pub codec: String,
    /// As in the row.
    pub settings: String,
    /// What went wrong, with the worst track and frame.
    pub what: String,
}

/// All rows of one clip.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipReport {
    /// The heading.
    pub summary: ClipSummary,
    /// One row a codec and contract, in the order of the run; a failed codec's row has no figures.
    pub rows: Vec<Row>,
    /// Why rows have no figures. Empty means that every codec kept its promise.
    pub failures: Vec<Failure>,
    /// What else a reader should know.
    pub notes: Vec<String>,
}

impl ClipReport {
    pub(crate) fn new(summary: ClipSummary) -> ClipReport {
        ClipReport { summary, rows: Vec::new(), failures: Vec::new(), notes: Vec::new() }
    }

    /// Whether every codec kept its promise; a run that is not clean ends with exit status 1.
    pub fn is_clean(&self) -> bool {
        self.failures.is_empty()
    }

    /// Writes heading, table and failures, without the method.
    ///
    /// # Errors
    /// The sink's.
    pub fn write_text(&self, sink: &mut dyn Write) -> Result<()> {
        text_table::write_clip(self, sink)
    }

    /// The rows as a JSON array.
    ///
    /// # Errors
    /// None in practice; serde's signature.
    pub fn to_json(&self) -> Result<String> {
        to_json(std::slice::from_ref(self))
    }

    /// The rows as CSV with a header line.
    ///
    /// # Errors
    /// None in practice; the csv crate's signature.
    pub fn to_csv(&self) -> Result<String> {
        to_csv(std::slice::from_ref(self))
    }
}

/// All rows of all clips as one JSON array.
///
/// # Errors
/// None in practice; serde's signature.
pub fn to_json(reports: &[ClipReport]) -> Result<String> {
    Ok(serde_json::to_string_pretty(&rows(reports).collect::<Vec<_>>())?)
}

/// All rows of all clips as CSV with one header line.
///
/// # Errors
/// None in practice; the csv crate's signature.
pub fn to_csv(reports: &[ClipReport]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows(reports) {
        writer.serialize(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Every clip's table, then the method once.
///
/// # Errors
/// The sink's.
pub fn write_text(reports: &[ClipReport], sink: &mut dyn Write) -> Result<()> {
    for report in reports {
        report.write_text(sink)?;
        writeln!(sink)?;
    }
    text_table::write_method(sink)
}

fn rows(reports: &[ClipReport]) -> impl Iterator<Item = &Row> {
    reports.iter().flat_map(|report| &report.rows)
}
