//! What other MessagePack writers do differently, and mean the same.

use crate::bytes::*;
use sinew::data;

/// Nameless entries with these values, as MessagePack.
fn entries(values: Vec<Vec<u8>>) -> Vec<(Vec<u8>, Vec<u8>)> {
    values.into_iter().map(|value| (text(""), value)).collect()
}

#[test]
fn integers_and_float64_are_numbers() {
    let numbers = vec![
        vec![0x00],
        vec![0x01],
        vec![0xff],
        vec![0xd0, 0x81],
        vec![0xcc, 0x02],
        f64(0.1),
        vec![0xcd, 0x01, 0x00],
        vec![0xce, 0, 1, 0, 0],
        vec![0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        vec![0xd1, 0xff, 0xfe],
        vec![0xd2, 0xff, 0xff, 0xff, 0xfd],
        vec![0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0],
        f32(0.25),
        f64(f64::NAN),
        f64(f64::NEG_INFINITY),
    ];
    let expected = [
        0.0,
        1.0,
        -1.0,
        -127.0,
        2.0,
        0.1,
        256.0,
        65_536.0,
        u64::MAX as f32,
        -2.0,
        -3.0,
        i64::MIN as f32,
        0.25,
        f32::NAN,
        f32::NEG_INFINITY,
    ];
    let bytes = take(&[frame_of(&text(GUID), &[0x00], &entries(numbers))]);
    let file = read(&bytes);
    for (samples, expected) in file.clip.samples.iter().zip(expected) {
        assert!(
            samples[0] == expected || (samples[0].is_nan() && expected.is_nan()),
            "{samples:?} {expected}"
        );
    }
    assert!(!file.exact);
    let losses = file.losses.join("\n");
    assert!(losses.contains("values rounded to float32: 2") && losses.contains("entry 8"), "{losses}");
    assert!(file.losses.len() == 1, "{losses}");
    assert!(file.notes[0].contains("integers or float64 numbers"), "{:?}", file.notes);
}

#[test]
fn numbers_that_float32_holds_are_no_loss() {
    let numbers = vec![f64(0.5), vec![0x07], f64(f64::NAN), f64(f64::INFINITY), f64(-0.0)];
    let file = read(&take(&[frame_of(&text(GUID), &f64(0.1), &entries(numbers))]));
    assert_eq!((file.losses, file.notes.len()), (vec![], 1));
}

#[test]
fn cut_nan_bits_and_rounded_integer_times_are_losses() {
    let nan = f64(f64::from_bits(0x7ff8_0000_0000_0001));
    let wide = [&[0xcf][..], &((1u64 << 60) + 1).to_be_bytes()].concat();
    let frames = [
        frame_of(&text(GUID), &f32(0.0), &entries(vec![f32(0.0), nan.clone()])),
        frame_of(&text(GUID), &wide, &entries(vec![nan.clone(), nan])),
    ];
    let file = read(&take(&frames));
    assert_eq!(
        file.losses,
        [
            "NaN values cut to the bits of a float32: 2 frames (from frame 0 on)",
            "integer times rounded to float64: 1 frame (frame 1)",
        ]
    );
}

#[test]
fn a_number_beyond_float32_names_its_muscle() {
    let mut numbers = vec![f64(0.5); 95];
    numbers[6] = f64(1e300);
    let (frame, entry, at, what) = fault(&take(&[frame_of(&text(GUID), &f32(0.0), &entries(numbers))]));
    // Root, frame head and six pairs of 11 bytes stand before it.
    assert_eq!((frame, entry, at), (Some(0), Some(6), 1 + 1 + 38 + 5 + 3 + 6 * 11));
    assert!(what.contains("1e300") && what.contains("UpperChest Front-Back"), "{what}");
}

#[test]
fn float64_times_are_kept_and_written_times_are_told() {
    let time_s = 1.0 / 60.0;
    let file = read(&take(&[frame_of(&text(GUID), &f64(time_s), &entries(vec![f32(0.5); 95]))]));
    assert_eq!(file.clip.times.get(0), Some(time_s));
    let mut written = Vec::new();
    let notes = data::write(&file.clip, data::DataMode::Nameless, &mut written).expect("writable");
    assert!(notes.len() == 1 && notes[0].contains("times rounded to float32: 1"), "{notes:?}");
    assert_eq!(read(&written).clip.times.get(0), Some(f64::from(time_s as f32)));
}

#[test]
fn wide_headers_mean_the_same() {
    let values = values(1, 95);
    let ordinary = nameless(1.5, &values);
    let mut wide = [&array32(3)[..], &[0xda, 0, 36], GUID.as_bytes(), &f64(1.5), &array32(95)].concat();
    for &value in &values {
        wide.extend_from_slice(&[0xdc, 0, 2, 0xd9, 0]);
        wide.extend_from_slice(&f32(value));
    }
    let wide = [array32(2), ordinary.clone(), wide].concat();
    let file = read(&wide);
    assert!(file.clip.bits_equal(&read(&take(&[ordinary.clone(), ordinary])).clip));
    assert!(
        !file.exact && file.notes.len() == 1 && file.notes[0].contains("from frame 1 on"),
        "{:?}",
        file.notes
    );
}

#[test]
fn only_a_wide_root_header_is_told_too() {
    let file = read(&[array32(1), nameless(0.0, &values(0, 95))].concat());
    assert!(!file.exact && file.notes[0].contains("the root header"), "{:?}", file.notes);
}

#[test]
fn nil_is_the_empty_name_and_the_absent_guid() {
    let pair = |nil: bool| (if nil { vec![0xc0] } else { text("") }, f32(0.5));
    let frames = [
        frame_of(&[0xc0], &f32(0.0), &vec![pair(true); 95]),
        frame_of(&text(GUID), &f32(0.1), &vec![pair(false); 95]),
        frame_of(&text(GUID), &f32(0.2), &(0..95).map(|entry| pair(entry % 2 == 1)).collect::<Vec<_>>()),
    ];
    let file = read(&take(&frames));
    assert_eq!((file.clip.frames(), file.clip.tracks.len(), file.exact), (3, 95, false));
    assert_eq!(file.clip.meta[sinew::META_GUID], GUID);
    let mut written = Vec::new();
    data::write(&file.clip, data::DataMode::Nameless, &mut written).expect("writable");
    assert_eq!(written, take(&[0.0, 0.1, 0.2].map(|time| nameless(time, &[0.5; 95]))));
}

/// A frame of maps with these keys, in another order than the arrays have.
fn map_frame(guid: &str, value: &str, values: &[f32]) -> Vec<u8> {
    let mut bytes = vec![0x84];
    for (key, item) in [("Ignored", array(1).into_iter().chain([0xc0]).collect()), (guid, text(GUID))] {
        bytes.extend([text(key), item].concat());
    }
    bytes.extend([text("Transforms"), array(values.len())].concat());
    for (name, &number) in properties().iter().zip(values) {
        bytes.push(0x83);
        bytes.extend(
            [text(value), f32(number), text("ObjectName"), text(name), text("Extra"), vec![0xc3]].concat(),
        );
    }
    bytes.extend([text("Time"), f32(0.5)].concat());
    bytes
}

#[test]
fn maps_with_keys_in_any_case_are_frames() {
    let values = values(0, 95);
    let plain = read(&take(&[frame(0.5, &properties(), &values)]));
    for bytes in [map_frame("GUID", "value", &values), map_frame("Guid", "Value", &values)] {
        let file = read(&take(&[bytes]));
        assert!(file.clip.bits_equal(&plain.clip) && file.clip.meta == plain.clip.meta);
        assert!(!file.exact && file.notes[0].contains("maps with keys"), "{:?}", file.notes);
        let dropped = "map keys unknown to .data dropped: 1 frame (frame 0), first \"Ignored\"";
        assert_eq!(file.losses, [dropped]);
    }
}

#[test]
fn a_missing_or_double_key_is_named() {
    let (frame, _, _, what) = fault(&take(&[map_frame("Gui", "value", &values(0, 95))]));
    assert!(frame == Some(0) && what.contains("\"GUID\" is missing"), "{what}");
    let (_, entry, at, what) = fault(&take(&[map_frame("GUID", "val", &values(0, 95))]));
    assert!(entry == Some(0) && what.contains("\"value\" is missing"), "{what}");
    // The place is that of the pair, found through the map's keys.
    assert_eq!(at, 2 + 8 + 2 + 5 + 38 + 11 + 3);
    let (frame, _, _, what) = fault(&take(&[map_frame("time", "value", &values(0, 95))]));
    assert!(frame == Some(0) && what.contains("expected time (a number)"), "{what}");
    let (_, entry, _, what) = fault(&take(&[map_frame("GUID", "OBJECTNAME", &values(0, 95))]));
    assert!(entry == Some(0) && what.contains("expected name"), "{what}");
    let twice = [&[0x82][..], &text("GUID"), &text("a"), &text("guid"), &text("b")].concat();
    assert!(fault(&take(&[twice])).3.contains("\"guid\" comes a second time"));
}
