//! A refillable window over a byte stream: what was read and not yet used, with its place in the stream.

use crate::error::Error;
use std::io::{ErrorKind, Read};

/// Bytes asked of the source at a time; the window grows beyond only for an item that is longer.
const REFILL_BYTES: usize = 128 * 1024;

/// Unread bytes of `source` from `position` on.
pub(super) struct Window<R> {
    source: R,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    position: u64,
    ended: bool,
    fault: Option<Error>,
}

impl<R: Read> Window<R> {
    pub(super) fn new(source: R) -> Self {
        Window { source, buffer: Vec::new(), start: 0, end: 0, position: 0, ended: false, fault: None }
    }

    /// The bytes read and not yet consumed.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Offset in the stream of the first of [`bytes`](Self::bytes).
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Marks the first `count` bytes as used.
    pub(super) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.start, "only bytes in the window can be consumed");
        self.start += count;
        self.position += count as u64;
    }

    /// Reads more bytes; false when the source has ended or failed ([`fault`](Self::fault) tells which).
    pub(super) fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.buffer.len() - self.end < REFILL_BYTES / 2 {
            let length = (self.buffer.len() * 2).max(REFILL_BYTES);
            self.buffer.resize(length, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    return false;
                }
                Ok(count) => {
                    self.end += count;
                    return true;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.fault = Some(typed(error));
                    return false;
                }
            }
        }
    }

    /// Why reading stopped, if not at the end of the stream.
    pub(super) fn fault(&self) -> Option<&Error> {
        self.fault.as_ref()
    }

    /// Uses up the rest of the stream and gives its length in bytes.
    pub(super) fn drain(&mut self) -> u64 {
        let from = self.position;
        loop {
            self.consume(self.end - self.start);
            if !self.fill() {
                return self.position - from;
            }
        }
    }

    /// The source, once the window is no longer needed.
    pub(super) fn into_source(self) -> R {
        self.source
    }
}

/// The LZ4 layer below reports its own errors through `io::Error`; this takes them out again.
fn typed(error: std::io::Error) -> Error {
    match error.downcast::<Error>() {
        Ok(own) => own,
        Err(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe does.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let Some((&first, rest)) = self.0.split_first() else { return Ok(0) };
            buffer[0] = first;
            self.0 = rest;
            Ok(1)
        }
    }

    #[test]
    fn position_follows_consumption_over_refills() {
        let mut window = Window::new(Drip(b"abcdef"));
        assert!(window.fill() && window.fill());
        assert_eq!(window.bytes(), b"ab");
        window.consume(1);
        assert!(window.fill());
        assert_eq!((window.bytes(), window.position()), (&b"bc"[..], 1));
        assert_eq!(window.drain(), 5);
        assert_eq!((window.position(), window.fault()), (6, None));
    }

    #[test]
    fn a_failing_source_is_not_an_end() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(ErrorKind::PermissionDenied.into())
            }
        }
        let mut window = Window::new(Broken);
        assert!(!window.fill());
        assert_eq!(window.fault(), Some(&Error::Io(ErrorKind::PermissionDenied)));
    }
}
