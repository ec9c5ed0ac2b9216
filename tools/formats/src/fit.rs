//! Skeleton or humanoid: makes of a clip what its target holds.

use crate::error::{Error, Result};
use crate::note::Note;
use crate::registry::{Format, Progress};
use crate::skeleton::{
    HumanRig, MapChanges, RigHints, RootMode, change_root, scale, to_humanoid, to_skeleton,
};
use sinew::Clip;
use std::sync::Arc;

/// The two ways to describe a figure's motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// Channels of a skeleton's joints.
    Skeleton,
    /// Muscles, and the root of the body.
    Humanoid,
}

/// What is asked of a figure on its way to a target.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FitOptions {
    /// What the target is to hold; `None` leaves skeletons skeletons where the target holds them.
    pub figure: Option<Figure>,
    /// Joints of bones, instead of those that names or shape tell.
    pub map: Option<MapChanges>,
    /// The rig that muscles are posed on; `None` is the reference skeleton.
    pub rig: Option<Arc<HumanRig>>,
    /// What becomes of the root.
    pub root: RootMode,
    /// Factor on all lengths of a skeleton that the target gets, its offsets and position channels: 0.01 makes metres
    /// of centimetres. Finite and positive.
    pub scale: Option<f64>,
}

/// Makes of a clip what `format` is to hold. Skeletons that stay skeletons, and humanoids that stay humanoids but for
/// their root, are given back as they are. A target that poses humanoids itself, such as BVH, takes them.
///
/// # Errors
/// [`Error::InvalidInput`] for a skeleton that is no humanoid, by the bones it lacks, and for options that cannot be
/// met; what solving or posing refuses, by frame.
pub fn fit(
    mut clip: Clip,
    format: Format,
    options: &FitOptions,
    progress: Progress<'_>,
) -> Result<(Clip, Vec<Note>)> {
    if options.scale.is_some_and(|factor| !(factor > 0.0 && factor.is_finite())) {
        return Err(Error::invalid("a scale must be a positive number"));
    }
    let mut notes = Vec::new();
    let is_skeleton = clip.is_skeleton();
    let is_humanoid = clip.tracks.iter().any(|track| track.muscle_index().is_some());
    let wanted = options.figure.unwrap_or(match format.holds_skeletons() {
        true if is_skeleton => Figure::Skeleton,
        _ => Figure::Humanoid,
    });
    if wanted == Figure::Skeleton && !format.holds_skeletons() {
        return Err(Error::invalid(format!("{format} holds no skeleton: `--as skeleton` cannot be met")));
    }
    if options.figure.is_some() && !is_skeleton && !is_humanoid {
        return Err(Error::invalid("there is neither a skeleton nor a muscle track: `--as` cannot be met"));
    }
    // Another rig is reached by way of the muscles.
    let is_solved = is_skeleton && (wanted == Figure::Humanoid || options.rig.is_some());
    // Some pose muscles as they are written, but for a skeleton of another size.
    let poses_itself = matches!(format, Format::Bvh | Format::Vrma);
    let is_posed = (is_humanoid || is_solved)
        && if poses_itself { options.scale.is_some() } else { wanted == Figure::Skeleton };
    if options.map.is_some() && !is_solved {
        notes.push(Note::info("no skeleton is solved for muscles: the map changes nothing"));
    }
    if options.rig.is_some() && !is_posed && !poses_itself {
        notes.push(Note::info("no muscles are posed: the rig changes nothing"));
    }
    let stays_skeleton = is_skeleton && !is_solved;
    if options.scale.is_some() && !stays_skeleton && !is_posed {
        notes.push(Note::info("no skeleton is written: the scale changes nothing"));
    }

    // 1. A skeleton to muscles.
    if is_solved {
        let rig = clip.rig.as_ref().expect("a skeleton clip has a rig");
        let map = options.map.as_ref().map(|changes| changes.applied_to(rig)).transpose()?;
        let human = HumanRig::of_clip(&clip, &RigHints { map, ..RigHints::default() })?;
        let (solved, told) = to_humanoid(&clip, &human, progress)?;
        (clip, notes) = (solved, [notes, told].concat());
    } else if is_skeleton {
        if options.root != RootMode::Keep {
            return Err(Error::invalid(
                "--root changes the root of a humanoid: `--as humanoid` makes one of a skeleton",
            ));
        }
        options.scale.iter().for_each(|&factor| scale(&mut clip, factor));
        return Ok((clip, notes));
    } else if !is_humanoid {
        return Ok((clip, notes));
    }

    // 2. A humanoid's root, and its pose on a rig where channels are asked for.
    notes.extend(change_root(&mut clip, options.root));
    if is_posed {
        let rig = options.rig.as_deref().unwrap_or_else(|| HumanRig::reference());
        let (posed, told) = to_skeleton(&clip, rig, progress)?;
        (clip, notes) = (posed, [notes, told].concat());
        options.scale.iter().for_each(|&factor| scale(&mut clip, factor));
    }
    Ok((clip, notes))
}
