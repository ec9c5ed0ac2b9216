//! Keyed motions to a clip: the keys as frames where all tracks share their times, else sampled at a rate.

use super::keyed::{Interpolation, KeyedTrack};
use crate::error::{Error, Result};
use crate::load::frame_time_s;
use crate::note::Note;
use crate::quote::shown;
use sinew::{DecodeLimits, Times, TrackKind};

/// How near to the last key the last frame is taken for it, in frames.
const END_SLACK_FRAMES: f64 = 0.01;

/// Tracks with a value at every frame.
pub(super) struct Sampled {
    pub times: Times,
    /// `[component][frame]` of each track.
    pub values: Vec<Vec<Vec<f32>>>,
}

/// Gives every track a value at every frame. Tracks without keys have none: there must not be any.
///
/// # Errors
/// [`Error::InvalidInput`] for a rate that is not positive; [`Error::Codec`] for more samples than the limit.
pub(super) fn sample(
    tracks: Vec<KeyedTrack>,
    fps: Option<f64>,
    asked_hz: Option<f64>,
    limits: &DecodeLimits,
    notes: &mut Vec<Note>,
) -> Result<Sampled> {
    let components: usize = tracks.iter().map(|track| track.kind.components()).sum();
    if components > limits.max_components as usize {
        return Err(sinew::Error::LimitExceeded { what: "number of components" }.into());
    }
    let check = |frames: f64| match frames * components.max(1) as f64 > limits.max_samples as f64 {
        true => Err(Error::from(sinew::Error::LimitExceeded { what: "number of samples" })),
        false => Ok(()),
    };
    let first_moving = tracks.iter().find(|track| track.times_s.len() > 1);
    let share = |first: &KeyedTrack| {
        tracks.iter().all(|track| track.times_s.len() == 1 || track.times_s == first.times_s)
    };
    let at_keys = match (asked_hz, first_moving) {
        (Some(_), _) => None,
        (None, Some(first)) => share(first).then(|| first.times_s.clone()),
        (None, None) => {
            Some(tracks.iter().filter_map(|track| track.times_s.first().copied()).take(1).collect())
        }
    };
    if let Some(times_s) = at_keys {
        check(times_s.len() as f64)?;
        tell_of_curves(&tracks, notes);
        let values = tracks.into_iter().map(|track| by_component(track, times_s.len())).collect();
        return Ok(Sampled { times: Times::Explicit(times_s), values });
    }

    // Keys in order of time: a rate needs to know what comes after what.
    let mut tracks = tracks;
    let unsorted = tracks.iter_mut().filter_map(sort).count();
    if unsorted > 0 {
        notes.push(Note::info(format!("the keys of {unsorted} tracks are sorted by their times")));
    }
    let ends = tracks.iter().filter_map(|track| Some((*track.times_s.first()?, *track.times_s.last()?)));
    let (start_s, end_s) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0.0, 0.0));
    let densest = tracks.iter().map(|track| track.times_s.len()).max().unwrap_or(1);
    let span_s = end_s - start_s;
    let (hz, why) = match (asked_hz, fps.filter(|hz| *hz > 0.0)) {
        (Some(hz), _) => (hz, "as asked"),
        (None, Some(hz)) => (hz, "the tracks have keys at different times"),
        (None, None) if span_s > 0.0 => (
            (densest - 1).max(1) as f64 / span_s,
            "the tracks have keys at different times, and the file tells no rate",
        ),
        (None, None) => (1.0, "the tracks have keys at different times"),
    };
    let frame_s = frame_time_s(hz)?;
    let exact_steps = span_s * hz;
    let steps = match asked_hz {
        Some(_) => (exact_steps + END_SLACK_FRAMES).floor(),
        // Unasked, no end is cut off.
        None => (exact_steps - END_SLACK_FRAMES).ceil().max(0.0),
    };
    if !(start_s + steps * frame_s).is_finite() {
        return Err(sinew::Error::LimitExceeded { what: "number of samples" }.into());
    }
    check(steps + 1.0)?;
    let frames = steps as usize + 1;
    notes.push(Note::info(format!(
        "sampled at {hz} frames per second from {start_s} s to {end_s} s, {frames} frames: {why}"
    )));
    let values = tracks.iter().map(|track| resampled(track, start_s, frame_s, frames)).collect();
    Ok(Sampled { times: Times::Uniform { start_s, frame_s, frames }, values })
}

