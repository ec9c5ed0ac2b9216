//! Clips and checks that the integration tests share.

/// The README's library example must compile and hold.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

use sinew::{Clip, Fidelity, JointAxis, META_DATA_MODE, META_GUID, Times, Track, TrackKind};

/// A small linear congruence: test input must be the same on every machine.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Starts at `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next 32 bits.
    pub fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    /// The next number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        f64::from(self.bits()) / 4_294_967_296.0
    }
}

/// A humanoid clip of `frames` frames in which body parts move, rest, jitter and hold single values, with irregular
/// f32 times.
pub fn humanoid(frames: usize, seed: u64) -> Clip {
    let mut rng = Rng::new(seed);
    let mut clip = Clip::empty(Track::muscles());
    for (number, samples) in clip.samples.iter_mut().enumerate() {
        let (mut position, mut speed) = (rng.unit() - 0.5, 0.0);
        for _ in 0..frames {
            match number % 4 {
                0 => {}
                1 => position += (rng.unit() - 0.5) * 1e-7,
                _ => {
                    speed = speed * 0.95 + (rng.unit() - 0.5) * 0.01 - position * 0.001;
                    position += speed;
                }
            }
            samples.push(position as f32);
        }
    }
    let mut time = 0.024;
    let times = (0..frames)
        .map(|_| {
            time += 1.0 / 60.0 + (rng.unit() - 0.5) * 0.004;
            f64::from(time as f32)
        })
        .collect();
    clip.times = Times::Explicit(times);
    clip.meta.insert(META_GUID.into(), "466e3a9e-1275-4554-9d4d-9c4267523d87".into());
    clip.meta.insert(META_DATA_MODE.into(), "nameless".into());
    clip
}

/// A clip with every kind of track, uniform times, metadata and a rig. Rotations are unit quaternions.
pub fn mixed(frames: usize, seed: u64) -> Clip {
    let mut tracks = vec![
        Track::root_position(),
        Track::root_rotation(),
        Track::new("tracker1/position", TrackKind::Vector),
        Track::new("tracker1/rotation", TrackKind::Rotation),
        Track::new("smile", TrackKind::Scalar),
    ];
    tracks.extend(Track::muscles().into_iter().step_by(7));
    let mut clip = Clip::empty(tracks);
    let mut rng = Rng::new(seed);
    for samples in &mut clip.samples {
        let mut value = 0.3;
        samples.extend((0..frames).map(|_| {
            value += (rng.unit() - 0.5) * 0.02;
            value as f32
        }));
    }
    make_rotations(&mut clip);
    clip.times = Times::Uniform { start_s: 1.5, frame_s: 1.0 / 59.94, frames };
    clip.meta.insert("avatar".into(), "胸_上".into());
    clip.meta.insert("notes".into(), "a long remark about this capture; ".repeat(20));
    clip.rig = Some(sinew::Rig {
        joints: vec![
            sinew::Joint { name: "Hips".into(), parent: None, offset: [0.0, 95.0, 0.0], axes: vec![] },
            sinew::Joint { name: "foot.L".into(), parent: Some(0), offset: [8.5, -40.0, 0.25], axes: vec![] },
        ],
    });
    clip
}

/// Scales every rotation track's quaternions to length 1. The tracker's change their sign half way and are lost once.
fn make_rotations(clip: &mut Clip) {
    let places: Vec<(usize, usize)> = clip.component_tracks().collect();
    for (start, &(track, component)) in places.iter().enumerate() {
        if component > 0 || clip.tracks[track].kind() != TrackKind::Rotation {
            continue;
        }
        let is_tracker = clip.tracks[track].name().starts_with("tracker");
        let [x, y, z, w] = &mut clip.samples[start..start + 4] else { continue };
        let frames = x.len();
        for (frame, (((x, y), z), w)) in x.iter_mut().zip(y).zip(z).zip(w).enumerate() {
            let length = [&*x, y, z, w].into_iter().fold(0.0, |sum, part| sum + part * part).sqrt();
            let scale = match frame {
                7 if is_tracker => 0.0,
                _ if is_tracker && frame * 2 > frames => -1.0 / length,
                _ => 1.0 / length,
            };
            for part in [x, y, z, w] {
                *part *= scale;
            }
        }
    }
}

