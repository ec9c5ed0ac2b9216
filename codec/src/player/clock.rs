//! From a time to the two frames around it.

use crate::clip::Times;

/// A frame, and how far from it to the next one a time lies, 0 up to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moment {
    pub(super) frame: usize,
    pub(super) fraction: f32,
}

/// The frames' times, ready to be searched.
#[derive(Debug)]
pub(super) struct Clock {
    times: Times,
    /// For each frame the latest time up to it, where times step back and so cannot be searched themselves.
    latest: Vec<f64>,
}

impl Clock {
    pub(super) fn new(times: Times) -> Clock {
        let mut latest = Vec::new();
        if let Times::Explicit(times) = &times
            && times.windows(2).any(|pair| pair[1] < pair[0])
        {
            latest = times
                .iter()
                .scan(f64::NEG_INFINITY, |latest, &time| {
                    *latest = latest.max(time);
                    Some(*latest)
                })
                .collect();
        }
        Clock { times, latest }
    }

    pub(super) fn times(&self) -> &Times {
        &self.times
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let times = match &self.times {
            Times::Uniform { .. } => 0,
            Times::Explicit(times) => times.capacity(),
        };
        (times + self.latest.capacity()) * size_of::<f64>()
    }

    /// The last frame before which no time is beyond `time_s`, and how far it is to the next. Times before the first frame
    /// count as the first, times past the last as the last. There must be a frame; `hint` is one near the answer, if any is.
    #[inline]
    pub(super) fn locate(&self, time_s: f64, hint: usize) -> Moment {
        let last = self.times.len().saturating_sub(1);
        let (frame, start_s, end_s) = match &self.times {
            Times::Uniform { start_s, frame_s, .. } => {
                let time_of = |frame: usize| start_s + frame as f64 * frame_s;
                // A cast holds what is below 0 or beyond all frames, and rounding is off by a frame at most.
                let mut frame = (((time_s - start_s) / frame_s) as usize).min(last);
                if frame > 0 && time_of(frame) > time_s {
                    frame -= 1;
                } else if frame < last && time_of(frame + 1) <= time_s {
                    frame += 1;
                }
                (frame, time_of(frame), time_of(frame + 1))
            }
            Times::Explicit(times) => {
                let ordered = if self.latest.is_empty() { times } else { &self.latest };
                let holds =
                    |frame: usize| frame < last && ordered[frame] <= time_s && time_s < ordered[frame + 1];
                let frame = if holds(hint) {
                    hint
                } else if holds(hint + 1) {
                    hint + 1
                } else {
                    ordered.partition_point(|&time| time <= time_s).saturating_sub(1)
                };
                (frame, times[frame], if frame < last { times[frame + 1] } else { times[frame] })
            }
        };
        if frame == last || time_s <= start_s {
            return Moment { frame, fraction: 0.0 };
        }
        Moment { frame, fraction: ((time_s - start_s) / (end_s - start_s)) as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_times_are_their_frames_and_others_lie_between() {
        let uniform = |start_s| Times::Uniform { start_s, frame_s: 1.0 / 60.0, frames: 1000 };
        let jittering = (0..1000).map(|i| f64::from(i) / 60.0 + f64::from(i * 7 % 5) * 0.001).collect();
        for times in [uniform(0.0), uniform(1.1), uniform(-7.3), Times::Explicit(jittering)] {
            let clock = Clock::new(times.clone());
            for (frame, time) in times.iter().enumerate() {
                for hint in [0, frame.saturating_sub(1), frame, frame + 3, 999] {
                    assert_eq!(clock.locate(time, hint), Moment { frame, fraction: 0.0 });
                    if let Some(next) = times.get(frame + 1) {
                        let moment = clock.locate(time * 0.75 + next * 0.25, hint);
                        assert_eq!(moment.frame, frame);
                        assert!((moment.fraction - 0.25).abs() < 1e-4);
                    }
                }
            }
            assert_eq!(clock.locate(f64::NEG_INFINITY, 5), Moment { frame: 0, fraction: 0.0 });
            assert_eq!(clock.locate(1e300, 5), Moment { frame: 999, fraction: 0.0 });
        }
    }

    #[test]
    fn repeated_and_backward_times_have_an_answer() {
        let clock = Clock::new(Times::Explicit(vec![0.0, 1.0, 1.0, 0.5, 2.0]));
        assert_eq!(clock.locate(1.0, 0), Moment { frame: 3, fraction: (0.5f64 / 1.5) as f32 });
        assert_eq!(clock.locate(0.25, 0), Moment { frame: 0, fraction: 0.25 });
        assert_eq!(clock.locate(1.25, 3), Moment { frame: 3, fraction: 0.5 });
        assert_eq!(clock.locate(2.0, 3), Moment { frame: 4, fraction: 0.0 });
        let clock = Clock::new(Times::Explicit(vec![3.0]));
        assert_eq!(clock.locate(3.5, 9), Moment { frame: 0, fraction: 0.0 });
    }
}
