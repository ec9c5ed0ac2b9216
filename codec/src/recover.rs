//! Every whole block of a cut or damaged file.

use crate::clip::{Clip, Times};
use crate::config::DecodeLimits;
use crate::container::{BlockScan, TAG_BLOCK, TAG_META, TimeForm, is_optional, meta, read_section};
use crate::decode::{BlockDecoder, Preamble, decode_with};
use crate::error::{Error, Result};

/// What [`recover`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovered {
    /// The frames of all whole blocks, in order.
    pub clip: Clip,
    /// Nothing was missing: [`decode`](crate::decode) accepts the file.
    pub complete: bool,
    /// One line for each loss.
    pub notes: Vec<String>,
}

/// Decodes every whole block of a file that may be cut or damaged. Blocks are found by scanning, so damage in the
/// middle costs only the blocks that it touches; uniform times become explicit where frames are missing.
///
/// # Errors
/// As [`decode`](crate::decode) if the header itself is cut or damaged, and [`Error::LimitExceeded`].
pub fn recover(file: &[u8], limits: &DecodeLimits) -> Result<Recovered> {
    let fault = match decode_with(file, limits, &mut |_| {}) {
        Ok(clip) => return Ok(Recovered { clip, complete: true, notes: Vec::new() }),
        Err(error @ (Error::LimitExceeded { .. } | Error::Unsupported { .. })) => return Err(error),
        Err(error) => error,
    };
    let preamble = Preamble::read(file, limits)?;
    let decoder = BlockDecoder::new(&preamble.header);
    let mut clip = preamble.empty_clip();
    let mut notes = vec![fault.to_string()];
    let mut next_frame = 0u64;
    let mut uniform_times = Vec::new();

    // 1. What stands before the blocks: metadata, and what may be skipped.
    let mut at = preamble.end;
    let mut has_meta = false;
    while let Ok(section) = read_section(file, at)
        && is_optional(section.tag)
    {
        let read = |meta: &mut _| {
            meta::read_into(meta, section.payload, section.payload_at_byte, limits.max_meta_bytes)
        };
        if section.tag == TAG_META {
            if has_meta || read(&mut clip.meta).is_err() {
                notes.push(format!("the metadata at byte {} could not be read", section.at_byte));
            }
            has_meta = true;
        }
        at = section.end as usize;
    }

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
    Ok(Recovered { clip, complete: false, notes })
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
