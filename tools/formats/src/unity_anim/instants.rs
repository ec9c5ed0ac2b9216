//! When a clip's frames are: at the keys where all curves share them, else at a rate.

use super::evaluate::Segment;
use super::packed::PackedCurve;
use crate::error::Result;
use crate::load::frame_time_s;
use crate::note::Note;
use sinew::{DecodeLimits, Times};
use std::rc::Rc;

/// Keys a second from which on curves are a recording, whose keys are its frames.
///
/// Animators set a few keys a second and let the curves bend between them; recorders set one a frame.
const RECORDED_HZ: f64 = 10.0;
/// How far from a straight line a segment may be, for a value of 1, to count as straight.
const STRAIGHT: f64 = 1e-6;
/// How near to the last key the last frame is taken for it, in frames.
const END_SLACK_FRAMES: f64 = 0.01;

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
    curves: &[PackedCurve],
    rate_hz: f32,
    asked_hz: Option<f64>,
    limits: &DecodeLimits,
    notes: &mut Vec<Note>,
) -> Result<Instants> {
    let moving: Vec<&PackedCurve> = curves.iter().filter(|curve| curve.len() > 1).collect();
    let first_s = |curve: &PackedCurve| curve.times_s.first().map(|&time_s| f64::from(time_s));
    let Some(first) = moving.first() else {
        let start_s = curves.iter().filter_map(first_s).reduce(f64::min);
        return Ok(Instants::of_keys(start_s.into_iter().collect()));
    };
    let why = match asked_hz {
        Some(_) => "as asked",
        None if !share_times(first, &moving) => "the curves have keys at different times",
        None => {
            let times: Vec<f64> = first.times_s.iter().map(|&time_s| f64::from(time_s)).collect();
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
    let start_s = moving.iter().filter_map(|curve| first_s(curve)).reduce(f64::min).unwrap_or(0.0);
    let ends_s = moving.iter().filter_map(|curve| curve.times_s.last());
    let end_s = ends_s.map(|&time_s| f64::from(time_s)).fold(start_s, f64::max);
    let hz = asked_hz.unwrap_or(f64::from(rate_hz));
    let frame_s = frame_time_s(hz)?;
    let exact_steps = (end_s - start_s) * hz;
    let steps = match asked_hz {
        // As other clips are resampled: as many frames as the span holds.
        Some(_) => (exact_steps + END_SLACK_FRAMES).floor(),
        // Unasked, no end is cut off: beyond the last key curves stay as they are.
        None => (exact_steps - END_SLACK_FRAMES).ceil().max(0.0),
    };
    let components: usize = curves.iter().map(PackedCurve::components).sum();
    if (steps + 1.0) * components as f64 > limits.max_samples as f64 {
        return Err(sinew::Error::LimitExceeded { what: "number of samples" }.into());
    }
    let frames = steps as usize + 1;
    let tail_ms = 1e3 * (end_s - start_s - steps * frame_s);
    let tail = match exact_steps - steps > END_SLACK_FRAMES {
        true => format!("; {tail_ms:.2} ms at the end left out"),
        false => String::new(),
    };
    notes.push(Note::info(format!(
        "sampled at {hz} frames per second from {start_s} s to {end_s} s, {frames} frames: {why}{tail}"
    )));
    Ok(Instants { times: Times::Uniform { start_s, frame_s, frames }, at_keys: false })
}

/// Whether all have the keys' times of the first, none of them twice.
fn share_times(first: &PackedCurve, curves: &[&PackedCurve]) -> bool {
    let same = |times_s: &Rc<[f32]>| {
        Rc::ptr_eq(times_s, &first.times_s)
            || (times_s.len() == first.len()
                && times_s.iter().zip(first.times_s.iter()).all(|(a, b)| a.to_bits() == b.to_bits()))
    };
    first.times_s.windows(2).all(|pair| pair[0] < pair[1]) && curves.iter().all(|curve| same(&curve.times_s))
}

/// A bound of how far the curve leaves the straight lines between its keys, where, and its name; `None` if it does not.
fn largest_bend(curve: &PackedCurve) -> Option<(f64, f32, String)> {
    let mut largest: Option<(f64, f32, usize)> = None;
    for component in 0..curve.components() {
        for index in 0..curve.len() - 1 {
            let segment = curve.segment(component, index);
            let size = segment.values.iter().fold(1.0, |size, &value| f64::from(value).abs().max(size));
            let bend = bend(&segment);
            if bend > STRAIGHT * size && largest.is_none_or(|(most, ..)| bend > most) {
                largest = Some((bend, segment.times_s[0], component));
            }
        }
    }
    largest.map(|(bend, time_s, component)| (bend, time_s, curve.component_name(component)))
}

/// How far a segment can be from its straight line at most.
fn bend(segment: &Segment) -> f64 {
    let rise = f64::from(segment.values[1]) - f64::from(segment.values[0]);
    if segment.is_step() {
        return rise.abs();
    }
    let (step_s, lengths) = (segment.step_s(), segment.tangent_lengths());
    // The steepest slope there is stands for lines that are steeper.
    let off = |side: usize| match segment.slopes[side].abs() == f32::MAX {
        true => 0.0,
        false => lengths[side] * (f64::from(segment.slopes[side]) * step_s - rise).abs(),
    };
    // A cubic stays within 4/9 of the larger of its two inner control points' distances from the chord, on each side.
    4.0 / 9.0 * (off(0) + off(1))
}
