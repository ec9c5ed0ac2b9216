//! `sinew bench`: size, error and speed beside other codecs.

use crate::Verdict;
use crate::args::BenchArgs;
use crate::figure::rig_of;
use crate::input::{Strictness, load};
use crate::interrupt;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::text::{print, print_notes, shown};
use anyhow::{Context, Result, ensure};
use sinew::Clip;
use sinew_bench::{BenchOptions, ClipReport, bench_clip};
use sinew_formats::ReadOptions;
use std::io::Write;
use std::path::Path;

/// Name of the built-in clip in the table.
const DEFAULT_NAME: &str = "default";

pub(crate) fn run(args: &BenchArgs) -> Result<Verdict> {
    // 1. Everything that can be wrong with the question, before minutes are spent on it.
    let options = options(args)?;
    let running = options.running.clone();
    interrupt::on_end(move || running.end());
    for (option, path) in [("--csv", &args.csv), ("--svg", &args.svg)] {
        let Some(path) = path else { continue };
        output::check(path, args.write.force)?;
        ensure!(path.as_os_str() != "-", "{option} writes a file; --json prints");
    }
    let clips = clips(args)?;

    // 2. The table.
    let mut reports: Vec<ClipReport> = Vec::with_capacity(clips.len());
    for (name, clip) in &clips {
        let progress = Progress::steps(name);
        let report = bench_clip(name, clip, &options, &mut |row| progress.say(&format!("{name}: {row}")));
        reports.push(report.with_context(|| name.clone())?);
    }

    // 3. What it says.
    if let Some(path) = &args.csv {
        save(path, args.write.force, &sinew_bench::to_csv(&reports)?)?;
    }
    if let Some(path) = &args.svg {
        save(path, args.write.force, &sinew_bench::rate_distortion_svg(&reports)?)?;
    }
    if args.write.json {
        print(&(sinew_bench::to_json(&reports)?.trim_end().to_owned() + "\n"))?;
    } else {
        let mut text = Vec::new();
        sinew_bench::write_text(&reports, &mut text)?;
        print(&String::from_utf8_lossy(&text))?;
    }
    for failure in reports.iter().flat_map(|report| &report.failures) {
        let what = format!("{}, {}, {}: {}", failure.clip, failure.codec, failure.settings, failure.what);
        crate::text::complain(&what);
    }
    let clean = reports.iter().all(ClipReport::is_clean);
    Ok(if clean { Verdict::Good } else { Verdict::Differs })
}

fn save(path: &Path, force: bool, text: &str) -> Result<()> {
    let mut output = Output::create(path, force)?;
    output.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
    output.finish().map(drop)
}

fn options(args: &BenchArgs) -> Result<BenchOptions> {
    let external = args.external.iter().map(|text| {
        let (name, command) =
            text.split_once('=').with_context(|| format!("--external {text}: NAME=COMMAND is needed"))?;
        ensure!(!name.is_empty() && !command.is_empty(), "--external {text}: NAME=COMMAND is needed");
        Ok((name.to_owned(), command.to_owned()))
    });
    let mut options =
        BenchOptions { quick: args.quick, external: external.collect::<Result<_>>()?, ..Default::default() };
    if let Some(path) = &args.rig {
        options.avatar = Some(rig_of(path, None)?.avatar().clone());
    }
    if args.lossless_only {
        options.bounds.clear();
    } else if !args.error.is_empty() {
        options.bounds = args.error.clone();
    }
    Ok(options)
}

/// The clips to measure, under the names they were given by.
fn clips(args: &BenchArgs) -> Result<Vec<(String, Clip)>> {
    if args.inputs.is_empty() {
        return Ok(vec![(DEFAULT_NAME.to_owned(), sinew_corpus::default_clip())]);
    }
    let load = |path: &std::path::PathBuf| {
        let loaded = load(path, None, &ReadOptions::default(), Strictness::Strict)?.loaded;
        let name = shown(path);
        print_notes(&name, &loaded.notes);
        Ok((name, loaded.clip))
    };
    args.inputs.iter().map(load).collect()
}
