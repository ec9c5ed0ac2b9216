//! The table over the one real capture: its baselines are the published sizes, and no codec fails on it.

use sinew_bench::{BenchOptions, bench_clip};

#[test]
fn baselines_of_the_sample_capture_are_its_file_and_no_row_fails() {
    let Some(path) = sinew_corpus::require("muscle/waving.data") else { return };
    let file = std::fs::read(path).expect("readable");
    let clip = sinew::data::read(file.as_slice()).expect("a .data file").clip;
    let options = BenchOptions { quick: true, ..BenchOptions::default() };
    let mut heard = Vec::new();
    let report = bench_clip("waving", &clip, &options, &mut |row| heard.push(row.to_owned())).expect("valid");
    assert!(report.is_clean(), "{:?}", report.failures);
    assert_eq!(report.summary.data_named_bytes, Some(file.len() as u64));
    assert_eq!(report.summary.raw_bytes, 360 * 95 * 4);
    assert_eq!(heard.len(), report.rows.len());
    for row in &report.rows {
        let bound = match row.settings.rsplit_once("bound ") {
            Some((_, bound)) => bound.parse().expect("a number"),
            None => 0.0,
        };
        assert!(row.max_abs.expect("muscles") <= bound, "{row:?}");
    }
}

#[test]
fn the_codec_makes_the_smallest_file_at_every_bound() {
    let Some(path) = sinew_corpus::require("muscle/waving.data") else { return };
    let clip = sinew::data::read(std::fs::File::open(path).expect("readable")).expect("a .data file").clip;
    let options = BenchOptions { quick: true, ..BenchOptions::default() };
    let report = bench_clip("waving", &clip, &options, &mut |_| ()).expect("valid");
    for contract in ["lossless", "bound 0.01", "bound 0.001", "bound 0.0001"] {
        let smallest = report
            .rows
            .iter()
            .filter(|row| row.settings.ends_with(&format!("; {contract}")))
            .min_by_key(|row| row.bytes)
            .expect("every contract has rows");
        assert_eq!(smallest.codec, "sinew-max", "{contract}: {} bytes", smallest.bytes.unwrap_or(0));
    }
}
