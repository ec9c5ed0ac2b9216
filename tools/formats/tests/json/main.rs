//! JSON: Plask's answers, clips of three.js, the recorder's frames; legacy clips; files that are wrong or mean harm.

mod captures;
mod hostile;
mod legacy;
mod muscles;
mod plask;
mod support;
mod three;
