//! Motion as a fast file holds it: keys, and between them only the residuals that are not zero.

use crate::block::played::PlayedGroup;
use crate::stage::between::{KEY_FRAMES, beyond, corrected, middle, quarter, segment, segments_of};

/// Rows that [`KeyedBlock::load`] fills: a segment's frames with the keys at both ends, and one past them.
pub(super) const ROWS: usize = KEY_FRAMES + 2;

/// One block, ready to be played: rows of one f32 a component.
#[derive(Debug)]
pub(super) struct KeyedBlock {
    pub(super) first_frame: usize,
    pub(super) frames: usize,
    width: usize,
    /// Rows of keys, with one extrapolated row before and one behind.
    keys: Vec<f32>,
    steps: Vec<f32>,
    /// Where each segment's residuals start in the three lists below, and where the last one's end.
    starts: Vec<[u32; 3]>,
    middles: Vec<(u16, i16)>,
    pairs: Vec<(u16, [i8; 2])>,
    /// Arrays whose residuals or number the two lists before cannot hold.
    wide: Vec<(u32, [i32; 3])>,
    /// Constants that the arithmetic between keys would change, such as NaN.
    fixed: Vec<(u32, f32)>,
    /// Frame in the block, component, value; in that order.
    escapes: Vec<(u32, u32, f32)>,
}

/// Whether the frames between keys of this value are it too, bit for bit.
fn survives(value: f32) -> bool {
    segment([value; 4], [0; 3], 1.0).iter().all(|between| between.to_bits() == value.to_bits())
}

impl KeyedBlock {
    /// Puts the groups' motion together in rows of `width` values. Each group comes with the places of its arrays in a row,
    /// `None` for one that is not wanted.
    pub(super) fn new(
        (first_frame, frames): (usize, usize),
        width: usize,
        groups: &[(PlayedGroup, Vec<Option<usize>>)],
    ) -> KeyedBlock {
        let segments = segments_of(frames);
        let mut block = KeyedBlock {
            first_frame,
            frames,
            width,
            keys: vec![0.0; (segments + 3) * width],
            steps: vec![0.0; width],
            starts: Vec::with_capacity(segments + 1),
            middles: Vec::new(),
            pairs: Vec::new(),
            wide: Vec::new(),
            fixed: Vec::new(),
            escapes: Vec::new(),
        };
        for (group, places) in groups {
            block.place_keys(group, places);
        }
        for number in 0..segments {
            block.start_segment();
            for (group, places) in groups {
                let live = group.live.len();
                let residuals = group.residuals.iter().skip(number * live).take(live);
                for (&array, &residuals) in group.live.iter().zip(residuals) {
                    if let Some(place) = places[array] {
                        block.push(place, residuals);
                    }
                }
            }
        }
        block.start_segment();
        block.escapes.sort_unstable_by_key(|&(frame, place, _)| (frame, place));
        block.fixed.sort_unstable_by_key(|&(place, _)| place);
        block.sort_residuals();
        block.shrink();
        block
    }

    /// Writes the keys, steps and exceptions of one group into the rows.
    fn place_keys(&mut self, group: &PlayedGroup, places: &[Option<usize>]) {
        let width = self.width;
        for &(array, value) in &group.constants {
            let Some(place) = places[array] else { continue };
            if survives(value) {
                self.keys.iter_mut().skip(place).step_by(width).for_each(|key| *key = value);
            } else {
                self.fixed.push((place as u32, value));
            }
        }
        for (position, &array) in group.live.iter().enumerate() {
            let Some(place) = places[array] else { continue };
            let keys = &group.keys[position];
            for (row, &key) in self.keys[width..].chunks_exact_mut(width).zip(keys) {
                row[place] = key;
            }
            if let [first, second, ..] = keys[..]
                && let [.., before_last, last] = keys[..]
            {
                self.keys[place] = beyond(first, second);
                self.keys[(keys.len() + 1) * width + place] = beyond(last, before_last);
            }
            self.steps[place] = group.steps[position];
        }
        for escape in &group.escapes {
            if let Some(place) = places[group.live[escape.array]] {
                self.escapes.push((escape.frame as u32, place as u32, escape.value));
            }
        }
    }

