//! A curve's value at an instant.

use super::document::{Curve, CurvePath, Interpolation};
use sinew::humanoid::Quat;

impl Curve {
    /// Numbers of a value.
    pub(super) fn components(&self) -> usize {
        if self.path == CurvePath::Rotation { 4 } else { 3 }
    }

    /// The value at an instant, the first three or all four numbers; before the first key and after the last it stays.
    /// A rotation is not always of unit length.
    pub(super) fn at(&self, time_s: f64) -> [f64; 4] {
        let after = self.times_s.partition_point(|&key_s| f64::from(key_s) <= time_s);
        let Some(before) = after.checked_sub(1) else { return self.part(0, 1) };
        if after == self.times_s.len() || self.interpolation == Interpolation::Step {
            return self.part(before, 1);
        }
        let (from_s, to_s) = (f64::from(self.times_s[before]), f64::from(self.times_s[after]));
        let step_s = to_s - from_s;
        let u = (time_s - from_s) / step_s;
        if u == 0.0 {
            return self.part(before, 1);
        }
        let (a, b) = (self.part(before, 1), self.part(after, 1));
        match self.interpolation {
            Interpolation::CubicSpline => {
                let (out, into) = (self.part(before, 2), self.part(after, 0));
                let (u2, u3) = (u * u, u * u * u);
                std::array::from_fn(|i| {
                    (2.0 * u3 - 3.0 * u2 + 1.0) * a[i]
                        + step_s * (u3 - 2.0 * u2 + u) * out[i]
                        + (3.0 * u2 - 2.0 * u3) * b[i]
                        + step_s * (u3 - u2) * into[i]
                })
            }
            _ if self.path == CurvePath::Rotation => slerp(a, b, u),
            _ => std::array::from_fn(|i| a[i] + u * (b[i] - a[i])),
        }
    }

    /// A key's value (1), or its tangent before (0) or after (2).
    fn part(&self, key: usize, part: usize) -> [f64; 4] {
        let width = self.components();
        let at = match self.interpolation {
            Interpolation::CubicSpline => (key * 3 + part) * width,
            _ => key * width,
        };
        let mut value = [0.0; 4];
        value.iter_mut().zip(&self.values[at..at + width]).for_each(|(to, &from)| *to = f64::from(from));
        value
    }
}

/// A quaternion of four numbers, of unit length; none if they have no direction.
pub(super) fn rotation(v: [f64; 4]) -> Option<Quat> {
    Quat::new(v[0], v[1], v[2], v[3]).normalized()
}

/// The way from one rotation to another along the shorter arc.
fn slerp(a: [f64; 4], b: [f64; 4], u: f64) -> [f64; 4] {
    let dot: f64 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
    let side = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = (dot * side).min(1.0).acos();
    let (from, to) = match angle.sin() {
        sine if sine > 1e-6 => (((1.0 - u) * angle).sin() / sine, (u * angle).sin() / sine),
        // So near that a straight line is the arc.
        _ => (1.0 - u, u),
    };
    std::array::from_fn(|i| from * a[i] + side * to * b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(path: CurvePath, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Curve {
        Curve { node: 0, path, interpolation, times_s: times.into(), values: values.into() }
    }

    #[test]
    fn each_interpolation_between_and_beyond_keys() {
        let values = [0.0, 1.0, 2.0, 4.0, 5.0, 6.0];
        let line = curve(CurvePath::Translation, Interpolation::Linear, &[1.0, 3.0], &values);
        assert_eq!(line.at(0.0)[..3], [0.0, 1.0, 2.0]);
        assert_eq!(line.at(2.0)[..3], [2.0, 3.0, 4.0]);
        assert_eq!(line.at(9.0)[..3], [4.0, 5.0, 6.0]);
        let step = curve(CurvePath::Translation, Interpolation::Step, &[1.0, 3.0], &values);
        assert_eq!((step.at(2.9)[0], step.at(3.0)[0]), (0.0, 4.0));
        let cubic = [[0.0; 3], [0.0; 3], [1.0; 3], [1.0; 3], [2.0; 3], [0.0; 3]].concat();
        let cubic = curve(CurvePath::Translation, Interpolation::CubicSpline, &[1.0, 3.0], &cubic);
        // Tangents that are the chord's slope make it the chord.
        assert!((cubic.at(1.5)[0] - 0.5).abs() < 1e-12 && (cubic.at(3.0)[0] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn rotations_take_the_shorter_way() {
        let q = |degrees: f64, sign: f64| {
            let half = degrees.to_radians() / 2.0;
            [0.0, (sign * half.sin()) as f32, 0.0, (sign * half.cos()) as f32]
        };
        let values = [q(10.0, 1.0), q(12.0, -1.0)].concat();
        let turn = curve(CurvePath::Rotation, Interpolation::Linear, &[0.0, 1.0], &values);
        let middle = rotation(turn.at(0.5)).expect("a rotation");
        assert!(middle.angle_to(Quat::about_y(11f64.to_radians())) < 1e-6);
    }
}
