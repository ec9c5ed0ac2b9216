//! Tangents of written keys: straight lines, or smooth curves that never leave the values of their two keys.

use super::document::Key;

/// How a written curve runs between its keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tangents {
    /// In straight lines, as every other reader of the clip sees it.
    #[default]
    Linear,
    /// Smoothly and without overshoot: level at turning points and at both ends, as Unity's editor makes keys.
    ClampedAuto,
}

impl Tangents {
    /// Editor's mark of a key whose two tangents are both of this kind.
    fn mode(self) -> i32 {
        match self {
            // Broken, so that the two sides have slopes of their own.
            Tangents::Linear => 69,
            Tangents::ClampedAuto => 136,
        }
    }
}

/// Sets the slopes of all keys; key times increase.
pub(crate) fn set_tangents<const N: usize>(keys: &mut [Key<N>], tangents: Tangents) {
    for index in 0..keys.len() {
        set_tangent(keys, index, index.checked_sub(1), index + 1, tangents);
    }
}

/// Sets the slopes of the key at `index` between its neighbours `before` and `after`, where they exist.
pub(super) fn set_tangent<const N: usize>(
    keys: &mut [Key<N>],
    index: usize,
    before: Option<usize>,
    after: usize,
    tangents: Tangents,
) {
    let mut key = keys[index];
    let before = before.map(|before| &keys[before]);
    let after = keys.get(after);
    key.tangent_mode = tangents.mode();
    for component in 0..N {
        let (arriving, leaving) = match tangents {
            Tangents::Linear => {
                let arriving = before.map(|before| secant(before, &key, component));
                let leaving = after.map(|after| secant(&key, after, component));
                // The outer slopes of the first and last key continue their lines.
                (arriving.or(leaving), leaving.or(arriving))
            }
            Tangents::ClampedAuto => {
                let slope = before.zip(after).map(|(before, after)| clamped(before, &key, after, component));
                (slope, slope)
            }
        };
        key.in_slope[component] = arriving.unwrap_or(0.0);
        key.out_slope[component] = leaving.unwrap_or(0.0);
    }
    keys[index] = key;
}

/// Slope of the straight line between two keys.
pub(super) fn secant<const N: usize>(from: &Key<N>, to: &Key<N>, component: usize) -> f32 {
    line(from.time_s, from.value[component], to.time_s, to.value[component])
}

/// Slope of the straight line between two times and values.
pub(super) fn line(start_s: f32, start: f32, end_s: f32, end: f32) -> f32 {
    let slope = ((f64::from(end) - f64::from(start)) / (f64::from(end_s) - f64::from(start_s))) as f32;
    // An infinite slope would make a step of a line too steep for float32.
    slope.clamp(f32::MIN, f32::MAX)
}

/// Slope of a clamped auto key: with the rises a before and b after it, 0 at a turning point, else
/// (min(a, 3b) + min(b, 3a)) / time, which is Unity's.
///
/// A cubic stays between its two values if no slope is over three times its secant (Fritsch and Carlson 1980). With
/// even times Unity's slope never is; with uneven ones it can be, and is cut to that.
fn clamped<const N: usize>(before: &Key<N>, key: &Key<N>, after: &Key<N>, component: usize) -> f32 {
    let value = |key: &Key<N>| f64::from(key.value[component]);
    let time_s = |key: &Key<N>| f64::from(key.time_s);
    let (rise, next_rise) = (value(key) - value(before), value(after) - value(key));
    if rise * next_rise <= 0.0 {
        return 0.0;
    }
    let (step_s, next_step_s) = (time_s(key) - time_s(before), time_s(after) - time_s(key));
    let (a, b) = (rise.abs(), next_rise.abs());
    let slope = (a.min(3.0 * b) + b.min(3.0 * a)) / (step_s + next_step_s);
    let steepest = 3.0 * (a / step_s).min(b / next_step_s);
    let slope = slope.min(steepest);
    let mut stored = (slope as f32).min(f32::MAX);
    if f64::from(stored) > steepest {
        stored = stored.next_down();
    }
    if rise < 0.0 { -stored } else { stored }
}

#[cfg(test)]
mod tests {
    use super::super::document::{Binding, Curve};
    use super::*;

