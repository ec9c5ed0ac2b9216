//! One block, both ways: its payload's layout (FORMAT section 5).

pub(crate) mod aim;
pub(crate) mod bounded;
pub(crate) mod lossless;
pub(crate) mod plan;
pub(crate) mod played;
pub(crate) mod played_plan;
mod relations;
pub(crate) mod rotations;
pub(crate) mod times;
mod turns;

use crate::config::{Effort, MAX_BLOCK_FRAMES};
use crate::container::{Cursor, Header, Section, TimeForm, put_varint};
use crate::error::{Error, Result};
use crate::stage::entropy::{Accounts, BinaryCoder, BinaryDecoder};
use aim::Aim;

/// Says that no group of the block needs another one to decode.
const GROUPS_INDEPENDENT: u8 = 0;

/// One group's stream in a block.
pub(crate) struct GroupStream<'a> {
    pub(crate) stream: &'a [u8],
    /// Of each array, the number of its muscle.
    pub(crate) muscles: &'a [Option<usize>],
    pub(crate) frames: usize,
    /// Where the block starts in the file.
    pub(crate) at_byte: u64,
}

/// Encodes the arrays of one group over one block, at what `aim` says; without bounds bit for bit. What is played in place
/// takes the samples themselves.
pub(crate) fn encode_group(
    effort: Effort,
    arrays: &[&[f32]],
    muscles: &[Option<usize>],
    bounds: Option<&[f64]>,
    aim: &mut impl Aim,
) -> Vec<u8> {
    match (effort, bounds) {
        (effort, None) => lossless::encode_group(effort, arrays),
        (Effort::Fast, Some(bounds)) => played_plan::encode_group(arrays, bounds),
        (_, Some(bounds)) => plan::encode_group(effort, arrays, muscles, bounds, aim),
    }
}

/// Decodes what [`encode_group`] made, appending the block's samples to each of `arrays`.
///
/// # Errors
/// [`Error::Corrupt`] if a value leaves its range.
pub(crate) fn decode_group(
    effort: Effort,
    group: &GroupStream<'_>,
    bounds: Option<&[f64]>,
    arrays: &mut [Vec<f32>],
) -> Result<()> {
    if let (Effort::Fast, Some(bounds)) = (effort, bounds) {
        return played::decode_group(group, bounds, arrays);
    }
    decode_coded(effort, &mut BinaryDecoder::new(group.stream), group, bounds, arrays)
}

/// Adds what the bits of a group's stream are for to the accounts. `numbers` are those of the group's arrays in the clip.
///
/// # Errors
/// As [`decode_group`].
pub(crate) fn account_group(
    effort: Effort,
    group: &GroupStream<'_>,
    bounds: Option<&[f64]>,
    numbers: &[usize],
    accounts: &mut Accounts,
) -> Result<()> {
    if let (Effort::Fast, Some(bounds)) = (effort, bounds) {
        return played::account_group(group, bounds, numbers, accounts);
    }
    let mut arrays = vec![Vec::new(); numbers.len()];
    decode_coded(effort, &mut accounts.open(group.stream, numbers), group, bounds, &mut arrays)
}

/// Decodes a group whose whole stream is one run of the binary coder.
fn decode_coded<C: BinaryCoder>(
    effort: Effort,
    coder: &mut C,
    group: &GroupStream<'_>,
    bounds: Option<&[f64]>,
    arrays: &mut [Vec<f32>],
) -> Result<()> {
    match (effort, bounds) {
        (effort, None) => lossless::decode_arrays(coder, effort, group.frames, arrays),
        (_, Some(bounds)) => {
            bounded::decode_group(coder, effort, group, bounds, arrays)?;
        }
    }
    Ok(())
}

