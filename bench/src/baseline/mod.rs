//! The rivals, one small file each, and the pieces that they share.

mod byte_coder;
mod byte_reader;
mod data_file;
mod difference;
mod float_difference;
mod lattice;
mod lz4_block_array;
mod numeric;
mod planes;
mod raw;
mod second_difference;
mod sinew_codec;
mod time_code;

pub use byte_coder::ByteCoder;
pub use data_file::{DataChain, DataFileCodec};
pub use float_difference::FloatDifference;
pub use lz4_block_array::Lz4BlockArray;
pub use numeric::Pco;
pub use raw::Raw;
pub use second_difference::SecondDifference;
pub use sinew_codec::SinewCodec;
