//! Finding the next whole frame behind damage: the bytes that all of a recorder's frames share tell where one starts.

use super::skip::MAX_FRAME_BYTES;
use super::template::FrameTemplate;
use super::window::Window;
use std::io::Read;

/// Bytes that may be compared for each byte passed. A recorder's file needs about one; names made to look like the
/// start of a frame would cost the file's length times the frame's.
const COMPARED_PER_BYTE: u64 = 16;

/// What was passed over to get to whole frames.
#[derive(Debug, Default)]
pub(super) struct Resync {
    /// Bytes between whole frames.
    pub(super) passed_bytes: u64,
    /// How many times frames went on behind damage.
    pub(super) places: u64,
    compared: u64,
    /// Bytes looked at and done with.
    searched: u64,
}

impl Resync {
    /// Moves the window from a frame that cannot be read to the next whole one in the recorder's form. False if there
    /// is none, or if it would take too long to find.
    pub(super) fn next_frame<R: Read>(&mut self, window: &mut Window<R>, template: &FrameTemplate) -> bool {
        let start = window.position();
        // What starts here has failed.
        let mut from = 1;
        loop {
            let bytes = window.bytes();
            let found = template.find_start(bytes, from);
            let whole = found.is_some_and(|at| at + template.frame_bytes() <= bytes.len());
            if let Some(at) = found.filter(|_| whole) {
                let (same, compared) = template.matches(&bytes[at..]);
                self.compared += compared as u64;
                if same {
                    self.searched += at as u64;
                    window.consume(at);
                    self.passed_bytes += window.position() - start;
                    self.places += 1;
                    return true;
                }
                let passed = self.searched + at as u64;
                if self.compared > COMPARED_PER_BYTE * passed + MAX_FRAME_BYTES as u64 {
                    return false;
                }
                from = at + 1;
                continue;
            }
            // Up to a start whose frame is not here yet, or to where one may begin in the last bytes.
            let kept = template.start().len() - 1;
            let passed = found.unwrap_or(bytes.len().saturating_sub(kept));
            self.searched += passed as u64;
            window.consume(passed);
            from = from.saturating_sub(passed);
            if !window.fill() {
                return false;
            }
        }
    }
}
