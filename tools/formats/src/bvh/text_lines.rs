//! Lines of a stream: LF, CR LF or CR ends them, a byte order mark is passed over, no line is longer than a bound.

use super::fault;
use crate::error::Result;
use std::io::{BufRead, ErrorKind};

/// Longest line in bytes: a frame of 65,536 channels with sixty characters each.
const MAX_LINE_BYTES: usize = 4 << 20;

/// A line without its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    pub text: &'a str,
    /// Whether the file ends within or right after the line without a line end.
    pub unended: bool,
}

/// Reads line by line into one buffer.
pub(super) struct TextLines<'a> {
    source: &'a mut dyn BufRead,
    bytes: Vec<u8>,
    /// Number of the line in `bytes`.
    number: u64,
    unended: bool,
    /// Whether the line before ended with CR, so that a LF belongs to it.
    after_cr: bool,
}

impl<'a> TextLines<'a> {
    pub fn new(source: &'a mut dyn BufRead) -> TextLines<'a> {
        TextLines { source, bytes: Vec::new(), number: 0, unended: false, after_cr: false }
    }

    /// Number of the line that was read last, from 1; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line that is not blank, or `None` at the end.
    pub fn next(&mut self) -> Result<Option<Line<'_>>> {
        loop {
            if !self.fill()? {
                return Ok(None);
            }
            if !self.bytes.trim_ascii().is_empty() {
                break;
            }
        }
        let text = std::str::from_utf8(&self.bytes).map_err(|_| fault(self.number, "not UTF-8 text"))?;
        Ok(Some(Line { number: self.number, text, unended: self.unended }))
    }

    /// Reads one line into the buffer; `false` at the end.
    fn fill(&mut self) -> Result<bool> {
        self.bytes.clear();
        let mut begun = false;
        loop {
            let available = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other?,
            };
            if available.is_empty() {
                self.unended = true;
                break;
            }
            if std::mem::take(&mut self.after_cr) && available[0] == b'\n' {
                self.source.consume(1);
                continue;
            }
            if !begun {
                begun = true;
                self.number += 1;
            }
            let end = available.iter().position(|&byte| byte == b'\n' || byte == b'\r');
            let piece = &available[..end.unwrap_or(available.len())];
            if self.bytes.len() + piece.len() > MAX_LINE_BYTES {
                return Err(fault(self.number, format!("a line longer than {MAX_LINE_BYTES} bytes")));
            }
            self.bytes.extend_from_slice(piece);
            let used = piece.len() + usize::from(end.is_some());
            self.after_cr = end.is_some_and(|at| available[at] == b'\r');
            self.source.consume(used);
            if end.is_some() {
                self.unended = false;
                break;
            }
        }
        if self.number == 1 && self.bytes.starts_with(b"\xef\xbb\xbf") {
            self.bytes.drain(..3);
        }
        Ok(begun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn scan(bytes: &[u8], buffer: usize) -> Result<Vec<(u64, String, bool)>> {
        let mut reader = BufReader::with_capacity(buffer, bytes);
        let mut lines = TextLines::new(&mut reader);
        let mut all = Vec::new();
        while let Some(line) = lines.next()? {
            all.push((line.number, line.text.to_owned(), line.unended));
        }
        Ok(all)
    }

    #[test]
    fn every_line_end_counts_once_whatever_the_buffer() {
        for buffer in [1, 2, 3, 7, 100] {
            for end in ["\n", "\r\n", "\r"] {
                let text = ["\u{feff}a b", "", " \t", "\u{3c9}", "last"].join(end);
                let found = scan(text.as_bytes(), buffer).expect("text");
                let expected = [(1, "a b", false), (4, "\u{3c9}", false), (5, "last", true)];
                let found: Vec<(u64, &str, bool)> =
                    found.iter().map(|(number, text, unended)| (*number, text.as_str(), *unended)).collect();
                assert_eq!(found, expected, "{end:?}, {buffer}");
            }
        }
        assert_eq!(scan(b"a\r", 1).expect("text"), [(1, "a".to_owned(), false)]);
        assert_eq!(scan(b"", 1).expect("text"), []);
    }

    #[test]
    fn bytes_that_are_no_text_and_endless_lines_are_refused() {
        let error = scan(b"a\n\xff\n", 100).expect_err("not UTF-8");
        assert_eq!(error, fault(2, "not UTF-8 text"));
        let mut endless = std::io::BufReader::new(std::io::repeat(b'0'));
        let error = TextLines::new(&mut endless).next().expect_err("endless").to_string();
        assert_eq!(error, ".bvh: line 1: a line longer than 4194304 bytes");
    }
}
