//! Clip → bytes.

use crate::block::aim::{Aim, Exactly};
use crate::block::rotations::encode_rotations;
use crate::block::times::{TimeCode, encode_times};
use crate::block::{BlockParts, encode_group};
use crate::clip::{Clip, Times};
use crate::config::{EncodeConfig, Fidelity};
use crate::container::{
    FORMAT_VERSION, Header, IndexEntry, Levers, MAGIC, TAG_BLOCK, TAG_HEAD, TAG_JOINTS, TAG_META, TimeForm,
    check_payload, in_header, joints, meta, put_index, put_section,
};
use crate::error::Result;
use crate::groups::{Group, groups_of};
use crate::tolerance::component_bounds;
use crate::world::encode_world;
use std::ops::Range;

/// Encodes a clip as a complete `.sinew` file.
///
/// The same clip and configuration give the same bytes on every machine. Under [`Fidelity::Bounded`] every sample's
/// reconstruction is checked, and one that would break its bound is stored exactly.
///
/// # Errors
/// [`Error::InvalidInput`](crate::Error::InvalidInput) if the clip or the configuration is not valid, or if a part of the
/// clip is longer than any reader would take (FORMAT section 9).
pub fn encode(clip: &Clip, config: &EncodeConfig) -> Result<Vec<u8>> {
    encode_with(clip, config, &mut |_| {})
}

/// [`encode`] that reports the number of frames done after each block.
///
/// # Errors
/// As [`encode`].
pub fn encode_with(clip: &Clip, config: &EncodeConfig, progress: &mut dyn FnMut(u64)) -> Result<Vec<u8>> {
    if let Fidelity::World(bounds) = &config.fidelity {
        check(clip, config)?;
        return encode_world(clip, config, bounds, progress);
    }
    let (writer, out) = FileWriter::new(clip, TimeForm::of(&clip.times), config)?;
    writer.whole(clip, config, out, &mut |_| Ok(Exactly), &mut drop, progress)
}

/// Writes a file block by block, for [`encode`] and [`StreamEncoder`](crate::StreamEncoder) alike. Of what it has written
/// it keeps the index entries only.
#[derive(Debug)]
pub(crate) struct FileWriter {
    header: Header,
    groups: Vec<Group>,
    /// Largest error of each sample array; `None` for lossless.
    bounds: Option<Vec<f64>>,
    entries: Vec<IndexEntry>,
    frames: u64,
    bytes: u64,
}

impl FileWriter {
    /// Checks the clip and what was asked; gives what stands before the motion. Frames that the clip has are not written.
    pub(crate) fn new(clip: &Clip, times: TimeForm, config: &EncodeConfig) -> Result<(FileWriter, Vec<u8>)> {
        check(clip, config)?;
        FileWriter::with_header(clip, Header::of_clip(clip, times, config))
    }

    /// [`FileWriter::new`] for a valid clip that keeps a bound in millimetres by these levers.
    pub(crate) fn with_levers(
        clip: &Clip,
        config: &EncodeConfig,
        levers: Levers,
    ) -> Result<(FileWriter, Vec<u8>)> {
        let header = Header::of_clip(clip, TimeForm::of(&clip.times), config).with_levers(levers);
        FileWriter::with_header(clip, header)
    }

    fn with_header(clip: &Clip, header: Header) -> Result<(FileWriter, Vec<u8>)> {
        let mut out = Vec::new();
        out.extend_from_slice(&MAGIC);
        out.push(FORMAT_VERSION);
        put_section(&mut out, TAG_HEAD, &header.payload())?;
        if let Some(rig) = &clip.rig {
            put_section(&mut out, TAG_JOINTS, &joints::payload(rig))?;
        }
        if clip.meta.iter().any(|(key, value)| !in_header(key, value)) {
            let pairs = clip.meta.iter().filter(|(key, value)| !in_header(key, value));
            put_section(&mut out, TAG_META, &meta::payload(pairs))?;
        }
        let writer = FileWriter {
            groups: groups_of(&clip.tracks, header.effort, &header.fidelity),
            bounds: component_bounds(
                &clip.tracks,
                clip.rig.as_ref().filter(|_| header.channel_bounds),
                &header.fidelity,
                header.levers.as_ref(),
            ),
            header,
            entries: Vec::new(),
            frames: 0,
            bytes: out.len() as u64,
        };
        Ok((writer, out))
    }

    /// The form of the frames' times.
    pub(crate) fn times(&self) -> TimeForm {
        self.header.times
    }

    /// Number of sample arrays.
    pub(crate) fn components(&self) -> usize {
        self.header.components()
    }

    /// Number of frames written.
    pub(crate) fn frames(&self) -> u64 {
        self.frames
    }

