//! A generator of humanoid capture: walking, standing, reaching, waving, dancing, sitting, as a headset with trackers
//! would record it. The same configuration gives the same bits on every platform.

mod body;
mod dance;
mod dropout;
mod extreme;
mod gesture;
mod glide;
mod hands;
mod idle;
mod look;
mod noise;
mod plan;
mod reach;
mod rng;
mod sensor;
mod shape;
mod sit;
mod solver;
mod timing;
mod walk;

pub use extreme::extremes;

use sinew::{Clip, Error, META_DATA_MODE, META_GUID, MUSCLE_COUNT, Result, Times};

/// GUID of generated clips.
const GUID: &str = "5133a2d4-6e2b-4c1f-9a07-b1c3d5e7f902";
/// Longest clip in frames: 95 tracks of it fill 1.5 GB.
const MAX_FRAMES: f64 = 4_000_000.0;

/// What to generate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SynthConfig {
    /// Chooses lengths, goals and noise. Default 15.
    pub seed: u64,
    /// Length in seconds of nominal frames, more than 0. Default 60. Long frames stretch an irregular clip.
    pub seconds: f64,
    /// Nominal frames a second, 1 to 1000. Default 60.
    pub hz: f64,
    /// Whether frame times jitter and some frames are long, as on a display. Default true.
    pub irregular_times: bool,
    /// Scale of the tracker noise, 0 (none) to 100. Default 1.
    pub noise: f64,
    /// Whether devices lose tracking now and then. Default true.
    pub dropouts: bool,
}

impl Default for SynthConfig {
    fn default() -> Self {
        SynthConfig { seed: 15, seconds: 60.0, hz: 60.0, irregular_times: true, noise: 1.0, dropouts: true }
    }
}

impl SynthConfig {
    /// Number of frames, after checking every field.
    fn frames(&self) -> Result<usize> {
        let invalid = |what: String| Err(Error::InvalidInput { what });
        if !(1.0..=1000.0).contains(&self.hz) {
            return invalid(format!("frames a second must be 1 to 1000, not {}", self.hz));
        }
        if !(0.0..=100.0).contains(&self.noise) {
            return invalid(format!("the noise scale must be 0 to 100, not {}", self.noise));
        }
        let frames = (self.seconds * self.hz + 0.5).floor();
        if !(1.0..=MAX_FRAMES).contains(&frames) {
            return invalid(format!(
                "{} seconds at {} Hz are not 1 to {MAX_FRAMES} frames",
                self.seconds, self.hz
            ));
        }
        // Times are f32 values, as a recorder writes them; their spacing grows with the length.
        let last_s = self.seconds as f32;
        if f64::from(last_s.next_up() - last_s) * 4.0 > 1.0 / self.hz {
            return invalid(format!(
                "times of {} seconds at {} Hz are not distinct as f32",
                self.seconds, self.hz
            ));
        }
        Ok(frames as usize)
    }
}

/// The built-in default clip: 60 seconds at a nominal 60 Hz, 3,600 frames of 95 muscles.
///
/// ```
/// let clip = sinew_corpus::default_clip();
/// assert_eq!((clip.frames(), clip.tracks.len()), (3600, 95));
/// ```
pub fn default_clip() -> Clip {
    synth(&SynthConfig::default()).expect("the default configuration is in range")
}