/// Tells of what runs otherwise than in straight lines between the keys that become frames.
fn tell_of_curves(tracks: &[KeyedTrack], notes: &mut Vec<Note>) {
    for (kind, text) in [
        (Interpolation::Step, "hold their values between keys"),
        (Interpolation::Smooth, "run in smooth curves between keys"),
    ] {
        let mut others = tracks.iter().filter(|track| track.interpolation == kind && track.times_s.len() > 1);
        if let Some(first) = others.next() {
            notes.push(Note::loss(format!(
                "{} tracks {text} ({} first); a clip has straight lines between frames",
                others.count() + 1,
                shown(&first.name())
            )));
        }
    }
}

/// The values of a track whose keys are the frames, or of one key for all frames.
fn by_component(track: KeyedTrack, frames: usize) -> Vec<Vec<f32>> {
    let width = track.kind.components();
    (0..width)
        .map(|component| match track.times_s.len() {
            1 => vec![track.values[component]; frames],
            _ => track.values.iter().skip(component).step_by(width).copied().collect(),
        })
        .collect()
}

/// Sorts keys by time; of equal times the file's order stays. Nothing if they were in order.
fn sort(track: &mut KeyedTrack) -> Option<()> {
    if track.times_s.windows(2).all(|pair| pair[0] <= pair[1]) {
        return None;
    }
    let mut order: Vec<usize> = (0..track.times_s.len()).collect();
    order.sort_by(|&a, &b| track.times_s[a].total_cmp(&track.times_s[b]));
    track.values = order.iter().flat_map(|&key| track.value(key).to_vec()).collect();
    track.times_s = order.iter().map(|&key| track.times_s[key]).collect();
    Some(())
}

/// The track at `frames` instants.
fn resampled(track: &KeyedTrack, start_s: f64, frame_s: f64, frames: usize) -> Vec<Vec<f32>> {
    let mut values: Vec<Vec<f32>> =
        (0..track.kind.components()).map(|_| Vec::with_capacity(frames)).collect();
    let mut after = 0;
    for frame in 0..frames {
        let time_s = start_s + frame as f64 * frame_s;
        while track.times_s.get(after).is_some_and(|&key_s| key_s <= time_s) {
            after += 1;
        }
        let last = track.times_s.len() - 1;
        let (a, b) = (after.saturating_sub(1), after.min(last));
        let span_s = track.times_s[b] - track.times_s[a];
        let part = match span_s > 0.0 && track.interpolation != Interpolation::Step {
            true => ((time_s - track.times_s[a]) / span_s).clamp(0.0, 1.0),
            false => 0.0,
        };
        let value = between(track.kind, track.value(a), track.value(b), part);
        values.iter_mut().zip(value).for_each(|(values, value)| values.push(value));
    }
    values
}

/// A value part of the way from one key to the next.
fn between(kind: TrackKind, a: &[f32], b: &[f32], part: f64) -> [f32; 4] {
    let mut value = [0.0; 4];
    if part == 0.0 {
        value[..a.len()].copy_from_slice(a);
        return value;
    }
    let dot: f64 = a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
    let norm = |v: &[f32]| v.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    let cosine = dot / (norm(a) * norm(b));
    let (from, to) = match kind {
        // Along the arc, the shorter way.
        TrackKind::Rotation if cosine.is_finite() && cosine.abs() < 1.0 => {
            let angle = cosine.abs().acos();
            let (from, to) = (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin());
            (from, to * cosine.signum())
        }
        TrackKind::Rotation if cosine < 0.0 => (1.0 - part, -part),
        _ => (1.0 - part, part),
    };
    for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
        value[index] =
            (f64::from(a) * from + f64::from(b) * to).clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32;
    }
    value
}
