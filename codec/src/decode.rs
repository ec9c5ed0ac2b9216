//! Bytes → clip: the strict reading of a whole file, and what it shares with seeking and recovery.

use crate::block::played::PlayedGroup;
use crate::block::rotations::{account_rotations, decode_rotations};
use crate::block::times::{TimeCode, decode_times};
use crate::block::{BlockView, GroupStream, account_group, decode_group};
use crate::clip::{Clip, Times, channel_axes};
use crate::config::DecodeLimits;
use crate::container::{
    FORMAT_VERSION, Header, IndexEntry, MAGIC, Section, TAG_BLOCK, TAG_HEAD, TAG_INDEX, TAG_JOINTS, TAG_META,
    TimeForm, check_trailer, is_optional, joints, meta, read_index, read_section,
};
use crate::error::{Error, Result};
use crate::groups::{Group, groups_of};
use crate::rig::Rig;
use crate::stage::entropy::Accounts;
use crate::tolerance::component_bounds;
use std::collections::BTreeMap;

/// Decodes a complete `.sinew` file under the default [`DecodeLimits`].
///
/// # Errors
/// [`Error::Truncated`] for a file that ends early, [`Error::Corrupt`] for a damaged one, [`Error::Unsupported`] for
/// one that asks for more than this version knows, [`Error::LimitExceeded`] beyond a limit. A damaged file never
/// decodes to other values than the original's.
pub fn decode(file: &[u8]) -> Result<Clip> {
    decode_with(file, &DecodeLimits::default(), &mut |_| {})
}

/// [`decode`] under limits, reporting the number of frames done after each block.
///
/// # Errors
/// As [`decode`].
pub fn decode_with(file: &[u8], limits: &DecodeLimits, progress: &mut dyn FnMut(u64)) -> Result<Clip> {
    let preamble = Preamble::read(file, limits)?;
    let decoder = BlockDecoder::new(&preamble);
    let mut clip = preamble.empty_clip();
    walk(file, &preamble, &decoder, &mut |item| match item {
        Item::Block(_, view) => {
            decoder.append(&view, &mut clip, limits)?;
            progress(clip.times.len() as u64);
            Ok(())
        }
        Item::Meta(section) => {
            let length = limits.max_meta_bytes;
            meta::read_into(&mut clip.meta, section.payload, section.payload_at_byte, length).map(drop)
        }
        Item::Optional(_) => Ok(()),
    })?;
    Ok(clip)
}

/// What stands before the blocks and must be whole.
#[derive(Debug, Clone)]
pub(crate) struct Preamble {
    pub(crate) header: Header,
    pub(crate) rig: Option<Rig>,
    /// File offset of the first section after it.
    pub(crate) end: usize,
}

impl Preamble {
    pub(crate) fn read(file: &[u8], limits: &DecodeLimits) -> Result<Preamble> {
        let known = file.len().min(MAGIC.len());
        if file[..known] != MAGIC[..known] {
            return Err(Error::Corrupt { at_byte: 0, what: "not a .sinew file: the first bytes are wrong" });
        }
        let Some(&version) = file.get(MAGIC.len()) else {
            return Err(Error::Truncated { needed_bytes: MAGIC.len() as u64 + 1 });
        };
        if version != FORMAT_VERSION {
            return Err(Error::Unsupported { what: "format version", found: version.to_string() });
        }
        let section = read_section(file, MAGIC.len() + 1)?;
        if section.tag != TAG_HEAD {
            return Err(Error::Corrupt {
                at_byte: section.at_byte,
                what: "the first section is not the header",
            });
        }
        let header = Header::from_payload(section.payload, section.payload_at_byte, limits.max_components)?;
        let mut preamble = Preamble { header, rig: None, end: section.end as usize };
        match read_section(file, preamble.end) {
            Ok(section) if section.tag == TAG_JOINTS => {
                preamble.rig = Some(joints::from_payload(section.payload, section.payload_at_byte)?);
                preamble.end = section.end as usize;
            }
            // Without the rig the bounds are not known, and the blocks would decode to other values.
            Err(error) if preamble.header.channel_bounds => return Err(error),
            _ => {}
        }
        if preamble.header.channel_bounds
            && channel_axes(&preamble.header.tracks, preamble.rig.as_ref()).is_empty()
        {
            return Err(Error::Corrupt {
                at_byte: section.at_byte,
                what: "the tracks are not the channels of a rig, as the header says",
            });
        }
        Ok(preamble)
    }

