//! Three muscle angles as one rotation: twist about x first, then a swing of y and z together.
//!
//! The swing adds the half-angle tangents of its two angles, `normalize(0, tan(y/2), tan(z/2), 1)`. Taking the angles
//! as one rotation vector, as is often done, is another rotation as soon as both are large.

use super::quat::Quat;
use super::trig::sin_cos;
use super::vec3::Vec3;
use std::f64::consts::{PI, TAU};

/// Below this length twist (or swing) is rounding noise and taken as none.
const VANISHING: f64 = 1e-12;
/// A swing by exactly a half turn has both angles at a half turn, whatever its axis; this little off, their tangents
/// still tell the axis. 1e-8 balances what it turns away against the digits that are left.
const NEAR_HALF_TURN: f64 = 1e-8;

/// The rotation of angles about x, y, z in radians.
pub(super) fn rotation_of(angles: [f64; 3]) -> Quat {
    let [x, y, z] = angles;
    let ((sin_y, cos_y), (sin_z, cos_z)) = (sin_cos(y / 2.0), sin_cos(z / 2.0));
    // Both tangents times both cosines: the same direction without a pole at a half turn. Cosines of f64 values never
    // vanish, so neither does the length.
    let swing = Quat::new(0.0, sin_y * cos_z, sin_z * cos_y, cos_y * cos_z);
    swing.normalized().unwrap_or(Quat::IDENTITY) * Quat::about_x(x)
}

/// The axes about which a rotation turns, for each of its angles, a radian a radian: the derivatives of
/// [`rotation_of`] as rotation vectors.
pub(super) fn axes_of(angles: [f64; 3]) -> [Vec3; 3] {
    let [_, y, z] = angles;
    let ((sin_y, cos_y), (sin_z, cos_z)) = (sin_cos(y / 2.0), sin_cos(z / 2.0));
    let (a, b) = (sin_y * cos_z, sin_z * cos_y);
    let square = a * a + b * b + cos_y * cos_z * (cos_y * cos_z);
    let swing = rotation_of([0.0, y, z]);
    [
        swing.rotate(Vec3::new(1.0, 0.0, 0.0)),
        Vec3::new(-sin_z * cos_z, cos_z * cos_z, 0.0) / square,
        Vec3::new(sin_y * cos_y, 0.0, cos_y * cos_y) / square,
    ]
}

/// The angles of a unit quaternion: each within a half turn.
///
/// A swing by a half turn leaves the twist undefined; it is then taken as 0.
pub(super) fn angles_of(q: Quat) -> [f64; 3] {
    let twist = twist_of(q);
    let swing = q * Quat::about_x(-twist);
    let swing = if swing.w < 0.0 { -swing } else { swing };
    let w = swing.w.max(NEAR_HALF_TURN);
    [twist, 2.0 * swing.y.atan2(w), 2.0 * swing.z.atan2(w)]
}

fn twist_of(q: Quat) -> f64 {
    if q.x.abs() < VANISHING && q.w.abs() < VANISHING { 0.0 } else { wrapped(2.0 * q.x.atan2(q.w)) }
}

/// The same angle within a half turn.
pub(super) fn wrapped(angle: f64) -> f64 {
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_come_back_up_to_nearly_a_half_turn() {
        let angles = [-3.1, -2.0, -0.7, 0.0, 1e-9, 0.3, 1.4, 3.1];
        for x in angles {
            for y in angles {
                for z in angles {
                    let back = angles_of(rotation_of([x, y, z]));
                    let worst = (back[0] - x).abs().max((back[1] - y).abs()).max((back[2] - z).abs());
                    assert!(worst < 1e-9, "{x} {y} {z}: {back:?}");
                }
            }
        }
    }

    #[test]
    fn one_swing_axis_alone_is_a_plain_rotation() {
        let half = 0.6f64;
        let expected = Quat::new(0.0, 0.0, half.sin(), half.cos());
        assert!(rotation_of([0.0, 0.0, 1.2]).angle_to(expected) < 1e-15);
    }

    #[test]
    fn half_turns_and_huge_angles_stay_finite() {
        for angle in [PI, -PI, 3.0 * PI, 1e15, 1e38, -1e300, 1e-300] {
            for angles in [[0.0, angle, 0.0], [0.0, angle, angle], [angle, -angle, angle]] {
                let q = rotation_of(angles);
                assert!((q.dot(q) - 1.0).abs() < 1e-9, "{angles:?}");
                assert!(angles_of(q).iter().all(|a| a.is_finite()), "{angles:?}");
            }
        }
        for q in
            [Quat::new(0.0, 1.0, 0.0, 0.0), Quat::new(0.0, 0.6, -0.8, 0.0), Quat::new(1.0, 0.0, 0.0, 0.0)]
        {
            assert!(rotation_of(angles_of(q)).angle_to(q) < 1e-7, "{q:?}");
        }
    }
}
