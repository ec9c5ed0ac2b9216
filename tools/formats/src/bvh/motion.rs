//! Frames out of lines: as many values a frame as there are channels.
//!
//! The first frame tells the layout. If its first line holds it whole, every line is a frame, and one with fewer or
//! more values is at fault: nothing is borrowed from a neighbour. If it is split over lines, every frame begins and
//! ends with a line.

use super::text_lines::{Line, TextLines};
use super::{beyond, decimal, fault, shown};
use crate::error::{Error, Result};
use sinew::DecodeLimits;

/// Frames gathered row by row before they are sorted into the tracks' arrays.
const CHUNK_FRAMES: usize = 128;

/// What stands between MOTION and the first frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MotionHeader {
    /// Frames that the file claims to have.
    pub declared_frames: u64,
    /// Line of that claim.
    pub frames_line: u64,
    /// Seconds, positive and finite.
    pub frame_s: f64,
    /// Line of it.
    pub frame_time_line: u64,
}

/// Reads `Frames:` and `Frame Time:`, in either order.
///
/// # Errors
/// What is wrong, with its line.
pub(super) fn read_motion_header(lines: &mut TextLines<'_>) -> Result<MotionHeader> {
    let (mut frames, mut frame_time) = (None, None);
    loop {
        if let (Some((declared_frames, frames_line)), Some((frame_s, frame_time_line))) = (frames, frame_time)
        {
            return Ok(MotionHeader { declared_frames, frames_line, frame_s, frame_time_line });
        }
        let missing = if frames.is_none() { "Frames:" } else { "Frame Time:" };
        let Some(line) = lines.next()? else {
            return Err(fault(lines.number(), format!("the file ends before {missing}")));
        };
        let (label, value) = split_label(line.text);
        let at = |what: String| fault(line.number, what);
        match label.as_str() {
            "frames" if frames.is_none() => {
                let count = value.parse().map_err(|_| {
                    at(format!("Frames needs a whole number of frames, not {}", shown(value)))
                })?;
                frames = Some((count, line.number));
            }
            "frame time" if frame_time.is_none() => {
                let frame_s: f64 = decimal::parse(value).map_err(|what| at(format!("Frame Time: {what}")))?;
                if frame_s <= 0.0 {
                    return Err(at(format!("Frame Time must be more than 0 seconds, not {}", shown(value))));
                }
                frame_time = Some((frame_s, line.number));
            }
            _ => return Err(at(format!("{} where {missing} is needed", shown(line.text)))),
        }
    }
}

/// The words before a value, in lower case with one blank between them, and the value.
fn split_label(text: &str) -> (String, &str) {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.');
    let (label, value) =
        text.split_once(':').unwrap_or_else(|| text.split_at(text.find(number).unwrap_or(text.len())));
    let words: Vec<String> = label.split_ascii_whitespace().take(3).map(str::to_ascii_lowercase).collect();
    (words.join(" "), value.trim_ascii())
}

/// How frames lie in lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// No frame is done yet, nor begun.
    Unknown,
    /// A frame a line.
    FrameALine,
    /// A frame begins and ends with a line and may go over several.
    FrameOverLines,
}

/// What is wrong with a line, or with the frame that it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineFault {
    pub line: u64,
    pub what: String,
}

impl From<LineFault> for Error {
    fn from(found: LineFault) -> Error {
        fault(found.line, found.what)
    }
}

/// How reading goes on after a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Resumed {
    /// Frames that are lost.
    pub lost_frames: u64,
    /// Whether the line is nonetheless a whole frame to keep.
    pub line_is_frame: bool,
}

/// Takes lines, gives frames.
pub(super) struct FrameGatherer {
    channels: usize,
    layout: Layout,
    /// Values of the frame that is not whole yet.
    row: Vec<f32>,
    /// First line of that frame, how many lines it has, and how many values stood before the last.
    row_line: u64,
    row_lines: u64,
    row_before_line: usize,
    /// Whole frames not sorted yet, one after the other.
    chunk: Vec<f32>,
    /// `[channel][frame]`.
    samples: Vec<Vec<f32>>,
    frames: u64,
    max_samples: u64,
}

