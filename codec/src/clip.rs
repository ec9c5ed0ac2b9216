//! The clip: tracks, their samples, the frames' times and a little metadata.

use crate::error::{Error, Result};
use crate::rig::{JointAxis, Rig};
use crate::track::{Role, Track, TrackKind};
use std::collections::BTreeMap;

/// Metadata key of the capture's GUID.
pub const META_GUID: &str = "guid";
/// Metadata key of the `.data` naming mode of the source: `named` or `nameless`.
pub const META_DATA_MODE: &str = "data-mode";

/// GUID given to clips that have none, so that written bytes stay deterministic.
pub const ZERO_GUID: &str = "00000000-0000-0000-0000-000000000000";

/// Most frames of a clip without tracks: they cost it nothing, but every reader of them time and memory. As many as
/// [`DecodeLimits`](crate::DecodeLimits) allows by default.
const MAX_TRACKLESS_FRAMES: usize = 1 << 28;

/// When the frames are. Seconds; explicit times need not increase, because real captures' clocks step back.
#[derive(Debug, Clone, PartialEq)]
pub enum Times {
    /// Frame `i` is at `start_s + i * frame_s`.
    Uniform {
        /// Time of frame 0 in seconds.
        start_s: f64,
        /// Frame time in seconds, positive.
        frame_s: f64,
        /// Number of frames.
        frames: usize,
    },
    /// One time a frame, in seconds. `.data` times are f32 values widened exactly.
    Explicit(Vec<f64>),
}

impl Times {
    /// Number of frames.
    pub fn len(&self) -> usize {
        match self {
            Times::Uniform { frames, .. } => *frames,
            Times::Explicit(times) => times.len(),
        }
    }

    /// Whether there is no frame.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Time of frame `index` in seconds, `None` past the end.
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Times::Uniform { start_s, frame_s, frames } => {
                (index < *frames).then(|| start_s + index as f64 * frame_s)
            }
            Times::Explicit(times) => times.get(index).copied(),
        }
    }

    /// All times in order.
    pub fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    /// Last time minus first time in seconds; 0 for fewer than two frames.
    pub fn span_s(&self) -> f64 {
        match (self, self.len().checked_sub(1)) {
            (_, None) => 0.0,
            // Not last minus first: a late start would round both.
            (Times::Uniform { frame_s, .. }, Some(steps)) => steps as f64 * frame_s,
            (Times::Explicit(times), Some(last)) => times[last] - times[0],
        }
    }

    /// Intervals over span, the only honest frame rate of an irregular capture; `None` without a positive span,
    /// or where the rate is beyond f64.
    pub fn mean_hz(&self) -> Option<f64> {
        let span_s = self.span_s();
        (span_s > 0.0).then(|| (self.len() - 1) as f64 / span_s).filter(|hz| hz.is_finite() && *hz > 0.0)
    }

    /// Smallest and largest step between neighbouring frames in seconds; `None` for fewer than two frames.
    pub fn step_range_s(&self) -> Option<(f64, f64)> {
        if let Times::Uniform { frame_s, frames, .. } = *self {
            return (frames > 1).then_some((frame_s, frame_s));
        }
        let mut steps = self.iter().zip(self.iter().skip(1)).map(|(a, b)| b - a);
        let first = steps.next()?;
        Some(steps.fold((first, first), |(low, high), step| (low.min(step), high.max(step))))
    }
}

/// A whole motion: tracks × frames with their times.
///
/// `samples` holds one f32 array a component, `[component][frame]`, in track order: a scalar track has one, a
/// vector three, a rotation four. NaN, infinities, -0.0 and subnormals are legal samples.
///
/// ```
/// use sinew::{Clip, Times};
/// let frames = vec![[0.25f32; 95]; 3];
/// let clip = Clip::from_muscle_frames(&frames, Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames: 3 })?;
/// assert_eq!((clip.tracks.len(), clip.frames()), (95, 3));
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// The tracks.
    pub tracks: Vec<Track>,
    /// One array a component, each as long as there are frames.
    pub samples: Vec<Vec<f32>>,
    /// When the frames are.
    pub times: Times,
    /// Small text metadata: [`META_GUID`], [`META_DATA_MODE`] and whatever else a caller keeps.
    pub meta: BTreeMap<String, String>,
    /// The skeleton, when the source has one.
    pub rig: Option<Rig>,
}