/// A parsed block: where its streams lie. Nothing is decoded yet.
#[derive(Debug, Clone)]
pub(crate) struct BlockView<'a> {
    pub(crate) first_frame: u64,
    pub(crate) frames: usize,
    /// Time of the first frame in seconds; `None` for uniform times.
    pub(crate) first_time: Option<f64>,
    pub(crate) time_stream: &'a [u8],
    /// One stream a group, in group order.
    pub(crate) group_streams: Vec<&'a [u8]>,
    pub(crate) at_byte: u64,
}

/// What an encoder puts together for a block's payload.
pub(crate) struct BlockParts {
    pub(crate) first_frame: u64,
    pub(crate) frames: usize,
    pub(crate) first_time: Option<f64>,
    pub(crate) time_stream: Vec<u8>,
    pub(crate) group_streams: Vec<Vec<u8>>,
}

impl BlockParts {
    pub(crate) fn payload(&self, times: TimeForm) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.first_frame);
        put_varint(&mut out, self.frames as u64);
        if let Some(time) = self.first_time {
            put_time(&mut out, time, times);
            put_varint(&mut out, self.time_stream.len() as u64);
        }
        out.push(GROUPS_INDEPENDENT);
        for stream in &self.group_streams {
            put_varint(&mut out, stream.len() as u64);
        }
        out.extend_from_slice(&self.time_stream);
        for stream in &self.group_streams {
            out.extend_from_slice(stream);
        }
        out
    }
}

impl<'a> BlockView<'a> {
    /// Parses the payload of a block section for a file with `groups` groups.
    pub(crate) fn parse(section: &Section<'a>, header: &Header, groups: usize) -> Result<BlockView<'a>> {
        let mut cursor = Cursor::new(section.payload, section.payload_at_byte);
        let first_frame = cursor.varint()?;
        let frames = cursor.varint()?;
        if frames == 0 || frames > u64::from(MAX_BLOCK_FRAMES) || first_frame > u64::MAX - frames {
            return Err(cursor.corrupt("a block's frame count is not valid"));
        }
        let (first_time, time_bytes) = match header.times {
            TimeForm::Uniform { start_s, frame_s } => {
                let last_s = start_s + (first_frame + frames - 1) as f64 * frame_s;
                if !last_s.is_finite() {
                    return Err(cursor.corrupt("a time is not finite"));
                }
                (None, 0)
            }
            form => (Some(read_time(&mut cursor, form)?), cursor.length()?),
        };
        let dependencies = cursor.u8()?;
        if dependencies != GROUPS_INDEPENDENT {
            return Err(Error::Unsupported { what: "group dependencies", found: dependencies.to_string() });
        }
        let mut lengths = Vec::with_capacity(groups.min(cursor.remaining()));
        for _ in 0..groups {
            lengths.push(cursor.length()?);
        }
        let time_stream = cursor.take(time_bytes)?;
        let mut group_streams = Vec::with_capacity(lengths.len());
        for length in lengths {
            group_streams.push(cursor.take(length)?);
        }
        cursor.finish("a block is longer than its streams")?;
        Ok(BlockView {
            first_frame,
            frames: frames as usize,
            first_time,
            time_stream,
            group_streams,
            at_byte: section.at_byte,
        })
    }
}

/// Writes a time as f32 or f64, as the header says.
pub(crate) fn put_time(out: &mut Vec<u8>, time: f64, form: TimeForm) {
    match form {
        TimeForm::Explicit { narrow: true } => out.extend_from_slice(&(time as f32).to_le_bytes()),
        _ => out.extend_from_slice(&time.to_le_bytes()),
    }
}

/// Reads a time that [`put_time`] wrote.
pub(crate) fn read_time(cursor: &mut Cursor<'_>, form: TimeForm) -> Result<f64> {
    let time = match form {
        TimeForm::Explicit { narrow: true } => f64::from(cursor.f32()?),
        _ => cursor.f64()?,
    };
    if time.is_finite() { Ok(time) } else { Err(cursor.corrupt("a time is not finite")) }
}
