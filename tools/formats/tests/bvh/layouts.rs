//! Every layout in which programs write the same motion, and the faults that have a message of their own.

use crate::support::{SIX, clip_of, file_of, read_bytes, refusal};
use sinew::{JointAxis, Times};
use sinew_formats::Note;

const NUMBERS: &str = "HIERARCHY\nROOT Hips\n{\n\tOFFSET\t-1.25E-05 +3.5 .5
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation \n\tJOINT A {\n\t\tOFFSET 0 7. 0
\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 1e0 0\n\t\t}\n\t}\n}
MOTION\nFrames:\t2\nFrame Time:\t3.33333e-02
0 1e-40 -9.5e-41 1.0E+1 -0.0 180.000000000001 4.0020632E-7 0 0\n1 2 3 4 5 6 7 8 -9";

#[test]
fn numbers_are_the_nearest_floats_in_every_layout() {
    let first = [0.0, 1e-40, -9.5e-41, 10.0, -0.0, 180.000_000_000_001, 4.002_063_2e-7, 0.0, 0.0f32];
    let second = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, -9.0f32];
    let (head, rows) = NUMBERS.split_once("e-02\n").expect("a motion");
    let column = format!("{head}e-02\n{}\n", rows.replace([' ', '\n'], "\n"));
    for text in [
        NUMBERS.to_owned(),
        format!("\u{feff}{}\r\n\r\n  \r\n", NUMBERS.replace('\n', "\r\n")),
        NUMBERS.replace('\n', "\r"),
        NUMBERS.replace('\n', " \n\n\t\n"),
        NUMBERS.replace(" {", "\n{").replace("{\n", "{ "),
        NUMBERS.to_lowercase().replace("hips", "Hips").replace("joint a", "joint A"),
        NUMBERS.to_uppercase().replace("HIPS", "Hips"),
        NUMBERS.replace("Time:\t", "Time:").replace("Frames:\t", "Frames:"),
        NUMBERS.replace("-0.0 ", "-0.0\n ").replace("5 6", "5\n6"),
        column,
    ] {
        let clip = clip_of(&text);
        let rig = clip.rig.as_ref().expect("a rig");
        let names: Vec<&str> = rig.joints.iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(names, ["Hips", "A", "End Site"], "{text}");
        assert_eq!(rig.joints[0].offset, [-0.000_012_5, 3.5, 0.5]);
        assert_eq!(rig.joints[1].offset, [0.0, 7.0, 0.0]);
        assert_eq!(clip.times, Times::Uniform { start_s: 0.0, frame_s: 0.033_333_3, frames: 2 });
        assert!(clip.is_skeleton() && clip.tracks.len() == 9);
        for (channel, samples) in clip.samples.iter().enumerate() {
            let bits = [first[channel].to_bits(), second[channel].to_bits()];
            assert_eq!(samples.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), bits, "{channel}: {text}");
        }
    }
}

#[test]
fn names_are_kept_as_written_and_equal_ones_apart() {
    let three = "CHANNELS 3 Zrotation Xrotation Yrotation";
    let text = format!(
        "HIERARCHY\nROOT mixamorig:Hips\n{{\nOFFSET 0 0 0\nCHANNELS {SIX}\nJOINT Bip01 L Thigh\n{{\nOFFSET 1 0 0\n{three}
JOINT foot.L\n{{\nOFFSET 0 -4 0\n{three}\nEnd Site\n{{\nOFFSET 0 0 1\n}}\n}}\n}}\nJOINT 胸_上 \t\n{{\nOFFSET 0 3 0\n{three}
JOINT foot.L\n{{\nOFFSET 0 1 0\n{three}\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n}}\n}}\nMOTION\nFrames: 1\nFrame Time: 0.0166667
0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"
    );
    let clip = clip_of(&text);
    let rig = clip.rig.as_ref().expect("a rig");
    let names: Vec<&str> = rig.joints.iter().map(|joint| joint.name.as_str()).collect();
    let expected = ["mixamorig:Hips", "Bip01 L Thigh", "foot.L", "End Site", "胸_上", "foot.L", "End Site"];
    assert_eq!(names, expected);
    let parents: Vec<Option<usize>> = rig.joints.iter().map(|joint| joint.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5)]);
    let value = |name: &str| {
        let track = clip.tracks.iter().position(|track| track.name() == name).expect("a track");
        clip.samples[track][0]
    };
    for (track, values) in [("foot.L", [9.0, 10.0, 11.0]), ("foot.L#2", [15.0, 16.0, 17.0])] {
        let found =
            ["Zrotation", "Xrotation", "Yrotation"].map(|channel| value(&format!("{track}.{channel}")));
        assert_eq!(found, values);
    }
}

