//! The tolerances of a file that keeps a bound in millimetres (FORMAT section 4.5): a scale, and a lever for each array that
//! poses something.

use super::cursor::{Cursor, put_varint};
use super::header::{put_bound, read_bound};
use crate::error::Result;
use crate::stage::entropy::{BinaryDecoder, BinaryEncoder, BinaryCoder, IntegerModel};
use crate::track::{Role, Track};

/// Quarter octaves: `2^(-i / 4)`.
const QUARTERS: [f64; 4] = [1.0, 0.840_896_415_253_714_5, 0.707_106_781_186_547_6, 0.594_603_557_501_360_5];

/// Levers that a file may have.
const RANGE: std::ops::RangeInclusive<i64> = -64..=127;

/// Levers of the muscles where a file says nothing else.
#[rustfmt::skip]
const MUSCLES: [i8; 95] = [
    36, 36, 34, 34, 34, 34, 31, 31, 30, 29, 29, 26, 26, 26, 25, 12, 14, 12, 14, 10, 10,
    40, 39, 36, 38, 32, 29, 23, 19,
    40, 39, 36, 38, 32, 29, 23, 19,
    35, 29, 41, 41, 37, 37, 32, 32, 28,
    35, 29, 41, 41, 37, 37, 32, 32, 28,
    21, 22, 21, 17, 26, 20, 22, 18, 26, 15, 22, 18, 26, 14, 22, 18, 25, 19, 21, 18,
    21, 22, 21, 17, 26, 20, 22, 18, 26, 15, 22, 18, 26, 14, 22, 18, 25, 19, 21, 18,
];
/// The same of the components of `RootT` and of `RootQ`.
const ROOT_POSITION: i64 = 40;
const ROOT_ROTATION: i64 = 44;

/// A scale in millimetres, and for each array that poses something its lever, the logarithm to base 2^(1/4) of the
/// millimetres that a unit of it counts for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Levers {
    pub(crate) scale_mm: f64,
    /// In the order of [`posing_arrays`].
    pub(crate) codes: Vec<i64>,
}

/// The arrays that pose something: the first `channels` ones, a rig's channels, or, if there are none, muscles and root.
pub(crate) fn posing_arrays(tracks: &[Track], channels: usize) -> Vec<usize> {
    if channels > 0 {
        return (0..channels).collect();
    }
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

/// The built-in levers of a humanoid's arrays.
fn humanoid_levers(tracks: &[Track]) -> Vec<i64> {
    let lever = |track: &Track| match track.role() {
        Role::Muscle(number) => Some(i64::from(MUSCLES[usize::from(number)])),
        Role::RootPosition => Some(ROOT_POSITION),
        Role::RootRotation => Some(ROOT_ROTATION),
        Role::Other => None,
    };
    let components = tracks.iter().filter_map(|track| Some((lever(track)?, track.components())));
    components.flat_map(|(lever, count)| std::iter::repeat_n(lever, count)).collect()
}

impl Levers {
    /// Those that are built in.
    pub(crate) fn of_humanoid(tracks: &[Track], scale_mm: f64) -> Levers {
        let mut codes = humanoid_levers(tracks);
        let off: Vec<i64> = std::env::var("OFF").unwrap_or_default().split(',').filter_map(|s| s.parse().ok()).collect();
        let o = |i: usize| off.get(i).copied().unwrap_or(0);
        let mut n = 0;
        for t in tracks {
            let d = match t.role() {
                Role::RootPosition => o(0),
                Role::RootRotation => o(1),
                Role::Muscle(m) => match m {
                    0..9 => o(2), 9..15 => o(3), 15..21 => o(4), 
                    21..37 => match (m - 21) % 8 { 0..3 => o(5), 3..5 => o(6), 5..7 => o(7), _ => o(8) },
                    37..55 => match (m - 37) % 9 { 0..2 => o(9), 2..5 => o(10), 5..7 => o(11), _ => o(12) },
                    _ => match (m - 55) % 4 { 0 => o(13), 1 => o(14), 2 => o(15), _ => o(16) },
                },
                Role::Other => continue,
            };
            for _ in 0..t.components() { codes[n] += d; n += 1; }
        }
        Levers { scale_mm, codes }
    }

    /// The largest error that an array's step is made for, in its own unit.
    pub(crate) fn bound(&self, posing: usize) -> f64 {
        let code = self.codes[posing];
        let octaves = code >> 2;
        let scale = self.scale_mm * QUARTERS[(code & 3) as usize];
        let half = if octaves < 0 { 2.0 } else { 0.5 };
        (0..octaves.unsigned_abs()).fold(scale, |bound, _| bound * half)
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>, tracks: &[Track], is_skeleton: bool) {
        put_bound(out, self.scale_mm);
        if is_skeleton {
            put_varint(out, self.codes.len() as u64);
        }
        let mut coder = BinaryEncoder::new();
        code(&mut coder, &guesses(tracks, is_skeleton), &self.codes, self.codes.len());
        let stream = coder.finish();
        put_varint(out, stream.len() as u64);
        out.extend_from_slice(&stream);
    }

    /// Reads what [`Levers::put`] wrote.
    pub(crate) fn read(cursor: &mut Cursor<'_>, tracks: &[Track], is_skeleton: bool) -> Result<Levers> {
        let scale_mm = read_bound(cursor)?;
        let expected = guesses(tracks, is_skeleton);
        let count = if is_skeleton { cursor.length()? } else { expected.len() };
        if count > tracks.iter().map(Track::components).sum() {
            return Err(cursor.corrupt("more levers than arrays"));
        }
        let length = cursor.length()?;
        let stream = cursor.take(length)?;
        let codes = code(&mut BinaryDecoder::new(stream), &expected, &[], count);
        let levers = Levers { scale_mm, codes };
        let is_bound = |bound: f64| bound.is_finite() && bound > 0.0;
        let holds = levers.codes.iter().all(|code| RANGE.contains(code))
            && (0..count).all(|posing| is_bound(levers.bound(posing)))
            && is_bound(scale_mm);
        if holds { Ok(levers) } else { Err(cursor.corrupt("a lever or the scale of the levers is not valid")) }
    }
}

/// What is expected of the levers; nothing of those of a skeleton.
fn guesses(tracks: &[Track], is_skeleton: bool) -> Vec<i64> {
    if is_skeleton { Vec::new() } else { humanoid_levers(tracks) }
}

/// The levers less what is expected of them, or less the lever before, both ways.
fn code<C: BinaryCoder>(coder: &mut C, expected: &[i64], codes: &[i64], count: usize) -> Vec<i64> {
    let mut model = IntegerModel::new();
    let mut result = Vec::with_capacity(count);
    let mut before = 0i64;
    for posing in 0..count {
        let guess = expected.get(posing).copied().unwrap_or(before);
        let difference = codes.get(posing).map_or(0, |code| code - guess);
        before = guess.wrapping_add(model.code_signed(coder, difference));
        result.push(before);
    }
    result
}
