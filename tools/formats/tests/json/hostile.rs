//! Files that are wrong or mean harm: an error with its place, quickly, in little memory and stack.

use crate::support::{read_with, refusal, walk, written};
use sinew::DecodeLimits;
use sinew_formats::{Format, ReadOptions, read_from};
use std::io::BufReader;

const JSON: [Format; 3] = [Format::Plask, Format::Three, Format::Muscles];

/// A file of Plask with this as its track's keys.
fn keys(keys: &str) -> String {
    format!(
        "{{\"result\":[{{\"trackData\":[\n{{\"boneName\":\"hips\",\"property\":\"position\",\"transformKeys\":{keys}}}]}}]}}"
    )
}

#[test]
fn faults_of_plask_name_track_key_and_line() {
    let good = "{\"time\":0,\"value\":[0,1,0]}";
    let key = |key: &str| keys(&format!("[{good},\n{key}]"));
    let cases = [
        (key("{\"time\":0,\"value\":[0,NaN,0]}"), vec!["line 3", "track 0 (hips.position), key 1", "expected value"]),
        (key("{\"time\":0,\"value\":[0,1e308,0]}"), vec!["line 3", "key 1", "1e308 is beyond the range of a 32-bit"]),
        (key("{\"time\":0,\"value\":[0,1e999,0]}"), vec!["line 3", "key 1", "number out of range"]),
        (key("{\"time\":0,\"value\":[0,1]}"), vec!["line 3", "key 1", "2 numbers, but 3"]),
        (key("{\"time\":0,\"value\":[0,1,2,3,4]}"), vec!["key 1", "more than 4"]),
        (key("{\"time\":0,\"value\":\"x\"}"), vec!["key 1", "expected a number or a list of numbers"]),
        (key("{\"time\":null,\"value\":[0,1,0]}"), vec!["key 1", "null, expected a number"]),
        (key("{\"value\":[0,1,0]}"), vec!["key 1", "no \"time\""]),
        (key("{\"time\":1}"), vec!["key 1", "no \"value\""]),
        (key("{\"time\":1,\"time\":2,\"value\":[0,1,0]}"), vec!["key 1", "\"time\" comes a second time"]),
        (key("7"), vec!["key 1", "expected a key"]),
        (keys("[{\"time\":0,\"value\":[0,1]}]"), vec!["track 0 (hips.position)", "values of 2 numbers; a position has 3"]),
        (keys("{}"), vec!["track 0", "expected a list of keys"]),
        (keys("[]").replace("boneName", "bone"), vec!["track 0", "no \"boneName\""]),
        (keys("[]").replace("property", "prop"), vec!["track 0", "no \"property\""]),
        (keys("[],\"boneName\":\"x\""), vec!["\"boneName\" comes a second time"]),
        ("{\"result\":[{\"trackData\":[{\"boneName\":\"a\",\"property\":\"b\",\"times\":[0,1],\"values\":[1,2,3]}]}]}".into(),
            vec!["2 times and 3 numbers"]),
        ("{\"result\":[{\"trackData\":[3]}]}".into(), vec!["integer `3`", "expected a motion or a track"]),
        ("{\"result\":{}}".into(), vec!["map", "expected a list of motions or tracks"]),
        ("{\"result\":[],\"data\":[]}".into(), vec!["\"data\" comes beside another list"]),
        ("{\"result\":[{}]}".into(), vec!["neither a motion nor a track"]),
        ("{}".into(), vec!["no Plask JSON"]),
        ("[] []".into(), vec!["line 1", "trailing characters"]),
        ("".into(), vec!["EOF"]),
        ("{\"result\":[{\"trackData\":[{\"boneName\":\"\\ud800\"}]}]}".into(), vec!["line 1", "track 0"]),
        ("[{\"boneName\":\"a\",\"property\":\"b\"},{\"boneName\":\"a\",\"property\":\"b\"}]".into(),
            vec!["track 1 (a.b)", "second time"]),
    ];
    for (text, parts) in cases {
        let error = refusal(Format::Plask, text.as_bytes());
        assert!(
            error.starts_with(".plask.json: ") && parts.iter().all(|part| error.contains(part)),
            "{text}: {error}"
        );
    }
}

