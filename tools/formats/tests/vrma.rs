//! `.vrma` and other glTF motion: small files of every layout, captures both ways, and files that mean harm.

mod captures;

use serde_json::{Value, json};
use sinew::{Clip, DecodeLimits, compare};
use sinew_formats::{Format, Loaded, ReadOptions, Result, WriteOptions, read_from, write};
use std::time::{Duration, Instant};

/// A binary glTF of this JSON and these bytes.
fn glb(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((12 + 8 + text.len() as u32 + 8 + binary.len() as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(&text);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

/// A node that turns about y: keys at 0, 1 and 2 s, 0, 90 and 180 degrees; accessor 0 times, 1 rotations.
fn turning() -> (Value, Vec<u8>) {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let times = [0f32, 1.0, 2.0];
    let turns = [0f32, 0.0, 0.0, 1.0, 0.0, half, 0.0, half, 0.0, 1.0, 0.0, 0.0];
    let binary: Vec<u8> = times.iter().chain(&turns).flat_map(|value| value.to_le_bytes()).collect();
    let json = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a", "translation": [0, 1, 0]}],
        "buffers": [{"byteLength": 60}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 12},
            {"buffer": 0, "byteOffset": 12, "byteLength": 48},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"},
        ],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": 0, "output": 1}],
        }],
    });
    (json, binary)
}

fn load(bytes: &[u8]) -> Result<Loaded> {
    let limits = DecodeLimits { max_samples: 1 << 20, ..DecodeLimits::default() };
    let mut reader = bytes;
    read_from(&mut reader, None, None, &ReadOptions { limits, ..ReadOptions::default() }, &mut |_| {})
}

