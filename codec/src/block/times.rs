//! The times of a block's frames (FORMAT section 5.2).
//!
//! A frame is expected one period after the one before. In bounded mode the error of that guess is quantized around
//! it, so that jitter within the bound costs nothing and never adds up; steps keep their sign (equal, forward,
//! backward), and a time that no index serves is sent exactly. In exact mode every time is sent as the difference
//! of ordered integers, or of places on the clock's grid.

use crate::stage::entropy::{BinaryCoder, BinaryDecoder, BinaryEncoder, Counter, IntegerModel};
use crate::stage::float_order::{ordered_f32, ordered_f64, unordered_f32, unordered_f64};
use std::cmp::Ordering;

/// Most binary digits behind the point of a grid of times.
const MAX_DIGITS: u32 = 63;
/// Places on a grid stay below this, so that f64 holds them exactly.
const MAX_PLACE: f64 = 9_007_199_254_740_992.0;
/// Periods are stored in units of 2^-20 s.
const PERIOD_UNITS: f64 = 1_048_576.0;
/// Indices beyond this are sent exactly.
const MAX_INDEX: i64 = 1 << 40;
const LIMIT: u8 = 60;

/// How a block's times are stored.
#[derive(Clone, Copy)]
pub(crate) struct TimeCode {
    /// Every time is an f32, and decoded times are rounded to f32.
    pub(crate) narrow: bool,
    /// Largest absolute error in seconds; 0 keeps times exactly.
    pub(crate) bound_s: f64,
}

struct TimeModel {
    code: TimeCode,
    step: f64,
    period: f64,
    repeat: [Counter; 2],
    escape: Counter,
    index: [IntegerModel; 3],
    exact: IntegerModel,
    /// Step of the grid that holds all times, if exact times are told by their place on one.
    grid: Option<f64>,
    /// Whether the last frame repeated its time; class of the last index: zero, positive, negative.
    repeated: usize,
    class: usize,
}

impl TimeModel {
    fn new(code: TimeCode, exact: bool, period_units: i64, grid: Option<f64>) -> Self {
        let rare = Counter::new(2048, 4);
        TimeModel {
            code: if exact { TimeCode { bound_s: 0.0, ..code } } else { code },
            // A thousandth under twice the bound leaves room for rounding to f32 below about 16 s; beyond, the
            // check in the encoder decides.
            step: code.bound_s * 2.0 * 0.999,
            period: period_units as f64 / PERIOD_UNITS,
            repeat: [rare; 2],
            escape: rare,
            index: [IntegerModel::new(), IntegerModel::new(), IntegerModel::new()],
            exact: IntegerModel::new(),
            grid,
            repeated: 0,
            class: 0,
        }
    }

    fn narrow(&self, time: f64) -> f64 {
        if self.code.narrow { f64::from(time as f32) } else { time }
    }

    /// The reconstruction of an index after the reconstructed time `before`.
    fn rebuild(&self, before: f64, index: i64) -> f64 {
        self.narrow(before + self.period + index as f64 * self.step)
    }

    /// Codes the exact time as the difference from the guess, of places on the grid or of ordered integers.
    fn code_exact<C: BinaryCoder>(&mut self, coder: &mut C, before: f64, time: f64) -> f64 {
        if let Some(grid) = self.grid {
            // A damaged stream can lead anywhere.
            let base = ((before + self.period) / grid).round_ties_even() as i64;
            let residual = ((time / grid) as i64).wrapping_sub(base);
            let place = base.wrapping_add(self.exact.code_signed(coder, residual));
            return self.narrow(place as f64 * grid);
        }
        let guess = self.narrow(before + self.period);
        if self.code.narrow {
            let base = i64::from(ordered_f32(guess as f32));
            let residual = i64::from(ordered_f32(time as f32)) - base;
            f64::from(unordered_f32(base.wrapping_add(self.exact.code_signed(coder, residual)) as u32))
        } else {
            let base = ordered_f64(guess);
            let residual = ordered_f64(time).wrapping_sub(base) as i64;
            unordered_f64(base.wrapping_add(self.exact.code_signed(coder, residual) as u64))
        }
    }

