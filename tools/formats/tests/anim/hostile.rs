//! Files that are wrong or mean harm: an error with its line, quickly, in little memory and stack.

use crate::support::{anim_of, curve_of, document, document_text, file_of, humanoid, refused};
use sinew::DecodeLimits;
use sinew_formats::unity_anim::AnimDocument;
use std::time::Instant;

#[test]
fn faults_name_their_line() {
    let curve = curve_of("Jaw Close", "", 95, &[(0.0, 1.0, "0"), (1.0, 2.0, "0")]);
    let good = file_of(&curve);
    for (from, to, part) in [
        ("time: 1\n", "time: x\n", "line 17: time: \"x\" is not a number"),
        ("time: 1\n", "time: NaN\n", "line 17: time: the value is not a number (NaN)"),
        ("value: 2\n", "value: Infinity\n", "line 18: value: Infinity where a finite"),
        ("value: 2\n", "value: 1e300\n", "line 18: value: \"1e300\" is beyond"),
        ("value: 2\n", "value: {x: 1, y: 2, z: 3}\n", "line 18: value: "),
        ("        value: 2\n", "", "line 16: a key without value"),
        ("        time: 1\n", "", "line 16: a key without time"),
        ("time: 1\n", "time: -1\n", "line 16: a key at -1 s after one at 0 s"),
        ("tangentMode: 0\n    attr", "tangentMode: 1.5\n    attr", "line 21: tangentMode: "),
        ("    attribute: Jaw Close\n", "", "line 7: a curve without an attribute"),
        ("classID: 95", "classID: x", "line 24: classID: "),
        ("script: {fileID: 0}", "script: x", "line 25: script: \"x\" is no reference"),
        (
            "      - serializedVersion: 2\n        time: 0",
            "      - {time: 0}\n        time: 0",
            "line 10: \"{time: 0}\" where",
        ),
        (
            "      - serializedVersion: 2\n        time: 0",
            "        time: 0",
            "line 10: \"time\" beside the keys",
        ),
        ("  - curve:\n", "    x: 1\n", "line 7: \"x\" outside of any curve"),
        ("  m_SampleRate: 60\n", "", "ends without m_SampleRate"),
        ("  m_SampleRate: 60\n", "  m_SampleRate: 6", "ends without m_SampleRate"),
        ("m_FloatCurves:\n", "m_FloatCurves: 7\n", "line 6: m_FloatCurves: \"7\" where curves"),
        ("AnimationClip:\n", "  AnimationClip:\n", "line 4: an indented line outside"),
        ("  m_FloatCurves", "garbage\n  m_FloatCurves", "line 6: \"garbage\" outside of any field"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(bad != good, "{from}");
        refused(&bad, part);
    }
    document(&good).expect("readable");
}

#[test]
fn a_curve_of_a_transform_moves_what_its_list_says() {
    let float = curve_of("Jaw Close", "Hips", 95, &[(0.0, 1.0, "0")]);
    let vectors = float.replace(": 1\n", ": {x: 1, y: 1, z: 1}\n").replace(": 0\n", ": {x: 0, y: 0, z: 0}\n");
    let vectors = vectors.replace("time: {x: 0, y: 0, z: 0}", "time: 0");
    let vectors = vectors.replace("tangentMode: {x: 0, y: 0, z: 0}", "tangentMode: 0");
    let text = file_of(&vectors).replace("m_FloatCurves", "m_PositionCurves");
    let document = document(&text).expect("readable");
    let binding = &document.position_curves[0].binding;
    assert_eq!((binding.path.as_str(), binding.attribute.as_str(), binding.class_id), ("Hips", "", 4));
    assert_eq!(
        AnimDocument::read(&mut document_text(&document).as_bytes(), &DecodeLimits::default()),
        Ok(document)
    );
}

#[test]
fn a_file_that_is_cut_is_never_a_shorter_clip() {
    let (text, _) = anim_of(&humanoid(&[0.0, 0.5]));
    let whole = document(&text).expect("readable");
    for end in (0..text.len()).step_by(97).chain(text.len() - 800..text.len()) {
        if let Ok(cut) = document(&text[..end]) {
            assert_eq!(
                (cut.float_curves, cut.sample_rate_hz),
                (whole.float_curves.clone(), 60.0_f32.min(cut.sample_rate_hz))
            );
        }
    }
}

#[test]
fn depth_and_length_cost_nothing() {
    let head = "%YAML 1.1\nAnimationClip:\n  m_SampleRate: 60\n";
    let deep_maps: String = (0..3000).map(|depth| format!("{}a:\n", " ".repeat(2 + depth))).collect();
    let deep_lists = format!("  m_FloatCurves:\n  {}\n", "- ".repeat(300_000));
    let deep_flow = format!("  a: {}\n", "[".repeat(600_000));
    let wide_flow = format!("  a: {}1{}\n", "[".repeat(400_000), "]".repeat(400_000));
    let long_line = format!("  a: {}\n", "x".repeat(3 << 20));
    let many_fields: String = (0..200_000).map(|number| format!("  a{number}: 1\n")).collect();
    let many_items = format!("  m_Events:\n{}", "  - a: 1\n".repeat(200_000));
    let folded = format!("  a: x\n{}", "    x\n".repeat(150_000));
    let bodies = [deep_maps, deep_lists, deep_flow, wide_flow, long_line, many_fields, many_items, folded];
    let work = std::thread::Builder::new().stack_size(256 << 10).spawn(move || {
        for body in bodies {
            let start = Instant::now();
            let text = format!("{head}{body}");
            let read = document(&text);
            assert!(
                read.is_err()
                    || read.is_ok_and(|document| document.left_out.len() <= AnimDocument::MAX_LEFT_OUT)
            );
            assert!(start.elapsed().as_secs_f64() < 5.0, "{:?}: {}", start.elapsed(), &body[..20]);
        }
    });
    work.expect("a thread").join().expect("no panic");
}

#[test]
fn limits_bound_curves_and_keys() {
    let curve = curve_of("Jaw Close", "", 95, &[(0.0, 1.0, "0"), (1.0, 2.0, "0")]);
    let text = file_of(&curve.repeat(3));
    let read = |limits: DecodeLimits| AnimDocument::read(&mut text.as_bytes(), &limits);
    let defaults = DecodeLimits::default();
    read(DecodeLimits { max_components: 3, max_samples: 6, ..defaults }).expect("within the limits");
    for limits in
        [DecodeLimits { max_components: 2, ..defaults }, DecodeLimits { max_samples: 5, ..defaults }]
    {
        assert!(read(limits).expect_err("refused").to_string().contains("limit exceeded"));
    }
}
