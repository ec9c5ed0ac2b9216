//! Resampling: a clip at a fixed rate, by time.

use crate::error::{Error, Result};
use crate::load::frame_time_s;
use crate::note::Note;
use sinew::{Clip, DecodeLimits, Times, TrackKind};

/// How near to the clip's end its last frame is taken, in frames: clocks of float32 times miss whole steps by less.
const END_SLACK_FRAMES: f64 = 0.01;

/// The clip at `hz` frames a second, interpolated linearly by time between the frames that it has.
///
/// There are `floor(span * hz + 0.01) + 1` frames from the first instant on; a last one within a hundredth of a frame
/// of the clip's end holds the values of the clip's last frame. A note tells both counts and how much of the end is
/// beyond the last frame. Rotations are interpolated along the shorter way and kept at unit length. Frames whose time
/// is not later than that of every frame before are left out first; a note counts them.
///
/// # Errors
/// [`Error::InvalidInput`] for a rate that is not positive and finite, or one that gives more samples than
/// [`DecodeLimits`] allows by default.
pub fn resample(clip: &Clip, hz: f64) -> Result<(Clip, Vec<Note>)> {
    let frame_s = frame_time_s(hz)?;
    clip.validate()?;
    let mut notes = Vec::new();

    // 1. The frames that move forward in time.
    let mut kept: Vec<(f64, usize)> = Vec::new();
    for (frame, time) in clip.times.iter().enumerate() {
        if kept.last().is_none_or(|&(last, _)| time > last) {
            kept.push((time, frame));
        }
    }
    let dropped = clip.frames() - kept.len();
    if dropped > 0 {
        notes.push(Note::loss(format!("{dropped} frames whose time does not move forward")));
    }

    // 2. The new instants: which two frames each lies between, and how far.
    let (start_s, span_s) = match (kept.first(), kept.last()) {
        (Some(first), Some(last)) => (first.0, last.0 - first.0),
        _ => (0.0, 0.0),
    };
    let steps = (span_s * hz + END_SLACK_FRAMES).floor();
    let limit = DecodeLimits::default().max_samples as f64 / clip.components().max(1) as f64;
    // An infinite or undefined span is too long as well.
    if !kept.is_empty() && (!steps.is_finite() || steps + 1.0 > limit) {
        return Err(Error::invalid(format!("{hz:?} frames a second over {span_s:?} s are too many frames")));
    }
    let frames = if kept.is_empty() { 0 } else { steps as usize + 1 };
    // A lone frame stands at the start, however few frames the end is away.
    let reaches_end = (steps > 0.0 || span_s == 0.0) && (steps - span_s * hz).abs() <= END_SLACK_FRAMES;
    let mut places = Vec::new();
    let mut before = 0;
    for frame in 0..frames {
        let time = start_s + frame as f64 * frame_s;
        while before + 1 < kept.len() && kept[before + 1].0 <= time {
            before += 1;
        }
        places.push(match kept.get(before + 1) {
            Some(&(next_time, next)) if frame + 1 < frames || !reaches_end => {
                let (this_time, this) = kept[before];
                (this, next, (time - this_time) / (next_time - this_time))
            }
            _ => {
                let last = kept[kept.len() - 1].1;
                (last, last, 0.0)
            }
        });
    }

    // 3. The values there.
    let mut samples: Vec<Vec<f32>> = Vec::with_capacity(clip.samples.len());
    let mut first = 0;
    for track in &clip.tracks {
        let arrays = &clip.samples[first..first + track.components()];
        first += track.components();
        if track.kind() == TrackKind::Rotation {
            samples.extend(rotations(arrays, &places));
        } else {
            samples.extend(arrays.iter().map(|values| {
                places.iter().map(|&(a, b, part)| mix(values[a], values[b], part)).collect::<Vec<f32>>()
            }));
        }
    }
    let times = Times::Uniform { start_s, frame_s, frames };
    let tail_ms = if reaches_end { 0.0 } else { 1e3 * (span_s - steps * frame_s).max(0.0) };
    notes.push(Note::info(format!(
        "resampled by time from {} to {frames} frames at {hz:?} per second; {tail_ms:.2} ms at the end left out",
        clip.frames()
    )));
    let clip =
        Clip { tracks: clip.tracks.clone(), samples, times, meta: clip.meta.clone(), rig: clip.rig.clone() };
    Ok((clip, notes))
}

/// Linear between two samples; exactly the first at part 0.
fn mix(a: f32, b: f32, part: f64) -> f32 {
    if part == 0.0 { a } else { (f64::from(a) * (1.0 - part) + f64::from(b) * part) as f32 }
}

