//! The humanoid: what muscle values mean on a skeleton, and how far two clips are apart in millimetres.
//!
//! An [`Avatar`] is a skeleton in T-pose with the axes that muscles turn about; [`Avatar::reference`] is the built-in
//! one. Muscles become local rotations and back ([`Avatar::local_rotations`], [`Avatar::muscles`]), a [`Pose`] places
//! every bone in the world from muscles and the body's root ([`Avatar::pose`]), and [`displacement`] measures the
//! worst joint between two clips.
//!
//! World axes: x right, y up, z forward, left-handed, metres; the character faces +z, so its left side is at -x.
//! Zero muscles is not the T-pose: it is a half-crouched pose with bent elbows and knees.
//!
//! No decoder runs anything of this. An encoder that keeps a bound in millimetres poses clips, so poses use sines that are
//! the same on every machine; elsewhere the standard library's trigonometry is used, whose last bits may differ.
//!
//! ```
//! use sinew::humanoid::{Avatar, Bone};
//!
//! let avatar = Avatar::reference();
//! let mut muscles = avatar.rest_muscles();
//! let arm = sinew::muscle_index("Left Arm Down-Up").expect("a muscle");
//! let rest = avatar.pose(&muscles, &avatar.rest_root())?;
//! muscles[arm] = 1.0;
//! let raised = avatar.pose(&muscles, &avatar.rest_root())?;
//! assert!(raised.position(Bone::LeftHand).y > rest.position(Bone::LeftHand).y + 0.3);
//! # Ok::<(), sinew::Error>(())
//! ```

mod avatar;
mod axes;
mod body;
mod bone;
mod displacement;
mod goal;
mod human_tracks;
mod linear;
mod percentile;
mod pose;
mod quat;
mod reference;
mod rotations;
mod solve;
mod swing_twist;
mod trig;
mod vec3;

pub use avatar::{Avatar, AvatarBone, TwistShares};
pub use bone::{BONE_COUNT, Bone, BoneInfo};
pub use displacement::{Displacement, WorstJoint, displacement};
pub use goal::Goal;
pub(crate) use human_tracks::usable_frame;
pub use human_tracks::{HumanFrame, HumanTracks};
pub(crate) use linear::{LinearAvatar, Twist};
pub use pose::{Pose, SHELL_M, Transform};
pub use quat::Quat;
pub use solve::MusclesBefore;
pub use vec3::Vec3;
