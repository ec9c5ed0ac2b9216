//! The value of a curve at an instant, as Unity evaluates it: cubic Hermite between keys, Bézier where weighted.

use super::document::{Curve, DEFAULT_WEIGHT, Key, WEIGHTED_IN, WEIGHTED_OUT};

/// Halvings of the search for a Bézier's parameter: an f64 has no more bits to gain.
const HALVINGS: usize = 60;

impl<const N: usize> Curve<N> {
    /// The value at an instant in seconds, computed in f64: 0 without keys, the one key's value with one.
    ///
    /// A segment with an infinite slope at either end keeps its first value until the next key. Two keys at one
    /// instant step to the later one.
    pub fn evaluate(&self, time_s: f64) -> [f64; N] {
        match locate(&self.keys, |key| key.time_s, (self.pre_infinity, self.post_infinity), time_s) {
            None => [0.0; N],
            Some(Spot::Key(index)) => self.keys[index].value.map(f64::from),
            Some(Spot::Segment(index, time_s)) => std::array::from_fn(|component| {
                Segment::of_keys(&self.keys[index], &self.keys[index + 1], component).value(time_s)
            }),
        }
    }
}

/// Where an instant lies among keys.
pub(super) enum Spot {
    /// At the key of this number, or beyond it where no other is.
    Key(usize),
    /// At an instant from the key of this number on and before the next.
    Segment(usize, f64),
}

/// Finds an instant among keys in order of time; `infinity` is what a curve does before and after them. `None` without
/// keys.
pub(super) fn locate<T>(
    keys: &[T],
    time_of: impl Fn(&T) -> f32,
    infinity: (i32, i32),
    time_s: f64,
) -> Option<Spot> {
    let (first_s, last_s) = (f64::from(time_of(keys.first()?)), f64::from(time_of(keys.last()?)));
    let time_s = within_keys(time_s, first_s, last_s, infinity);
    let after = keys.partition_point(|key| f64::from(time_of(key)) <= time_s);
    Some(match after.checked_sub(1) {
        Some(before) if after < keys.len() => Spot::Segment(before, time_s),
        Some(before) => Spot::Key(before),
        None => Spot::Key(0),
    })
}

/// The instant between the first and the last key that stands for one outside.
fn within_keys(time_s: f64, first_s: f64, last_s: f64, infinity: (i32, i32)) -> f64 {
    let span_s = last_s - first_s;
    let mode = if time_s < first_s { infinity.0 } else { infinity.1 };
    let outside = time_s < first_s || time_s > last_s;
    match mode {
        0 if outside && span_s > 0.0 => {
            let phase = (time_s - first_s).rem_euclid(2.0 * span_s);
            first_s + if phase > span_s { 2.0 * span_s - phase } else { phase }
        }
        1 if outside && span_s > 0.0 => first_s + (time_s - first_s).rem_euclid(span_s),
        _ => time_s.clamp(first_s, last_s),
    }
}

/// One component of a curve between two neighbouring keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    /// Time of either key in seconds.
    pub times_s: [f32; 2],
    /// Value of either key.
    pub values: [f32; 2],
    /// Slope at which the curve leaves the first key, and at which it arrives at the second.
    pub slopes: [f32; 2],
    /// Length of either tangent as part of the segment; a third where nobody weighted it.
    pub weights: [f32; 2],
}

impl Segment {
    pub fn of_keys<const N: usize>(from: &Key<N>, to: &Key<N>, component: usize) -> Segment {
        let weight = |key: &Key<N>, bit: u8, weight: f32| match key.weighted_mode & bit {
            0 => DEFAULT_WEIGHT,
            _ => weight,
        };
        Segment {
            times_s: [from.time_s, to.time_s],
            values: [from.value[component], to.value[component]],
            slopes: [from.out_slope[component], to.in_slope[component]],
            weights: [
                weight(from, WEIGHTED_OUT, from.out_weight[component]),
                weight(to, WEIGHTED_IN, to.in_weight[component]),
            ],
        }
    }

    /// Length in seconds.
    pub fn step_s(&self) -> f64 {
        f64::from(self.times_s[1]) - f64::from(self.times_s[0])
    }

    /// Whether the value stays until the second key.
    pub fn is_step(&self) -> bool {
        self.slopes.iter().any(|slope| slope.is_infinite())
    }

    /// Lengths of the two tangents as part of the segment. Beyond 0 to 1 a curve would go back in time.
    pub fn tangent_lengths(&self) -> [f64; 2] {
        self.weights.map(|weight| match weight == DEFAULT_WEIGHT {
            true => 1.0 / 3.0,
            false => f64::from(weight).clamp(0.0, 1.0),
        })
    }

    /// Value at `time_s`, which is from the first key on and before the second.
    pub fn value(&self, time_s: f64) -> f64 {
        let [start, end] = self.values.map(f64::from);
        if self.is_step() {
            return start;
        }
        let step_s = self.step_s();
        let part = (time_s - f64::from(self.times_s[0])) / step_s;
        let [rise_from, rise_to] = self.slopes.map(|slope| f64::from(slope) * step_s);
        if self.weights == [DEFAULT_WEIGHT; 2] {
            let (square, cube) = (part * part, part * part * part);
            return (2.0 * cube - 3.0 * square + 1.0) * start
                + (cube - 2.0 * square + part) * rise_from
                + (3.0 * square - 2.0 * cube) * end
                + (cube - square) * rise_to;
        }
        let [length_from, length_to] = self.tangent_lengths();
        let at = parameter(part, length_from, 1.0 - length_to);
        bezier(at, start, start + length_from * rise_from, end - length_to * rise_to, end)
    }
}

