//! What an encoder wants of a sample when all arrays before it are settled at its frame. No stage and no coder knows why:
//! they ask an [`Aim`] for the residual around a guess.

use crate::stage::quantize::quantize_around;

/// A sample that is about to be coded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shot {
    /// Number of its array in the group.
    pub(crate) array: usize,
    /// Number of its frame in the block.
    pub(crate) frame: usize,
    pub(crate) sample: f32,
    /// What the decoder expects, in steps.
    pub(crate) guess: f64,
    pub(crate) step: f64,
    /// Largest error of what is aimed at.
    pub(crate) bound: f64,
}

/// Chooses what the decoder shall return. The coder asks for each sample of a group at most once a try; what it does not
/// ask for comes back exactly.
pub(crate) trait Aim {
    /// A group of these sample arrays of the clip follows; what the try that was kept of the group before chose is settled.
    fn start_group(&mut self, components: &[usize]);
    /// The group is about to be coded, once more if not for the first time; what the last try chose no longer counts. The
    /// aim may choose otherwise on another attempt.
    fn start_try(&mut self, attempt: usize);
    /// An array is the same value in all frames.
    fn constant(&mut self, array: usize, value: f32);
    /// The residual for a sample, and whether what comes of it holds the bound; where not, the coder tries again with the
    /// sample escaped.
    fn residual(&mut self, shot: Shot) -> (i64, bool);
    /// Number of frames that break what the aim is for by what the last try chose.
    fn spoiled(&self) -> usize;
    /// The last try is the best so far.
    fn keep_try(&mut self);
}

/// Most attempts at a group.
pub(crate) const MAX_ATTEMPTS: usize = 4;

/// Aims at the samples themselves.
pub(crate) struct Exactly;

impl Aim for Exactly {
    fn start_group(&mut self, _: &[usize]) {}

    fn start_try(&mut self, _: usize) {}

    fn constant(&mut self, _: usize, _: f32) {}

    #[inline(always)]
    fn residual(&mut self, shot: Shot) -> (i64, bool) {
        quantize_around(f64::from(shot.sample), shot.guess, shot.step, shot.bound)
    }

    fn spoiled(&self) -> usize {
        0
    }

    fn keep_try(&mut self) {}
}
