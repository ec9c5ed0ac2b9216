//! Groups with rotation tracks under an error bound (FORMAT section 5.5): each unit quaternion becomes three numbers before the
//! group is coded, whatever codes it, and a quaternion again behind it. What three numbers cannot say stands before the
//! group: where the stored sign changes, what needs finer numbers, and what is no rotation at all.

use super::aim::Exactly;
use super::turns::{Detail, Event, Turn, TurnModel};
use super::{GroupStream, account_group, decode_group, encode_group};
use crate::config::Effort;
use crate::container::{Cursor, put_varint};
use crate::error::Result;
use crate::groups::Group;
use crate::stage::entropy::{Accounts, BinaryCoder, BinaryDecoder, BinaryEncoder, Stage};
use crate::stage::turn::{Reference, are_near, is_unit};

/// Largest error of the three numbers, in that of a quaternion's components, which is half of how far quaternions may be
/// apart. All three at their worst would be 1.2 times too far; the few frames where that happens are marked and cost three bits
/// more. A larger one marks more frames, a smaller one needs more bits everywhere.
const VECTOR_SHARE: f64 = 0.7;
/// Numbers of a square beyond this (225 degrees from the reference) give way to those of the opposite quaternion.
const MAX_SQUARE: f64 = 2.25;
/// Bounds of a component below this are too near the f32 grid for numbers of their own.
const LEAST_BOUND: f64 = 1e-6;
/// Largest difference of a unit quaternion's length from 1.
const MAX_SLACK: f64 = 0.001;

/// A rotation track on its way to its numbers.
struct Planned {
    turn: Turn,
    vectors: [Vec<f32>; 3],
    /// Bound of a component of the quaternions.
    bound: f64,
}

/// The numbers of a rotation track; `None` if an eighth of its quaternions or more are none of length 1, or if the bound is too
/// small.
fn plan(quaternions: &[[f32; 4]], bound: f64) -> Option<Planned> {
    let is_rotation = |q: &[f32; 4]| is_unit(*q, bound.min(MAX_SLACK));
    let strays = quaternions.iter().filter(|q| !is_rotation(q)).count();
    if bound < LEAST_BOUND || strays * 8 >= quaternions.len() {
        return None;
    }

    // 1. The reference: the middle of all, each with the sign that is nearer to the one before.
    let mut sum = [0.0f64; 4];
    let mut last = [0.0f64; 4];
    for q in quaternions.iter().filter(|q| is_rotation(q)) {
        let q = q.map(f64::from);
        let along: f64 = (0..4).fold(0.0, |along, i| along + q[i] * last[i]);
        last = if along < 0.0 { q.map(|part| -part) } else { q };
        for (sum, part) in sum.iter_mut().zip(last) {
            *sum += part;
        }
    }
    let reference = Reference::near(sum);

    // 2. The numbers, as long as they go with the sign of the frame before.
    let mut turn = Turn { reference, negative: false, events: Vec::new() };
    let mut vectors: [Vec<f32>; 3] = Default::default();
    let (mut negative, mut last) = (false, None::<[f64; 3]>);
    let far = |vector: [f64; 3]| {
        let square = vector.iter().fold(0.0, |sum, part| sum + part * part);
        // Also for what is not finite.
        !square.is_finite() || square > MAX_SQUARE
    };
    for (frame, q) in quaternions.iter().enumerate() {
        if !is_rotation(q) {
            turn.events.push((frame, Event { sign: false, detail: Some(Detail::Exact(*q)) }));
            push(&mut vectors, last.unwrap_or_default());
            continue;
        }
        let with = |negative: bool| reference.vector_of(if negative { q.map(|part| -part) } else { *q });
        let distance = |vector: [f64; 3]| match last {
            Some(last) => (0..3).fold(0.0, |sum, i| sum + (vector[i] - last[i]) * (vector[i] - last[i])),
            None => vector.iter().fold(0.0, |sum, part| sum + part * part),
        };
        let (positive, opposite) = (with(false), with(true));
        let wanted = far(positive) || (!far(opposite) && distance(opposite) < distance(positive));
        if last.is_none() {
            turn.negative = wanted;
        } else if wanted != negative {
            turn.events.push((frame, Event { sign: true, detail: None }));
        }
        negative = wanted;
        let vector = if wanted { opposite } else { positive };
        push(&mut vectors, vector);
        last = Some(vector);
    }
    Some(Planned { turn, vectors, bound })
}

fn push(vectors: &mut [Vec<f32>; 3], vector: [f64; 3]) {
    for (samples, part) in vectors.iter_mut().zip(vector) {
        samples.push(part as f32);
    }
}

