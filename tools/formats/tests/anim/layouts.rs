//! Layouts of every version of Unity, and spellings of other writers.

use crate::support::{curve_of, document, file_of, read_text, refused};
use sinew_formats::unity_anim::{CLASS_SKINNED_MESH, DEFAULT_WEIGHT};

#[test]
fn unity_5_writes_no_versions_and_no_leading_zeros() {
    let text = "%YAML 1.1\r\n%TAG !u! tag:unity3d.com,2011:\r\n--- !u!74 &7400000\r\nAnimationClip:\r\n  m_ObjectHideFlags: 0\r\n  \
                m_PrefabParentObject: {fileID: 0}\r\n  m_PrefabInternal: {fileID: 0}\r\n  m_Name: old\r\n  serializedVersion: 4\r\n  \
                m_AnimationType: 3\r\n  m_Compressed: 0\r\n  m_UseHighQualityCurve: 1\r\n  m_RotationCurves: []\r\n  \
                m_FloatCurves:\r\n  - curve:\r\n      serializedVersion: 2\r\n      m_Curve:\r\n      - time: 0\r\n        \
                value: .5\r\n        inSlope: -.25\r\n        outSlope: 1e-05\r\n        tangentMode: 10\r\n      - time: 1\r\n        \
                value: -.5\r\n        inSlope: Infinity\r\n        outSlope: 0\r\n        tangentMode: -1610612736\r\n      \
                m_PreInfinity: 2\r\n      m_PostInfinity: 1\r\n    attribute: Left Thumb Spread\r\n    path: \r\n    classID: 95\r\n    \
                script: {fileID: 0}\r\n  m_PPtrCurves: []\r\n  m_SampleRate: 24\r\n  m_Events: []\r\n";
    let document = document(text).expect("readable");
    let curve = &document.float_curves[0];
    assert_eq!((document.name.as_str(), document.legacy, document.sample_rate_hz), ("old", false, 24.0));
    assert_eq!((curve.keys[0].value, curve.keys[0].out_slope, curve.keys[1].value), ([0.5], [1e-5], [-0.5]));
    assert_eq!((curve.keys[1].in_slope, curve.keys[1].tangent_mode), ([f32::INFINITY], -1610612736));
    assert_eq!((curve.keys[0].in_weight, curve.post_infinity), ([DEFAULT_WEIGHT], 1));
    let clip = read_text(text, None).expect("readable").clip;
    assert_eq!((clip.tracks[0].name(), clip.frames()), ("LeftHand.Thumb.Spread", 25));
    assert_eq!((clip.samples[0][23], clip.samples[0][24]), (0.5, -0.5));
}

#[test]
fn newer_items_have_versions_and_flags_and_fields_may_come_in_any_order() {
    let text = "%YAML 1.1\n--- !u!91 &1\nAnimatorController:\n  m_Name: not this\n--- !u!74 &7400000\nAnimationClip:\n  m_SampleRate: \
                30\n  m_NewThing:\n    a: 1\n  m_FloatCurves:\n  - serializedVersion: 2\n    attribute: Jaw Close\n    path: \n    \
                classID: 95\n    script: {fileID: 0}\n    flags: 16\n    curve:\n      m_Curve:\n      - weightedMode: 3\n        \
                outWeight: 0.5\n        inWeight: 0.25\n        value: 2\n        time: 1\n  m_Name: \"\\u3042\\uD83D\\uDE00\"\n  \
                m_Events:\n  - time: 0\n    functionName: a\n  - time: 1\n    functionName: b\n--- !u!74 &2\nAnimationClip:\n  m_Name: \
                second\n";
    let document = document(text).expect("readable");
    let key = document.float_curves[0].keys[0];
    assert_eq!((key.weighted_mode, key.out_weight, key.in_weight, key.value), (3, [0.5], [0.25], [2.0]));
    assert_eq!(document.name, "\u{3042}\u{1F600}");
    let left: Vec<(u64, &str, u64, bool)> = document
        .left_out
        .iter()
        .map(|left| (left.line, left.field.as_str(), left.items, left.known))
        .collect();
    assert_eq!(
        left,
        [(31, "AnimationClip", 0, true), (8, "m_NewThing", 0, false), (25, "m_Events", 2, true)]
    );
    let notes = read_text(text, None).expect("readable").notes;
    assert!(
        notes.iter().any(|note| note.is_loss() && note.text.contains("2 items of m_Events")),
        "{notes:?}"
    );
    assert!(
        notes.iter().any(|note| !note.is_loss() && note.text.contains("\"m_NewThing\" (line 8)")),
        "{notes:?}"
    );
}