#[test]
fn faults_of_three_name_track_and_line() {
    let track = |track: &str| format!("{{\"tracks\":[\n{{\"name\":\"a.quaternion\",{track}}}]}}");
    let cases = [
        (
            track("\"times\":[0],\"values\":[0,0,0],\"type\":\"quaternion\""),
            vec!["track 0 (a.quaternion)", "1 times and 3 numbers"],
        ),
        (track("\"times\":[0,1],\"values\":[0,0,0],\"type\":\"vector\""), vec!["2 times and 3 numbers"]),
        (track("\"times\":[],\"values\":[0],\"type\":\"number\""), vec!["no times and 1 numbers"]),
        (
            track("\"times\":[0],\"values\":[0,0,null,1],\"type\":\"quaternion\""),
            vec!["line 2", "value 2 is no number"],
        ),
        (
            track("\"times\":[0],\"values\":[0,0,1e39,1],\"type\":\"quaternion\""),
            vec!["line 2", "beyond the range"],
        ),
        (track("\"times\":[0]"), vec!["no \"values\""]),
        (track("\"values\":[0]"), vec!["no \"times\""]),
        (track("\"times\":[\"0\"],\"values\":[0]"), vec!["line 2", "expected a number"]),
        (track("\"name\":\"b\""), vec!["\"name\" comes a second time"]),
        ("{\"tracks\":{}}".into(), vec!["expected a list of tracks"]),
        ("{\"tracks\":[[]]}".into(), vec!["track 0", "expected a track"]),
        ("{\"tracks\":[],\"animations\":[]}".into(), vec!["beside"]),
        ("[[]]".into(), vec!["a list where a clip is expected"]),
        ("[{}]".into(), vec!["no \"tracks\""]),
        ("7".into(), vec!["integer `7`"]),
    ];
    for (text, parts) in cases {
        let error = refusal(Format::Three, text.as_bytes());
        assert!(
            error.starts_with(".three.json: ") && parts.iter().all(|part| error.contains(part)),
            "{text}: {error}"
        );
    }
}

#[test]
fn deep_nesting_is_an_error_in_a_small_stack() {
    let depth = 200_000;
    let mut texts = Vec::new();
    for (open, before) in [
        ("[", ""),
        ("{\"data\":[", ""),
        ("{\"a\":", ""),
        ("[", "{\"tracks\":[{\"x\":"),
        ("[", "{\"result\":[{\"x\":"),
    ] {
        texts.push(format!("{before}{}", open.repeat(depth)));
    }
    let run = move || {
        for text in &texts {
            for format in JSON {
                let start = &text[..20];
                assert!(!refusal(format, text.as_bytes()).is_empty(), "{start}");
            }
        }
    };
    std::thread::Builder::new().stack_size(512 << 10).spawn(run).expect("a thread").join().expect("no panic");
}

#[test]
fn messages_are_short_however_long_the_text_is() {
    let long = "x".repeat(1 << 20);
    for format in JSON {
        for text in [
            format!("\"{long}\""),
            format!("[\"{long}\"]"),
            format!("{{\"{long}\":1}}"),
            format!("{{\"result\":\"{long}\",\"tracks\":\"{long}\",\"Transforms\":\"{long}\"}}"),
            format!("[{{\"boneName\":\"{long}\",\"tracks\":[{{\"name\":\"{long}\"}}],\"GUID\":\"{long}\"}}]"),
            format!("[{}]", "9".repeat(1 << 20)),
            long.clone(),
        ] {
            refusal(format, text.as_bytes());
        }
    }
}

