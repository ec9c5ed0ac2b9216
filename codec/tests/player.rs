//! The player: the same samples as decoding gives, interpolation between them, and no allocation while it plays.

use sinew::{
    Clip, DecodeLimits, Effort, EncodeConfig, Error, Mask, Player, Times, Track, TrackKind, decode, encode,
};

/// A clip with every kind of track, in which some tracks rest, some jump, and some samples are no numbers.
fn clip(frames: usize, times: Times) -> Clip {
    let mut tracks = vec![Track::new("prop/turn", TrackKind::Rotation)];
    tracks.extend(Track::muscles());
    tracks.extend([Track::root_position(), Track::root_rotation(), Track::new("grip", TrackKind::Scalar)]);
    let mut clip = Clip::empty(tracks);
    for (number, samples) in clip.samples.iter_mut().enumerate() {
        let speed = (number % 7) as f32 * 0.031;
        samples.extend((0..frames).map(|frame| {
            let t = frame as f32;
            match number % 9 {
                0 => 0.25,
                1 => (t * speed).sin() * 0.5 + (frame * frame * (number + 3) % 31) as f32 * 0.01,
                2 if frame % 50 > 40 => -8.0,
                _ => (t * speed + number as f32).sin(),
            }
        }));
    }
    let last = frames.saturating_sub(1);
    for (number, frame) in [(5, 0), (6, 3), (7, 4), (8, last)] {
        if let Some(sample) = clip.samples[number].get_mut(frame) {
            *sample = f32::NAN;
        }
    }
    clip.samples[9].fill(f32::INFINITY);
    clip.samples[10].fill(-0.0);
    clip.times = times;
    clip
}

fn uniform(frames: usize) -> Times {
    Times::Uniform { start_s: -0.5, frame_s: 1.0 / 60.0, frames }
}

fn jittering(frames: usize) -> Times {
    Times::Explicit(
        (0..frames).map(|i| f64::from((i as f64 * 0.02 + (i * 7 % 5) as f64 * 0.002) as f32)).collect(),
    )
}

/// Files of one clip in every way that a player reads them.
fn files(clip: &Clip) -> Vec<(String, Vec<u8>)> {
    let bounded = EncodeConfig::bounded(0.001);
    let configs = [
        ("fast", bounded.with_effort(Effort::Fast)),
        ("fast in short blocks", bounded.with_effort(Effort::Fast).with_block_frames(11)),
        ("fast in single frames", bounded.with_effort(Effort::Fast).with_block_frames(1)),
        ("fast, fine", EncodeConfig::bounded(1e-6).with_effort(Effort::Fast).with_block_frames(64)),
        ("fast, lossless", EncodeConfig::lossless().with_effort(Effort::Fast)),
        ("balanced", bounded),
    ];
    configs.map(|(name, config)| (name.to_owned(), encode(clip, &config).expect("valid"))).into()
}

fn assert_bits(values: &[f32], expected: impl Iterator<Item = f32>, what: &str) {
    for (number, (value, expected)) in values.iter().zip(expected).enumerate() {
        assert_eq!(value.to_bits(), expected.to_bits(), "{what}: component {number}: {value} {expected}");
    }
}

#[test]
fn at_a_frames_time_the_pose_is_what_decoding_gives() {
    for frames in [1, 2, 3, 4, 5, 6, 9, 150] {
        for times in [uniform(frames), jittering(frames)] {
            let clip = clip(frames, times);
            for (name, file) in files(&clip) {
                let decoded = decode(&file).expect("own file");
                let mut player = Player::open(&file).expect("own file");
                assert_eq!((player.frames(), player.tracks()), (frames, &decoded.tracks[..]));
                let mut pose = vec![0.0; player.components()];
                // Forwards, backwards, and to and fro.
                let orders = (0..frames).chain((0..frames).rev()).chain((0..frames).map(|i| i * 37 % frames));
                for number in orders {
                    let row = || decoded.samples.iter().map(move |samples| samples[number]);
                    let what = format!("{name}, frame {number} of {frames}");
                    let time = decoded.times.get(number).expect("a frame");
                    assert_eq!(player.frame(number, &mut pose), Ok(time));
                    assert_bits(&pose, row(), &what);
                    pose.fill(7.0);
                    player.sample(time, &mut pose).expect("a time");
                    assert_bits(&pose, row(), &what);
                }
            }
        }
    }
}