impl Planned {
    /// Marks the frames whose decoded quaternions are too far from their originals.
    fn mend(&mut self, quaternions: &[[f32; 4]], decoded: &[Vec<f32>]) {
        let apart = self.bound * 2.0;
        let mut events = Vec::new();
        let arrays = [&decoded[0][..], &decoded[1], &decoded[2]];
        self.turn.rebuild(arrays, self.bound * VECTOR_SHARE, &mut |frame, event, q, finer| {
            let original = quaternions[frame];
            let halves = [0, 1, 2].map(|i| self.vectors[i][frame] > decoded[i][frame]);
            let detail = if event.detail.is_some() || are_near(original, q, apart) {
                event.detail
            } else if are_near(original, finer(halves), apart) {
                Some(Detail::Finer(halves))
            } else {
                Some(Detail::Exact(original))
            };
            if event.sign || detail.is_some() {
                events.push((frame, Event { detail, ..event }));
            }
        });
        self.turn.events = events;
    }
}

/// What belongs to the arrays that the group's coder sees, of what belongs to the group's own: a track that is turned has
/// three instead of four, which `turned` makes.
fn below<T: Copy>(group: &Group, items: &[T], is_turn: &[bool], turned: impl Fn(T) -> T) -> Vec<T> {
    let mut below = Vec::with_capacity(items.len());
    let mut at = 0;
    for (&start, _) in group.rotations.iter().zip(is_turn).filter(|(_, is_turn)| **is_turn) {
        below.extend_from_slice(&items[at..start]);
        below.extend(items[start..start + 3].iter().map(|&item| turned(item)));
        at = start + 4;
    }
    below.extend_from_slice(&items[at..]);
    below
}

/// The bounds of the arrays that the group's coder sees.
fn bounds_below(group: &Group, bounds: &[f64], is_turn: &[bool]) -> Vec<f64> {
    below(group, bounds, is_turn, |bound| bound * VECTOR_SHARE)
}

/// The muscles of the arrays that the group's coder sees.
fn muscles_below(group: &Group, is_turn: &[bool]) -> Vec<Option<usize>> {
    below(group, &group.muscles, is_turn, |muscle| muscle)
}

/// Encodes the arrays of a group with rotation tracks over one block.
pub(crate) fn encode_rotations(effort: Effort, group: &Group, arrays: &[&[f32]], bounds: &[f64]) -> Vec<u8> {
    let frames = arrays.first().map_or(0, |samples| samples.len());

    // 1. Three numbers for each quaternion.
    let tracks: Vec<Vec<[f32; 4]>> = group
        .rotations
        .iter()
        .map(|&at| (0..frames).map(|frame| [0, 1, 2, 3].map(|i| arrays[at + i][frame])).collect())
        .collect();
    let mut planned: Vec<Option<Planned>> =
        tracks.iter().zip(&group.rotations).map(|(track, &at)| plan(track, bounds[at])).collect();
    let is_turn: Vec<bool> = planned.iter().map(Option::is_some).collect();
    let below_bounds = bounds_below(group, bounds, &is_turn);
    let mut below: Vec<&[f32]> = Vec::with_capacity(below_bounds.len());
    let mut firsts = Vec::new();
    let mut at = 0;
    for (planned, &start) in planned.iter().zip(&group.rotations) {
        below.extend(&arrays[at..start]);
        firsts.push(below.len());
        match planned {
            Some(planned) => below.extend(planned.vectors.iter().map(Vec::as_slice)),
            None => below.extend(&arrays[start..start + 4]),
        }
        at = start + 4;
    }
    below.extend(&arrays[at..]);

    // 2. The group, as its decoder will see it.
    let muscles = muscles_below(group, &is_turn);
    let stream = encode_group(effort, &below, &muscles, Some(&below_bounds), &mut Exactly);
    if planned.iter().any(Option::is_some) {
        let mut decoded = vec![Vec::new(); below.len()];
        let view = GroupStream { stream: &stream, muscles: &muscles, frames, at_byte: 0 };
        decode_group(effort, &view, Some(&below_bounds), &mut decoded).expect("an encoder's own stream");
        for ((planned, track), &first) in planned.iter_mut().zip(&tracks).zip(&firsts) {
            if let Some(planned) = planned {
                planned.mend(track, &decoded[first..first + 3]);
            }
        }
    }

    // 3. What stands before it.
    let mut coder = BinaryEncoder::new();
    let mut model = TurnModel::new();
    for planned in &planned {
        model.code(&mut coder, frames, planned.as_ref().map(|planned| &planned.turn));
    }
    let turns = coder.finish();
    let mut out = Vec::with_capacity(turns.len() + stream.len() + 2);
    put_varint(&mut out, turns.len() as u64);
    out.extend_from_slice(&turns);
    out.extend_from_slice(&stream);
    out
}

