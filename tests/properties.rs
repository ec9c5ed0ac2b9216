//! Random clips through random configurations.

use proptest::prelude::*;
use sinew::{Clip, Effort, EncodeConfig, Naming, Player, Times, Track, TrackKind, decode, encode, recover};
use sinew_tests::assert_faithful;

/// Samples of one array: any bits, a few values over and over, or a walk.
fn samples(frames: usize) -> impl Strategy<Value = Vec<f32>> {
    prop_oneof![
        prop::collection::vec(any::<u32>().prop_map(f32::from_bits), frames),
        (any::<f32>(), any::<f32>(), prop::collection::vec(any::<bool>(), frames))
            .prop_map(|(a, b, bits)| bits.into_iter().map(|bit| if bit { a } else { b }).collect()),
        (-2.0f32..2.0, prop::collection::vec(-0.05f32..0.05, frames)).prop_map(|(start, steps)| {
            let mut value = start;
            steps
                .into_iter()
                .map(|step| {
                    value += step;
                    value
                })
                .collect()
        }),
    ]
}

fn times(frames: usize) -> impl Strategy<Value = Times> {
    prop_oneof![
        (-10.0f64..10.0, 1e-4f64..1.0).prop_map(move |(start_s, frame_s)| Times::Uniform {
            start_s,
            frame_s,
            frames
        }),
        prop::collection::vec(-1e9f64..1e9, frames).prop_map(Times::Explicit),
        prop::collection::vec(-0.002f32..0.03, frames).prop_map(|steps| {
            let mut time = 0.0f32;
            Times::Explicit(
                steps
                    .into_iter()
                    .map(|step| {
                        time += step;
                        f64::from(time)
                    })
                    .collect(),
            )
        }),
    ]
}

fn clips() -> impl Strategy<Value = Clip> {
    (0usize..40, prop::collection::btree_map(0usize..120, 0u8..3, 0..8)).prop_flat_map(|(frames, chosen)| {
        let tracks: Vec<Track> = chosen
            .iter()
            .map(|(&number, &kind)| {
                let kind = [TrackKind::Scalar, TrackKind::Vector, TrackKind::Rotation][usize::from(kind)];
                match Track::muscle(number) {
                    Some(track) if kind == TrackKind::Scalar => track,
                    _ => Track::new(&format!("device{}/{number}", number % 3), kind),
                }
            })
            .collect();
        let arrays: usize = tracks.iter().map(Track::components).sum();
        (prop::collection::vec(samples(frames), arrays), times(frames)).prop_map(move |(samples, times)| {
            let mut clip = Clip::empty(tracks.clone());
            clip.samples = samples;
            clip.times = times;
            clip
        })
    })
}

fn configs() -> impl Strategy<Value = EncodeConfig> {
    let effort = prop_oneof![Just(Effort::Fast), Just(Effort::Balanced)];
    let parts = (prop::option::of(1e-7f64..0.5), 1u32..50, any::<bool>(), effort);
    parts.prop_map(|(bound, block_frames, named, effort)| {
        let config = bound.map_or(EncodeConfig::lossless(), EncodeConfig::bounded);
        let naming = if named { Naming::Named } else { Naming::Nameless };
        config.with_block_frames(block_frames).with_naming(naming).with_effort(effort)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_clip_comes_back_within_its_bounds(clip in clips(), config in configs()) {
        let file = encode(&clip, &config).expect("valid");
        let decoded = decode(&file).expect("own file");
        assert_faithful(&clip, &decoded, &config.fidelity, "random clip");
        let mut player = Player::open(&file).expect("own file");
        let mut pose = vec![0.0; player.components()];
        for frame in 0..clip.frames() {
            player.frame(frame, &mut pose).expect("a frame");
            let row = decoded.samples.iter().map(|samples| samples[frame].to_bits());
            prop_assert!(pose.iter().map(|value| value.to_bits()).eq(row), "frame {}", frame);
        }
    }

    #[test]
    fn any_bytes_are_refused_or_decoded_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode(&bytes);
        let _ = recover(&bytes, &sinew::DecodeLimits::default());
    }

    #[test]
    fn spliced_files_never_panic(clip in clips(), config in configs(), from in any::<prop::sample::Index>(),
                                 to in any::<prop::sample::Index>(), at in any::<prop::sample::Index>()) {
        let file = encode(&clip, &config).expect("valid");
        let (from, to) = (from.index(file.len()), to.index(file.len()));
        let piece = file[from.min(to)..from.max(to)].to_vec();
        let mut spliced = file.clone();
        let at = at.index(file.len());
        spliced.splice(at..at, piece);
        let _ = decode(&spliced);
        let _ = Player::open(&spliced);
        let _ = recover(&spliced, &sinew::DecodeLimits::default());
    }
}
