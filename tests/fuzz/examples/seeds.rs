//! Writes the fuzzers' seeds: small files of every form that the targets read, into `corpus/TARGET`.

use flate2::read::GzDecoder;
use sinew::data::{self, DataMode};
use sinew::{Clip, EncodeConfig, Naming, Times, Track, TrackKind, encode};
use sinew_formats::unity_anim::{AnimDocument, Binding, CLASS_ANIMATOR, CLASS_TRANSFORM, Curve, Key};
use sinew_formats::{Format, WriteOptions};
use sinew_tests::{Rng, humanoid, mixed, skeleton};
use std::fs;
use std::io::{Read, Result};
use std::path::Path;

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut count = 0;
    for (target, seeds) in [
        ("anim", anim()),
        ("bvh", bvh()),
        ("decode", decode()),
        ("data", data()),
        ("formats", formats()),
        ("json", json()),
        ("glb", glb()),
        ("package", package()),
        ("roundtrip", roundtrip()),
    ] {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        for (name, bytes) in seeds {
            fs::write(folder.join(name), bytes)?;
            count += 1;
        }
    }
    println!("{count} seeds in {}", folder.display());
    Ok(())
}

type Seeds = Vec<(String, Vec<u8>)>;

/// The first muscles of a humanoid: seeds should be small.
fn part(frames: usize, tracks: usize, seed: u64) -> Clip {
    let mut clip = humanoid(frames, seed);
    clip.tracks.truncate(tracks);
    clip.samples.truncate(tracks);
    clip
}

fn clips() -> Vec<(&'static str, Clip)> {
    let mut special = part(6, 3, 5);
    special.samples[0][1] = f32::NAN;
    special.samples[1][2] = f32::NEG_INFINITY;
    special.samples[2][0] = 1e9;
    let mut wide = part(5, 2, 6);
    wide.times = Times::Explicit(vec![0.0, 1.0 / 3.0, 1.0 / 3.0, 0.1, 1e9]);
    vec![
        ("empty", humanoid(0, 1)),
        ("trackless", Clip { times: Times::Explicit(vec![0.0, 1.0]), ..Clip::empty(Vec::new()) }),
        ("part", part(12, 8, 2)),
        ("humanoid", humanoid(3, 3)),
        ("mixed", mixed(9, 4)),
        ("special", special),
        ("wide", wide),
    ]
}

fn decode() -> Seeds {
    let configs = [
        ("lossless", EncodeConfig::lossless()),
        ("bounded", EncodeConfig::bounded(0.001)),
        ("coarse", EncodeConfig::bounded(0.05).with_naming(Naming::Named)),
        ("blocks", EncodeConfig::lossless().with_naming(Naming::Named).with_block_frames(2)),
    ];
    let mut seeds = Seeds::new();
    for (clip_name, clip) in clips() {
        for (name, config) in &configs {
            seeds.push((format!("{clip_name}-{name}"), encode(&clip, config).expect("a valid clip")));
        }
    }
    seeds
}

