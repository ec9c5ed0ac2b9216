//! Rotations to a joint's rotation channels: angles about three axes in the order in which a file lists them.

use sinew::humanoid::{Quat, Vec3};

/// Cosine of the middle angle below which the first and the last axis are the same: the last one then does not turn.
const GIMBAL: f64 = 1e-9;

/// The order of a joint's rotation channels: distinct axes 0, 1, 2, at most three.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Order(Vec<usize>);

impl Order {
    /// `None` if an axis comes twice.
    pub fn new(axes: Vec<usize>) -> Option<Order> {
        let distinct = axes.iter().enumerate().all(|(index, axis)| !axes[..index].contains(axis));
        distinct.then_some(Order(axes))
    }

    /// That of most programs: z, x, y.
    pub fn usual() -> Order {
        Order(vec![2, 0, 1])
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The angles in degrees whose product in this order is the rotation, each as near as can be to the frame before.
    /// With fewer than three axes the nearest rotation that these allow: the last angles of three are left out.
    pub fn angles(&self, q: Quat, before: Option<&[f64]>) -> Vec<f64> {
        let [a, b, c] = self.all_three();
        let angles = decompose(q, [a, b, c]);
        let Some(before) = before else { return angles[..self.len()].to_vec() };
        // The same rotation the other way round: half turns about the outer axes, the middle one mirrored.
        let other = [angles[0] + 180.0, 180.0 - angles[1], angles[2] + 180.0];
        let near = |angles: [f64; 3]| -> Vec<f64> {
            angles.iter().zip(before).map(|(&angle, &before)| nearest(angle, before)).collect()
        };
        let way = |angles: &[f64]| -> f64 { angles.iter().zip(before).map(|(a, b)| (a - b).abs()).sum() };
        let (first, second) = (near(angles), near(other));
        if self.len() == 3 && way(&second) < way(&first) { second } else { first }
    }

    /// The axes, filled up to three.
    fn all_three(&self) -> [usize; 3] {
        let mut axes = self.0.clone();
        axes.extend((0..3).filter(|axis| !self.0.contains(axis)));
        [axes[0], axes[1], axes[2]]
    }
}

/// The angle plus full turns that is nearest to another.
fn nearest(angle: f64, to: f64) -> f64 {
    angle + 360.0 * ((to - angle) / 360.0).round()
}

/// Angles in degrees about distinct axes i, j, k with `R = R_i R_j R_k`; the middle one within a quarter turn.
///
/// Column k of the rotation is `R_i R_j` applied to axis k, which has no part of the last angle.
fn decompose(q: Quat, [i, j, k]: [usize; 3]) -> [f64; 3] {
    // +1 for the cyclic orders xyz, yzx, zxy.
    let sense = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| q.rotate(Vec3::from(axis)));
    let entry = |row: usize, column: usize| {
        let v = axes[column];
        [v.x, v.y, v.z][row]
    };
    let sine = (sense * entry(i, k)).clamp(-1.0, 1.0);
    let cosine = entry(i, i).hypot(entry(i, j));
    let middle = sine.atan2(cosine);
    let (first, last) = if cosine > GIMBAL {
        ((-sense * entry(j, k)).atan2(entry(k, k)), (-sense * entry(i, j)).atan2(entry(i, i)))
    } else {
        ((sense * entry(k, j)).atan2(entry(j, j)), 0.0)
    };
    [first, middle, last].map(f64::to_degrees)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(axis: usize, degrees: f64) -> Quat {
        let angle = degrees.to_radians();
        [Quat::about_x(angle), Quat::about_y(angle), Quat::about_z(angle)][axis]
    }

    fn product(order: &[usize], angles: &[f64]) -> Quat {
        order.iter().zip(angles).fold(Quat::IDENTITY, |q, (&axis, &angle)| q * about(axis, angle))
    }

    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    #[test]
    fn every_order_gives_its_rotation_back_even_at_the_gimbal() {
        for axes in ORDERS {
            let order = Order::new(axes.to_vec()).unwrap();
            for a in [-179.0, -90.0, -1e-7, 0.0, 33.0, 180.0] {
                for b in [-90.0, -89.999, -30.0, 0.0, 60.0, 90.0] {
                    for c in [-120.0, 0.0, 10.0, 90.0] {
                        let q = product(&axes, &[a, b, c]);
                        let back = product(&axes, &order.angles(q, None));
                        assert!(back.angle_to(q) < 1e-7, "{axes:?} {a} {b} {c}: {}", back.angle_to(q));
                    }
                }
            }
        }
    }

    #[test]
    fn angles_go_on_from_the_frame_before() {
        for axes in ORDERS {
            let order = Order::new(axes.to_vec()).unwrap();
            let mut before = vec![0.0, 0.0, 0.0];
            for step in 0..=100 {
                let t = f64::from(step);
                let angles = [t * 8.0, 20.0 + t * 1.5, -t * 5.0];
                let found = order.angles(product(&axes, &angles), Some(&before));
                let jump = found.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(jump < 21.0, "{axes:?} step {step}: {found:?} after {before:?}");
                assert!(product(&axes, &found).angle_to(product(&axes, &angles)) < 1e-7);
                before = found;
            }
        }
    }

    #[test]
    fn few_axes_turn_as_they_can() {
        let one = Order::new(vec![1]).unwrap();
        assert!((one.angles(about(1, 40.0), None)[0] - 40.0).abs() < 1e-9);
        let two = Order::new(vec![2, 0]).unwrap();
        let found = two.angles(product(&[2, 0], &[30.0, 50.0]), None);
        assert!((found[0] - 30.0).abs() < 1e-9 && (found[1] - 50.0).abs() < 1e-9, "{found:?}");
        assert_eq!(Order::new(vec![]).unwrap().angles(about(0, 10.0), None), Vec::<f64>::new());
        assert_eq!(Order::new(vec![0, 1, 0]), None);
    }
}
