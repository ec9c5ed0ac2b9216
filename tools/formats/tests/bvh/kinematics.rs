//! Places in the world: a joint's rotation is the product of its channels' in the order in which the file lists them.

use crate::support::{bvh_of, clip_of, through_sinew};
use sinew::{Clip, JointAxis};

const MIXED_ORDERS: &str = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n  JOINT Arm\n  {\n    OFFSET 10 0 0
    CHANNELS 3 Yrotation Zrotation Xrotation\n    JOINT Hand\n    {\n      OFFSET 0 5 0
      CHANNELS 3 Xrotation Zrotation Yrotation\n      End Site\n      {\n        OFFSET 0 0 2\n      }\n    }\n  }\n}
MOTION\nFrames: 1\nFrame Time: 0.0333333\n1 90 3 30 -40 50 15 75 -20 -65 35 110\n";

type Matrix = [[f64; 3]; 3];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum()))
}

fn applied(matrix: &Matrix, v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| (0..3).map(|k| matrix[row][k] * v[k]).sum())
}

fn turn(axis: usize, degrees: f64) -> Matrix {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = [[0.0; 3]; 3];
    matrix[axis][axis] = 1.0;
    (matrix[next][next], matrix[next][last]) = (cos, -sin);
    (matrix[last][next], matrix[last][last]) = (sin, cos);
    matrix
}

/// Places of all joints. Position channels replace the offset.
fn places(clip: &Clip, frame: usize) -> Vec<[f64; 3]> {
    let mut values = clip.samples.iter().map(|samples| f64::from(samples[frame]));
    let mut world: Vec<(Matrix, [f64; 3])> = Vec::new();
    for joint in &clip.rig.as_ref().expect("a rig").joints {
        let mut local = turn(0, 0.0);
        let mut offset = joint.offset.map(f64::from);
        for &axis in &joint.axes {
            let value = values.next().expect("a channel");
            match axis {
                JointAxis::PositionX => offset[0] = value,
                JointAxis::PositionY => offset[1] = value,
                JointAxis::PositionZ => offset[2] = value,
                JointAxis::RotationX => local = product(&local, &turn(0, value)),
                JointAxis::RotationY => local = product(&local, &turn(1, value)),
                JointAxis::RotationZ => local = product(&local, &turn(2, value)),
            }
        }
        let (rotation, place) = joint.parent.map_or((turn(0, 0.0), [0.0; 3]), |parent| world[parent]);
        let moved = applied(&rotation, offset);
        world.push((product(&rotation, &local), std::array::from_fn(|k| place[k] + moved[k])));
    }
    world.into_iter().map(|(_, place)| place).collect()
}

#[test]
fn joints_of_different_orders_stand_where_they_should() {
    let expected = [
        [1.0, 90.0, 3.0],
        [7.63414, 93.83022, 9.42788],
        [3.51086, 92.77435, 6.80420],
        [2.90297, 94.60386, 7.33654],
    ];
    let clip = clip_of(MIXED_ORDERS);
    let again = clip_of(&bvh_of(&clip).0);
    let through = clip_of(&bvh_of(&through_sinew(&clip)).0);
    for clip in [clip, again, through] {
        for (found, expected) in places(&clip, 0).iter().zip(expected) {
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1e-4, "{found:?} is not {expected:?}");
            }
        }
    }
}