impl Clip {
    /// A clip without frames.
    pub fn empty(tracks: Vec<Track>) -> Clip {
        let components = tracks.iter().map(Track::components).sum();
        Clip {
            tracks,
            samples: vec![Vec::new(); components],
            times: Times::Explicit(Vec::new()),
            meta: BTreeMap::new(),
            rig: None,
        }
    }

    /// A humanoid clip from frames of 95 muscle values in HumanTrait order.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if `times` has another number of frames or is not finite.
    pub fn from_muscle_frames(frames: &[[f32; 95]], times: Times) -> Result<Clip> {
        let samples = (0..95).map(|track| frames.iter().map(|frame| frame[track]).collect()).collect();
        let clip = Clip { tracks: Track::muscles(), samples, times, meta: BTreeMap::new(), rig: None };
        clip.validate()?;
        Ok(clip)
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// Number of f32 arrays: the tracks' components summed.
    pub fn components(&self) -> usize {
        self.tracks.iter().map(Track::components).sum()
    }

    /// Track number and component-within-track of each array of `samples`, in order.
    pub fn component_tracks(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.tracks
            .iter()
            .enumerate()
            .flat_map(|(track, t)| (0..t.components()).map(move |component| (track, component)))
    }

    /// Whether the tracks start with the 95 muscles in HumanTrait order.
    pub fn is_humanoid(&self) -> bool {
        self.tracks.len() >= 95 && (0..95).all(|i| self.tracks[i].muscle_index() == Some(i))
    }

    /// Whether the clip is a skeleton's channels: its rig's joints have motion components, and the first tracks are
    /// those components as scalars, joint by joint, each in the order of [`Joint::axes`](crate::Joint::axes). Angles
    /// are degrees, positions are in the rig's length unit.
    pub fn is_skeleton(&self) -> bool {
        !self.channel_axes().is_empty()
    }

    /// The motion component that each of the first tracks holds, in track order; empty unless the clip
    /// [is a skeleton's channels](Clip::is_skeleton).
    pub fn channel_axes(&self) -> Vec<JointAxis> {
        channel_axes(&self.tracks, self.rig.as_ref())
    }

    /// Checks the invariants that every function of this crate relies on: array lengths, distinct track names,
    /// finite times, a positive uniform frame time, a rig without cycles, at most 2^28 frames without any track.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names the track or frame.
    pub fn validate(&self) -> Result<()> {
        let frames = self.frames();
        if self.samples.len() != self.components() {
            return Err(Error::invalid(format!(
                "the tracks have {} components but there are {} sample arrays",
                self.components(),
                self.samples.len()
            )));
        }
        if self.samples.is_empty() && frames > MAX_TRACKLESS_FRAMES {
            return Err(Error::invalid(format!(
                "{frames} frames without a track; there may be {MAX_TRACKLESS_FRAMES}"
            )));
        }
        for ((track, component), samples) in self.component_tracks().zip(&self.samples) {
            if samples.len() != frames {
                return Err(Error::invalid(format!(
                    "track {track} ({}), component {component}: {} samples for {frames} frames",
                    self.tracks[track].name(),
                    samples.len()
                )));
            }
        }
        let mut names: Vec<&str> = self.tracks.iter().map(Track::name).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::invalid(format!("two tracks are named {:?}", pair[0])));
        }
        match &self.times {
            Times::Uniform { start_s, frame_s, .. } => {
                if !start_s.is_finite() || !frame_s.is_finite() || *frame_s <= 0.0 {
                    return Err(Error::invalid(format!(
                        "uniform times need a finite start and a positive frame time, not {start_s} and {frame_s}"
                    )));
                }
                let last_s = frames.checked_sub(1).and_then(|last| self.times.get(last)).unwrap_or(*start_s);
                if !last_s.is_finite() {
                    return Err(Error::invalid(format!("frame {}: time {last_s} is not finite", frames - 1)));
                }
            }
            Times::Explicit(times) => {
                if let Some(frame) = times.iter().position(|time| !time.is_finite()) {
                    return Err(Error::invalid(format!(
                        "frame {frame}: time {} is not finite",
                        times[frame]
                    )));
                }
            }
        }
        self.rig.as_ref().map_or(Ok(()), Rig::validate)
    }

    /// Whether two clips hold the same tracks, times and samples bit for bit (NaN equals NaN of the same bits).
    /// Metadata is not compared.
    pub fn bits_equal(&self, other: &Clip) -> bool {
        self.tracks == other.tracks
            && self.times.len() == other.times.len()
            && self.times.iter().zip(other.times.iter()).all(|(a, b)| a.to_bits() == b.to_bits())
            && self
                .samples
                .iter()
                .zip(&other.samples)
                .all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits()))
    }
}

