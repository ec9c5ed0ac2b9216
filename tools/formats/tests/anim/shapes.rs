//! From curves to frames: which instants, which values, and what is left behind.

use crate::support::{curve_of, file_of, read_text};
use sinew::{Clip, META_DATA_MODE, Times, Track, TrackKind};
use sinew_formats::Loaded;

fn load(curves: &[String], hz: Option<f64>) -> Loaded {
    read_text(&file_of(&curves.concat()), hz).expect("readable")
}

fn muscle(attribute: &str, keys: &[(f32, f32, &str)]) -> String {
    curve_of(attribute, "", 95, keys)
}

fn has_note(loaded: &Loaded, part: &str) -> bool {
    loaded.notes.iter().any(|note| note.text.contains(part))
}

#[test]
fn sparse_frames_stay_flat_where_the_source_is() {
    let times = [0.0, 1.0 / 60.0, 2.0 / 60.0, 0.5, 0.5167, 1.0];
    let mut clip = Clip::empty(vec![Track::new("Jaw Close", TrackKind::Scalar)]);
    clip.times = Times::Explicit(times.iter().map(|&time: &f32| f64::from(time)).collect());
    clip.samples = vec![vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0]];
    let (text, _) = crate::support::anim_of(&clip);
    let curve = &crate::support::document(&text).expect("readable").float_curves[0];
    assert_eq!((curve.evaluate(0.25), curve.evaluate(0.75)), ([1.0], [0.0]));
    assert!((0..=10_000).all(|step| (0.0..=1.0).contains(&curve.evaluate(f64::from(step) / 10_000.0)[0])));
    // Straight lines need no sampling, however far apart their keys are.
    assert!(read_text(&text, None).expect("readable").clip.bits_equal(&clip));
}

#[test]
fn shared_keys_are_frames_where_straight_or_dense() {
    let straight = [(0.0, 0.0, "1"), (1.0, 1.0, "1"), (2.5, 2.5, "1")];
    let loaded = load(&[muscle("Jaw Close", &straight), muscle("Jaw Left-Right", &[(0.7, 0.5, "9")])], None);
    assert_eq!(loaded.clip.times, Times::Explicit(vec![0.0, 1.0, 2.5]));
    assert_eq!(loaded.clip.samples, [vec![0.0, 1.0, 2.5], vec![0.5; 3]]);
    assert!(!has_note(&loaded, "sampled"));

    let dense = [(0.0, 0.0, "0"), (0.0625, 1.0, "0"), (0.125, 0.0, "0")];
    let loaded = load(&[muscle("Jaw Close", &dense)], None);
    assert_eq!(loaded.clip.samples, [[0.0, 1.0, 0.0]]);
    assert!(has_note(&loaded, "bend") && has_note(&loaded, "Jaw Close after 0 s"));
}

#[test]
fn curves_that_bend_or_differ_are_sampled() {
    let eased = muscle("Jaw Close", &[(0.0, 0.0, "0"), (1.0, 1.0, "0")]);
    let stepped = muscle("Jaw Close", &[(0.0, 0.0, "Infinity"), (1.0, 1.0, "Infinity")]);
    let loaded = load(std::slice::from_ref(&eased), None);
    assert_eq!((loaded.clip.frames(), loaded.clip.samples[0][15]), (61, 0.15625));
    assert!(has_note(&loaded, "61 frames: the curves bend"));
    assert_eq!(load(&[stepped], None).clip.samples[0][59..], [0.0, 1.0]);

    let other = muscle("Jaw Left-Right", &[(0.5, 0.0, "1"), (1.5, 1.0, "1")]);
    let loaded = load(&[muscle("Jaw Close", &[(0.0, 0.0, "1"), (1.0, 1.0, "1")]), other], None);
    assert_eq!(loaded.clip.times, Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames: 91 });
    assert_eq!(
        (loaded.clip.samples[0][90], loaded.clip.samples[1][0], loaded.clip.samples[1][60]),
        (1.0, 0.0, 0.5)
    );
    assert!(has_note(&loaded, "different times"));

    let loaded = load(&[eased], Some(4.0));
    assert_eq!(loaded.clip.samples, [[0.0, 0.15625, 0.5, 0.84375, 1.0]]);
    assert!(loaded.rate_was_given && has_note(&loaded, "as asked"));
}

#[test]
fn rates_that_are_none_and_spans_without_end_are_refused() {
    let text = file_of(&muscle("Jaw Close", &[(0.0, 0.0, "0"), (1e30, 1.0, "0")]));
    for (hz, part) in [(None, "limit"), (Some(0.0), "not 0"), (Some(f64::NAN), "NaN"), (Some(1e300), "limit")]
    {
        let error = read_text(&text, hz).expect_err("refused").to_string();
        assert!(error.contains(part), "{error}");
    }
    let still = text.replace("m_SampleRate: 60", "m_SampleRate: 0");
    assert!(read_text(&still, None).expect_err("refused").to_string().contains("not 0"));
}

