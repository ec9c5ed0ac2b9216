//! Clips that push a codec to its edges: no structure at all, nothing but structure, special floats, few frames.

use super::muscle_clip;
use super::rng::Rng;
use super::shape::wave;
use sinew::{Clip, MUSCLE_COUNT, Times, Track, TrackKind};

/// Frames of each clip unless its name says otherwise: more than half of a default block, and no round number.
const FRAMES: usize = 301;

/// All extremes with their names. Every clip holds the 95 muscles but `mixed-tracks`.
pub fn extremes() -> Vec<(&'static str, Clip)> {
    vec![
        ("no-frames", muscles(0, |_, _| 0.0)),
        ("one-frame", muscles(1, |muscle, _| 0.01 * muscle as f32)),
        ("two-frames", muscles(2, |muscle, frame| muscle as f32 - 3.0 * frame as f32)),
        ("constant", muscles(FRAMES, |muscle, _| (muscle as f32 - 47.0) / 32.0)),
        ("noise", noise()),
        ("steps", muscles(FRAMES, |muscle, frame| if (frame / 40 + muscle) % 2 == 0 { 12.0 } else { -12.0 })),
        ("alternating", muscles(FRAMES, |muscle, frame| if (frame + muscle) % 2 == 0 { 8.0 } else { -8.0 })),
        (
            "sine",
            muscles(FRAMES, |muscle, frame| wave(frame as f64 * (0.002 + 0.0005 * muscle as f64)) as f32),
        ),
        ("random-walk", random_walk()),
        ("special-floats", special_floats()),
        ("one-outlier", muscles(FRAMES, one_outlier)),
        ("backward-times", backward_times()),
        ("mixed-tracks", mixed_tracks()),
    ]
}

fn uniform(frames: usize) -> Times {
    Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames }
}

/// A clip at 60 Hz whose samples are `value(muscle, frame)`.
fn muscles(frames: usize, mut value: impl FnMut(usize, usize) -> f32) -> Clip {
    let track = |muscle| (0..frames).map(|frame| value(muscle, frame)).collect();
    let samples = (0..MUSCLE_COUNT).map(track).collect();
    muscle_clip(samples, uniform(frames)).expect("all arrays are as long as there are frames")
}

/// Finite floats of random sign, exponent and mantissa: incompressible.
fn noise() -> Clip {
    let mut rng = Rng::new(1, 0x10);
    muscles(FRAMES, |_, _| {
        loop {
            let value = f32::from_bits(rng.next_u64() as u32);
            if value.is_finite() {
                return value;
            }
        }
    })
}

/// Each muscle walks from 0 by steps of up to 0.05: its past tells nothing about the next step.
fn random_walk() -> Clip {
    let mut rng = Rng::new(1, 0x11);
    let mut place = 0.0;
    muscles(FRAMES, |_, frame| {
        place = if frame == 0 { 0.0 } else { place + 0.05 * rng.signed() };
        place as f32
    })
}

/// Still tracks with one sample far outside, at another frame each.
fn one_outlier(muscle: usize, frame: usize) -> f32 {
    if frame != (muscle * 37) % FRAMES {
        0.25
    } else if muscle.is_multiple_of(2) {
        1.0e6
    } else {
        -11.75
    }
}

/// Every kind of float that arithmetic would change: NaN payloads of both signs, infinities, -0, subnormals,
/// the ends of the range. Some tracks hold them alone, some between ordinary values.
fn special_floats() -> Clip {
    const BITS: [u32; 16] = [
        0x7fc0_0000, // the usual NaN
        0xffc0_0000, // the same, negative
        0x7f80_0001, // a signalling NaN
        0x7fff_ffff, // a NaN of all ones
        0xffed_cba9, // a NaN with a payload
        0x7f80_0000, // infinity
        0xff80_0000, // negative infinity
        0x8000_0000, // -0
        0x0000_0000, // 0
        0x0000_0001, // the smallest subnormal
        0x807f_ffff, // the largest subnormal, negative
        0x0080_0000, // the smallest normal
        0x7f7f_ffff, // the largest float
        0xff7f_ffff, // the same, negative
        0x3f80_0000, // 1
        0x3f7f_ffff, // the float before 1
    ];
    muscles(FRAMES, |muscle, frame| {
        let special = f32::from_bits(BITS[(frame + muscle) % BITS.len()]);
        match muscle % 3 {
            0 => special,
            1 if frame % 11 == 3 => special,
            1 => 0.001 * frame as f32,
            _ => f32::from_bits(BITS[muscle % BITS.len()]),
        }
    })
}

/// Times that stand still, go back and jump, as recorders' clocks have been seen to do.
fn backward_times() -> Clip {
    let mut rng = Rng::new(1, 0x12);
    let mut now_s = 5.0;
    let times = (0..FRAMES).map(|frame| {
        now_s += match frame % 50 {
            10 => 0.0,
            20 => -0.25,
            30 => 3600.0,
            40 => -3599.0,
            _ => rng.between(0.001, 0.03),
        };
        f64::from(now_s as f32)
    });
    let times = Times::Explicit(times.collect());
    Clip { times, ..muscles(FRAMES, |muscle, frame| wave(0.01 * (frame + muscle) as f64) as f32) }
}

/// Muscles, the root and a device with scalars, a position and a rotation, in no usual order.
fn mixed_tracks() -> Clip {
    let mut tracks = vec![
        Track::new("Tracker7/battery", TrackKind::Scalar),
        Track::root_rotation(),
        Track::new("Tracker7/position", TrackKind::Vector),
        Track::new("Tracker7/rotation", TrackKind::Rotation),
        Track::root_position(),
    ];
    tracks.extend([60, 3, 24].into_iter().filter_map(Track::muscle));
    let mut clip = Clip::empty(tracks);
    clip.times = uniform(FRAMES);
    let mut samples = Vec::new();
    for (number, track) in clip.tracks.iter().enumerate() {
        let phase = |frame: usize| 0.003 * (frame + 17 * number) as f64;
        let component = |value: &dyn Fn(usize) -> f64| (0..FRAMES).map(|frame| value(frame) as f32).collect();
        match track.kind() {
            TrackKind::Scalar => samples.push(component(&|frame| wave(phase(frame)))),
            TrackKind::Vector => {
                samples.push(component(&|frame| 0.3 * wave(phase(frame))));
                samples.push(component(&|frame| 1.0 + 0.02 * wave(2.0 * phase(frame))));
                samples.push(component(&|frame| 0.01 * frame as f64));
            }
            TrackKind::Rotation => {
                // A turn about y whose w goes through 0, where a sign convention would flip the quaternion.
                samples.push(vec![0.0; FRAMES]);
                samples.push(component(&|frame| wave(phase(frame))));
                samples.push(vec![0.0; FRAMES]);
                samples.push(component(&|frame| wave(phase(frame) + 0.25)));
            }
        }
    }
    clip.samples = samples;
    clip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extreme_is_a_valid_clip_under_its_own_name() {
        let extremes = extremes();
        for (name, clip) in &extremes {
            clip.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(extremes.iter().filter(|(other, _)| other == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn special_floats_keep_their_bits() {
        let clip = special_floats();
        assert!(clip.samples.iter().flatten().any(|value| value.to_bits() == 0xffed_cba9));
        assert!(clip.samples.iter().flatten().any(|value| value.to_bits() == 0x8000_0000));
    }

    #[test]
    fn times_go_back() {
        let (smallest, largest) = backward_times().times.step_range_s().unwrap();
        assert!(smallest < -3500.0 && largest > 3500.0);
    }
}
