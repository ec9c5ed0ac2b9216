//! `sinew compare`: how far one clip is from another, and whether that is near enough.

use crate::Verdict;
use crate::args::CompareArgs;
use crate::figure::rig_of;
use crate::input::{Strictness, load};
use crate::joints::{displaced, displaced_if_posable, has_muscles, worst_text};
use crate::json::{Errors, print_json};
use crate::text::{counted, is_stream, one_line, print};
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sinew::humanoid::{Avatar, Displacement};
use sinew::{Clip, Comparison, WorstSample};
use sinew_formats::ReadOptions;
use sinew_formats::skeleton::HumanRig;
use std::fmt;

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
    within_mm: Option<f64>,
    /// The rig that joints were measured on; null for the reference skeleton.
    rig: Option<String>,
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
    let bound = match (args.within, args.within_mm) {
        (Some(bound), _) => Some(Bound::Muscle(bound)),
        (_, Some(bound)) => Some(Bound::Millimetres(bound)),
        _ => None,
    };
    if let Some(bound) = bound {
        ensure!(
            has_muscles(&reference),
            "{}: {}, and there is no muscle track",
            crate::text::shown(&args.reference),
            bound.judges()
        );
    }

    let rig = args.rig.as_deref().map(|path| rig_of(path, None)).transpose()?;
    let avatar = rig.as_deref().map_or(Avatar::reference(), HumanRig::avatar);

    // Both clips were checked when they were read, so that a refusal means that they cannot be paired.
    let outcome = match sinew::compare(&reference, &candidate) {
        Ok(comparison) => {
            let displacement = match bound {
                Some(Bound::Millimetres(_)) => {
                    displaced(&reference, &candidate, avatar).context("--within-mm")?
                }
                _ => displaced_if_posable(&reference, &candidate, avatar),
            };
            Ok(Figures { comparison, displacement, on_rig: rig.is_some() })
        }
        Err(difference) => Err(difference),
    };
    let verdict = match &outcome {
        Ok(figures) if figures.are_good(bound) => Verdict::Good,
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
            errors: outcome.as_ref().map(|figures| figures.errors(&reference)).unwrap_or_default(),
            within: args.within,
            within_mm: args.within_mm,
            rig: args.rig.as_ref().map(|path| path.display().to_string()),
            good: verdict == Verdict::Good,
        })?;
    } else {
        match &outcome {
            Ok(figures) => print(&report(figures, &reference, bound, verdict))?,
            Err(difference) => print(&format!("{difference}\n"))?,
        }
    }
    Ok(verdict)
}

/// What the candidate is held to.
#[derive(Debug, Clone, Copy)]
enum Bound {
    /// Every muscle value.
    Muscle(f64),
    /// Every joint, and the points 3 cm off it.
    Millimetres(f64),
}

impl Bound {
    fn judges(self) -> &'static str {
        match self {
            Bound::Muscle(_) => "--within judges muscle values",
            Bound::Millimetres(_) => "--within-mm judges the joints that muscles turn",
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Muscle(bound) => write!(f, "within {bound}"),
            Bound::Millimetres(bound) => write!(f, "within {bound} mm"),
        }
    }
}

/// Two clips that can be paired, in figures.
struct Figures {
    comparison: Comparison,
    /// Absent without muscle tracks.
    displacement: Option<Displacement>,
    /// Whether joints were measured on a rig that was given, not on the reference skeleton.
    on_rig: bool,
}

impl Figures {
    /// Bit-equal without a bound; with one, all that it judges within it.
    fn are_good(&self, bound: Option<Bound>) -> bool {
        match bound {
            None => self.comparison.equal,
            Some(Bound::Muscle(bound)) => {
                self.comparison.max_muscle.as_ref().is_none_or(|worst| worst.value <= bound)
            }
            Some(Bound::Millimetres(bound)) => self.displacement.is_some_and(|found| {
                [found.max_joint_mm, found.max_shell_mm].iter().flatten().all(|worst| worst.value <= bound)
            }),
        }
    }

    fn errors(&self, reference: &Clip) -> Errors {
        Errors::of(&self.comparison, self.displacement.as_ref(), reference)
    }
}

/// An error in six digits; one against a sample that is not finite has none.
fn figure(value: f64) -> String {
    if value.is_finite() { format!("{value:.6e}") } else { "not finite".to_owned() }
}

fn report(figures: &Figures, reference: &Clip, bound: Option<Bound>, verdict: Verdict) -> String {
    let Figures { comparison, displacement, .. } = figures;
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
    if let Some(angle) = &comparison.max_channel_deg {
        lines.push(format!("angles         {}, degrees", place(angle)));
    }
    if let Some(position) = &comparison.max_channel_position {
        lines.push(format!("positions      {}, in the file's unit", place(position)));
    }
    if let Some(rms) = comparison.rms {
        lines.push(format!("RMS error      {}", figure(rms)));
    }
    if let Some(jitter) = comparison.jitter_rms {
        lines.push(format!("jitter         {} RMS", figure(jitter)));
    }
    if let Some(found) = displacement {
        let worst = |worst, unit| worst_text(worst, unit, reference);
        if let Some(joint) = &found.max_joint_mm {
            lines.push(format!("joints         {}", worst(joint, "mm")));
        }
        if let Some(shell) = &found.max_shell_mm {
            lines.push(format!("3 cm off them  {}", worst(shell, "mm")));
        }
        if let Some(mm) = found.p99_joint_mm.filter(|mm| mm.is_finite()) {
            let skeleton = if figures.on_rig { "rig given" } else { "reference skeleton" };
            lines.push(format!("99 % of joints {mm:.4} mm or less, on the {skeleton}"));
        }
        if let Some(angle) = &found.max_angle_deg {
            lines.push(format!("joint angles   {}", worst(angle, "degrees")));
        }
    }
    if let Some(time) = comparison.max_time_s {
        lines.push(format!("times          within {:.6e} s (frame {})", time.value, time.frame));
    }
    lines.push(match (bound, verdict) {
        (None, Verdict::Good) => "equal          every bit of samples and times".into(),
        (None, Verdict::Differs) => "equal          no".into(),
        (Some(bound), Verdict::Good) => format!("{bound}   yes"),
        (Some(bound), Verdict::Differs) => format!("{bound}   no"),
    });
    lines.join("\n") + "\n"
}