#[test]
fn an_end_between_frames_is_kept_unless_a_rate_is_asked_for() {
    let keys = [(0.0, 0.0, "0"), (1.03125, 1.0, "0")];
    let loaded = load(&[muscle("Jaw Close", &keys)], None);
    assert_eq!((loaded.clip.frames(), loaded.clip.samples[0][62]), (63, 1.0));
    let loaded = load(&[muscle("Jaw Close", &keys)], Some(32.0));
    assert_eq!((loaded.clip.frames(), loaded.clip.samples[0][33]), (34, 1.0));
    let loaded = load(&[muscle("Jaw Close", &keys)], Some(4.0));
    assert_eq!(loaded.clip.frames(), 5);
    assert!(has_note(&loaded, "31.25 ms at the end left out"), "{:?}", loaded.notes);
}

#[test]
fn one_key_and_two_at_one_instant() {
    let loaded = load(&[muscle("Jaw Close", &[(0.25, 0.5, "7")])], None);
    assert_eq!((loaded.clip.samples, loaded.clip.times), (vec![vec![0.5]], Times::Explicit(vec![0.25])));
    let twice = [(0.0, 0.0, "0"), (0.5, 0.0, "0"), (0.5, 1.0, "0"), (1.0, 1.0, "0")];
    let loaded = load(&[muscle("Jaw Close", &twice)], None);
    assert_eq!(loaded.clip.samples[0][29..32], [0.0, 1.0, 1.0]);
}

#[test]
fn what_moves_other_things_is_left_and_counted() {
    let loaded = load(
        &[
            curve_of("Jaw Close", "Other", 95, &[(0.0, 9.0, "0")]),
            muscle("Jaw Close", &[(0.0, 1.0, "0")]),
            muscle("Left Thumb Spread", &[(0.0, 2.0, "0")]),
            muscle("LeftHand.Thumb.Spread", &[(0.0, 3.0, "0")]),
            muscle("Jaw Left-Right", &[]),
            muscle("Mood", &[(0.0, 4.0, "0")]),
            curve_of("blendShape.a", "Face", 137, &[(0.0, 50.0, "0")]),
            curve_of("m_IsActive", "Hat", 1, &[(0.0, 1.0, "0")]),
            curve_of("material._Color.r", "Hat", 23, &[(0.0, 1.0, "0")]),
        ],
        None,
    );
    let names: Vec<&str> = loaded.clip.tracks.iter().map(Track::name).collect();
    assert_eq!(names, ["Jaw Close", "LeftHand.Thumb.Spread", "Mood", "Face/blendShape.a"]);
    assert_eq!(loaded.clip.samples, [[1.0], [2.0], [4.0], [50.0]]);
    assert!(has_note(&loaded, "3 curves of other objects, \"Other:Jaw Close\" first"));
    assert!(has_note(&loaded, "a curve without keys: \":Jaw Left-Right\""));
    assert!(has_note(&loaded, "an earlier curve moves: \":LeftHand.Thumb.Spread\""));
    // Not all muscles are there, so only names tell which value is which.
    assert_eq!(loaded.clip.meta[META_DATA_MODE], "named");
}

#[test]
fn muscles_of_an_animator_below_are_found() {
    let loaded = load(&[curve_of("Jaw Close", "Body", 95, &[(0.0, 1.0, "0")])], None);
    assert!(loaded.clip.samples == [[1.0]] && has_note(&loaded, "animator \"Body\""));
}

#[test]
fn sampled_rotations_have_unit_length() {
    let quarter =
        |attribute: &str, from: f32, to: f32| muscle(attribute, &[(0.0, from, "0"), (1.0, to, "0")]);
    let loaded = load(
        &[
            quarter("RootQ.x", 0.0, 1.0),
            quarter("RootQ.y", 0.0, 0.0),
            quarter("RootQ.z", 0.0, 0.0),
            quarter("RootQ.w", 1.0, 0.0),
        ],
        None,
    );
    assert_eq!(loaded.clip.tracks, [Track::root_rotation()]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert_eq!((loaded.clip.samples[0][30], loaded.clip.samples[3][30]), (half, half));
}

#[test]
fn loop_settings_and_a_longer_clip_are_told() {
    let text = file_of(&muscle("Jaw Close", &[(0.0, 1.0, "0")]))
        + "  m_AnimationClipSettings:\n    serializedVersion: 2\n    m_StopTime: 2.5\n    m_LoopTime: 1\n    m_New: 3\n";
    let loaded = read_text(&text, None).expect("readable");
    assert!(has_note(&loaded, "settings of the clip: m_LoopTime 1"), "{:?}", loaded.notes);
    assert!(has_note(&loaded, "end is at 2.5 s, its last frame at 0 s"));
    assert!(has_note(&loaded, "\"m_New\""));
}

#[test]
fn a_property_spelled_nearly_as_a_muscle_is_told() {
    let text = file_of(
        &[
            curve_of("Spine Front-Back", "", 95, &[(0.0, 0.5, "0")]),
            curve_of("LeftHand.Thumb Spread", "", 95, &[(0.0, 0.5, "0")]),
        ]
        .concat(),
    );
    let loaded = read_text(&text, None).expect("a humanoid");
    let told = |note: &sinew_formats::Note| {
        note.text.contains("LeftHand.Thumb Spread") && note.text.contains("LeftHand.Thumb.Spread")
    };
    assert_eq!(loaded.notes.iter().filter(|note| told(note)).count(), 1, "{:?}", loaded.notes);
}