/// [`Clip::channel_axes`] of a clip with these tracks and this rig.
pub(crate) fn channel_axes(tracks: &[Track], rig: Option<&Rig>) -> Vec<JointAxis> {
    let axes: Vec<JointAxis> = rig.into_iter().flat_map(Rig::axes).collect();
    let is_channel = |track: &Track| track.kind() == TrackKind::Scalar && track.role() == Role::Other;
    let are_channels = tracks.get(..axes.len()).is_some_and(|first| first.iter().all(is_channel));
    if are_channels { axes } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn span_and_rate_of_few_frames_are_defined() {
        assert_eq!(Times::Explicit(vec![]).mean_hz(), None);
        assert_eq!(Times::Explicit(vec![5.0]).span_s(), 0.0);
        assert_eq!(Times::Explicit(vec![0.0, 0.0]).mean_hz(), None);
        assert_eq!(Times::Explicit(vec![0.0, f64::from_bits(1)]).mean_hz(), None);
        assert_eq!(Times::Explicit(vec![-1e308, 1e308]).mean_hz(), None);
        assert_eq!(Times::Explicit(vec![1.0, 1.25, 1.5]).mean_hz(), Some(4.0));
        assert_eq!(Times::Explicit(vec![1.0, 1.5, 1.25]).step_range_s(), Some((-0.25, 0.5)));
    }

    #[test]
    fn uniform_times_have_one_step_wherever_they_start() {
        let times = Times::Uniform { start_s: 1e9 / 3.0, frame_s: 0.02, frames: 101 };
        assert_eq!((times.span_s(), times.step_range_s()), (2.0, Some((0.02, 0.02))));
        assert_eq!(times.mean_hz(), Some(50.0));
        for frames in [0, 1] {
            let times = Times::Uniform { start_s: 5.0, frame_s: 0.02, frames };
            assert_eq!((times.span_s(), times.step_range_s(), times.mean_hz()), (0.0, None, None));
        }
    }

    #[test]
    fn validate_names_what_is_wrong() {
        let mut clip = Clip::empty(vec![Track::root_position(), Track::new("grip", TrackKind::Scalar)]);
        clip.validate().expect("an empty clip is valid");
        clip.times = Times::Explicit(vec![f64::NAN]);
        for samples in &mut clip.samples {
            samples.push(1.0);
        }
        assert!(clip.validate().expect_err("NaN time").to_string().contains("frame 0"));
        clip.times = Times::Explicit(vec![0.0]);
        clip.samples[3].pop();
        assert!(clip.validate().expect_err("short array").to_string().contains("grip"));
    }

    #[test]
    fn a_skeleton_clip_has_a_scalar_for_each_motion_component() {
        use crate::rig::Joint;
        let names = ["Hips.Xposition", "Hips.Zrotation", "grip"];
        let mut clip = Clip::empty(names.map(|name| Track::new(name, TrackKind::Scalar)).to_vec());
        assert!(!clip.is_skeleton());
        let axes = vec![JointAxis::PositionX, JointAxis::RotationZ];
        let joint = Joint { name: "Hips".into(), parent: None, offset: [0.0; 3], axes };
        clip.rig = Some(Rig { joints: vec![joint] });
        assert!(clip.is_skeleton());
        assert_eq!(clip.channel_axes(), [JointAxis::PositionX, JointAxis::RotationZ]);
        clip.tracks[1] = Track::new("Spine Front-Back", TrackKind::Scalar);
        assert!(!clip.is_skeleton());
        clip.rig = Some(Rig::default());
        assert!(!clip.is_skeleton());
    }

    #[test]
    fn two_tracks_of_one_name_are_refused() {
        let clip = Clip::empty(vec![
            Track::new("Left Thumb Spread", TrackKind::Scalar),
            Track::new("LeftHand.Thumb.Spread", TrackKind::Scalar),
        ]);
        assert!(clip.validate().is_err());
    }
}