#[test]
fn between_frames_the_pose_is_interpolated() {
    let clip = clip(150, jittering(150));
    for (name, file) in files(&clip) {
        let decoded = decode(&file).expect("own file");
        let mut player = Player::open(&file).expect("own file");
        let mut pose = vec![0.0; player.components()];
        let rotations = [0, 4 + 95 + 3];
        for number in (0..149).chain((0..149).map(|i| i * 37 % 149)) {
            let (start, end) = (decoded.times.get(number), decoded.times.get(number + 1));
            let (start, end) = (start.expect("a frame"), end.expect("a frame"));
            let time = start * 0.625 + end * 0.375;
            let fraction = ((time - start) / (end - start)) as f32;
            player.sample(time, &mut pose).expect("a time");
            for (component, samples) in decoded.samples.iter().enumerate() {
                let (a, b) = (samples[number], samples[number + 1]);
                let expected = a + (b - a) * fraction;
                let place = format!("{name}: component {component}, frame {number}");
                if rotations.iter().any(|&start| (start..start + 4).contains(&component)) {
                    continue;
                }
                let both_nan = pose[component].is_nan() && expected.is_nan();
                assert!(both_nan || pose[component].to_bits() == expected.to_bits(), "{place}");
            }
            for start in rotations.iter().copied() {
                let rotation = &pose[start..start + 4];
                let length: f32 = rotation.iter().map(|value| value * value).sum();
                assert!(rotation.iter().any(|value| value.is_nan()) || (length - 1.0).abs() < 1e-5, "{name}");
            }
        }
    }
}

#[test]
fn single_tracks_and_body_parts_equal_the_pose() {
    let clip = clip(90, jittering(90));
    for (name, file) in files(&clip) {
        let mut player = Player::open(&file).expect("own file");
        let mut upper = Player::open_with(&file, &DecodeLimits::default(), Mask::UPPER).expect("own file");
        let mut pose = vec![0.0; player.components()];
        let mut upper_pose = vec![0.0; upper.components()];
        let tracks = player.tracks().to_vec();
        for step in (0..200).chain((0..200).rev().step_by(7)) {
            let time = f64::from(step) * 0.0097 - 0.05;
            player.sample(time, &mut pose).expect("a time");
            upper.sample(time, &mut upper_pose).expect("a time");
            let mut masked = vec![9.0; pose.len()];
            player.sample_parts(time, Mask::UPPER, &mut masked).expect("a time");
            let (mut start, mut of_upper) = (0, 0);
            for (number, track) in tracks.iter().enumerate() {
                let own = &pose[start..start + track.components()];
                let mut values = vec![0.0; own.len()];
                player.sample_track(number, time, &mut values).expect("a track");
                let what = format!("{name}: {} at {time}", track.name());
                assert_bits(&values, own.iter().copied(), &what);
                let in_mask = &masked[start..start + own.len()];
                if Mask::UPPER.contains(track) {
                    assert_bits(in_mask, own.iter().copied(), &what);
                    assert_bits(&upper_pose[of_upper..of_upper + own.len()], own.iter().copied(), &what);
                    of_upper += own.len();
                } else {
                    assert!(in_mask.iter().all(|&value| value == 9.0), "{what}");
                }
                start += own.len();
            }
            assert_eq!(of_upper, upper.components());
        }
    }
}

