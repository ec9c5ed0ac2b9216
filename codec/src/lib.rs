//! Compression codec for humanoid motion capture.

mod clip;
mod compare;
mod config;
#[cfg(feature = "data")]
pub mod data;
mod error;
mod muscles;
mod rig;
mod track;

pub use clip::{Clip, META_DATA_MODE, META_GUID, Times, ZERO_GUID};
pub use compare::{Comparison, WorstSample, WorstTime, compare};
pub use config::{Bounds, DecodeLimits, Effort, EncodeConfig, Fidelity, MAX_BLOCK_FRAMES, Naming};
pub use error::{Error, Result};
pub use muscles::{Axis, MUSCLE_COUNT, MUSCLES, Muscle, muscle_index};
pub use rig::{Joint, JointAxis, Rig};
pub use track::{BodyPart, Mask, ROOT_POSITION, ROOT_ROTATION, Role, Track, TrackKind};
