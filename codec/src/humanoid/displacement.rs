//! How far the joints of two clips are apart on an avatar: millimetres and degrees, with their places.

use super::avatar::Avatar;
use super::bone::{BONE_COUNT, Bone};
use super::human_tracks::{HumanFrame, HumanTracks, Pair, paired};
use super::percentile::Percentile;
use super::pose::Pose;
use super::quat::Quat;
use crate::clip::Clip;
use crate::error::{Error, Result};

/// A largest displacement and where it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorstJoint {
    /// Millimetres or degrees; infinite where a value that cannot be posed stands against another one.
    pub value: f64,
    /// The joint, named by its bone.
    pub joint: Bone,
    /// Frame number from 0.
    pub frame: usize,
    /// Whether it is half way from that frame to the next one.
    pub mid_time: bool,
}

/// The report of [`displacement`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Displacement {
    /// Farthest that a joint is displaced, in millimetres.
    pub max_joint_mm: Option<WorstJoint>,
    /// Farthest that one of the three points 3 cm off each joint is displaced, in millimetres.
    pub max_shell_mm: Option<WorstJoint>,
    /// 99 % of all joints at all instants are displaced no farther, in millimetres; rounded up by up to 0.025 %.
    pub p99_joint_mm: Option<f64>,
    /// Largest angle between a joint's rotations relative to its parent (for the hips: in the world), in degrees.
    pub max_angle_deg: Option<WorstJoint>,
}

/// Measures how far the candidate's joints are from the reference's, at stored times and half way between neighbouring
/// frames, where muscles and root are interpolated linearly. Frames are paired by index; times are not read.
///
/// `RootT` counts in units of the avatar's human scale. Without root tracks the body frame (mass centre and body
/// rotation) stays at [`Avatar::rest_root`]; muscles without a track stay at rest. A value that cannot be posed, such as
/// NaN, is taken as at rest if both clips have the same bits there, else the displacement is infinite.
///
/// All figures are `None` for clips without frames.
///
/// # Errors
/// [`Error::InvalidInput`] if a clip is invalid or has no muscle track, if frame counts or humanoid tracks differ, or if
/// limbs stand so that the body has no direction.
pub fn displacement(reference: &Clip, candidate: &Clip, avatar: &Avatar) -> Result<Displacement> {
    reference.validate()?;
    candidate.validate()?;
    let (frames, other) = (reference.frames(), candidate.frames());
    if frames != other {
        return Err(Error::invalid(format!(
            "frame counts differ: {frames} in the reference, {other} in the candidate"
        )));
    }
    let (reference, candidate) = (HumanTracks::of(reference)?, HumanTracks::of(candidate)?);
    reference.match_with(&candidate)?;

    let rest = HumanFrame::at_rest(avatar);
    let mut tally = Tally::new(avatar);
    let mut before: Option<Box<(HumanFrame, HumanFrame)>> = None;
    for frame in 0..frames {
        match paired(&reference, &candidate, frame, &rest) {
            Pair::Incomparable(bone) => {
                tally.incomparable(bone, frame);
                before = None;
            }
            Pair::Usable(pair) => {
                if let Some(before) = &before {
                    let (a, b) = (before.0.half_way(&pair.0), before.1.half_way(&pair.1));
                    tally.instant(&a, &b, frame - 1, true)?;
                }
                tally.instant(&pair.0, &pair.1, frame, false)?;
                before = Some(pair);
            }
        }
    }
    Ok(Displacement {
        max_joint_mm: tally.joint_mm,
        max_shell_mm: tally.shell_mm,
        p99_joint_mm: tally.percentile.at(99),
        max_angle_deg: tally.angle_deg,
    })
}

/// The worst so far.
struct Tally<'a> {
    avatar: &'a Avatar,
    joint_mm: Option<WorstJoint>,
    shell_mm: Option<WorstJoint>,
    angle_deg: Option<WorstJoint>,
    percentile: Percentile,
}

