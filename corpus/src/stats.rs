//! Figures that tell whether a clip looks like a capture: rate, still tracks, range, and what a plain
//! difference-and-zstd coder makes of it.

use sinew::{Clip, Error, Result};

/// A track whose values stay within this range over the whole clip is near-dead: solver noise at most.
pub const NEAR_DEAD_RANGE: f64 = 1e-4;
/// Error bounds at which [`ClipStats::bits_per_value`] is measured.
pub const BOUNDS: [f64; 3] = [0.01, 0.001, 0.0001];
/// The level of zstd behind all sizes here.
const ZSTD_LEVEL: i32 = 19;

/// The figures of one clip. Tracks are counted by component.
#[derive(Debug, Clone, PartialEq)]
pub struct ClipStats {
    /// Number of frames.
    pub frames: usize,
    /// Number of components of all tracks.
    pub components: usize,
    /// Intervals over span; `None` without a span.
    pub mean_hz: Option<f64>,
    /// Smallest and largest step between frames in seconds; `None` for fewer than two frames.
    pub step_range_s: Option<(f64, f64)>,
    /// Components whose finite values range over [`NEAR_DEAD_RANGE`] or more.
    pub moving: usize,
    /// The other components.
    pub near_dead: usize,
    /// Part of all values outside [-1, 1].
    pub outside: f64,
    /// Smallest and largest finite value; `None` without one.
    pub range: Option<(f32, f32)>,
    /// [`bounded_bits_per_value`] at each of [`BOUNDS`]; `None` if a value is not finite or there is none.
    pub bits_per_value: Option<[f64; 3]>,
    /// [`lossless_bits_per_value`]; `None` without values.
    pub lossless_bits_per_value: Option<f64>,
    /// Mean absolute correlation of moving left muscles with the same muscle on the right; `None` without pairs.
    pub left_right: Option<f64>,
}

/// Measures a clip.
///
/// # Errors
/// [`Error::Io`] if zstd fails, which only lack of memory makes it do.
pub fn clip_stats(clip: &Clip) -> Result<ClipStats> {
    let moving: Vec<bool> = clip.samples.iter().map(|samples| spread(samples) >= NEAR_DEAD_RANGE).collect();
    let values = || clip.samples.iter().flatten().copied();
    let count = values().count();
    let moving_count = moving.iter().filter(|moves| **moves).count();
    let measurable = count > 0 && values().all(f32::is_finite);
    let bits_per_value = match measurable {
        true => Some([
            bounded_bits_per_value(clip, BOUNDS[0])?,
            bounded_bits_per_value(clip, BOUNDS[1])?,
            bounded_bits_per_value(clip, BOUNDS[2])?,
        ]),
        false => None,
    };
    Ok(ClipStats {
        frames: clip.frames(),
        components: clip.samples.len(),
        mean_hz: clip.times.mean_hz(),
        step_range_s: clip.times.step_range_s(),
        moving: moving_count,
        near_dead: moving.len() - moving_count,
        outside: values().filter(|value| value.abs() > 1.0).count() as f64 / count.max(1) as f64,
        range: range(values()),
        bits_per_value,
        lossless_bits_per_value: if count > 0 { Some(lossless_bits_per_value(clip)?) } else { None },
        left_right: left_right(clip, &moving),
    })
}

/// Bits a value of a plain coder within `bound`: integers round(x / 2·bound), second time difference, zigzag,
/// byte planes, zstd level 19. Every component counts, still ones too.
///
/// # Errors
/// [`Error::InvalidInput`] for a bound that is not positive, a value that is not finite, or a clip without values.
pub fn bounded_bits_per_value(clip: &Clip, bound: f64) -> Result<f64> {
    if !(bound > 0.0 && bound.is_finite()) {
        return Err(Error::InvalidInput { what: format!("the bound must be positive, not {bound}") });
    }
    let mut folded = Vec::new();
    for (component, samples) in clip.samples.iter().enumerate() {
        let (mut last, mut last_step) = (0i64, 0i64);
        for (frame, &value) in samples.iter().enumerate() {
            if !value.is_finite() {
                let what = format!("component {component}, frame {frame}: {value} has no index");
                return Err(Error::InvalidInput { what });
            }
            let index = (f64::from(value) / (2.0 * bound)).round() as i64;
            let step = if frame == 0 { 0 } else { index.wrapping_sub(last) };
            let second = match frame {
                0 => index,
                1 => step,
                _ => step.wrapping_sub(last_step),
            };
            folded.push((second.wrapping_shl(1) ^ (second >> 63)) as u64);
            (last, last_step) = (index, step);
        }
    }
    let planes = match folded.iter().max() {
        None => return Err(Error::InvalidInput { what: "the clip has no values".to_owned() }),
        Some(&largest) => (64 - largest.leading_zeros()).div_ceil(8).max(1).next_power_of_two(),
    };
    zstd_bits(&byte_planes(&folded, planes), folded.len())
}

