//! Frames pushed one by one give the very bytes of the whole clip.

use sinew::{
    Bounds, Clip, Effort, EncodeConfig, Fidelity, StreamEncoder, TimeForm, Times, Track, decode, encode,
    recover,
};
use sinew_tests::{humanoid, mixed, skeleton};

/// Pushes every frame of the clip; gives the file, and after how many frames each block came out.
fn streamed(clip: &Clip, config: &EncodeConfig) -> (Vec<u8>, Vec<u64>) {
    let (mut encoder, mut file) =
        StreamEncoder::new(clip, TimeForm::of(&clip.times), config).expect("valid clip");
    let mut values = vec![0.0; clip.components()];
    let mut closed = Vec::new();
    for frame in 0..clip.frames() {
        for (value, samples) in values.iter_mut().zip(&clip.samples) {
            *value = samples[frame];
        }
        let time_s = clip.times.get(frame).expect("a frame of the clip");
        if let Some(block) = encoder.push_frame(time_s, &values).expect("a valid frame") {
            file.extend(block);
            closed.push(encoder.frames());
        }
    }
    file.extend(encoder.finish().expect("short enough"));
    (file, closed)
}

#[test]
fn streamed_bytes_are_those_of_the_whole_clip() {
    let exact_times = EncodeConfig {
        fidelity: Fidelity::Bounded(Bounds { time_s: 0.0, ..Bounds::default() }),
        ..EncodeConfig::default()
    };
    for effort in [Effort::Fast, Effort::Balanced, Effort::Max] {
        for config in [EncodeConfig::lossless(), EncodeConfig::bounded(0.001), exact_times] {
            let config = config.with_effort(effort).with_block_frames(16);
            for frames in [0, 1, 15, 16, 17, 31, 32, 33, 50] {
                let mut wide = humanoid(frames, 5);
                if let Times::Explicit(times) = &mut wide.times {
                    times.iter_mut().for_each(|time| *time += 1e-9);
                }
                for clip in [humanoid(frames, 3), wide, mixed(frames, 4), skeleton(frames, 6)] {
                    let (file, closed) = streamed(&clip, &config);
                    assert!(file == encode(&clip, &config).expect("valid"), "{effort:?}, {frames} frames");
                    // A block comes out with the first frame of the next one, and the last with the end.
                    let expected: Vec<u64> = (1..=frames as u64).filter(|n| *n > 16 && n % 16 == 1).collect();
                    assert_eq!(closed, expected, "{frames} frames");
                }
            }
        }
    }
}

#[test]
fn blocks_of_the_usual_length_are_the_same_too() {
    for config in [EncodeConfig::lossless(), EncodeConfig::default()] {
        let clip = humanoid(config.frames_per_block() + 3, 7);
        assert!(streamed(&clip, &config).0 == encode(&clip, &config).expect("valid"));
    }
}

#[test]
fn steps_of_no_time_or_back_across_the_seam_keep_their_sign() {
    let mut clip = humanoid(40, 8);
    if let Times::Explicit(times) = &mut clip.times {
        times[16] = times[15];
        times[32] = times[31] - 1e-6;
    }
    let config = EncodeConfig::default().with_block_frames(16);
    let (file, _) = streamed(&clip, &config);
    assert!(file == encode(&clip, &config).expect("valid"));
    let times: Vec<f64> = decode(&file).expect("own file").times.iter().collect();
    assert!(times[16] == times[15] && times[32] < times[31]);
}

#[test]
fn a_block_that_is_ended_early_is_out_with_the_next_frame() {
    let clip = Clip::empty(vec![Track::new("grip", sinew::TrackKind::Scalar)]);
    let (mut encoder, mut file) =
        StreamEncoder::new(&clip, TimeForm::Explicit { narrow: true }, &EncodeConfig::lossless())
            .expect("valid");
    encoder.end_block();
    for frame in 0..10u8 {
        let block = encoder.push_frame(f64::from(frame), &[f32::from(frame)]).expect("valid");
        assert_eq!(block.is_some(), frame == 7, "frame {frame}");
        file.extend(block.into_iter().flatten());
        if frame == 6 {
            encoder.end_block();
        }
    }
    // Were the machine to stop here, the ended block would be whole.
    let rest = recover(&file, &sinew::DecodeLimits::default()).expect("the header is whole");
    assert_eq!(rest.clip.samples, [(0..7u8).map(f32::from).collect::<Vec<_>>()]);
    file.extend(encoder.finish().expect("short enough"));
    assert_eq!(decode(&file).expect("own file").samples, [(0..10u8).map(f32::from).collect::<Vec<_>>()]);
}

#[test]
fn a_refused_frame_leaves_the_clip_as_it_was() {
    let clip = Clip::empty(vec![Track::new("grip", sinew::TrackKind::Scalar)]);
    let config = EncodeConfig::lossless().with_block_frames(2);
    let uniform = TimeForm::Uniform { start_s: 1.0, frame_s: 0.1 };
    for (form, good, bad) in [
        (TimeForm::Explicit { narrow: true }, [0.5, 1.5, 2.5], 0.1),
        (TimeForm::Explicit { narrow: false }, [0.1, 0.2, 0.3], f64::NAN),
        (uniform, [1.0, 1.0 + 0.1, 1.0 + 2.0 * 0.1], 1.25),
    ] {
        let (mut encoder, mut file) = StreamEncoder::new(&clip, form, &config).expect("valid");
        for (number, time_s) in good.into_iter().enumerate() {
            let refused = encoder.push_frame(bad, &[9.0]).expect_err("a wrong time").to_string();
            assert!(refused.contains(&format!("frame {number}: time")), "{refused}");
            assert!(encoder.push_frame(time_s, &[9.0, 9.0]).is_err(), "two values for one component");
            file.extend(encoder.push_frame(time_s, &[number as f32]).expect("valid").into_iter().flatten());
        }
        assert_eq!(encoder.frames(), 3);
        file.extend(encoder.finish().expect("short enough"));
        let decoded = decode(&file).expect("own file");
        assert_eq!(decoded.times.iter().collect::<Vec<_>>(), good);
        assert_eq!(decoded.samples, [[0.0, 1.0, 2.0]]);
    }
    let never = TimeForm::Uniform { start_s: 0.0, frame_s: 0.0 };
    assert!(StreamEncoder::new(&clip, never, &config).is_err());
}