#[test]
fn joints_may_lack_what_others_have() {
    // No CHANNELS, CHANNELS 0, no End Site, rotation before position, one axis, one axis twice, two roots.
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nJOINT b\n{\nCHANNELS 0\nOFFSET 1 2 3\n}\nJOINT c\n{\nOFFSET 1 2 3
CHANNELS 4 Yrotation Zposition Yrotation Xposition\n}\nOFFSETS\n}\n";
    assert_eq!(refusal(text), ".bvh: line 15: \"OFFSETS\" is no word of a hierarchy");
    let text = text.replace("OFFSETS\n", "")
        + "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 5\n";
    let clip = clip_of(&text);
    let names: Vec<&str> = clip.tracks.iter().map(|track| track.name()).collect();
    assert_eq!(names, ["c.Yrotation", "c.Zposition", "c.Yrotation#2", "c.Xposition", "a.Xrotation"]);
    let rig = clip.rig.as_ref().expect("a rig");
    assert_eq!(
        rig.joints.iter().map(|joint| joint.parent).collect::<Vec<_>>(),
        [None, Some(0), Some(0), None]
    );
    use JointAxis::{PositionX, PositionZ, RotationX, RotationY};
    assert_eq!(clip.channel_axes(), [RotationY, PositionZ, RotationY, PositionX, RotationX]);
}

#[test]
fn a_skeleton_may_have_no_frames() {
    let loaded = read_bytes(file_of(SIX, "").as_bytes()).expect("readable");
    assert_eq!(loaded.notes, [Note::info("the file has no MOTION: a skeleton without frames")]);
    assert!(loaded.clip.is_skeleton() && loaded.clip.frames() == 0);
    let clip = clip_of(&file_of(SIX, "MOTION\nFrames: 0\nFrame Time: 0.5\n"));
    assert_eq!(clip.times, Times::Uniform { start_s: 0.0, frame_s: 0.5, frames: 0 });
    let loaded =
        read_bytes(file_of("0", "MOTION\nFrames: 7\nFrame Time: 0.5\n").as_bytes()).expect("readable");
    assert_eq!(loaded.notes, [Note::loss("7 frames without values: no joint has channels")]);
    assert_eq!((loaded.clip.frames(), loaded.clip.tracks.len()), (0, 0));
}

#[test]
fn frame_times_are_kept_to_the_last_digit() {
    let motion = |frame_time: &str, frames: usize| {
        let rows = "1\n".repeat(frames);
        clip_of(&file_of(
            "1 Xrotation",
            &format!("MOTION\nFrames: {frames}\nFrame Time: {frame_time}\n{rows}"),
        ))
    };
    let long = motion("0.0083333", 72_584);
    assert!((long.times.span_s() - 604.856).abs() < 0.001);
    assert!((long.times.mean_hz().expect("a rate") - 120.0).abs() < 0.001);
    assert_eq!(motion("0.016683333333333333", 2).times.span_s(), 0.016_683_333_333_333_33);
}

#[test]
fn faults_of_the_motion_are_named_and_nothing_is_shifted() {
    let row = "0.0 0.0 0.0 -7.5 -5.4 -10.4\n";
    let motion = |frames: u32, rows: &str| {
        file_of(SIX, &format!("MOTION\nFrames: {frames}\nFrame Time: 0.01\n{rows}"))
    };
    let refused = |frames: u32, rows: String| refusal(&motion(frames, &rows));
    assert_eq!(
        refused(2, format!("0.0 0.0 0.0-7.5 -5.4 -10.4\n{row}")),
        ".bvh: line 14: frame 0: \"0.0-7.5\" is two numbers without a blank between them"
    );
    assert_eq!(
        refused(2, format!("0.0 0.0 0.0 -7.5 -5.4\n{row}")),
        ".bvh: line 14: frame 0: 5 values, but the skeleton has 6 channels"
    );
    assert_eq!(
        refused(3, row.repeat(2)),
        ".bvh: line 12: Frames says 3, but the motion has 2 frames; `sinew recover` keeps all whole frames"
    );
    assert_eq!(
        refused(3, format!("{}1\n2\n", "1\n2\n3\n4\n5\n6\n".repeat(2))),
        ".bvh: line 12: Frames says 3, but the motion has 2 frames and 2 values of another; `sinew recover` keeps all \
         whole frames"
    );
    assert_eq!(
        refused(2, format!("{row}{row}0 0 0\n")),
        ".bvh: line 16: frame 2: 3 values, but the skeleton has 6 channels"
    );
    assert_eq!(refused(2, format!("{row}{row}}}\n")), ".bvh: line 16: \"}\" after the motion");
    assert_eq!(refused(3, format!("{row}{row}END\n")), ".bvh: line 16: frame 2: \"END\" is not a number");
    for word in ["nan", "inf", "-Infinity", "NaN"] {
        let what = format!(".bvh: line 15: frame 1: {word:?} is not a finite number");
        assert_eq!(refused(2, format!("{row}0 0 0 0 0 {word}\n")), what);
    }
    // A writer that counts one frame too few loses nothing.
    let loaded = read_bytes(motion(1, &row.repeat(2)).as_bytes()).expect("readable");
    assert_eq!(loaded.notes, [Note::info("Frames says 1; all 2 frames of the motion are kept")]);
    assert_eq!((loaded.clip.frames(), loaded.clip.samples[5][1]), (2, -10.4));
}

