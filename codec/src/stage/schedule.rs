//! In which order the frames of a block are coded (FORMAT section 5.3).

/// Most halvings of the distance between frames.
pub(crate) const MAX_LEVELS: u32 = 3;

/// One frame on its way: its number, and the distance and level at which it is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instant {
    pub(crate) frame: usize,
    /// On level 0 the distance to the frame before, above it that to the known frames on both sides.
    pub(crate) reach: usize,
    pub(crate) level: usize,
}

/// The frames after frame 0 in coded order: every 2^levels-th, then those half way between, level by level.
pub(crate) fn instants(frames: usize, levels: u32) -> impl Iterator<Item = Instant> {
    let stride = 1usize << levels;
    let coarse =
        (stride..frames).step_by(stride).map(move |frame| Instant { frame, reach: stride, level: 0 });
    let finer = (1..=levels as usize).flat_map(move |level| {
        let reach = stride >> level;
        (reach..frames).step_by(reach * 2).map(move |frame| Instant { frame, reach, level })
    });
    coarse.chain(finer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_comes_once_and_after_what_it_is_predicted_from() {
        for frames in 1..40 {
            for levels in 0..=MAX_LEVELS {
                let mut known = vec![false; frames];
                known[0] = true;
                for Instant { frame, reach, level } in instants(frames, levels) {
                    assert!(!known[frame] && known[frame - reach], "{frame} of {frames}");
                    assert!(level == 0 || known.get(frame + reach) != Some(&false), "{frame} of {frames}");
                    known[frame] = true;
                }
                assert!(known.iter().all(|&known| known), "{frames} frames, {levels} levels");
            }
        }
    }
}
