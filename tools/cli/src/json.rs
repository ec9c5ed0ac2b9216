//! JSON output: one object or array on stdout. A value that is not known, or not finite, is null.

use crate::joints::time_of;
use crate::text::print;
use anyhow::Result;
use serde::Serialize;
use sinew::humanoid::Displacement;
use sinew::{Bounds, Clip, Comparison, Effort, Fidelity, WorldBounds};
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

/// A worst displacement or angle and its place. The value is null when what cannot be posed meets another value.
#[derive(Debug, Serialize)]
pub(crate) struct WorstJoint {
    pub value: f64,
    pub joint: &'static str,
    pub frame: usize,
    /// Whether it is half way from that frame to the next.
    pub mid_time: bool,
    pub time_s: Option<f64>,
}

/// How far a clip is from its reference.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Errors {
    pub max_abs: Option<Worst>,
    pub max_muscle: Option<Worst>,
    /// Worst channels of a skeleton, as written: angles in degrees, positions in the file's unit.
    pub max_channel_deg: Option<Worst>,
    pub max_channel_position: Option<Worst>,
    pub rms: Option<f64>,
    pub jitter_rms: Option<f64>,
    /// What the next five figures are measured on; null, as they are, without muscle tracks.
    pub skeleton: Option<&'static str>,
    pub max_angle_deg: Option<f64>,
    pub max_angle_place: Option<WorstJoint>,
    pub max_joint_mm: Option<WorstJoint>,
    pub max_shell_mm: Option<WorstJoint>,
    pub p99_joint_mm: Option<f64>,
    pub max_time_s: Option<WorstTime>,
    pub equal: bool,
}

impl Errors {
    /// The figures of a comparison, and of the displacement if there is one; `reference` gives the places their times.
    pub fn of(comparison: &Comparison, displacement: Option<&Displacement>, reference: &Clip) -> Errors {
        let worst = |sample: &sinew::WorstSample| Worst {
            value: sample.value,
            track: sample.track.clone(),
            frame: sample.frame,
            time_s: reference.times.get(sample.frame),
        };
        let worst_joint = |worst: sinew::humanoid::WorstJoint| WorstJoint {
            value: worst.value,
            joint: worst.joint.name(),
            frame: worst.frame,
            mid_time: worst.mid_time,
            time_s: time_of(&worst, reference),
        };
        let max_angle = displacement.and_then(|found| found.max_angle_deg);
        Errors {
            max_abs: comparison.max_abs.as_ref().map(worst),
            max_muscle: comparison.max_muscle.as_ref().map(worst),
            max_channel_deg: comparison.max_channel_deg.as_ref().map(worst),
            max_channel_position: comparison.max_channel_position.as_ref().map(worst),
            rms: comparison.rms,
            jitter_rms: comparison.jitter_rms,
            max_time_s: comparison.max_time_s.map(|time| WorstTime { value: time.value, frame: time.frame }),
            skeleton: displacement.map(|_| "reference"),
            max_angle_deg: max_angle.map(|worst| worst.value),
            max_angle_place: max_angle.map(worst_joint),
            max_joint_mm: displacement.and_then(|found| found.max_joint_mm).map(worst_joint),
            max_shell_mm: displacement.and_then(|found| found.max_shell_mm).map(worst_joint),
            p99_joint_mm: displacement.and_then(|found| found.p99_joint_mm),
            equal: comparison.equal,
        }
    }
}

/// The bounds that a lossy encoding was asked to keep.
#[derive(Debug, Serialize)]
pub(crate) struct BoundsJson {
    /// Null where joints have a bound instead.
    pub muscle: Option<f64>,
    /// Farthest that a joint or its shell points may be displaced; null where muscles have a bound instead.
    pub mm: Option<f64>,
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
                muscle: Some(*muscle),
                mm: None,
                time_s: *time_s,
                position_m: *position_m,
                rotation_deg: *rotation_deg,
                extra: extra.unwrap_or(*muscle),
            }),
        ),
        Fidelity::World(WorldBounds { mm, time_s, position_m, rotation_deg, extra, .. }) => (
            "world",
            Some(BoundsJson {
                muscle: None,
                mm: Some(*mm),
                time_s: *time_s,
                position_m: *position_m,
                rotation_deg: *rotation_deg,
                extra: *extra,
            }),
        ),
    }
}

/// Name of an effort, as the option spells it.
pub(crate) fn effort(effort: Effort) -> &'static str {
    match effort {
        Effort::Fast => "fast",
        Effort::Balanced => "balanced",
        Effort::Max => "max",
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
