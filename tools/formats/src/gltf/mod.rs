//! glTF 2.0, as far as figures and their motion go: nodes, human bones, animations.
//!
//! Everything that comes from such a file is read here: rigs for `--rig`, and the motion of `.vrma` and other
//! binary or self-contained glTF. Right-handed axes, y up, metres, seconds.
//!
//! | module | idea |
//! |---|---|
//! | `container` | chunks, JSON, buffers |
//! | `accessor` | numbers out of buffers |
//! | `nodes` | the hierarchy and its rest pose |
//! | `human_bones` | which node is which bone, as VRM says |
//! | `document` | the keyed curves as the file holds them |
//! | `evaluate` | a curve's value at an instant |
//! | `instants` | when the frames of a clip are |
//! | `figure` | the nodes that become joints |
//! | `to_clip` | document to clip |

mod accessor;
mod container;
mod document;
mod evaluate;
mod figure;
mod human_bones;
mod instants;
mod nodes;
mod to_clip;

pub(crate) use container::Container;
pub use document::{Curve, CurvePath, GltfAnimation, GltfDocument, Interpolation};
pub(crate) use document::{EXPRESSION, LOOK_AT, PRESETS};
pub(crate) use figure::figure_of;
pub(crate) use human_bones::HumanBones;
pub(crate) use nodes::Nodes;
pub(crate) use to_clip::to_clip;

use crate::error::{Error, Place};
use crate::quote::shown;
use crate::registry::Format;

/// A fault of something that the JSON names.
fn fault(what: impl Into<String>) -> Error {
    Error::format(Format::Vrma, Place::File, what)
}

/// A fault at a byte of the file.
fn fault_at(byte: u64, what: impl Into<String>) -> Error {
    Error::format(Format::Vrma, Place::Byte(byte), what)
}
