//! The sinew command line.
fn main() {}