#[test]
fn lists_may_be_indented_and_text_folded() {
    let indented = "AnimationClip:\n    m_SampleRate: 60\n    m_FloatCurves:\n      - curve:\n            m_Curve:\n              - time: \
                    0\n                value: 1\n        attribute: 'Jaw\n          Close'\n        path:\n        classID: 95\n        script: \
                    {fileID: 11500000,\n          guid: 0, type: 3}\n";
    let document = document(indented).expect("readable");
    let binding = &document.float_curves[0].binding;
    assert_eq!((binding.attribute.as_str(), binding.path.as_str()), ("Jaw Close", ""));
    assert_eq!(binding.script.as_deref(), Some("{fileID: 11500000, guid: 0, type: 3}"));
}

#[test]
fn vectors_and_quaternions_are_read() {
    let key = |time: u32, value: &str| {
        format!(
            "      - serializedVersion: 3\n        time: {time}\n        value: {value}\n        inSlope: {value}\n        outSlope: {value}\n"
        )
    };
    let item =
        |keys: [String; 2]| format!("  - curve:\n      m_Curve:\n{}    path: Root/Child\n", keys.concat());
    let rotation = item([key(0, "{x: 0, y: 0, z: 0, w: 1}"), key(1, "{x: 1, y: 0, z: 0, w: -0}")]);
    let euler = item([key(0, "{x: 0, y: 0, z: 0}"), key(40, "{x: 0, y: -720,\n          z: 0}")]);
    let text = format!(
        "%YAML 1.1\nAnimationClip:\n  m_Legacy: 0\n  m_RotationCurves:\n{rotation}  m_EulerCurves:\n{euler}  m_FloatCurves:\n{}  \
         m_SampleRate: 60\n",
        curve_of("blendShape.a", "Face", CLASS_SKINNED_MESH, &[(0.0, 100.0, "0")])
    );
    let document = document(&text).expect("readable");
    assert_eq!(document.rotation_curves[0].keys[1].value, [1.0, 0.0, 0.0, -0.0]);
    assert_eq!(document.rotation_curves[0].binding.path, "Root/Child");
    assert_eq!(document.euler_curves[0].keys[1].value, [0.0, -720.0, 0.0]);
    assert_eq!(document.euler_curves[0].rotation_order, 4);
    let back = crate::support::document_text(&document);
    assert_eq!(format!("{:?}", crate::support::document(&back)), format!("{:?}", Ok::<_, ()>(document)));
}

#[test]
fn curves_elsewhere_are_said_to_be_there() {
    let built = "%YAML 1.1\nAnimationClip:\n  m_FloatCurves: []\n  m_SampleRate: 60\n  m_MuscleClip:\n    m_Clip:\n      data: 1\n";
    refused(built, "m_MuscleClip only");
    refused("%YAML 1.1\nAnimationClip:\n  m_FloatCurves: []\n  m_SampleRate: 60\n", "no curves at all");
    let hat = curve_of("m_IsActive", "Hat", 1, &[(0.0, 1.0, "0")]);
    refused(&file_of(&hat), "generic clip, 0 muscles: its 1 curves move neither transforms nor");
    refused("%YAML 1.1\n--- !u!1 &1\nGameObject:\n  m_Name: a\n", "no AnimationClip but \"GameObject\"");
    for binary in ["UnityFS\0\0\0", "\0\0\0\0\0\u{16}\0\0\0\0\0\0"] {
        refused(binary, "binary asset");
    }
    refused("", "empty");
    let curves = curve_of("Jaw Close", "", 95, &[(0.0, 1.0, "0")]);
    let editor = file_of(&curves).replace("m_FloatCurves", "m_EditorCurves");
    let loaded = read_text(&editor, None).expect("readable");
    assert!(loaded.clip.samples == [[1.0]] && loaded.notes[0].text.contains("m_EditorCurves"));
}
