//! What `sinew info` counts in a clip. Nothing here is ever NaN or infinite: what is not defined is absent.

use serde::Serialize;
use sinew::Clip;

/// Times and values of a clip in figures.
#[derive(Debug, Serialize)]
pub(crate) struct ClipStats {
    /// Last time minus first; 0 for fewer than two frames.
    pub duration_s: Option<f64>,
    /// Time of the first frame.
    pub start_s: Option<f64>,
    /// Intervals over the whole span, not over one step.
    pub mean_fps: Option<f64>,
    pub min_dt_s: Option<f64>,
    pub max_dt_s: Option<f64>,
    /// Whether steps differ by more than a 32-bit time can help.
    pub irregular: bool,
    pub backward_steps: u64,
    pub equal_steps: u64,
    /// Samples of all tracks.
    pub values: u64,
    pub non_finite: u64,
    /// Share of the muscles' finite and infinite samples outside [-1, 1] in percent.
    pub outside_percent: Option<f64>,
}

impl ClipStats {
    pub fn of(clip: &Clip) -> ClipStats {
        let steps = clip.times.step_range_s();
        let neighbours = || clip.times.iter().zip(clip.times.iter().skip(1));
        let (mut non_finite, mut outside, mut muscle_values) = (0u64, 0u64, 0u64);
        for ((track, _), samples) in clip.component_tracks().zip(&clip.samples) {
            non_finite += samples.iter().filter(|value| !value.is_finite()).count() as u64;
            if clip.tracks[track].muscle_index().is_some() {
                outside += samples.iter().filter(|value| value.abs() > 1.0).count() as u64;
                muscle_values += samples.len() as u64;
            }
        }
        ClipStats {
            duration_s: finite(clip.times.span_s()),
            start_s: clip.times.get(0),
            mean_fps: clip.times.mean_hz(),
            min_dt_s: steps.and_then(|(low, _)| finite(low)),
            max_dt_s: steps.and_then(|(_, high)| finite(high)),
            irregular: steps.is_some_and(|(low, high)| high - low > 2.0 * clock_resolution_s(clip)),
            backward_steps: neighbours().filter(|(a, b)| b < a).count() as u64,
            equal_steps: neighbours().filter(|(a, b)| b == a).count() as u64,
            values: clip.frames() as u64 * clip.components() as u64,
            non_finite,
            outside_percent: (muscle_values > 0).then(|| 100.0 * outside as f64 / muscle_values as f64),
        }
    }
}

/// The difference of two finite times may still be beyond f64.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Spacing of 32-bit times at the clip's largest time: a step cannot be told more exactly than that.
fn clock_resolution_s(clip: &Clip) -> f64 {
    let largest = clip.times.iter().fold(0.0f64, |largest, time| largest.max(time.abs())) as f32;
    if largest.is_finite() { f64::from(largest.next_up()) - f64::from(largest) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Times;

    fn stats(times: Vec<f64>) -> ClipStats {
        let mut clip = Clip::empty(vec![]);
        clip.times = Times::Explicit(times);
        ClipStats::of(&clip)
    }

    #[test]
    fn a_regular_capture_stays_regular_in_32_bits_even_after_hours() {
        for start in [0.0f64, 100.0, 36_000.0] {
            let times = (0..200).map(|i| f64::from((start + f64::from(i) / 60.0) as f32)).collect();
            let stats = stats(times);
            assert!(!stats.irregular, "{start}");
            assert!((stats.mean_fps.expect("a rate") - 60.0).abs() < 0.1);
        }
        assert!(stats(vec![0.0, 0.018, 0.048]).irregular);
    }

    #[test]
    fn steps_back_and_equal_steps_are_counted() {
        let stats = stats(vec![0.0, 1.0, 2.0, 2.0, 1.0, 3.0, 3.0]);
        assert_eq!((stats.backward_steps, stats.equal_steps, stats.min_dt_s), (1, 2, Some(-1.0)));
    }

    #[test]
    fn spans_beyond_f64_have_no_figure() {
        let stats = stats(vec![-1e308, 1e308]);
        assert_eq!((stats.duration_s, stats.mean_fps, stats.max_dt_s), (None, None, None));
    }

    #[test]
    fn few_frames_have_no_rate() {
        for times in [vec![], vec![7.0], vec![7.0, 7.0]] {
            let stats = stats(times);
            assert_eq!((stats.duration_s, stats.mean_fps), (Some(0.0), None));
        }
    }
}
