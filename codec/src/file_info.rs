//! What is inside a file and where its bytes went.

use crate::config::{DecodeLimits, Effort, Fidelity, Naming};
use crate::container::{FORMAT_VERSION, TimeForm, meta};
use crate::decode::{BlockDecoder, Item, Preamble, walk};
use crate::error::Result;
use crate::track::Track;
use std::collections::BTreeMap;

/// The answer of [`file_info`].
#[derive(Debug, Clone, PartialEq)]
pub struct FileInfo {
    /// Format version of the file.
    pub version: u8,
    /// Number of frames.
    pub frames: u64,
    /// Number of blocks.
    pub blocks: u64,
    /// The tracks, in sample order.
    pub tracks: Vec<Track>,
    /// What the file promises.
    pub fidelity: Fidelity,
    /// The effort it was encoded with.
    pub effort: Effort,
    /// Whether it stores the names of humanoid tracks.
    pub naming: Naming,
    /// Whether times are a start and a frame time.
    pub uniform_times: bool,
    /// Metadata.
    pub meta: BTreeMap<String, String>,
    /// Bytes by part, in file order of kind: they add up to the file's length.
    pub parts: Vec<(String, u64)>,
    /// One line for each thing that was passed over.
    pub notes: Vec<String>,
}

/// Reads what is inside a complete file without decoding its motion.
///
/// # Errors
/// As [`decode`](crate::decode).
pub fn file_info(file: &[u8], limits: &DecodeLimits) -> Result<FileInfo> {
    let preamble = Preamble::read(file, limits)?;
    let decoder = BlockDecoder::new(&preamble);
    let mut info = FileInfo {
        version: FORMAT_VERSION,
        frames: 0,
        blocks: 0,
        tracks: preamble.header.tracks.clone(),
        fidelity: preamble.header.fidelity,
        effort: preamble.header.effort,
        naming: preamble.header.naming,
        uniform_times: matches!(preamble.header.times, TimeForm::Uniform { .. }),
        meta: preamble.header.meta.clone(),
        parts: Vec::new(),
        notes: Vec::new(),
    };
    let (mut meta_bytes, mut skipped_bytes, mut block_bytes, mut time_bytes) = (0, 0, 0, 0);
    let mut group_bytes = vec![0u64; decoder.groups.len()];
    walk(file, &preamble, &decoder, &mut |item| {
        match item {
            Item::Block(section, view) => {
                info.frames += view.frames as u64;
                info.blocks += 1;
                let mut streams = view.time_stream.len() as u64;
                time_bytes += view.time_stream.len() as u64;
                for (total, stream) in group_bytes.iter_mut().zip(&view.group_streams) {
                    *total += stream.len() as u64;
                    streams += stream.len() as u64;
                }
                block_bytes += section.end - section.at_byte - streams;
            }
            Item::Meta(section) => {
                meta_bytes += section.end - section.at_byte;
                let at = section.payload_at_byte;
                if !meta::read_into(&mut info.meta, section.payload, at, limits.max_meta_bytes)? {
                    info.notes.push("compressed metadata was passed over: built without zstd".to_owned());
                }
            }
            Item::Optional(section) => {
                skipped_bytes += section.end - section.at_byte;
                let tag = String::from_utf8_lossy(&section.tag).into_owned();
                info.notes.push(format!("an unknown optional section {tag:?} was passed over"));
            }
        }
        Ok(())
    })?;
    let groups = decoder.groups.iter().map(|group| group.name.clone()).zip(group_bytes);
    let used = preamble.end as u64 + meta_bytes + skipped_bytes + block_bytes + time_bytes;
    let motion: u64 = groups.clone().map(|(_, bytes)| bytes).sum();
    info.parts = vec![
        ("header".to_owned(), preamble.end as u64),
        ("metadata".to_owned(), meta_bytes),
        ("unknown sections".to_owned(), skipped_bytes),
        ("times".to_owned(), time_bytes),
    ];
    info.parts.extend(groups);
    info.parts.push(("block headers and checksums".to_owned(), block_bytes));
    info.parts.push(("seek index".to_owned(), file.len() as u64 - used - motion));
    info.parts.retain(|(_, bytes)| *bytes > 0);
    Ok(info)
}
