//! sinew-formats
