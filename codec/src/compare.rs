//! How far one clip is from another: the worst sample with its place, RMS, jitter and times.

use crate::clip::Clip;
use crate::error::{Error, Result};
use crate::track::component_starts;

/// The largest absolute difference of a sample and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct WorstSample {
    /// Absolute difference, in the track's unit; infinite where one side is not finite and the bits differ.
    pub value: f64,
    /// Name of the track.
    pub track: String,
    /// Frame number from 0.
    pub frame: usize,
}

/// The largest absolute difference of a frame time and where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorstTime {
    /// Absolute difference in seconds.
    pub value: f64,
    /// Frame number from 0.
    pub frame: usize,
}

/// The report of [`compare`].
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Frames compared.
    pub frames: usize,
    /// Tracks compared.
    pub tracks: usize,
    /// Worst sample over all tracks; `None` without samples.
    pub max_abs: Option<WorstSample>,
    /// Worst sample over the muscle tracks only; `None` without muscles or frames.
    pub max_muscle: Option<WorstSample>,
    /// Worst angle of a skeleton's channels in degrees, as written: 180 and -180 are 360 apart. `None` without angles or
    /// frames.
    pub max_channel_deg: Option<WorstSample>,
    /// Worst position of a skeleton's channels in the rig's unit; `None` without positions or frames.
    pub max_channel_position: Option<WorstSample>,
    /// Root of the mean squared difference over all samples; `None` without samples.
    pub rms: Option<f64>,
    /// RMS of the difference's second time difference; `None` for fewer than three frames.
    pub jitter_rms: Option<f64>,
    /// Worst frame time; `None` without frames.
    pub max_time_s: Option<WorstTime>,
    /// Samples and times are bitwise equal.
    pub equal: bool,
}

/// Difference of two samples in f64; equal bits are 0, a non-finite value against other bits is infinite.
fn difference(reference: f32, candidate: f32) -> f64 {
    if reference.to_bits() == candidate.to_bits() {
        return 0.0;
    }
    let difference = f64::from(candidate) - f64::from(reference);
    if difference.is_finite() { difference } else { f64::INFINITY }
}

