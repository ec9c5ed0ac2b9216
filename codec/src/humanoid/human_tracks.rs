//! The humanoid tracks of a clip, frame by frame, ready to be posed.

use super::avatar::Avatar;
use super::bone::Bone;
use super::pose::Transform;
use super::quat::Quat;
use super::vec3::Vec3;
use crate::clip::Clip;
use crate::error::{Error, Result};
use crate::muscles::{MUSCLE_COUNT, MUSCLES};
use crate::track::{ROOT_POSITION, ROOT_ROTATION, Role};

/// Which sample arrays of a clip are muscles and root.
#[derive(Debug, Clone)]
pub struct HumanTracks<'a> {
    muscles: [Option<&'a [f32]>; MUSCLE_COUNT],
    position: Option<[&'a [f32]; 3]>,
    rotation: Option<[&'a [f32]; 4]>,
}

/// The humanoid samples of one frame; a track that the clip lacks has its value at rest.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanFrame {
    /// Muscle values by number.
    pub muscles: [f64; MUSCLE_COUNT],
    /// `RootT` in units of the human scale, and `RootQ` as stored.
    pub root: Transform,
}

impl<'a> HumanTracks<'a> {
    /// The humanoid tracks of a valid clip.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if there is no muscle track.
    pub fn of(clip: &'a Clip) -> Result<HumanTracks<'a>> {
        let mut found = HumanTracks { muscles: [None; MUSCLE_COUNT], position: None, rotation: None };
        let mut first = 0;
        for track in &clip.tracks {
            let array = |component: usize| clip.samples[first + component].as_slice();
            match track.role() {
                Role::Muscle(number) => found.muscles[usize::from(number)] = Some(array(0)),
                Role::RootPosition => found.position = Some([array(0), array(1), array(2)]),
                Role::RootRotation => found.rotation = Some([array(0), array(1), array(2), array(3)]),
                Role::Other => {}
            }
            first += track.components();
        }
        if found.muscles.iter().all(Option::is_none) {
            return Err(Error::invalid("there is no muscle track, so that there is no humanoid to pose"));
        }
        Ok(found)
    }

    /// Checks that two clips have the same humanoid tracks.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] that names a track that one of them lacks.
    pub(super) fn match_with(&self, other: &HumanTracks<'_>) -> Result<()> {
        let odd = (0..MUSCLE_COUNT).find(|&i| self.muscles[i].is_some() != other.muscles[i].is_some());
        let odd = odd.map(|i| MUSCLES[i].property);
        let position = (self.position.is_some() != other.position.is_some()).then_some(ROOT_POSITION);
        let rotation = (self.rotation.is_some() != other.rotation.is_some()).then_some(ROOT_ROTATION);
        match odd.or(position).or(rotation) {
            Some(name) => {
                Err(Error::invalid(format!("track sets differ: only one of the clips has {name:?}")))
            }
            None => Ok(()),
        }
    }

    /// Whether the clip says where the body is or how it is turned.
    pub fn has_any_root(&self) -> bool {
        self.position.is_some() || self.rotation.is_some()
    }

    /// Whether the clip says where the body is and how it is turned.
    pub fn has_root(&self) -> bool {
        self.position.is_some() && self.rotation.is_some()
    }

    /// One frame as it is stored, `rest` where a track is missing.
    ///
    /// # Panics
    /// If the clip has no such frame.
    pub fn frame(&self, frame: usize, rest: &HumanFrame) -> HumanFrame {
        let mut out = rest.clone();
        for (value, samples) in out.muscles.iter_mut().zip(&self.muscles) {
            if let Some(samples) = samples {
                *value = f64::from(samples[frame]);
            }
        }
        if let Some(arrays) = self.position {
            out.root.position = Vec3::from(arrays.map(|samples| f64::from(samples[frame])));
        }
        if let Some(arrays) = self.rotation {
            out.root.rotation = Quat::from(arrays.map(|samples| f64::from(samples[frame])));
        }
        out
    }
}

/// What [`paired`] finds at a frame.
pub(super) enum Pair {
    /// Both frames, all values usable.
    Usable(Box<(HumanFrame, HumanFrame)>),
    /// A value that cannot be posed stands against another value; the bone that it belongs to.
    Incomparable(Bone),
}

/// The same frame of two clips. A value that cannot be posed (NaN, infinite, a quaternion without a direction) and is
/// the same in both, bit for bit, is taken as at rest in both: it moves nothing apart.
pub(super) fn paired(a: &HumanTracks<'_>, b: &HumanTracks<'_>, frame: usize, rest: &HumanFrame) -> Pair {
    let (mut x, mut y) = (a.frame(frame, rest), b.frame(frame, rest));
    for muscle in 0..MUSCLE_COUNT {
        let (p, q) = (&mut x.muscles[muscle], &mut y.muscles[muscle]);
        if p.is_finite() && q.is_finite() {
            continue;
        }
        // Widening keeps a NaN's payload, so that f64 bits decide as f32 bits would.
        if p.to_bits() != q.to_bits() {
            return Pair::Incomparable(Bone::of_muscle(muscle).expect("every muscle turns a bone").0);
        }
        (*p, *q) = (rest.muscles[muscle], rest.muscles[muscle]);
    }
    let bits = |frame: &HumanFrame| {
        let Transform { position: p, rotation: q } = frame.root;
        ([p.x, p.y, p.z].map(f64::to_bits), [q.x, q.y, q.z, q.w].map(f64::to_bits))
    };
    let (bits_x, bits_y) = (bits(&x), bits(&y));
    if !x.root.position.is_finite() || !y.root.position.is_finite() {
        if bits_x.0 != bits_y.0 {
            return Pair::Incomparable(Bone::Hips);
        }
        (x.root.position, y.root.position) = (rest.root.position, rest.root.position);
    }
    match (x.root.rotation.normalized(), y.root.rotation.normalized()) {
        (Some(p), Some(q)) => (x.root.rotation, y.root.rotation) = (p, q),
        _ if bits_x.1 == bits_y.1 => {
            (x.root.rotation, y.root.rotation) = (rest.root.rotation, rest.root.rotation);
        }
        _ => return Pair::Incomparable(Bone::Hips),
    }
    Pair::Usable(Box::new((x, y)))
}

/// One frame of a clip as [`paired`] takes it: a value that cannot be posed is as at rest.
pub(crate) fn usable_frame(tracks: &HumanTracks<'_>, frame: usize, rest: &HumanFrame) -> HumanFrame {
    let mut values = tracks.frame(frame, rest);
    for (value, rest) in values.muscles.iter_mut().zip(&rest.muscles) {
        if !value.is_finite() {
            *value = *rest;
        }
    }
    if !values.root.position.is_finite() {
        values.root.position = rest.root.position;
    }
    if values.root.rotation.normalized().is_none() {
        values.root.rotation = rest.root.rotation;
    }
    values
}

impl HumanFrame {
    /// A T-pose at the avatar's own root at rest.
    pub fn at_rest(avatar: &Avatar) -> HumanFrame {
        HumanFrame { muscles: avatar.rest_muscles(), root: avatar.rest_root() }
    }

    /// Half way to the next frame, each value linearly; the rotation along the shorter arc.
    pub(super) fn half_way(&self, next: &HumanFrame) -> HumanFrame {
        HumanFrame {
            muscles: std::array::from_fn(|i| (self.muscles[i] + next.muscles[i]) / 2.0),
            root: Transform {
                position: (self.root.position + next.root.position) / 2.0,
                rotation: self.root.rotation.half_way(next.root.rotation),
            },
        }
    }
}