/// Decodes what stands before the group: of each rotation track what is stored beside its numbers, if it is turned.
fn read_turns<C: BinaryCoder>(coder: &mut C, group: &Group, frames: usize) -> Vec<Option<Turn>> {
    let mut model = TurnModel::new();
    let turn_of = |&at: &usize| {
        coder.label(Stage::Rotations, Some(at));
        model.code(coder, frames, None)
    };
    group.rotations.iter().map(turn_of).collect()
}

/// What stands before the group, and the group's own stream.
fn split<'a>(stream: &GroupStream<'a>) -> Result<(&'a [u8], GroupStream<'a>)> {
    let mut cursor = Cursor::new(stream.stream, stream.at_byte);
    let length = cursor.length()?;
    let turns = cursor.take(length)?;
    Ok((turns, GroupStream { stream: cursor.take(cursor.remaining())?, ..*stream }))
}

/// Decodes what [`encode_rotations`] made, appending the block's samples to each of `arrays`.
///
/// # Errors
/// [`Error::Corrupt`](crate::Error::Corrupt) if the part before the group is longer than the stream, and as [`decode_group`].
pub(crate) fn decode_rotations(
    effort: Effort,
    group: &Group,
    stream: &GroupStream<'_>,
    bounds: &[f64],
    arrays: &mut [Vec<f32>],
) -> Result<()> {
    let (turns, stream) = split(stream)?;
    let turns = read_turns(&mut BinaryDecoder::new(turns), group, stream.frames);
    let is_turn: Vec<bool> = turns.iter().map(Option::is_some).collect();
    let below_bounds = bounds_below(group, bounds, &is_turn);
    let mut below = vec![Vec::new(); below_bounds.len()];
    let muscles = muscles_below(group, &is_turn);
    let stream = GroupStream { muscles: &muscles, ..stream };
    decode_group(effort, &stream, Some(&below_bounds), &mut below)?;

    let mut below = below.into_iter();
    let mut take = |arrays: &mut [Vec<f32>]| {
        for (array, mut decoded) in arrays.iter_mut().zip(&mut below) {
            array.append(&mut decoded);
        }
    };
    let mut at = 0;
    for (turn, &start) in turns.iter().zip(&group.rotations) {
        let end = start + 4;
        let Some(turn) = turn else {
            take(&mut arrays[at..end]);
            at = end;
            continue;
        };
        take(&mut arrays[at..start]);
        let mut vectors: [Vec<f32>; 3] = Default::default();
        take(&mut vectors);
        turn.rebuild(
            vectors.each_ref().map(Vec::as_slice),
            bounds[start] * VECTOR_SHARE,
            &mut |_, _, q, _| {
                for (array, part) in arrays[start..end].iter_mut().zip(q) {
                    array.push(part);
                }
            },
        );
        at = end;
    }
    take(&mut arrays[at..]);
    Ok(())
}

/// Adds what the bits of a stream of [`encode_rotations`] are for to the accounts.
///
/// # Errors
/// As [`decode_rotations`].
pub(crate) fn account_rotations(
    effort: Effort,
    group: &Group,
    stream: &GroupStream<'_>,
    bounds: &[f64],
    accounts: &mut Accounts,
) -> Result<()> {
    let (turns, rest) = split(stream)?;
    let length_bytes = stream.stream.len() - turns.len() - rest.stream.len();
    accounts.ledger.add(None, Stage::Rotations, 8.0 * length_bytes as f64);
    let turns = read_turns(&mut accounts.open(turns, &group.components), group, rest.frames);
    let is_turn: Vec<bool> = turns.iter().map(Option::is_some).collect();
    let numbers = below(group, &group.components, &is_turn, |number| number);
    let muscles = muscles_below(group, &is_turn);
    let rest = GroupStream { muscles: &muscles, ..rest };
    account_group(effort, &rest, Some(&bounds_below(group, bounds, &is_turn)), &numbers, accounts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::parts_of;
    use crate::track::{Track, TrackKind};

    #[test]
    fn rubbish_streams_end_in_an_error_or_in_all_frames() {
        let tracks = ["d/a", "d/b", "d/c"].map(|name| Track::new(name, TrackKind::Rotation));
        let group = parts_of(&tracks).remove(0);
        let mut state = 1u32;
        let (mut good, mut bad) = (0, 0);
        for length in 0..300 {
            let mut rubbish: Vec<u8> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 24) as u8
                })
                .collect();
            if let Some(first) = rubbish.first_mut() {
                *first &= 127;
            }
            let stream = GroupStream { stream: &rubbish, muscles: &group.muscles, frames: 100, at_byte: 0 };
            let mut arrays = vec![vec![0.5]; 12];
            match decode_rotations(Effort::Balanced, &group, &stream, &[0.0002; 12], &mut arrays) {
                Ok(()) => {
                    good += 1;
                    assert!(arrays.iter().all(|samples| samples.len() == 101), "{length} bytes");
                }
                Err(_) => bad += 1,
            }
        }
        assert!(good > 10 && bad > 10, "{good} {bad}");
    }
}
