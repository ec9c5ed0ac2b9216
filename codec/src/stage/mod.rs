//! The stages of a block: plain paired functions; none of them knows the humanoid.

pub(crate) mod between;
pub(crate) mod bit_field;
pub(crate) mod class_model;
pub(crate) mod entropy;
pub(crate) mod exact;
pub(crate) mod exact_guess;
pub(crate) mod exact_max;
pub(crate) mod float_order;
pub(crate) mod joint;
pub(crate) mod predict;
pub(crate) mod quantize;
pub(crate) mod residual;
pub(crate) mod residual_class;
pub(crate) mod rls;
pub(crate) mod scale;
pub(crate) mod schedule;
mod starts;
pub(crate) mod turn;