#[test]
fn faults_of_the_hierarchy_name_their_line() {
    let good = file_of(SIX, "MOTION\nFrames: 1\nFrame Time: 0.5\n1 2 3 4 5 6\n");
    clip_of(&good);
    for (from, to, message) in [
        (
            "HIERARCHY",
            "/tmp/a.bvh\nHIERARCHY",
            "not a BVH: expected HIERARCHY at line 1, found \"/tmp/a.bvh\"",
        ),
        ("HIERARCHY", "", "not a BVH: expected HIERARCHY at line 2, found \"ROOT Hips\""),
        (
            "OFFSET 0 0 0",
            "OFFSET 0 3,5 0",
            "line 4: OFFSET: \"3,5\" has a comma: numbers are written with a decimal point",
        ),
        ("OFFSET 0 0 0", "OFFSET 0 0", "line 4: OFFSET needs three numbers"),
        ("OFFSET 0 0 0", "OFFSET 0 0 0 0", "line 4: \"0\" after the three numbers of OFFSET"),
        ("OFFSET 0 0 0", "OFFSET 0 nan 0", "line 4: OFFSET: \"nan\" is not a finite number"),
        ("OFFSET 0 0 0", "OFFSET 0 0 0\nOFFSET 0 0 0", "line 5: a second OFFSET of \"Hips\""),
        ("OFFSET 0 0 0\n", "", "line 9: no OFFSET in \"Hips\""),
        ("Zposition ", "Wposition ", "line 5: \"Wposition\" is no channel"),
        ("CHANNELS 6", "CHANNELS 5", "line 5: CHANNELS says 5, but names 6"),
        ("CHANNELS 6", "CHANNELS 4000000000", "line 5: CHANNELS says 4000000000, but names 6"),
        ("CHANNELS 6", "CHANNELS", "line 5: CHANNELS needs the number of channels, not \"Xposition\""),
        ("CHANNELS 6", "CHANNELS 0\nCHANNELS 6", "line 6: second CHANNELS of \"Hips\""),
        ("OFFSET 0 1 0", "OFFSET 0 1 0\nCHANNELS 1 Xrotation", "line 9: an End Site has no channels"),
        ("OFFSET 0 1 0", "JOINT a\n{\nOFFSET 0 0 0\n}", "line 8: \"a\" within an End Site"),
        ("End Site", "End", "line 6: \"End\" where End Site is meant"),
        ("End Site", "JOINT", "line 6: a joint without a name"),
        ("End Site", "ROOT a", "line 6: ROOT \"a\" within \"Hips\""),
        ("End Site", "HIERARCHY", "line 6: a second HIERARCHY"),
        ("End Site\n{", "End Site", "line 7: \"OFFSET 0 1 0\" where { of \"End Site\" must open"),
        ("End Site\n{", "End Site\n}", "line 7: } where { of \"End Site\" must open"),
        ("End Site\n{", "{\nEnd Site\n{", "line 6: a stray {"),
        ("}\nMOTION", "}\n}\nMOTION", "line 11: a stray }"),
        ("}\nMOTION", "MOTION", "line 10: MOTION stands within \"Hips\""),
        ("ROOT Hips", "JOINT Hips", "line 2: \"Hips\" outside of any joint"),
        ("MOTION", "MOTION 1", "line 11: \"MOTION 1\" where MOTION is meant"),
        ("MOTION", "HIERARCHY", "line 11: a second HIERARCHY"),
        ("Frames: 1", "Frames: 1.5", "line 12: Frames needs a whole number of frames, not \"1.5\""),
        ("Frame Time: 0.5", "Frame Time: 0", "line 13: Frame Time must be more than 0 seconds, not \"0\""),
        ("Frame Time: 0.5\n", "", "line 13: \"1 2 3 4 5 6\" where Frame Time: is needed"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(bad != good, "{from}");
        assert_eq!(refusal(&bad), format!(".bvh: {message}"));
    }
    let end = good.find("MOTION").expect("a motion");
    assert_eq!(refusal(&good[..end - 2]), ".bvh: line 9: the file ends within \"Hips\"");
    assert_eq!(refusal("HIERARCHY\n"), ".bvh: line 1: the file ends before any ROOT");
    assert_eq!(refusal(""), ".bvh: not a BVH: expected HIERARCHY at line 1, found no text");
    let error = read_bytes(b"HIERARCHY\nROOT \xff\n").expect_err("not UTF-8").to_string();
    assert_eq!(error, ".bvh: line 2: not UTF-8 text");
}
