//! What the fuzz targets share: clips and configurations made of fuzzer bytes, and checks of a file's readers.

mod clips;
mod configs;
mod readers;

pub use clips::any_clip;
pub use configs::any_config;
pub use readers::{LIMITS, check_readers_agree};