fn written(clip: &Clip, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(clip, format, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    bytes
}

/// The angle about y of each frame.
fn y_angles(loaded: &Loaded) -> Vec<f32> {
    let y = loaded.clip.tracks.iter().position(|track| track.name() == "a.Yrotation").expect("a channel");
    loaded.clip.samples[y].clone()
}

#[test]
fn accessors_of_every_layout_are_the_same_motion() {
    let (plain, binary) = turning();
    let expected = load(&glb(&plain, &binary)).expect("plain");
    assert_eq!(expected.format, Format::Vrma);
    assert_eq!(expected.clip.frames(), 3);
    let angles = y_angles(&expected);
    assert!(angles.iter().zip([0.0, 90.0, 180.0]).all(|(a, b)| (a - b).abs() < 1e-4), "{angles:?}");

    // Rotations as integers, and with room between them.
    for (code, size, one) in [(5120, 1, 127i32), (5121, 1, 255), (5122, 2, 32767), (5123, 2, 65535)] {
        let (mut json, mut binary) = turning();
        let half = (f64::from(one) / 2f64.sqrt()).round() as i32;
        let stride = if size == 1 { 4 } else { 12 };
        binary.truncate(12);
        for row in [[0, 0, 0, one], [0, half, 0, half], [0, one, 0, 0]] {
            let bytes: Vec<u8> = row.iter().flat_map(|value| value.to_le_bytes()[..size].to_vec()).collect();
            binary.extend(&bytes);
            binary.resize(binary.len() + stride - bytes.len(), 0xee);
        }
        json["buffers"][0]["byteLength"] = binary.len().into();
        json["bufferViews"][1]["byteLength"] = (binary.len() - 12).into();
        json["bufferViews"][1]["byteStride"] = stride.into();
        json["accessors"][1]["componentType"] = code.into();
        json["accessors"][1]["normalized"] = true.into();
        let angles = y_angles(&load(&glb(&json, &binary)).expect("integers"));
        assert!(
            angles.iter().zip([0.0, 90.0, 180.0]).all(|(a, b)| (a - b).abs() < 0.01),
            "{code}: {angles:?}"
        );
    }

    // All from 0, replaced one by one: the second times and the rotations of zeros are those of the plain file.
    let (mut json, mut binary) = turning();
    binary.extend([0, 1, 2, 0]);
    json["buffers"][0]["byteLength"] = 64.into();
    json["bufferViews"]
        .as_array_mut()
        .expect("views")
        .push(json!({"buffer": 0, "byteOffset": 60, "byteLength": 3}));
    json["accessors"][1] = json!({"componentType": 5126, "count": 3, "type": "VEC4", "sparse": {
        "count": 3, "indices": {"bufferView": 2, "componentType": 5121}, "values": {"bufferView": 1}}});
    assert!(load(&glb(&json, &binary)).expect("sparse").clip.bits_equal(&expected.clip));

    // The buffer in the JSON itself.
    let (mut json, _) = turning();
    json["buffers"][0]["uri"] = "data:application/octet-stream;base64,\
        AAAAAAAAgD8AAABAAAAAAAAAAAAAAAAAAACAPwAAAADzBDU/AAAAAPMENT8AAAAAAACAPwAAAAAAAAAA"
        .into();
    assert!(load(json.to_string().as_bytes()).expect("embedded").clip.bits_equal(&expected.clip));
}

#[test]
fn what_lies_between_keys_is_sampled_where_keys_are_not_shared() {
    let (mut json, binary) = turning();
    json["nodes"] = json!([{"name": "a", "translation": [0, 1, 0]}, {"name": "b"}]);
    json["accessors"].as_array_mut().expect("accessors").extend([
        json!({"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"}),
        json!({"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"}),
    ]);
    json["animations"][0]["samplers"]
        .as_array_mut()
        .expect("samplers")
        .push(json!({"input": 2, "output": 3}));
    let channel = json!({"sampler": 1, "target": {"node": 1, "path": "rotation"}});
    json["animations"][0]["channels"].as_array_mut().expect("channels").push(channel);
    let loaded = load(&glb(&json, &binary)).expect("two curves");
    assert_eq!(loaded.clip.frames(), 61);
    assert!(loaded.notes.iter().any(|note| note.text.contains("sampled at 30 frames per second")));
    assert!((y_angles(&loaded)[15] - 45.0).abs() < 1e-3);
    json["animations"][0]["samplers"][0]["interpolation"] = "STEP".into();
    assert_eq!(y_angles(&load(&glb(&json, &binary)).expect("steps"))[29], 0.0);
}

type Change = (&'static str, fn(&mut Value), &'static str);

#[test]
fn faults_are_named() {
    let changes: &[Change] = &[
        ("offset", |j| j["bufferViews"][1]["byteOffset"] = 4_000_000_000u64.into(), "bytes 4000000000 to"),
        ("view", |j| j["bufferViews"][1]["byteLength"] = json!(u64::MAX), "bufferView 1"),
        (
            "negative",
            |j| j["bufferViews"][1]["byteOffset"] = json!(-4),
            "bufferView 1: its byteOffset is none",
        ),
        ("count", |j| j["accessors"][0]["count"] = json!(1_000_000_000_000u64), "values of all curves"),
        ("count", |j| j["accessors"][0]["count"] = json!(100_000), "100000 elements of 4 bytes"),
        ("few", |j| j["accessors"][1]["count"] = json!(2), "it has 2 elements, where 3 are needed"),
        (
            "stride",
            |j| j["bufferViews"][1]["byteStride"] = json!(8),
            "its byteStride is none for elements of 16 bytes",
        ),
        ("type", |j| j["accessors"][1]["type"] = json!("VEC3"), "it is \"VEC3\", where VEC4 is needed"),
        ("code", |j| j["accessors"][1]["componentType"] = json!(5125), "component type 5125"),
        ("integers", |j| j["accessors"][1]["componentType"] = json!(5121), "component type 5121"),
        ("times", |j| j["animations"][0]["samplers"][0]["input"] = json!(1), "where SCALAR is needed"),
        ("accessor", |j| j["animations"][0]["samplers"][0]["output"] = json!(9), "accessor 9: there is none"),
        (
            "zeros",
            |j| {
                j["accessors"][0].as_object_mut().expect("one").remove("bufferView");
            },
            "times are all 0",
        ),
        (
            "node",
            |j| j["animations"][0]["channels"][0]["target"]["node"] = json!(7),
            "channel 0: its node is none",
        ),
        ("sampler", |j| j["animations"][0]["channels"][0]["sampler"] = json!(7), "its sampler is none"),
        ("way", |j| j["animations"][0]["samplers"][0]["interpolation"] = json!("BEZIER"), "interpolation"),
        (
            "cubic",
            |j| j["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE"),
            "9 are needed",
        ),
        ("none", |j| j["animations"] = json!([]), "it has no animation"),
        ("file", |j| j["buffers"][0]["uri"] = json!("motion.bin"), "\"motion.bin\""),
        ("short", |j| j["buffers"][0]["byteLength"] = json!(999), "999 bytes are declared and 60 are there"),
        ("ring", |j| j["nodes"] = json!([{"children": [1]}, {"children": [0]}]), "ring"),
        (
            "twice",
            |j| {
                let c = j["animations"][0]["channels"][0].clone();
                j["animations"][0]["channels"].as_array_mut().expect("list").push(c);
            },
            "another curve",
        ),
    ];
    for (name, change, expected) in changes {
        let (mut json, binary) = turning();
        change(&mut json);
        let error = load(&glb(&json, &binary)).expect_err(name).to_string();
        assert!(error.contains(expected) && error.len() < 400, "{name}: {error}");
    }
    // Numbers that are none, with their byte.
    let (json, mut binary) = turning();
    binary[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    let bytes = glb(&json, &binary);
    let at = bytes.len() - binary.len() + 16;
    let error = load(&bytes).expect_err("NaN").to_string();
    assert!(error.contains(&format!("byte {at}: accessor 1: element 0 is NaN")), "{error}");
    let (json, mut binary) = turning();
    binary[8..12].copy_from_slice(&1f32.to_le_bytes());
    let error = load(&glb(&json, &binary)).expect_err("time stands").to_string();
    assert!(error.contains("key 2 is at 1 s, after one at 1 s"), "{error}");
}

#[test]
fn cut_and_deep_files_end_soon() {
    let start = Instant::now();
    let (json, binary) = turning();
    let whole = glb(&json, &binary);
    for length in 0..whole.len() {
        assert!(load(&whole[..length]).is_err(), "cut at {length}");
    }
    // A million nested lists, and a chain of many nodes, also from a small stack.
    let deep = format!("{{\"asset\":{{}},\"nodes\":{}", "[".repeat(1_000_000));
    let chain: Vec<Value> =
        (0..50_000).map(|n| if n < 49_999 { json!({"children": [n + 1]}) } else { json!({}) }).collect();
    let mut long = json.clone();
    long["nodes"] = chain.into();
    let long = glb(&long, &binary);
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let thread = small.spawn(move || {
        assert!(load(deep.as_bytes()).is_err());
        // So many joints are more than the limits allow, or a clip: either is an answer.
        load(&long).map(|loaded| loaded.clip.frames())
    });
    let frames = thread.expect("a thread").join().expect("no panic");
    assert!(frames.map_or(true, |frames| frames == 3));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn muscles_come_back_and_times_go_forward() {
    let Some(bytes) = capture("muscle/waving.data") else { return };
    let source = load_all(&bytes).clip;
    let file = written(&source, Format::Vrma);
    let skeleton = load_all(&file).clip;
    let rig = sinew_formats::skeleton::HumanRig::of_clip(&skeleton, &Default::default()).expect("a human");
    let (back, _) = sinew_formats::skeleton::to_humanoid(&skeleton, &rig, &mut |_| {}).expect("solved");
    let mut muscles = back.clone();
    muscles.tracks.truncate(95);
    muscles.samples.truncate(95);
    let found = compare(&source, &muscles).expect("comparable");
    assert!(found.max_abs.as_ref().is_some_and(|worst| worst.value < 5e-7), "{:?}", found.max_abs);
    // Only the eyes' muscles would be lost, and the recording has none.
    assert!(source.samples[15..19].iter().flatten().all(|&value| value == 0.0));

    // Steps back are dropped, and told.
    let mut odd = source.clone();
    let times = [0.0, 1.0, 2.0, 2.0, 1.0, 3.0, 3.0].map(|frame| frame / 60.0);
    odd.samples.iter_mut().for_each(|samples| samples.truncate(times.len()));
    odd.times = sinew::Times::Explicit(times.to_vec());
    let mut bytes = Vec::new();
    let notes =
        write(&odd, Format::Vrma, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect("writable");
    assert!(notes.iter().any(|note| note.is_loss() && note.text.starts_with("3 frames whose times")));
    assert_eq!(load_all(&bytes).clip.frames(), 4);
}

#[test]
fn files_of_other_programs_come_back_the_same() {
    for (name, bones, extra, bound) in
        [("vrma/pixiv__test.vrma", 51, 2, 1e-3), ("vrma/moeru-ai__idle_loop.vrma", 22, 0, 0.2)]
    {
        let Some(bytes) = capture(name) else { return };
        let clip = load_all(&bytes).clip;
        let again = load_all(&written(&clip, Format::Vrma)).clip;
        let rig = again.rig.as_ref().expect("a rig");
        assert_eq!(rig.joints.len(), bones, "{name}");
        assert_eq!((again.frames(), again.tracks.len() - rig.channels()), (clip.frames(), extra), "{name}");
        // What is written is normalised: a second time little changes, in degrees. A T-pose that is not level from side
        // to side, as that of the second file, is levelled anew.
        let third = load_all(&written(&again, Format::Vrma)).clip;
        let found = compare(&again, &third).expect("comparable");
        assert!(
            found.max_abs.as_ref().is_none_or(|worst| worst.value < bound),
            "{name}: {:?}",
            found.max_abs
        );
    }
}

fn capture(part: &str) -> Option<Vec<u8>> {
    captures::captures(part).map(|path| std::fs::read(path).expect("readable"))
}

fn load_all(bytes: &[u8]) -> Loaded {
    let mut reader = bytes;
    read_from(&mut reader, None, None, &ReadOptions::default(), &mut |_| {}).expect("readable")
}
