//! Random access: any frame, track or body part of a file without decoding the rest.

use crate::clip::{Clip, Times};
use crate::config::DecodeLimits;
use crate::container::{IndexEntry, TAG_BLOCK, find_index, read_section};
use crate::decode::{BlockDecoder, Item, Preamble, walk};
use crate::error::{Error, Result};
use crate::track::{Mask, Track};

/// Reads parts of an encoded file that lies in memory. A frame costs the decoding of its block, which is then kept
/// for the frames around it.
///
/// ```
/// use sinew::{Clip, ClipReader, EncodeConfig, Times, encode};
/// # let frames = vec![[0.25f32; 95]; 3];
/// # let clip = Clip::from_muscle_frames(&frames, Times::Uniform { start_s: 0.0, frame_s: 0.02, frames: 3 })?;
/// let file = encode(&clip, &EncodeConfig::lossless())?;
/// let mut reader = ClipReader::open(&file)?;
/// let mut frame = [0.0; 95];
/// assert_eq!(reader.frame(2, &mut frame)?, 0.04);
/// assert_eq!(frame, [0.25; 95]);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ClipReader<'a> {
    file: &'a [u8],
    limits: DecodeLimits,
    preamble: Preamble,
    decoder: BlockDecoder,
    index: Vec<IndexEntry>,
    frames: u64,
    cached: Option<(usize, Clip)>,
}

impl<'a> ClipReader<'a> {
    /// Opens a complete file through its seek index; only the header and the index are read.
    ///
    /// # Errors
    /// As [`decode`](crate::decode), for the header and the index.
    pub fn open(file: &'a [u8]) -> Result<ClipReader<'a>> {
        ClipReader::open_with(file, &DecodeLimits::default())
    }

    /// [`ClipReader::open`] under limits.
    ///
    /// # Errors
    /// As [`ClipReader::open`].
    pub fn open_with(file: &'a [u8], limits: &DecodeLimits) -> Result<ClipReader<'a>> {
        let preamble = Preamble::read(file, limits)?;
        let decoder = BlockDecoder::new(&preamble);
        let index = match find_index(file, preamble.header.times) {
            Some(index) => index,
            // The end is damaged or missing: the strict walk says how.
            None => walk(file, &preamble, &decoder, &mut |_: Item<'_>| Ok(()))?,
        };
        let frames = index.iter().map(|entry| u64::from(entry.frames)).sum();
        Ok(ClipReader { file, limits: *limits, preamble, decoder, index, frames, cached: None })
    }

    /// Number of frames.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// The tracks, in sample order.
    pub fn tracks(&self) -> &[Track] {
        &self.preamble.header.tracks
    }

    /// Number of sample arrays, the length of a frame.
    pub fn components(&self) -> usize {
        self.preamble.header.components()
    }

    /// Writes frame `number` to `frame` (one f32 a component, in track order) and returns its time in seconds.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a frame past the end or a buffer of another length; as
    /// [`decode`](crate::decode) for a damaged block.
    pub fn frame(&mut self, number: u64, frame: &mut [f32]) -> Result<f64> {
        if frame.len() != self.components() {
            return Err(Error::invalid(format!(
                "a frame has {} values, not {}",
                self.components(),
                frame.len()
            )));
        }
        if number >= self.frames {
            return Err(Error::invalid(format!("there is no frame {number}: the clip has {}", self.frames)));
        }
        let block = self.index.partition_point(|entry| entry.first_frame <= number) - 1;
        if self.cached.as_ref().is_none_or(|(cached, _)| *cached != block) {
            self.cached = Some((block, self.block(block)?));
        }
        let Some((_, clip)) = &self.cached else {
            unreachable!("the block was cached above");
        };
        let within = (number - self.index[block].first_frame) as usize;
        for (value, samples) in frame.iter_mut().zip(&clip.samples) {
            *value = samples[within];
        }
        Ok(clip.times.get(within).unwrap_or(0.0))
    }

    /// Decodes one block as a clip of its own.
    fn block(&self, number: usize) -> Result<Clip> {
        let mut clip = self.preamble.empty_clip();
        clip.times = Times::Explicit(Vec::new());
        let entry = &self.index[number];
        let section = self.section(entry)?;
        let view = self.decoder.view(&section)?;
        if view.first_frame != entry.first_frame || view.frames as u64 != u64::from(entry.frames) {
            return Err(Error::Corrupt {
                at_byte: entry.at_byte,
                what: "the index does not match the block",
            });
        }
        self.decoder.append_anywhere(&view, &mut clip, &self.limits)?;
        Ok(clip)
    }

    fn section(&self, entry: &IndexEntry) -> Result<crate::container::Section<'a>> {
        let at = usize::try_from(entry.at_byte).unwrap_or(usize::MAX);
        let section = read_section(self.file, at.min(self.file.len()))?;
        if section.tag != TAG_BLOCK {
            return Err(Error::Corrupt {
                at_byte: entry.at_byte,
                what: "the index does not point at a block",
            });
        }
        Ok(section)
    }

    /// Decodes the tracks that `mask` chooses, over all frames, with their times. Groups outside it are skipped.
    ///
    /// # Errors
    /// As [`decode`](crate::decode).
    pub fn decode(&self, mask: Mask) -> Result<Clip> {
        self.decode_tracks(|_, track| mask.contains(track))
    }

    /// Decodes one track (by number) over all frames: its arrays, one a component.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a number past the end; as [`decode`](crate::decode) otherwise.
    pub fn track(&self, number: usize) -> Result<Vec<Vec<f32>>> {
        if number >= self.tracks().len() {
            return Err(Error::invalid(format!(
                "there is no track {number}: the clip has {}",
                self.tracks().len()
            )));
        }
        Ok(self.decode_tracks(|index, _| index == number)?.samples)
    }

    fn decode_tracks(&self, wanted: impl Fn(usize, &Track) -> bool) -> Result<Clip> {
        let mut full = self.preamble.empty_clip();
        let tracks = &self.preamble.header.tracks;
        let is_wanted: Vec<bool> =
            tracks.iter().enumerate().map(|(number, track)| wanted(number, track)).collect();
        let mut frames = 0u64;
        for entry in &self.index {
            let section = self.section(entry)?;
            let view = self.decoder.view(&section)?;
            if view.first_frame != frames || view.frames as u64 != u64::from(entry.frames) {
                return Err(Error::Corrupt {
                    at_byte: entry.at_byte,
                    what: "the index does not match the block",
                });
            }
            frames += view.frames as u64;
            self.limits.check_samples(frames, full.samples.len())?;
            match &mut full.times {
                Times::Uniform { frames, .. } => *frames += view.frames,
                Times::Explicit(times) => times.extend(self.decoder.times(&view)?),
            }
            for (number, group) in self.decoder.groups.iter().enumerate() {
                if !group.tracks.iter().any(|&track| is_wanted[track]) {
                    continue;
                }
                let mut arrays = vec![Vec::new(); group.components.len()];
                self.decoder.group(&view, number, &mut arrays)?;
                for (&component, mut samples) in group.components.iter().zip(arrays) {
                    full.samples[component].append(&mut samples);
                }
            }
        }
        // Only now drop what a group brought along that was not asked for.
        let mut samples = std::mem::take(&mut full.samples).into_iter();
        for (track, &keep) in tracks.iter().zip(&is_wanted) {
            for array in samples.by_ref().take(track.components()) {
                if keep {
                    full.samples.push(array);
                }
            }
        }
        full.tracks =
            tracks.iter().zip(&is_wanted).filter(|(_, keep)| **keep).map(|(t, _)| t.clone()).collect();
        Ok(full)
    }
}
