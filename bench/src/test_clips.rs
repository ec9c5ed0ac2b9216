//! Small clips for the tests of this crate: the extremes that every codec must survive.

use sinew::{Clip, Times, Track, TrackKind};

/// A fixed stream of pseudo-random bits.
fn random_bits(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 32) as u32
}

/// 95 muscles whose sample at (component, frame) is `value`, at irregular f32 times.
pub(crate) fn muscles(frames: usize, mut value: impl FnMut(usize, usize) -> f32) -> Clip {
    let mut clip = Clip::empty(Track::muscles());
    for (component, samples) in clip.samples.iter_mut().enumerate() {
        *samples = (0..frames).map(|frame| value(component, frame)).collect();
    }
    let time = |frame: usize| 3.5 + frame as f32 * 0.0275 + [0.0, 0.004, -0.003][frame % 3];
    clip.times = Times::Explicit((0..frames).map(|frame| f64::from(time(frame))).collect());
    clip
}

/// Uniform noise in [-1, 1].
pub(crate) fn noise(frames: usize) -> Clip {
    let mut state = 7;
    muscles(frames, |_, _| random_bits(&mut state) as f32 / u32::MAX as f32 * 2.0 - 1.0)
}

/// Every track at its own constant.
pub(crate) fn constant(frames: usize) -> Clip {
    muscles(frames, |component, _| component as f32 * 0.02 - 0.9)
}

/// Slow sines, the case that codecs are made for.
pub(crate) fn smooth(frames: usize) -> Clip {
    muscles(frames, |component, frame| {
        ((frame as f32 * 0.05 + component as f32).sin() * 0.6).mul_add(1.0, 0.1)
    })
}

/// Steps between -12 and 12.
pub(crate) fn steps(frames: usize) -> Clip {
    muscles(frames, |component, frame| if (frame / 3 + component).is_multiple_of(2) { 12.0 } else { -12.0 })
}

/// NaN of several bit patterns, infinities, -0.0, subnormals and the largest values, among ordinary ones.
pub(crate) fn special(frames: usize) -> Clip {
    let values =
        [0x7fc0_0000, 0xffc0_0001, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 1, 0x7f7f_ffff, 0x3e80_0000];
    muscles(frames, |component, frame| f32::from_bits(values[(component + frame) % values.len()]))
}

/// Any bit pattern at all.
pub(crate) fn any_bits(frames: usize) -> Clip {
    let mut state = 11;
    muscles(frames, |_, _| f32::from_bits(random_bits(&mut state)))
}

/// Times that stand still, step back, lie far from 0 and need all of f64.
pub(crate) fn odd_times() -> Clip {
    let mut clip = smooth(6);
    clip.times = Times::Explicit(vec![1.0e6 + 0.1, 1.0e6 + 0.1, 1.0e6 + 0.1001, 1.0e6, -3.3, 1.0e6 + 0.7]);
    clip
}

/// Muscles and root at a uniform rate.
pub(crate) fn rooted(frames: usize) -> Clip {
    let mut clip = smooth(frames);
    clip.tracks.push(Track::root_position());
    clip.tracks.push(Track::root_rotation());
    clip.tracks.push(Track::new("grip", TrackKind::Scalar));
    let line = |scale: f32| (0..frames).map(|frame| frame as f32 * scale).collect::<Vec<_>>();
    clip.samples.extend([line(0.01), vec![0.97; frames], line(-0.003)]);
    let angle = |frame: usize| frame as f32 * 0.02;
    let zero = vec![0.0; frames];
    let sine = (0..frames).map(|frame| angle(frame).sin()).collect();
    let cosine = (0..frames).map(|frame| angle(frame).cos()).collect();
    clip.samples.extend([zero.clone(), sine, zero, cosine, line(0.1)]);
    clip.times = Times::Uniform { start_s: 0.5, frame_s: 1.0 / 60.0, frames };
    clip
}

/// No tracks at all, and times all the same.
pub(crate) fn trackless(frames: usize) -> Clip {
    let mut clip = Clip::empty(Vec::new());
    clip.times = Times::Explicit((0..frames).map(|frame| frame as f64 * 0.02).collect());
    clip
}

/// All of the above, with the lengths at which differences do not exist yet.
pub(crate) fn all() -> Vec<(String, Clip)> {
    let mut clips = vec![("odd times".to_owned(), odd_times())];
    for frames in [0, 1, 2, 3, 40] {
        let mut add = |name: &str, clip| clips.push((format!("{name}, {frames} frames"), clip));
        add("noise", noise(frames));
        add("constant", constant(frames));
        add("smooth", smooth(frames));
        add("steps", steps(frames));
        add("special", special(frames));
        add("any bits", any_bits(frames));
        add("rooted", rooted(frames));
        add("trackless", trackless(frames));
    }
    clips
}
