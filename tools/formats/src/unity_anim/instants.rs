//! When a clip's frames are: at the keys where all curves share them, else at a rate.

use super::document::Curve;
use super::evaluate::weights;
use crate::error::{Error, Result};
use crate::note::Note;
use sinew::{DecodeLimits, Times};

/// Keys a second from which on curves are a recording, whose keys are its frames.
///
/// Animators set a few keys a second and let the curves bend between them; recorders set one a frame.
const RECORDED_HZ: f64 = 10.0;
/// How far from a straight line a segment may be, for a value of 1, to count as straight.
const STRAIGHT: f64 = 1e-6;
/// Part of a frame by which the last key may be late without a frame more.
const LATE_PART: f64 = 1e-3;

/// The frames of a clip.
pub(super) struct Instants {
    pub times: Times,
    /// Whether each frame is a key of every curve with more than one; curves with one key are constant.
    pub at_keys: bool,
}

impl Instants {
    /// Every key is a frame.
    pub fn of_keys(times_s: Vec<f64>) -> Instants {
        Instants { times: Times::Explicit(times_s), at_keys: true }
    }
}

/// Chooses the instants for curves that all have keys, and says so where they are not the keys.
pub(super) fn choose(
    curves: &[&Curve<1>],
    rate_hz: f32,
    asked_hz: Option<f64>,
    limits: &DecodeLimits,
    notes: &mut Vec<Note>,
) -> Result<Instants> {
    let moving: Vec<&Curve<1>> = curves.iter().copied().filter(|curve| curve.keys.len() > 1).collect();
    let first_s = |curves: &[&Curve<1>]| {
        curves.iter().filter_map(|curve| curve.keys.first()).map(|key| f64::from(key.time_s)).reduce(f64::min)
    };
    let Some(first) = moving.first() else {
        return Ok(Instants::of_keys(first_s(curves).into_iter().collect()));
    };
    let why = match asked_hz {
        Some(_) => "as asked",
        None if !share_times(first, &moving) => "the curves have keys at different times",
        None => {
            let times: Vec<f64> = first.keys.iter().map(|key| f64::from(key.time_s)).collect();
            let bend =
                moving.iter().filter_map(|curve| largest_bend(curve)).max_by(|a, b| a.0.total_cmp(&b.0));
            let recorded = (times.len() - 1) as f64 >= RECORDED_HZ * (times[times.len() - 1] - times[0]);
            match bend {
                Some(_) if !recorded => "the curves bend between their keys",
                Some((bend, time_s, name)) => {
                    notes.push(Note::info(format!(
                        "between keys the curves bend, by up to {bend:.2e} ({name} after {time_s} s); a clip has straight \
                         lines between frames"
                    )));
                    return Ok(Instants::of_keys(times));
                }
                None => return Ok(Instants::of_keys(times)),
            }
        }
    };
    let start_s = first_s(&moving).unwrap_or(0.0);
    let end_s = moving
        .iter()
        .filter_map(|curve| curve.keys.last())
        .map(|key| f64::from(key.time_s))
        .fold(start_s, f64::max);
    let hz = asked_hz.unwrap_or(f64::from(rate_hz));
    let frame_s = 1.0 / hz;
    if !(hz > 0.0 && frame_s.is_finite() && frame_s > 0.0) {
        return Err(Error::invalid(format!(
            "curves cannot be sampled at {hz} frames a second: --fps gives another rate"
        )));
    }
    let steps = ((end_s - start_s) * hz - LATE_PART).ceil().max(0.0);
    if (steps + 1.0) * curves.len() as f64 > limits.max_samples as f64 {
        return Err(sinew::Error::LimitExceeded { what: "number of samples" }.into());
    }
    let frames = steps as usize + 1;
    notes.push(Note::info(format!(
        "sampled at {hz} frames per second from {start_s} s to {end_s} s, {frames} frames: {why}"
    )));
    Ok(Instants { times: Times::Uniform { start_s, frame_s, frames }, at_keys: false })
}

/// Whether all have the keys' times of the first, none of them twice.
fn share_times(first: &Curve<1>, curves: &[&Curve<1>]) -> bool {
    let forward = first.keys.windows(2).all(|pair| pair[0].time_s < pair[1].time_s);
    forward
        && curves.iter().all(|curve| {
            curve.keys.len() == first.keys.len()
                && curve.keys.iter().zip(&first.keys).all(|(a, b)| a.time_s.to_bits() == b.time_s.to_bits())
        })
}

/// A bound of how far the curve leaves the straight lines between its keys, where, and its name; `None` if it does not.
fn largest_bend<'a>(curve: &&'a Curve<1>) -> Option<(f64, f32, &'a str)> {
    let mut largest: Option<(f64, f32, &str)> = None;
    for pair in curve.keys.windows(2) {
        let (from, to) = (&pair[0], &pair[1]);
        let (start, end) = (f64::from(from.value[0]), f64::from(to.value[0]));
        let rise = end - start;
        let (leaving, arriving) = (from.out_slope[0], to.in_slope[0]);
        let bend = if leaving.is_infinite() || arriving.is_infinite() {
            rise.abs()
        } else {
            let step_s = f64::from(to.time_s) - f64::from(from.time_s);
            // The steepest slope there is stands for lines that are steeper.
            let off = |slope: f32, weight: f64| match slope.abs() == f32::MAX {
                true => 0.0,
                false => weight * (f64::from(slope) * step_s - rise).abs(),
            };
            // A cubic stays within 4/9 of the larger of its two inner control points' distances from the chord, on
            // each side.
            let (weight_from, weight_to) = weights(from, to, 0).unwrap_or((1.0 / 3.0, 1.0 / 3.0));
            4.0 / 9.0 * (off(leaving, weight_from) + off(arriving, weight_to))
        };
        if bend > STRAIGHT * start.abs().max(end.abs()).max(1.0)
            && largest.is_none_or(|(most, ..)| bend > most)
        {
            largest = Some((bend, from.time_s, curve.binding.attribute.as_str()));
        }
    }
    largest
}
