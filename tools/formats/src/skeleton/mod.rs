//! Skeletons and the humanoid: which joint of a skeleton is which human bone, and its motion as muscles and back.
//!
//! | module | idea |
//! |---|---|
//! | `tree`, `channels`, `euler` | a rig's hierarchy, its channels as places of joints, rotations as channels |
//! | `joint_angles` | joints relative to their parents, for files that hold quaternions |
//! | `tokens`, `names`, `shape`, `map` | which joint is which bone |
//! | `space`, `units` | the file's axes and unit |
//! | `stance`, `t_pose` | how a pose stands, and the T-pose that it leads to |
//! | `map_file`, `rig_file`, `rig_json`, `rig_gltf` | maps and rigs that are given |
//! | `human_rig` | all of that, worked out once for a rig |
//! | `solve`, `losses` | a skeleton clip to muscles, and what that loses |
//! | `root` | what becomes of the body's way through space |
//! | `figure` | where joints are, for pictures and checks |
//! | `scale` | another unit of length |
//! | `pose_rig` | muscles to a skeleton's channels |
//! | `bone_frames` | what the bones do in any clip, as turns from the T-pose |

mod bone_frames;
mod channels;
mod euler;
mod figure;
mod human_rig;
mod joint_angles;
mod losses;
mod map;
mod map_file;
mod names;
mod pose_rig;
mod reference_rig;
mod rig_file;
mod rig_gltf;
mod rig_json;
mod root;
mod scale;
mod shape;
mod solve;
mod space;
mod stance;
mod t_pose;
mod tokens;
mod tree;
mod units;

use crate::quote::shown;

pub(crate) use bone_frames::{BoneFrame, bone_frames};
pub(crate) use euler::Order as AngleOrder;
pub use figure::FigureJoints;
pub use human_rig::{HumanRig, RigHints};
pub(crate) use joint_angles::{JointAngles, JointMotion};
pub use map::{BoneMap, MapSource};
pub use map_file::MapChanges;
pub(crate) use pose_rig::pose_frames;
pub use pose_rig::to_skeleton;
pub use reference_rig::reference_rig;
pub use rig_file::read_rig;
pub(crate) use rig_json::usual_axes;
pub use root::RootMode;
pub(crate) use root::change_root;
pub(crate) use scale::scale;
pub use solve::to_humanoid;
pub use space::UpAxis;
pub use t_pose::RestPose;
