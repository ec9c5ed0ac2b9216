//! Motion for tests and benchmarks: the loader of real captures.

mod load;
mod manifest;

pub use load::{CORPUS_ENV, corpus_dir, require};
pub use manifest::{Entry, MANIFEST_NAME, manifest};