impl FrameGatherer {
    /// `channels` is at least 1.
    pub fn new(channels: usize, limits: &DecodeLimits) -> FrameGatherer {
        FrameGatherer {
            channels,
            layout: Layout::Unknown,
            row: Vec::new(),
            row_line: 0,
            row_lines: 0,
            row_before_line: 0,
            chunk: Vec::new(),
            samples: vec![Vec::new(); channels],
            frames: 0,
            max_samples: limits.max_samples,
        }
    }

    /// Number of whole frames so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Number of values of the frame that is not whole yet.
    pub fn values_begun(&self) -> usize {
        self.row.len()
    }

    /// Reads the values of a line; `true` if they end a frame, which [`FrameGatherer::keep`] must follow.
    pub fn take(&mut self, line: &Line<'_>) -> std::result::Result<bool, LineFault> {
        self.row_before_line = self.row.len();
        if self.row.is_empty() {
            (self.row_line, self.row_lines) = (line.number, 0);
        }
        self.row_lines += 1;
        for word in line.text.split_ascii_whitespace() {
            let value = decimal::parse(word).map_err(|what| self.fault(line.number, &what))?;
            self.row.push(value);
        }
        let found = self.row.len();
        if found > self.channels {
            return Err(self.overrun(line.number));
        }
        if found == self.channels {
            if self.layout == Layout::Unknown {
                self.layout = Layout::FrameALine;
            }
            return Ok(true);
        }
        match self.layout {
            Layout::FrameALine => Err(self.fault(line.number, &self.wrong_count(found))),
            Layout::Unknown | Layout::FrameOverLines => {
                self.layout = Layout::FrameOverLines;
                Ok(false)
            }
        }
    }

    fn fault(&self, line: u64, what: &str) -> LineFault {
        LineFault { line, what: format!("frame {}: {what}", self.frames) }
    }

    fn wrong_count(&self, found: usize) -> String {
        format!("{found} values, but the skeleton has {} channels", self.channels)
    }

    fn overrun(&self, line: u64) -> LineFault {
        let before = self.row_before_line;
        if before == 0 {
            return self.fault(line, &self.wrong_count(self.row.len()));
        }
        if self.row.len() - before == self.channels {
            // The line is a frame by itself, so that the ones before it are what is short.
            return self.fault(self.row_line, &self.wrong_count(before));
        }
        let lines = format!("lines {} to {line} hold ", self.row_line);
        self.fault(line, &(lines + &self.wrong_count(self.row.len())))
    }

    /// Stores the frame that has become whole.
    pub fn keep(&mut self) -> Result<()> {
        let samples = (self.frames + 1).saturating_mul(self.channels as u64);
        if samples > self.max_samples {
            return Err(beyond("samples"));
        }
        self.chunk.append(&mut self.row);
        self.frames += 1;
        if self.chunk.len() >= CHUNK_FRAMES * self.channels {
            self.sort_chunk();
        }
        Ok(())
    }

    fn sort_chunk(&mut self) {
        for (channel, samples) in self.samples.iter_mut().enumerate() {
            samples.extend(self.chunk.iter().skip(channel).step_by(self.channels));
        }
        self.chunk.clear();
    }

    /// Forgets the values of the frame that is not whole yet.
    pub fn drop_begun(&mut self) {
        self.row.clear();
    }

    /// Gets over a line that [`FrameGatherer::take`] refused, if it is clear where the next frame begins.
    pub fn resume(&mut self, line: &Line<'_>) -> Option<Resumed> {
        let words = line.text.split_ascii_whitespace().count();
        let values = self.row.len() - self.row_before_line;
        if self.layout == Layout::FrameOverLines && values == words && words == self.channels {
            // The first lines were short, and this one shows what a frame is.
            self.layout = Layout::FrameALine;
            self.row.drain(..self.row_before_line);
            return Some(Resumed { lost_frames: self.row_lines - 1, line_is_frame: true });
        }
        if self.layout == Layout::Unknown && words > self.channels / 2 {
            self.layout = Layout::FrameALine;
        }
        self.row.clear();
        let resumed = Resumed { lost_frames: 1, line_is_frame: false };
        (self.layout == Layout::FrameALine).then_some(resumed)
    }

