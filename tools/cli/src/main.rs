//! `sinew`: the command line.
//!
//! Exit codes: 0 is success, 1 means that two clips differ, that a bound is exceeded or that `--strict` refused a
//! loss, 2 is an error. Errors are one line on stderr; a reader that closes our stdout early is no error.

mod args;
mod cmd;
mod figure;
mod folder;
mod input;
mod interrupt;
mod joints;
mod json;
mod output;
mod plan;
mod progress;
mod save;
mod stats;
mod text;

use args::{Args, Verb};
use clap::Parser;
use std::io;
use std::process::ExitCode;

/// What a verb found, when it ran to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Done, or equal, or within the bound.
    Good,
    /// Different, beyond the bound, or refused by `--strict`.
    Differs,
}

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Not `args`, which panics on text that is not UTF-8.
            let verb = std::env::args_os().nth(1).and_then(|verb| verb.into_string().ok());
            match args::refusal(&error, verb.as_deref()) {
                Some(refusal) => text::complain(&refusal),
                None => return print_usage(&error),
            }
            return ExitCode::from(2);
        }
    };
    interrupt::install();
    let verdict = match args.verb {
        Verb::Encode(args) => cmd::encode::run(&args),
        Verb::Decode(args) => cmd::decode::run(&args),
        Verb::Convert(args) => cmd::convert::run(&args),
        Verb::Info(args) => cmd::info::run(&args),
        Verb::Compare(args) => cmd::compare::run(&args),
        Verb::Bench(args) => cmd::bench::run(&args),
        Verb::Recover(args) => cmd::recover::run(&args),
        Verb::Completions(args) => cmd::completions::run(&args),
    };
    match verdict {
        Ok(Verdict::Good) => ExitCode::SUCCESS,
        Ok(Verdict::Differs) => ExitCode::from(1),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            text::complain(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

/// Prints what the argument parser says: help and version on stdout, a misuse on stderr.
fn print_usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        // Nobody is left to tell if stderr is closed.
        _ if error.use_stderr() => ExitCode::from(2),
        Err(failure) if failure.kind() != io::ErrorKind::BrokenPipe => {
            text::complain(&format!("standard output: {failure}"));
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// Whether the program that reads our output has closed it.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let system = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let formats = cause.downcast_ref::<sinew_formats::Error>().and_then(sinew_formats::Error::io_kind);
        system.or(formats) == Some(io::ErrorKind::BrokenPipe)
    })
}
