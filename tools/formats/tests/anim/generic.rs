//! Generic and legacy clips: transforms of any skeleton.

use crate::support::{anim_of, curve_of, document, document_text, file_of_lists, read_text, transform_of};
use sinew::{Clip, EncodeConfig, Joint, META_DATA_MODE, Times, Track, TrackKind};
use sinew_formats::unity_anim::{CLASS_SKINNED_MESH, META_KIND, META_NAME, META_WRAP_MODE};
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, write};

const TURN: &str = "{x: 0, y: -18, z: 0}";
const LEVEL: &str = "{x: 0, y: 0, z: 0, w: 0}";

/// A quaternion's key around x, in half a turn's steps of (sine, cosine).
fn half_turns(path: &str) -> String {
    let keys = [(0.0, "{x: 0, y: 0, z: 0, w: 1}", LEVEL), (1.0, "{x: 1, y: 0, z: 0, w: 0}", LEVEL)];
    transform_of(path, &keys)
}

fn names(clip: &Clip) -> Vec<&str> {
    clip.tracks.iter().map(Track::name).collect()
}

/// Samples of the track of this name.
fn samples<'a>(clip: &'a Clip, name: &str) -> &'a [Vec<f32>] {
    let track = clip.tracks.iter().position(|track| track.name() == name).expect("a track of this name");
    let first: usize = clip.tracks[..track].iter().map(Track::components).sum();
    &clip.samples[first..first + clip.tracks[track].components()]
}

/// A file with all kinds of transform curves, keys at 0, 0.5 and 1 s in straight lines.
fn everything() -> String {
    let line = |path: &str, stem: [&str; 3], slope: &str| {
        transform_of(path, &[(0.0, stem[0], slope), (0.5, stem[1], slope), (1.0, stem[2], slope)])
    };
    let rotation = line(
        "Root/Hips",
        ["{x: 0, y: 0, z: 0, w: 1}", "{x: 0.5, y: 0, z: 0, w: 1}", "{x: 1, y: 0, z: 0, w: 1}"],
        "{x: 1, y: 0, z: 0, w: 0}",
    );
    let euler = line(
        "Root/Hips/\"odd\": Bone",
        ["{x: 0, y: 300, z: 0}", "{x: 0, y: 400, z: 0}", "{x: 0, y: 500, z: 0}"],
        "{x: 0, y: 200, z: 0}",
    )
    .replace("path: Root/Hips/\"odd\": Bone", "path: 'Root/Hips/\"odd\": Bone'")
    .replace("m_RotationOrder: 4", "m_RotationOrder: 0");
    let position = line(
        "Root/Hips",
        ["{x: 0, y: 1, z: 0.25}", "{x: 1, y: 1, z: 0.25}", "{x: 2, y: 1, z: 0.25}"],
        "{x: 2, y: 0, z: 0}",
    ) + &line("", ["{x: 5, y: 0, z: 0}"; 3], "{x: 0, y: 0, z: 0}");
    let scale = line("Root", ["{x: 1, y: 1, z: 1}"; 3], "{x: 0, y: 0, z: 0}");
    let shape = curve_of(
        "blendShape.smile",
        "Face",
        CLASS_SKINNED_MESH,
        &[(0.0, 0.0, "100"), (0.5, 50.0, "100"), (1.0, 100.0, "100")],
    );
    file_of_lists(
        "  m_Legacy: 0\n",
        &[
            ("m_RotationCurves", &rotation),
            ("m_EulerCurves", &euler),
            ("m_PositionCurves", &position),
            ("m_ScaleCurves", &scale),
            ("m_FloatCurves", &shape),
        ],
    )
}