/// Generates a clip of the 95 muscles.
///
/// # Errors
/// [`Error::InvalidInput`] if a field is out of its range.
pub fn synth(config: &SynthConfig) -> Result<Clip> {
    let frames = config.frames()?;
    let seed = config.seed;
    let instants = timing::instants(seed, config.hz, frames, config.irregular_times);
    let scenes = plan::scenes(seed, instants.last().map_or(0.0, |instant| instant.sensed_s));

    let mut walk = walk::Walk::new(seed, &scenes);
    let mut idle = idle::Idle::new(seed, &scenes);
    let mut dance = dance::Dance::new(seed, &scenes);
    let mut sit = sit::Sit::new(&scenes);
    let mut reach = reach::Reach::new(seed, &scenes);
    let mut gesture = gesture::Gesture::new(seed, &scenes);
    let mut look = look::Look::new(seed, &scenes);
    let mut hands = hands::Hands::new(seed, &scenes);
    let mut sensor = sensor::Sensor::new(seed, config.noise, &scenes);
    let mut solver = solver::Solver::new(seed);
    let mut dropouts = dropout::Dropouts::new(seed);

    let mut samples: Vec<Vec<f32>> = (0..MUSCLE_COUNT).map(|_| Vec::with_capacity(frames)).collect();
    for instant in &instants {
        let time_s = instant.sensed_s;
        // 1. What the body does.
        let mut pose = body::standing();
        walk.add(time_s, &mut pose);
        idle.add(time_s, &mut pose);
        dance.add(time_s, &mut pose);
        sit.add(time_s, &mut pose);
        reach.add(time_s, &mut pose);
        gesture.add(time_s, &mut pose);
        look.add(time_s, &mut pose);
        hands.add(time_s, &mut pose);
        // 2. What the trackers and the solver make of it.
        sensor.add(time_s, &mut pose);
        let mut values = solver.solve(&pose);
        if config.dropouts {
            dropouts.apply(time_s, &mut values);
        }
        for (track, value) in samples.iter_mut().zip(values) {
            track.push(value);
        }
    }
    let times = Times::Explicit(instants.iter().map(|instant| instant.stamped_s).collect());
    muscle_clip(samples, times)
}

/// A clip of the 95 muscles with the metadata of a recorder's nameless file.
fn muscle_clip(samples: Vec<Vec<f32>>, times: Times) -> Result<Clip> {
    let meta = [(META_GUID, GUID), (META_DATA_MODE, "nameless")];
    let clip = Clip {
        tracks: sinew::Track::muscles(),
        samples,
        times,
        meta: meta.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        rig: None,
    };
    clip.validate()?;
    Ok(clip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_out_of_range_is_refused() {
        let refused = [
            SynthConfig { hz: 0.0, ..SynthConfig::default() },
            SynthConfig { hz: f64::NAN, ..SynthConfig::default() },
            SynthConfig { seconds: 0.0, ..SynthConfig::default() },
            SynthConfig { seconds: f64::INFINITY, ..SynthConfig::default() },
            SynthConfig { seconds: 40_000.0, hz: 90.0, ..SynthConfig::default() },
            SynthConfig { noise: -1.0, ..SynthConfig::default() },
        ];
        for config in refused {
            assert!(matches!(synth(&config), Err(Error::InvalidInput { .. })), "{config:?}");
        }
        assert_eq!(synth(&SynthConfig { seconds: 0.01, ..SynthConfig::default() }).unwrap().frames(), 1);
    }

    #[test]
    fn a_shorter_clip_is_the_start_of_a_longer_one() {
        let long = synth(&SynthConfig { seconds: 4.0, ..SynthConfig::default() }).unwrap();
        let short = synth(&SynthConfig { seconds: 2.0, ..SynthConfig::default() }).unwrap();
        for (a, b) in long.samples.iter().zip(&short.samples) {
            assert_eq!(&a[..b.len()], b.as_slice());
        }
    }

    #[test]
    fn another_seed_is_another_clip() {
        let config = SynthConfig { seconds: 1.0, ..SynthConfig::default() };
        let other = SynthConfig { seed: 16, ..config };
        assert!(!synth(&config).unwrap().bits_equal(&synth(&other).unwrap()));
    }

    #[test]
    fn the_recorder_format_holds_the_default_clip_exactly() {
        let clip = default_clip();
        let mut bytes = Vec::new();
        let notes = sinew::data::write(&clip, sinew::data::DataMode::Nameless, &mut bytes).unwrap();
        assert_eq!(notes, Vec::<String>::new());
        let read = sinew::data::read(bytes.as_slice()).unwrap();
        assert!(read.clip.bits_equal(&clip) && read.exact);
        assert_eq!(read.clip.meta, clip.meta);
    }

    #[test]
    fn nobody_moves_faster_than_people_do() {
        let clean =
            SynthConfig { noise: 0.0, dropouts: false, irregular_times: false, ..SynthConfig::default() };
        let clip = synth(&clean).unwrap();
        for (muscle, samples) in sinew::MUSCLES.iter().zip(&clip.samples) {
            let degrees = muscle.max_deg.max(-muscle.min_deg);
            let step = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f32::max);
            // A quick throw turns the elbow by about 2000 degrees a second; nothing here is a throw.
            assert!(step * degrees * 60.0 < 1200.0, "{}: {}", muscle.trait_name, step * degrees * 60.0);
        }
    }
}
