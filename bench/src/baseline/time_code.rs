//! The frames' times as the baselines store them: a short head and one difference a frame, left to the row's coder.

use super::byte_reader::ByteReader;
use super::difference::{unzigzag, zigzag};
use crate::source::times_are_f32;
use anyhow::{Result, bail};
use sinew::Times;

/// Times made ready for an entropy coder.
pub(super) struct TimeCode {
    /// Kind and whatever the kind needs, uncompressed.
    pub head: Vec<u8>,
    /// Differences, small where the clock is even.
    pub values: Vec<u32>,
}

const UNIFORM: u8 = 0;
const LATTICE: u8 = 1;
const EXACT_F32: u8 = 2;
const EXACT_F64: u8 = 3;

/// Chooses the cheapest way that keeps the times within `tolerance_s` and equal, forward and backward steps as they
/// are; 0 keeps every bit.
pub(super) fn encode_times(times: &Times, tolerance_s: f64) -> TimeCode {
    if let Times::Uniform { start_s, frame_s, .. } = times {
        let head = [&[UNIFORM][..], &start_s.to_le_bytes(), &frame_s.to_le_bytes()].concat();
        return TimeCode { head, values: Vec::new() };
    }
    let list: Vec<f64> = times.iter().collect();
    if tolerance_s > 0.0
        && let Some(code) = encode_lattice(&list, tolerance_s)
    {
        return code;
    }
    if times_are_f32(times) {
        let values = differences(list.iter().map(|&time| (time as f32).to_bits()));
        return TimeCode { head: vec![EXACT_F32], values };
    }
    let low = differences(list.iter().map(|time| time.to_bits() as u32));
    let high = differences(list.iter().map(|time| (time.to_bits() >> 32) as u32));
    TimeCode { head: vec![EXACT_F64], values: [low, high].concat() }
}

/// Multiples of twice the tolerance; `None` where they would break the promise.
fn encode_lattice(list: &[f64], tolerance_s: f64) -> Option<TimeCode> {
    // The half step is a little under the tolerance, so that rounding of the product cannot exceed it.
    let step = 2.0 * tolerance_s * (1.0 - 1e-9);
    let mut indices = Vec::with_capacity(list.len());
    for time in list {
        let index = (time / step).round();
        if index.abs() > f64::from(1u32 << 30) || (index * step - time).abs() > tolerance_s {
            return None;
        }
        indices.push(index as i32);
    }
    let order_kept = |frame: usize| {
        list[frame].partial_cmp(&list[frame - 1]) == Some(indices[frame].cmp(&indices[frame - 1]))
    };
    if !(1..list.len()).all(order_kept) {
        return None;
    }
    let values = differences(indices.into_iter().map(|index| index as u32));
    Some(TimeCode { head: [&[LATTICE][..], &step.to_le_bytes()].concat(), values })
}

/// Reads the head; gives the number of values that follow and how to turn them into times.
pub(super) fn read_time_head(reader: &mut ByteReader<'_>) -> Result<TimeHead> {
    Ok(match reader.u8()? {
        UNIFORM => TimeHead::Uniform { start_s: reader.f64()?, frame_s: reader.f64()? },
        LATTICE => TimeHead::Lattice { step: reader.f64()? },
        EXACT_F32 => TimeHead::ExactF32,
        EXACT_F64 => TimeHead::ExactF64,
        other => bail!("no such kind of times: {other}"),
    })
}

/// The stored kind of the times.
pub(super) enum TimeHead {
    Uniform { start_s: f64, frame_s: f64 },
    Lattice { step: f64 },
    ExactF32,
    ExactF64,
}

impl TimeHead {
    /// How many values the times of `frames` frames take.
    pub(super) fn value_count(&self, frames: usize) -> usize {
        match self {
            TimeHead::Uniform { .. } => 0,
            TimeHead::Lattice { .. } | TimeHead::ExactF32 => frames,
            TimeHead::ExactF64 => 2 * frames,
        }
    }

    /// The times themselves.
    pub(super) fn restore(&self, values: &[u32], frames: usize) -> Vec<f64> {
        match self {
            &TimeHead::Uniform { start_s, frame_s } => {
                Times::Uniform { start_s, frame_s, frames }.iter().collect()
            }
            TimeHead::Lattice { step } => sums(values).map(|bits| f64::from(bits as i32) * step).collect(),
            TimeHead::ExactF32 => sums(values).map(|bits| f64::from(f32::from_bits(bits))).collect(),
            TimeHead::ExactF64 => {
                let (low, high) = values.split_at(frames);
                sums(low)
                    .zip(sums(high))
                    .map(|(low, high)| f64::from_bits(u64::from(high) << 32 | u64::from(low)))
                    .collect()
            }
        }
    }
}

fn differences(bits: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut before = 0u32;
    bits.map(|bits| {
        let difference = zigzag(bits.wrapping_sub(before) as i32);
        before = bits;
        difference
    })
    .collect()
}

fn sums(values: &[u32]) -> impl Iterator<Item = u32> + '_ {
    values.iter().scan(0u32, |before, &value| {
        *before = before.wrapping_add(unzigzag(value) as u32);
        Some(*before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(times: &Times, tolerance_s: f64) -> (u8, Vec<f64>) {
        let code = encode_times(times, tolerance_s);
        let head = read_time_head(&mut ByteReader::new(&code.head)).expect("reads its own head");
        assert_eq!(head.value_count(times.len()), code.values.len());
        (code.head[0], head.restore(&code.values, times.len()))
    }

    #[test]
    fn each_kind_is_chosen_where_it_belongs_and_keeps_its_promise() {
        let uniform = Times::Uniform { start_s: -1.5, frame_s: 1.0 / 60.0, frames: 5 };
        assert_eq!(round_trip(&uniform, 0.0), (UNIFORM, uniform.iter().collect()));
        let f32s = Times::Explicit(vec![0.5, 0.25, 0.25, -7.0, 1.0e9]);
        assert_eq!(round_trip(&f32s, 0.0), (EXACT_F32, f32s.iter().collect()));
        let f64s = Times::Explicit(vec![0.1, 1.0e6 + 0.1, -0.1, -0.0]);
        assert_eq!(round_trip(&f64s, 0.0), (EXACT_F64, f64s.iter().collect()));
        let capture = Times::Explicit(vec![0.0, 0.0274, 0.0561, 0.0561, 0.03]);
        let (kind, back) = round_trip(&capture, 0.0005);
        assert_eq!(kind, LATTICE);
        assert!(capture.iter().zip(&back).all(|(a, b)| (a - b).abs() <= 0.0005), "{back:?}");
        let fine_steps = Times::Explicit(vec![0.1, 0.1001, 0.1002]);
        assert_eq!(round_trip(&fine_steps, 0.0005), (EXACT_F64, fine_steps.iter().collect()));
    }
}
