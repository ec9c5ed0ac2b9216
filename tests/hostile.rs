//! Files made to hurt: limits hold, unknown things are refused by name, and nothing overflows a small stack.

use sinew::{DecodeLimits, EncodeConfig, Error, decode, decode_with, encode};
use sinew_tests::humanoid;

/// A section with a right checksum.
pub(crate) fn section(tag: &[u8; 4], payload: &[u8]) -> Vec<u8> {
    let mut bytes = tag.to_vec();
    let mut length = payload.len();
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend_from_slice(payload);
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// A file of the given sections after magic, version and a header.
pub(crate) fn file(header: &[u8], sections: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![0x93, b'S', b'N', b'W', 1];
    bytes.extend(section(b"HEAD", header));
    for section in sections {
        bytes.extend_from_slice(section);
    }
    bytes
}

/// Lossless, balanced, narrow times, 95 muscles.
pub(crate) const HEADER: [u8; 7] = [2, 0, 1, 0, 95, 0, 0];

pub(crate) fn index(blocks: &[u8]) -> Vec<u8> {
    let mut bytes = section(b"INDX", blocks);
    let length = bytes.len() as u32;
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes
}

#[test]
fn unknown_sections_are_skipped_or_refused_by_name() {
    let optional = file(&HEADER, &[section(b"thmb", b"picture"), index(&[0])]);
    assert_eq!(decode(&optional).map(|clip| clip.frames()), Ok(0));
    let required = file(&HEADER, &[section(b"CRYP", b"key"), index(&[0])]);
    assert_eq!(decode(&required), Err(Error::Unsupported { what: "required section", found: "CRYP".into() }));
}

#[test]
fn other_versions_and_reserved_values_are_refused_by_what_they_are() {
    let mut newer = file(&HEADER, &[index(&[0])]);
    newer[4] = 9;
    assert_eq!(decode(&newer), Err(Error::Unsupported { what: "format version", found: "9".into() }));
    let mut effort = HEADER;
    effort[2] = 3;
    assert!(matches!(decode(&file(&effort, &[])), Err(Error::Unsupported { what: "effort", .. })));
    let mut flags = HEADER;
    flags[0] = 0x40;
    assert!(matches!(decode(&file(&flags, &[])), Err(Error::Corrupt { .. })));
    assert!(matches!(decode(b"PK\x03\x04"), Err(Error::Corrupt { at_byte: 0, .. })));
    assert!(matches!(decode(b""), Err(Error::Truncated { needed_bytes: 5 })));
}

#[test]
fn small_files_that_claim_much_stop_at_the_limits() {
    // 4,096 frames of nothing in a few bytes a block: legal, and capped.
    let block = |first: usize| {
        let mut payload = Vec::new();
        let mut value = first;
        while value >= 0x80 {
            payload.push(value as u8 | 0x80);
            value >>= 7;
        }
        payload.push(value as u8);
        payload.extend_from_slice(&[0x80, 0x20, 0, 0, 0, 0, 0, 0]);
        payload.extend_from_slice(&[0; 8]);
        section(b"BLCK", &payload)
    };
    let sections: Vec<Vec<u8>> = (0..50).map(|i| block(i * 4096)).collect();
    let limits = DecodeLimits { max_samples: 1 << 20, ..DecodeLimits::default() };
    let result = decode_with(&file(&HEADER, &sections), &limits, &mut |_| {});
    assert_eq!(result, Err(Error::LimitExceeded { what: "samples" }));

    // A header that lists 2^60 tracks.
    let listed = [2, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f];
    assert!(matches!(decode(&file(&listed, &[])), Err(Error::Corrupt { .. })));
    // A section of 2^62 bytes.
    let mut long = file(&HEADER, &[]);
    long.extend_from_slice(b"BLCK\xff\xff\xff\xff\xff\xff\xff\xff\x3f");
    assert!(decode(&long).is_err());
}

#[test]
fn blocks_that_repeat_or_skip_frames_are_damaged() {
    let clip = humanoid(40, 1);
    let whole = encode(&clip, &EncodeConfig::lossless().with_block_frames(20)).expect("valid");
    let first = whole.windows(4).position(|window| window == b"BLCK").expect("has blocks");
    let second =
        first + 4 + whole[first + 4..].windows(4).position(|window| window == b"BLCK").expect("two blocks");
    let mut twice = whole[..second].to_vec();
    twice.extend_from_slice(&whole[first..]);
    assert!(matches!(decode(&twice), Err(Error::Corrupt { .. })));
    let mut skipped = whole[..first].to_vec();
    skipped.extend_from_slice(&whole[second..]);
    assert!(matches!(decode(&skipped), Err(Error::Corrupt { .. })));
}

#[test]
fn everything_runs_on_a_small_stack() {
    let run = || {
        let clip = humanoid(200, 2);
        for config in [EncodeConfig::lossless(), EncodeConfig::bounded(0.001)] {
            let file = encode(&clip, &config).expect("valid");
            assert_eq!(decode(&file).map(|clip| clip.frames()), Ok(200));
        }
    };
    std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no overflow");
}
