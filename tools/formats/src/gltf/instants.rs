//! When the frames of a clip are: at the keys where all curves share them, else at a rate.

use super::document::{Curve, Interpolation};
use super::fault;
use crate::error::Result;
use crate::load::frame_time_s;
use crate::note::Note;
use sinew::Times;

/// Keys a second from which on curves are a recording, whose keys are its frames though they bend between them.
const RECORDED_HZ: f64 = 10.0;
/// The rate of curves that tell none.
const USUAL_HZ: f64 = 30.0;
/// How near to a whole number a rate is taken for it.
const WHOLE: f64 = 0.01;
/// How near to the last key the last frame is taken for it, in frames.
const END_SLACK_FRAMES: f64 = 0.01;

/// Chooses the instants, and says so where they are not the keys. `most` is how many frames there may be.
pub(super) fn choose(
    curves: &[&Curve],
    asked_hz: Option<f64>,
    most: u64,
    notes: &mut Vec<Note>,
) -> Result<Times> {
    let moving: Vec<&Curve> = curves.iter().copied().filter(|curve| curve.times_s.len() > 1).collect();
    let first_s = |curve: &&Curve| f64::from(curve.times_s[0]);
    let Some(first) = moving.first() else {
        let start_s = curves.iter().map(first_s).reduce(f64::min);
        return Ok(Times::Explicit(start_s.into_iter().collect()));
    };
    let shared = moving.iter().all(|curve| curve.times_s == first.times_s);
    let times_s = || first.times_s.iter().map(|&time_s| f64::from(time_s));
    let span_s = times_s().next_back().unwrap_or(0.0) - first_s(first);
    let bends = moving.iter().any(|curve| curve.interpolation != Interpolation::Linear);
    let recorded = (first.times_s.len() - 1) as f64 >= RECORDED_HZ * span_s;
    let why = match asked_hz {
        Some(_) => "as asked",
        None if !shared => "the curves have keys at different times",
        None if bends && !recorded => "the curves bend between their keys",
        None if first.times_s.len() as u64 > most => {
            return Err(sinew::Error::LimitExceeded { what: "number of samples" }.into());
        }
        None => return Ok(Times::Explicit(times_s().collect())),
    };
    let start_s = moving.iter().map(first_s).fold(f64::INFINITY, f64::min);
    let last_s = |curve: &&Curve| f64::from(curve.times_s[curve.times_s.len() - 1]);
    let end_s = moving.iter().map(last_s).fold(start_s, f64::max);
    let hz = asked_hz.unwrap_or_else(|| rate_of(&moving));
    let frame_s = frame_time_s(hz)?;
    let exact_steps = (end_s - start_s) * hz;
    let steps = match asked_hz {
        // As other clips are resampled: as many frames as the span holds.
        Some(_) => (exact_steps + END_SLACK_FRAMES).floor(),
        // Unasked, no end is cut off: beyond the last key curves stay as they are.
        None => (exact_steps - END_SLACK_FRAMES).ceil().max(0.0),
    };
    if !steps.is_finite() {
        return Err(fault(format!("keys from {start_s} s to {end_s} s are no motion")));
    }
    if steps + 1.0 > most as f64 {
        return Err(sinew::Error::LimitExceeded { what: "number of samples" }.into());
    }
    let frames = steps as usize + 1;
    notes.push(Note::info(format!(
        "sampled at {hz} frames per second from {start_s} s to {end_s} s, {frames} frames: {why}"
    )));
    Ok(Times::Uniform { start_s, frame_s, frames })
}

/// The rate of the curve with most keys, as the file tells none.
fn rate_of(curves: &[&Curve]) -> f64 {
    let densest = curves.iter().max_by_key(|curve| curve.times_s.len());
    let Some(curve) = densest else { return USUAL_HZ };
    let mut steps_s: Vec<f64> =
        curve.times_s.windows(2).map(|pair| f64::from(pair[1]) - f64::from(pair[0])).collect();
    steps_s.sort_by(f64::total_cmp);
    let hz = 1.0 / steps_s[steps_s.len() / 2];
    let whole = hz.round();
    match hz {
        // Few keys are poses, not frames.
        hz if hz < RECORDED_HZ => USUAL_HZ,
        hz if (hz - whole).abs() < WHOLE * whole => whole,
        hz => hz,
    }
}
