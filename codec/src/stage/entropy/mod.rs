//! The entropy coder: a binary range coder, adaptive counters mixed in the logistic domain, and an integer code.

mod accountant;
mod coder;
mod integer;
mod logistic;
mod mixing;

pub(crate) use accountant::{Accounts, Ledger, Stage};
pub(crate) use coder::{BinaryCoder, BinaryDecoder, BinaryEncoder};
pub(crate) use integer::IntegerModel;
pub(crate) use logistic::{squash, stretch};
pub(crate) use mixing::{Counter, MixedBits};
