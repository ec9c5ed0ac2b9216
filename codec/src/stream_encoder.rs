//! Frames in, blocks out: the encoder of a clip that is still being made.

use crate::block::aim::Exactly;
use crate::clip::{Clip, Times};
use crate::config::{EncodeConfig, Fidelity};
use crate::container::{TimeForm, is_narrow};
use crate::encode::FileWriter;
use crate::error::{Error, Result};

/// Encodes a clip frame by frame, within the memory of one block.
///
/// The bytes of [`StreamEncoder::new`], of every block and of [`StreamEncoder::finish`], one after the other, are a
/// complete file: the very one that [`encode`](crate::encode) makes of the same frames, times in the same
/// [`TimeForm`], and configuration. All before the last of them can be read by [`recover`](crate::recover) alone.
///
/// A frame leaves with its block, which closes when the frame after it comes: the delay is
/// [`EncodeConfig::frames_per_block`] frames and one at most. Blocks of bounded files have 1024 frames at `fast`, 512 at
/// `balanced` and 4096 at `max`, those of lossless files 256, 256 and 1024, unless [`EncodeConfig::with_block_frames`] says
/// otherwise; [`StreamEncoder::end_block`] closes one early.
///
/// ```
/// use sinew::{Clip, EncodeConfig, StreamEncoder, TimeForm, Track, decode};
/// let clip = Clip::empty(Track::muscles());
/// let config = EncodeConfig::bounded(0.001).with_block_frames(60);
/// let (mut encoder, mut file) = StreamEncoder::new(&clip, TimeForm::Explicit { narrow: false }, &config)?;
/// for frame in 0..150 {
///     if let Some(block) = encoder.push_frame(f64::from(frame) / 60.0, &[0.25; 95])? {
///         file.extend(block);
///     }
/// }
/// file.extend(encoder.finish()?);
/// assert_eq!(decode(&file)?.frames(), 150);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Debug)]
pub struct StreamEncoder {
    writer: FileWriter,
    block_frames: usize,
    /// The open block: one array a component.
    samples: Vec<Vec<f32>>,
    times: Vec<f64>,
    /// The next frame starts a block.
    is_ended: bool,
}

impl StreamEncoder {
    /// The encoder of a clip that will have the tracks, metadata and rig of `clip`, whose own frames and times count for
    /// nothing, and the bytes that the file starts with.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the clip, the times or the configuration are not valid, if a text is longer than any
    /// reader would take, and for [`Fidelity::World`], whose steps follow from the whole clip.
    pub fn new(clip: &Clip, times: TimeForm, config: &EncodeConfig) -> Result<(StreamEncoder, Vec<u8>)> {
        if let TimeForm::Uniform { start_s, frame_s } = times {
            let mut none = Clip::empty(Vec::new());
            none.times = Times::Uniform { start_s, frame_s, frames: 0 };
            none.validate()?;
        }
        if let Fidelity::World(_) = config.fidelity {
            return Err(Error::invalid(
                "a bound in millimetres needs the whole clip: its steps follow from all of it",
            ));
        }
        let (writer, front) = FileWriter::new(clip, times, config)?;
        let samples = vec![Vec::new(); writer.components()];
        let block_frames = config.frames_per_block();
        Ok((StreamEncoder { writer, block_frames, samples, times: Vec::new(), is_ended: false }, front))
    }

    /// Number of frames pushed.
    pub fn frames(&self) -> u64 {
        self.writer.frames() + self.times.len() as u64
    }

    /// Takes the next frame: its time in seconds, and one f32 a component in track order. Gives the bytes of the block
    /// before it, if this frame starts a new one.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if there is another number of values, or if the time is not finite, not that of the frame
    /// (uniform times) or not an f32 (narrow times). The frame is then not taken, and the clip goes on without it.
    pub fn push_frame(&mut self, time_s: f64, values: &[f32]) -> Result<Option<Vec<u8>>> {
        if values.len() != self.samples.len() {
            return Err(Error::invalid(format!(
                "frame {}: {} values for {} components",
                self.frames(),
                values.len(),
                self.samples.len()
            )));
        }
        self.check_time(time_s)?;
        let block = if self.times.len() == self.block_frames || self.is_ended {
            Some(self.close_block(Some(time_s))?)
        } else {
            None
        };
        for (samples, &value) in self.samples.iter_mut().zip(values) {
            samples.push(value);
        }
        self.times.push(time_s);
        Ok(block)
    }

    /// Ends the open block before it is full: its bytes come with the next frame, or with the end. A block without
    /// frames goes on.
    pub fn end_block(&mut self) {
        self.is_ended = !self.times.is_empty();
    }

    /// The bytes that end the file: the last block and the seek index.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if the block or the index is longer than any reader would take.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        let mut out = if self.times.is_empty() { Vec::new() } else { self.close_block(None)? };
        self.writer.finish(&mut out)?;
        Ok(out)
    }

    fn check_time(&self, time_s: f64) -> Result<()> {
        let frame = self.frames();
        let fault = match self.writer.times() {
            _ if !time_s.is_finite() => "is not finite",
            TimeForm::Uniform { start_s, frame_s } if time_s != start_s + frame as f64 * frame_s => {
                "is not that of the uniform times"
            }
            TimeForm::Explicit { narrow: true } if !is_narrow(time_s) => "is not an f32",
            _ => return Ok(()),
        };
        Err(Error::invalid(format!("frame {frame}: time {time_s} {fault}")))
    }

    /// Encodes the open block, whose last step keeps its sign to the time of the frame that follows.
    fn close_block(&mut self, next_s: Option<f64>) -> Result<Vec<u8>> {
        let frames = self.times.len();
        self.times.extend(next_s);
        let mut out = Vec::new();
        let written = self.writer.block(&self.samples, &self.times, 0..frames, &mut Exactly, &mut out);
        self.times.truncate(frames);
        written?;
        self.times.clear();
        for samples in &mut self.samples {
            samples.clear();
        }
        self.is_ended = false;
        Ok(out)
    }
}
