//! Displacement of joints, measured and told.

use crate::text::complain;
use sinew::humanoid::{Avatar, Displacement, WorstJoint, displacement};
use sinew::{Clip, Result};

/// Whether there is a humanoid to pose.
pub(crate) fn has_muscles(clip: &Clip) -> bool {
    clip.tracks.iter().any(|track| track.muscle_index().is_some())
}

/// How far the candidate's joints are from the reference's; `None` without a muscle track.
pub(crate) fn displaced(reference: &Clip, candidate: &Clip, avatar: &Avatar) -> Result<Option<Displacement>> {
    has_muscles(reference).then(|| displacement(reference, candidate, avatar)).transpose()
}

/// The same where millimetres are told but not judged: a clip that cannot be posed has none, and a line says why.
pub(crate) fn displaced_if_posable(
    reference: &Clip,
    candidate: &Clip,
    avatar: &Avatar,
) -> Option<Displacement> {
    displaced(reference, candidate, avatar).unwrap_or_else(|error| {
        complain(&format!("no millimetres are told: {error}"));
        None
    })
}

/// Time of a place in seconds, between its frame and the next if it is there.
pub(crate) fn time_of(worst: &WorstJoint, clip: &Clip) -> Option<f64> {
    let time_s = clip.times.get(worst.frame)?;
    if worst.mid_time { Some((time_s + clip.times.get(worst.frame + 1)?) / 2.0) } else { Some(time_s) }
}

/// A worst displacement or angle with its unit and place.
pub(crate) fn worst_text(worst: &WorstJoint, unit: &str, clip: &Clip) -> String {
    let value =
        if worst.value.is_finite() { format!("{:.4} {unit}", worst.value) } else { "not finite".into() };
    let frame = if worst.mid_time {
        format!("half way from frame {} to {}", worst.frame, worst.frame + 1)
    } else {
        format!("frame {}", worst.frame)
    };
    let time_s = time_of(worst, clip).unwrap_or(0.0);
    format!("{value} ({}, {frame}, {time_s:.3} s)", worst.joint.name())
}