#[test]
fn clones_play_on_their_own_and_ends_hold() {
    let clip = clip(100, uniform(100));
    let file = encode(&clip, &EncodeConfig::bounded(0.01).with_effort(Effort::Fast)).expect("valid");
    let mut first = Player::open(&file).expect("own file");
    let mut pose = vec![0.0; first.components()];
    first.frame(50, &mut pose).expect("a frame");
    let mut second = first.clone();
    let mut other = pose.clone();
    second.frame(10, &mut other).expect("a frame");
    first.frame(50, &mut other).expect("a frame");
    assert_bits(&other, pose.into_iter(), "after a clone moved");
    let (mut end, mut beyond) = (other.clone(), other);
    for (time, number) in [(-1e9, 0), (1e9, 99), (f64::INFINITY, 99)] {
        second.sample(time, &mut beyond).expect("held");
        second.frame(number, &mut end).expect("a frame");
        assert_bits(&beyond, end.iter().copied(), "past an end");
    }
}

#[test]
fn nothing_is_allocated_while_playing() {
    let clip = clip(300, jittering(300));
    for (name, file) in files(&clip) {
        let mut player = Player::open(&file).expect("own file");
        let mut pose = vec![0.0; player.components()];
        let info = allocation_counter::measure(|| {
            for step in 0..1000 {
                let time = f64::from(step * 7 % 500) * 0.0131;
                player.sample(time, &mut pose).expect("a time");
                player.sample_parts(time, Mask::LOWER, &mut pose).expect("a time");
                player
                    .sample_track(step as usize % 95, time, &mut pose[..1 + 3 * usize::from(step % 95 == 0)])
                    .expect("a track");
                player.frame(step as usize % 300, &mut pose).expect("a frame");
            }
        });
        assert_eq!(info.count_total, 0, "{name}: {} bytes", info.bytes_total);
    }
}

#[test]
fn a_fast_clip_takes_less_memory_than_its_samples() {
    let clip = sinew::Clip::from_muscle_frames(
        &(0..600).map(|i| [(i as f32 * 0.03).sin(); 95]).collect::<Vec<_>>(),
        uniform(600),
    )
    .expect("valid");
    let samples = 600 * 95 * 4;
    let file = encode(&clip, &EncodeConfig::bounded(0.001).with_effort(Effort::Fast)).expect("valid");
    let memory = Player::open(&file).expect("own file").memory_bytes();
    assert!(memory > samples / 5 && memory < samples / 2, "{memory} of {samples}");
    let file = encode(&clip, &EncodeConfig::lossless()).expect("valid");
    assert!(Player::open(&file).expect("own file").memory_bytes() >= samples);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let clip = clip(20, uniform(20));
    let fast = EncodeConfig::bounded(0.01).with_effort(Effort::Fast);
    let file = encode(&clip, &fast).expect("valid");
    let mut player = Player::open(&file).expect("own file");
    let mut pose = vec![0.0; player.components()];
    assert!(matches!(player.sample(0.0, &mut pose[1..]), Err(Error::InvalidInput { .. })));
    assert!(matches!(player.sample(f64::NAN, &mut pose), Err(Error::InvalidInput { .. })));
    assert!(matches!(player.frame(20, &mut pose), Err(Error::InvalidInput { .. })));
    assert!(matches!(player.sample_track(99, 0.0, &mut pose[..1]), Err(Error::InvalidInput { .. })));
    assert!(matches!(player.sample_track(1, 0.0, &mut pose[..4]), Err(Error::InvalidInput { .. })));

    let mut nothing = Player::open_with(&file, &DecodeLimits::default(), Mask::NONE).expect("own file");
    assert_eq!(
        (nothing.components(), nothing.frame(3, &mut [])),
        (0, Ok(clip.times.get(3).expect("a frame")))
    );

    let limits = DecodeLimits { max_samples: 100, ..DecodeLimits::default() };
    assert!(matches!(Player::open_with(&file, &limits, Mask::ALL), Err(Error::LimitExceeded { .. })));
    for cut in 0..file.len() {
        assert!(Player::open(&file[..cut]).is_err(), "cut at {cut}");
    }

    let empty = self::clip(0, uniform(0));
    for config in [fast, EncodeConfig::lossless()] {
        let mut player = Player::open(&encode(&empty, &config).expect("valid")).expect("own file");
        assert!(matches!(player.sample(0.0, &mut pose), Err(Error::InvalidInput { .. })));
        assert!(matches!(player.sample_track(1, 0.0, &mut pose[..1]), Err(Error::InvalidInput { .. })));
    }
}