    /// The rig, where the bounds follow from it.
    fn rig_of_bounds(&self) -> Option<&Rig> {
        self.rig.as_ref().filter(|_| self.header.channel_bounds)
    }

    /// A clip with the header's tracks, the rig, and no frames.
    pub(crate) fn empty_clip(&self) -> Clip {
        Clip {
            tracks: self.header.tracks.clone(),
            samples: vec![Vec::new(); self.header.components()],
            times: match self.header.times {
                TimeForm::Uniform { start_s, frame_s } => Times::Uniform { start_s, frame_s, frames: 0 },
                TimeForm::Explicit { .. } => Times::Explicit(Vec::new()),
            },
            meta: BTreeMap::clone(&self.header.meta),
            rig: self.rig.clone(),
        }
    }
}

/// What [`walk`] meets after the preamble.
pub(crate) enum Item<'a> {
    Block(Section<'a>, BlockView<'a>),
    Meta(Section<'a>),
    /// A section that this version does not know and may skip.
    Optional(Section<'a>),
}

/// Visits every section after the preamble up to the index; checks that the index matches the blocks and that
/// nothing follows it.
pub(crate) fn walk<'a>(
    file: &'a [u8],
    preamble: &Preamble,
    decoder: &BlockDecoder,
    visit: &mut dyn FnMut(Item<'a>) -> Result<()>,
) -> Result<Vec<IndexEntry>> {
    let mut blocks: Vec<IndexEntry> = Vec::new();
    let mut at = preamble.end;
    let mut has_meta = false;
    loop {
        let section = read_section(file, at)?;
        at = section.end as usize;
        match section.tag {
            TAG_BLOCK => {
                let view = decoder.view(&section)?;
                blocks.push(IndexEntry {
                    first_frame: view.first_frame,
                    frames: view.frames as u32,
                    first_time: view.first_time,
                    at_byte: section.at_byte,
                });
                visit(Item::Block(section, view))?;
            }
            // Only one, or many small ones could together unpack to more than a limit allows.
            TAG_META if !has_meta => {
                has_meta = true;
                visit(Item::Meta(section))?;
            }
            TAG_INDEX => {
                let entries = read_index(section.payload, section.payload_at_byte, preamble.header.times)?;
                check_trailer(file, section.at_byte, section.end)?;
                if entries != blocks {
                    return Err(Error::Corrupt {
                        at_byte: section.at_byte,
                        what: "the index does not match the blocks",
                    });
                }
                return Ok(entries);
            }
            TAG_HEAD | TAG_JOINTS | TAG_META => {
                return Err(Error::Corrupt {
                    at_byte: section.at_byte,
                    what: "a section stands in the wrong place",
                });
            }
            tag if is_optional(tag) => visit(Item::Optional(section))?,
            tag => {
                return Err(Error::Unsupported {
                    what: "required section",
                    found: String::from_utf8_lossy(&tag).into_owned(),
                });
            }
        }
    }
}

/// Decodes blocks of one file.
#[derive(Debug, Clone)]
pub(crate) struct BlockDecoder {
    header: Header,
    pub(crate) groups: Vec<Group>,
    bounds: Option<Vec<f64>>,
}

impl BlockDecoder {
    pub(crate) fn new(preamble: &Preamble) -> BlockDecoder {
        let header = &preamble.header;
        BlockDecoder {
            header: header.clone(),
            groups: groups_of(&header.tracks, header.effort, &header.fidelity),
            bounds: component_bounds(
                &header.tracks,
                preamble.rig_of_bounds(),
                &header.fidelity,
                header.levers.as_ref(),
            ),
        }
    }

    pub(crate) fn view<'a>(&self, section: &Section<'a>) -> Result<BlockView<'a>> {
        BlockView::parse(section, &self.header, self.groups.len())
    }

    /// Decodes one group's arrays, in the group's component order, appending to `arrays`.
    pub(crate) fn group(&self, view: &BlockView<'_>, number: usize, arrays: &mut [Vec<f32>]) -> Result<()> {
        let (group, stream, bounds) = self.group_stream(view, number);
        match &bounds {
            Some(bounds) if !group.rotations.is_empty() => {
                decode_rotations(self.header.effort, group, &stream, bounds, arrays)
            }
            _ => decode_group(self.header.effort, &stream, bounds.as_deref(), arrays),
        }
    }

    /// Adds what the bits of one group are for to the accounts.
    pub(crate) fn account(&self, view: &BlockView<'_>, number: usize, accounts: &mut Accounts) -> Result<()> {
        let (group, stream, bounds) = self.group_stream(view, number);
        match &bounds {
            Some(bounds) if !group.rotations.is_empty() => {
                account_rotations(self.header.effort, group, &stream, bounds, accounts)
            }
            _ => account_group(self.header.effort, &stream, bounds.as_deref(), &group.components, accounts),
        }
    }

    /// A group, its stream, and the bounds of its arrays.
    fn group_stream<'a>(
        &'a self,
        view: &BlockView<'a>,
        number: usize,
    ) -> (&'a Group, GroupStream<'a>, Option<Vec<f64>>) {
        let group = &self.groups[number];
        let bounds = self
            .bounds
            .as_ref()
            .map(|bounds| group.components.iter().map(|&component| bounds[component]).collect());
        let stream = GroupStream {
            stream: view.group_streams[number],
            muscles: &group.muscles,
            frames: view.frames,
            at_byte: view.at_byte,
        };
        (group, stream, bounds)
    }

    /// One group of a block of a bounded file of effort `fast`, taken apart.
    pub(crate) fn played_group(&self, view: &BlockView<'_>, number: usize) -> Result<PlayedGroup> {
        let (_, stream, bounds) = self.group_stream(view, number);
        PlayedGroup::read(&stream, &bounds.unwrap_or_default())
    }

    /// The block's times in seconds.
    pub(crate) fn times(&self, view: &BlockView<'_>) -> Result<Vec<f64>> {
        let times = match (self.header.times, view.first_time) {
            (TimeForm::Explicit { narrow }, Some(first)) => {
                let bound_s = self.header.fidelity.time_bound_s();
                decode_times(view.time_stream, first, view.frames, TimeCode { narrow, bound_s })
            }
            (TimeForm::Uniform { start_s, frame_s }, _) => {
                (0..view.frames as u64).map(|i| start_s + (view.first_frame + i) as f64 * frame_s).collect()
            }
            (TimeForm::Explicit { .. }, None) => Vec::new(),
        };
        if times.iter().all(|time| time.is_finite()) {
            Ok(times)
        } else {
            Err(Error::Corrupt { at_byte: view.at_byte, what: "a time is not finite" })
        }
    }

    /// Appends a block to a clip that holds all frames before it.
    pub(crate) fn append(&self, view: &BlockView<'_>, clip: &mut Clip, limits: &DecodeLimits) -> Result<()> {
        if view.first_frame != clip.frames() as u64 {
            return Err(Error::Corrupt {
                at_byte: view.at_byte,
                what: "a block does not follow the one before it",
            });
        }
        self.append_anywhere(view, clip, limits)
    }

    /// Appends a block whatever came before it; uniform times are only counted.
    pub(crate) fn append_anywhere(
        &self,
        view: &BlockView<'_>,
        clip: &mut Clip,
        limits: &DecodeLimits,
    ) -> Result<()> {
        limits.check_samples(clip.frames() as u64 + view.frames as u64, clip.samples.len())?;
        match &mut clip.times {
            Times::Uniform { frames, .. } => *frames += view.frames,
            Times::Explicit(times) => {
                grow(times, view.frames);
                times.extend(self.times(view)?);
            }
        }
        for (number, group) in self.groups.iter().enumerate() {
            let mut arrays: Vec<Vec<f32>> = group
                .components
                .iter()
                .map(|&component| std::mem::take(&mut clip.samples[component]))
                .collect();
            for samples in &mut arrays {
                grow(samples, view.frames);
            }
            let decoded = self.group(view, number, &mut arrays);
            for (&component, samples) in group.components.iter().zip(arrays) {
                clip.samples[component] = samples;
            }
            decoded?;
        }
        Ok(())
    }
}

/// Makes room for `more` items. Growing by a half instead of doubling keeps the peak near the clip's own size.
fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 2));
    }
}