fn bezier(at: f64, a: f64, b: f64, c: f64, d: f64) -> f64 {
    let rest = 1.0 - at;
    rest * rest * rest * a + 3.0 * rest * rest * at * b + 3.0 * rest * at * at * c + at * at * at * d
}

/// The parameter at which the Bézier 0, `b`, `c`, 1 is `part`. It only grows, so halving finds it.
fn parameter(part: f64, b: f64, c: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if bezier(middle, 0.0, b, c, 1.0) < part {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::super::document::Binding;
    use super::*;

    /// Keys of time, value and both slopes.
    fn curve(keys: &[(f32, f32, f32, f32)]) -> Curve<1> {
        let mut curve = Curve::new(Binding::default());
        for &(time_s, value, in_slope, out_slope) in keys {
            let key = Key::level(time_s, [value]);
            curve.keys.push(Key { in_slope: [in_slope], out_slope: [out_slope], ..key });
        }
        curve
    }

    #[track_caller]
    fn close(curve: &Curve<1>, time_s: f64, expected: f64) {
        let value = curve.evaluate(time_s)[0];
        assert!((value - expected).abs() < 1e-12, "{value} at {time_s}, not {expected}");
    }

    #[test]
    fn few_keys() {
        assert_eq!(curve(&[]).evaluate(1.0), [0.0]);
        let one = curve(&[(3.0, 0.5, 7.0, 7.0)]);
        assert_eq!([-9.0, 3.0, 9.0].map(|time_s| one.evaluate(time_s)[0]), [0.5; 3]);
    }

    #[test]
    fn segments_follow_the_hermite_polynomial() {
        // v = t^3 - t on 0 to 2 has slopes -1 and 11.
        let cubic = curve(&[(0.0, 0.0, 0.0, -1.0), (2.0, 6.0, 11.0, 0.0)]);
        for time_s in [0.0, 0.3, 1.0, 1.9, 2.0f64] {
            close(&cubic, time_s, time_s.powi(3) - time_s);
        }
        let eased = curve(&[(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0)]);
        close(&eased, 0.25, 0.15625);
        close(&eased, 9.0, 1.0);
        close(&eased, -9.0, 0.0);
    }

    #[test]
    fn steps_hold_until_the_next_key() {
        for keys in [
            [(0.0, 1.0, 0.0, f32::INFINITY), (1.0, 2.0, 0.0, 0.0)],
            [(0.0, 1.0, 0.0, 0.0), (1.0, 2.0, f32::NEG_INFINITY, 0.0)],
        ] {
            let step = curve(&keys);
            close(&step, 0.999, 1.0);
            close(&step, 1.0, 2.0);
        }
        let twice =
            curve(&[(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (1.0, 5.0, 0.0, 0.0), (2.0, 5.0, 0.0, 0.0)]);
        close(&twice, 0.999, 0.0);
        close(&twice, 1.0, 5.0);
    }

    #[test]
    fn thirds_are_hermite_and_other_weights_bend_in_time() {
        let plain = curve(&[(0.0, 0.0, 0.0, 3.0), (2.0, 1.0, -2.0, 0.0)]);
        let mut weighted = plain.clone();
        weighted.keys[0].weighted_mode = WEIGHTED_OUT;
        weighted.keys[1].weighted_mode = WEIGHTED_IN;
        for time_s in [0.0, 0.2, 1.0, 1.7, 2.0] {
            close(&weighted, time_s, plain.evaluate(time_s)[0]);
        }
        // Level tangents that reach half the way: at a third of the parameter, time is 5/18 and value 7/27 of a step.
        let mut eased = curve(&[(0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0)]);
        for key in &mut eased.keys {
            (key.weighted_mode, key.in_weight, key.out_weight) = (3, [0.5], [0.5]);
        }
        let third = 1.0 / 3.0f64;
        let time_s = bezier(third, 0.0, 0.5, 0.5, 1.0);
        close(&eased, time_s, 7.0 / 27.0);
        // A weight of one key changes its side of the segment only.
        let mut hostile = plain.clone();
        (hostile.keys[0].weighted_mode, hostile.keys[0].out_weight) = (WEIGHTED_OUT, [f32::MAX]);
        assert!(hostile.evaluate(1.0)[0].is_finite());
    }

    #[test]
    fn outside_of_its_keys_a_curve_stays_repeats_or_swings() {
        let mut line = curve(&[(1.0, 0.0, 1.0, 1.0), (3.0, 2.0, 1.0, 1.0)]);
        (line.pre_infinity, line.post_infinity) = (1, 0);
        close(&line, 0.5, 1.5);
        close(&line, 3.5, 1.5);
        close(&line, 5.5, 0.5);
        close(&line, 3.0, 2.0);
    }

    #[test]
    fn two_full_turns_in_degrees_stay_two() {
        let mut turn: Curve<3> = Curve::new(Binding::default());
        turn.keys = vec![Key::level(0.0, [0.0; 3]), Key::level(40.0, [0.0, -720.0, 0.0])];
        turn.keys[0].out_slope[1] = -18.0;
        turn.keys[1].in_slope[1] = -18.0;
        assert_eq!(turn.evaluate(10.0), [0.0, -180.0, 0.0]);
        assert_eq!(turn.evaluate(40.0), [0.0, -720.0, 0.0]);
    }
}
