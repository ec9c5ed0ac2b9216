//! Progress bars on stderr, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};

/// Whether a file's own bars are wanted: where several files are worked on at once, they are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bars {
    /// One bar a step.
    Shown,
    /// None.
    Hidden,
}

/// A bar that shows nothing unless stderr is a terminal, and leaves nothing behind.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    fn new(total: Option<u64>, template: &'static str, bars: Bars) -> Progress {
        let target = if bars == Bars::Shown && io::stderr().is_terminal() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(ProgressStyle::with_template(template).expect("the templates below are well formed"));
        Progress(bar)
    }

    /// Bytes of a file being read.
    pub fn bytes(label: &str, total: Option<u64>, bars: Bars) -> Progress {
        let progress = Progress::new(total, "{msg} [{bar:30}] {bytes}/{total_bytes}", bars);
        progress.0.set_message(label.to_owned());
        progress
    }

    /// Frames being encoded, decoded or written.
    pub fn frames(label: &str, total: u64, bars: Bars) -> Progress {
        let progress = Progress::new(Some(total), "{msg} [{bar:30}] {pos}/{len} frames {eta}", bars);
        progress.0.set_message(label.to_owned());
        progress
    }

    /// Files being worked on.
    pub fn files(label: &str, total: u64) -> Progress {
        let progress = Progress::new(Some(total), "{msg} [{bar:30}] {pos}/{len} files {eta}", Bars::Shown);
        progress.0.set_message(label.to_owned());
        progress.0.tick();
        progress
    }

    /// Steps of unknown length, each with its name.
    pub fn steps(label: &str) -> Progress {
        let progress = Progress::new(None, "{spinner} {msg}", Bars::Shown);
        progress.0.set_message(label.to_owned());
        progress
    }

    /// Names the step that begins.
    pub fn say(&self, message: &str) {
        self.0.set_message(message.to_owned());
        self.0.tick();
    }

    /// Takes the bar away while `print` writes lines to the terminal.
    pub fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }

    /// Says how far it is.
    pub fn set(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
