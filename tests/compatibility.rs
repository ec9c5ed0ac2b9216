//! Golden files: every format version's files keep decoding to the same values, and today's encoder keeps writing
//! today's bytes.

use sinew::{Clip, Effort, EncodeConfig, Error, Naming, decode, encode};
use sinew_tests::{humanoid, mixed, skeleton};
use std::path::PathBuf;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("golden").join(name)
}

/// Name, clip, configuration and the CRC-32 of the decoded samples' and times' bits.
fn cases() -> Vec<(&'static str, Clip, EncodeConfig, u32)> {
    vec![
        (
            "v1_humanoid_lossless.sinew",
            humanoid(70, 1),
            EncodeConfig::lossless().with_block_frames(32),
            LOSSLESS,
        ),
        (
            "v1_max_lossless.sinew",
            humanoid(70, 1),
            EncodeConfig::lossless().with_effort(Effort::Max).with_block_frames(32),
            LOSSLESS,
        ),
        ("v1_humanoid_0.001.sinew", humanoid(70, 1), EncodeConfig::bounded(0.001), BOUNDED),
        (
            "v1_fast_0.001.sinew",
            humanoid(70, 1),
            EncodeConfig::bounded(0.001).with_effort(Effort::Fast),
            FAST,
        ),
        ("v1_max_0.001.sinew", humanoid(70, 1), EncodeConfig::bounded(0.001).with_effort(Effort::Max), MAX),
        ("v1_mixed_named.sinew", mixed(50, 2), EncodeConfig::bounded(0.01).with_naming(Naming::Named), MIXED),
        ("v1_skeleton.sinew", skeleton(40, 4), EncodeConfig::bounded(0.01), SKELETON),
        ("v1_world_1mm.sinew", humanoid(70, 1), EncodeConfig::world(1.0), WORLD),
        ("v1_empty.sinew", humanoid(0, 3), EncodeConfig::default(), 0),
    ]
}

const LOSSLESS: u32 = 0x565de9ff;
const BOUNDED: u32 = 0xfad4c192;
const FAST: u32 = 0x11db18cc;
const MAX: u32 = 0xfad4c192;
const MIXED: u32 = 0x3b8bb31a;
const WORLD: u32 = 0x21536b2e;
const SKELETON: u32 = 0x43abd808;

fn bits_hash(clip: &Clip) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for samples in &clip.samples {
        for sample in samples {
            hasher.update(&sample.to_bits().to_le_bytes());
        }
    }
    for time in clip.times.iter() {
        hasher.update(&time.to_bits().to_le_bytes());
    }
    hasher.finalize()
}

#[test]
fn golden_files_decode_to_the_same_bits_and_are_still_written() {
    for (name, clip, config, hash) in cases() {
        let path = golden(name);
        let encoded = encode(&clip, &config).expect("valid");
        if !path.exists() {
            assert!(std::env::var_os("CI").is_none(), "{name} is missing");
            std::fs::write(&path, &encoded).expect("golden folder");
        }
        let file = std::fs::read(&path).expect("golden file");
        let decoded = decode(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(bits_hash(&decoded), hash, "{name}: decoded bits, {:#010x}", bits_hash(&decoded));
        // A change of bytes changes FORMAT.md, CHANGELOG.md and these files in one commit.
        assert!(file == encoded, "{name}: the encoder writes other bytes than the golden file");
    }
}

#[test]
fn files_of_other_versions_give_their_message() {
    let mut file = std::fs::read(golden("v1_empty.sinew")).expect("golden file");
    for version in [0, 2, 255] {
        file[4] = version;
        let error = decode(&file).expect_err("another version");
        assert_eq!(error, Error::Unsupported { what: "format version", found: version.to_string() });
        assert_eq!(error.to_string(), format!("format version not supported: {version}"));
    }
}
