//! `.anim`: files of Unity, files of every layout, and files that mean harm.

mod captures;
mod hostile;
mod layouts;
mod shapes;
mod support;
mod written;
