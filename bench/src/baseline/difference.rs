//! Second time differences of integers and the zigzag map, both ways, in wrapping 32-bit arithmetic.

/// Small differences of either sign become small unsigned numbers.
pub(super) fn zigzag(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// Undoes [`zigzag`].
pub(super) fn unzigzag(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

/// Value minus its linear continuation from the two before; the first is itself, the second a first difference.
pub(super) fn second_difference(values: impl Iterator<Item = i32>) -> impl Iterator<Item = i32> {
    let (mut before, mut slope) = (0i32, 0i32);
    values.enumerate().map(move |(index, value)| {
        let step = value.wrapping_sub(before);
        let residual = step.wrapping_sub(slope);
        // From a lone first value no slope can be known.
        slope = if index == 0 { 0 } else { step };
        before = value;
        residual
    })
}

/// Undoes [`second_difference`].
pub(super) fn undo_second_difference(residuals: impl Iterator<Item = i32>) -> impl Iterator<Item = i32> {
    let (mut before, mut slope) = (0i32, 0i32);
    residuals.enumerate().map(move |(index, residual)| {
        let step = residual.wrapping_add(slope);
        before = before.wrapping_add(step);
        slope = if index == 0 { 0 } else { step };
        before
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_of_extremes_come_back() {
        let values = [i32::MAX, i32::MIN, 0, -1, 1, i32::MIN, i32::MAX, 5];
        for length in 0..=values.len() {
            let residuals: Vec<u32> =
                second_difference(values[..length].iter().copied()).map(zigzag).collect();
            let back: Vec<i32> = undo_second_difference(residuals.into_iter().map(unzigzag)).collect();
            assert_eq!(back, values[..length]);
        }
    }

    #[test]
    fn a_line_leaves_two_numbers_and_zigzag_keeps_them_small() {
        let residuals: Vec<u32> = second_difference((0..6).map(|i| 7 - 3 * i)).map(zigzag).collect();
        assert_eq!(residuals, [14, 5, 0, 0, 0, 0]);
    }
}