    fn start_segment(&mut self) {
        self.starts.push([self.middles.len() as u32, self.pairs.len() as u32, self.wide.len() as u32]);
    }

    /// Files one array's residuals of the segment that was started last.
    fn push(&mut self, place: usize, residuals: [i32; 3]) {
        let small = (
            u16::try_from(place),
            i16::try_from(residuals[0]),
            i8::try_from(residuals[1]),
            i8::try_from(residuals[2]),
        );
        if let (Ok(place), Ok(middle), Ok(before), Ok(after)) = small {
            if middle != 0 {
                self.middles.push((place, middle));
            }
            if (before, after) != (0, 0) {
                self.pairs.push((place, [before, after]));
            }
        } else {
            self.wide.push((place as u32, residuals));
        }
    }

    /// Puts each segment's residuals in the order of their places, for [`KeyedBlock::value`] to search.
    fn sort_residuals(&mut self) {
        for pair in self.starts.windows(2) {
            let range = |list: usize| pair[0][list] as usize..pair[1][list] as usize;
            self.middles[range(0)].sort_unstable_by_key(|&(place, _)| place);
            self.pairs[range(1)].sort_unstable_by_key(|&(place, _)| place);
            self.wide[range(2)].sort_unstable_by_key(|&(place, _)| place);
        }
    }

