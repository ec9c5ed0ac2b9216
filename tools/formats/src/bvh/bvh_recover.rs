//! Every whole frame of a file that is cut, damaged or miscounted.

use super::bvh_read::{Motion, PROGRESS_FRAMES, is_words};
use super::motion::{FrameGatherer, LineFault, MotionHeader};
use super::shown;
use super::text_lines::{Line, TextLines};
use crate::error::{Error, Result};
use crate::note::Note;
use crate::registry::Progress;
use sinew::Times;

/// Keeps whole frames. Where one is lost in the middle, the others keep their times.
pub(super) fn recover_frames(
    lines: &mut TextLines<'_>,
    header: &MotionHeader,
    gatherer: FrameGatherer,
    progress: Progress<'_>,
) -> Result<Motion> {
    let mut salvage = Salvage {
        gatherer,
        declared_frames: header.declared_frames,
        next_slot: 0,
        slots: Vec::new(),
        lost: 0,
        first_fault: None,
        stopped: None,
    };
    while salvage.stopped.is_none() {
        match lines.next() {
            Ok(Some(line)) => salvage.take(&line)?,
            Ok(None) => break,
            Err(error @ Error::Format { .. }) => salvage.stop(error.to_string()),
            Err(error) => return Err(error),
        }
        if salvage.gatherer.frames().is_multiple_of(PROGRESS_FRAMES) {
            progress(salvage.gatherer.frames());
        }
    }
    salvage.end();
    progress(salvage.gatherer.frames());
    let (notes, times) = (salvage.notes(), salvage.times(header.frame_s));
    Ok(Motion { samples: salvage.gatherer.finish(), times, notes })
}

/// What is kept and lost.
struct Salvage {
    gatherer: FrameGatherer,
    declared_frames: u64,
    /// Number of the frame that comes next, lost ones counted.
    next_slot: u64,
    /// Numbers of the frames that are kept.
    slots: Vec<u64>,
    lost: u64,
    first_fault: Option<LineFault>,
    /// Why reading ended early.
    stopped: Option<String>,
}

impl Salvage {
    fn take(&mut self, line: &Line<'_>) -> Result<()> {
        if is_words(line) {
            self.stop(format!("line {}: {}", line.number, shown(line.text)));
            return Ok(());
        }
        match self.gatherer.take(line) {
            Ok(false) => Ok(()),
            // A file that was cut may have lost digits of its last number.
            Ok(true) if line.unended && self.next_slot + 1 < self.declared_frames => {
                self.gatherer.drop_begun();
                let what = "the file ends within the line".into();
                self.lose(1, LineFault { line: line.number, what });
                Ok(())
            }
            Ok(true) => self.keep(),
            Err(found) => match self.gatherer.resume(line) {
                Some(resumed) => {
                    self.lose(resumed.lost_frames, found);
                    if resumed.line_is_frame { self.keep() } else { Ok(()) }
                }
                None => {
                    self.stop(format!("line {}: {}", found.line, found.what));
                    Ok(())
                }
            },
        }
    }

    fn keep(&mut self) -> Result<()> {
        self.gatherer.keep()?;
        self.slots.push(self.next_slot);
        self.next_slot += 1;
        Ok(())
    }

    fn lose(&mut self, frames: u64, fault: LineFault) {
        self.lost += frames;
        self.next_slot += frames;
        self.first_fault.get_or_insert(fault);
    }

    fn stop(&mut self, why: String) {
        self.gatherer.drop_begun();
        self.stopped = Some(why);
    }

    fn end(&mut self) {
        let values = self.gatherer.values_begun();
        if values > 0 {
            self.stop(format!("the file ends after {values} values of a frame"));
        }
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if let Some(LineFault { line, what }) = &self.first_fault {
            let plural = if self.lost == 1 { "" } else { "s" };
            let lost = self.lost;
            notes.push(Note::loss(format!("{lost} damaged frame{plural}, first at line {line}: {what}")));
        }
        if let Some(why) = &self.stopped {
            notes.push(Note::loss(format!("all after the last whole frame: {why}")));
        }
        let (kept, declared) = (self.slots.len() as u64, self.declared_frames);
        let text = format!("Frames says {declared}; {kept} whole frames are kept");
        match kept.cmp(&declared) {
            std::cmp::Ordering::Less => notes.push(Note::loss(text)),
            std::cmp::Ordering::Greater => notes.push(Note::info(text)),
            std::cmp::Ordering::Equal => {}
        }
        notes
    }

    fn times(&self, frame_s: f64) -> Times {
        let frames = self.slots.len();
        if self.slots.last().is_none_or(|&last| last + 1 == frames as u64) {
            return Times::Uniform { start_s: 0.0, frame_s, frames };
        }
        Times::Explicit(self.slots.iter().map(|&slot| slot as f64 * frame_s).collect())
    }
}
