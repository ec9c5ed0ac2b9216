//! A bound in millimetres: what is posed holds it, whatever the samples are.

use sinew::humanoid::{Avatar, displacement};
use sinew::{Clip, EncodeConfig, Error, Fidelity, Times, Track, TrackKind, decode, encode, file_info};
use sinew_tests::{humanoid, mixed, skeleton};

fn cut(mut clip: Clip, frames: usize) -> Clip {
    clip.samples.iter_mut().for_each(|samples| samples.truncate(frames));
    clip.times = match clip.times {
        Times::Uniform { start_s, frame_s, .. } => Times::Uniform { start_s, frame_s, frames },
        Times::Explicit(mut times) => {
            times.truncate(frames);
            Times::Explicit(times)
        }
    };
    clip
}

/// Encodes, checks the bound on what comes back, and gives both.
fn checked(clip: &Clip, config: &EncodeConfig, mm: f64) -> (Vec<u8>, Clip) {
    let file = encode(clip, config).expect("encodes");
    let decoded = decode(&file).expect("own file");
    let found = displacement(clip, &decoded, Avatar::reference()).expect("posable");
    for worst in [found.max_joint_mm, found.max_shell_mm].into_iter().flatten() {
        assert!(worst.value <= mm, "{worst:?} beyond {mm} mm");
    }
    (file, decoded)
}

/// At 1 mm it takes less than a uniform bound that is about as far.
#[test]
fn generated_motion_holds_the_bound_in_fewer_bytes() {
    let clip = cut(sinew_corpus::default_clip(), 400);
    let mut lengths = Vec::new();
    for mm in [0.1, 1.0, 10.0] {
        let (file, _) = checked(&clip, &EncodeConfig::world(mm), mm);
        let info = file_info(&file, &sinew::DecodeLimits::default()).expect("own file");
        assert!(matches!(info.fidelity, Fidelity::World(bounds) if bounds.mm == mm));
        lengths.push(file.len());
    }
    assert!(lengths[0] > lengths[1] && lengths[1] > lengths[2], "{lengths:?}");
    let uniform = encode(&clip, &EncodeConfig::bounded(0.0005)).expect("encodes").len();
    assert!(lengths[1] * 10 < uniform * 9, "{} of {uniform}", lengths[1]);
}

#[test]
fn a_capture_holds_the_bound_in_fewer_bytes() {
    let Some(path) = sinew_corpus::require("muscle/waving.data") else { return };
    let clip = sinew::data::read(std::fs::File::open(path).expect("readable")).expect("a capture").clip;
    let (file, _) = checked(&clip, &EncodeConfig::world(1.0), 1.0);
    assert!(file.len() < 5800, "{}", file.len());
}

#[test]
fn root_devices_and_short_blocks_hold_theirs() {
    let clip = mixed(60, 5);
    let config = EncodeConfig::world(1.0).with_block_frames(16);
    let (_, decoded) = checked(&clip, &config, 1.0);
    let mut first = 0;
    for track in &clip.tracks {
        let next = first + track.components();
        let is_device = track.name().starts_with("tracker1") || track.name() == "smile";
        if is_device && track.kind() != TrackKind::Rotation {
            for (a, b) in clip.samples[first..next].iter().zip(&decoded.samples[first..next]) {
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 0.001), "{}", track.name());
            }
        }
        first = next;
    }
}

#[test]
fn what_is_not_finite_and_what_hardly_moves_stays_sane() {
    let mut clip = humanoid(40, 7);
    clip.samples[3][5] = f32::NAN;
    clip.samples[40][0] = f32::INFINITY;
    clip.samples[60].fill(f32::NAN);
    clip.samples[22][9] = 1e9;
    let (_, decoded) = checked(&clip, &EncodeConfig::world(1.0), 1.0);
    for (array, frame) in [(3, 5), (40, 0), (60, 39)] {
        assert_eq!(decoded.samples[array][frame].to_bits(), clip.samples[array][frame].to_bits());
    }
    for frames in [0, 1, 2] {
        checked(&cut(humanoid(4, 8), frames), &EncodeConfig::world(0.5), 0.5);
    }
    let mut still = humanoid(100, 9);
    still.samples.iter_mut().for_each(|samples| samples.fill(0.123));
    let (file, _) = checked(&still, &EncodeConfig::world(0.01), 0.01);
    assert!(file.len() < 900, "{}", file.len());
    checked(&cut(humanoid(30, 3), 12), &EncodeConfig::world(1e-6), 1e-6);
}

#[test]
fn clips_without_a_humanoid_and_odd_bounds_are_refused() {
    let plain = Clip::empty(vec![Track::new("x", TrackKind::Scalar)]);
    for clip in [skeleton(5, 1), plain] {
        let error = encode(&clip, &EncodeConfig::world(1.0)).expect_err("nothing to pose");
        assert!(
            matches!(&error, Error::InvalidInput { .. }) && error.to_string().contains("muscle"),
            "{error}"
        );
    }
    for mm in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
        assert!(encode(&humanoid(3, 1), &EncodeConfig::world(mm)).is_err(), "{mm}");
    }
}
