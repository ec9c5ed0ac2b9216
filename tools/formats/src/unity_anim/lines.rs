//! The line scanner: logical lines of the strict subset of YAML that Unity writes.
//!
//! A line is `key: value`, `key:`, either with `- ` before it, or a bare value. Values that Unity folds (long plain
//! text, quoted text, `{...}`) are joined with one space. Memory is bounded by [`MAX_VALUE_BYTES`] whatever the file.

use super::fault;
use crate::error::Result;
use std::io::{BufRead, Read};

/// Longest line and longest folded value in bytes. Longer ones are no clip's.
const MAX_VALUE_BYTES: usize = 1 << 20;

/// A logical line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Number of its first physical line, from 1.
    pub number: u64,
    /// Column of a list dash, from 0.
    pub dash: Option<usize>,
    /// Column of the key, or of the bare value.
    pub column: usize,
    /// Text before the colon; empty for a bare value.
    pub key: &'a str,
    /// Text after the colon without spaces around it.
    pub value: &'a str,
    /// Whether the file ends within or right after the line without a line end.
    pub unended: bool,
}

/// Where the parts of a line's text are.
#[derive(Clone, Copy)]
struct Parts {
    dash: Option<usize>,
    column: usize,
    key_end: usize,
    value: usize,
}

/// Scans a stream line by line.
pub(super) struct Lines<'a> {
    source: &'a mut dyn BufRead,
    text: String,
    /// The physical line after `text`, already read; `None` at the end of the file.
    next: Option<String>,
    /// Number of the line in `next`.
    next_number: u64,
    next_unended: bool,
}

impl<'a> Lines<'a> {
    pub fn new(source: &'a mut dyn BufRead) -> Result<Lines<'a>> {
        let mut lines = Lines {
            source,
            text: String::new(),
            next: Some(String::new()),
            next_number: 0,
            next_unended: false,
        };
        lines.fill_next()?;
        if let Some(first) = lines.next.as_mut().filter(|first| first.starts_with('\u{feff}')) {
            first.drain(..'\u{feff}'.len_utf8());
        }
        Ok(lines)
    }

    /// The next line that is not blank and no comment, or `None` at the end.
    pub fn next(&mut self) -> Result<Option<Line<'_>>> {
        let (number, unended, parts) = loop {
            let (number, unended) = (self.next_number, self.next_unended);
            if !self.advance()? {
                return Ok(None);
            }
            let column = indent(&self.text);
            match self.text.as_bytes().get(column) {
                None | Some(b'#') => {}
                Some(b'\t') => return Err(fault(number, "a tab where only spaces may indent")),
                Some(_) => break (number, unended, split(&self.text, column)),
            }
        };
        let unended = self.join_folded(number, parts)? || unended;
        let text = self.text.as_str();
        Ok(Some(Line {
            number,
            dash: parts.dash,
            column: parts.column,
            key: &text[parts.column..parts.key_end],
            value: text[parts.value..].trim_matches(' '),
            unended,
        }))
    }

    /// Moves on by one physical line; `false` at the end.
    fn advance(&mut self) -> Result<bool> {
        let Some(next) = &mut self.next else { return Ok(false) };
        std::mem::swap(&mut self.text, next);
        self.fill_next()?;
        Ok(true)
    }

    fn fill_next(&mut self) -> Result<()> {
        let Some(next) = self.next.take() else { return Ok(()) };
        self.next_number += 1;
        // The old line's buffer is used again.
        let mut bytes = next.into_bytes();
        bytes.clear();
        Read::take(&mut *self.source, MAX_VALUE_BYTES as u64 + 1).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.len() > MAX_VALUE_BYTES {
            return Err(fault(self.next_number, format!("a line longer than {MAX_VALUE_BYTES} bytes")));
        }
        self.next_unended = bytes.last() != Some(&b'\n');
        while let Some(b'\n' | b'\r') = bytes.last() {
            bytes.pop();
        }
        let text = String::from_utf8(bytes).map_err(|_| fault(self.next_number, "not UTF-8 text"))?;
        self.next = Some(text);
        Ok(())
    }