    /// `[channel][frame]` of the frames that were kept.
    pub fn finish(mut self) -> Vec<Vec<f32>> {
        self.sort_chunk();
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Result<MotionHeader> {
        let mut bytes = text.as_bytes();
        read_motion_header(&mut TextLines::new(&mut bytes))
    }

    #[test]
    fn the_header_is_read_in_every_spelling() {
        for text in
            ["Frames: 3\nFrame Time: .5\n", "FRAME  TIME:0.5\n\nFRAMES:3", "frames 3\nFrame Time\t5e-1"]
        {
            let found = header(text).expect("readable");
            assert_eq!((found.declared_frames, found.frame_s), (3, 0.5), "{text}");
        }
    }

    #[test]
    fn the_headers_faults_have_their_line() {
        for (text, part) in [
            ("", "line 0: the file ends before Frames:"),
            ("Frames: 3\n", "line 1: the file ends before Frame Time:"),
            ("Frames: -3\n", "line 1: Frames needs a whole number of frames, not \"-3\""),
            ("Frames: 99999999999999999999\n", "line 1: Frames needs a whole number"),
            ("Frames: 1\nFrame Time: 0\n", "line 2: Frame Time must be more than 0 seconds, not \"0\""),
            ("Frames: 1\nFrame Time: -0.1\n", "line 2: Frame Time must be more than 0"),
            ("Frames: 1\nFrame Time: nan\n", "line 2: Frame Time: \"nan\" is not a finite"),
            ("Frames: 1\nFrame Time: inf\n", "line 2: Frame Time: \"inf\" is not a finite"),
            ("Frames: 1\nFrame Time: 0,01\n", "line 2: Frame Time: \"0,01\" has a comma"),
            ("Frames: 1\nFrames: 2\n", "line 2: \"Frames: 2\" where Frame Time: is needed"),
            ("1 2 3\n", "line 1: \"1 2 3\" where Frames: is needed"),
        ] {
            let error = header(text).expect_err(text).to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    fn gather(channels: usize, text: &str) -> std::result::Result<Vec<Vec<f32>>, LineFault> {
        let mut bytes = text.as_bytes();
        let mut lines = TextLines::new(&mut bytes);
        let mut gatherer = FrameGatherer::new(channels, &DecodeLimits::default());
        while let Some(line) = lines.next().expect("text") {
            if gatherer.take(&line)? {
                gatherer.keep().expect("few");
            }
        }
        assert_eq!(gatherer.values_begun(), 0);
        Ok(gatherer.finish())
    }

    #[test]
    fn frames_over_lines_and_lines_of_frames_are_the_same() {
        let expected = vec![vec![1.0, 4.0], vec![2.0, 5.0], vec![3.0, 6.0]];
        for text in ["1 2 3\n4 5 6", "1\n2\n3\n4\n5\n6\n", "1 2\n3\n4\n5 6\n", "1 2\n3\n4 5 6\n"] {
            assert_eq!(gather(3, text), Ok(expected.clone()), "{text:?}");
        }
    }

    #[test]
    fn nothing_is_borrowed_from_a_neighbour() {
        for (text, line, what) in [
            ("1 2\n4 5 6\n", 1, "frame 0: 2 values, but the skeleton has 3 channels"),
            ("1 2 3\n4 5\n6 7 8\n", 2, "frame 1: 2 values, but the skeleton has 3 channels"),
            ("1 2 3 4\n5 6\n", 1, "frame 0: 4 values, but the skeleton has 3 channels"),
            ("1 2\n3\n4\n5 6 7\n", 3, "frame 1: 1 values, but the skeleton has 3 channels"),
            ("1 2\n3 4\n", 2, "frame 0: lines 1 to 2 hold 4 values, but the skeleton has 3 channels"),
        ] {
            assert_eq!(gather(3, text), Err(LineFault { line, what: what.into() }), "{text:?}");
        }
    }

    #[test]
    fn many_frames_come_out_in_order() {
        let text: String = (0..1000).map(|i| format!("{i} -{i}\n")).collect();
        let found = gather(2, &text).expect("readable");
        assert!(found[0].iter().enumerate().all(|(i, &x)| x == i as f32) && found[0].len() == 1000);
        assert!(found[1].iter().enumerate().all(|(i, &x)| x == -(i as f32)) && found[1].len() == 1000);
    }
}