/// A skeleton clip with an extra track: angles in degrees, positions in centimetres.
pub fn skeleton(frames: usize, seed: u64) -> Clip {
    use JointAxis::{PositionX, PositionY, PositionZ, RotationX, RotationY, RotationZ};
    let joint = |name: &str, parent, axes: &[JointAxis]| sinew::Joint {
        name: name.into(),
        parent,
        offset: [0.0, 40.5, 0.25],
        axes: axes.to_vec(),
    };
    let rig = sinew::Rig {
        joints: vec![
            joint("Hips", None, &[PositionX, PositionY, PositionZ, RotationZ, RotationX, RotationY]),
            joint("胸.L", Some(0), &[RotationY, RotationZ]),
            joint("End Site", Some(1), &[]),
        ],
    };
    let mut tracks: Vec<Track> =
        (0..rig.channels()).map(|n| Track::new(&format!("Hips.{n}"), TrackKind::Scalar)).collect();
    tracks.push(Track::new("grip", TrackKind::Scalar));
    let mut clip = Clip::empty(tracks);
    let mut rng = Rng::new(seed);
    for samples in &mut clip.samples {
        let mut value = 90.0;
        samples.extend((0..frames).map(|_| {
            value += rng.unit() - 0.5;
            value as f32
        }));
    }
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames };
    clip.rig = Some(rig);
    clip
}

/// Checks every sample and time of `decoded` against its original: bit-equal, or within the bounds of `fidelity`.
///
/// # Panics
/// Names the track and frame that is beyond its bound.
pub fn assert_faithful(original: &Clip, decoded: &Clip, fidelity: &Fidelity, what: &str) {
    assert_eq!(original.tracks, decoded.tracks, "{what}: tracks");
    assert_eq!(original.rig, decoded.rig, "{what}: rig");
    assert_eq!(original.meta, decoded.meta, "{what}: metadata");
    assert_eq!(original.frames(), decoded.frames(), "{what}: frames");
    let Fidelity::Bounded(bounds) = fidelity else {
        assert!(original.bits_equal(decoded), "{what}: not bit-equal");
        return;
    };
    let axes = original.channel_axes();
    for (number, (track, component)) in original.component_tracks().enumerate() {
        let axis = axes.get(track).copied();
        let track = &original.tracks[track];
        let bound = match track.kind() {
            TrackKind::Scalar if axis.is_some_and(JointAxis::is_rotation) => bounds.rotation_deg,
            TrackKind::Scalar if axis.is_some() => bounds.position_m,
            TrackKind::Scalar if track.muscle_index().is_some() => bounds.muscle,
            TrackKind::Scalar => bounds.extra.unwrap_or(bounds.muscle),
            TrackKind::Vector => bounds.position_m / 0.98,
            TrackKind::Rotation => bounds.rotation_deg.to_radians(),
        };
        for (frame, (a, b)) in original.samples[number].iter().zip(&decoded.samples[number]).enumerate() {
            let error = (f64::from(*a) - f64::from(*b)).abs();
            assert!(
                a.to_bits() == b.to_bits() || error <= bound,
                "{what}: track {} component {component}, frame {frame}: {a} became {b}",
                track.name()
            );
        }
    }
    let times: Vec<(f64, f64)> = original.times.iter().zip(decoded.times.iter()).collect();
    for (frame, (a, b)) in times.iter().enumerate() {
        assert!((a - b).abs() <= bounds.time_s, "{what}: frame {frame}: time {a} became {b}");
    }
    for pair in times.windows(2) {
        let ((a0, b0), (a1, b1)) = (pair[0], pair[1]);
        assert_eq!(
            a0.partial_cmp(&a1),
            b0.partial_cmp(&b1),
            "{what}: a step from {a0} to {a1} changed its sign"
        );
    }
}
