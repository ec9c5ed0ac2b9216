//! JSON files: Plask's answers, animation clips of three.js, the recorder's frames.
//!
//! Two layers where a file has keys: a document holds the keyed tracks exactly as written ([`PlaskDocument`]); a clip is
//! frames. Such files tell rotations of named nodes and no hierarchy, lengths or rest pose: a human's bones are taken to
//! be those of the reference skeleton in T-pose, right-handed, y up, facing +z.
//!
//! Text is read value by value, in memory of the clip's order; JSON's nesting is bounded by the parser.
//!
//! | module | idea |
//! |---|---|
//! | `source`, `json_writer` | values out of text with their place in errors, and text of values |
//! | `choice` | one of several motions in a file |
//! | `kind` | which of these files a text begins |
//! | `keyed` | keyed tracks of nodes |
//! | `keyed_to_clip`, `figure` | keyed tracks to frames, and these to a skeleton's channels |
//! | `clip_to_keyed` | a clip to keyed tracks |
//! | `bones` | names of bones, and the skeletons that stand for them |
//! | `plask_document`, `plask_read`, `plask_keys`, `plask` | Plask's JSON |
//! | `three_read`, `three_values`, `three` | clips of three.js |
//! | `muscles` | the recorder's frames |
//! | `legacy` | Plask's motion as clips of Unity's legacy component |

mod bones;
mod choice;
mod clip_to_keyed;
mod figure;
mod json_writer;
mod keyed;
mod keyed_to_clip;
mod kind;
mod legacy;
mod muscles;
mod plask;
mod plask_document;
mod plask_keys;
mod plask_read;
mod source;
mod three;
mod three_read;
mod three_values;

pub use keyed::{Interpolation, KeyedTrack, Moves};
pub use legacy::LegacyOptions;
pub use plask_document::PlaskDocument;

use crate::registry::{Entry, OwnRig};
use kind::Kind;

pub(crate) const PLASK: Entry = Entry {
    name: "plask.json",
    extensions: &["plask.json", "json"],
    sniff: |head| Kind::of(head) == Some(Kind::Plask),
    read: plask::read,
    recover: None,
    write: plask::write,
    holds_skeletons: true,
    own_rig: Some(OwnRig { rig: bones::plask_rig, holds: plask::is_plask_skeleton }),
    companion: None,
};

pub(crate) const THREE: Entry = Entry {
    name: "three.json",
    extensions: &["three.json"],
    sniff: |head| Kind::of(head) == Some(Kind::Three),
    read: three::read,
    recover: None,
    write: three::write,
    holds_skeletons: true,
    own_rig: Some(OwnRig { rig: bones::three_rig, holds: three::holds }),
    companion: None,
};

pub(crate) const MUSCLES: Entry = Entry {
    name: "muscles.json",
    extensions: &["muscles.json"],
    sniff: |head| Kind::of(head) == Some(Kind::Muscles),
    read: muscles::read,
    recover: None,
    write: muscles::write,
    holds_skeletons: false,
    own_rig: None,
    companion: None,
};
