//! `.vrma`: the rotations of a humanoid as keyed curves in a binary glTF (VRMC_vrm_animation 1.0).
//!
//! A file is read as a skeleton clip by way of [`gltf`](crate::gltf), and so is any glTF that is complete in itself and
//! whose nodes move. Expressions are the tracks `Expression.NAME` and `Expression.custom.NAME`, weights of 0 to 1; the
//! gaze is the track `LookAt`, a rotation in the file's right-handed axes.

mod glb;
mod vrma_write;

use crate::error::Result;
use crate::gltf::{GltfDocument, to_clip};
use crate::load::{Loaded, ReadOptions};
use crate::registry::{Entry, Format, OwnRig, Progress, Source};
use crate::skeleton::HumanRig;
use std::io::Read;

pub(crate) const ENTRY: Entry = Entry {
    name: "vrma",
    extensions: &["vrma", "glb"],
    sniff,
    read,
    recover: None,
    write: vrma_write::write,
    holds_skeletons: true,
    own_rig: Some(OwnRig { rig: HumanRig::reference, holds: |_| true }),
    companion: None,
};

/// Longest file that is read. Models hold meshes and pictures too.
const MAX_BYTES: u64 = 1 << 30;

/// A binary glTF, or JSON with glTF's `asset` near its start.
fn sniff(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
    head.starts_with(b"glTF") || (text.starts_with(b"{") && has(b"\"asset\"") && has(b"\"nodes\""))
}

fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let mut bytes = Vec::new();
    source.reader.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(sinew::Error::LimitExceeded { what: "bytes of a glTF file" }.into());
    }
    let document = GltfDocument::read(&bytes, options.asset.as_deref(), &options.limits)?;
    drop(bytes);
    let (clip, notes) = to_clip(&document, options, progress)?;
    Ok(Loaded { notes, rate_was_given: options.hz.is_some(), ..Loaded::plain(clip, Format::Vrma) })
}
