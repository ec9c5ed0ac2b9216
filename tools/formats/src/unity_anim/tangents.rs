//! Linear tangents: between two keys a curve is the straight line, so nothing overshoots.

use super::document::Key;

/// Editor's mark of a key with linear tangents on both sides that are not one smooth tangent.
const LINEAR_BOTH: i32 = 69;

/// Sets slopes so that every segment is straight. The outer slopes of the first and last key continue theirs.
pub(super) fn make_linear(keys: &mut [Key<1>]) {
    for key in keys.iter_mut() {
        key.tangent_mode = LINEAR_BOTH;
    }
    for index in 1..keys.len() {
        let slope = [secant(&keys[index - 1], &keys[index])];
        keys[index - 1].out_slope = slope;
        keys[index].in_slope = slope;
    }
    if let [first, ..] = keys {
        first.in_slope = first.out_slope;
    }
    if let [.., last] = keys {
        last.out_slope = last.in_slope;
    }
}

fn secant(from: &Key<1>, to: &Key<1>) -> f32 {
    let step_s = f64::from(to.time_s) - f64::from(from.time_s);
    let slope = ((f64::from(to.value[0]) - f64::from(from.value[0])) / step_s) as f32;
    // An infinite slope would make a step of a line too steep for float32.
    slope.clamp(f32::MIN, f32::MAX)
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
        make_linear(&mut curve.keys);
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
        make_linear(&mut one);
        assert_eq!((one[0].in_slope, one[0].out_slope), ([0.0], [0.0]));
        let mut steep = [Key::level(0.0, [f32::MIN]), Key::level(1e-6, [f32::MAX])];
        make_linear(&mut steep);
        assert_eq!(steep[0].out_slope, [f32::MAX]);
    }
}