    /// Appends all blocks of the clip and the index; `aim` makes what each block aims at, `coded` gets it back.
    pub(crate) fn whole<A: Aim>(
        mut self,
        clip: &Clip,
        config: &EncodeConfig,
        mut out: Vec<u8>,
        aim: &mut dyn FnMut(Range<usize>) -> Result<A>,
        coded: &mut dyn FnMut(A),
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<u8>> {
        let times: &[f64] = match &clip.times {
            Times::Explicit(times) => times,
            Times::Uniform { .. } => &[],
        };
        let frames = clip.frames();
        let mut start = 0;
        while start < frames {
            let end = frames.min(start + config.frames_per_block());
            let mut aim = aim(start..end)?;
            self.block(&clip.samples, times, start..end, &mut aim, &mut out)?;
            coded(aim);
            progress(end as u64);
            start = end;
        }
        self.finish(&mut out)?;
        Ok(out)
    }

    /// The sample arrays in coded order.
    pub(crate) fn order(&self) -> Vec<usize> {
        self.groups.iter().flat_map(|group| group.components.iter().copied()).collect()
    }

    /// Appends the frames `range` of `samples` as one block, at what `aim` says. `times` holds their times, unless times
    /// are uniform, and that of the frame after them, unless they are the last.
    pub(crate) fn block(
        &mut self,
        samples: &[Vec<f32>],
        times: &[f64],
        range: Range<usize>,
        aim: &mut impl Aim,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let parts = self.encode_block(samples, times, range, aim);
        let start = out.len();
        put_section(out, TAG_BLOCK, &parts.payload(self.header.times))?;
        self.entries.push(IndexEntry {
            first_frame: self.frames,
            frames: parts.frames as u32,
            first_time: parts.first_time,
            at_byte: self.bytes,
        });
        self.frames += parts.frames as u64;
        self.bytes += (out.len() - start) as u64;
        Ok(())
    }

    fn encode_block(
        &self,
        samples: &[Vec<f32>],
        times: &[f64],
        range: Range<usize>,
        aim: &mut impl Aim,
    ) -> BlockParts {
        let mut first_time = None;
        let mut time_stream = Vec::new();
        if let TimeForm::Explicit { narrow } = self.header.times {
            first_time = Some(times[range.start]);
            let next = times.get(range.end).copied();
            let code = TimeCode { narrow, bound_s: self.header.fidelity.time_bound_s() };
            time_stream = encode_times(&times[range.clone()], next, code);
        }
        let effort = self.header.effort;
        let mut group_streams = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let arrays: Vec<&[f32]> =
                group.components.iter().map(|&component| &samples[component][range.clone()]).collect();
            let bounds = self.bounds.as_ref().map(|bounds| {
                group.components.iter().map(|&component| bounds[component]).collect::<Vec<f64>>()
            });
            group_streams.push(match &bounds {
                Some(bounds) if !group.rotations.is_empty() => {
                    encode_rotations(effort, group, &arrays, bounds)
                }
                _ => {
                    aim.start_group(&group.components);
                    encode_group(effort, &arrays, &group.muscles, bounds.as_deref(), aim)
                }
            });
        }
        BlockParts { first_frame: self.frames, frames: range.len(), first_time, time_stream, group_streams }
    }

    /// Appends the seek index, whose presence says that the file is complete.
    pub(crate) fn finish(&self, out: &mut Vec<u8>) -> Result<()> {
        put_index(out, &self.entries, self.header.times)
    }
}

/// Checks the clip and what was asked.
fn check(clip: &Clip, config: &EncodeConfig) -> Result<()> {
    config.validate()?;
    clip.validate()?;
    check_texts(clip)
}

/// Refuses texts that are too long before anything of their length is made of them.
fn check_texts(clip: &Clip) -> Result<()> {
    check_payload("the tracks' names", clip.tracks.iter().map(|track| track.name().len()).sum())?;
    let joints = clip.rig.iter().flat_map(|rig| &rig.joints);
    check_payload(
        "the joints' names and axes",
        joints.map(|joint| joint.name.len() + joint.axes.len()).sum(),
    )?;
    check_payload("the metadata", clip.meta.iter().map(|(key, value)| key.len() + value.len()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::{Track, TrackKind};

    #[test]
    fn format_example() {
        // The worked example of FORMAT section 10.
        let mut clip = Clip::empty(vec![Track::new("x", TrackKind::Scalar)]);
        clip.samples[0].push(0.5);
        clip.times = Times::Explicit(vec![0.0]);
        let file = encode(&clip, &EncodeConfig::lossless()).expect("valid clip");
        let hex: String = file.iter().map(|byte| format!("{byte:02x}")).collect();
        let expected = concat!(
            "93534e5701",
            "484541440a",
            "020001000000010101781aa48e90",
            "424c434b0e",
            "0001000000000000",
            "05f03fffffc02d2a3509",
            "494e445807",
            "010118000000001830843b",
            "10000000"
        );
        assert_eq!(hex, expected);
        assert_eq!(crate::decode(&file), Ok(clip));
    }
}
