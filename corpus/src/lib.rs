//! sinew-corpus
