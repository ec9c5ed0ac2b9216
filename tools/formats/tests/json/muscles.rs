//! The recorder's frames as JSON: every form, and clips to it and back bit for bit.

use crate::support::{loaded, refusal, walk, written};
use sinew::data::DataMode;
use sinew::{Clip, META_DATA_MODE, META_GUID, Times, Track, TrackKind};
use sinew_formats::{Format, WriteOptions, write};

#[test]
fn every_form_is_the_same_clip() {
    let plain = r#"[{"GUID":"g","Time":0.5,"Transforms":[{"ObjectName":"Jaw Close","value":0.1},{"ObjectName":"x","value":-0.0}]},
 {"GUID":"g","Time":1,"Transforms":[{"ObjectName":"Jaw Close","value":2},{"ObjectName":"x","value":1e-40}]}]"#;
    let found = loaded(plain).clip;
    assert_eq!(found.times, Times::Explicit(vec![0.5, 1.0]));
    assert_eq!((found.tracks[0].muscle_index(), found.tracks[1].name()), (Some(19), "x"));
    assert_eq!(found.samples[0], [0.1, 2.0]);
    assert_eq!(
        found.samples[1].iter().map(|value| value.to_bits()).collect::<Vec<_>>(),
        [0x8000_0000, 1e-40f32.to_bits()]
    );
    assert_eq!(found.meta.get(META_GUID).map(String::as_str), Some("g"));
    for text in [
        // Keys of other spelling and order, and others between them.
        plain
            .replace("GUID", "Guid")
            .replace("value", "Value")
            .replace("{\"ObjectName", "{\"n\":[{}],\"ObjectName"),
        // One frame a line.
        plain[1..plain.len() - 1].replace("},\n", "}\n"),
        // Lists, as MessagePack is shown as JSON.
        r#"[["g",0.5,[["Jaw Close",0.1],["x",-0.0]]],["g",1,[["Jaw Close",2],["x",1e-40]]]]"#.to_owned(),
        // Names in another order in a later frame.
        r#"[["g",0.5,[["Jaw Close",0.1],["x",-0.0]]],["g",1,[["x",1e-40],["Jaw Close",2]]]]"#.to_owned(),
    ] {
        let other = loaded(&text);
        assert_eq!(other.format, Format::Muscles);
        assert!(other.clip.bits_equal(&found) && other.clip.meta == found.meta, "{text}");
    }
    let nameless = loaded(
        r#"[{"GUID":null,"Time":0,"Transforms":[0.25,{"value":1},["",2],{"ObjectName":null,"value":3}]}]"#,
    );
    assert_eq!(nameless.clip.samples, [[0.25], [1.0], [2.0], [3.0]]);
    assert_eq!(nameless.clip.tracks[3].muscle_index(), Some(3));
    assert_eq!(nameless.clip.meta.get(META_DATA_MODE).map(String::as_str), Some("nameless"));
}

#[test]
fn clips_come_back_bit_for_bit_in_both_modes() {
    let mut clip = walk(7);
    clip.tracks.truncate(95);
    clip.samples.truncate(95);
    clip.samples[3] = vec![-12.0, 1000.001, f32::MAX, f32::MIN_POSITIVE / 3.0, -0.0, 1.0 / 3.0, 3.25];
    clip.times = Times::Explicit([0.024f32, 0.05, 0.08, 0.02, 0.1, 0.1, 9.968].map(f64::from).to_vec());
    for mode in [DataMode::Named, DataMode::Nameless] {
        clip.meta.insert(META_DATA_MODE.into(), mode.as_str().into());
        clip.meta.insert(META_GUID.into(), "a \"b\" \u{1F600}".into());
        let (text, notes) = written(&clip, Format::Muscles);
        assert_eq!(notes, []);
        assert_eq!(text.contains("Spine Front-Back"), mode == DataMode::Named);
        let back = loaded(&text);
        assert_eq!(back.notes, []);
        assert!(back.clip.bits_equal(&clip) && back.clip.meta == clip.meta);
        let (mut data, mut of_back) = (Vec::new(), Vec::new());
        sinew::data::write(&clip, mode, &mut data).expect("writable");
        sinew::data::write(&back.clip, mode, &mut of_back).expect("writable");
        assert_eq!(data, of_back);
    }
    assert_eq!(written(&walk(0), Format::Muscles).0, "[]\n");
}

#[test]
fn what_is_lost_is_what_data_loses() {
    let (_, notes) = written(&walk(3), Format::Muscles);
    let losses: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    assert!(
        losses.iter().any(|loss| loss.contains("root motion cannot be stored in .muscles.json")),
        "{losses:?}"
    );
    let mut clip = walk(3);
    clip.samples[7][1] = f32::NEG_INFINITY;
    let error = write(&clip, Format::Muscles, &WriteOptions::default(), &mut Vec::new(), &mut |_| {});
    let error = error.expect_err("JSON has none").to_string();
    assert!(error.contains("frame 1, component 7") && error.contains("UpperChest"), "{error}");
    let transforms = Clip::empty(vec![Track::new("a.localRotation", TrackKind::Rotation)]);
    assert!(
        write(&transforms, Format::Muscles, &WriteOptions::default(), &mut Vec::new(), &mut |_| {}).is_err()
    );
}

#[test]
fn faults_name_frame_value_and_line() {
    for (text, parts) in [
        ("[\n[\"g\",0,[1,2]],\n[\"g\",0,[1,\nNaN]]]", vec!["line 4", "frame 1, value 1", "expected value"]),
        (
            "[\n[\"g\",0,[1,2]],\n[\"g\",0,[1,1e300]]]",
            vec!["line 3", "frame 1, value 1", "1e300 is beyond the range"],
        ),
        ("[\n[\"g\",0,[1,2]],\n[\"g\",0,[1]]]", vec!["line 3", "frame 1", "1 values, expected 2"]),
        ("[[\"g\",0,[[\"a\",1],[\"\",2]]]]", vec!["line 1", "frame 0, value 1", "no name"]),
        ("[[\"g\",0,[[\"a\",1],[\"a\",2]]]]", vec!["frame 0, value 1", "second time"]),
        ("[[\"g\",0,[[\"a\",null]]]]", vec!["frame 0, value 0", "invalid type: null, expected a number"]),
        ("[[\"g\",0,[[\"a\",1,2]]]]", vec!["frame 0, value 0", "no pair"]),
        ("[[\"g\",0]]", vec!["frame 0", "no frame"]),
        ("[{\"GUID\":\"g\",\"Time\":0}]", vec!["the frame has no \"Transforms\""]),
        ("[{\"Time\":0,\"Time\":1,\"Transforms\":[]}]", vec!["\"Time\" comes a second time"]),
        ("[{\"Transforms\":[1],\"Transforms\":[2],\"Time\":1}]", vec!["\"Transforms\" comes a second time"]),
        ("[[\"\\ud800\",0,[]]]", vec!["line 1", "frame 0"]),
        ("[[\"g\",0,[1]]", vec!["frame 1", "EOF"]),
        ("[[\"g\",0,[1]]] x", vec!["expected value"]),
    ] {
        let error = refusal(Format::Muscles, text.as_bytes());
        assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
    }
}
