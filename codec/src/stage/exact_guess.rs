//! Guesses of an exact sample from the samples before it (FORMAT section 7.10).

use super::float_order::ordered_f32;

/// Samples that a guess looks back on.
pub(crate) const HISTORY: usize = 6;
/// Guesses tried.
pub(crate) const GUESSES: usize = 8;

/// Ordered integers of all guesses from the last samples, newest first: 0 to 3 continue differences of order 1 to 4, for
/// captures sampled from splines are cubic between keys; 4 takes half the last step and 5 smooths, against sensor noise;
/// 6 and 7 are the least-squares cubic through six samples and parabola through five, which the last bits of a
/// spline's samples upset less. A guess that is not finite gives the last sample.
#[inline]
pub(crate) fn guesses(history: &[f32; HISTORY]) -> [i64; GUESSES] {
    let [a, b, c, d, e, f] = history.map(f64::from);
    let wide = [
        a,
        a + (a - b),
        (a - b) * 3.0 + c,
        ((a + c) * 4.0 - b * 6.0) - d,
        a + (a - b) * 0.5,
        (a + b) * 0.5 + ((a + b) - (c + d)) * 0.375,
        (((a * 8.0 - (b + c) * 4.0) + (e * 4.0 + d)) - f * 2.0) / 3.0,
        ((a * 9.0 - c * 4.0) + (e - d) * 3.0) / 5.0,
    ];
    wide.map(|guess| {
        let narrow = guess as f32;
        i64::from(ordered_f32(if narrow.is_finite() { narrow } else { history[0] }))
    })
}

/// Number of guesses that have enough history after `seen` samples: one a sample, then all.
#[inline]
pub(crate) fn known_guesses(seen: usize) -> usize {
    if seen < HISTORY { seen.clamp(1, 4) } else { GUESSES }
}

/// The guess with the smallest mean among the first `known`, and the next best, which is 0 if there is none; ties go to
/// the lower number.
#[inline]
pub(crate) fn best_two(means: &[u32; GUESSES], known: usize) -> (usize, usize) {
    let (mut first, mut second) = (0, 0);
    let mut next = u32::MAX;
    for number in 1..known {
        if means[number] < means[first] {
            (second, next) = (first, means[first]);
            first = number;
        } else if means[number] < next {
            (second, next) = (number, means[number]);
        }
    }
    (first, second)
}

/// Bit length of a residual of ordered integers, at most 33.
#[inline]
pub(crate) fn bit_length(residual: i64) -> u32 {
    64 - residual.unsigned_abs().leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_guess_continues_what_it_is_for() {
        // Cubics with coefficients that f32 holds exactly.
        let cubic = |t: f64| ((t * 0.25 - 1.0) * t + 3.0) * t + 8.0;
        let history: [f32; HISTORY] = std::array::from_fn(|i| cubic(-(i as f64)) as f32);
        let expected = i64::from(ordered_f32(cubic(1.0) as f32));
        assert_eq!(guesses(&history)[3], expected);
        assert!(bit_length(guesses(&history)[6] - expected) < 2);
        let parabola: [f32; HISTORY] = std::array::from_fn(|i| (i * i) as f32 + 1.0);
        assert_eq!(guesses(&parabola)[2], i64::from(ordered_f32(2.0)));
        assert!(bit_length(guesses(&parabola)[7] - i64::from(ordered_f32(2.0))) < 2);
        let wild = [f32::MAX, -f32::MAX, f32::NAN, 1.0, f32::INFINITY, 0.0];
        assert!(guesses(&wild).iter().all(|&guess| guess <= i64::from(u32::MAX)));
        assert_eq!(guesses(&wild)[2], i64::from(ordered_f32(f32::MAX)));
    }

    #[test]
    fn the_best_two_are_in_order() {
        let mut means = [9; GUESSES];
        assert_eq!(best_two(&means, GUESSES), (0, 1));
        (means[5], means[3]) = (4, 6);
        assert_eq!(best_two(&means, GUESSES), (5, 3));
        assert_eq!(best_two(&means, 5), (3, 0));
        assert_eq!(best_two(&means, 1), (0, 0));
    }
}
