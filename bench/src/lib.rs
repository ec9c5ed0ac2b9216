//! The evaluation table: every codec on the same clip at the same bound, verified before it is timed or printed.
//!
//! [`bench_clip`] runs the [`lineup`] and the caller's own programs ([`ExternalCodec`]) over one clip; the
//! [`ClipReport`] prints as text, JSON or CSV. A codec that breaks its promise gets an entry in
//! [`ClipReport::failures`] and a row without figures.

mod baseline;
mod bench;
mod codec;
mod contract;
mod external;
mod joints;
mod lineup;
mod machine;
mod measure;
mod plot;
mod report;
mod row;
mod running;
mod size_table;
mod source;
mod text_table;
mod verify;

#[cfg(test)]
mod test_clips;

pub use baseline::{
    ByteCoder, DataChain, DataFileCodec, FloatDifference, Lz4BlockArray, Pco, Raw, SecondDifference,
    SinewCodec,
};
pub use bench::{BenchOptions, bench_clip};
pub use codec::{Codec, Decoded};
pub use contract::Contract;
pub use external::ExternalCodec;
pub use lineup::lineup;
pub use plot::rate_distortion_svg;
pub use report::{ClipReport, ClipSummary, Failure, to_csv, to_json, write_text};
pub use row::Row;
pub use running::Running;
pub use size_table::size_tables;
pub use source::Source;
pub use verify::{Verified, verify};
