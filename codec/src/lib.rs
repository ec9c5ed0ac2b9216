#![doc = include_str!("../README.md")]
//!
//! # From call to bits
//!
//! [`encode`] → `block` → `stage/*`: one call reads through `encode.rs` (numbered steps), `block/bounded.rs`,
//! `block/played.rs` or `block/lossless.rs` (one group of a block, both ways), the models `stage/residual.rs` or `stage/exact.rs`, and the binary
//! coder `stage/entropy/coder.rs`. `decode.rs` mirrors `encode.rs`; neither imports the other.
//!
//! | module | idea |
//! |---|---|
//! | `clip`, `track`, `muscles`, `rig` | the motion model |
//! | `config`, `tolerance` | what the caller asks; the largest error of each sample array |
//! | `encode`, `stream_encoder`, `decode`, `recover`, `clip_reader`, `file_info` | clip ↔ bytes |
//! | `player` | poses at any time, from a fast file in place |
//! | `container` | sections, header, metadata, seek index |
//! | `block` | one block: times, groups, streams |
//! | `stage` | quantization, prediction, models, entropy coder |
//! | `world` | how an encoder keeps a bound in millimetres; it decodes to check |
//! | `compare` | how far two clips are apart |
//! | [`data`] | the recorder format `.data` |
//! | [`humanoid`] | muscles ↔ rotations ↔ places in the world; displacement in millimetres |

mod block;
mod clip;
mod clip_reader;
mod compare;
mod config;
mod container;
#[cfg(feature = "data")]
pub mod data;
mod decode;
mod encode;
mod error;
mod file_info;
mod groups;
pub mod humanoid;
mod muscles;
mod player;
mod recover;
mod rig;
mod stage;
mod stream_encoder;
mod tolerance;
mod track;
mod world;

pub use clip::{Clip, META_DATA_MODE, META_GUID, Times, ZERO_GUID};
pub use clip_reader::ClipReader;
pub use compare::{Comparison, WorstSample, WorstTime, compare};
pub use config::{
    Bounds, DecodeLimits, Effort, EncodeConfig, Fidelity, MAX_BLOCK_FRAMES, Naming, WorldBounds,
};
pub use container::{TimeForm, sniff_sinew};
pub use decode::{decode, decode_with};
pub use encode::{encode, encode_with};
pub use error::{Error, Result};
pub use file_info::{FileInfo, StageBytes, file_info, file_info_with_stages};
pub use muscles::{Axis, MUSCLE_COUNT, MUSCLES, Muscle, muscle_index};
pub use player::Player;
pub use recover::{Recovered, recover};
pub use rig::{Joint, JointAxis, Rig};
pub use stream_encoder::StreamEncoder;
pub use track::{BodyPart, Mask, ROOT_POSITION, ROOT_ROTATION, Role, Track, TrackKind};
