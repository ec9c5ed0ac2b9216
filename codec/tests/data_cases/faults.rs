//! What no frame may hold: each fault is named with frame, entry and byte.

use crate::bytes::*;

/// One 95-value take in which entry 3 of frame 1 has this name and value, as MessagePack.
fn with_entry(name: Vec<u8>, value: Vec<u8>) -> Vec<u8> {
    let mut entries: Vec<_> = values(1, 95).iter().map(|&value| (text(""), f32(value))).collect();
    entries[3] = (name, value);
    take(&[nameless(0.0, &values(0, 95)), frame_of(&text(GUID), &f32(0.1), &entries)])
}

#[test]
fn items_of_a_wrong_type_are_named_with_their_place() {
    let bin = vec![0xc4, 1, b'x'];
    let cases = [
        (vec![0xc3], f32(0.0), "boolean"),
        (bin.clone(), f32(0.0), "byte array"),
        (vec![0xa1, 0xff], f32(0.0), "utf8"),
        (vec![0x05], f32(0.0), "integer"),
        (vec![0xd4, 5, 0], f32(0.0), "MessagePack extension"),
        (text(""), vec![0xc3], "boolean"),
        (text(""), vec![0xc0], "expected value (a number)"),
        (text(""), text("1.0"), "string \"1.0\""),
        (text(""), bin, "byte array"),
        (text(""), vec![0x91, 0x00], "sequence"),
        (text(""), vec![0x80], "map"),
        (text(""), vec![0xc7, 2, 1, 0, 0], "MessagePack extension"),
        (text("Jaw Close"), f32(0.0), "frame 0 has no names"),
    ];
    for (name, value, part) in cases {
        let (frame, entry, at, what) = fault(&with_entry(name, value));
        assert_eq!((frame, entry), (Some(1), Some(3)), "{what}");
        assert_eq!(at, (1 + 712 + 47 + 3 * 7) as u64, "{what}");
        assert!(what.contains(part), "{what} has no {part}");
    }
}

#[test]
fn counts_that_vary_name_the_first_other_frame() {
    let frames: Vec<_> = [95, 94, 102, 0, 95].map(|count| nameless(0.0, &values(0, count))).to_vec();
    let (frame, entry, at, what) = fault(&take(&frames));
    assert_eq!((frame, entry, at), (Some(1), None, 713));
    assert!(what.contains("94 values, expected 95"), "{what}");
    let more = take(&[nameless(0.0, &values(0, 95)), nameless(0.0, &values(0, 102))]);
    assert!(fault(&more).3.contains("102 values, expected 95"));
}

#[test]
fn names_must_be_the_same_set_in_every_frame() {
    let after = |names: &[&str]| {
        fault(&take(&[
            frame(0.0, &["a", "b", "Left Thumb Spread"], &[0.0; 3]),
            frame(0.1, names, &vec![0.0; names.len()]),
        ]))
    };
    let cases: [(&[&str], u64, &str); 6] = [
        (&["a", "c", "Left Thumb Spread"], 1, "\"c\" is not among the names"),
        (&["a", "a", "b"], 1, "\"a\" comes a second time"),
        (&["a", "LeftHand.Thumb.Spread", "Left Thumb Spread"], 2, "comes a second time"),
        (&["a", "b"], 2, "2 values, expected 3: \"LeftHand.Thumb.Spread\" is missing"),
        (&["b", "a", "Left Thumb Spread", "d"], 3, "more values than the 3"),
        (&["a", "", "b"], 1, "no name"),
    ];
    for (names, expected, part) in cases {
        let (frame, entry, _, what) = after(names);
        assert_eq!((frame, entry), (Some(1), Some(expected)), "{what}");
        assert!(what.contains(part), "{what} has no {part}");
    }
}

#[test]
fn a_half_named_or_doubly_named_first_frame_is_refused() {
    let names: Vec<&str> =
        properties().iter().enumerate().map(|(i, name)| if i % 3 == 0 { "" } else { name }).collect();
    let (frame_number, entry, _, what) = fault(&take(&[frame(0.0, &names, &values(0, 95))]));
    assert_eq!((frame_number, entry), (Some(0), Some(1)));
    assert!(what.contains("all names or none"), "{what}");
    let twice = frame(0.0, &["Jaw Close", "x", "Jaw Close"], &[0.0; 3]);
    assert_eq!(fault(&take(&[twice])).1, Some(2));
}

#[test]
fn times_must_be_finite_numbers() {
    for (time, part) in
        [(f32(f32::NAN), "NaN"), (f64(f64::INFINITY), "inf"), (vec![0xc2], "boolean"), (vec![0xc0], "time")]
    {
        let bad = frame_of(&text(GUID), &time, &[(text(""), f32(0.0))]);
        let (frame, entry, _, what) = fault(&take(&[nameless(0.0, &[0.0]), bad]));
        assert_eq!((frame, entry), (Some(1), None));
        assert!(what.contains(part), "{what}");
    }
}

#[test]
fn frames_and_pairs_have_their_shape() {
    let pair = |items: &[u8]| [&[0x91, 0x93, 0xa0, 0x00, 0x91][..], items].concat();
    let cases: [(Vec<u8>, &str); 9] = [
        (vec![0x91, 0x90], "an array of 0 items, expected [GUID, time, values]"),
        (vec![0x91, 0x92, 0xa0, 0x00], "an array of 2 items"),
        (vec![0x91, 0x94, 0xa0, 0x00, 0x90, 0x00], "an array of 4 items"),
        (vec![0x91, 0x05], "integer `5`, expected a frame"),
        (vec![0x91, 0xc7, 1, 7, 0], "MessagePack extension, expected a frame"),
        (vec![0x91, 0x93, 0xa0, 0x00, 0x80], "map, expected an array of values"),
        (pair(&[0x91, 0xa0]), "an array of 1 items, expected [name, value]"),
        (pair(&[0x93, 0xa0, 0x00, 0x00]), "an array of 3 items"),
        (pair(&[0x00]), "expected a pair [name, value]"),
    ];
    for (bytes, part) in cases {
        let (frame, _, _, what) = fault(&bytes);
        assert!(frame == Some(0) && what.contains(part), "{what} has no {part}");
    }
}

#[test]
fn other_roots_are_refused() {
    for (bytes, part) in [
        (&[][..], "empty"),
        (&[0xc0], "marker c0"),
        (&[0xc1], "marker c1"),
        (&[0xdf, 255, 255, 255, 255], "a map"),
        (b"HIERARCHY", "marker 48"),
        (&[0xdc, 0x01], "first header"),
    ] {
        let (frame, _, _, what) = fault(bytes);
        assert!(frame.is_none() && what.contains(part), "{what} has no {part}");
        assert!(sinew::data::recover(bytes).is_err());
    }
}
