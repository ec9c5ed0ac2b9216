//! Any frame, track or body part alone equals the same part of the whole.

use sinew::{BodyPart, Clip, ClipReader, Effort, EncodeConfig, Error, Mask, Times, Track, decode, encode};
use sinew_tests::{Rng, humanoid, mixed};

/// 1,025 frames of slow waves: 512 + 512 + 1 frames in blocks.
fn waves() -> Clip {
    let mut clip = humanoid(1025, 4);
    for (number, samples) in clip.samples.iter_mut().enumerate() {
        for (frame, sample) in samples.iter_mut().enumerate() {
            let phase = (frame as f64 * 0.01 + number as f64) % 2.0 - 1.0;
            *sample = (phase * (1.0 - phase.abs()) * 4.0) as f32;
        }
    }
    clip
}

#[test]
fn every_frame_in_any_order_equals_the_whole() {
    for config in [
        EncodeConfig::bounded(0.001),
        EncodeConfig::lossless(),
        EncodeConfig::default().with_block_frames(64),
        EncodeConfig::default().with_block_frames(64).with_effort(Effort::Fast),
    ] {
        for clip in [waves(), mixed(300, 5)] {
            let file = encode(&clip, &config).expect("valid");
            let whole = decode(&file).expect("own file");
            let mut reader = ClipReader::open(&file).expect("own file");
            assert_eq!(reader.frames(), whole.frames() as u64);
            let mut frame = vec![0.0; reader.components()];
            let mut rng = Rng::new(6);
            let edges = [0, 1, 510, 511, 512, 513, 1023, 1024];
            let random: Vec<usize> = (0..60).map(|_| rng.bits() as usize % whole.frames()).collect();
            for number in edges.into_iter().chain(random).filter(|&number| number < whole.frames()) {
                let time = reader.frame(number as u64, &mut frame).expect("in range");
                assert_eq!(Some(time), whole.times.get(number), "time of frame {number}");
                for (component, value) in frame.iter().enumerate() {
                    assert_eq!(value.to_bits(), whole.samples[component][number].to_bits(), "frame {number}");
                }
            }
        }
    }
}

#[test]
fn one_track_and_one_body_part_equal_the_whole() {
    let file = encode(&waves(), &EncodeConfig::bounded(0.001)).expect("valid");
    let whole = decode(&file).expect("own file");
    let reader = ClipReader::open(&file).expect("own file");
    for track in [0, 9, 40, 94] {
        assert_eq!(reader.track(track).expect("in range"), [whole.samples[track].clone()]);
    }
    assert!(reader.track(95).is_err());
    let upper = reader.decode(Mask::UPPER).expect("own file");
    assert_eq!(upper.tracks.len(), 95 - 16);
    assert_eq!(upper.times, whole.times);
    for (track, samples) in upper.tracks.iter().zip(&upper.samples) {
        assert_eq!(samples, &whole.samples[track.muscle_index().expect("a muscle")]);
    }

    let file = encode(&mixed(100, 7), &EncodeConfig::lossless()).expect("valid");
    let whole = decode(&file).expect("own file");
    let reader = ClipReader::open(&file).expect("own file");
    assert!(reader.decode(Mask::ALL).expect("own file").bits_equal(&whole));
    let root = reader.decode(Mask::NONE.with(BodyPart::Root)).expect("own file");
    assert_eq!(root.tracks, [Track::root_position(), Track::root_rotation()]);
    assert_eq!(root.samples[..], whole.samples[..7]);
    let devices = reader.decode(Mask::NONE.with_devices()).expect("own file");
    assert_eq!(devices.tracks.len(), 3);
}

#[test]
fn frames_past_the_end_and_short_buffers_are_refused() {
    let file = encode(&humanoid(5, 8), &EncodeConfig::default()).expect("valid");
    let mut reader = ClipReader::open(&file).expect("own file");
    assert!(matches!(reader.frame(5, &mut [0.0; 95]), Err(Error::InvalidInput { .. })));
    assert!(matches!(reader.frame(0, &mut [0.0; 94]), Err(Error::InvalidInput { .. })));
    let empty = encode(&humanoid(0, 9), &EncodeConfig::default()).expect("valid");
    assert!(ClipReader::open(&empty).expect("own file").frame(0, &mut [0.0; 95]).is_err());
}

#[test]
fn uniform_times_are_the_same_from_any_block() {
    let mut clip = humanoid(700, 10);
    clip.times = Times::Uniform { start_s: 0.1, frame_s: 1.0 / 60.0, frames: 700 };
    let file = encode(&clip, &EncodeConfig::default()).expect("valid");
    let mut reader = ClipReader::open(&file).expect("own file");
    for number in [0, 600, 3] {
        assert_eq!(
            Some(reader.frame(number, &mut [0.0; 95]).expect("in range")),
            clip.times.get(number as usize)
        );
    }
}
