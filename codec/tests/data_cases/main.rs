//! `.data` as other programs write it: every input is built here byte by byte.

mod bytes;
mod cut;
mod faults;
mod lenient;
mod lz4;
mod recorder;
mod written;