    /// Appends the lines over which the value is folded. Says whether the file ends within the last of them.
    fn join_folded(&mut self, number: u64, parts: Parts) -> Result<bool> {
        let mut open = Open::default();
        open.feed(self.text[parts.value..].trim_matches(' '));
        // Deeper than this, a line belongs to the value.
        let parent = match parts.dash {
            Some(dash) if parts.key_end == parts.column => dash,
            _ => parts.column,
        };
        let mut unended = false;
        // Directives and the marks between documents are whole lines.
        let marker = parts.dash.is_none() && parts.key_end == 0;
        loop {
            let more = match (&open.style, &self.next) {
                (Style::Empty, _) | (_, None) => false,
                (Style::Plain, _) if marker => false,
                // In YAML nothing else may stand deeper than a key that has a value.
                (Style::Plain, Some(next)) => {
                    let column = indent(next);
                    column > parent && column < next.len()
                }
                (Style::Quoted | Style::Flow, Some(_)) => open.is_open(),
            };
            if !more {
                break;
            }
            unended = self.next_unended;
            let piece = self.next.as_deref().unwrap_or_default().trim_matches([' ', '\t']);
            if self.text.len() + piece.len() > MAX_VALUE_BYTES {
                return Err(fault(number, format!("a value longer than {MAX_VALUE_BYTES} bytes")));
            }
            self.text.truncate(self.text.trim_end_matches(' ').len());
            self.text.push(' ');
            self.text.push_str(piece);
            open.feed(" ");
            open.feed(piece);
            self.fill_next()?;
        }
        if open.is_open() {
            return Err(fault(number, "the file ends within a quoted or bracketed value"));
        }
        Ok(unended)
    }
}

fn indent(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b' ').count()
}

fn split(text: &str, column: usize) -> Parts {
    let bytes = text.as_bytes();
    let mut parts = Parts { dash: None, column, key_end: column, value: column };
    // A document's `---` is no dash of a list.
    if bytes[column] == b'-' && bytes.get(column + 1).is_none_or(|&byte| byte == b' ') {
        parts.dash = Some(column);
        parts.column = (column + 1 + indent(&text[column + 1..])).min(bytes.len());
        (parts.key_end, parts.value) = (parts.column, parts.column);
    }
    let rest = &bytes[parts.column..];
    // Brackets and quotes begin a bare value; a second dash is one of a nested list, which no curve has.
    if matches!(rest.first(), None | Some(b'{' | b'[' | b'"' | b'\'' | b'%')) || rest.starts_with(b"- ") {
        return parts;
    }
    let mut from = 0;
    while let Some(at) = rest[from..].iter().position(|&byte| byte == b':') {
        let at = from + at;
        if rest.get(at + 1).is_none_or(|&byte| byte == b' ') {
            parts.key_end = parts.column + at;
            parts.value = (parts.key_end + 1).min(bytes.len());
            return parts;
        }
        from = at + 1;
    }
    parts
}

/// How a value is spelled, and whether it goes on.
#[derive(Default)]
struct Open {
    style: Style,
    /// Brackets not closed yet.
    depth: usize,
    quote: Option<u8>,
    escaped: bool,
}

#[derive(Default)]
enum Style {
    #[default]
    Empty,
    Plain,
    Quoted,
    Flow,
}

impl Open {
    /// Takes the next piece of the value.
    fn feed(&mut self, piece: &str) {
        if let (Style::Empty, Some(&first)) = (&self.style, piece.as_bytes().first()) {
            self.style = match first {
                b'{' | b'[' => Style::Flow,
                b'"' | b'\'' => Style::Quoted,
                _ => Style::Plain,
            };
        }
        if matches!(self.style, Style::Empty | Style::Plain) {
            return;
        }
        for byte in piece.bytes() {
            match self.quote {
                Some(b'"') if self.escaped => self.escaped = false,
                Some(b'"') if byte == b'\\' => self.escaped = true,
                Some(quote) if byte == quote => self.quote = None,
                Some(_) => {}
                None => match byte {
                    b'"' | b'\'' => self.quote = Some(byte),
                    b'{' | b'[' => self.depth += 1,
                    b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                },
            }
        }
    }

