//! Rotation tracks under a bound: no unit quaternion turns by more, all stay units with their stored sign, and what is no
//! rotation comes back as the components that it has.

use sinew::{Bounds, Clip, Effort, EncodeConfig, Fidelity, Times, Track, TrackKind, decode, encode};
use sinew_tests::Rng;

const EFFORTS: [Effort; 3] = [Effort::Fast, Effort::Balanced, Effort::Max];

fn config(rotation_deg: f64) -> EncodeConfig {
    let bounds = Bounds { rotation_deg, ..Bounds::default() };
    EncodeConfig { fidelity: Fidelity::Bounded(bounds), ..EncodeConfig::default() }
}

/// A clip in which a device and the body turn so, and move.
fn clip(quaternions: &[[f32; 4]]) -> Clip {
    let mut clip = Clip::empty(vec![
        Track::new("tracker/rotation", TrackKind::Rotation),
        Track::root_position(),
        Track::root_rotation(),
        Track::new("tracker/position", TrackKind::Vector),
    ]);
    for (number, samples) in clip.samples.iter_mut().enumerate() {
        let component = [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6][number];
        samples.extend(quaternions.iter().enumerate().map(|(frame, q)| match component {
            0..4 => q[component],
            _ => (frame * component) as f32 * 0.01,
        }));
    }
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames: quaternions.len() };
    clip
}

fn unit(q: [f64; 4]) -> [f32; 4] {
    let length = q.iter().map(|part| part * part).sum::<f64>().sqrt();
    q.map(|part| (part / length) as f32)
}

fn length_of(q: [f32; 4]) -> f64 {
    q.iter().map(|part| f64::from(*part) * f64::from(*part)).sum::<f64>().sqrt()
}

/// Angle in degrees between two quaternions as they are stored: a sign makes it 360.
fn turned_deg(a: [f32; 4], b: [f32; 4]) -> f64 {
    let (length_a, length_b) = (length_of(a), length_of(b));
    let chord =
        (0..4).map(|i| (f64::from(a[i]) / length_a - f64::from(b[i]) / length_b).powi(2)).sum::<f64>();
    4.0 * (chord.sqrt() / 2.0).min(1.0).asin().to_degrees()
}

fn at(samples: &[Vec<f32>], frame: usize) -> [f32; 4] {
    std::array::from_fn(|i| samples[i][frame])
}

/// Checks both rotation tracks at some bounds and every effort.
fn check(quaternions: &[[f32; 4]], what: &str) {
    let clip = clip(quaternions);
    for rotation_deg in [1e-5, 0.001, 0.05, 2.0, 90.0] {
        for effort in EFFORTS {
            let config = config(rotation_deg).with_effort(effort);
            let what = format!("{what}, {rotation_deg} degrees, {effort:?}");
            let decoded = decode(&encode(&clip, &config).expect("valid")).expect("own file");
            for (frame, &q) in quaternions.iter().enumerate() {
                for first in [0, 7] {
                    let back = at(&decoded.samples[first..], frame);
                    if (length_of(q) - 1.0).abs() < 1e-6 {
                        let turned = turned_deg(q, back);
                        assert!(
                            turned <= rotation_deg,
                            "{what}, frame {frame}: {q:?} became {back:?}, {turned}"
                        );
                        let slack = if rotation_deg < 1e-4 { 1e-5 } else { 1e-6 };
                        // At `fast` the four parts are played alone.
                        let is_unit = (length_of(back) - 1.0).abs() < slack || effort == Effort::Fast;
                        assert!(is_unit, "{what}, frame {frame}: {back:?}");
                        continue;
                    }
                    let bound = rotation_deg.min(20.0).to_radians() / 4.0;
                    for (a, b) in q.into_iter().zip(back) {
                        let is_near = (f64::from(a) - f64::from(b)).abs() <= bound;
                        assert!(
                            a.to_bits() == b.to_bits() || is_near,
                            "{what}, frame {frame}: {a} became {b}"
                        );
                    }
                }
            }
        }
    }
}

/// Turns about a leaning axis by `per_frame` degrees a frame, and ever faster.
fn spin(frames: usize, per_frame: f64) -> Vec<[f32; 4]> {
    (0..frames)
        .map(|frame| {
            let half = (frame as f64 * per_frame * (1.0 + frame as f64 * 0.001)).to_radians() / 2.0;
            unit([half.sin() * 0.3, half.sin() * 0.9, half.sin() * -0.2, half.cos()])
        })
        .collect()
}

