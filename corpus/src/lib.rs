//! Motion for tests and benchmarks: a generator of humanoid capture, extreme clips, the loader of real captures,
//! and figures that tell one kind from the other.

mod generated;
mod load;
mod manifest;
mod stats;
mod synth;

pub use generated::{GENERATED_MANIFEST, clip_crc32};
pub use load::{CORPUS_ENV, corpus_dir, require};
pub use manifest::{Entry, MANIFEST_NAME, manifest};
pub use stats::{
    BOUNDS, ClipStats, NEAR_DEAD_RANGE, bounded_bits_per_value, clip_stats, lossless_bits_per_value,
};
pub use synth::{SynthConfig, default_clip, extremes, synth};