/// Recorder files in both modes, and the forms of other writers.
fn data() -> Seeds {
    let mut seeds = Seeds::new();
    let mut other = part(2, 2, 7);
    other.tracks[1] = Track::new("smile", TrackKind::Scalar);
    for (name, clip) in [("part", part(4, 5, 8)), ("humanoid", humanoid(2, 9)), ("other", other)] {
        for mode in [DataMode::Named, DataMode::Nameless] {
            let mut bytes = Vec::new();
            if data::write(&clip, mode, &mut bytes).is_ok() {
                seeds.push((format!("{name}-{}", mode.as_str()), bytes));
            }
        }
    }
    // Maps with keys, integers, float64 and an unknown key.
    let mut map = vec![0x91, 0x84, 0xa4];
    map.extend(b"GUID\xa1g\xa4Time\xcb\x3f\xf0\0\0\0\0\0\0\xa1?\x93\xc0\xc3\xd4\x05\x01\xaaTransforms\x92");
    map.extend(b"\x82\xaaObjectName\xa1a\xa5value\xd1\x01\x00\x92\xa1b\xcf\0\0\0\0\0\0\0\x07");
    seeds.push(("maps".into(), map));
    // One frame of one value as an LZ4 block, and as an array of two.
    let plain = b"\x91\x93\xa0\xca\0\0\0\0\x91\x92\xa0\xca\0\0\0\0";
    let mut block = b"\xc7\x17\x63\xd2\0\0\0\x10\xf0\x01".to_vec();
    block.extend(plain);
    seeds.push(("lz4-block".into(), block));
    let mut array = b"\x93\xd5\x62\x08\x08\xc4\x09\x80".to_vec();
    array.extend(&plain[..8]);
    array.extend(b"\xc4\x09\x80");
    array.extend(&plain[8..]);
    seeds.push(("lz4-array".into(), array));
    for (name, bytes) in &seeds {
        data::read(&bytes[..]).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    seeds
}

/// Small documents with every list, kind of key and spelling.
fn anim() -> Seeds {
    let curve = |attribute: &str| {
        let class_id = if attribute.is_empty() { CLASS_TRANSFORM } else { CLASS_ANIMATOR };
        Binding { attribute: attribute.into(), class_id, ..Binding::default() }
    };
    let bent =
        Key { out_slope: [f32::INFINITY], weighted_mode: 3, in_weight: [0.5], ..Key::level(1.5, [1.0]) };
    let mut document = AnimDocument { name: "it's \u{3c9}".into(), ..AnimDocument::default() };
    for attribute in ["Jaw Close", "RootT.x", "RootT.y", "RootT.z"] {
        let keys = vec![Key::level(0.0, [0.25]), bent];
        document.float_curves.push(Curve { keys, ..Curve::new(curve(attribute)) });
    }
    let shape = Binding { path: "Face/Mesh".into(), class_id: 137, ..curve("blendShape.smile") };
    document.float_curves.push(Curve { keys: vec![Key::level(0.5, [50.0])], ..Curve::new(shape) });
    let muscles = document.clone();
    document.rotation_curves.push(Curve {
        keys: vec![Key::level(0.0, [0.0, 0.0, 0.0, 1.0])],
        ..Curve::new(Binding { path: "Hips/Spine".into(), ..curve("") })
    });
    document.euler_curves.push(Curve { keys: vec![Key::level(1.0, [9.0; 3])], ..Curve::new(curve("")) });
    let transforms = AnimDocument { float_curves: Vec::new(), legacy: true, ..document.clone() };
    document.float_curves.truncate(1);
    document.editor_curves = document.float_curves.clone();

    let mut seeds = Seeds::new();
    for (name, document) in [("muscles", muscles), ("lists", document), ("transforms", transforms)] {
        let mut bytes = Vec::new();
        document.write(&mut bytes).expect("a valid document");
        seeds.push((name.into(), bytes));
    }
    for (name, clip) in [("clip", part(3, 2, 11)), ("instant", part(1, 2, 12))] {
        let mut bytes = Vec::new();
        let options = WriteOptions::default();
        sinew_formats::write(&clip, Format::Anim, &options, &mut bytes, &mut |_| {})
            .expect("a humanoid clip");
        seeds.push((name.into(), bytes));
    }
    let folded = "%YAML 1.1\n%TAG !u! x\n--- !u!74 &1\nAnimationClip:\n  m_Name: \"a\\x41\n    b\"\n  m_FloatCurves:\n  \
                  - curve:\n      m_Curve:\n      - time: .5\n        value: 1e-3\n        inSlope: -.inf\n    attribute: \
                  'Jaw\n      Close'\n    path: \n    classID: 95\n    script: {fileID: 7,\n      guid: 8}\n  \
                  m_SampleRate: 30\n  m_Events:\n  - time: 1\n    data: [1, 2]\n";
    seeds.push(("folded".into(), folded.into()));
    let layouts = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: 'a: b'\n  m_Legacy: 0\n  \
                m_EulerCurves:\n  - curve:\n      m_Curve:\n      - time: 0\n        value: {x: 0, y: .5,\n          z: 1}\n    path: a/b\n  \
                m_FloatCurves:\n  - curve:\n      m_Curve:\n      - time: 0\n        value: .5\n        outSlope: -2e-05\n        \
                weightedMode: 2\n        outWeight: 0.5\n      - time: 0.125\n        value: -1\n        inSlope: Infinity\n      \
                m_PostInfinity: 1\n    attribute: Jaw Close\n    path: \n    classID: 95\n  - curve:\n      m_Curve:\n      - time: 0.0625\n        \
                value: 2\n    attribute: \"blendShape.\\u03C9\"\n    path: Face\n    classID: 137\n  m_SampleRate: 64\n  \
                m_AnimationClipSettings:\n    m_StopTime: 0.125\n    m_LoopTime: 1\n  m_Events:\n  - time: 0\n";
    seeds.push(("layouts".into(), layouts.into()));
    seeds
}

/// Skeletons as they are written, and in the spellings of other programs.
fn bvh() -> Seeds {
    let mut seeds = Seeds::new();
    for (name, frames) in [("skeleton", 3), ("still", 0)] {
        let mut bytes = Vec::new();
        let options = WriteOptions::default();
        sinew_formats::write(&skeleton(frames, 13), Format::Bvh, &options, &mut bytes, &mut |_| {})
            .expect("a skeleton");
        seeds.push((name.into(), bytes));
    }
    let hierarchy = "hierarchy\r\nROOT a b {\r\nOFFSET\t.5 1e0 -0\r\nCHANNELS 3 Zrotation xROTATION Zrotation\r\n\
                     JOINT a b\r\n{ OFFSET 0 0 0\r\n}\r\nEnd Site { OFFSET 0 1 0 }\r\n}\r\nROOT c {\nOFFSET 0 0 0\n}\n";
    let motions = [
        ("lines", "MOTION\nFrames: 2\nFrame Time: .04\n1 2 3\n4 5 6"),
        ("column", "MOTION\rFrame Time:4e-2\rFrames 2\r1\r2\r3\r4\r5\r6\r"),
        ("damaged", "MOTION\nFrames: 4\nFrame Time: 0.5\n1 2 3\n1 2-3\n\n4 5\n-1e-40 1e30 nan\n7 8 9\nEND\n"),
        ("motionless", ""),
    ];
    for (name, motion) in motions {
        seeds.push((name.into(), format!("{hierarchy}{motion}").into()));
    }
    seeds
}

/// Each kind of JSON as it is written, and in the spellings of others.
fn json() -> Seeds {
    let mut seeds = Seeds::new();
    for format in [Format::Plask, Format::Three, Format::Muscles] {
        let mut bytes = Vec::new();
        let options = WriteOptions::default();
        sinew_formats::write(&part(2, 3, 17), format, &options, &mut bytes, &mut |_| {}).unwrap_or_default();
        seeds.push((format.name().into(), bytes));
    }
    let texts = [
        (
            "answer",
            r#"{"id":"a","workingtime":1.5,"result":[{"motionNumber":0,"trackData":[{"boneName":"hips","fps":30,"property":"position","transformKeys":[{"frame":0,"time":0,"value":[0,1,0]},{"frame":2,"time":0.1,"value":[0,1,0.5]}]},{"boneName":"head","fps":30,"property":"rotationQuaternion","transformKeys":[{"frame":0,"time":0,"value":[0,0,0.6,0.8]}]}]}]}"#,
        ),
        (
            "flat",
            r#"{"data":[{"boneName":"leftArm","property":"rotationQuaternion","times":[0,0.5],"values":[[0,0,0,1],[0,-1,0,0]]},{"boneName":"face","property":"smile","times":[0,1],"values":[0.25,1]}]}"#,
        ),
        ("several", r#"[{"trackData":[],"motionNumber":0},{"trackData":[],"motionNumber":1}]"#),
        (
            "clip",
            r#"{"name":"a","duration":1,"tracks":[{"name":"Box.position","times":[0,1],"values":[0,0,0,1,2,3],"type":"vector"},{"name":"Box.quaternion","times":[0.5],"values":[0,0,0,1],"type":"quaternion","interpolation":2300},{"name":".visible","times":[0],"values":[true],"type":"bool"}],"uuid":"","blendMode":2500}"#,
        ),
        ("object", r#"{"metadata":{},"animations":[{"name":"b","tracks":[]}],"object":{"a":[[]]}}"#),
        (
            "frames",
            r#"[{"GUID":"g","Time":0.5,"Transforms":[{"ObjectName":"Jaw Close","value":0.1},{"ObjectName":"x","value":-0.0}]}]"#,
        ),
        ("lists", "[[null,0,[1,2e0]],\n[\"\",1,[[\"\",3],{\"value\":4}]]]\n"),
        (
            "lines",
            "{\"Guid\":\"\",\"time\":0,\"transforms\":[1]}\n{\"Guid\":\"\",\"time\":1,\"transforms\":[2]}\n",
        ),
    ];
    seeds.extend(texts.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())));
    seeds
}

/// A humanoid's animation.
fn glb() -> Seeds {
    let mut bytes = Vec::new();
    let options = WriteOptions::default();
    sinew_formats::write(&part(2, 1, 14), Format::Vrma, &options, &mut bytes, &mut |_| {})
        .expect("a humanoid clip");
    let small = r#"{"asset":{},"nodes":[{"children":[1]},{"name":"a"}],"buffers":[{"byteLength":9,"uri":"data:;base64,AAAAAAAAgD//"}],"bufferViews":[{"buffer":0,"byteLength":8},{"buffer":0,"byteLength":8,"byteStride":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":1,"componentType":5120,"normalized":true,"count":2,"type":"VEC4","sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":1}}}],"animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}],"samplers":[{"input":0,"output":1,"interpolation":"STEP"}]}]}"#;
    vec![("humanoid".into(), bytes), ("small".into(), small.into())]
}

/// A package, and the archive within one.
fn package() -> Seeds {
    let mut bytes = Vec::new();
    let options = WriteOptions::default();
    sinew_formats::write(&part(2, 1, 13), Format::UnityPackage, &options, &mut bytes, &mut |_| {})
        .expect("a humanoid clip");
    let mut archive = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut archive).expect("a whole package");
    vec![("package".into(), bytes), ("archive".into(), archive)]
}

