//! What all players of one clip share.

use super::blend::blend_rotation;
use super::clock::Clock;
use super::keyed::{KeyedBlock, ROWS};
use crate::block::played::PlayedGroup;
use crate::clip::Times;
use crate::clip_reader::ClipReader;
use crate::config::{DecodeLimits, Effort, Fidelity};
use crate::decode::{BlockDecoder, Item, Preamble, walk};
use crate::error::{Error, Result};
use crate::track::{Mask, Track, TrackKind, component_starts};
use std::ops::Range;

/// Neighbouring tracks of one body part or device.
#[derive(Debug)]
pub(super) struct Run {
    /// Number of the first of them.
    pub(super) track: usize,
    pub(super) components: Range<usize>,
}

#[derive(Debug)]
enum Samples {
    Keyed(Vec<KeyedBlock>),
    /// Every frame, in rows.
    Whole(Vec<f32>),
}

/// A clip that is ready to be played.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) tracks: Vec<Track>,
    pub(super) components: usize,
    /// First component of each track.
    pub(super) starts: Vec<usize>,
    /// First component of each rotation track.
    pub(super) rotations: Vec<usize>,
    pub(super) runs: Vec<Run>,
    pub(super) clock: Clock,
    samples: Samples,
}

/// Rows of keys are a multiple of this long, so that their arithmetic has no rest.
const LANES: usize = 8;

/// Length of a row of keys for so many components; never 0.
fn row_width(components: usize) -> usize {
    components.max(1).next_multiple_of(LANES)
}

impl Motion {
    pub(super) fn open(file: &[u8], limits: &DecodeLimits, mask: Mask) -> Result<Motion> {
        let preamble = Preamble::read(file, limits)?;
        let header = &preamble.header;
        if header.effort == Effort::Fast && matches!(header.fidelity, Fidelity::Bounded(_)) {
            return Motion::open_keyed(file, &preamble, limits, mask);
        }
        let clip = ClipReader::open_with(file, limits)?.decode(mask)?;
        // Without lanes to spare: a clip of one track would take eight times its samples.
        let width = clip.components();
        let mut rows = vec![0.0; clip.frames() * width];
        for (place, samples) in clip.samples.iter().enumerate() {
            for (value, &sample) in rows.iter_mut().skip(place).step_by(width).zip(samples) {
                *value = sample;
            }
        }
        Ok(Motion::new(clip.tracks, clip.times, Samples::Whole(rows)))
    }

    fn open_keyed(file: &[u8], preamble: &Preamble, limits: &DecodeLimits, mask: Mask) -> Result<Motion> {
        let decoder = BlockDecoder::new(preamble);
        let all = &preamble.header.tracks;
        let mut tracks = Vec::new();
        let mut places = Vec::new();
        let mut components = 0;
        for track in all {
            let wanted = mask.contains(track);
            for _ in 0..track.components() {
                places.push(wanted.then_some(components));
                components += usize::from(wanted);
            }
            if wanted {
                tracks.push(track.clone());
            }
        }
        let width = row_width(components);
        let mut times = preamble.empty_clip().times;
        let mut blocks: Vec<KeyedBlock> = Vec::new();
        let mut frames = 0;
        walk(file, preamble, &decoder, &mut |item| {
            let Item::Block(_, view) = item else {
                return Ok(());
            };
            if view.first_frame != frames as u64 {
                let what = "a block does not follow the one before it";
                return Err(Error::Corrupt { at_byte: view.at_byte, what });
            }
            limits.check_samples((frames + view.frames) as u64, places.len())?;
            match &mut times {
                Times::Uniform { frames, .. } => *frames += view.frames,
                Times::Explicit(times) => times.extend(decoder.times(&view)?),
            }
            let mut groups: Vec<(PlayedGroup, Vec<Option<usize>>)> = Vec::new();
            for (number, group) in decoder.groups.iter().enumerate() {
                let places: Vec<Option<usize>> =
                    group.components.iter().map(|&component| places[component]).collect();
                if places.iter().any(Option::is_some) {
                    groups.push((decoder.played_group(&view, number)?, places));
                }
            }
            blocks.push(KeyedBlock::new((frames, view.frames), width, &groups));
            frames += view.frames;
            Ok(())
        })?;
        Ok(Motion::new(tracks, times, Samples::Keyed(blocks)))
    }