impl Tally<'_> {
    fn new(avatar: &Avatar) -> Tally<'_> {
        Tally { avatar, joint_mm: None, shell_mm: None, angle_deg: None, percentile: Percentile::new() }
    }

    fn incomparable(&mut self, joint: Bone, frame: usize) {
        let place = WorstJoint { value: f64::INFINITY, joint, frame, mid_time: false };
        for worst in [&mut self.joint_mm, &mut self.shell_mm, &mut self.angle_deg] {
            keep_worse(worst, place);
        }
        self.percentile.add(f64::INFINITY, self.avatar.bones().len() as u64);
    }

    fn instant(&mut self, a: &HumanFrame, b: &HumanFrame, frame: usize, mid_time: bool) -> Result<()> {
        let mut at = WorstJoint { value: 0.0, joint: Bone::Hips, frame, mid_time };
        if a == b {
            for worst in [&mut self.joint_mm, &mut self.shell_mm, &mut self.angle_deg] {
                keep_worse(worst, at);
            }
            self.percentile.add(0.0, self.avatar.bones().len() as u64);
            return Ok(());
        }
        let ((pose_a, local_a), (pose_b, local_b)) = (self.posed(a, frame)?, self.posed(b, frame)?);
        for &bone in self.avatar.bones() {
            at.joint = bone;
            let mm = (pose_a.position(bone) - pose_b.position(bone)).length() * 1000.0;
            self.percentile.add(mm, 1);
            keep_worse(&mut self.joint_mm, WorstJoint { value: mm, ..at });
            for (p, q) in pose_a.shell(bone).into_iter().zip(pose_b.shell(bone)) {
                keep_worse(&mut self.shell_mm, WorstJoint { value: (p - q).length() * 1000.0, ..at });
            }
            let radians = local_a[bone as usize].angle_to(local_b[bone as usize]);
            keep_worse(&mut self.angle_deg, WorstJoint { value: radians.to_degrees(), ..at });
        }
        Ok(())
    }

    /// The pose, and the rotations relative to the parents.
    fn posed(&self, values: &HumanFrame, frame: usize) -> Result<(Pose, [Quat; BONE_COUNT])> {
        let in_frame = |error: Error| Error::invalid(format!("frame {frame}: {error}"));
        let mut local = self.avatar.local_rotations(&values.muscles).map_err(in_frame)?;
        let hips = self.avatar.hips_of(&local, &values.root).map_err(in_frame)?;
        local[Bone::Hips as usize] = hips.rotation;
        Ok((self.avatar.posed(&local, &hips), local))
    }
}

