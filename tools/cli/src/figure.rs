//! Options that say what becomes of the figure: skeleton or humanoid, on which rig, with which root.

use crate::args::positive;
use anyhow::{Context, Result};
use clap::{Args as ClapArgs, ValueEnum};
use sinew_formats::skeleton::{HumanRig, MapChanges, RootMode, read_rig};
use sinew_formats::{Figure, FitOptions};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longest map that is read: a line for each bone is far less.
const MAX_MAP_BYTES: u64 = 1 << 20;

/// Options about skeletons and the humanoid
#[derive(Debug, ClapArgs)]
pub(crate) struct FigureArgs {
    /// Make a skeleton or a humanoid of the clip; by default a skeleton stays one where the output holds it
    #[arg(long = "as", value_enum, value_name = "FIGURE")]
    pub figure: Option<FigureArg>,
    /// Skeleton that a humanoid is posed on, instead of the reference skeleton: a .bvh or .sinew with a skeleton, a
    /// .glb, .gltf or .vrm, or JSON
    #[arg(long, value_name = "FILE")]
    pub rig: Option<PathBuf>,
    /// Which joints of a skeleton are which bones, where names and shape tell wrongly: lines `Bone = joint`, `-` for
    /// no joint
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,
    /// What becomes of a humanoid's way through space
    #[arg(long, value_enum, default_value_t = RootArg::Keep)]
    pub root: RootArg,
    /// Factor on all lengths of a skeleton that is written, offsets and positions: 0.01 makes metres of centimetres
    #[arg(long, value_name = "F", allow_negative_numbers = true, value_parser = positive)]
    pub scale: Option<f64>,
}

/// What a clip describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureArg {
    /// Channels of a skeleton's joints
    Skeleton,
    /// Muscles, and the root of the body
    Humanoid,
}

/// What becomes of the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RootArg {
    /// It stays
    Keep,
    /// It goes: the body stays level at one place
    Drop,
    /// The body stays above its first place; it turns, rises and sinks
    Inplace,
}

impl FigureArgs {
    /// Reads the files that are named.
    ///
    /// # Errors
    /// What the files' readers refuse, with the file's name.
    pub fn options(&self) -> Result<FitOptions> {
        let map = self.map.as_deref().map(read_map).transpose()?;
        // The map is the input's; a rig has its own names.
        let rig = self.rig.as_deref().map(|path| rig_of(path, None)).transpose()?;
        Ok(FitOptions {
            figure: self.figure.map(|figure| match figure {
                FigureArg::Skeleton => Figure::Skeleton,
                FigureArg::Humanoid => Figure::Humanoid,
            }),
            map,
            rig,
            root: match self.root {
                RootArg::Keep => RootMode::Keep,
                RootArg::Drop => RootMode::Drop,
                RootArg::Inplace => RootMode::InPlace,
            },
            scale: self.scale,
        })
    }
}

/// Reads a rig.
///
/// # Errors
/// What its reader refuses, with the file's name.
pub(crate) fn rig_of(path: &Path, map: Option<&MapChanges>) -> Result<Arc<HumanRig>> {
    read_rig(path, map).map(Arc::new).with_context(|| path.display().to_string())
}

fn read_map(path: &Path) -> Result<MapChanges> {
    let read = || -> Result<MapChanges> {
        let mut text = String::new();
        File::open(path)?.take(MAX_MAP_BYTES).read_to_string(&mut text)?;
        Ok(MapChanges::parse(&text)?)
    };
    read().with_context(|| path.display().to_string())
}
