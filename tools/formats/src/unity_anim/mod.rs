//! `.anim`: Unity's animation clips as text.
//!
//! Two layers. [`AnimDocument`] is the file: keyed curves exactly as written, with their slopes and weights. A clip
//! is frames: [`AnimDocument::to_clip`] takes the keys as frames where all curves share them and samples the curves
//! where they do not. Writing a clip makes one key a frame with linear tangents, so that Unity plays between frames
//! what every other reader of the clip sees.
//!
//! | module | idea |
//! |---|---|
//! | `lines`, `nesting` | the strict subset of YAML that Unity writes: logical lines, and where each stands |
//! | `number`, `text` | scalars both ways |
//! | `document`, `settings` | what a file holds |
//! | `read`, `read_curve` | file to document |
//! | `write` | document to file, curve by curve |
//! | `attributes` | names and numbers of the Animator's properties |
//! | `evaluate`, `tangents` | curves between keys |
//! | `tracks` | names of properties to tracks and back |
//! | `transforms` | names of transforms' tracks, and the rig that their paths tell |
//! | `packed` | curves as evaluation needs them, in little memory |
//! | `instants`, `to_clip` | document to clip |
//! | `plan`, `reduce`, `from_clip` | clip to file |

mod attributes;
mod document;
mod evaluate;
mod from_clip;
mod instants;
mod lines;
mod nesting;
mod number;
mod packed;
mod plan;
mod read;
mod read_curve;
mod reduce;
mod settings;
mod tangents;
mod text;
mod to_clip;
mod tracks;
mod transforms;
mod write;

pub(crate) use from_clip::{name_of_clip, write as write_text};
pub(crate) use tangents::set_tangents;

pub use document::{
    AnimDocument, Binding, CLASS_ANIMATOR, CLASS_SKINNED_MESH, CLASS_TRANSFORM, Curve, DEFAULT_WEIGHT, Key,
    LeftOut, WEIGHTED_IN, WEIGHTED_OUT,
};
pub use settings::ClipSettings;
pub use tangents::Tangents;

use to_clip::PackedDocument;

use crate::error::{Error, Place, Result};
use crate::load::{Loaded, ReadOptions};
use crate::registry::{Entry, Format, Progress, Source};
use sinew::{Clip, Role};

/// Metadata key of the clip's name, `m_Name` of an `.anim`.
pub const META_NAME: &str = "name";
/// Metadata key of what a clip without muscles is for: [`KIND_GENERIC`] or [`KIND_LEGACY`].
pub const META_KIND: &str = "anim-kind";
/// Value of [`META_KIND`]: a clip for an Animator with any skeleton.
pub const KIND_GENERIC: &str = "generic";
/// Value of [`META_KIND`]: a clip for the legacy Animation component.
pub const KIND_LEGACY: &str = "legacy";
/// Metadata key of what a clip without muscles does at its end, a number of Unity's; absent for the default.
pub const META_WRAP_MODE: &str = "anim-wrap-mode";

/// How a clip is written as an `.anim`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AnimOptions {
    /// How curves run between their keys.
    pub tangents: Tangents,
    /// Leaves out keys as long as no curve is further than this from the curve of all keys, in its own unit, at any
    /// frame and half way between any two; 0 or more. `None`, the default, keeps one key a frame.
    pub reduce: Option<f64>,
}

impl AnimOptions {
    fn validate(&self) -> Result<()> {
        match self.reduce {
            Some(error) if !(error >= 0.0 && error.is_finite()) => {
                Err(Error::invalid(format!("the error of left out keys must be 0 or more, not {error:?}")))
            }
            _ => Ok(()),
        }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "anim",
    extensions: &["anim"],
    sniff,
    read,
    recover: None,
    write: from_clip::write,
    holds_skeletons: false,
    own_rig: None,
    companion: None,
};

/// YAML text that says that it is Unity's, or names an animation clip. Which of Unity's assets it is, the reader tells.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head.split(|&byte| byte == b'\n').take(8);
    head.starts_with(b"%YAML")
        && lines.any(|line| line.starts_with(b"%TAG !u!") || line.trim_ascii_end() == b"AnimationClip:")
}

/// Reads a text clip.
pub(crate) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let document = PackedDocument::read(source.reader, &options.limits)?;
    let (clip, notes) = document.into_clip(options.hz, &options.limits)?;
    progress(clip.frames() as u64);
    let rate_was_given = options.hz.is_some();
    Ok(Loaded { notes, rate_was_given, ..Loaded::plain(clip, Format::Anim) })
}

/// What Unity calls a clip that moves transforms and no humanoid: generic or legacy.
pub(crate) fn kind_without_muscles(clip: &Clip) -> Option<&str> {
    let humanoid = clip.tracks.iter().any(|track| track.role() != Role::Other);
    let transforms = clip.tracks.iter().any(|track| transforms::transform_of(track).is_some());
    let kind = clip.meta.get(META_KIND).map_or(KIND_GENERIC, String::as_str);
    (transforms && !humanoid).then_some(kind)
}

/// A fault at a line of the file.
fn fault(line: u64, what: impl Into<String>) -> Error {
    Error::format(Format::Anim, Place::Line { line, column: None }, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unity_text_is_known_by_its_head() {
        for head in [
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n",
            "\u{feff}%YAML 1.1\r\n---\r\nAnimationClip:\r\n",
        ] {
            assert!(sniff(head.as_bytes()), "{head}");
        }
        for head in
            ["", "%YAML 1.1\n---\nkey: value\n", "AnimationClip", "time,AnimationClip:\n", "{\"a\": 1}"]
        {
            assert!(!sniff(head.as_bytes()), "{head}");
        }
    }
}
