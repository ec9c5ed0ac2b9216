//! Exact sizes of clips × configurations in `sizes.csv`: sizes are deterministic, and a change is a reviewed diff.
//! Run with `SINEW_UPDATE_SIZES=1` to write the table anew.

use sinew::{Clip, Effort, EncodeConfig, Naming, encode};
use sinew_tests::{humanoid, mixed};
use std::fmt::Write as _;
use std::path::PathBuf;

fn configs() -> Vec<(&'static str, EncodeConfig)> {
    vec![
        ("lossless", EncodeConfig::lossless()),
        ("lossless max", EncodeConfig::lossless().with_effort(Effort::Max)),
        ("0.01", EncodeConfig::bounded(0.01)),
        ("0.001", EncodeConfig::bounded(0.001)),
        ("0.0001", EncodeConfig::bounded(0.0001)),
        ("0.01 max", EncodeConfig::bounded(0.01).with_effort(Effort::Max)),
        ("0.001 max", EncodeConfig::bounded(0.001).with_effort(Effort::Max)),
        ("0.0001 max", EncodeConfig::bounded(0.0001).with_effort(Effort::Max)),
        ("0.001 named", EncodeConfig::bounded(0.001).with_naming(Naming::Named)),
        ("0.01 fast", EncodeConfig::bounded(0.01).with_effort(Effort::Fast)),
        ("0.001 fast", EncodeConfig::bounded(0.001).with_effort(Effort::Fast)),
        ("0.0001 fast", EncodeConfig::bounded(0.0001).with_effort(Effort::Fast)),
    ]
}

fn table_rows(name: &str, clip: &Clip) -> String {
    let mut rows = String::new();
    for (config_name, config) in configs() {
        let bytes = encode(clip, &config).expect("valid").len();
        writeln!(rows, "{name},{},{config_name},{bytes}", clip.frames()).expect("a string");
    }
    rows
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("sizes.csv")
}

/// Compares the rows with those of `clips` in the committed table, or writes them into it.
fn check(table: &str, clips: &[&str]) {
    let stored = std::fs::read_to_string(path()).unwrap_or_else(|_| "clip,frames,config,bytes\n".to_owned());
    let is_ours = |line: &str| clips.iter().any(|clip| line.starts_with(&format!("{clip},")));
    if std::env::var_os("SINEW_UPDATE_SIZES").is_some() {
        let mut lines: Vec<&str> =
            stored.lines().skip(1).filter(|line| !is_ours(line)).chain(table.lines()).collect();
        lines.sort_unstable();
        std::fs::write(path(), format!("clip,frames,config,bytes\n{}\n", lines.join("\n")))
            .expect("writable");
        return;
    }
    let mut ours: Vec<&str> = stored.lines().filter(|line| is_ours(line)).collect();
    let mut wanted: Vec<&str> = table.lines().collect();
    ours.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(ours, wanted, "sizes changed; see the top of tests/sizes.rs");
}

// One test writes and checks all generated clips, so that no two touch the table at once.
#[test]
fn sizes_are_those_of_the_table() {
    let mut clips: Vec<(String, Clip)> = vec![
        ("humanoid-300".into(), humanoid(300, 1)),
        ("mixed-300".into(), mixed(300, 2)),
        ("default-clip".into(), sinew_corpus::default_clip()),
    ];
    for (name, clip) in sinew_corpus::extremes() {
        clips.push((format!("extreme-{name}"), clip));
    }
    if let Some(path) = sinew_corpus::require("muscle/waving.data") {
        let file = std::fs::File::open(path).expect("readable");
        clips.push(("waving".into(), sinew::data::read(file).expect("a real capture").clip));
    }
    let table: String = clips.iter().map(|(name, clip)| table_rows(name, clip)).collect();
    let names: Vec<&str> = clips.iter().map(|(name, _)| name.as_str()).collect();
    check(&table, &names);
}
