//! Runs the whole table over one clip.

use crate::contract::Contract;
use crate::external::{ExternalCodec, Outcome};
use crate::lineup::lineup;
use crate::measure::{Measured, Repeats, measure};
use crate::report::{ClipReport, ClipSummary, Failure};
use crate::row::{Row, ratio};
use crate::running::Running;
use crate::source::Source;
use anyhow::{Result, ensure};
use sinew::Clip;
use sinew::humanoid::Avatar;
use std::time::Duration;

/// What to run.
#[derive(Debug, Clone, PartialEq)]
pub struct BenchOptions {
    /// Largest absolute errors of a muscle value, one set of rows each.
    pub bounds: Vec<f64>,
    /// Whether the lossless rows run.
    pub lossless: bool,
    /// Other programs, as name and shell command; see `bench/EXTERNAL.md`.
    pub external: Vec<(String, String)>,
    /// Fewer repeats and no brotli.
    pub quick: bool,
    /// Every codec runs once, so that sizes and errors are exact and times are rough; without compressors on `.data`, which
    /// are never the smallest.
    pub sizes_only: bool,
    /// The skeleton on which joints are measured; `None` is the reference skeleton.
    pub avatar: Option<Avatar>,
    /// Knows the other program that runs, so that it can be ended from another thread.
    pub running: Running,
}

impl Default for BenchOptions {
    fn default() -> Self {
        BenchOptions {
            bounds: vec![0.01, 0.001, 0.0001],
            lossless: true,
            external: Vec::new(),
            quick: false,
            sizes_only: false,
            avatar: None,
            running: Running::default(),
        }
    }
}

impl BenchOptions {
    fn contracts(&self) -> impl Iterator<Item = Contract> + '_ {
        let lossless = self.lossless.then_some(Contract::Lossless);
        lossless.into_iter().chain(self.bounds.iter().map(|&bound| Contract::bounded(bound)))
    }
}

/// Runs every codec over `clip`. `progress` hears the name of the row that is about to run.
///
/// A codec that fails or breaks its promise is no error of this call: see [`ClipReport::failures`].
///
/// # Errors
/// An invalid clip, a bound that is not a positive number, or two external codecs of one name.
pub fn bench_clip(
    name: &str,
    clip: &Clip,
    options: &BenchOptions,
    progress: &mut dyn FnMut(&str),
) -> Result<ClipReport> {
    for bound in &options.bounds {
        ensure!(bound.is_finite() && *bound > 0.0, "a bound must be a positive number, not {bound}");
    }
    let externals = ExternalCodec::all(&options.external, &options.running)?;
    let source = Source::new(clip)?.on(options.avatar.as_ref().unwrap_or(Avatar::reference()));
    let mut report = ClipReport::new(ClipSummary::of(name, &source));
    for codec in lineup(&source, options) {
        let (name, contract) = (codec.name(), codec.contract());
        progress(&format!("{name}, {contract}"));
        let measured = measure(codec.as_ref(), &source, Repeats::of(options));
        add(&mut report, &source, name, settings(&codec.settings(), contract), measured);
    }
    for external in &externals {
        for contract in options.contracts() {
            progress(&format!("{}, {contract}", external.name()));
            let settings = settings(&external.settings(), contract);
            match external.run(&source, contract) {
                Ok(Outcome::Declined) => report.notes.push(format!(
                    "{}, {contract}: the program declined this contract, so it has no row",
                    external.name()
                )),
                Ok(Outcome::Measured(measured)) => {
                    add(&mut report, &source, external.name().to_owned(), settings, Ok(measured));
                }
                Err(error) => add(&mut report, &source, external.name().to_owned(), settings, Err(error)),
            }
        }
    }
    Ok(report)
}

fn settings(own: &str, contract: Contract) -> String {
    format!("{own}; {contract}")
}

/// Turns a run into its row, or a failed one into a row without figures and a failure that says why.
fn add(report: &mut ClipReport, source: &Source<'_>, codec: String, settings: String, run: Result<Measured>) {
    let mut row = Row::unknown(&report.summary.clip, codec, settings);
    match run {
        Ok(measured) => fill(&mut row, &report.summary, source, measured),
        Err(error) => report.failures.push(Failure {
            clip: row.clip.clone(),
            codec: row.codec.clone(),
            settings: row.settings.clone(),
            what: format!("{error:#}"),
        }),
    }
    report.rows.push(row);
}