    fn shrink(&mut self) {
        self.middles.shrink_to_fit();
        self.pairs.shrink_to_fit();
        self.wide.shrink_to_fit();
        self.fixed.shrink_to_fit();
        self.escapes.shrink_to_fit();
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.keys)
            + size_of_val(&*self.steps)
            + size_of_val(&*self.starts)
            + size_of_val(&*self.middles)
            + size_of_val(&*self.pairs)
            + size_of_val(&*self.wide)
            + size_of_val(&*self.fixed)
            + size_of_val(&*self.escapes)
    }

    /// The segment that a frame of the block lies in; a frame at a key counts to the segment after it.
    #[inline]
    pub(super) fn segment_of(&self, frame: usize) -> usize {
        frame / KEY_FRAMES
    }

    /// The row of [`KeyedBlock::load`] that a frame of the block is in.
    #[inline]
    pub(super) fn place_of(&self, frame: usize) -> usize {
        frame % KEY_FRAMES
    }

    /// The row of key `number`, counted from -1 as 0.
    #[inline]
    fn key_row(&self, number: usize) -> &[f32] {
        &self.keys[number * self.width..(number + 1) * self.width]
    }

    #[inline]
    fn residual_range(&self, segment: usize, list: usize) -> std::ops::Range<usize> {
        self.starts[segment][list] as usize..self.starts[segment + 1][list] as usize
    }

    /// Fills `rows` with the frames of a segment, from its key on; `next` is the block that follows. The frames of `rows`
    /// past this block's last one are the next block's first frame.
    #[inline]
    pub(super) fn load(&self, segment: usize, next: Option<&KeyedBlock>, rows: &mut [Vec<f32>; ROWS]) {
        let width = self.width;
        rows[0].copy_from_slice(self.key_row(segment + 1));
        if segment + 1 < self.starts.len() {
            self.fill_between(segment, rows);
        }
        let start = segment * KEY_FRAMES;
        let own = (self.frames - start).min(KEY_FRAMES + 1);
        if !(self.fixed.is_empty() && self.escapes.is_empty()) {
            for (number, row) in rows[..own].iter_mut().enumerate() {
                self.set_exceptions(start + number, row);
            }
        }
        if let (Some(next), Some(row)) = (next, rows.get_mut(own).filter(|_| start + own == self.frames)) {
            row[..width].copy_from_slice(next.key_row(1));
            next.set_exceptions(0, row);
        }
    }

    /// The three frames between the keys of a segment, and the key behind them.
    #[inline]
    fn fill_between(&self, segment: usize, rows: &mut [Vec<f32>; ROWS]) {
        let width = self.width;
        let [_, first, centre, last, end, _] = rows;
        let (first, centre, last) = (&mut first[..width], &mut centre[..width], &mut last[..width]);
        let (before, left) = (self.key_row(segment), self.key_row(segment + 1));
        let (right, after) = (self.key_row(segment + 2), self.key_row(segment + 3));
        end.copy_from_slice(right);
        let steps = &self.steps[..width];
        let wide = &self.wide[self.residual_range(segment, 2)];

        for i in 0..width {
            centre[i] = middle(before[i], left[i], right[i], after[i]);
        }
        for &(place, residual) in &self.middles[self.residual_range(segment, 0)] {
            let place = usize::from(place);
            centre[place] = corrected(centre[place], i32::from(residual), steps[place]);
        }
        for &(place, residuals) in wide {
            let place = place as usize;
            centre[place] = corrected(centre[place], residuals[0], steps[place]);
        }
        for i in 0..width {
            first[i] = quarter(before[i], left[i], centre[i], right[i]);
            last[i] = quarter(after[i], right[i], centre[i], left[i]);
        }
        for &(place, residuals) in &self.pairs[self.residual_range(segment, 1)] {
            let place = usize::from(place);
            first[place] = corrected(first[place], i32::from(residuals[0]), steps[place]);
            last[place] = corrected(last[place], i32::from(residuals[1]), steps[place]);
        }
        for &(place, residuals) in wide {
            let place = place as usize;
            first[place] = corrected(first[place], residuals[1], steps[place]);
            last[place] = corrected(last[place], residuals[2], steps[place]);
        }
    }

    /// Overwrites what no key tells in one frame of the block.
    fn set_exceptions(&self, frame: usize, row: &mut [f32]) {
        for &(place, value) in &self.fixed {
            row[place as usize] = value;
        }
        let start = self.escapes.partition_point(|escape| (escape.0 as usize) < frame);
        for &(_, place, value) in self.escapes[start..].iter().take_while(|escape| escape.0 as usize == frame)
        {
            row[place as usize] = value;
        }
    }

    /// One value of one frame of the block, without the others.
    pub(super) fn value(&self, frame: usize, place: usize) -> f32 {
        if let Ok(found) = self.fixed.binary_search_by_key(&place, |&(place, _)| place as usize) {
            return self.fixed[found].1;
        }
        let key = (frame, place);
        if let Ok(found) =
            self.escapes.binary_search_by_key(&key, |escape| (escape.0 as usize, escape.1 as usize))
        {
            return self.escapes[found].2;
        }
        let (number, within) = (frame / KEY_FRAMES, frame % KEY_FRAMES);
        if within == 0 {
            return self.key_row(number + 1)[place];
        }
        let around = std::array::from_fn(|i| self.key_row(number + i)[place]);
        segment(around, self.residuals(number, place), self.steps[place])[within - 1]
    }

    fn residuals(&self, segment: usize, place: usize) -> [i32; 3] {
        let wide = &self.wide[self.residual_range(segment, 2)];
        if let Ok(found) = wide.binary_search_by_key(&place, |&(place, _)| place as usize) {
            return wide[found].1;
        }
        let middles = &self.middles[self.residual_range(segment, 0)];
        let pairs = &self.pairs[self.residual_range(segment, 1)];
        let middle = middles.binary_search_by_key(&place, |&(place, _)| usize::from(place));
        let pair = pairs.binary_search_by_key(&place, |&(place, _)| usize::from(place));
        let [first, last] = pair.map_or([0; 2], |found| pairs[found].1.map(i32::from));
        [middle.map_or(0, |found| i32::from(middles[found].1)), first, last]
    }
}