#[test]
fn two_turns_in_degrees_stay_two() {
    let turn = |slope: &str| {
        let keys = [(0.0, "{x: 0, y: 0, z: 0}", slope), (40.0, "{x: 0, y: -720, z: 0}", slope)];
        file_of_lists("", &[("m_EulerCurves", &transform_of("Root/Dancer", &keys))])
    };
    let name = "Root/Dancer.localEulerAngles.y";
    // Straight lines need no frames between.
    let loaded = read_text(&turn(TURN), None).expect("readable");
    assert_eq!(loaded.clip.times, Times::Explicit(vec![0.0, 40.0]));
    assert_eq!(samples(&loaded.clip, name), [[0.0, -720.0]]);
    let loaded = read_text(&turn(TURN), Some(10.0)).expect("readable");
    let y = &samples(&loaded.clip, name)[0];
    assert_eq!((y.len(), y[100], y[400]), (401, -180.0, -720.0));
    // An eased turn is sampled at the file's rate, and is as far at its half.
    let eased = read_text(&turn("{x: 0, y: 0, z: 0}"), None).expect("readable");
    let y = &samples(&eased.clip, name)[0];
    assert_eq!((y.len(), y[1200], y[2400]), (2401, -360.0, -720.0));
    assert_eq!(samples(&eased.clip, "Root/Dancer.localEulerAngles.x")[0], vec![0.0; 2401]);
}

#[test]
fn paths_are_joints_and_curves_are_tracks_of_their_transforms() {
    let loaded = read_text(&everything(), None).expect("readable");
    let clip = &loaded.clip;
    assert_eq!(
        names(clip),
        [
            "localPosition",
            "Root.localScale.x",
            "Root.localScale.y",
            "Root.localScale.z",
            "Root/Hips.localRotation",
            "Root/Hips.localPosition",
            "Root/Hips/\"odd\": Bone.localEulerAngles.x",
            "Root/Hips/\"odd\": Bone.localEulerAngles.y",
            "Root/Hips/\"odd\": Bone.localEulerAngles.z",
            "Face/blendShape.smile",
        ]
    );
    assert_eq!(samples(clip, "Root/Hips.localRotation")[0], [0.0, 0.5, 1.0]);
    assert_eq!(samples(clip, "Root/Hips.localPosition"), [[0.0, 1.0, 2.0], [1.0; 3], [0.25; 3]]);
    assert_eq!(samples(clip, "Root/Hips/\"odd\": Bone.localEulerAngles.y"), [[300.0, 400.0, 500.0]]);
    let joint = |name: &str, parent, offset| Joint { name: name.into(), parent, offset, axes: vec![] };
    let rig = clip.rig.as_ref().expect("a rig");
    assert_eq!(
        rig.joints,
        [
            joint("", None, [5.0, 0.0, 0.0]),
            joint("Root", Some(0), [0.0; 3]),
            joint("Hips", Some(1), [0.0, 1.0, 0.25]),
            joint("\"odd\": Bone", Some(2), [0.0; 3]),
        ]
    );
    assert_eq!(clip.meta[META_KIND], "generic");
    assert_eq!(clip.meta["anim-rotation-order/Root/Hips/\"odd\": Bone"], "0");
    assert!(!clip.is_skeleton() && !loaded.notes.iter().any(|note| note.is_loss()), "{:?}", loaded.notes);
}