fn fill(row: &mut Row, summary: &ClipSummary, source: &Source<'_>, measured: Measured) {
    let frames = source.clip.frames();
    let nanoseconds = measured.decode.as_nanos() as f64;
    row.bytes = Some(measured.bytes);
    row.ratio_to_data_nameless = ratio(summary.data_nameless_bytes, row.bytes, summary.raw_bytes);
    row.ratio_to_anim = ratio(summary.anim_bytes, row.bytes, summary.raw_bytes);
    row.max_abs = measured.verified.max_abs;
    row.max_joint_mm = measured.max_joint_mm;
    row.encode_ms = Some(milliseconds(measured.encode));
    row.decode_ms = Some(milliseconds(measured.decode));
    row.decode_ns_per_pose = (frames > 0).then(|| nanoseconds / frames as f64);
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::test_clips;

    fn quick() -> BenchOptions {
        BenchOptions { bounds: vec![0.001], quick: true, ..BenchOptions::default() }
    }

    fn run(clip: &Clip, options: &BenchOptions) -> ClipReport {
        bench_clip("test", clip, options, &mut |_| ()).expect("a valid clip")
    }

    #[test]
    fn a_cheating_program_gets_no_figure_and_the_others_keep_theirs() {
        let zeros = r#"f() { case $1 in encode) : >"$3";; decode) head -c $((SINEW_FRAMES*SINEW_COMPONENTS*4)) /dev/zero >"$3";; esac; }; f"#;
        let external = vec![
            ("zeros".to_owned(), zeros.to_owned()),
            ("copy".to_owned(), "f() { cp \"$2\" \"$3\"; }; f".to_owned()),
        ];
        let report = run(&test_clips::smooth(20), &BenchOptions { external, ..quick() });
        assert!(!report.is_clean());
        assert_eq!(report.failures.len(), 2, "{:?}", report.failures);
        for row in &report.rows {
            assert_eq!(row.bytes.is_none(), row.codec == "zeros", "{row:?}");
            assert_eq!(row.ratio_to_data_nameless.is_none(), row.codec == "zeros", "{row:?}");
        }
        let mut text = Vec::new();
        report.write_text(&mut text).expect("writes");
        let text = String::from_utf8(text).expect("text");
        assert!(
            text.contains("FAILED zeros (external, times with process start; bound 0.001): track "),
            "{text}"
        );
    }

    #[test]
    fn json_and_csv_have_the_promised_fields_in_order() {
        const FIELDS: &str = "clip,codec,settings,bytes,ratio_to_data_nameless,ratio_to_anim,max_abs,max_joint_mm,\
                              encode_ms,decode_ms,decode_ns_per_pose";
        let report = run(&test_clips::smooth(20), &quick());
        let csv = report.to_csv().expect("CSV");
        assert_eq!(csv.lines().next(), Some(FIELDS));
        assert_eq!(csv.lines().count(), report.rows.len() + 1);
        let json: serde_json::Value = serde_json::from_str(&report.to_json().expect("JSON")).expect("JSON");
        let rows = json.as_array().expect("an array");
        assert_eq!(rows.len(), report.rows.len());
        for row in rows {
            let mut fields: Vec<&str> =
                row.as_object().expect("an object").keys().map(String::as_str).collect();
            let mut promised: Vec<&str> = FIELDS.split(',').collect();
            fields.sort_unstable();
            promised.sort_unstable();
            assert_eq!(fields, promised);
            assert!(
                row["bytes"].is_u64() && row["ratio_to_anim"].is_number() && row["encode_ms"].is_number()
            );
        }
    }

    #[test]
    fn ratios_are_baseline_over_bytes_and_the_baseline_is_one() {
        let report = run(&test_clips::noise(30), &quick());
        let nameless = report.summary.data_nameless_bytes.expect("muscles");
        for row in &report.rows {
            let bytes = row.bytes.expect("no failure");
            assert_eq!(row.ratio_to_data_nameless, Some(nameless as f64 / bytes as f64), "{row:?}");
        }
        let plain = report.rows.iter().find(|row| row.codec == "data-nameless").expect("takes part");
        assert_eq!(plain.ratio_to_data_nameless, Some(1.0));
    }

    #[test]
    fn nothing_to_measure_is_not_a_number_nowhere() {
        for clip in
            [test_clips::smooth(0), test_clips::smooth(1), test_clips::trackless(0), test_clips::trackless(3)]
        {
            let report = run(&clip, &quick());
            assert!(report.is_clean(), "{:?}", report.failures);
            let mut text = Vec::new();
            report.write_text(&mut text).expect("writes");
            let text = String::from_utf8(text).expect("text");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            if report.summary.raw_bytes == 0 {
                assert!(text.contains("n/a"));
                assert!(
                    report
                        .rows
                        .iter()
                        .all(|row| row.ratio_to_data_nameless.is_none() && row.max_abs.is_none())
                );
            }
        }
    }

    #[test]
    fn a_clip_that_data_cannot_hold_has_no_data_ratio() {
        let report = run(&test_clips::rooted(20), &quick());
        assert!(report.is_clean(), "{:?}", report.failures);
        assert!(report.summary.data_refusal.is_some());
        assert!(report.rows.iter().all(|row| row.ratio_to_data_nameless.is_none() && row.bytes.is_some()));
        assert!(report.rows.iter().all(|row| !row.codec.starts_with("data-")));
    }

    #[test]
    fn options_out_of_range_are_errors() {
        let clip = test_clips::smooth(2);
        for options in [
            BenchOptions { bounds: vec![0.0], ..quick() },
            BenchOptions { bounds: vec![f64::NAN], ..quick() },
            BenchOptions { external: vec![("a".into(), "cp".into()), ("a".into(), "mv".into())], ..quick() },
            BenchOptions { external: vec![("a".into(), " ".into())], ..quick() },
        ] {
            assert!(bench_clip("test", &clip, &options, &mut |_| ()).is_err());
        }
    }
}