    #[test]
    fn lines_neither_overshoot_nor_ease() {
        let mut curve: Curve<1> = Curve::new(Binding::default());
        let frames =
            [(0.0, 0.0), (1.0 / 60.0, 0.0), (2.0 / 60.0, 1.0), (0.5, 1.0), (0.5167, 0.0), (1.0, 0.0)];
        curve.keys = frames.map(|(time_s, value)| Key::level(time_s, [value])).to_vec();
        set_tangents(&mut curve.keys, Tangents::Linear);
        assert_eq!((curve.evaluate(0.25), curve.evaluate(0.75)), ([1.0], [0.0]));
        for step in 0..=1000 {
            let time_s = f64::from(step) / 1000.0;
            let value = curve.evaluate(time_s)[0];
            let after = frames.iter().position(|&(at, _)| f64::from(at) > time_s).unwrap_or(5);
            let ((t0, v0), (t1, v1)) = (frames[after - 1], frames[after]);
            let part = ((time_s - f64::from(t0)) / (f64::from(t1) - f64::from(t0))).min(1.0);
            let line = f64::from(v0) + part * (f64::from(v1) - f64::from(v0));
            assert!((value - line).abs() < 1e-6 && (0.0..=1.0).contains(&value), "{value} at {time_s}");
        }
        assert_eq!(curve.keys[0].in_slope, curve.keys[0].out_slope);
    }

    #[test]
    fn one_key_is_level_and_the_steepest_line_is_no_step() {
        let mut one = [Key::level(1.0, [5.0])];
        set_tangents(&mut one, Tangents::Linear);
        assert_eq!((one[0].in_slope, one[0].out_slope), ([0.0], [0.0]));
        let mut steep = [Key::level(0.0, [f32::MIN]), Key::level(1e-6, [f32::MAX])];
        set_tangents(&mut steep, Tangents::Linear);
        assert_eq!(steep[0].out_slope, [f32::MAX]);
    }

    fn clamped_curve(keys: &[(f32, f32)]) -> Curve<1> {
        let mut curve: Curve<1> = Curve::new(Binding::default());
        curve.keys = keys.iter().map(|&(time_s, value)| Key::level(time_s, [value])).collect();
        set_tangents(&mut curve.keys, Tangents::ClampedAuto);
        curve
    }

    #[test]
    fn clamped_slopes_are_those_of_unity() {
        let slopes = |keys: &[(f32, f32)]| -> Vec<f32> {
            clamped_curve(keys).keys.iter().map(|key| key.out_slope[0]).collect()
        };
        // Between equal rises the secant; a rise of 1 counts three times at most beside one of 10.
        assert_eq!(slopes(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), [0.0, 1.0, 0.0]);
        assert_eq!(slopes(&[(0.0, 0.0), (1.0, 10.0), (2.0, 11.0)]), [0.0, 2.0, 0.0]);
        assert_eq!(slopes(&[(0.0, 0.0), (1.0, -1.0), (2.0, -11.0)]), [0.0, -2.0, 0.0]);
        // Turning points and plateaus are level.
        assert_eq!(slopes(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]), [0.0; 3]);
        assert_eq!(slopes(&[(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)]), [0.0; 3]);
        let marks: Vec<i32> =
            clamped_curve(&[(0.0, 0.0), (1.0, 1.0)]).keys.iter().map(|key| key.tangent_mode).collect();
        assert_eq!(marks, [136, 136]);
    }

    #[test]
    fn clamped_curves_stay_between_their_keys_however_uneven_the_times() {
        let steps = [0.01f32, 1.0, 0.5, 0.001, 2.0];
        let rises = [3.0f32, 1.0, 0.0, -0.5, 1e-6, 7.0, -7.0];
        let (mut time_s, mut value) = (0.0, 0.0);
        let keys: Vec<(f32, f32)> = (0..600)
            .map(|index| {
                time_s += steps[index * index % steps.len()];
                value += rises[index * (index + 3) % rises.len()];
                (time_s, value)
            })
            .collect();
        let curve = clamped_curve(&keys);
        for pair in keys.windows(2) {
            let (low, high) = (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1));
            for part in 0..=50 {
                let (start, end) = (f64::from(pair[0].0), f64::from(pair[1].0));
                let at = curve.evaluate(start + (end - start) * f64::from(part) / 50.0)[0];
                // Only what f64 rounds.
                let slack = 1e-12 * f64::from(high.abs().max(low.abs()).max(1.0));
                assert!(
                    (f64::from(low) - slack..=f64::from(high) + slack).contains(&at),
                    "{at} after {} s",
                    pair[0].0
                );
            }
        }
    }
}
