//! Vectors of three f64: positions and directions in metres.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A position or direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vec3 {
    /// To the right.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Forward.
    pub z: f64,
}

impl Vec3 {
    /// The origin.
    pub const ZERO: Vec3 = Vec3::new(0.0, 0.0, 0.0);

    /// A vector of its components.
    pub const fn new(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }

    /// The cross product `self x other`.
    pub fn cross(self, other: Vec3) -> Vec3 {
        Vec3::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// The dot product.
    pub fn dot(self, other: Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// Euclidean length.
    pub fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The direction; `None` for lengths that have none: zero, or not finite.
    pub fn normalized(self) -> Option<Vec3> {
        let length = self.length();
        (length > f64::MIN_POSITIVE && length.is_finite()).then(|| self / length)
    }

    /// Whether no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl From<[f64; 3]> for Vec3 {
    fn from([x, y, z]: [f64; 3]) -> Vec3 {
        Vec3::new(x, y, z)
    }
}

impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, other: Vec3) -> Vec3 {
        Vec3::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3::new(-self.x, -self.y, -self.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, factor: f64) -> Vec3 {
        Vec3::new(self.x * factor, self.y * factor, self.z * factor)
    }
}

impl Div<f64> for Vec3 {
    type Output = Vec3;
    fn div(self, divisor: f64) -> Vec3 {
        Vec3::new(self.x / divisor, self.y / divisor, self.z / divisor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cross_product_is_at_right_angles_and_ordered() {
        let (a, b) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(-2.0, 0.5, 4.0));
        let c = a.cross(b);
        assert_eq!(c, Vec3::new(6.5, -10.0, 4.5));
        assert_eq!((c.dot(a), c.dot(b)), (0.0, 0.0));
    }

    #[test]
    fn lengths_without_a_direction_are_told() {
        assert_eq!(Vec3::new(0.0, -3.0, 4.0).normalized(), Some(Vec3::new(0.0, -0.6, 0.8)));
        for v in [Vec3::ZERO, Vec3::new(f64::NAN, 0.0, 0.0), Vec3::new(f64::MAX, 1.0, 0.0)] {
            assert_eq!(v.normalized(), None);
        }
    }
}
