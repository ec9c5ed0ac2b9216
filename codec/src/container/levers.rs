//! The levers of a file that keeps a bound in millimetres (FORMAT section 4.5): from them, and a scale, follow the steps of
//! all arrays that pose something.

use super::cursor::{Cursor, put_varint};
use super::header::{put_bound, read_bound};
use crate::error::Result;
use crate::stage::entropy::{BinaryCoder, BinaryDecoder, BinaryEncoder, IntegerModel};
use crate::track::{Role, Track};
use std::ops::RangeInclusive;

/// Parts of an octave: `2^(-i / 4)`.
const QUARTERS: [f64; 4] =
    [1.0, 0.840_896_415_253_714_5, std::f64::consts::FRAC_1_SQRT_2, 0.594_603_557_501_360_5];

/// Levers that a file may have.
const RANGE: RangeInclusive<i64> = 0..=127;

/// The built-in levers of the muscles: head and torso, then the two legs, arms and hands.
#[rustfmt::skip]
const MUSCLES: [i8; 95] = [
    36, 36, 34, 34, 34, 34, 31, 31, 30, 29, 29, 26, 26, 26, 25, 15, 17, 15, 17, 12, 12,
    39, 38, 35, 38, 32, 29, 24, 22,
    39, 38, 35, 38, 32, 29, 24, 22,
    35, 29, 40, 40, 36, 37, 32, 32, 28,
    35, 29, 40, 40, 36, 37, 32, 32, 28,
    21, 22, 21, 17, 26, 20, 22, 18, 26, 15, 22, 18, 26, 14, 22, 18, 25, 19, 21, 18,
    21, 22, 21, 17, 26, 20, 22, 18, 26, 15, 22, 18, 26, 14, 22, 18, 25, 19, 21, 18,
];
/// The same of each component of `RootT` and of `RootQ`.
const ROOT_POSITION: i8 = 42;
const ROOT_ROTATION: i8 = 45;

/// A scale in millimetres, and of each array that poses something its lever: 4 times the logarithm to base 2 of the
/// millimetres that a unit of it counts for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Levers {
    pub(crate) scale_mm: f64,
    /// In the order of [`posing_arrays`].
    pub(crate) codes: Vec<i64>,
}

/// The arrays that pose a humanoid: muscles and root.
pub(crate) fn posing_arrays(tracks: &[Track]) -> Vec<usize> {
    let mut arrays = Vec::new();
    let mut first = 0;
    for track in tracks {
        let next = first + track.components();
        if track.role() != Role::Other {
            arrays.extend(first..next);
        }
        first = next;
    }
    arrays
}

impl Levers {
    /// The built-in ones.
    pub(crate) fn of_humanoid(tracks: &[Track], scale_mm: f64) -> Levers {
        let lever = |track: &Track| match track.role() {
            Role::Muscle(number) => Some(MUSCLES[usize::from(number)]),
            Role::RootPosition => Some(ROOT_POSITION),
            Role::RootRotation => Some(ROOT_ROTATION),
            Role::Other => None,
        };
        let levers = tracks.iter().filter_map(|track| Some((i64::from(lever(track)?), track.components())));
        let codes = levers.flat_map(|(lever, count)| std::iter::repeat_n(lever, count)).collect();
        Levers { scale_mm, codes }
    }

    /// The error in its own unit that the step of a posing array is made for.
    pub(crate) fn bound(&self, posing: usize) -> f64 {
        let code = self.codes[posing];
        let octave = self.scale_mm * QUARTERS[(code & 3) as usize];
        (0..code >> 2).fold(octave, |bound, _| bound * 0.5)
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>, tracks: &[Track]) {
        put_bound(out, self.scale_mm);
        let mut coder = BinaryEncoder::new();
        code(&mut coder, &Levers::of_humanoid(tracks, self.scale_mm).codes, &self.codes);
        let stream = coder.finish();
        put_varint(out, stream.len() as u64);
        out.extend_from_slice(&stream);
    }

    /// Reads what [`Levers::put`] wrote for the same tracks.
    pub(crate) fn read(cursor: &mut Cursor<'_>, tracks: &[Track]) -> Result<Levers> {
        let mut levers = Levers::of_humanoid(tracks, read_bound(cursor)?);
        let length = cursor.length()?;
        let mut coder = BinaryDecoder::new(cursor.take(length)?);
        levers.codes = code(&mut coder, &levers.codes, &levers.codes);
        let is_bound = |bound: f64| bound.is_finite() && bound > 0.0;
        let is_valid = levers.codes.iter().all(|code| RANGE.contains(code))
            && is_bound(levers.scale_mm)
            && (0..levers.codes.len()).all(|posing| is_bound(levers.bound(posing)));
        if is_valid { Ok(levers) } else { Err(cursor.corrupt("a lever or their scale is not valid")) }
    }
}

/// Levers less the built-in ones, both ways.
fn code<C: BinaryCoder>(coder: &mut C, built_in: &[i64], codes: &[i64]) -> Vec<i64> {
    let mut model = IntegerModel::new();
    let pairs = built_in.iter().zip(codes);
    pairs.map(|(guess, code)| guess.wrapping_add(model.code_signed(coder, code - guess))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levers_come_back_and_the_built_in_ones_cost_next_to_nothing() {
        let mut tracks = Track::muscles();
        tracks.extend([Track::root_position(), Track::root_rotation()]);
        let mut levers = Levers::of_humanoid(&tracks, 0.375);
        assert_eq!((levers.codes.len(), posing_arrays(&tracks).len()), (102, 102));
        let stored = |levers: &Levers| {
            let mut out = Vec::new();
            levers.put(&mut out, &tracks);
            let mut cursor = Cursor::new(&out, 0);
            assert_eq!(Levers::read(&mut cursor, &tracks).as_ref(), Ok(levers));
            assert_eq!(cursor.remaining(), 0);
            out.len()
        };
        assert!(stored(&levers) < 8);
        levers.codes[3] = 0;
        levers.codes[101] = 127;
        stored(&levers);
        levers.codes[101] = 4;
        assert!((levers.bound(101) - 0.1875).abs() < 1e-15);
    }

    #[test]
    fn levers_out_of_range_are_refused() {
        let tracks = Track::muscles();
        for (scale, lever) in
            [(0.0, 20), (f64::INFINITY, 20), (f64::NAN, 20), (1.0, -1), (1.0, 128), (5e-324, 20)]
        {
            let mut levers = Levers::of_humanoid(&tracks, scale);
            levers.codes[0] = lever;
            let mut out = Vec::new();
            levers.put(&mut out, &tracks);
            assert!(Levers::read(&mut Cursor::new(&out, 0), &tracks).is_err(), "{scale} {lever}");
        }
    }
}
