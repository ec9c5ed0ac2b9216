//! Faults that were found once, each under its own name.

use crate::hostile::{HEADER, file, index, section};
use sinew::{Clip, ClipReader, DecodeLimits, EncodeConfig, Error, Times, decode, encode, file_info, recover};

#[test]
fn an_index_of_other_frame_counts_than_the_blocks_is_damage() {
    let block = |first: u8, frames: u8| section(b"BLCK", &[&[first, frames][..], &[0; 14]].concat());
    let blocks = [block(0, 4), block(4, 6)];
    let start = file(&HEADER, &[]).len() as u8;
    let distance = blocks[0].len() as u8;
    let with_index = |counts: [u8; 2]| {
        let entry = |frames: u8, distance: u8| [frames, distance, 0, 0, 0, 0];
        let payload = [&[2][..], &entry(counts[0], start), &entry(counts[1], distance)].concat();
        file(&HEADER, &[blocks[0].clone(), blocks[1].clone(), index(&payload)])
    };
    assert_eq!(decode(&with_index([4, 6])).map(|clip| clip.frames()), Ok(10));
    for counts in [[4, 7], [3, 7], [6, 4], [0, 0]] {
        let wrong = with_index(counts);
        let is_mismatch = |error: Error| error.to_string().contains("the index does not match");
        assert!(decode(&wrong).is_err_and(is_mismatch), "{counts:?}");
        assert!(file_info(&wrong, &DecodeLimits::default()).is_err_and(is_mismatch), "{counts:?}");
        let mut reader = ClipReader::open(&wrong).expect("only the index is read");
        assert!(reader.frame(5, &mut [0.0; 95]).is_err(), "{counts:?}");
    }
}

#[test]
fn uniform_times_that_overflow_are_refused_by_all() {
    let mut clip = Clip::empty(Vec::new());
    clip.times = Times::Uniform { start_s: 0.0, frame_s: f64::MAX / 2.0, frames: 3 };
    let fine = encode(&clip, &EncodeConfig::lossless()).expect("valid");
    assert_eq!(decode(&fine), Ok(clip.clone()));
    clip.times = Times::Uniform { start_s: 0.0, frame_s: f64::MAX / 2.0, frames: 4 };
    let error = encode(&clip, &EncodeConfig::lossless()).expect_err("an infinite time");
    assert!(error.to_string().contains("frame 3"), "{error}");

    let header =
        [&[4, 0, 1, 0][..], &0f64.to_le_bytes(), &(f64::MAX / 2.0).to_le_bytes(), &[0, 0, 0]].concat();
    let with_frames = |frames: u8| {
        let start = file(&header, &[]).len() as u8;
        file(&header, &[section(b"BLCK", &[0, frames, 0]), index(&[1, frames, start])])
    };
    assert_eq!(with_frames(3), fine);
    let four = with_frames(4);
    assert!(matches!(decode(&four), Err(Error::Corrupt { what: "a time is not finite", .. })));
    assert!(file_info(&four, &DecodeLimits::default()).is_err());
    assert!(ClipReader::open(&four).expect("only the index is read").frame(0, &mut []).is_err());
}

#[test]
fn metadata_in_many_sections_does_not_pass_its_limit() {
    let meta = |key: u8| section(b"meta", &[&[0, 1, key, 90][..], &[b'x'; 90]].concat());
    let one = file(&HEADER, &[meta(b'a'), index(&[0])]);
    assert_eq!(decode(&one).map(|clip| clip.meta.len()), Ok(1));
    let many = file(&HEADER, &[meta(b'a'), meta(b'b'), meta(b'c'), index(&[0])]);
    assert!(matches!(decode(&many), Err(Error::Corrupt { .. })));
    let limits = DecodeLimits { max_meta_bytes: 100, ..DecodeLimits::default() };
    assert!(file_info(&many, &limits).is_err());
    let recovered = recover(&many, &limits).expect("the header is whole");
    assert_eq!((recovered.clip.meta.len(), recovered.complete), (1, false));
}

#[test]
fn an_index_that_claims_blocks_without_room_for_them_is_refused_before_it_grows() {
    let mut header = HEADER;
    header[0] = 4;
    let header = [&header[..4], &0f64.to_le_bytes(), &1f64.to_le_bytes(), &header[4..]].concat();
    // A million entries of two bytes each: as blocks they need twelve.
    let payload = [&[0xc0, 0x84, 0x3d][..], &[1, 1].repeat(1_000_000)].concat();
    let refused = decode(&file(&header, &[index(&payload)])).expect_err("no blocks");
    assert!(refused.to_string().contains("points at no block"), "{refused}");
}

#[test]
fn texts_that_no_reader_takes_are_refused_before_they_are_copied() {
    // Pages of zeros that nobody writes to take no memory.
    let endless = || String::from_utf8(vec![0; (1 << 30) + 1]).expect("zeros are UTF-8");
    let refused = |clip: &Clip, what: &str| {
        let error = encode(clip, &EncodeConfig::lossless()).expect_err(what).to_string();
        assert!(error.starts_with(what) && error.contains("1073741825 bytes"), "{error}");
    };
    let mut clip = Clip::empty(Vec::new());
    let joint = sinew::Joint { name: endless(), parent: None, offset: [0.0; 3], axes: Vec::new() };
    clip.rig = Some(sinew::Rig { joints: vec![joint] });
    refused(&clip, "the joints' names");
    clip.rig = None;
    clip.meta.insert(String::new(), endless());
    refused(&clip, "the metadata");
}

#[test]
fn endless_frames_without_a_track_are_refused() {
    let mut clip = Clip::empty(Vec::new());
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0, frames: usize::MAX >> 3 };
    let error = encode(&clip, &EncodeConfig::lossless()).expect_err("endless").to_string();
    assert!(error.contains("without a track"), "{error}");
    // What the readers take by default is written.
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0, frames: 1 << 28 };
    assert_eq!(clip.validate(), Ok(()));
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0, frames: 1 << 20 };
    let file = encode(&clip, &EncodeConfig::lossless()).expect("encodable");
    assert_eq!(decode(&file), Ok(clip));
}
