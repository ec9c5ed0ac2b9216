//! Any clip under any configuration comes back within its bounds, by every reader, and what is cut is noticed.

#![no_main]

use arbitrary::{Arbitrary, Unstructured};
use libfuzzer_sys::fuzz_target;
use sinew::{Bounds, Clip, EncodeConfig, Error, Fidelity, TrackKind, decode, encode, recover};
use sinew_fuzz::{LIMITS, any_clip, any_config, check_readers_agree};
use sinew_tests::assert_faithful;

/// Most blocks of a file.
const MAX_BLOCKS: usize = 8;

#[derive(Debug)]
struct Case {
    clip: Clip,
    config: EncodeConfig,
    cut: u16,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Case> {
        let (mut config, cut, clip) = (any_config(u)?, u.arbitrary()?, any_clip(u)?);
        // The models of a block are new each time, which is all that a clip of many short blocks would test.
        let shortest = clip.frames().div_ceil(MAX_BLOCKS) as u32;
        config.block_frames = config.block_frames.map(|frames| frames.max(shortest));
        Ok(Case { clip, config, cut })
    }
}

fuzz_target!(|case: Case| {
    let Case { clip, config, cut } = case;
    let file = encode(&clip, &config).expect("a valid clip");
    let decoded = decode(&file).expect("an own file");
    assert_faithful(&clip, &decoded, &config.fidelity, "decoded");
    if let Fidelity::Bounded(bounds) = &config.fidelity {
        check_angles(&clip, &decoded, bounds);
    }
    let info = check_readers_agree(&file, &decoded);
    assert_eq!((info.fidelity, info.naming), (with_extra(config.fidelity), config.naming));

    let cut_file = &file[..usize::from(cut) % file.len()];
    assert!(
        matches!(decode(cut_file), Err(Error::Truncated { needed_bytes }) if needed_bytes > cut_file.len() as u64)
    );
    if let Ok(recovered) = recover(cut_file, &LIMITS) {
        assert!(!recovered.complete && recovered.clip.frames() <= clip.frames());
        for (samples, whole) in recovered.clip.samples.iter().zip(&decoded.samples) {
            assert!(samples.iter().zip(whole).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }
});

/// The fidelity as a file keeps it.
fn with_extra(fidelity: Fidelity) -> Fidelity {
    match fidelity {
        Fidelity::Lossless => Fidelity::Lossless,
        Fidelity::Bounded(bounds) => {
            Fidelity::Bounded(Bounds { extra: bounds.extra.or(Some(bounds.muscle)), ..bounds })
        }
        Fidelity::World(bounds) => Fidelity::World(bounds),
    }
}

/// No unit quaternion turns by more than the bound.
fn check_angles(clip: &Clip, decoded: &Clip, bounds: &Bounds) {
    let mut first = 0;
    for track in &clip.tracks {
        let arrays = first..first + track.components();
        first = arrays.end;
        if track.kind() != TrackKind::Rotation {
            continue;
        }
        for frame in 0..clip.frames() {
            let at = |clip: &Clip| -> [f64; 4] {
                std::array::from_fn(|axis| f64::from(clip.samples[arrays.start + axis][frame]))
            };
            let (a, b) = (at(clip), at(decoded));
            let is_unit = (a.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-6;
            if !is_unit {
                continue;
            }
            let length = b.iter().map(|x| x * x).sum::<f64>().sqrt();
            // The chord of two unit quaternions: exact where their product is too near 1 for an arc cosine.
            let chord = a.iter().zip(b).map(|(x, y)| (x - y / length).powi(2)).sum::<f64>().sqrt();
            let turn_deg = 4.0 * (chord / 2.0).min(1.0).asin().to_degrees();
            assert!(
                turn_deg <= bounds.rotation_deg + 1e-4,
                "{}, frame {frame}: {a:?} became {b:?}, {turn_deg} degrees",
                track.name()
            );
        }
    }
}
