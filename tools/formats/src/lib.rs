//! The file formats that sinew converts between, behind one registry: sniff, read and write by [`Format`].
//!
//! ```
//! use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, write};
//! let text = "time,Spine Front-Back\n0,0.25\n0.5,-1\n";
//! let loaded = read_from(&mut text.as_bytes(), None, None, &ReadOptions::default(), &mut |_| {})?;
//! assert_eq!((loaded.format, loaded.clip.frames()), (Format::Csv, 2));
//! let mut bytes = Vec::new();
//! write(&loaded.clip, Format::Csv, &WriteOptions::default(), &mut bytes, &mut |_| {})?;
//! assert_eq!(bytes, b"time,Spine Front-Back\n0.0,0.25\n0.5,-1.0\n");
//! # Ok::<(), sinew_formats::Error>(())
//! ```
//!
//! A skeleton's clip becomes a humanoid one where the target asks for it: [`fit()`], by way of [`skeleton`].
//!
//! `registry` lists the formats; each has a module of its own; `sniff` chooses by content; `resample` is the one
//! change of a clip that a caller may ask for on the way.

mod bvh;
mod csv_columns;
mod csv_read;
mod csv_table;
mod csv_write;
mod data_file;
mod error;
mod fit;
pub mod gltf;
pub mod json;
mod load;
mod note;
mod npy;
mod npy_read;
mod npy_write;
mod quote;
mod registry;
mod resample;
mod save;
mod sinew_file;
pub mod skeleton;
mod sniff;
pub mod unity_anim;
mod unity_package;
mod vrma;

pub use error::{Error, Place, Result};
pub use fit::{Figure, FitOptions, fit};
pub use load::{Loaded, PlaskOrClip, ReadOptions, read, read_from, read_plask_from, recover_from};
pub use note::{Note, NoteKind};
pub use registry::{Format, Progress};
pub use resample::resample;
pub use save::{WriteOptions, write};
pub use sniff::sniff;