    fn is_open(&self) -> bool {
        match self.style {
            Style::Empty | Style::Plain => false,
            // `''` within single quotes closes and opens again, which comes to the same.
            Style::Quoted => self.quote.is_some(),
            Style::Flow => self.quote.is_some() || self.depth > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line's number, dash, column, key and value.
    type Scanned = (u64, Option<usize>, usize, String, String);

    fn scan(text: &str) -> Result<Vec<Scanned>> {
        let mut bytes = text.as_bytes();
        let mut lines = Lines::new(&mut bytes)?;
        let mut all = Vec::new();
        while let Some(line) = lines.next()? {
            all.push((line.number, line.dash, line.column, line.key.to_owned(), line.value.to_owned()));
        }
        Ok(all)
    }

    fn values(text: &str) -> Vec<(String, String)> {
        scan(text).expect("good").into_iter().map(|(_, _, _, key, value)| (key, value)).collect()
    }

    #[test]
    fn keys_dashes_and_bare_values_have_their_columns() {
        let text = "\u{feff}%YAML 1.1\r\n--- !u!74 &7\n\nA:\n  b: 1\n  # no\n  c:\n  - d: x:y\n    path: \n  - {e: 1}\n  -\n";
        let expected = [
            (1, None, 0, "", "%YAML 1.1"),
            (2, None, 0, "", "--- !u!74 &7"),
            (4, None, 0, "A", ""),
            (5, None, 2, "b", "1"),
            (7, None, 2, "c", ""),
            (8, Some(2), 4, "d", "x:y"),
            (9, None, 4, "path", ""),
            (10, Some(2), 4, "", "{e: 1}"),
            (11, Some(2), 3, "", ""),
        ];
        let found = scan(text).expect("good");
        for (found, expected) in found.iter().zip(expected) {
            let (number, dash, column, key, value) = found;
            assert_eq!((*number, *dash, *column, key.as_str(), value.as_str()), expected);
        }
        assert_eq!(found.len(), expected.len());
    }

    #[test]
    fn folded_values_are_joined() {
        let text = "  a: one\n    two\n  b: {x: 1,\n  y: 2}\n  c: \"d\n\n    \\\" e\"\n  f: 'it''s\n   g'\n  h:\n    i: 1\n";
        let expected = [
            ("a", "one two"),
            ("b", "{x: 1, y: 2}"),
            ("c", "\"d \\\" e\""),
            ("f", "'it''s g'"),
            ("h", ""),
            ("i", "1"),
        ];
        let found = values(text);
        assert!(found.iter().map(|(key, value)| (key.as_str(), value.as_str())).eq(expected), "{found:?}");
    }

    #[test]
    fn the_last_line_may_be_unended() {
        let mut bytes = "a: 1\nb: 6".as_bytes();
        let mut lines = Lines::new(&mut bytes).expect("text");
        assert!(!lines.next().expect("good").expect("a line").unended);
        assert!(lines.next().expect("good").expect("a line").unended);
        assert_eq!(lines.next(), Ok(None));
    }

    #[test]
    fn hostile_lines_are_refused_with_their_number() {
        let long = format!("a: 1\nb: {}", "x".repeat(MAX_VALUE_BYTES));
        let many = format!("a: {{\n{}", "x\n".repeat(MAX_VALUE_BYTES));
        for (text, part) in [
            (long.as_str(), "line 2: a line longer"),
            (many.as_str(), "line 1: a value longer"),
            ("a:\n\tb: 1\n", "line 2: a tab"),
            ("a: 1\nb: {x: 1\n", "line 2: the file ends within"),
            ("a: \"x\n", "line 1: the file ends within"),
        ] {
            let error = scan(text).expect_err("refused").to_string();
            assert!(error.contains(part), "{error}");
        }
        let mut bytes: &[u8] = b"a: 1\n\xff\n";
        let mut lines = Lines::new(&mut bytes).expect("text");
        assert!(lines.next().expect_err("refused").to_string().contains("line 2: not UTF-8"));
    }
}
