//! `.anim`: files of Unity, files of every layout, and files that mean harm.

mod captures;
mod generic;
mod hostile;
mod layouts;
mod options;
mod shapes;
mod support;
mod written;
