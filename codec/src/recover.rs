//! Every whole block of a cut or damaged file.

use crate::clip::{Clip, Times};
use crate::config::{DecodeLimits, Naming};
use crate::container::{
    BlockScan, TAG_BLOCK, TAG_INDEX, TAG_JOINTS, TAG_META, TimeForm, claimed_end, is_optional, meta,
    read_section,
};
use crate::decode::{BlockDecoder, Preamble, decode_with};
use crate::error::{Error, Result};

/// What [`recover`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// The frames of all whole blocks, in order.
    pub clip: Clip,
    /// How the file names its tracks.
    pub naming: Naming,
    /// Nothing was missing: [`decode`](crate::decode) accepts the file.
    pub complete: bool,
    /// One line for each loss.
    pub notes: Vec<String>,
}

/// Decodes every whole block of a file that may be cut or damaged. Blocks are found by scanning, so damage in the
/// middle costs only the blocks that it touches; uniform times become explicit where frames are missing. A rig or
/// metadata that is damaged is left out, with a note of its own.
///
/// # Errors
/// As [`decode`](crate::decode) if the header itself is cut or damaged, and [`Error::LimitExceeded`].
pub fn recover(file: &[u8], limits: &DecodeLimits) -> Result<Recovered> {
    let fault = match decode_with(file, limits, &mut |_| {}) {
        Ok(clip) => {
            let naming = Preamble::read(file, limits)?.header.naming;
            return Ok(Recovered { clip, naming, complete: true, notes: Vec::new() });
        }
        Err(error @ (Error::LimitExceeded { .. } | Error::Unsupported { .. })) => return Err(error),
        Err(error) => error,
    };
    let preamble = Preamble::read(file, limits)?;
    let decoder = BlockDecoder::new(&preamble);
    let mut clip = preamble.empty_clip();
    let mut notes = vec![fault.to_string()];
    let mut next_frame = 0u64;
    let mut uniform_times = Vec::new();

    // 1. What stands before the blocks.
    let mut at = read_front(file, preamble.end, limits, &mut clip, &mut notes);

    // 2. Whole blocks, wherever they are.
    let mut scan = BlockScan::new(file);
    let mut tried_frames = 0u64;
    while let Some(section) = scan.next(at) {
        let found = section.at_byte;
        at = found as usize + TAG_BLOCK.len();
        let Ok(view) = decoder.view(&section) else {
            continue;
        };
        if view.first_frame < next_frame {
            notes.push(format!("a block at byte {found} repeats frames and is left out"));
            continue;
        }
        // Blocks that fail half way cost their decoding too, so the limit counts every block that is tried.
        tried_frames += view.frames as u64;
        limits.check_samples(tried_frames, clip.samples.len())?;
        let kept = clip.frames();
        match decoder.append_anywhere(&view, &mut clip, limits) {
            Ok(()) => {}
            Err(error @ Error::LimitExceeded { .. }) => return Err(error),
            Err(error) => {
                undo_to(&mut clip, kept);
                notes.push(format!("a block at byte {found} is left out: {error}"));
                continue;
            }
        }
        if view.first_frame > next_frame {
            notes.push(format!("frames {next_frame} to {} are lost", view.first_frame - 1));
        }
        next_frame = view.first_frame + view.frames as u64;
        at = section.end as usize;
        if let TimeForm::Uniform { .. } = preamble.header.times {
            uniform_times.extend(decoder.times(&view)?);
        }
    }
    if scan.gave_up() {
        notes.push("the search for blocks was given up: the file is full of false ones".to_owned());
    }
    if matches!(clip.times, Times::Uniform { .. }) && next_frame != clip.frames() as u64 {
        clip.times = Times::Explicit(uniform_times);
    }
    notes.push(format!("{} frames of whole blocks were recovered", clip.frames()));
    Ok(Recovered { clip, naming: preamble.header.naming, complete: false, notes })
}

/// Reads the sections between the header and the blocks, past damaged ones. Gives the offset of what follows them.
fn read_front(
    file: &[u8],
    start: usize,
    limits: &DecodeLimits,
    clip: &mut Clip,
    notes: &mut Vec<String>,
) -> usize {
    let mut at = start;
    let mut has_meta = false;
    loop {
        match read_section(file, at) {
            Ok(section) if section.tag == TAG_META => {
                let pairs = &mut clip.meta;
                let (payload, from) = (section.payload, section.payload_at_byte);
                if has_meta || meta::read_into(pairs, payload, from, limits.max_meta_bytes).is_err() {
                    notes.push(format!("the metadata at byte {at} could not be read"));
                }
                has_meta = true;
                at = section.end as usize;
            }
            Ok(section) if is_optional(section.tag) => at = section.end as usize,
            Ok(_) => return at,
            Err(_) => {
                let Some(tag) = file.get(at..).and_then(<[u8]>::first_chunk::<4>) else { return at };
                let lost = match *tag {
                    TAG_BLOCK | TAG_INDEX => return at,
                    TAG_JOINTS => "the rig",
                    TAG_META => "the metadata",
                    _ => "what stands between header and blocks",
                };
                notes.push(format!("{lost} at byte {at} is damaged and left out"));
                // Behind it, unless its length is what is damaged.
                match claimed_end(file, at).filter(|&end| read_section(file, end).is_ok()) {
                    Some(end) => at = end,
                    None => return at,
                }
            }
        }
    }
}

/// Takes back a block that failed half way.
fn undo_to(clip: &mut Clip, frames: usize) {
    for samples in &mut clip.samples {
        samples.truncate(frames);
    }
    match &mut clip.times {
        Times::Uniform { frames: count, .. } => *count = frames,
        Times::Explicit(times) => times.truncate(frames),
    }
}
