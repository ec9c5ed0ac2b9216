//! Clip → bytes.

use crate::block::aim::{Aim, Exactly};
use crate::block::times::{TimeCode, encode_times};
use crate::block::{BlockParts, encode_group};
use crate::clip::{Clip, Times};
use crate::config::{EncodeConfig, Fidelity};
use crate::container::{
    FORMAT_VERSION, Header, IndexEntry, MAGIC, TAG_BLOCK, TAG_HEAD, TAG_JOINTS, TAG_META, TimeForm,
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
    // 1. Check what was asked.
    config.validate()?;
    clip.validate()?;
    check_texts(clip)?;
    if let Fidelity::World(bounds) = &config.fidelity {
        return encode_world(clip, config, bounds, progress);
    }
    let job = Job::new(clip, config, Header::of_clip(clip, config));
    job.file(&mut |frames| Ok(job.block(frames, &mut Exactly)), progress)
}

/// A clip on its way into a file of a certain header.
pub(crate) struct Job<'a> {
    clip: &'a Clip,
    header: Header,
    frames_per_block: usize,
    groups: Vec<Group>,
    bounds: Option<Vec<f64>>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(clip: &'a Clip, config: &EncodeConfig, header: Header) -> Job<'a> {
        Job {
            clip,
            frames_per_block: config.frames_per_block(),
            groups: groups_of(&clip.tracks, config.effort),
            bounds: component_bounds(
                &clip.tracks,
                clip.rig.as_ref().filter(|_| header.channel_bounds),
                &config.fidelity,
                header.levers.as_ref(),
            ),
            header,
        }
    }

    /// The sample arrays in coded order.
    pub(crate) fn components(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(|group| group.components.iter().copied())
    }

    /// The whole file; `block` encodes the frames of a block.
    ///
    /// # Errors
    /// As [`encode`], and what `block` gives.
    pub(crate) fn file(
        &self,
        block: &mut dyn FnMut(Range<usize>) -> Result<BlockParts>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<u8>> {
        let Job { clip, header, .. } = self;

        // 1. What stands before the motion.
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

        // 2. The blocks.
        let mut entries = Vec::new();
        let frames = clip.frames();
        let mut start = 0;
        while start < frames {
            let end = frames.min(start + self.frames_per_block);
            let parts = block(start..end)?;
            entries.push(IndexEntry {
                first_frame: start as u64,
                frames: (end - start) as u32,
                first_time: parts.first_time,
                at_byte: out.len() as u64,
            });
            put_section(&mut out, TAG_BLOCK, &parts.payload(header.times))?;
            progress(end as u64);
            start = end;
        }

        // 3. The seek index, whose presence says that the file is complete.
        put_index(&mut out, &entries, header.times)?;
        Ok(out)
    }

    /// One block, at what `aim` says.
    pub(crate) fn block(&self, range: Range<usize>, aim: &mut impl Aim) -> BlockParts {
        let Job { clip, header, groups, bounds, .. } = self;
        let mut first_time = None;
        let mut time_stream = Vec::new();
        if let (Times::Explicit(times), TimeForm::Explicit { narrow }) = (&clip.times, header.times) {
            first_time = Some(times[range.start]);
            let next = times.get(range.end).copied();
            let code = TimeCode { narrow, bound_s: header.fidelity.time_bound_s() };
            time_stream = encode_times(&times[range.clone()], next, code);
        }
        let mut group_streams = Vec::with_capacity(groups.len());
        for group in groups {
            let samples = |&component: &usize| &clip.samples[component][range.clone()];
            let arrays: Vec<&[f32]> = group.components.iter().map(samples).collect();
            let bounds = bounds.as_ref().map(|bounds| {
                group.components.iter().map(|&component| bounds[component]).collect::<Vec<f64>>()
            });
            aim.start_group(&group.components);
            group_streams.push(encode_group(header.effort, &arrays, bounds.as_deref(), aim));
        }
        BlockParts {
            first_frame: range.start as u64,
            frames: range.len(),
            first_time,
            time_stream,
            group_streams,
        }
    }
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