    /// Codes one time after the original `last` and the reconstructed `before`; returns its reconstruction.
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, last: f64, before: f64, time: f64) -> f64 {
        let repeats = time.to_bits() == last.to_bits();
        if self.repeat[self.repeated].code(coder, repeats, LIMIT) {
            self.repeated = 1;
            return before;
        }
        self.repeated = 0;
        if self.code.bound_s == 0.0 {
            return self.code_exact(coder, before, time);
        }
        let index = self.find_index(last, before, time);
        if self.escape.code(coder, index.is_none(), LIMIT) {
            return self.code_exact(coder, before, time);
        }
        let index = self.index[self.class].code_signed(coder, index.unwrap_or(0));
        self.class = if index == 0 { 0 } else { 1 + usize::from(index < 0) };
        self.rebuild(before, index)
    }

    /// The index whose reconstruction is within the bound and keeps the sign of the step.
    fn find_index(&self, last: f64, before: f64, time: f64) -> Option<i64> {
        let nearest = ((time - (before + self.period)) / self.step).round();
        // A NaN, which a decoder passes for "not known", is far too.
        let is_near = nearest.abs() < MAX_INDEX as f64;
        if !is_near {
            return None;
        }
        let nearest = nearest as i64;
        [nearest, nearest - 1, nearest + 1].into_iter().find(|&index| {
            let rebuilt = self.rebuild(before, index);
            (rebuilt - time).abs() <= self.code.bound_s
                && rebuilt.partial_cmp(&before) == time.partial_cmp(&last)
        })
    }
}

/// Median step of the times in period units; 0 for fewer than two frames.
fn median_period(times: &[f64]) -> i64 {
    let mut steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    if steps.is_empty() {
        return 0;
    }
    steps.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    let units = (steps[steps.len() / 2] * PERIOD_UNITS).round();
    if units.abs() < MAX_INDEX as f64 { units as i64 } else { 0 }
}

/// Binary digits behind the point of the coarsest grid that holds all times, if a grid can tell them. Times since a
/// recording's start are differences of a clock that has counted longer, so their last digits are zeros that ordered
/// integers near 0 would spend bits on.
fn grid_digits(times: &[f64]) -> Option<u32> {
    let mut digits = 0;
    for &time in times {
        if time == 0.0 && time.is_sign_negative() {
            return None;
        }
        let scaled = (0..=MAX_DIGITS).find(|&digits| (time * grid_of(digits).recip()).fract() == 0.0)?;
        digits = digits.max(scaled);
    }
    let all_fit = times.iter().all(|time| (time / grid_of(digits)).abs() < MAX_PLACE);
    (digits > 0 && all_fit).then_some(digits)
}

fn grid_of(digits: u32) -> f64 {
    1.0 / (1u64 << digits) as f64
}

/// Encodes all times but the first, which the block header keeps. `next` is the first time of the following block,
/// whose step from this block's last frame must keep its sign.
pub(crate) fn encode_times(times: &[f64], next: Option<f64>, code: TimeCode) -> Vec<u8> {
    if times.len() < 2 {
        return Vec::new();
    }
    let mut exact = encode_in_mode(times, code, true, 0).0;
    if let Some(digits) = grid_digits(times) {
        let (on_grid, ..) = encode_in_mode(times, code, true, digits);
        if on_grid.len() < exact.len() {
            exact = on_grid;
        }
    }
    if code.bound_s == 0.0 {
        return exact;
    }
    let (bounded, last, steps_hold) = encode_in_mode(times, code, false, 0);
    let seam_holds = match (next, times.last()) {
        (Some(next), Some(&time)) => next.partial_cmp(&last) == next.partial_cmp(&time),
        _ => true,
    };
    if steps_hold && seam_holds && bounded.len() < exact.len() { bounded } else { exact }
}

/// Codes whether exact times are told by their place on a grid, and its binary digits behind the point.
fn code_grid<C: BinaryCoder>(coder: &mut C, exact: bool, digits: u32) -> Option<f64> {
    let has_grid = exact && coder.code(digits > 0, 1 << 15);
    has_grid.then(|| grid_of(coder.code_raw(u64::from(digits), 6) as u32))
}

/// Returns the bytes, the last reconstructed time and whether every step kept its sign: a time sent exactly after
/// one that is off by almost the bound can land on its wrong side.
fn encode_in_mode(times: &[f64], code: TimeCode, exact: bool, digits: u32) -> (Vec<u8>, f64, bool) {
    let Some((&first, rest)) = times.split_first() else {
        return (Vec::new(), 0.0, true);
    };
    let mut coder = BinaryEncoder::new();
    let period_units = median_period(times);
    coder.code(exact, 1 << 15);
    IntegerModel::new().code_signed(&mut coder, period_units);
    let grid = code_grid(&mut coder, exact, digits);
    let mut model = TimeModel::new(code, exact, period_units, grid);
    let (mut last, mut before, mut steps_hold) = (first, first, true);
    for &time in rest {
        let rebuilt = model.code(&mut coder, last, before, time);
        steps_hold &= rebuilt.partial_cmp(&before) == time.partial_cmp(&last);
        (last, before) = (time, rebuilt);
    }
    (coder.finish(), before, steps_hold)
}

