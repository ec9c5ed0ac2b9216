//! Checks every decoded value against the clip before a row may show a figure.

use crate::codec::Decoded;
use crate::contract::{Contract, UNIT_SLACK};
use sinew::{Clip, TrackKind};

/// What verification measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verified {
    /// Largest absolute error over the muscles, or over all tracks of a clip without muscles; `None` without samples.
    pub max_abs: Option<f64>,
}

/// The text of a broken promise: track, frame, both values and what was allowed.
pub type Broken = String;

/// Checks what a decoder gave back.
///
/// Lossless: all bits of samples and times. Bounded: each sample within its component's bound (a unit quaternion by
/// its angle), non-finite samples bit for bit; each time within its bound, equal, forward and backward steps kept.
/// A `.data` file keeps times as f32, so its times are held against the f32 nearest to the clip's.
///
/// # Errors
/// The worst sample, or the first wrong time, by name.
pub fn verify(clip: &Clip, contract: &Contract, decoded: &Decoded) -> Result<Verified, Broken> {
    match decoded {
        Decoded::Samples { samples, times } => {
            check_times(&clip.times.iter().collect::<Vec<_>>(), times, contract.time_tolerance_s())?;
            check_samples(clip, contract, samples)
        }
        Decoded::DataFile(bytes) => {
            let file = sinew::data::read(bytes.as_slice()).map_err(|error| error.to_string())?;
            verify_data(clip, contract, &file.clip)
        }
        Decoded::DataClip(decoded) => verify_data(clip, contract, decoded),
    }
}

fn verify_data(clip: &Clip, contract: &Contract, decoded: &Clip) -> Result<Verified, Broken> {
    let expected: Vec<f64> = clip.times.iter().map(|time| f64::from(time as f32)).collect();
    check_times(&expected, &decoded.times.iter().collect::<Vec<_>>(), contract.time_tolerance_s())?;
    check_samples(clip, contract, &decoded.samples)
}

/// Checks that `samples` are the clip's, bit for bit.
pub(crate) fn same_samples(clip: &Clip, samples: &[Vec<f32>]) -> Result<(), Broken> {
    check_samples(clip, &Contract::Lossless, samples).map(|_| ())
}

fn check_times(expected: &[f64], decoded: &[f64], tolerance_s: f64) -> Result<(), Broken> {
    if expected.len() != decoded.len() {
        return Err(format!("{} times came back for {} frames", decoded.len(), expected.len()));
    }
    for (frame, (a, b)) in expected.iter().zip(decoded).enumerate() {
        let holds = if tolerance_s > 0.0 { (a - b).abs() <= tolerance_s } else { a.to_bits() == b.to_bits() };
        if !holds {
            return Err(format!("frame {frame}: time {a} s decoded as {b} s, {tolerance_s} s allowed"));
        }
    }
    let kept = |frame: usize| {
        let order = |times: &[f64]| times[frame].partial_cmp(&times[frame - 1]);
        order(expected) == order(decoded)
    };
    match (1..expected.len()).find(|&frame| !kept(frame)) {
        Some(frame) => Err(format!("frame {frame}: the step from the frame before changed its direction")),
        None => Ok(()),
    }
}

fn check_samples(clip: &Clip, contract: &Contract, samples: &[Vec<f32>]) -> Result<Verified, Broken> {
    if samples.len() != clip.samples.len() {
        return Err(format!("{} components came back for {}", samples.len(), clip.samples.len()));
    }
    if let Some(component) = samples.iter().position(|array| array.len() != clip.frames()) {
        let found = samples[component].len();
        return Err(format!("component {component}: {found} samples came back for {} frames", clip.frames()));
    }
    let tolerances = contract.tolerances(clip);
    let has_muscles = clip.tracks.iter().any(|track| track.muscle_index().is_some());
    let mut max_abs: Option<f64> = None;
    let mut worst: Option<(f64, Broken)> = None;
    let mut first_component = 0;
    for (track_index, track) in clip.tracks.iter().enumerate() {
        let components = first_component..first_component + track.components();
        first_component = components.end;
        let angle_deg = match (contract, track.kind()) {
            (Contract::Bounded(bounds), TrackKind::Rotation) => Some(bounds.rotation_deg),
            _ => None,
        };
        for frame in 0..clip.frames() {
            if let Some(bound) = angle_deg
                && let Some(angle) =
                    angle_between_deg(&clip.samples[components.clone()], &samples[components.clone()], frame)
            {
                if angle > bound && worst.as_ref().is_none_or(|(known, _)| angle / bound > *known) {
                    let name = track.name();
                    worst = Some((
                        angle / bound,
                        format!(
                            "track {track_index} ({name}), frame {frame}: turned by {angle} degrees, \
                             {bound} allowed"
                        ),
                    ));
                }
                continue;
            }
            for component in components.clone() {
                let (x, y) = (clip.samples[component][frame], samples[component][frame]);
                let error = difference(x, y);
                if !has_muscles || track.muscle_index().is_some() {
                    max_abs = Some(max_abs.map_or(error, |known| known.max(error)));
                }
                let tolerance = tolerances[component];
                let holds = x.to_bits() == y.to_bits() || (tolerance > 0.0 && error <= tolerance);
                // Without a tolerance a different bit pattern of the same value (-0.0 for 0.0) still counts.
                let excess = if tolerance > 0.0 { error / tolerance } else { error.max(f64::MIN_POSITIVE) };
                if !holds && worst.as_ref().is_none_or(|(known, _)| excess > *known) {
                    let name = track.name();
                    worst = Some((
                        excess,
                        format!(
                            "track {track_index} ({name}), frame {frame}: {x:?} decoded as {y:?}, off by \
                             {error:e}, {tolerance:e} allowed"
                        ),
                    ));
                }
            }
        }
    }
    worst.map_or(Ok(Verified { max_abs }), |(_, what)| Err(what))
}

