//! `.bvh`: files of every layout, files that programs wrote, files that are damaged and files that mean harm.

mod captures;
mod hostile;
mod kinematics;
mod layouts;
mod oracle;
mod properties;
mod recovered;
mod support;
mod written;
