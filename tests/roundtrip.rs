//! What is encoded comes back: bit for bit when lossless, whatever the clip.

use sinew::{Clip, Effort, EncodeConfig, Fidelity, Naming, Times, Track, TrackKind, decode, encode};
use sinew_tests::{assert_faithful, humanoid, mixed};

fn configs() -> Vec<(&'static str, EncodeConfig)> {
    vec![
        ("lossless", EncodeConfig::lossless()),
        (
            "lossless, named, short blocks",
            EncodeConfig::lossless().with_naming(Naming::Named).with_block_frames(7),
        ),
        ("0.01", EncodeConfig::bounded(0.01)),
        ("0.001, named", EncodeConfig::bounded(0.001).with_naming(Naming::Named)),
        ("0.0001, short blocks", EncodeConfig::bounded(0.0001).with_block_frames(16)),
        ("0.001, fast", EncodeConfig::bounded(0.001).with_effort(Effort::Fast)),
        ("fast and lossless", EncodeConfig::lossless().with_effort(Effort::Fast)),
    ]
}

fn check(name: &str, clip: &Clip) {
    for (config_name, config) in configs() {
        let what = format!("{name}, {config_name}");
        let file = encode(clip, &config).unwrap_or_else(|error| panic!("{what}: {error}"));
        let decoded = decode(&file).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_faithful(clip, &decoded, &config.fidelity, &what);
    }
}

#[test]
fn few_frames_and_few_tracks() {
    for frames in [0, 1, 2, 3] {
        check("humanoid", &humanoid(frames, 1));
        check("mixed", &mixed(frames, 2));
        let mut trackless = Clip::empty(Vec::new());
        trackless.times = Times::Explicit((0..frames).map(|frame| frame as f64).collect());
        check("no tracks", &trackless);
        let mut single = Clip::empty(vec![Track::new("x", TrackKind::Scalar)]);
        single.samples[0] = vec![0.25; frames];
        single.times = Times::Uniform { start_s: -1.0, frame_s: 0.5, frames };
        check("one track", &single);
    }
}

#[test]
fn ordinary_clips() {
    check("humanoid", &humanoid(333, 3));
    check("mixed", &mixed(333, 4));
}

#[test]
fn synthetic_extremes() {
    for (name, clip) in sinew_corpus::extremes() {
        check(name, &clip);
    }
}

#[test]
fn special_floats_spare_the_frames_around_them() {
    let mut clip = humanoid(3, 5);
    let special = [0x7fc0_0001, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 1, 0xffc1_2345, 0x7f7f_ffff];
    for (offset, bits) in special.into_iter().enumerate() {
        clip.samples[5 + offset][1] = f32::from_bits(bits);
    }
    check("special floats", &clip);
    // Near-lossless keeps what is not finite exactly.
    let decoded = decode(&encode(&clip, &EncodeConfig::bounded(0.01)).expect("valid")).expect("own file");
    for offset in [0, 1, 2, 5] {
        assert_eq!(decoded.samples[5 + offset][1].to_bits(), special[offset]);
    }
}

#[test]
fn outliers_are_neither_clamped_nor_coarsen_the_others() {
    let mut clip = humanoid(3, 6);
    for (muscle, value) in [-1.6486, 1.5691, 3.25, -12.0, 1000.001].into_iter().enumerate() {
        clip.samples[muscle][1] = value;
    }
    check("out of range", &clip);
}

#[test]
fn times_that_stand_still_or_step_back_keep_their_order() {
    let step = 1.0f32 / 60.0;
    let mut clip = humanoid(7, 7);
    let times = [0.0, step, 2.0 * step, 2.0 * step, step, 3.0 * step, 3.0 * step];
    clip.times = Times::Explicit(times.iter().map(|&time| f64::from(time)).collect());
    check("backward times", &clip);
    let mut late = humanoid(200, 8);
    late.times = Times::Explicit((0..200).map(|frame| f64::from(36_000.0 + frame as f32 / 60.0)).collect());
    check("after ten hours", &late);
    let mut wide = humanoid(50, 9);
    wide.times = Times::Explicit((0..50).map(|frame| f64::from(frame) / 30.0).collect());
    check("f64 times", &wide);
}

#[test]
fn noise_does_not_grow() {
    let clip = sinew_corpus::extremes().into_iter().find(|(name, _)| *name == "noise").expect("listed").1;
    let raw = clip.frames() * (clip.components() + 1) * 4;
    let file = encode(&clip, &EncodeConfig::lossless()).expect("valid");
    assert!(file.len() <= raw + raw / 20 + 256, "{} bytes from {raw}", file.len());
}

#[test]
fn encoding_again_gives_the_same_bytes() {
    for (name, config) in configs() {
        let clip = humanoid(300, 10);
        let file = encode(&clip, &config).expect("valid");
        assert_eq!(file, encode(&clip, &config).expect("valid"), "{name}: encoding twice");
        if config.effort == Effort::Fast && config.fidelity != Fidelity::Lossless {
            // Frames between keys lie on no lattice, so that another order of the keys can be shorter the second time.
            continue;
        }
        let once = decode(&file).expect("own file");
        let again = encode(&once, &config).expect("valid");
        assert_eq!(file, again, "{name}: encoding what was decoded");
    }
}
