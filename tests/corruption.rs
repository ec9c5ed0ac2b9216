//! Cut and damaged files: an error or the original values, and whole blocks are never lost.

use sinew::{
    Clip, ClipReader, DecodeLimits, Effort, EncodeConfig, Error, Joint, Naming, Rig, decode, encode,
    file_info, recover,
};
use sinew_tests::{humanoid, mixed, skeleton};

/// A humanoid clip of few tracks: every bit of its file is flipped below.
fn small() -> Clip {
    let mut clip = humanoid(50, 1);
    let keep = [1, 2, 10, 22, 56, 94];
    clip.tracks = keep.iter().map(|&track| clip.tracks[track].clone()).collect();
    clip.samples = keep.iter().map(|&track| clip.samples[track].clone()).collect();
    clip
}

fn files() -> Vec<(&'static str, Clip, Vec<u8>)> {
    let mut files = Vec::new();
    let configs = [
        ("bounded", EncodeConfig::bounded(0.01).with_block_frames(20)),
        ("fast", EncodeConfig::bounded(0.01).with_block_frames(20).with_effort(Effort::Fast)),
        ("max", EncodeConfig::bounded(0.01).with_effort(Effort::Max).with_block_frames(20)),
        ("lossless", EncodeConfig::lossless().with_block_frames(25).with_naming(Naming::Named)),
    ];
    let clips = [small(), mixed(24, 2), skeleton(24, 3)];
    let mut cases: Vec<_> = configs
        .into_iter()
        .flat_map(|(name, config)| clips.iter().map(move |clip| (name, config, clip.clone())))
        .collect();
    cases.push(("world", EncodeConfig::world(1.0).with_block_frames(25), small()));
    for (name, config, clip) in cases {
        let file = encode(&clip, &config).expect("valid");
        // The original of a damaged file is what the whole file decodes to.
        let original = decode(&file).expect("own file");
        files.push((name, original, file));
    }
    files
}

#[test]
fn every_cut_is_an_error_and_recover_returns_exactly_the_whole_blocks() {
    for (name, original, file) in files() {
        let block_ends = block_ends(&file);
        for cut in 0..file.len() {
            let cut_file = &file[..cut];
            match decode(cut_file) {
                Err(Error::Truncated { needed_bytes }) => {
                    assert!(needed_bytes > cut as u64, "{name}: cut {cut}")
                }
                other => panic!("{name}: cut at {cut} gave {other:?}"),
            }
            assert!(ClipReader::open(cut_file).is_err());
            let whole: usize =
                block_ends.iter().filter(|(end, _)| *end <= cut).map(|(_, frames)| frames).sum();
            match recover(cut_file, &DecodeLimits::default()) {
                Ok(recovered) => {
                    assert!(!recovered.complete && !recovered.notes.is_empty());
                    assert_eq!(recovered.clip.frames(), whole, "{name}: cut {cut}");
                    for (a, b) in recovered.clip.samples.iter().zip(&original.samples) {
                        assert!(
                            a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits()),
                            "{name}: cut {cut}"
                        );
                    }
                    for (a, b) in recovered.clip.times.iter().zip(original.times.iter()) {
                        assert_eq!(a.to_bits(), b.to_bits());
                    }
                }
                Err(_) => assert_eq!(whole, 0, "{name}: nothing recovered at {cut}"),
            }
        }
    }
}

/// File offset after each block and the frames in it, read by hand from the sections.
fn block_ends(file: &[u8]) -> Vec<(usize, usize)> {
    let mut at = 5;
    let mut ends = Vec::new();
    let varint = |at: &mut usize| {
        let (mut value, mut shift) = (0usize, 0);
        loop {
            let byte = file[*at];
            *at += 1;
            value |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return value;
            }
        }
    };
    loop {
        let tag = &file[at..at + 4];
        at += 4;
        let length = varint(&mut at);
        let payload = at;
        at += length + 4;
        match tag {
            b"BLCK" => {
                let mut field = payload;
                let _first_frame = varint(&mut field);
                ends.push((at, varint(&mut field)));
            }
            b"INDX" => return ends,
            _ => {}
        }
    }
}

