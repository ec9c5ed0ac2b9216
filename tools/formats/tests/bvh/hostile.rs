//! Files that mean harm: an error with its line, quickly, in little memory and stack.

use crate::support::{SIX, bvh_of, file_of, read_bytes, recover_bytes};
use sinew::DecodeLimits;
use sinew_formats::{Format, ReadOptions, read_from};
use std::io::{BufReader, Read};
use std::time::Instant;

fn small() -> String {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 2 Xposition Zrotation\nJOINT b\n{\nOFFSET 0 1 0
CHANNELS 1 Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n1 2 -3\n4 5.5 6e1\n";
    text.to_owned()
}

/// Reads in both ways; whatever is read is valid, and what is written of it is read again.
fn try_all(bytes: &[u8]) {
    for read in [read_bytes, recover_bytes] {
        if let Ok(loaded) = read(bytes) {
            loaded.clip.validate().expect("valid");
            if loaded.clip.is_skeleton() {
                let (text, _) = bvh_of(&loaded.clip);
                let again = read_bytes(text.as_bytes()).expect("readable").clip;
                assert_eq!(
                    (again.samples.len(), again.frames()),
                    (loaded.clip.samples.len(), loaded.clip.frames())
                );
            }
        }
    }
}

#[test]
fn cuts_and_changed_bytes_never_panic() {
    let text = small();
    read_bytes(text.as_bytes()).expect("readable");
    for cut in 0..text.len() {
        try_all(&text.as_bytes()[..cut]);
    }
    for at in 0..text.len() {
        let mut changed = text.clone().into_bytes();
        for bit in 0..8 {
            changed[at] ^= 1 << bit;
            try_all(&changed);
            changed[at] ^= 1 << bit;
        }
        for replacement in b"\0\n\r {}:,.-e9xJ" {
            changed[at] = *replacement;
            try_all(&changed);
        }
    }
}

#[test]
fn a_cut_file_is_never_a_shorter_clip() {
    let text = small();
    let hierarchy = text.find("MOTION").expect("a motion");
    for cut in 0..text.len() - 3 {
        if let Ok(loaded) = read_bytes(&text.as_bytes()[..cut]) {
            // Only a skeleton that ends before its motion is whole, and it says so.
            assert!(cut <= hierarchy && loaded.clip.frames() == 0 && loaded.notes.len() == 1, "{cut}");
        }
    }
}

#[track_caller]
fn refused_quickly(bytes: &[u8], part: &str) {
    let start = Instant::now();
    let error = read_bytes(bytes).expect_err("refused").to_string();
    assert!(error.contains(part) && error.len() < 400, "{part:?} is not in {error:?}");
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn counts_size_nothing() {
    let motion =
        |frames: &str| file_of(SIX, &format!("MOTION\nFrames: {frames}\nFrame Time: 0.01\n1 2 3 4 5 6\n"));
    refused_quickly(
        motion("9999999999999999").as_bytes(),
        "Frames says 9999999999999999, but the motion has 1 frames",
    );
    refused_quickly(motion("99999999999999999999999").as_bytes(), "a whole number of frames");
    refused_quickly(file_of("4000000000 Xposition", "").as_bytes(), "CHANNELS says 4000000000, but names 1");
    refused_quickly(file_of("99999999999999999999 Xposition", "").as_bytes(), "needs the number of channels");
}

#[test]
fn depth_costs_no_stack() {
    let deep = |count: usize| {
        let mut text = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\n".to_owned();
        text += &"JOINT j\n{\nOFFSET 0 0 0\n".repeat(count);
        text + &"}\n".repeat(count + 1)
    };
    let loaded = read_bytes(deep(60_000).as_bytes()).expect("readable");
    assert_eq!(loaded.clip.rig.map(|rig| rig.joints.len()), Some(60_001));
    refused_quickly(deep(100_000).as_bytes(), "limit exceeded: joints");
    refused_quickly("{".repeat(1 << 20).as_bytes(), "expected HIERARCHY");
    refused_quickly(format!("HIERARCHY\nROOT a {}", "{".repeat(1 << 20)).as_bytes(), "line 2: a stray {");
}

#[test]
fn limits_bound_channels_names_and_samples() {
    let many = |count: usize| file_of(&format!("{count}{}", " Xrotation".repeat(count)), "");
    read_bytes(many(65_536).as_bytes()).expect("readable");
    refused_quickly(many(65_537).as_bytes(), "limit exceeded: channels");
    // A long name, once for each of many channels.
    let text = many(65_000).replace("Hips", &"n".repeat(100_000));
    refused_quickly(text.as_bytes(), "limit exceeded: names of joints");
    let motion = format!("MOTION\nFrames: 9\nFrame Time: 1\n{}", "1 2 3 4 5 6\n".repeat(9));
    let limits = DecodeLimits { max_samples: 53, ..DecodeLimits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let read = |options: &ReadOptions| {
        let text = file_of(SIX, &motion);
        read_from(&mut text.as_bytes(), Some(Format::Bvh), None, options, &mut |_| {}).map(|_| ())
    };
    assert!(read(&options).expect_err("too many").to_string().contains("limit exceeded: samples"));
    read(&ReadOptions { limits: DecodeLimits { max_samples: 54, ..limits }, ..options }).expect("few enough");
}

#[test]
fn endless_lines_end_early() {
    let head = file_of(SIX, "MOTION\nFrames: 1\nFrame Time: 0.01\n");
    for (head, endless) in
        [(head.as_str(), b'1'), (head.as_str(), b' '), ("HIERARCHY\nROOT ", b'a'), ("", b'{')]
    {
        let source = head.as_bytes().chain(std::io::repeat(endless).take(1 << 30));
        let start = Instant::now();
        let mut reader = BufReader::new(source);
        let error = read_from(&mut reader, Some(Format::Bvh), None, &ReadOptions::default(), &mut |_| {})
            .expect_err("endless")
            .to_string();
        assert!(error.ends_with("a line longer than 4194304 bytes"), "{error}");
        assert!(start.elapsed().as_secs() < 5);
    }
}

#[test]
fn times_beyond_all_numbers_are_refused() {
    let text = file_of("1 Xrotation", "MOTION\nFrames: 3\nFrame Time: 1e308\n1\n2\n3\n");
    refused_quickly(text.as_bytes(), "line 13: 3 frames of 1e308 s end beyond all times");
}
