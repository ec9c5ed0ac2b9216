//! sinew-bench