#[test]
fn sampled_quaternions_have_unit_length() {
    let text = file_of_lists("", &[("m_RotationCurves", &half_turns("Hips"))]);
    let clip = read_text(&text, None).expect("readable").clip;
    assert_eq!(clip.tracks, [Track::new("Hips.localRotation", TrackKind::Rotation)]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert_eq!((clip.frames(), clip.samples[0][30], clip.samples[3][30]), (61, half, half));
    // Component by component at a quarter: 0.15625 and 0.84375, then to unit length.
    let length = 0.15625f64.hypot(0.84375);
    assert!((f64::from(clip.samples[0][15]) - 0.15625 / length).abs() < 1e-7);
}

#[test]
fn clips_come_back_from_every_format_that_holds_them() {
    let clip = read_text(&everything(), None).expect("readable").clip;
    let (text, notes) = anim_of(&clip);
    assert_eq!(notes, []);
    let back = read_text(&text, None).expect("readable").clip;
    assert!(back.bits_equal(&clip) && back.meta == clip.meta && back.rig == clip.rig);
    for (format, keeps_rig) in [(Format::Sinew, true), (Format::Csv, false)] {
        let mut bytes = Vec::new();
        let options = WriteOptions { encode: EncodeConfig::lossless(), ..WriteOptions::default() };
        write(&clip, format, &options, &mut bytes, &mut |_| {}).expect("writable");
        let options = ReadOptions::default();
        let back =
            read_from(&mut bytes.as_slice(), Some(format), None, &options, &mut |_| {}).expect("readable");
        assert_eq!((&back.clip.samples, &back.clip.times), (&clip.samples, &clip.times), "{format}");
        assert_eq!(back.clip.rig == clip.rig, keeps_rig, "{format}");
        // Whatever it went through, it can be written for Unity again.
        assert!(
            read_text(&anim_of(&back.clip).0, None).expect("readable").clip.bits_equal(&clip),
            "{format}"
        );
    }
    let mut array = Vec::new();
    write(&clip, Format::Npy, &WriteOptions::default(), &mut array, &mut |_| {}).expect("writable");
}

#[test]
fn a_clip_without_muscles_makes_no_recording() {
    let clip = read_text(&everything(), None).expect("readable").clip;
    let mut bytes = Vec::new();
    let error =
        write(&clip, Format::Data, &WriteOptions::default(), &mut bytes, &mut |_| {}).expect_err("refused");
    let text = error.to_string();
    assert!(text.contains("generic clip, 0 muscles") && text.contains("rest pose"), "{text}");
    assert!(bytes.is_empty());
}

#[test]
fn written_curves_stand_in_their_lists_with_straight_slopes() {
    let clip = read_text(&everything(), None).expect("readable").clip;
    let (text, _) = anim_of(&clip);
    let document = document(&text).expect("readable");
    assert_eq!((document.legacy, document.float_curves.len(), document.scale_curves.len()), (false, 1, 1));
    let euler = &document.euler_curves[0];
    assert_eq!((euler.binding.path.as_str(), euler.rotation_order), ("Root/Hips/\"odd\": Bone", 0));
    assert_eq!(euler.keys[1].in_slope, [0.0, 200.0, 0.0]);
    assert_eq!(euler.keys[2].value, [0.0, 500.0, 0.0]);
    let paths: Vec<&str> = document.position_curves.iter().map(|curve| curve.binding.path.as_str()).collect();
    assert_eq!(paths, ["", "Root/Hips"]);
    // Unity looks curves up by the hash of their path, and numbers position, rotation, scale and Euler 1 to 4.
    let hips = crc32fast::hash(b"Root/Hips");
    for (path, attribute, kind) in [(0, 1, 0), (hips, 1, 0), (hips, 2, 0), (crc32fast::hash(b"Root"), 3, 0)] {
        let binding = format!(
            "      path: {path}\n      attribute: {attribute}\n      script: {{fileID: 0}}\n      typeID: 4\n      customType: {kind}\n"
        );
        assert!(text.contains(&binding), "{binding}");
    }
    assert!(
        text.contains(
            "      attribute: 4\n      script: {fileID: 0}\n      typeID: 4\n      customType: 4\n"
        )
    );
    // Nothing of a skeleton is to be baked into a pose.
    assert!(!document.settings.bake_position_y && document.settings.stop_s == 1.0);
    let again = crate::support::document(&document_text(&document)).expect("readable");
    assert_eq!(again, document);
}

#[test]
fn written_quaternions_take_the_shorter_way() {
    let mut clip = Clip::empty(vec![Track::new("Hips.localRotation", TrackKind::Rotation)]);
    clip.times = Times::Explicit(vec![0.0, 1.0, 2.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    clip.samples = vec![vec![0.0, -half, 1.0], vec![0.0; 3], vec![0.0; 3], vec![1.0, -half, 0.0]];
    let (text, notes) = anim_of(&clip);
    assert!(notes.iter().any(|note| note.text.starts_with("1 keys of rotations are negated")), "{notes:?}");
    let curve = &document(&text).expect("readable").rotation_curves[0];
    let values: Vec<[f32; 4]> = curve.keys.iter().map(|key| key.value).collect();
    assert_eq!(values, [[0.0, 0.0, 0.0, 1.0], [half, -0.0, -0.0, half], [1.0, 0.0, 0.0, 0.0]]);
}

#[test]
fn legacy_clips_stay_legacy() {
    let text = file_of_lists(
        "  m_Legacy: 1\n  m_WrapMode: 2\n",
        &[
            ("m_RotationCurves", &half_turns("").replace(LEVEL, "{x: 1, y: 0, z: 0, w: -1}")),
            ("m_FloatCurves", &curve_of("Mood", "", 95, &[(0.0, 1.0, "0")])),
        ],
    );
    for text in [text.clone(), text.replace("m_Legacy: 1", "m_AnimationType: 1")] {
        let clip = read_text(&text, None).expect("readable").clip;
        assert_eq!(names(&clip), ["localRotation", "Mood"]);
        assert_eq!((clip.meta[META_KIND].as_str(), clip.meta[META_WRAP_MODE].as_str()), ("legacy", "2"));
        let (written, notes) = anim_of(&clip);
        assert_eq!(notes, []);
        let document = document(&written).expect("readable");
        assert!(document.legacy && document.wrap_mode == 2);
        assert_eq!(read_text(&written, None).expect("readable").clip.meta, clip.meta);
    }
    // A humanoid cannot be one, whatever its metadata says.
    let mut humanoid = crate::support::humanoid(&[0.0]);
    humanoid.meta.insert(META_KIND.into(), "legacy".into());
    let (written, notes) = anim_of(&humanoid);
    assert!(written.contains("m_Legacy: 0") && notes.iter().any(|note| note.is_loss()), "{notes:?}");
}

#[test]
fn a_humanoid_keeps_the_transforms_that_it_moves_besides() {
    let muscle = curve_of("Jaw Close", "", 95, &[(0.0, 0.0, "1"), (1.0, 1.0, "1")]);
    let line = [
        (0.0, "{x: 0, y: 0, z: 0}", "{x: 1, y: 0, z: 0}"),
        (1.0, "{x: 1, y: 0, z: 0}", "{x: 1, y: 0, z: 0}"),
    ];
    let text = file_of_lists(
        "",
        &[("m_PositionCurves", &transform_of("Hips/Tail", &line)), ("m_FloatCurves", &muscle)],
    );
    let loaded = read_text(&text, None).expect("readable");
    assert_eq!(names(&loaded.clip), ["Jaw Close", "Hips/Tail.localPosition"]);
    assert!(loaded.clip.rig.is_none() && !loaded.clip.meta.contains_key(META_KIND));
    assert!(!loaded.notes.iter().any(|note| note.is_loss()), "{:?}", loaded.notes);
    assert_eq!(loaded.clip.meta[META_DATA_MODE], "named");
    let (written, notes) = anim_of(&loaded.clip);
    assert_eq!(notes, []);
    assert!(read_text(&written, None).expect("readable").clip.bits_equal(&loaded.clip));
}

#[test]
fn what_moves_one_thing_twice_is_kept_once() {
    let still = |value: &str| transform_of("Hips", &[(0.0, value, "{x: 0, y: 0, z: 0}")]);
    let mut curves = still("{x: 1, y: 0, z: 0}") + &still("{x: 2, y: 0, z: 0}");
    curves += &transform_of("Empty", &[]);
    // Properties of the Animator that are called as a transform's track is.
    let floats: String = ["x", "y", "z"]
        .map(|axis| curve_of(&format!("Hips.localPosition.{axis}"), "", 95, &[(0.0, 9.0, "0")]))
        .concat();
    let loaded =
        read_text(&file_of_lists("", &[("m_PositionCurves", &curves), ("m_FloatCurves", &floats)]), None)
            .expect("readable");
    assert_eq!(names(&loaded.clip), ["Hips.localPosition"]);
    assert_eq!(loaded.clip.samples[0], [1.0]);
    let losses: Vec<&str> =
        loaded.notes.iter().filter(|note| note.is_loss()).map(|note| note.text.as_str()).collect();
    assert_eq!(losses.len(), 3, "{losses:?}");
}

#[test]
fn incomplete_scales_and_other_rigs_are_told_or_kept() {
    let mut clip = Clip::empty(vec![
        Track::new("a.localPosition", TrackKind::Vector),
        Track::new("a.localScale.x", TrackKind::Scalar),
        Track::new("a.localScale.z", TrackKind::Scalar),
    ]);
    clip.times = Times::Explicit(vec![0.0]);
    clip.samples = vec![vec![1.0], vec![2.0], vec![3.0], vec![4.0], vec![5.0]];
    let (text, notes) = anim_of(&clip);
    assert_eq!(notes, []);
    let back = read_text(&text, None).expect("readable").clip;
    assert!(back.bits_equal(&clip) && document(&text).expect("readable").scale_curves.is_empty());
    assert_eq!(back.rig.as_ref().expect("a rig").joints[0].offset, [1.0, 2.0, 3.0]);
    // A rest pose that the positions do not tell is lost.
    let mut rigged = back.clone();
    rigged.rig.as_mut().expect("a rig").joints[0].offset = [0.0, 2.0, 3.0];
    assert!(anim_of(&rigged).1.iter().any(|note| note.is_loss() && note.text.contains("rig of 1 joints")));
    assert_eq!(anim_of(&back).1, []);
}

#[test]
fn paths_of_slashes_alone_stop_at_the_limit() {
    let path = "/".repeat(200_000);
    let curve = transform_of(&path, &[(0.0, "{x: 1, y: 0, z: 0}", "{x: 0, y: 0, z: 0}")]);
    let error = read_text(&file_of_lists("", &[("m_ScaleCurves", &curve)]), None).expect_err("refused");
    assert!(error.to_string().contains("number of joints"), "{error}");
}

#[test]
fn metadata_that_is_no_number_is_lost_and_told() {
    let mut clip = read_text(&everything(), None).expect("readable").clip;
    clip.meta.insert(META_WRAP_MODE.into(), "often".into());
    clip.meta.insert("anim-rotation-order/Nobody".into(), "1".into());
    clip.meta.insert(META_NAME.into(), "t".into());
    let losses = anim_of(&clip).1;
    assert_eq!(losses.len(), 2, "{losses:?}");
}

#[test]
fn vectors_and_single_tracks_cannot_both_be_one_scale() {
    let mut clip = Clip::empty(vec![Track::new("a.localScale", TrackKind::Vector)]);
    let (text, notes) = anim_of(&clip);
    assert!(notes[0].is_loss() && notes[0].text.contains("three single tracks"), "{notes:?}");
    assert_eq!(document(&text).expect("readable").scale_curves.len(), 1);
    for axis in ["x", "y", "z"] {
        clip.tracks.push(Track::new(&format!("a.localScale.{axis}"), TrackKind::Scalar));
        clip.samples.push(Vec::new());
    }
    let options = WriteOptions::default();
    let error = write(&clip, Format::Anim, &options, &mut Vec::new(), &mut |_| {}).expect_err("refused");
    assert!(error.to_string().contains("need the curve \"a.localScale"), "{error}");
}