fn keep_worse(worst: &mut Option<WorstJoint>, found: WorstJoint) {
    if worst.is_none_or(|known| found.value > known.value) {
        *worst = Some(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Times;
    use crate::track::Track;

    fn clip(frames: &[[f32; 95]]) -> Clip {
        let times = Times::Uniform { start_s: 0.0, frame_s: 0.02, frames: frames.len() };
        Clip::from_muscle_frames(frames, times).unwrap()
    }

    fn with_root(mut clip: Clip, position: [f32; 3], rotation: [f32; 4]) -> Clip {
        clip.tracks.extend([Track::root_position(), Track::root_rotation()]);
        let frames = clip.frames();
        clip.samples.extend(position.into_iter().chain(rotation).map(|value| vec![value; frames]));
        clip
    }

    fn measured(a: &Clip, b: &Clip) -> Displacement {
        displacement(a, b, Avatar::reference()).unwrap()
    }

    #[test]
    fn equal_clips_are_not_displaced_and_no_frames_have_no_figures() {
        let a = clip(&[[0.3; 95], [f32::NAN; 95], [0.1; 95]]);
        let found = measured(&a, &a);
        assert_eq!(found.max_joint_mm.map(|worst| worst.value), Some(0.0));
        assert_eq!(found.p99_joint_mm, Some(0.0));
        let none = measured(&clip(&[]), &clip(&[]));
        assert_eq!((none.max_joint_mm, none.p99_joint_mm, none.max_angle_deg), (None, None, None));
    }

    #[test]
    fn a_moved_root_displaces_every_joint_by_its_way() {
        let still = clip(&[[0.0; 95]; 2]);
        let a = with_root(still.clone(), [0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
        let b = with_root(still, [0.25, 1.0, 0.0], [0.0, 0.0, 0.0, 2.0]);
        let found = measured(&a, &b);
        let way = 250.0 * Avatar::reference().human_scale();
        for worst in [found.max_joint_mm.unwrap(), found.max_shell_mm.unwrap()] {
            assert!((worst.value - way).abs() < 1e-6, "{worst:?}");
        }
        assert!((found.p99_joint_mm.unwrap() / way - 1.0).abs() < 0.0003);
        assert!(found.max_angle_deg.unwrap().value < 1e-9);
    }

    #[test]
    fn a_turned_leaf_shows_in_its_shell_and_angle_only() {
        let a = clip(&[[0.0; 95]; 3]);
        let mut b = a.clone();
        b.samples[57][1] = 0.5; // Left Thumb 2 Stretched
        b.samples[58][2] = 0.5; // Left Thumb 3 Stretched: 17.5 degrees of the last bone
        let found = measured(&a, &b);
        let angle = found.max_angle_deg.unwrap();
        assert!((angle.value - 17.5).abs() < 1e-9 && angle.frame > 0, "{angle:?}");
        b.samples[57][1] = 0.0;
        let found = measured(&a, &b);
        assert!(found.max_joint_mm.unwrap().value < 1e-9);
        let shell = found.max_shell_mm.unwrap();
        let chord = 2.0 * 30.0 * 8.75f64.to_radians().sin();
        assert!((shell.value - chord).abs() < 1e-6, "{shell:?} for {chord}");
        assert_eq!((shell.joint, shell.frame, shell.mid_time), (Bone::LeftThumbDistal, 2, false));
    }

    #[test]
    fn between_frames_counts_too() {
        // Turned by 179 and by 181 degrees: 2 degrees apart, but half way there they face opposite sides.
        let turned_by = |degrees: f32| {
            let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
            let mut clip = with_root(clip(&[[0.0; 95]; 2]), [0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]);
            (clip.samples[99][1], clip.samples[101][1]) = (sin, cos);
            clip
        };
        let worst = measured(&turned_by(179.0), &turned_by(181.0)).max_angle_deg.unwrap();
        assert!((worst.value - 179.0).abs() < 1e-3, "{worst:?}");
        assert_eq!((worst.joint, worst.frame, worst.mid_time), (Bone::Hips, 0, true));
    }

    #[test]
    fn a_value_that_cannot_be_posed_is_infinitely_far_from_another_one() {
        let a = clip(&[[0.0; 95]; 2]);
        let mut b = a.clone();
        b.samples[9][1] = f32::NAN;
        let worst = measured(&a, &b).max_joint_mm.unwrap();
        assert_eq!((worst.value, worst.joint, worst.frame), (f64::INFINITY, Bone::Neck, 1));
        let identity = [0.0, 0.0, 0.0, 1.0];
        let (p, q) = (with_root(a.clone(), [0.0; 3], identity), with_root(a.clone(), [0.0; 3], [0.0; 4]));
        assert_eq!(measured(&p, &q).max_angle_deg.unwrap().value, f64::INFINITY);
        assert_eq!(measured(&q, &q).max_angle_deg.unwrap().value, 0.0);
        let huge = clip(&[[f32::MAX; 95], [f32::MIN; 95]]);
        let far = measured(&a, &huge).max_joint_mm.unwrap().value;
        assert!(far.is_finite() && far > 0.0, "{far}");
    }

    #[test]
    fn clips_that_cannot_be_paired_are_refused_by_name() {
        let refused = |a: &Clip, b: &Clip| displacement(a, b, Avatar::reference()).unwrap_err().to_string();
        let a = clip(&[[0.0; 95]; 2]);
        assert!(refused(&a, &clip(&[[0.0; 95]])).contains("2 in the reference, 1 in the candidate"));
        let rooted = with_root(a.clone(), [0.0; 3], [0.0, 0.0, 0.0, 1.0]);
        assert!(refused(&rooted, &a).contains("RootT"));
        let mut fewer = a.clone();
        fewer.tracks.remove(4);
        fewer.samples.remove(4);
        assert!(refused(&a, &fewer).contains("Chest Left-Right"));
        assert_eq!(measured(&fewer, &fewer).max_joint_mm.map(|worst| worst.value), Some(0.0));
        let other = Clip::empty(vec![Track::root_position()]);
        assert!(refused(&other, &other).contains("no muscle"));
    }
}
