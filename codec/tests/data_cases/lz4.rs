//! MessagePack-CSharp's LZ4 forms, packed here by lz4_flex.

use crate::bytes::*;
use sinew::data;

/// Extension 99: an int32 length, then one block.
fn block(plain: &[u8]) -> Vec<u8> {
    let packed = lz4_flex::block::compress(plain);
    let payload = [&[0xd2][..], &(plain.len() as i32).to_be_bytes(), &packed].concat();
    [&[0xc9][..], &(payload.len() as u32).to_be_bytes(), &[99], &payload].concat()
}

/// Array of an extension 98 with the lengths and one binary a block.
pub fn block_array(plain: &[u8], block_bytes: usize) -> Vec<u8> {
    let blocks: Vec<&[u8]> = plain.chunks(block_bytes).collect();
    let lengths: Vec<u8> =
        blocks.iter().flat_map(|block| [&[0xd2][..], &(block.len() as i32).to_be_bytes()].concat()).collect();
    let mut bytes = array(1 + blocks.len());
    bytes.extend([&[0xc8][..], &(lengths.len() as u16).to_be_bytes(), &[98], &lengths].concat());
    for block in blocks {
        let packed = lz4_flex::block::compress(block);
        bytes.extend([&[0xc6][..], &(packed.len() as u32).to_be_bytes(), &packed].concat());
    }
    bytes
}

fn plain_take() -> Vec<u8> {
    take(
        &(0..400).map(|index| frame(index as f32, &properties(), &values(index / 7, 95))).collect::<Vec<_>>(),
    )
}

#[test]
fn both_forms_give_the_plain_take() {
    let plain = plain_take();
    let expected = read(&plain);
    for (bytes, form) in [
        (block(&plain), "extension 99"),
        (block_array(&plain, 32_768), "extension 98"),
        (block_array(&plain, 1000), "extension 98"),
    ] {
        assert!(data::sniff_data(&bytes[..16]));
        let file = read(&bytes);
        assert!(file.clip.bits_equal(&expected.clip) && file.clip.meta == expected.clip.meta);
        assert!(!file.exact && file.notes.len() == 1 && file.notes[0].contains(form), "{:?}", file.notes);
    }
}

#[test]
fn short_matches_and_long_runs_unpack() {
    // Entries repeat every seven bytes and every frame is the same: overlapping matches of several kinds.
    let plain = take(&vec![nameless(1.0, &[0.5; 95]); 3000]);
    for bytes in [block(&plain), block_array(&plain, 100_000)] {
        assert!(read(&bytes).clip.bits_equal(&read(&plain).clip));
    }
}

#[test]
fn an_empty_take_may_be_packed() {
    assert_eq!(read(&block(&[0x90])).clip.frames(), 0);
}

#[test]
fn impossible_lengths_are_refused() {
    let cases: [(&[u8], &str); 7] = [
        (&[0xc7, 7, 99, 0xd2, 0x7f, 255, 255, 255, 0x10, 0x90], "cannot hold the claimed 2147483647"),
        (&[0xc7, 7, 99, 0xd2, 255, 255, 255, 255, 0x10, 0x90], "negative: -1"),
        (&[0xc7, 3, 99, 0x02, 0x10, 0x90], "1 bytes before its length"),
        (&[0xc7, 3, 99, 0x00, 0x10, 0x90], "more bytes than its length"),
        (&[0xc7, 2, 99, 0xc0, 0x10], "marker c0"),
        (&[0xc7, 7, 99, 0x09, 0x10, 0x91, 9, 0, 0x00, 0x00], "9 bytes back"),
        (&[0x93, 0xd4, 98, 0x02, 0xc4, 1, 0], "2 LZ4 blocks but 1 lengths"),
    ];
    for (bytes, part) in cases {
        let (_, _, _, what) = fault(bytes);
        assert!(what.contains(part), "{what} has no {part}");
        if !what.contains("its length") {
            assert!(data::recover(bytes).map_or(true, |file| file.clip.frames() == 0));
        }
    }
}

#[test]
fn a_cut_block_gives_its_whole_frames() {
    let plain = plain_take();
    let whole = read(&plain);
    for packed in [block(&plain), block_array(&plain, 32_768)] {
        let mut most = 0;
        for cut in [packed.len() / 3, packed.len() / 2, packed.len() - 1] {
            let (frame, _, at, what) = fault(&packed[..cut]);
            assert_eq!(at, cut as u64);
            assert!(what.contains("LZ4 block") && what.contains("of 400 frames are whole"), "{what}");
            let file = data::recover(&packed[..cut]).expect("recoverable");
            assert_eq!(Some(file.clip.frames() as u64), frame);
            for frame in 0..file.clip.frames() {
                assert_eq!(bits(&file, frame), bits(&whole, frame));
            }
            assert!(file.clip.frames() > most, "a later cut keeps more");
            most = file.clip.frames();
        }
    }
}

#[test]
fn bytes_after_the_packed_take_are_told() {
    let plain = take(&nameless_frames(3));
    for packed in [block(&plain), block_array(&plain, 1000)] {
        let file = read(&[packed, vec![1, 2, 3]].concat());
        assert_eq!(file.clip.frames(), 3);
        assert!(file.notes[0].contains("3 trailing bytes"), "{:?}", file.notes);
    }
}

#[test]
fn a_fault_in_a_packed_frame_says_where_bytes_are_counted() {
    let plain = take(&[nameless(0.0, &[0.5; 95]), nameless(0.0, &[0.5; 94])]);
    let (frame, _, at, what) = fault(&block(&plain));
    assert_eq!((frame, at), (Some(1), 713));
    assert!(what.contains("unpacked"), "{what}");
}
