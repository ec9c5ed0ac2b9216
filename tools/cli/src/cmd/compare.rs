//! `sinew compare`: how far one clip is from another, and whether that is near enough.

use crate::Verdict;
use crate::args::CompareArgs;
use crate::input::{Strictness, load};
use crate::json::{Errors, print_json};
use crate::text::{counted, is_stream, one_line, print};
use anyhow::{Result, ensure};
use serde::Serialize;
use sinew::{Clip, Comparison, WorstSample};
use sinew_formats::ReadOptions;

#[derive(Debug, Serialize)]
struct CompareJson {
    reference: String,
    candidate: String,
    /// Why the clips cannot be compared frame by frame; null if they can.
    difference: Option<String>,
    /// Frames and tracks of the reference.
    frames: usize,
    tracks: usize,
    candidate_frames: usize,
    candidate_tracks: usize,
    #[serde(flatten)]
    errors: Errors,
    within: Option<f64>,
    /// Whether the exit status is 0.
    good: bool,
}

pub(crate) fn run(args: &CompareArgs) -> Result<Verdict> {
    ensure!(
        !(is_stream(&args.reference) && is_stream(&args.candidate)),
        "only one of the two clips can come from standard input"
    );
    let read = |path| load(path, None, &ReadOptions::default(), Strictness::Strict);
    let (reference, candidate) = (read(&args.reference)?.loaded.clip, read(&args.candidate)?.loaded.clip);
    if args.within.is_some() {
        ensure!(
            reference.tracks.iter().any(|track| track.muscle_index().is_some()),
            "{}: --within judges muscle values, and there is no muscle track",
            crate::text::shown(&args.reference)
        );
    }

    // Both clips were checked when they were read, so that a refusal means that they cannot be paired.
    let outcome = sinew::compare(&reference, &candidate);
    let verdict = match &outcome {
        Ok(comparison) if is_good(comparison, args.within) => Verdict::Good,
        _ => Verdict::Differs,
    };
    if args.json {
        print_json(&CompareJson {
            reference: args.reference.display().to_string(),
            candidate: args.candidate.display().to_string(),
            difference: outcome.as_ref().err().map(ToString::to_string),
            frames: reference.frames(),
            tracks: reference.tracks.len(),
            candidate_frames: candidate.frames(),
            candidate_tracks: candidate.tracks.len(),
            errors: outcome.as_ref().map(|comparison| Errors::of(comparison, &reference)).unwrap_or_default(),
            within: args.within,
            good: verdict == Verdict::Good,
        })?;
    } else {
        match &outcome {
            Ok(comparison) => print(&report(comparison, &reference, args.within, verdict))?,
            Err(difference) => print(&format!("{difference}\n"))?,
        }
    }
    Ok(verdict)
}

/// Bit-equal without a bound; with one, every muscle value within it.
fn is_good(comparison: &Comparison, within: Option<f64>) -> bool {
    match within {
        None => comparison.equal,
        Some(bound) => comparison.max_muscle.as_ref().is_none_or(|worst| worst.value <= bound),
    }
}

/// An error in six digits; one against a sample that is not finite has none.
fn figure(value: f64) -> String {
    if value.is_finite() { format!("{value:.6e}") } else { "not finite".to_owned() }
}

fn report(comparison: &Comparison, reference: &Clip, within: Option<f64>, verdict: Verdict) -> String {
    let mut lines = vec![format!(
        "compared       {}, {}",
        counted(comparison.frames as u64, "frame"),
        counted(comparison.tracks as u64, "track")
    )];
    let place = |worst: &WorstSample| {
        let time_s = reference.times.get(worst.frame).unwrap_or(0.0);
        format!("{} ({}, frame {}, {time_s:.3} s)", figure(worst.value), one_line(&worst.track), worst.frame)
    };
    if let Some(worst) = &comparison.max_abs {
        lines.push(format!("largest error  {}", place(worst)));
    }
    if let (Some(all), Some(muscle)) = (&comparison.max_abs, &comparison.max_muscle)
        && all != muscle
    {
        lines.push(format!("of a muscle    {}", place(muscle)));
    }
    if let Some(rms) = comparison.rms {
        lines.push(format!("RMS error      {}", figure(rms)));
    }
    if let Some(jitter) = comparison.jitter_rms {
        lines.push(format!("jitter         {} RMS", figure(jitter)));
    }
    if let Some(time) = comparison.max_time_s {
        lines.push(format!("times          within {:.6e} s (frame {})", time.value, time.frame));
    }
    lines.push(match (within, verdict) {
        (None, Verdict::Good) => "equal          every bit of samples and times".into(),
        (None, Verdict::Differs) => "equal          no".into(),
        (Some(bound), Verdict::Good) => format!("within {bound}   yes"),
        (Some(bound), Verdict::Differs) => format!("within {bound}   no"),
    });
    lines.join("\n") + "\n"
}