#[test]
fn every_bit_flip_is_an_error_or_the_original() {
    for (name, original, file) in files() {
        for bit in 0..file.len() * 8 {
            let mut damaged = file.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            if let Ok(decoded) = decode(&damaged) {
                assert!(decoded.bits_equal(&original), "{name}: bit {bit} changed values silently");
            }
            let _ = file_info(&damaged, &DecodeLimits::default());
            if let Ok(mut reader) = ClipReader::open(&damaged) {
                let mut frame = vec![0.0; reader.components()];
                for number in [0, reader.frames().saturating_sub(1)] {
                    if reader.frame(number, &mut frame).is_ok() {
                        for (value, samples) in frame.iter().zip(&original.samples) {
                            assert_eq!(
                                value.to_bits(),
                                samples[number as usize].to_bits(),
                                "{name}: bit {bit}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn one_flip_in_every_byte_of_a_whole_capture_is_noticed() {
    let file = encode(&humanoid(60, 6), &EncodeConfig::bounded(0.01)).expect("valid");
    for byte in 0..file.len() {
        let mut damaged = file.clone();
        damaged[byte] ^= 1 << (byte % 8);
        assert!(decode(&damaged).is_err(), "byte {byte}");
    }
}

#[test]
fn damage_in_the_middle_costs_only_the_blocks_it_touches() {
    let clip = humanoid(100, 3);
    let file = encode(&clip, &EncodeConfig::lossless().with_block_frames(20)).expect("valid");
    let ends = block_ends(&file);
    let mut damaged = file.clone();
    for byte in &mut damaged[ends[1].0 + 10..ends[1].0 + 14] {
        *byte ^= 0x5a;
    }
    assert!(decode(&damaged).is_err());
    let recovered = recover(&damaged, &DecodeLimits::default()).expect("whole header");
    assert_eq!(recovered.clip.frames(), 80);
    assert!(
        recovered.notes.iter().any(|note| note.contains("frames 40 to 59 are lost")),
        "{:?}",
        recovered.notes
    );
    assert_eq!(recovered.clip.samples[3][40].to_bits(), clip.samples[3][60].to_bits());
    assert_eq!(recovered.clip.times.get(40), clip.times.get(60));
}

#[test]
fn uniform_times_stay_true_after_a_lost_block() {
    let clip = mixed(100, 4);
    let file = encode(&clip, &EncodeConfig::lossless().with_block_frames(20)).expect("valid");
    let mut damaged = file.clone();
    damaged[block_ends(&file)[0].0 - 5] ^= 1;
    let recovered = recover(&damaged, &DecodeLimits::default()).expect("whole header").clip;
    assert_eq!(recovered.frames(), 80);
    assert_eq!(recovered.times.get(0), clip.times.get(20));
}

#[test]
fn extra_bytes_are_refused() {
    let (_, _, mut file) = files().remove(0);
    file.push(0);
    assert!(matches!(decode(&file), Err(Error::Corrupt { what: "bytes after the end of the file", .. })));
}

#[test]
fn a_whole_file_recovers_without_notes() {
    let (_, original, file) = files().remove(2);
    let recovered = recover(&file, &DecodeLimits::default()).expect("whole");
    assert!(recovered.complete && recovered.notes.is_empty() && recovered.clip.bits_equal(&original));
}

#[test]
fn a_damaged_rig_or_metadata_is_told_and_costs_nothing_else() {
    let mut clip = humanoid(40, 3);
    let joint = Joint { name: "Hips".into(), parent: None, offset: [0.0; 3], axes: Vec::new() };
    clip.rig = Some(Rig { joints: vec![joint] });
    clip.meta.insert("actor".into(), "A".into());
    let config = EncodeConfig::lossless().with_naming(Naming::Named);
    let file = encode(&clip, &config).expect("valid");
    let at = |tag: &[u8; 4]| file.windows(4).position(|window| window == tag).expect("there");
    let (rig, meta, blocks) = (at(b"JNTS"), at(b"meta"), at(b"BLCK"));
    for byte in rig..blocks {
        let mut damaged = file.clone();
        damaged[byte] ^= 1;
        let recovered = recover(&damaged, &DecodeLimits::default()).expect("whole header");
        let told = |what: &str| recovered.notes.iter().any(|note| note.starts_with(what));
        assert_eq!((recovered.clip.frames(), recovered.naming), (40, Naming::Named), "byte {byte}");
        let (place, what) = if byte < meta { (rig, "the rig") } else { (meta, "the metadata") };
        let lost = if byte < place + 4 { "what stands between header and blocks" } else { what };
        assert!(told(&format!("{lost} at byte {place} is damaged")), "byte {byte}: {:?}", recovered.notes);
        let kept = (recovered.clip.rig.is_some(), recovered.clip.meta.contains_key("actor"));
        // Behind a length that is damaged nothing is found but blocks.
        if byte != place + 4 {
            assert_eq!(kept, (byte >= meta, byte < meta), "byte {byte}");
        }
    }
    let cut = recover(&file[..meta - 2], &DecodeLimits::default()).expect("whole header");
    assert!(cut.notes.iter().any(|note| note.starts_with("the rig at byte")), "{:?}", cut.notes);
}
