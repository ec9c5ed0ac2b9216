//! sinew-tests
