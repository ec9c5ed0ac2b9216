//! What the verbs print: complaints, notes, and numbers as people read them.

use anyhow::{Context, Result};
use sinew_formats::Note;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Prints one line on stderr.
pub(crate) fn complain(message: &str) {
    // Nobody is left to tell if stderr is closed.
    let _ = writeln!(io::stderr(), "sinew: {}", one_line(message));
}

/// The text with its control characters escaped: a file may put line ends and terminal commands into names.
pub(crate) fn one_line(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .collect()
}

/// Prints notes about a file, by the name that messages give it, on stderr.
pub(crate) fn print_notes(name: &str, notes: &[Note]) {
    for note in notes {
        complain(&format!("{name}: {note}"));
    }
}

/// An input's path as messages name it.
pub(crate) fn shown(path: &Path) -> String {
    if is_stream(path) { "standard input".into() } else { path.display().to_string() }
}

/// An output's path as messages name it.
pub(crate) fn shown_output(path: &Path) -> String {
    if is_stream(path) { "standard output".into() } else { path.display().to_string() }
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Prints text on stdout. A reader that has closed it wants no more of it.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other.context("standard output"),
    }
}

/// A count with separators: `1,021,323`.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with so many decimals; a huge one by its leading digits.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() < 1e15 { format!("{value:.decimals$}") } else { format!("{value:.3e}") }
}

/// A count with its noun: `1 frame`, `2 frames`.
pub(crate) fn counted(value: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(value), if value == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_021_323, "1,021,323")] {
            assert_eq!(count(value), text);
        }
        assert_eq!((fixed(0.125, 2), fixed(-1e300, 2)), ("0.12".into(), "-1.000e300".into()));
        assert_eq!((counted(1, "frame"), counted(0, "frame")), ("1 frame".into(), "0 frames".into()));
    }
}
