//! One frame time for any times: the target holds nothing else.

use crate::note::Note;
use sinew::Times;

/// Frame time in seconds of clips whose own is not defined: fewer than two frames, or a span that is none.
const USUAL_FRAME_S: f64 = 1.0 / 60.0;

/// Shifts up to this are the rounding of times that were stored as f32.
const SMALL_SHIFT_S: f64 = 1e-6;

/// The frame time in seconds, positive and finite, under which every frame is kept, and what is lost by it: a start
/// time other than 0, and the steps of irregular times, for which the frame time is the span over the steps.
pub(crate) fn uniform_of(times: &Times) -> (f64, Vec<Note>) {
    let start_s = times.get(0).unwrap_or(0.0);
    let start = (start_s != 0.0).then(|| format!("the start time of {} s", short(start_s)));
    let frame_s = match times {
        Times::Uniform { frame_s, .. } => *frame_s,
        Times::Explicit(_) => mean_step_s(times).unwrap_or(USUAL_FRAME_S),
    };
    let shift = largest_shift(times, start_s, frame_s).map(|(shift_s, frame)| {
        let (step, shift_ms) = (short(frame_s), short(shift_s * 1e3));
        format!("irregular times: frames are put {step} s apart, by {shift_ms} ms at most (frame {frame})")
    });
    let texts: Vec<String> = shift.into_iter().chain(start).collect();
    let notes = if texts.is_empty() { Vec::new() } else { vec![Note::loss(texts.join("; "))] };
    (frame_s, notes)
}

fn mean_step_s(times: &Times) -> Option<f64> {
    let steps = times.len().checked_sub(1).filter(|&steps| steps > 0)?;
    Some(times.span_s() / steps as f64).filter(|step_s| step_s.is_finite() && *step_s > 0.0)
}

/// How far a frame is moved at most, in seconds, and which; `None` if none is.
fn largest_shift(times: &Times, start_s: f64, frame_s: f64) -> Option<(f64, usize)> {
    let Times::Explicit(times) = times else { return None };
    let mut largest = None;
    for (frame, time_s) in times.iter().enumerate() {
        let shift_s = (time_s - start_s - frame as f64 * frame_s).abs();
        if shift_s > largest.map_or(SMALL_SHIFT_S, |(known, _)| known) {
            largest = Some((shift_s, frame));
        }
    }
    largest
}

/// A time for people: at most six decimals, or an exponent where they would show nothing.
fn short(value: f64) -> String {
    if !(1e-3..1e9).contains(&value.abs()) {
        return format!("{value:.2e}");
    }
    format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(times: Times) -> (f64, String) {
        let (frame_s, notes) = uniform_of(&times);
        assert!(notes.len() < 2 && notes.iter().all(Note::is_loss));
        (frame_s, notes.into_iter().map(|note| note.text).collect())
    }

    #[test]
    fn regular_times_from_zero_lose_nothing() {
        let times = Times::Uniform { start_s: 0.0, frame_s: 0.1, frames: 7 };
        assert_eq!(text(times), (0.1, String::new()));
        assert_eq!(text(Times::Explicit(vec![0.0, 0.25, 0.5])), (0.25, String::new()));
        assert_eq!(text(Times::Explicit(vec![])), (1.0 / 60.0, String::new()));
        assert_eq!(text(Times::Explicit(vec![0.0])), (1.0 / 60.0, String::new()));
    }

    #[test]
    fn shifts_and_starts_are_told_in_one_line() {
        let start = "the start time of 2.5 s";
        assert_eq!(text(Times::Explicit(vec![2.5])), (1.0 / 60.0, start.into()));
        assert_eq!(text(Times::Uniform { start_s: 2.5, frame_s: 0.5, frames: 3 }), (0.5, start.into()));
        let irregular = "irregular times: frames are put 0.5 s apart, by 125 ms at most (frame 1)";
        assert_eq!(text(Times::Explicit(vec![0.0, 0.625, 1.0])), (0.5, irregular.into()));
        let both = format!("{irregular}; {start}");
        assert_eq!(text(Times::Explicit(vec![2.5, 3.125, 3.5])), (0.5, both));
    }

    #[test]
    fn times_are_told_in_few_digits() {
        let told =
            [(0.022199997678399086, "0.0222"), (-2.0, "-2"), (0.00012345, "1.23e-4"), (1e300, "1.00e300")];
        for (value, text) in told {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn times_that_go_nowhere_get_the_usual_step() {
        for times in [vec![1.0, 1.0, 1.0], vec![3.0, 2.0, 1.0], vec![-1e308, 0.0, 1e308]] {
            let (frame_s, text) = text(Times::Explicit(times));
            assert_eq!(frame_s, 1.0 / 60.0);
            assert!(text.starts_with("irregular times: frames are put 0.01666"), "{text}");
        }
    }
}
