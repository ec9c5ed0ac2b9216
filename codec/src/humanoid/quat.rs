//! Rotations as unit quaternions x, y, z, w with the ordinary (Hamilton) product.

use super::trig::sin_cos;
use super::vec3::Vec3;
use std::ops::{Mul, Neg};

/// A rotation; `q` and `-q` are the same one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quat {
    /// x of the vector part.
    pub x: f64,
    /// y of the vector part.
    pub y: f64,
    /// z of the vector part.
    pub z: f64,
    /// The scalar part.
    pub w: f64,
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Quat = Quat::new(0.0, 0.0, 0.0, 1.0);

    /// A quaternion of its components, as they are.
    pub const fn new(x: f64, y: f64, z: f64, w: f64) -> Quat {
        Quat { x, y, z, w }
    }

    /// The rotation by `angle` radians about x.
    pub fn about_x(angle: f64) -> Quat {
        let (sin, cos) = sin_cos(angle / 2.0);
        Quat::new(sin, 0.0, 0.0, cos)
    }

    /// The rotation by `angle` radians about y.
    pub fn about_y(angle: f64) -> Quat {
        let (sin, cos) = sin_cos(angle / 2.0);
        Quat::new(0.0, sin, 0.0, cos)
    }

    /// The rotation by `angle` radians about z.
    pub fn about_z(angle: f64) -> Quat {
        let (sin, cos) = sin_cos(angle / 2.0);
        Quat::new(0.0, 0.0, sin, cos)
    }

    /// The smallest rotation that turns one direction into another. Opposite directions are turned about the axis that
    /// is square to them and nearest to z.
    ///
    /// `None` where a vector has no direction.
    pub fn between(from: Vec3, to: Vec3) -> Option<Quat> {
        let (from, to) = (from.normalized()?, to.normalized()?);
        let axis = from.cross(to);
        let cosine = from.dot(to);
        if cosine > -1.0 + 1e-12 {
            return Quat::new(axis.x, axis.y, axis.z, 1.0 + cosine).normalized();
        }
        let [x, z] = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0)].map(|v| v - from * v.dot(from));
        let axis = if z.length() > 0.1 { z } else { x }.normalized()?;
        Some(Quat::new(axis.x, axis.y, axis.z, 0.0))
    }

    /// The rotation whose images of x, y and z are three orthonormal directions.
    pub fn from_basis(x: Vec3, y: Vec3, z: Vec3) -> Quat {
        // Divide by the largest component, which is at least 1/2; the others may be near 0.
        let (trace, largest) = (x.x + y.y + z.z, x.x.max(y.y).max(z.z));
        let q = if trace > largest {
            Quat::new(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace)
        } else if x.x == largest {
            Quat::new(1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y)
        } else if y.y == largest {
            Quat::new(y.x + x.y, 1.0 + y.y - z.z - x.x, z.y + y.z, z.x - x.z)
        } else {
            Quat::new(z.x + x.z, z.y + y.z, 1.0 + z.z - x.x - y.y, x.y - y.x)
        };
        q.normalized().expect("one component of a rotation is at least 1/2")
    }

    /// The inverse of a unit quaternion.
    pub fn conjugate(self) -> Quat {
        Quat::new(-self.x, -self.y, -self.z, self.w)
    }

    /// The dot product of the four components.
    pub fn dot(self, other: Quat) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    /// Made unit length; `None` where there is no direction: zero, or not finite.
    pub fn normalized(self) -> Option<Quat> {
        let length = self.dot(self).sqrt();
        (length > f64::MIN_POSITIVE && length.is_finite())
            .then(|| Quat::new(self.x / length, self.y / length, self.z / length, self.w / length))
    }

    /// The rotated vector.
    pub fn rotate(self, v: Vec3) -> Vec3 {
        let axis = Vec3::new(self.x, self.y, self.z);
        let t = axis.cross(v) * 2.0;
        v + t * self.w + axis.cross(t)
    }

    /// The angle between two rotations in radians, 0 to pi; keeps its digits where it is small.
    pub fn angle_to(self, other: Quat) -> f64 {
        let turn = self.conjugate() * other;
        2.0 * Vec3::new(turn.x, turn.y, turn.z).length().atan2(turn.w.abs())
    }

    /// The rotation half way to another, along the shorter arc.
    pub fn half_way(self, other: Quat) -> Quat {
        let other = if self.dot(other) < 0.0 { -other } else { other };
        let sum = Quat::new(self.x + other.x, self.y + other.y, self.z + other.z, self.w + other.w);
        sum.normalized().expect("unit quaternions less than a half turn apart do not cancel")
    }

    /// Whether no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite() && self.w.is_finite()
    }
}

