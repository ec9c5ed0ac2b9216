//! JSON output: one object or array on stdout. A value that is not known, or not finite, is null.

use crate::text::print;
use anyhow::Result;
use serde::Serialize;
use sinew::{Bounds, Clip, Comparison, Effort, Fidelity};
use sinew_formats::Note;

/// Prints a value with a final line end.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    print(&text)
}

/// A worst sample and its place. The value is null when a non-finite sample meets another one.
#[derive(Debug, Serialize)]
pub(crate) struct Worst {
    pub value: f64,
    pub track: String,
    pub frame: usize,
    pub time_s: Option<f64>,
}

/// A worst frame time and its place.
#[derive(Debug, Serialize)]
pub(crate) struct WorstTime {
    pub value: f64,
    pub frame: usize,
}

/// A place in space; null until there is a skeleton to measure on.
#[derive(Debug, Serialize)]
pub(crate) struct WorstJoint {
    pub value: f64,
    pub joint: String,
    pub frame: usize,
}

/// How far a clip is from its reference.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Errors {
    pub max_abs: Option<Worst>,
    pub max_muscle: Option<Worst>,
    pub rms: Option<f64>,
    pub jitter_rms: Option<f64>,
    pub max_angle_deg: Option<f64>,
    pub max_joint_mm: Option<WorstJoint>,
    pub max_shell_mm: Option<WorstJoint>,
    pub p99_joint_mm: Option<f64>,
    pub max_time_s: Option<WorstTime>,
    pub equal: bool,
}

impl Errors {
    /// The figures of a comparison; `reference` gives the places their times.
    pub fn of(comparison: &Comparison, reference: &Clip) -> Errors {
        let worst = |sample: &sinew::WorstSample| Worst {
            value: sample.value,
            track: sample.track.clone(),
            frame: sample.frame,
            time_s: reference.times.get(sample.frame),
        };
        Errors {
            max_abs: comparison.max_abs.as_ref().map(worst),
            max_muscle: comparison.max_muscle.as_ref().map(worst),
            rms: comparison.rms,
            jitter_rms: comparison.jitter_rms,
            max_time_s: comparison.max_time_s.map(|time| WorstTime { value: time.value, frame: time.frame }),
            equal: comparison.equal,
            ..Errors::default()
        }
    }
}

/// The bounds that a lossy encoding was asked to keep.
#[derive(Debug, Serialize)]
pub(crate) struct BoundsJson {
    pub muscle: f64,
    pub time_s: f64,
    pub position_m: f64,
    pub rotation_deg: f64,
    pub extra: f64,
}

/// Name of a fidelity, and its bounds if it has any.
pub(crate) fn fidelity(fidelity: &Fidelity) -> (&'static str, Option<BoundsJson>) {
    match fidelity {
        Fidelity::Lossless => ("lossless", None),
        Fidelity::Bounded(Bounds { muscle, time_s, position_m, rotation_deg, extra }) => (
            "bounded",
            Some(BoundsJson {
                muscle: *muscle,
                time_s: *time_s,
                position_m: *position_m,
                rotation_deg: *rotation_deg,
                extra: extra.unwrap_or(*muscle),
            }),
        ),
    }
}

/// Name of an effort, as the option spells it.
pub(crate) fn effort(effort: Effort) -> &'static str {
    match effort {
        Effort::Balanced => "balanced",
        // The codec may learn efforts that this command line has no name for.
        _ => "unknown",
    }
}

/// What a verb that writes a clip tells of it.
#[derive(Debug, Serialize)]
pub(crate) struct WrittenJson {
    pub output: String,
    pub format: &'static str,
    pub written: bool,
    pub frames: usize,
    pub tracks: usize,
    pub bytes: u64,
    pub losses: Vec<String>,
    pub notes: Vec<String>,
}

/// Texts of the losses, and of the other notes.
pub(crate) fn split_notes(notes: &[Note]) -> (Vec<String>, Vec<String>) {
    let (losses, others): (Vec<&Note>, Vec<&Note>) = notes.iter().partition(|note| note.is_loss());
    let texts = |notes: Vec<&Note>| notes.into_iter().map(|note| note.text.clone()).collect();
    (texts(losses), texts(others))
}

/// Bits a stored sample takes; `None` without samples.
pub(crate) fn bits_per_value(bytes: u64, clip: &Clip) -> Option<f64> {
    let values = clip.frames() as u64 * clip.components() as u64;
    (values > 0).then(|| bytes as f64 * 8.0 / values as f64)
}
