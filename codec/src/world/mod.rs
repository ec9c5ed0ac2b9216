//! A bound in millimetres ([`Fidelity::World`](crate::Fidelity::World)): how an encoder spends one budget of displacement on
//! all tracks that pose a body.
//!
//! A track's step follows from its lever: how far a unit of it moves what hangs on it. While a frame's tracks are coded from
//! the body's middle outwards, the displacement that is left so far is kept for every bone, to first order, and each track
//! aims beside its sample to take some of it back. At the end the file is decoded and posed, and what does not hold the
//! bound is encoded anew with smaller steps. A decoder knows nothing of this but the steps.
//!
//! | module | idea |
//! |---|---|
//! | `body` | what moves what: bones, and the rigid motions that arrays cause |
//! | `human` | the humanoid as such a body |
//! | `aim` | the displacement left at every bone, and where the next sample aims |
//! | `search` | the largest steps that hold the bound |

mod aim;
mod body;
mod human;
mod search;

pub(crate) use search::encode_world;
