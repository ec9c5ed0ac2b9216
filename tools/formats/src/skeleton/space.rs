//! Between a file's axes (right-handed, y or z up, any unit) and those of the humanoid (left-handed, y up, metres).

use sinew::humanoid::{Quat, Transform, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Which axis of a file points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpAxis {
    /// y, as BVH files mostly have it.
    Y,
    /// z, as some programs export.
    Z,
}

/// A file's axes and unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Space {
    pub up: UpAxis,
    /// Metres per unit of the file.
    pub metres: f64,
}

impl Space {
    /// The turn that stands a z-up file on its feet.
    fn upright(self) -> Quat {
        match self.up {
            UpAxis::Y => Quat::IDENTITY,
            UpAxis::Z => Quat::about_x(-FRAC_PI_2),
        }
    }

    /// A world transform of the file as the humanoid has it.
    pub fn to_human(self, file: Transform) -> Transform {
        let turn = self.upright();
        Transform {
            position: mirrored(turn.rotate(file.position)) * self.metres,
            rotation: mirrored_rotation(turn * file.rotation),
        }
    }

    /// The reverse of [`Space::to_human`].
    pub fn to_file(self, human: Transform) -> Transform {
        let back = self.upright().conjugate();
        Transform {
            position: back.rotate(mirrored(human.position / self.metres)),
            rotation: back * mirrored_rotation(human.rotation),
        }
    }
}

/// A vector mirrored at x = 0: left-handed axes from right-handed ones, and back.
pub(super) fn mirrored(v: Vec3) -> Vec3 {
    Vec3::new(-v.x, v.y, v.z)
}

/// The rotation that does to mirrored vectors what `q` does to vectors.
pub(super) fn mirrored_rotation(q: Quat) -> Quat {
    Quat::new(q.x, -q.y, -q.z, q.w)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_and_with_vectors() {
        let q = Quat::about_z(0.4) * Quat::about_x(1.1) * Quat::about_y(-0.3);
        let file = Transform { position: Vec3::new(3.0, -2.0, 50.0), rotation: q };
        for up in [UpAxis::Y, UpAxis::Z] {
            let space = Space { up, metres: 0.01 };
            let human = space.to_human(file);
            let back = space.to_file(human);
            assert!((back.position - file.position).length() < 1e-12 && back.rotation.angle_to(q) < 1e-12);
            // A point fixed to the joint goes where the joint takes it, in either space.
            let point = Vec3::new(0.5, 1.0, -2.0);
            let there = Transform { position: file.position + q.rotate(point), rotation: q };
            let by_human = human.position + human.rotation.rotate(mirrored(point) * 0.01);
            assert!((space.to_human(there).position - by_human).length() < 1e-12);
        }
        let up = Space { up: UpAxis::Z, metres: 1.0 };
        let z = Transform { position: Vec3::new(0.0, 0.0, 1.0), rotation: Quat::IDENTITY };
        assert!((up.to_human(z).position - Vec3::new(0.0, 1.0, 0.0)).length() < 1e-12);
    }
}
