//! A body to first order: bones in depth-first order, so that all that hangs on one is a range, and for each sample array
//! the rigid motions of such ranges that a unit of it causes.

use crate::error::Result;
use crate::humanoid::{Quat, SHELL_M, Twist, Vec3};
use std::ops::Range;

/// Bones are padded to whole lanes.
pub(super) const LANES: usize = 8;

/// What does not change from frame to frame.
pub(super) struct Plan {
    pub(super) bones: usize,
    /// For each sample array of the clip the ranges of bones that it moves; none for an array that poses nothing.
    pub(super) moved: Vec<Vec<Range<usize>>>,
    /// For each sample array the bones that hang on what it turns or shifts itself, whatever else moves along.
    pub(super) own: Vec<Range<usize>>,
}

/// A clip's body.
pub(super) trait Body {
    fn plan(&self) -> &Plan;

    /// Poses one frame of the clip.
    ///
    /// # Errors
    /// If the frame cannot be posed.
    fn pose(&self, frame: usize) -> Result<Posed>;
}

/// One pose, positions and shifts in metres.
pub(super) struct Posed {
    /// Place and rotation of each bone.
    pub(super) bones: Vec<(Vec3, Quat)>,
    /// A twist for each range of [`Plan::moved`], array by array.
    pub(super) twists: Vec<Twist>,
}

/// The poses of a block in f32 and millimetres, about a point near the body.
pub(super) struct Poses {
    /// Bones, padded.
    pub(super) lanes: usize,
    /// `[frame][x, y, z][bone]`.
    positions: Vec<f32>,
    /// `[frame][shell point][x, y, z][bone]`, relative to the joint.
    shells: Vec<f32>,
    /// `[frame][slot][turn x, y, z, shift x, y, z]`.
    twists: Vec<[f32; 6]>,
    /// Of each array its first slot.
    slots: Vec<usize>,
    slots_per_frame: usize,
}

impl Poses {
    pub(super) fn new(body: &dyn Body, frames: Range<usize>) -> Result<Poses> {
        let plan = body.plan();
        let lanes = plan.bones.next_multiple_of(LANES);
        let mut slots_per_frame = 0;
        let slots = plan
            .moved
            .iter()
            .map(|ranges| {
                slots_per_frame += ranges.len();
                slots_per_frame - ranges.len()
            })
            .collect();
        let mut poses = Poses {
            lanes,
            positions: vec![0.0; frames.len() * 3 * lanes],
            shells: vec![0.0; frames.len() * 9 * lanes],
            twists: Vec::with_capacity(frames.len() * slots_per_frame),
            slots,
            slots_per_frame,
        };
        for (number, frame) in frames.enumerate() {
            poses.fill(number, &body.pose(frame)?);
        }
        Ok(poses)
    }

    fn fill(&mut self, frame: usize, posed: &Posed) {
        let lanes = self.lanes;
        // Far from the world's origin f32 would not tell millimetres.
        let origin = posed.bones.first().map_or(Vec3::ZERO, |bone| bone.0);
        let positions = &mut self.positions[frame * 3 * lanes..][..3 * lanes];
        let shells = &mut self.shells[frame * 9 * lanes..][..9 * lanes];
        for (bone, &(position, rotation)) in posed.bones.iter().enumerate() {
            let at = (position - origin) * 1000.0;
            for (axis, value) in [at.x, at.y, at.z].into_iter().enumerate() {
                positions[axis * lanes + bone] = value as f32;
            }
            let mm = SHELL_M * 1000.0;
            let points = [Vec3::new(mm, 0.0, 0.0), Vec3::new(0.0, mm, 0.0), Vec3::new(0.0, 0.0, mm)];
            for (point, offset) in points.into_iter().enumerate() {
                let offset = rotation.rotate(offset);
                for (axis, value) in [offset.x, offset.y, offset.z].into_iter().enumerate() {
                    shells[(point * 3 + axis) * lanes + bone] = value as f32;
                }
            }
        }
        self.twists.extend(posed.twists.iter().map(|twist| {
            let shift = (twist.shift + twist.turn.cross(origin)) * 1000.0;
            [twist.turn.x, twist.turn.y, twist.turn.z, shift.x, shift.y, shift.z].map(|x| x as f32)
        }));
    }

    /// `[x, y, z][bone]`.
    pub(super) fn positions(&self, frame: usize) -> &[f32] {
        &self.positions[frame * 3 * self.lanes..][..3 * self.lanes]
    }

    /// `[shell point][x, y, z][bone]`.
    pub(super) fn shells(&self, frame: usize) -> &[f32] {
        &self.shells[frame * 9 * self.lanes..][..9 * self.lanes]
    }

    /// The twist of an array's range number `part`: turn, then shift.
    pub(super) fn twist(&self, frame: usize, array: usize, part: usize) -> [f32; 6] {
        self.twists[frame * self.slots_per_frame + self.slots[array] + part]
    }
}