/// Compares two clips frame by frame, by index. Tracks are matched by name, so naming mode and track order are no
/// difference.
///
/// # Errors
/// [`Error::InvalidInput`] that names the first difference if frame counts or track sets differ.
pub fn compare(reference: &Clip, candidate: &Clip) -> Result<Comparison> {
    reference.validate()?;
    candidate.validate()?;
    if reference.frames() != candidate.frames() {
        return Err(Error::invalid(format!(
            "frame counts differ: {} in the reference, {} in the candidate",
            reference.frames(),
            candidate.frames()
        )));
    }
    let frames = reference.frames();
    let reference_starts = component_starts(&reference.tracks);
    let candidate_starts = component_starts(&candidate.tracks);
    let candidate_of: std::collections::HashMap<&str, usize> =
        candidate.tracks.iter().enumerate().map(|(index, track)| (track.name(), index)).collect();
    for track in &reference.tracks {
        let found = candidate_of.get(track.name()).map(|&index| &candidate.tracks[index]);
        if found.is_none_or(|other| other.kind() != track.kind()) {
            return Err(Error::invalid(format!(
                "track sets differ: the candidate has no {:?}",
                track.name()
            )));
        }
    }
    if candidate.tracks.len() > reference.tracks.len() {
        let known: std::collections::HashSet<&str> =
            reference.tracks.iter().map(|track| track.name()).collect();
        let extra = candidate.tracks.iter().find(|track| !known.contains(track.name()));
        let name = extra.map_or("", |track| track.name());
        return Err(Error::invalid(format!("track sets differ: the reference has no {name:?}")));
    }

    let mut report = Comparison {
        frames,
        tracks: reference.tracks.len(),
        max_abs: None,
        max_muscle: None,
        max_channel_deg: None,
        max_channel_position: None,
        rms: None,
        jitter_rms: None,
        max_time_s: None,
        equal: true,
    };
    let axes = reference.channel_axes();
    let (mut square_sum, mut sample_count, mut jitter_sum, mut jitter_count) = (0.0f64, 0u64, 0.0f64, 0u64);
    for (track_index, track) in reference.tracks.iter().enumerate() {
        let candidate_start = candidate_starts[candidate_of[track.name()]];
        for component in 0..track.components() {
            let a = &reference.samples[reference_starts[track_index] + component];
            let b = &candidate.samples[candidate_start + component];
            let (mut worst, mut before, mut before_that) = ((0.0f64, 0usize), 0.0f64, 0.0f64);
            for (frame, (&x, &y)) in a.iter().zip(b).enumerate() {
                let d = difference(x, y);
                report.equal &= x.to_bits() == y.to_bits();
                if d.abs() > worst.0 {
                    worst = (d.abs(), frame);
                }
                square_sum += d * d;
                if frame >= 2 {
                    let second = d - 2.0 * before + before_that;
                    jitter_sum += second * second;
                    jitter_count += 1;
                }
                (before_that, before) = (before, d);
            }
            sample_count += a.len() as u64;
            if frames > 0 {
                let of_kind = match axes.get(track_index) {
                    Some(axis) if axis.is_rotation() => Some(&mut report.max_channel_deg),
                    Some(_) => Some(&mut report.max_channel_position),
                    None if track.muscle_index().is_some() => Some(&mut report.max_muscle),
                    None => None,
                };
                for known in [Some(&mut report.max_abs), of_kind].into_iter().flatten() {
                    if known.as_ref().is_none_or(|known| worst.0 > known.value) {
                        let (value, frame) = worst;
                        *known = Some(WorstSample { value, track: track.name().to_owned(), frame });
                    }
                }
            }
        }
    }
    if sample_count > 0 {
        report.rms = Some((square_sum / sample_count as f64).sqrt());
    }
    if jitter_count > 0 {
        let jitter = (jitter_sum / jitter_count as f64).sqrt();
        report.jitter_rms = Some(if jitter.is_nan() { f64::INFINITY } else { jitter });
    }
    for (frame, (a, b)) in reference.times.iter().zip(candidate.times.iter()).enumerate() {
        report.equal &= a.to_bits() == b.to_bits();
        let value = (b - a).abs();
        if report.max_time_s.is_none_or(|known| value > known.value) {
            report.max_time_s = Some(WorstTime { value, frame });
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Times;
    use crate::track::{Track, TrackKind};

    fn clip(values: &[f32]) -> Clip {
        let mut clip = Clip::empty(vec![Track::new("Spine Front-Back", TrackKind::Scalar)]);
        clip.samples[0] = values.to_vec();
        clip.times = Times::Explicit((0..values.len()).map(|i| i as f64).collect());
        clip
    }

    #[test]
    fn the_worst_sample_is_named_by_track_and_frame() {
        let report = compare(&clip(&[0.0, 0.0, 0.0]), &clip(&[0.0, 0.5, -0.25])).expect("comparable");
        let worst = report.max_abs.expect("has samples");
        assert_eq!((worst.value, worst.track.as_str(), worst.frame), (0.5, "Spine Front-Back", 1));
        assert_eq!(report.jitter_rms, Some(1.25));
        assert!(!report.equal);
    }

    #[test]
    fn angles_and_positions_of_a_skeleton_are_told_apart() {
        use crate::rig::{Joint, JointAxis, Rig};
        let axes = vec![JointAxis::PositionX, JointAxis::RotationZ];
        let joint = Joint { name: "Hips".into(), parent: None, offset: [0.0; 3], axes };
        let skeleton = |values: [f32; 3]| {
            let names = ["Hips.Xposition", "Hips.Zrotation", "grip"];
            let mut clip = Clip::empty(names.map(|name| Track::new(name, TrackKind::Scalar)).to_vec());
            clip.rig = Some(Rig { joints: vec![joint.clone()] });
            clip.times = Times::Explicit(vec![0.0]);
            clip.samples = values.map(|value| vec![value]).to_vec();
            clip
        };
        let report = compare(&skeleton([0.0; 3]), &skeleton([0.25, 180.0, 200.0])).expect("comparable");
        let found = |worst: Option<WorstSample>| worst.map(|worst| (worst.value, worst.track));
        assert_eq!(found(report.max_channel_deg), Some((180.0, "Hips.Zrotation".into())));
        assert_eq!(found(report.max_channel_position), Some((0.25, "Hips.Xposition".into())));
        assert_eq!(found(report.max_abs), Some((200.0, "grip".into())));
        assert_eq!(report.max_muscle, None);
    }

    #[test]
    fn nan_equals_nan_of_the_same_bits_only() {
        let report = compare(&clip(&[f32::NAN]), &clip(&[f32::NAN])).expect("comparable");
        assert!(report.equal && report.max_abs.is_some_and(|worst| worst.value == 0.0));
        let report = compare(&clip(&[f32::NAN]), &clip(&[1.0])).expect("comparable");
        assert!(!report.equal && report.max_abs.is_some_and(|worst| worst.value == f64::INFINITY));
        assert!(!compare(&clip(&[0.0]), &clip(&[-0.0])).expect("comparable").equal);
    }

    #[test]
    fn other_frame_counts_and_track_sets_are_named() {
        let frames = compare(&clip(&[0.0]), &clip(&[0.0, 1.0])).expect_err("frame counts");
        assert!(frames.to_string().contains("1 in the reference, 2 in the candidate"));
        let mut other = clip(&[0.0]);
        other.tracks = vec![Track::new("grip", TrackKind::Scalar)];
        assert!(compare(&clip(&[0.0]), &other).expect_err("tracks").to_string().contains("Spine Front-Back"));
    }

    #[test]
    fn no_frames_compare_equal_without_figures() {
        let report = compare(&clip(&[]), &clip(&[])).expect("comparable");
        assert!(report.equal && report.max_abs.is_none() && report.rms.is_none());
    }
}
