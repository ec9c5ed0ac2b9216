//! What is inside a file and where its bytes went.

use crate::block::BlockView;
use crate::config::{DecodeLimits, Effort, Fidelity, Naming};
use crate::container::{FORMAT_VERSION, TimeForm, meta};
use crate::decode::{BlockDecoder, Item, Preamble, walk};
use crate::error::Result;
use crate::groups::{Group, parts_of};
use crate::stage::entropy::{Accounts, Ledger};
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
    /// Bytes of the motion by body part or device and by what they are for, from [`file_info_with_stages`] only: they add up
    /// to those of the track groups in `parts`.
    pub stages: Vec<StageBytes>,
    /// One line for each thing that was passed over.
    pub notes: Vec<String>,
}

/// What one stage of the coder spent on one part of the motion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageBytes {
    /// Body part or device; the name of the track group for what its parts share.
    pub part: String,
    /// What the bytes are for, such as `residuals, level 0`.
    pub stage: String,
    /// Bytes. A bit takes -log2 of its probability, and the sums are rounded so that they add up.
    pub bytes: u64,
}

/// Reads what is inside a complete file without decoding its motion.
///
/// # Errors
/// As [`decode`](crate::decode).
pub fn file_info(file: &[u8], limits: &DecodeLimits) -> Result<FileInfo> {
    gather(file, limits, false)
}

/// [`file_info`] with the bytes of every stage, for which it decodes the motion.
///
/// # Errors
/// As [`decode`](crate::decode).
pub fn file_info_with_stages(file: &[u8], limits: &DecodeLimits) -> Result<FileInfo> {
    gather(file, limits, true)
}

fn gather(file: &[u8], limits: &DecodeLimits, with_stages: bool) -> Result<FileInfo> {
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
        stages: Vec::new(),
        notes: Vec::new(),
    };
    let (mut meta_bytes, mut skipped_bytes, mut block_bytes, mut time_bytes) = (0, 0, 0, 0);
    let mut group_bytes = vec![0u64; decoder.groups.len()];
    let mut accounts = with_stages.then(|| StageAccounts::new(decoder.groups.len()));
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
                if let Some(accounts) = &mut accounts {
                    limits.check_samples(info.frames, preamble.header.components())?;
                    accounts.add_block(&decoder, &view)?;
                }
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
    if let Some(accounts) = accounts {
        info.stages = accounts.stages(&decoder.groups, &group_bytes, &info.tracks);
    }
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

/// What the bits of each group are for.
struct StageAccounts {
    accounts: Accounts,
    ledgers: Vec<Ledger>,
}

impl StageAccounts {
    fn new(groups: usize) -> StageAccounts {
        StageAccounts {
            accounts: Accounts::new(),
            ledgers: std::iter::repeat_with(Ledger::default).take(groups).collect(),
        }
    }

    fn add_block(&mut self, decoder: &BlockDecoder, view: &BlockView<'_>) -> Result<()> {
        for (number, ledger) in self.ledgers.iter_mut().enumerate() {
            std::mem::swap(ledger, &mut self.accounts.ledger);
            let decoded = decoder.account(view, number, &mut self.accounts);
            std::mem::swap(ledger, &mut self.accounts.ledger);
            decoded?;
        }
        Ok(())
    }

    /// The shares of each group's bytes, without empty ones.
    fn stages(&self, groups: &[Group], group_bytes: &[u64], tracks: &[Track]) -> Vec<StageBytes> {
        let parts = parts_of(tracks);
        let mut part_of_array = vec![0; tracks.iter().map(Track::components).sum()];
        for (number, part) in parts.iter().enumerate() {
            for &component in &part.components {
                part_of_array[component] = number;
            }
        }
        let mut stages = Vec::new();
        for (number, (ledger, &bytes)) in self.ledgers.iter().zip(group_bytes).enumerate() {
            // A group of one part shares with nobody.
            let shared = if groups.len() == parts.len() { number } else { parts.len() };
            let part_of = |array: Option<usize>| array.map_or(shared, |array| part_of_array[array]);
            for (part, stage, bytes) in ledger.shares(bytes, part_of) {
                let part = parts.get(part).unwrap_or(&groups[number]).name.clone();
                stages.push(StageBytes { part, stage: stage.name(), bytes });
            }
        }
        stages.retain(|stage| stage.bytes > 0);
        stages
    }
}
