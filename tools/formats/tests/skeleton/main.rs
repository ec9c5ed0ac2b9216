//! Skeletons and the humanoid: maps, T-poses, rigs, and motions that go from one to the other and back.

mod captures;
mod continuity;
mod extra_joints;
mod fitted;
mod hostile;
mod missing;
mod models;
mod names;
mod rest_poses;
mod rig_files;
mod shape;
mod support;
mod waving;
