//! Writes `bench/RESULTS.md` anew: `cargo run --release -p sinew-bench --example results > bench/RESULTS.md`.
//!
//! Other files may be named as arguments; without any the page holds the default clip and, if the captures are there,
//! the sample capture.

use anyhow::Result;
use sinew_bench::{BenchOptions, bench_clip, write_text};

fn main() -> Result<()> {
    let mut reports = Vec::new();
    for path in std::env::args().skip(1) {
        let clip = sinew::data::read(std::fs::File::open(&path)?)?.clip;
        reports.push(bench_clip(&path, &clip, &BenchOptions::default(), &mut |row| eprintln!("{row}"))?);
    }
    write_text(&reports, &mut std::io::stdout().lock())
}
