//! Unit quaternions as three numbers (FORMAT section 6.3): the vector part over one plus the scalar part, of the turn from a
//! reference. The map keeps all directions alike, needs no function but + - * /, and is finite but for one whole turn; what
//! it gives back is a unit quaternion whatever the numbers are.

/// Parts of the reference's three numbers.
const REFERENCE_PARTS: f64 = 8.0;
/// Largest magnitude of a reference's numbers: half a turn is 8, and rounding adds no more than 1.
pub(crate) const MAX_REFERENCE: i64 = 9;

/// The quaternion x, y, z, w of three numbers.
#[inline]
fn unit_of([x, y, z]: [f64; 3]) -> [f64; 4] {
    let square = x * x + y * y + z * z;
    let inverse = 1.0 / (1.0 + square);
    let double = inverse * 2.0;
    [x * double, y * double, z * double, (1.0 - square) * inverse]
}

/// The product a b of quaternions x, y, z, w.
#[inline]
fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn square_length(q: [f64; 4]) -> f64 {
    q.iter().fold(0.0, |sum, part| sum + part * part)
}

/// The rotation that others are told from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Reference(pub(crate) [i64; 3]);

impl Reference {
    /// The nearest to a quaternion of any length and sign; no turn for one without direction.
    pub(crate) fn near(q: [f64; 4]) -> Reference {
        let sign = if q[3] < 0.0 { -1.0 } else { 1.0 };
        let scalar = square_length(q).sqrt() + q[3] * sign;
        // NaN and 0 fail this.
        if scalar > 0.0 && scalar.is_finite() {
            Reference([q[0], q[1], q[2]].map(|part| (part * sign / scalar * REFERENCE_PARTS).round() as i64))
        } else {
            Reference([0; 3])
        }
    }

    fn quaternion(self) -> [f64; 4] {
        unit_of(self.0.map(|part| part as f64 / REFERENCE_PARTS))
    }

    /// The three numbers of a quaternion; not finite for a whole turn from the reference.
    pub(crate) fn vector_of(self, q: [f32; 4]) -> [f64; 3] {
        let [x, y, z, w] = self.quaternion();
        let q = q.map(f64::from);
        let length = square_length(q).sqrt();
        let turn = product([-x, -y, -z, w], q);
        let scalar = length + turn[3];
        [turn[0] / scalar, turn[1] / scalar, turn[2] / scalar]
    }

    /// The quaternions of three numbers each.
    pub(crate) fn rebuild(self) -> impl Fn([f64; 3]) -> [f32; 4] {
        let reference = self.quaternion();
        move |vector| product(reference, unit_of(vector)).map(|part| part as f32)
    }
}

/// Whether a quaternion's length is 1 within so much, and so a rotation is all that it says.
pub(crate) fn is_unit(q: [f32; 4], slack: f64) -> bool {
    (square_length(q.map(f64::from)) - 1.0).abs() <= slack * 2.0
}

/// Whether two quaternions of whatever length are at most so far apart on the unit sphere. They turn 4 asin(apart / 2) against
/// each other.
pub(crate) fn are_near(a: [f32; 4], b: [f32; 4], apart: f64) -> bool {
    let (a, b) = (a.map(f64::from), b.map(f64::from));
    let (length_a, length_b) = (square_length(a).sqrt(), square_length(b).sqrt());
    let difference = std::array::from_fn(|i| a[i] / length_a - b[i] / length_b);
    square_length(difference) <= apart * apart
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quaternions all over the sphere, by Pythagorean parts.
    fn quaternions() -> impl Iterator<Item = [f32; 4]> {
        let range = -3..=3i8;
        let all = range.clone().flat_map(move |x| {
            range
                .clone()
                .flat_map(move |y| (-3..=3i8).flat_map(move |z| (-3..=3i8).map(move |w| [x, y, z, w])))
        });
        all.filter(|q| *q != [0; 4]).map(|q| {
            let q = q.map(f64::from);
            let length = square_length(q).sqrt();
            q.map(|part| (part / length) as f32)
        })
    }

    #[test]
    fn quaternions_come_back_from_three_numbers_and_are_units() {
        for reference in [[0, 0, 0], [8, 0, 0], [-3, 5, 2], [0, -9, 9]].map(Reference) {
            let rebuild = reference.rebuild();
            for q in quaternions() {
                let vector = reference.vector_of(q);
                if !vector.iter().all(|part| part.abs() < 1e3) {
                    continue;
                }
                let back = rebuild(vector);
                assert!((square_length(back.map(f64::from)) - 1.0).abs() < 1e-6, "{q:?}");
                assert!(are_near(q, back, 2e-6), "{q:?} became {back:?}");
            }
        }
    }

    #[test]
    fn the_reference_is_within_a_sixth_of_a_turn() {
        for q in quaternions() {
            let reference = Reference::near(q.map(f64::from));
            assert!(reference.0.iter().all(|part| part.abs() <= MAX_REFERENCE));
            // Either sign of the quaternion: the nearer one.
            let size = |q: [f32; 4]| reference.vector_of(q).iter().fold(0.0, |sum, part| sum + part * part);
            let least = f64::min(size(q), size(q.map(|part| -part)));
            assert!(least < 0.07, "{q:?}: {least}");
        }
        for none in [[0.0; 4], [f64::NAN; 4], [f64::INFINITY, 0.0, 0.0, 0.0]] {
            assert_eq!(Reference::near(none), Reference([0; 3]));
        }
    }

    #[test]
    fn what_has_no_direction_is_near_to_nothing() {
        let q = [0.0, 0.0, 0.0, 1.0];
        assert!(is_unit(q, 1e-9) && are_near(q, [0.0, 0.0, 0.0, 3.0], 1e-9));
        for other in [[0.0; 4], [f32::NAN, 0.0, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0, 0.0]] {
            assert!(!is_unit(other, 0.1) && !are_near(q, other, 10.0), "{other:?}");
        }
        assert!(!are_near(q, [0.0, 0.0, 0.0, -1.0], 1.9));
    }
}
