//! The verbs, one module each.

pub(crate) mod bench;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod convert_folder;
pub(crate) mod convert_legacy;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod info;
pub(crate) mod recover;