/// Unit quaternions between neighbours, the shorter way.
fn rotations(arrays: &[Vec<f32>], places: &[(usize, usize, f64)]) -> Vec<Vec<f32>> {
    let mut out = vec![Vec::with_capacity(places.len()); arrays.len()];
    for &(a, b, part) in places {
        let from: Vec<f64> = arrays.iter().map(|values| f64::from(values[a])).collect();
        let to: Vec<f64> = arrays.iter().map(|values| f64::from(values[b])).collect();
        let dot: f64 = from.iter().zip(&to).map(|(x, y)| x * y).sum();
        // A quaternion and its negative are the same rotation: neighbours may differ in sign.
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        let mixed: Vec<f64> = from.iter().zip(&to).map(|(x, y)| x * (1.0 - part) + sign * y * part).collect();
        let length = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
        for (component, values) in out.iter_mut().enumerate() {
            values.push(if part == 0.0 || length == 0.0 {
                arrays[component][a]
            } else {
                (mixed[component] / length) as f32
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Track;

    /// One scalar track whose value is its time.
    fn clock(times: &[f64]) -> Clip {
        let mut clip = Clip::empty(vec![Track::new("clock", TrackKind::Scalar)]);
        clip.times = Times::Explicit(times.to_vec());
        clip.samples[0] = times.iter().map(|&time| time as f32).collect();
        clip
    }

    #[test]
    fn values_follow_time_not_index() {
        // 61 frames over 1.5628 s.
        let jitter = |i: i32| if i == 60 { 0.0028 } else { f64::from(i % 3) * 0.004 };
        let times: Vec<f64> = (0..61).map(|i| 0.024 + f64::from(i) * 0.026 + jitter(i)).collect();
        let (clip, notes) = resample(&clock(&times), 30.0).expect("a good rate");
        assert_eq!(clip.frames(), 47);
        for (frame, &value) in clip.samples[0].iter().enumerate() {
            assert!((f64::from(value) - (0.024 + frame as f64 / 30.0)).abs() < 1e-6, "frame {frame}");
        }
        let text = "resampled by time from 61 to 47 frames at 30.0 per second; 29.47 ms at the end left out";
        assert_eq!(notes, [Note::info(text)]);
    }

    #[test]
    fn a_last_frame_at_the_end_is_the_last_frame() {
        let (clip, notes) = resample(&clock(&[0.0, 0.5, 1.0]), 30.0).expect("a good rate");
        assert_eq!((clip.frames(), clip.samples[0].last()), (31, Some(&1.0)));
        assert!(notes[0].text.ends_with("; 0.00 ms at the end left out"), "{notes:?}");
        // A clock just short of or beyond a whole number of frames, by less than a hundredth and by more.
        for (end, frames, last) in
            [(0.9998, 31, 0.9998f32), (1.0002, 31, 1.0002), (0.9990, 30, 29.0 / 30.0), (1.0010, 31, 1.0)]
        {
            let (clip, _) = resample(&clock(&[0.0, 0.5, end]), 30.0).expect("a good rate");
            assert_eq!(clip.frames(), frames, "{end}");
            let found = clip.samples[0][frames - 1];
            assert!((found - last).abs() < 1e-6, "{end}: {found}");
            let is_the_last = (end - 1.0).abs() < 0.01 / 30.0;
            assert!(!is_the_last || found == end as f32, "{end}: {found}");
        }
    }

    #[test]
    fn frames_that_do_not_move_forward_are_left_out_and_counted() {
        let (clip, notes) = resample(&clock(&[0.0, 1.0, 2.0, 2.0, 1.0, 3.0, 3.0]), 1.0).expect("a good rate");
        assert_eq!(clip.samples[0], [0.0, 1.0, 2.0, 3.0]);
        assert!(notes[0].is_loss() && notes[0].text.starts_with("3 frames"));
    }

    #[test]
    fn few_frames_and_bad_rates() {
        assert_eq!(resample(&clock(&[]), 30.0).expect("empty").0.frames(), 0);
        assert_eq!(resample(&clock(&[5.0]), 30.0).expect("one").0.samples[0], [5.0]);
        for hz in [0.0, -30.0, f64::NAN, f64::INFINITY] {
            assert!(resample(&clock(&[0.0, 1.0]), hz).is_err());
        }
        let (clip, notes) = resample(&clock(&[2.0, 3.0, 4.0]), 1e-300).expect("a rate");
        assert_eq!(clip.samples[0], [2.0]);
        assert!(notes[0].text.ends_with("at 1e-300 per second; 2000.00 ms at the end left out"), "{notes:?}");
        assert!(resample(&clock(&[0.0, 1e300]), 30.0).is_err());
        assert!(resample(&clock(&[-1e308, 1e308]), 30.0).is_err());
    }

    #[test]
    fn rotations_take_the_shorter_way_at_unit_length() {
        let mut clip = Clip::empty(vec![Track::root_rotation()]);
        clip.times = Times::Explicit(vec![0.0, 1.0]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        clip.samples = vec![vec![0.0, -half], vec![0.0, 0.0], vec![0.0, 0.0], vec![1.0, -half]];
        let (middle, _) = resample(&clip, 2.0).expect("a good rate");
        let angle = 2.0 * f64::from(middle.samples[0][1]).atan2(f64::from(middle.samples[3][1])).to_degrees();
        assert!((angle - 45.0).abs() < 1e-4, "{angle}");
    }
}
