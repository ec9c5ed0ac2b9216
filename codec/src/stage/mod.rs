//! The stages of a block: plain paired functions; none of them knows the humanoid.

pub(crate) mod entropy;
pub(crate) mod exact;
pub(crate) mod float_order;
pub(crate) mod joint;
pub(crate) mod predict;
pub(crate) mod quantize;
pub(crate) mod residual;
pub(crate) mod rls;
pub(crate) mod scale;
pub(crate) mod schedule;
mod starts;
