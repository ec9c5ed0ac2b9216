//! Resampling: a clip at a fixed rate, by time.

use crate::error::{Error, Result};
use crate::load::frame_time_s;
use crate::note::Note;
use sinew::{Clip, DecodeLimits, JointAxis, Times, TrackKind};

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
    let mut moving = forward(&clip.times);
    let first = moving.next();
    let (kept, last) =
        moving.fold((usize::from(first.is_some()), first), |(kept, _), next| (kept + 1, Some(next)));
    let dropped = clip.frames() - kept;
    if dropped > 0 {
        notes.push(Note::loss(format!("{dropped} frames whose time does not move forward")));
    }

    // 2. The new instants.
    let (start_s, span_s) = match (first, last) {
        (Some(first), Some(last)) => (first.time_s, last.time_s - first.time_s),
        _ => (0.0, 0.0),
    };
    let steps = (span_s * hz + END_SLACK_FRAMES).floor();
    let limit = DecodeLimits::default().max_samples as f64 / clip.components().max(1) as f64;
    // An infinite or undefined span is too long as well.
    if kept > 0 && (!steps.is_finite() || steps + 1.0 > limit) {
        return Err(Error::invalid(format!("{hz:?} frames a second over {span_s:?} s are too many frames")));
    }
    let frames = if kept == 0 { 0 } else { steps as usize + 1 };
    // A lone frame stands at the start, however few frames the end is away.
    let reaches_end = (steps > 0.0 || span_s == 0.0) && (steps - span_s * hz).abs() <= END_SLACK_FRAMES;

    // 3. The values there, frame by frame: a list of places would weigh as much as some tracks do.
    let mut samples: Vec<Vec<f32>> = clip.samples.iter().map(|_| Vec::with_capacity(frames)).collect();
    let axes = clip.channel_axes();
    if let (Some(first), Some(last)) = (first, last) {
        let mut walk = Walk::new(first, forward(&clip.times).skip(1));
        for frame in 0..frames {
            let time_s = start_s + frame as f64 * frame_s;
            let place = match walk.place_at(time_s) {
                Some(place) if frame + 1 < frames || !reaches_end => place,
                _ => Place { a: last.frame, b: last.frame, part: 0.0 },
            };
            push_frame(clip, &axes, place, &mut samples);
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

/// A frame and its time.
#[derive(Debug, Clone, Copy)]
struct Instant {
    time_s: f64,
    frame: usize,
}

/// The frames whose time is later than that of every frame before.
fn forward(times: &Times) -> impl Iterator<Item = Instant> + '_ {
    let mut latest_s = None;
    times.iter().enumerate().filter_map(move |(frame, time_s)| {
        let moves = latest_s.is_none_or(|latest_s| time_s > latest_s);
        moves.then(|| {
            latest_s = Some(time_s);
            Instant { time_s, frame }
        })
    })
}

/// Between which two frames an instant lies, and how far from the first to the second, from 0 to 1.
#[derive(Debug, Clone, Copy)]
struct Place {
    a: usize,
    b: usize,
    part: f64,
}

/// Goes along the forward frames once.
struct Walk<I> {
    this: Instant,
    next: Option<Instant>,
    rest: I,
}

impl<I: Iterator<Item = Instant>> Walk<I> {
    fn new(first: Instant, mut rest: I) -> Walk<I> {
        Walk { this: first, next: rest.next(), rest }
    }

    /// The place of an instant that is not earlier than those asked for before; `None` from the last frame on.
    fn place_at(&mut self, time_s: f64) -> Option<Place> {
        while let Some(next) = self.next.filter(|next| next.time_s <= time_s) {
            self.this = next;
            self.next = self.rest.next();
        }
        let (this, next) = (self.this, self.next?);
        let part = (time_s - this.time_s) / (next.time_s - this.time_s);
        Some(Place { a: this.frame, b: next.frame, part })
    }
}

/// Appends the values at a place, one to each array.
fn push_frame(clip: &Clip, axes: &[JointAxis], place: Place, samples: &mut [Vec<f32>]) {
    let mut first = 0;
    for (number, track) in clip.tracks.iter().enumerate() {
        let range = first..first + track.components();
        first = range.end;
        let (from, to) = (&clip.samples[range.clone()], &mut samples[range]);
        if track.kind() == TrackKind::Rotation {
            push_rotation(from, place, to);
        } else {
            let is_angle = axes.get(number).is_some_and(|axis| axis.is_rotation());
            let mix = if is_angle { mix_degrees } else { mix };
            for (values, out) in from.iter().zip(to) {
                out.push(mix(values[place.a], values[place.b], place.part));
            }
        }
    }
}

/// Linear between two samples; exactly the first at part 0.
fn mix(a: f32, b: f32, part: f64) -> f32 {
    if part == 0.0 { a } else { (f64::from(a) * (1.0 - part) + f64::from(b) * part) as f32 }
}

/// Linear between an angle and the nearest equivalent of another.
fn mix_degrees(a: f32, b: f32, part: f64) -> f32 {
    let turns = ((f64::from(b) - f64::from(a)) / 360.0).round();
    if part == 0.0 || turns == 0.0 || !turns.is_finite() {
        return mix(a, b, part);
    }
    (f64::from(a) * (1.0 - part) + (f64::from(b) - 360.0 * turns) * part) as f32
}

/// A unit quaternion between neighbours, the shorter way.
fn push_rotation(arrays: &[Vec<f32>], place: Place, out: &mut [Vec<f32>]) {
    let Place { a, b, part } = place;
    let at =
        |frame: usize| -> [f64; 4] { std::array::from_fn(|component| f64::from(arrays[component][frame])) };
    let (from, to) = (at(a), at(b));
    let dot: f64 = from.iter().zip(&to).map(|(x, y)| x * y).sum();
    // A quaternion and its negative are the same rotation: neighbours may differ in sign.
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let mixed: [f64; 4] = std::array::from_fn(|i| from[i] * (1.0 - part) + sign * to[i] * part);
    let length = mixed.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (component, values) in out.iter_mut().enumerate() {
        values.push(if part == 0.0 || length == 0.0 {
            arrays[component][a]
        } else {
            (mixed[component] / length) as f32
        });
    }
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

    #[test]
    fn angles_of_a_skeleton_take_the_shorter_way_and_other_values_do_not() {
        use sinew::{Joint, JointAxis, Rig};
        let names = ["Hips.Xposition", "Hips.Zrotation", "grip"];
        let mut clip = Clip::empty(names.map(|name| Track::new(name, TrackKind::Scalar)).to_vec());
        let axes = vec![JointAxis::PositionX, JointAxis::RotationZ];
        let joint = Joint { name: "Hips".into(), parent: None, offset: [0.0; 3], axes };
        clip.rig = Some(Rig { joints: vec![joint] });
        clip.times = Times::Explicit(vec![0.0, 1.0, 2.0, 3.0]);
        clip.samples = vec![vec![179.0, -179.0, 541.0, 550.0]; 3];
        let (fine, _) = resample(&clip, 2.0).expect("a good rate");
        let straight = [179.0, 0.0, -179.0, 181.0, 541.0, 545.5, 550.0];
        assert_eq!(fine.samples[0], straight);
        assert_eq!(fine.samples[1], [179.0, 180.0, -179.0, -179.0, 541.0, 545.5, 550.0]);
        assert_eq!(fine.samples[2], straight);
        clip.samples[1][1] = f32::INFINITY;
        assert!(resample(&clip, 2.0).is_ok_and(|(fine, _)| fine.samples[1][1] == f32::INFINITY));
    }
}
