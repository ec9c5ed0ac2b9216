//! `sinew completions`: a completion script for a shell.

use crate::Verdict;
use crate::args::{Args, CompletionsArgs};
use crate::text::print;
use anyhow::Result;
use clap::CommandFactory;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "sinew", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Verdict::Good)
}