/// Bits a value of a plain lossless coder: second time difference of the floats' bits, zigzag, byte planes, zstd
/// level 19.
///
/// # Errors
/// [`Error::InvalidInput`] for a clip without values.
pub fn lossless_bits_per_value(clip: &Clip) -> Result<f64> {
    let mut folded = Vec::new();
    for samples in &clip.samples {
        let (mut last, mut last_step) = (0u32, 0u32);
        for value in samples {
            let step = value.to_bits().wrapping_sub(last);
            let second = step.wrapping_sub(last_step) as i32;
            folded.push(u64::from(((second << 1) ^ (second >> 31)) as u32));
            (last, last_step) = (value.to_bits(), step);
        }
    }
    if folded.is_empty() {
        return Err(Error::InvalidInput { what: "the clip has no values".to_owned() });
    }
    zstd_bits(&byte_planes(&folded, 4), folded.len())
}

/// All lowest bytes, then all second bytes, and so on.
fn byte_planes(values: &[u64], planes: u32) -> Vec<u8> {
    (0..planes).flat_map(|plane| values.iter().map(move |value| (value >> (8 * plane)) as u8)).collect()
}

fn zstd_bits(bytes: &[u8], values: usize) -> Result<f64> {
    let packed = zstd::bulk::compress(bytes, ZSTD_LEVEL)?;
    Ok(packed.len() as f64 * 8.0 / values as f64)
}

fn range(values: impl Iterator<Item = f32>) -> Option<(f32, f32)> {
    values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

/// Largest finite value minus smallest; 0 without one.
fn spread(samples: &[f32]) -> f64 {
    range(samples.iter().copied()).map_or(0.0, |(low, high)| f64::from(high) - f64::from(low))
}

/// Mean |correlation| over muscles that move on both sides.
fn left_right(clip: &Clip, moving: &[bool]) -> Option<f64> {
    let component_of =
        |name: &str| clip.component_tracks().position(|(track, _)| clip.tracks[track].name() == name);
    let mut correlations = Vec::new();
    for (component, (track, _)) in clip.component_tracks().enumerate() {
        let name = clip.tracks[track].name();
        let Some(rest) = name.strip_prefix("Left") else { continue };
        let Some(other) = component_of(&format!("Right{rest}")) else { continue };
        if moving[component] && moving[other] {
            correlations.extend(correlation(&clip.samples[component], &clip.samples[other]).map(f64::abs));
        }
    }
    (!correlations.is_empty()).then(|| correlations.iter().sum::<f64>() / correlations.len() as f64)
}

/// Pearson's correlation; `None` where it is not defined.
fn correlation(a: &[f32], b: &[f32]) -> Option<f64> {
    let mean = |samples: &[f32]| samples.iter().map(|&x| f64::from(x)).sum::<f64>() / samples.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut both, mut square_a, mut square_b) = (0.0, 0.0, 0.0);
    for (&x, &y) in a.iter().zip(b) {
        let (x, y) = (f64::from(x) - mean_a, f64::from(y) - mean_b);
        both += x * y;
        square_a += x * x;
        square_b += y * y;
    }
    let scale = (square_a * square_b).sqrt();
    (scale > 0.0 && scale.is_finite()).then(|| both / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{default_clip, extremes};

    #[test]
    fn the_default_clip_looks_like_a_capture() {
        let stats = clip_stats(&default_clip()).unwrap();
        let bits = stats.bits_per_value.unwrap();
        assert!((1.5..=2.6).contains(&bits[1]), "{stats:?}");
        let near_dead = stats.near_dead as f64 / stats.components as f64;
        assert!((0.2..=0.6).contains(&near_dead), "{stats:?}");
        assert!((0.03..=0.15).contains(&stats.outside), "{stats:?}");
    }

    #[test]
    fn figures_of_clips_known_by_construction() {
        let stats = |wanted: &str| {
            let clip = extremes().into_iter().find(|(name, _)| *name == wanted).unwrap().1;
            clip_stats(&clip).unwrap()
        };
        let constant = stats("constant");
        assert_eq!((constant.moving, constant.near_dead), (0, 95));
        assert!(constant.bits_per_value.unwrap()[2] < 0.2);
        let alternating = stats("alternating");
        assert_eq!((alternating.outside, alternating.range), (1.0, Some((-8.0, 8.0))));
        assert!((alternating.left_right.unwrap() - 1.0).abs() < 1e-9);
        let noise = stats("noise");
        assert!(noise.lossless_bits_per_value.unwrap() > 30.0);
        assert_eq!(stats("special-floats").bits_per_value, None);
        assert_eq!(stats("no-frames").lossless_bits_per_value, None);
    }

    #[test]
    fn what_cannot_be_measured_is_an_error() {
        let (_, clip) = extremes().into_iter().find(|(name, _)| *name == "special-floats").unwrap();
        let error = bounded_bits_per_value(&clip, 0.001).unwrap_err().to_string();
        assert!(error.contains("component 0, frame 0"), "{error}");
        assert!(bounded_bits_per_value(&clip, 0.0).is_err());
    }
}
