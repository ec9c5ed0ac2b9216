//! The humanoid against poses of an independent implementation, and against what must hold for any pose.

mod fixture;
mod known_poses;
mod properties;