/// Decodes the times of `frames` frames. A damaged stream can give times that are not finite; the caller checks.
pub(crate) fn decode_times(stream: &[u8], first: f64, frames: usize, code: TimeCode) -> Vec<f64> {
    let mut times = Vec::with_capacity(frames);
    if frames == 0 {
        return times;
    }
    let mut coder = BinaryDecoder::new(stream);
    let exact = coder.code(false, 1 << 15);
    let period_units = IntegerModel::new().code_signed(&mut coder, 0);
    let grid = code_grid(&mut coder, exact, 0);
    let mut model = TimeModel::new(code, exact, period_units, grid);
    let mut before = first;
    times.push(first);
    for _ in 1..frames {
        before = model.code(&mut coder, before, before, f64::NAN);
        times.push(before);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(times: &[f64], code: TimeCode) -> usize {
        let bytes = encode_times(times, None, code);
        let decoded = decode_times(&bytes, times.first().copied().unwrap_or(0.0), times.len(), code);
        assert_eq!(decoded.len(), times.len());
        for (index, (&a, &b)) in times.iter().zip(&decoded).enumerate() {
            if code.bound_s == 0.0 {
                assert_eq!(a.to_bits(), b.to_bits(), "frame {index}");
            }
            assert!((a - b).abs() <= code.bound_s, "frame {index}: {a} {b}");
        }
        for (a, b) in times.windows(2).zip(decoded.windows(2)) {
            assert_eq!(a[0].partial_cmp(&a[1]), b[0].partial_cmp(&b[1]));
        }
        bytes.len()
    }

    fn codes() -> [TimeCode; 4] {
        [(true, 0.0), (true, 0.0005), (false, 0.0), (false, 0.0005)]
            .map(|(narrow, bound_s)| TimeCode { narrow, bound_s })
    }

    fn f32_times(times: impl IntoIterator<Item = f64>) -> Vec<f64> {
        times.into_iter().map(|time| f64::from(time as f32)).collect()
    }

    #[test]
    fn steady_repeated_and_backward_times_keep_bound_and_order() {
        let step = 1.0 / 60.0;
        let cases = [
            vec![],
            vec![5.0],
            f32_times((0..400).map(|i| f64::from(i) * step)),
            f32_times([0.0, step, 2.0 * step, 2.0 * step, step, 3.0 * step, 3.0 * step]),
            f32_times((0..300).map(|i| f64::from(i) * 0.0001)),
            f32_times((0..300).map(|i| 36_000.0 + f64::from(i) * step)),
            f32_times([1e30, -1e30, 0.0, -0.0, 1e-40, 5.0]),
            f32_times((0..200).map(|i| f64::from(i) * step + f64::from(i * 37 % 11) * 0.001)),
        ];
        for times in &cases {
            for code in codes() {
                check(times, code);
            }
        }
    }

    #[test]
    fn a_steady_clock_costs_next_to_nothing() {
        let times = f32_times((0..512).map(|i| 0.25 + f64::from(i) / 60.0));
        assert!(check(&times, codes()[1]) < 12);
    }

    #[test]
    fn times_on_a_grid_spend_nothing_on_finer_digits() {
        let uneven = |grid: f64| -> Vec<f64> {
            let mut place = 0;
            let next = |i: i64| {
                place += 2_000 + i * i * 7_919 % 1_009;
                place as f64 * grid
            };
            (0..200).map(next).collect()
        };
        let exact = codes()[2];
        let on_grid = check(&uneven(1.0 / 65_536.0), exact);
        assert!(on_grid < 200 * 12 / 8, "{on_grid} bytes");
        assert!(check(&uneven(1.0 / 65_537.0), exact) > on_grid * 3);
        for narrow in [0, 2] {
            check(
                &[0.5, -0.0, 0.25, 0.0, -7.75, 1e30, 1e-40, 8.125].map(|t| t as f32).map(f64::from),
                codes()[narrow],
            );
        }
        check(&[-1e18, 0.5, 1e300, -0.0, 5e-324, 1.0], exact);
    }

    #[test]
    fn the_step_to_the_next_block_keeps_its_sign() {
        let code = TimeCode { narrow: false, bound_s: 0.0005 };
        let times: Vec<f64> = (0..50).map(|i| f64::from(i) * 0.02 + f64::from(i % 3) * 0.0003).collect();
        for next in [times[49] + 1e-7, times[49] - 1e-7, times[49]] {
            let bytes = encode_times(&times, Some(next), code);
            let decoded = decode_times(&bytes, times[0], times.len(), code);
            assert_eq!(next.partial_cmp(&decoded[49]), next.partial_cmp(&times[49]));
        }
    }
}
