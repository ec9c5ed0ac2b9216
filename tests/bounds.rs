//! The promise of bounded fidelity, over bounds and kinds of motion.

use sinew::{Bounds, Effort, EncodeConfig, Fidelity, compare, decode, encode};
use sinew_tests::{assert_faithful, humanoid, mixed, skeleton};

#[test]
fn every_bound_holds_on_every_extreme() {
    for bound in [0.3, 0.01, 0.001, 0.0001, 1e-5, 1e-7] {
        for (name, clip) in sinew_corpus::extremes() {
            for effort in [Effort::Fast, Effort::Balanced, Effort::Max] {
                let config = EncodeConfig::bounded(bound).with_effort(effort);
                let decoded = decode(&encode(&clip, &config).expect("valid")).expect("own file");
                assert_faithful(&clip, &decoded, &config.fidelity, &format!("{name} at {bound}, {effort:?}"));
            }
        }
    }
}

#[test]
fn each_kind_of_track_has_its_own_bound() {
    let bounds = Bounds { muscle: 0.02, time_s: 0.0, position_m: 0.1, rotation_deg: 1.0, extra: Some(0.25) };
    let clip = mixed(300, 1);
    let config = EncodeConfig { fidelity: Fidelity::Bounded(bounds), ..EncodeConfig::default() };
    let file = encode(&clip, &config).expect("valid");
    let decoded = decode(&file).expect("own file");
    assert_faithful(&clip, &decoded, &config.fidelity, "own bounds");
    let default = encode(&clip, &EncodeConfig::default()).expect("valid");
    assert!(file.len() < default.len(), "looser bounds must make the file smaller");
}

#[test]
fn a_skeletons_angles_are_bounded_in_degrees_and_its_positions_in_their_unit() {
    let clip = skeleton(300, 5);
    let bounds =
        Bounds { muscle: 1e-6, time_s: 0.0, position_m: 0.25, rotation_deg: 2.5, extra: Some(0.001) };
    let config = EncodeConfig { fidelity: Fidelity::Bounded(bounds), ..EncodeConfig::default() };
    let decoded = decode(&encode(&clip, &config).expect("valid")).expect("own file");
    assert_faithful(&clip, &decoded, &config.fidelity, "own bounds");
    let worst = |track: usize| {
        let pairs = clip.samples[track].iter().zip(&decoded.samples[track]);
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    // Each bound is used, not only kept.
    assert!(worst(0) > 0.1 && worst(3) > 1.0 && worst(6) > 1.0 && worst(8) < 0.0011);
}

#[test]
fn bounds_that_mean_nothing_are_refused() {
    let clip = humanoid(3, 2);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = encode(&clip, &EncodeConfig::bounded(bad)).expect_err("no bound");
        assert!(error.to_string().contains("muscle error"), "{error}");
    }
    let bounds = Bounds { time_s: -0.1, ..Bounds::default() };
    let config = EncodeConfig { fidelity: Fidelity::Bounded(bounds), ..EncodeConfig::default() };
    assert!(encode(&clip, &config).is_err());
    for frames in [0, 4097] {
        assert!(encode(&clip, &EncodeConfig::default().with_block_frames(frames)).is_err());
    }
}

#[test]
fn the_frame_count_never_changes() {
    let efforts = [Effort::Balanced, Effort::Fast];
    for (frames, effort) in [1, 2, 511, 512, 513, 1024, 1025]
        .into_iter()
        .flat_map(|frames| efforts.map(|effort| (frames, effort)))
    {
        let clip = humanoid(frames, 3);
        let config = EncodeConfig::bounded(0.01).with_effort(effort);
        let decoded = decode(&encode(&clip, &config).expect("valid")).expect("own file");
        assert_eq!(decoded.frames(), frames);
        let report = compare(&clip, &decoded).expect("comparable");
        assert!(report.max_muscle.is_some_and(|worst| worst.value <= 0.01));
    }
}
