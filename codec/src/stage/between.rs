//! The frames between two keys (FORMAT section 7.12): a cubic through the keys around for the one in the middle, another one
//! through that and the keys for its neighbours. In binary32, in samples, so that a pose needs no pass of its own to scale it.

/// Frames from a key to the next.
pub(crate) const KEY_FRAMES: usize = 4;

/// The middle of `left` and `right`; `before` and `after` are the keys beyond. Of four equal values it is that value exactly.
#[inline(always)]
pub(crate) fn middle(before: f32, left: f32, right: f32, after: f32) -> f32 {
    let sum = left + right;
    sum * 0.5 + (sum - (before + after)) * 0.0625
}

/// Half way from a key `near` to the `middle`; `far` is the key on the middle's other side, `beyond` the one on this side.
#[inline(always)]
pub(crate) fn quarter(beyond: f32, near: f32, middle: f32, far: f32) -> f32 {
    let bend = ((middle - beyond) + (middle - near) * 2.0) + (middle - far) * 5.0;
    (near + middle) * 0.5 + bend * 0.015625
}

/// What stands beyond the first or last key `end`, whose neighbour is `next`.
#[inline(always)]
pub(crate) fn beyond(end: f32, next: f32) -> f32 {
    end * 2.0 - next
}

/// A sample from what is predicted of it and its residual in steps.
#[inline(always)]
pub(crate) fn corrected(predicted: f32, residual: i32, step: f32) -> f32 {
    if residual == 0 { predicted } else { predicted + residual as f32 * step }
}

/// Number of keys that a block of `frames` frames holds: its first frame, and every fourth from there.
pub(crate) fn keys_of(frames: usize) -> usize {
    frames.div_ceil(KEY_FRAMES)
}

/// Number of segments of a block: the frames after each key but one that is the last frame.
pub(crate) fn segments_of(frames: usize) -> usize {
    (frames - 1).div_ceil(KEY_FRAMES)
}

/// Lets the motion run on at three quarters of its speed to a key behind the last segment, if that has none.
pub(crate) fn close_last_segment(keys: &mut Vec<f32>, segments: usize) {
    if keys.len() == segments {
        match keys[..] {
            [.., before, last] => keys.push(last + (last - before) * 0.75),
            [last] => keys.push(last),
            [] => {}
        }
    }
}

/// The keys around segment `segment` of an array's keys (at least two): before, left, right, after.
#[inline]
pub(crate) fn around(keys: &[f32], segment: usize) -> [f32; 4] {
    let (left, right) = (keys[segment], keys[segment + 1]);
    let before = if segment == 0 { beyond(left, right) } else { keys[segment - 1] };
    let after = keys.get(segment + 2).map_or_else(|| beyond(right, left), |&key| key);
    [before, left, right, after]
}

/// The three frames of a segment from the keys around it and their residuals: the middle's, then its neighbours'.
#[inline]
pub(crate) fn segment([before, left, right, after]: [f32; 4], residuals: [i32; 3], step: f32) -> [f32; 3] {
    let middle = corrected(middle(before, left, right, after), residuals[0], step);
    [
        corrected(quarter(before, left, middle, right), residuals[1], step),
        middle,
        corrected(quarter(after, right, middle, left), residuals[2], step),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_and_constants_are_met_exactly() {
        let cubic = |t: f32| 2.0 + t * (3.0 - t * (0.5 + t * 0.125));
        let keys = [cubic(-4.0), cubic(0.0), cubic(4.0), cubic(8.0)];
        assert_eq!(segment(keys, [0; 3], 1.0), [cubic(1.0), cubic(2.0), cubic(3.0)]);
        assert_eq!(segment(keys, [1, -2, 3], 0.0)[1], cubic(2.0));
        for value in [0.1f32, -12.345, 1e-40, 3e30] {
            assert_eq!(segment([value; 4], [0; 3], 1.0), [value; 3]);
        }
    }

    #[test]
    fn every_segment_has_a_key_at_both_ends() {
        for frames in 1..50 {
            let mut keys = vec![0.5; keys_of(frames)];
            let segments = segments_of(frames);
            close_last_segment(&mut keys, segments);
            assert_eq!(keys, vec![0.5; segments + 1]);
            assert!((frames - 1..frames + 3).contains(&(segments * KEY_FRAMES)), "{frames}");
        }
    }
}