#[test]
fn turns_without_end_and_jumps_hold_the_bound() {
    check(&spin(700, 7.0), "a spin");
    check(&spin(700, 0.1), "a slow turn");
    check(&spin(60, 170.0), "half turns");
    let mut rng = Rng::new(1);
    let mut random = || unit([0; 4].map(|_| rng.unit() - 0.5));
    let jumps: Vec<[f32; 4]> = (0..200).map(|_| random()).collect();
    check(&jumps, "jumps");
    let holds: Vec<[f32; 4]> = (0..200).map(|frame| jumps[frame / 40]).collect();
    check(&holds, "held poses");
    for frames in 1..4 {
        check(&jumps[..frames], "few frames");
    }
    for q in [[1.0, 0.0, 0.0, 0.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.5; 4]] {
        check(&[q; 20], "rest");
    }
}

#[test]
fn the_stored_sign_is_kept() {
    // The shorter of both signs, as many programs store them, and at random.
    let positive: Vec<[f32; 4]> =
        spin(600, 5.0).into_iter().map(|q| if q[3] < 0.0 { q.map(|part| -part) } else { q }).collect();
    check(&positive, "always positive");
    let mut rng = Rng::new(2);
    let random: Vec<[f32; 4]> = spin(300, 1.0)
        .into_iter()
        .map(|q| if rng.bits() >> 31 == 0 { q.map(|part| -part) } else { q })
        .collect();
    check(&random, "signs at random");
    // A few changes of sign cost a few bytes.
    let steady = spin(500, 0.5);
    let flips: Vec<[f32; 4]> = steady
        .iter()
        .enumerate()
        .map(|(frame, q)| if frame / 100 % 2 == 1 { q.map(|part| -part) } else { *q })
        .collect();
    let bytes = |quaternions: &[[f32; 4]]| encode(&clip(quaternions), &config(0.05)).expect("valid").len();
    assert!(bytes(&flips) < bytes(&steady) + 40, "{} {}", bytes(&flips), bytes(&steady));
}

#[test]
fn what_is_no_rotation_comes_back() {
    let mut strays = spin(300, 1.0);
    for (frame, stray) in [
        (0, [0.0; 4]),
        (1, [f32::NAN, 0.0, 0.0, 1.0]),
        (50, [f32::from_bits(0xffc1_2345); 4]),
        (51, [f32::INFINITY, 0.0, 0.0, 0.0]),
        (120, [0.0, 2.0, 0.0, 0.0]),
        (121, [f32::MAX; 4]),
        (200, [-0.0, 0.0, 1e-30, 0.0]),
        (299, [0.99, 0.0, 0.0, 0.0]),
    ] {
        strays[frame] = stray;
    }
    check(&strays, "strays");
    check(&strays[..2], "nothing but strays");
    let short: Vec<[f32; 4]> = spin(300, 1.0).into_iter().map(|q| q.map(|part| part * 0.98)).collect();
    check(&short, "too short");
    check(&vec![[f32::NAN; 4]; 30], "never known");
    // A change of sign just where the quaternion is lost.
    let mut lost = spin(40, 1.0);
    for q in &mut lost[20..] {
        *q = q.map(|part| -part);
    }
    lost[20] = [0.0; 4];
    check(&lost, "lost where the sign changes");
}

#[test]
fn rotations_take_less_than_their_components_would() {
    let mut rng = Rng::new(3);
    let mut axis = [0.1, 0.8, 0.1, 0.2];
    let quaternions: Vec<[f32; 4]> = (0..1000)
        .map(|_| {
            axis = axis.map(|part| part + (rng.unit() - 0.5) * 0.004);
            unit(axis)
        })
        .collect();
    let rotations = clip(&quaternions);
    let mut scalars = rotations.clone();
    let names = ["x", "y", "z", "w"];
    scalars.tracks.truncate(0);
    scalars.samples = rotations.samples[..4].to_vec();
    scalars.tracks.extend(names.map(|name| Track::new(&format!("tracker/{name}"), TrackKind::Scalar)));
    let mut one = rotations;
    one.tracks.truncate(1);
    one.samples.truncate(4);
    let bounds = Bounds { extra: Some(0.05f64.to_radians() / 4.0), ..Bounds::default() };
    let as_scalars = EncodeConfig { fidelity: Fidelity::Bounded(bounds), ..EncodeConfig::default() };
    let (before, after) = (
        encode(&scalars, &as_scalars).expect("valid").len(),
        encode(&one, &config(0.05)).expect("valid").len(),
    );
    assert!(after * 10 < before * 8, "{after} bytes for {before}");
}
