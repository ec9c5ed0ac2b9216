//! Where the bytes went: every byte of a file has a part, and every byte of the motion a stage.

use sinew::{Clip, DecodeLimits, Effort, EncodeConfig, FileInfo, encode, file_info, file_info_with_stages};
use sinew_tests::{humanoid, mixed, skeleton};
use std::collections::BTreeMap;

fn info_of(clip: &Clip, config: &EncodeConfig) -> (Vec<u8>, FileInfo) {
    let file = encode(clip, config).expect("valid");
    let info = file_info_with_stages(&file, &DecodeLimits::default()).expect("own file");
    (file, info)
}

#[test]
fn parts_add_up_to_the_file_and_stages_to_its_motion() {
    for effort in [Effort::Fast, Effort::Balanced, Effort::Max] {
        for config in [EncodeConfig::lossless(), EncodeConfig::bounded(0.001), EncodeConfig::bounded(1e-6)] {
            for clip in [humanoid(150, 1), mixed(150, 2), skeleton(150, 3), mixed(0, 4), mixed(1, 5)] {
                let config = config.with_effort(effort).with_block_frames(64);
                let (file, info) = info_of(&clip, &config);
                assert_eq!(info.parts.iter().map(|(_, bytes)| bytes).sum::<u64>(), file.len() as u64);
                let plain = file_info(&file, &DecodeLimits::default()).expect("own file");
                let not_motion = ["header", "metadata", "times", "block headers and checksums", "seek index"];
                let groups = plain.parts.iter().filter(|(name, _)| !not_motion.contains(&name.as_str()));
                let motion: u64 = groups.map(|(_, bytes)| bytes).sum();
                assert_eq!(info.stages.iter().map(|stage| stage.bytes).sum::<u64>(), motion, "{effort:?}");
                assert_eq!(motion > 0, clip.frames() > 0);
                assert_eq!(plain, FileInfo { stages: Vec::new(), ..info });
            }
        }
    }
}

#[test]
fn stages_of_a_part_add_up_to_its_group() {
    let (_, info) = info_of(&mixed(150, 2), &EncodeConfig::bounded(0.001));
    let mut parts: BTreeMap<&str, u64> = BTreeMap::new();
    for stage in &info.stages {
        *parts.entry(&stage.part).or_default() += stage.bytes;
    }
    for (name, bytes) in parts {
        let group = info.parts.iter().find(|(part, _)| part == name);
        assert_eq!(group.map(|(_, bytes)| *bytes), Some(bytes), "{name}");
    }
}

#[test]
fn bytes_go_where_the_clip_needs_them() {
    let of = |info: &FileInfo, part: &str, stage: &str| {
        let found = info.stages.iter().filter(|s| s.part == part && s.stage.starts_with(stage));
        found.map(|stage| stage.bytes).sum::<u64>()
    };
    for effort in [Effort::Balanced, Effort::Max] {
        // One muscle of the left arm moves, and one of the head, which is lost in every fifth frame.
        let mut clip = humanoid(200, 1);
        for (number, samples) in clip.samples.iter_mut().enumerate() {
            for (frame, sample) in samples.iter_mut().enumerate() {
                match number {
                    42 => {}
                    14 if frame % 5 == 2 => *sample = f32::from_bits(0x7fc0_0000 + frame as u32 * 999),
                    14 => {}
                    _ => *sample = 0.25,
                }
            }
        }
        let (_, info) = info_of(&clip, &EncodeConfig::bounded(0.0001).with_effort(effort));
        // Forty times four bytes, and where they are.
        let escapes = of(&info, "head", "escapes");
        assert!((160..200).contains(&escapes), "{effort:?}: {:?}", info.stages);
        assert!(of(&info, "left arm", "residuals") > 50 && of(&info, "left arm", "escapes") < 5);
        assert_eq!(of(&info, "torso", "residual"), 0);
        let (_, exact) = info_of(&clip, &EncodeConfig::lossless().with_effort(effort));
        let residuals = of(&exact, "left arm", "residual lengths") + of(&exact, "left arm", "residual bits");
        assert!(residuals > 100 && of(&exact, "torso", "residual") == 0, "{:?}", exact.stages);
    }
}

#[test]
fn damage_and_limits_are_errors_here_too() {
    let file = encode(&humanoid(150, 1), &EncodeConfig::default()).expect("valid");
    let limits = DecodeLimits { max_samples: 1000, ..DecodeLimits::default() };
    assert!(file_info_with_stages(&file, &limits).is_err());
    for cut in [0, 10, file.len() / 2, file.len() - 1] {
        assert!(file_info_with_stages(&file[..cut], &DecodeLimits::default()).is_err());
    }
}