fn formats() -> Seeds {
    let with_own_target = [
        Format::Sinew,
        Format::Data,
        Format::Anim,
        Format::Bvh,
        Format::UnityPackage,
        Format::Vrma,
        Format::Plask,
        Format::Three,
        Format::Muscles,
    ];
    let mut seeds = Seeds::new();
    for (name, clip) in clips() {
        for &format in Format::ALL.iter().filter(|format| !with_own_target.contains(format)) {
            let mut bytes = Vec::new();
            let options = WriteOptions::default();
            if sinew_formats::write(&clip, format, &options, &mut bytes, &mut |_| {}).is_ok() {
                seeds.push((format!("{name}.{}", format.name()), bytes));
            }
        }
    }
    let csv = "\u{feff}a.x,\"a.y\",a.z, b ,Left Thumb Spread\r\n1e-3,-inf,nan,\"5\",-0.0\r\n\r\n.5,1.,+2,3,4";
    seeds.push(("quoted.csv".into(), csv.into()));
    for (name, header) in [
        ("double", "{'descr': '>f8', 'fortran_order': True, 'shape': (2, 3), }"),
        ("integers", "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }"),
        ("records", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"),
    ] {
        let mut bytes = b"\x93NUMPY\x01\0".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend((0..6).flat_map(|i| f64::from(i).to_be_bytes()));
        seeds.push((format!("{name}.npy"), bytes));
    }
    seeds
}

/// Bytes for the target to make clips of.
fn roundtrip() -> Seeds {
    (0..24u64)
        .map(|seed| {
            let mut rng = Rng::new(seed + 1);
            let length = 60 << (seed % 7);
            (format!("random-{seed}"), (0..length).map(|_| rng.bits() as u8).collect())
        })
        .collect()
}
