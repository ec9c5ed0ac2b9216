//! A rig from a file: a BVH, a glTF or VRM model, or a rig's own JSON.

use super::human_rig::{HumanRig, RigHints};
use super::map_file::MapChanges;
use super::{rig_gltf, rig_json};
use crate::error::{Error, Result};
use crate::gltf::Container;
use crate::load::{ReadOptions, read};
use sinew::Rig;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Longest model or JSON that is read. Models hold meshes and pictures too.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a rig: of a BVH or `.sinew` (its joints; the motion helps to find the T-pose), of a glTF 2.0 or VRM file
/// (`.glb`, `.gltf`, `.vrm`, `.vrma`: the humanoid map that it holds, else by names), or of JSON:
///
/// ```json
/// {
///   "joints": [
///     {"name": "pelvis", "offset": [0, 95, 0], "bone": "Hips"},
///     {"name": "spine", "parent": "pelvis", "offset": [0, 10, 0], "bone": "Spine"}
///   ],
///   "limits_deg": {"Neck Nod Down-Up": [-40, 40]},
///   "twist": {"upper_arm": 0.5, "lower_arm": 0.5, "upper_leg": 0.5, "lower_leg": 0.5}
/// }
/// ```
///
/// Offsets are right-handed, y up, facing +z, in any unit; `bone` may be missing where names tell, and so may
/// `channels` (as in a BVH), `limits_deg` and `twist`. `changes` are made to the map in the end.
///
/// # Errors
/// What the system or the file's reader refuses; [`Error::InvalidInput`] if the joints make no humanoid.
pub fn read_rig(path: &Path, changes: Option<&MapChanges>) -> Result<HumanRig> {
    let mut file = File::open(path)?;
    let mut head = [0; 64];
    let length = read_head(&mut file, &mut head)?;
    let head = &head[..length];
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if head.starts_with(b"glTF") || head.starts_with(b"{") {
        let mut bytes = Vec::new();
        File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(Error::invalid(format!("a rig file of more than {MAX_BYTES} bytes")));
        }
        let (rig, hints) = of_bytes(&bytes)?;
        return HumanRig::of_rig(&rig, &changed(hints, &rig, changes)?);
    }
    let loaded = read(path, None, &ReadOptions::default())?;
    let Some(rig) = &loaded.clip.rig else {
        return Err(Error::Unsupported { format: loaded.format, what: "holds no rig".to_owned() });
    };
    HumanRig::of_clip(&loaded.clip, &changed(RigHints::default(), rig, changes)?)
}

fn read_head(file: &mut File, head: &mut [u8]) -> Result<usize> {
    let mut length = 0;
    while length < head.len() {
        match file.read(&mut head[length..])? {
            0 => break,
            more => length += more,
        }
    }
    Ok(length)
}

fn of_bytes(bytes: &[u8]) -> Result<(Rig, RigHints)> {
    let container = Container::open(bytes)?;
    let value: serde_json::Value = serde_json::from_slice(container.json)
        .map_err(|error| Error::invalid(format!("rig, line {}: not JSON: {error}", error.line())))?;
    if value.get("asset").is_some() { rig_gltf::of_value(&value) } else { rig_json::of_value(value) }
}

fn changed(mut hints: RigHints, rig: &Rig, changes: Option<&MapChanges>) -> Result<RigHints> {
    if let Some(changes) = changes {
        hints.map = Some(match hints.map {
            Some(map) => changes.applied_over(map, rig)?,
            None => changes.applied_to(rig)?,
        });
    }
    Ok(hints)
}