/// Absolute difference in f64; equal bits are 0, a non-finite value against other bits is infinite.
fn difference(x: f32, y: f32) -> f64 {
    if x.to_bits() == y.to_bits() {
        return 0.0;
    }
    let difference = (f64::from(x) - f64::from(y)).abs();
    if difference.is_finite() { difference } else { f64::INFINITY }
}

/// Angle in degrees between two rotations; `None` where one is too far from unit length to be a rotation.
fn angle_between_deg(a: &[Vec<f32>], b: &[Vec<f32>], frame: usize) -> Option<f64> {
    let unit = |q: &[Vec<f32>]| -> Option<[f64; 4]> {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| f64::from(q[i][frame]));
        let length = (x * x + y * y + z * z + w * w).sqrt();
        ((length - 1.0).abs() <= UNIT_SLACK).then(|| [x, y, z, w].map(|c| c / length))
    };
    let (a, b) = (unit(a)?, unit(b)?);
    // The chord is exact for small angles where the arc cosine of the dot product has lost its digits; q and -q are
    // one rotation.
    let chord = |sign: f64| a.iter().zip(&b).map(|(x, y)| (x - sign * y).powi(2)).sum::<f64>().sqrt();
    let half_chord = chord(1.0).min(chord(-1.0)) / 2.0;
    Some(4.0 * half_chord.min(1.0).asin().to_degrees())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_clips;
    use sinew::Track;

    fn decoded(clip: &Clip) -> Decoded {
        clip.clone().into()
    }

    #[test]
    fn the_worst_sample_is_named_with_its_track_and_frame() {
        let clip = test_clips::noise(5);
        let mut wrong = clip.clone();
        wrong.samples[3][2] += 0.5;
        wrong.samples[4][1] += 0.25;
        for contract in [Contract::Lossless, Contract::bounded(0.01)] {
            let what = verify(&clip, &contract, &decoded(&wrong)).expect_err("two samples are wrong");
            assert!(what.contains("track 3") && what.contains("frame 2"), "{what}");
        }
        assert!(verify(&clip, &Contract::bounded(0.6), &decoded(&wrong)).is_ok());
    }

    #[test]
    fn lossless_means_bits_and_bounded_keeps_what_is_not_finite() {
        let mut clip = test_clips::constant(3);
        clip.samples[0][0] = 0.0;
        clip.samples[1][1] = f32::NAN;
        let mut wrong = clip.clone();
        wrong.samples[0][0] = -0.0;
        assert!(verify(&clip, &Contract::Lossless, &decoded(&wrong)).is_err());
        assert!(verify(&clip, &Contract::bounded(0.001), &decoded(&wrong)).is_ok());
        wrong.samples[1][1] = 0.0;
        assert!(verify(&clip, &Contract::bounded(0.001), &decoded(&wrong)).is_err());
    }

    #[test]
    fn times_are_held_to_their_bound_and_direction() {
        let clip = test_clips::noise(4);
        let with_times =
            |times: [f64; 4]| Decoded::Samples { samples: clip.samples.clone(), times: times.into() };
        let mut reference = clip.clone();
        reference.times = sinew::Times::Explicit(vec![0.0, 0.0, 0.0002, 0.02]);
        let check = |times| verify(&reference, &Contract::bounded(0.001), &with_times(times));
        assert!(check([0.0, 0.0, 0.0003, 0.0204]).is_ok());
        assert!(check([0.0, 0.0, 0.0003, 0.021]).expect_err("1 ms off").contains("frame 3"));
        assert!(check([0.0, 0.0, 0.0, 0.02]).expect_err("a step became none").contains("frame 2"));
    }

    #[test]
    fn rotations_are_judged_by_angle_and_either_sign_is_one_rotation() {
        let mut clip = Clip::empty(vec![Track::root_rotation()]);
        clip.times = sinew::Times::Explicit(vec![0.0]);
        clip.samples = vec![vec![0.0], vec![0.0], vec![0.0], vec![1.0]];
        let turned = |degrees: f64, sign: f64| {
            let half = degrees.to_radians() / 2.0;
            let q = [0.0, 0.0, sign * half.sin(), sign * half.cos()];
            Decoded::Samples { samples: q.map(|c| vec![c as f32]).into(), times: vec![0.0] }
        };
        let contract = Contract::bounded(0.001);
        assert!(verify(&clip, &contract, &turned(0.049, 1.0)).is_ok());
        assert!(verify(&clip, &contract, &turned(0.049, -1.0)).is_ok());
        assert!(verify(&clip, &contract, &turned(0.052, 1.0)).expect_err("too far").contains("RootQ"));
    }

    #[test]
    fn a_missing_frame_or_component_is_named() {
        let clip = test_clips::noise(4);
        let mut wrong = clip.clone();
        wrong.samples[7].pop();
        let what = verify(&clip, &Contract::Lossless, &decoded(&wrong)).expect_err("one sample short");
        assert!(what.contains("component 7"), "{what}");
        wrong.samples.pop();
        assert!(verify(&clip, &Contract::Lossless, &decoded(&wrong)).is_err());
    }
}
