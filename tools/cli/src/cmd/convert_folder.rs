//! `sinew convert` of a folder: every file on its own, several at a time, told of in the order of their names.

use crate::Verdict;
use crate::args::ConvertArgs;
use crate::cmd::convert::convert;
use crate::json::{WrittenJson, print_json};
use crate::plan::{Job, Plan, Wish, plan};
use crate::progress::Progress;
use crate::save::{Target, refused_line, written_line};
use crate::text::{complain, count, is_stream, print, print_notes};
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sinew_formats::{FitOptions, Format, Note};
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

pub(crate) fn run(args: &ConvertArgs) -> Result<Verdict> {
    // 1. What is asked, and what is there.
    let format = check(args)?;
    let plan = plan(Wish {
        input: &args.input,
        output: &args.output,
        from: args.from,
        to: format,
        force: args.write.force,
    })?;
    if let Some(line) = plan.skipped.line(args.from, format) {
        complain(&format!("{}: note: {line}", args.input.display()));
    }
    ensure!(
        !plan.jobs.is_empty() || !plan.failures.is_empty(),
        "{}: no file to convert",
        args.input.display()
    );

    let figure = args.figure.options()?;

    // 2. The files.
    let progress = Progress::files("converting", plan.jobs.len() as u64);
    let mut told =
        Told { json: args.write.json, progress: &progress, converted: 0, failed: 0, files: Vec::new() };
    for (path, error) in &plan.failures {
        told.failure(path, None, format!("{}: {error}", path.display()));
    }
    convert_all(&plan, args, &figure, format, &progress, &mut |job, finished| told.file(job, finished))?;
    let Told { converted, failed, files, .. } = told;
    drop(progress);

    // 3. What came of it.
    let skipped = plan.skipped.total();
    if args.write.json {
        print_json(&FolderJson { converted, failed, skipped, files })?;
    } else {
        let [converted, failed, skipped] = [converted, failed, skipped].map(count);
        print(&format!("{converted} converted, {failed} failed, {skipped} skipped\n"))?;
    }
    Ok(if failed > 0 { Verdict::Differs } else { Verdict::Good })
}

/// Refuses what makes no sense for a folder. Gives the format to write.
fn check(args: &ConvertArgs) -> Result<Format> {
    let (input, output) = (args.input.display(), args.output.display());
    let format =
        args.to.with_context(|| format!("{input}: is a folder; --to tells what its files become"))?;
    ensure!(!is_stream(&args.output), "{input}: is a folder, and standard output takes one file");
    ensure!(
        args.output.is_dir() || !args.output.exists(),
        "{output}: is a file, and {input} is a folder of files"
    );
    ensure!(args.name.is_none(), "--name names one clip, and {input} is a folder");
    Ok(format)
}

/// What became of one file, kept until its turn to be told.
struct Finished {
    notes: Vec<(String, Vec<Note>)>,
    result: Result<WrittenJson, String>,
}

/// Converts all files, each on one thread from its first byte to its last. `each` gets them in order.
fn convert_all(
    plan: &Plan,
    args: &ConvertArgs,
    figure: &FitOptions,
    format: Format,
    progress: &Progress,
    each: &mut dyn FnMut(&Job, Finished) -> Result<()>,
) -> Result<()> {
    let jobs = &plan.jobs;
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads(args).min(jobs.len()) {
            let (sender, next) = (sender.clone(), &next);
            let work = move || {
                while let Some((index, job)) = take(jobs, next) {
                    // Nobody listens any more when telling has failed.
                    if sender.send((index, finish(job, args, figure, format))).is_err() {
                        break;
                    }
                }
            };
            thread::Builder::new().spawn_scoped(scope, work).context("starting a thread")?;
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let (mut done, mut due) = (0, 0);
        for (index, finished) in receiver {
            done += 1;
            progress.set(done);
            early.insert(index, finished);
            while let Some(finished) = early.remove(&due) {
                each(&jobs[due], finished)?;
                due += 1;
            }
        }
        Ok(())
    })
}

fn take<'a>(jobs: &'a [Job], next: &AtomicUsize) -> Option<(usize, &'a Job)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    jobs.get(index).map(|job| (index, job))
}

/// Files to work on at the same time.
fn threads(args: &ConvertArgs) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    args.jobs.map_or_else(cores, usize::from)
}

/// Converts one file and keeps what there is to say.
fn finish(job: &Job, args: &ConvertArgs, figure: &FitOptions, format: Format) -> Finished {
    let mut notes = Vec::new();
    let result = convert_job(job, args, figure, format, &mut notes).map_err(|error| format!("{error:#}"));
    Finished { notes, result }
}

fn convert_job(
    job: &Job,
    args: &ConvertArgs,
    figure: &FitOptions,
    format: Format,
    notes: &mut Vec<(String, Vec<Note>)>,
) -> Result<WrittenJson> {
    let folder = job.output.parent().expect("an output lies in its folder");
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let target = Target::new(&job.output, format, &args.write)?.without_bars();
    convert(&job.input, &target, args, figure, &mut |name, told| notes.push((name.to_owned(), told.to_vec())))
}

/// Tells of files one after another.
struct Told<'a> {
    json: bool,
    progress: &'a Progress,
    converted: u64,
    failed: u64,
    /// Kept for JSON only.
    files: Vec<FileJson>,
}

impl Told<'_> {
    fn file(&mut self, job: &Job, finished: Finished) -> Result<()> {
        self.progress.beside(|| finished.notes.iter().for_each(|(name, notes)| print_notes(name, notes)));
        match finished.result {
            Err(error) => self.failure(&job.input, Some(&job.output), error),
            Ok(written) if !written.written => {
                self.failed += 1;
                let refusal = refused_line(&job.output);
                self.progress.beside(|| complain(&refusal));
                self.keep(&job.input, Some(refusal), Fate::Known(written));
            }
            Ok(written) => {
                self.converted += 1;
                if !self.json {
                    self.progress.beside(|| print(&written_line(&written)))?;
                }
                self.keep(&job.input, None, Fate::Known(written));
            }
        }
        Ok(())
    }

    fn failure(&mut self, input: &Path, output: Option<&Path>, error: String) {
        self.failed += 1;
        self.progress.beside(|| complain(&error));
        let output = output.map(|path| path.display().to_string());
        self.keep(input, Some(error), Fate::Failed { output, written: false });
    }

    fn keep(&mut self, input: &Path, error: Option<String>, fate: Fate) {
        if self.json {
            self.files.push(FileJson { input: input.display().to_string(), error, fate });
        }
    }
}

#[derive(Debug, Serialize)]
struct FolderJson {
    converted: u64,
    failed: u64,
    skipped: u64,
    files: Vec<FileJson>,
}

#[derive(Debug, Serialize)]
struct FileJson {
    input: String,
    error: Option<String>,
    #[serde(flatten)]
    fate: Fate,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Fate {
    /// Converted, or refused by `--strict`.
    Known(WrittenJson),
    Failed {
        output: Option<String>,
        written: bool,
    },
}
