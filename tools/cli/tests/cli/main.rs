//! Runs the real binary on inputs that the tests make themselves.

mod bench;
mod bvh;
mod compare;
mod convert;
mod decode;
mod encode;
#[cfg(unix)]
mod examples;
mod figures;
mod files;
mod folders;
mod formats;
mod help;
mod info;
mod json;
mod recover;
mod support;