impl From<[f64; 4]> for Quat {
    fn from([x, y, z, w]: [f64; 4]) -> Quat {
        Quat::new(x, y, z, w)
    }
}

impl Neg for Quat {
    type Output = Quat;
    fn neg(self) -> Quat {
        Quat::new(-self.x, -self.y, -self.z, -self.w)
    }
}

impl Mul for Quat {
    type Output = Quat;
    fn mul(self, b: Quat) -> Quat {
        let a = self;
        Quat::new(
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Quat> {
        let raw = [
            [0.0, 0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 1e-12],
            [0.0, 0.0, -1.0, 0.0],
            [0.3, -0.5, 0.7, 0.2],
            [-0.9, 0.1, 0.2, -0.4],
            [0.1, -0.2, 0.1, 0.9],
        ];
        raw.into_iter().map(|q| Quat::from(q).normalized().unwrap()).collect()
    }

    #[test]
    fn a_basis_gives_its_rotation_back_in_every_branch() {
        for q in samples() {
            let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| q.rotate(v.into()));
            assert!(Quat::from_basis(axes[0], axes[1], axes[2]).angle_to(q) < 1e-12, "{q:?}");
        }
    }

    #[test]
    fn products_rotate_right_to_left() {
        let v = Vec3::new(0.3, -2.0, 1.5);
        for a in samples() {
            for b in samples() {
                assert!(((a * b).rotate(v) - a.rotate(b.rotate(v))).length() < 1e-12);
            }
        }
    }

    #[test]
    fn directions_are_turned_into_each_other() {
        let directions =
            [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -3.0]];
        for from in directions.map(Vec3::from) {
            for to in directions.map(Vec3::from) {
                let turned = Quat::between(from, to).unwrap().rotate(from);
                assert!((turned / from.length() - to / to.length()).length() < 1e-12, "{from:?} {to:?}");
            }
        }
        assert_eq!(Quat::between(Vec3::ZERO, directions[0].into()), None);
        let turns = Quat::about_x(0.3) * Quat::about_y(0.2) * Quat::about_z(-0.4);
        let by_basis = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| {
            Quat::about_x(0.3).rotate(Quat::about_y(0.2).rotate(Quat::about_z(-0.4).rotate(v.into())))
        });
        assert!(turns.angle_to(Quat::from_basis(by_basis[0], by_basis[1], by_basis[2])) < 1e-12);
    }

    #[test]
    fn small_angles_keep_their_digits_and_half_way_is_half_way() {
        let (a, b) = (Quat::about_x(0.5), Quat::about_x(0.5 + 1e-9));
        assert!((a.angle_to(-b) - 1e-9).abs() < 1e-15);
        assert!(a.half_way(-Quat::about_x(1.5)).angle_to(Quat::about_x(1.0)) < 1e-15);
    }

    #[test]
    fn what_is_no_rotation_is_told() {
        assert_eq!(Quat::new(0.0, 0.0, 0.0, 0.0).normalized(), None);
        assert_eq!(Quat::new(0.0, f64::NAN, 0.0, 1.0).normalized(), None);
        assert_eq!(Quat::new(0.0, 0.0, 0.0, f64::INFINITY).normalized(), None);
    }
}