    fn new(tracks: Vec<Track>, times: Times, samples: Samples) -> Motion {
        let starts = component_starts(&tracks);
        let components = tracks.iter().map(Track::components).sum();
        let rotations = tracks.iter().zip(&starts).filter(|(track, _)| track.kind() == TrackKind::Rotation);
        let rotations = rotations.map(|(_, &start)| start).collect();
        let mut runs: Vec<Run> = Vec::new();
        for (number, (track, &start)) in tracks.iter().zip(&starts).enumerate() {
            let end = start + track.components();
            match runs.last_mut() {
                Some(run) if tracks[run.track].body_part() == track.body_part() => run.components.end = end,
                _ => runs.push(Run { track: number, components: start..end }),
            }
        }
        Motion { tracks, components, starts, rotations, runs, clock: Clock::new(times), samples }
    }

    /// Length of the rows that a player needs of its own.
    pub(super) fn width(&self) -> usize {
        match &self.samples {
            Samples::Keyed(_) => row_width(self.components),
            Samples::Whole(_) => 0,
        }
    }

    /// Bytes on the heap for samples and times.
    pub(super) fn bytes(&self) -> usize {
        let samples = match &self.samples {
            Samples::Keyed(blocks) => {
                blocks.iter().map(|block| block.bytes() + size_of::<KeyedBlock>()).sum()
            }
            Samples::Whole(rows) => size_of_val(&**rows),
        };
        samples + self.clock.bytes()
    }

    /// The block that a frame of the clip lies in; `hint` is a likely one.
    #[inline]
    fn block_of(blocks: &[KeyedBlock], frame: usize, hint: usize) -> usize {
        let holds = |block: &KeyedBlock| frame.wrapping_sub(block.first_frame) < block.frames;
        if blocks.get(hint).is_some_and(holds) {
            return hint;
        }
        blocks.partition_point(|block| block.first_frame <= frame) - 1
    }

    /// Rows of a frame and of the one after it; past the last frame the second one means nothing. `rows` holds the frames of the segment `loaded`, and does so again.
    #[inline]
    pub(super) fn rows<'a>(
        &'a self,
        frame: usize,
        rows: &'a mut [Vec<f32>; ROWS],
        loaded: &mut Option<(usize, usize)>,
    ) -> (&'a [f32], &'a [f32]) {
        match &self.samples {
            Samples::Keyed(blocks) => {
                let number = Motion::block_of(blocks, frame, loaded.map_or(0, |(block, _)| block));
                let block = &blocks[number];
                let segment = block.segment_of(frame - block.first_frame);
                if *loaded != Some((number, segment)) {
                    block.load(segment, blocks.get(number + 1), rows);
                    *loaded = Some((number, segment));
                }
                let within = block.place_of(frame - block.first_frame);
                (&rows[within], &rows[within + 1])
            }
            Samples::Whole(rows) => {
                let width = self.components;
                let row = &rows[frame * width..(frame + 1) * width];
                (row, rows.get((frame + 1) * width..(frame + 2) * width).unwrap_or(row))
            }
        }
    }

    /// One value of one frame.
    #[inline]
    pub(super) fn value(&self, frame: usize, component: usize) -> f32 {
        match &self.samples {
            Samples::Keyed(blocks) => {
                let block = &blocks[Motion::block_of(blocks, frame, 0)];
                block.value(frame - block.first_frame, component)
            }
            Samples::Whole(rows) => rows[frame * self.components + component],
        }
    }
}

/// Writes the rotation whose components start at `place` between two rows.
#[inline]
pub(super) fn blend_rotation_at(place: usize, a: &[f32], b: &[f32], fraction: f32, pose: &mut [f32]) {
    let rotation = |row: &[f32]| std::array::from_fn(|i| row[place + i]);
    pose[place..place + 4].copy_from_slice(&blend_rotation(&rotation(a), &rotation(b), fraction));
}