#[test]
fn limits_hold_before_memory_is_taken() {
    let limits = DecodeLimits { max_samples: 100, max_components: 10, ..DecodeLimits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let many = |count: usize| vec!["1"; count].join(",");
    let tracks = |count: usize| {
        (0..count)
            .map(|number| format!("{{\"boneName\":\"b{number}\",\"property\":\"p\"}}"))
            .collect::<Vec<_>>()
            .join(",")
    };
    let nodes = |count: usize| {
        let node = |number: usize| format!("{{\"name\":\"b{number}\",\"times\":[],\"values\":[]}}");
        (0..count).map(node).collect::<Vec<_>>().join(",")
    };
    for (format, text) in [
        (Format::Plask, format!("[{{\"boneName\":\"a\",\"property\":\"b\",\"times\":[{}],\"values\":[]}}]", many(200))),
        (Format::Plask, format!("[{{\"boneName\":\"a\",\"property\":\"b\",\"values\":[{}]}}]", many(200))),
        (Format::Plask, format!("[{{\"boneName\":\"a\",\"property\":\"b\",\"transformKeys\":[{}]}}]",
            vec!["{\"time\":0,\"value\":1}"; 200].join(","))),
        (Format::Plask, format!("[{}]", tracks(20))),
        // Two keys a long time apart at a rate that makes many frames of them.
        (Format::Plask, "[{\"boneName\":\"a\",\"property\":\"b\",\"fps\":30,\"times\":[0,1e9],\"values\":[1,2]},\
            {\"boneName\":\"b\",\"property\":\"b\",\"fps\":30,\"times\":[0,1],\"values\":[1,2]}]".into()),
        (Format::Plask, "[{\"boneName\":\"a\",\"property\":\"b\",\"fps\":1e300,\"times\":[-1e308,1e308],\"values\":[1,2]},\
            {\"boneName\":\"b\",\"property\":\"b\",\"times\":[0,1],\"values\":[1,2]}]".into()),
        (Format::Three, format!("{{\"tracks\":[{{\"name\":\"a\",\"times\":[{}],\"values\":[]}}]}}", many(200))),
        (Format::Three, format!("{{\"tracks\":[{{\"name\":\"a\",\"times\":[],\"values\":[{}]}}]}}", many(200))),
        (Format::Three, format!("{{\"tracks\":[{}]}}", nodes(20))),
        (Format::Muscles, format!("[[\"g\",0,[{}]]]", many(200))),
    ] {
        let mut reader = text.as_bytes();
        let error = read_from(&mut reader, Some(format), None, &options, &mut |_| {}).expect_err("too many").to_string();
        assert!(error.contains("limit"), "{}: {error}", &text[..60]);
    }
    // Motions and clips that are passed over do not count.
    let motion = format!(
        "{{\"trackData\":[{{\"boneName\":\"a\",\"property\":\"b\",\"times\":[{0}],\"values\":[{0}]}}]}}",
        many(30)
    );
    let text = format!("{{\"result\":[{}]}}", vec![motion; 10].join(","));
    let options = ReadOptions { asset: Some("4".into()), ..options };
    assert_eq!(read_with(text.as_bytes(), &options).expect("one of ten").clip.frames(), 30);
}

#[test]
fn a_slow_pipe_reads_the_same_and_every_cut_is_refused() {
    for format in JSON {
        let (text, _) = written(&walk(2), format);
        let whole = read_with(text.as_bytes(), &ReadOptions::default()).expect("readable");
        let mut slow = BufReader::with_capacity(1, text.as_bytes());
        let read = read_from(&mut slow, None, None, &ReadOptions::default(), &mut |_| {}).expect("readable");
        assert_eq!(read, whole);
        let end = text.trim_end().len();
        for length in (0..end).step_by(7).chain([end - 1]) {
            let mut cut = &text.as_bytes()[..length];
            let read = read_from(&mut cut, Some(format), None, &ReadOptions::default(), &mut |_| {});
            assert!(read.is_err(), "{format}: {length} of {end} bytes");
        }
    }
}
