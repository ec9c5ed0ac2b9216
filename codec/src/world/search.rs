//! The largest steps that hold the bound: encode, and where that may hold, decode, pose and measure.

use super::aim::WorldAim;
use super::body::{Body, Poses};
use super::human::HumanBody;
use crate::block::aim::Exactly;
use crate::clip::Clip;
use crate::config::{DecodeLimits, Effort, EncodeConfig, WorldBounds};
use crate::container::{Levers, posing_arrays};
use crate::decode::decode_with;
use crate::encode::FileWriter;
use crate::error::{Error, Result};
use crate::humanoid::{Avatar, displacement};
use crate::track::Role;
use std::ops::Range;

/// Where the scale of the levers is looked for first, in parts of the bound: captures end at 0.3 to 0.5 of it.
const FIRST_SCALE: f64 = 0.38;
/// Encodings that bring the scale near the one that just holds.
const APPROACHES: usize = 3;
/// The farthest displacement jumps by a few per cent from scale to scale, so what nearly held is tried with more, then
/// with less, in steps of this.
const STEPS_ABOVE: usize = 4;
const STEP: f64 = 0.03;
/// Steps down until they grow to a tenth, and to a half: a clip may need most of its samples exactly.
const SMALL_STEPS: usize = 10;
const LARGER_STEPS: usize = 30;
const MAX_STEPS: usize = 100;
/// What is tried around the scale that held: of equal scales some files are several per cent smaller by chance. Largest of
/// these scales in parts of that one, their number, and the way from one to the next.
const AROUND: f64 = 1.04;
const SCALES: usize = 5;
const SMALL_STEP: f64 = 0.015;
/// Muscles whose levers are longer than the built-in ones, variant by variant: where they end, nothing takes errors back.
/// In some clips fingers alone decide the scale, in others all from the forearms on.
const VARIANTS: [&[Range<usize>]; 3] = [&[], &[55..75, 75..95], &[42..46, 51..95]];
/// By how much, in quarter octaves.
const LONGER: i64 = 2;
/// Encodings that progress is told of as if there were so many.
const USUAL_ENCODINGS: u64 = 23;

/// Encodes a clip so that no joint is displaced farther than the bound.
///
/// # Errors
/// [`Error::InvalidInput`] if the clip has no muscle track, or cannot be posed.
pub(crate) fn encode_world(
    clip: &Clip,
    config: &EncodeConfig,
    bounds: &WorldBounds,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<u8>> {
    let avatar = Avatar::reference();
    let mut search =
        Search { clip, config, mm: bounds.mm, body: HumanBody::new(clip, avatar)?, encodings: 0 };

    // 1. A scale near the largest that holds.
    let mut scale = FIRST_SCALE * bounds.mm;
    for _ in 0..APPROACHES {
        let (_, worst_mm) = search.encode(scale, VARIANTS[0], progress)?;
        let change = bounds.mm / worst_mm;
        scale *= if change.is_nan() { 1.0 } else { change.clamp(0.25, 4.0) };
    }

    // 2. Downwards from a little above it to the first that holds.
    scale *= 1.0 + STEPS_ABOVE as f64 * STEP;
    let mut best: Option<Vec<u8>> = None;
    for step in 0..MAX_STEPS {
        best = search.smaller(best, scale, VARIANTS[0], progress)?;
        if best.is_some() {
            break;
        }
        scale *= match step {
            0..SMALL_STEPS => 1.0 - STEP,
            SMALL_STEPS..LARGER_STEPS => 0.9,
            _ => 0.5,
        };
    }

    // 3. The smallest of several around it.
    if best.is_some() {
        for longer in VARIANTS {
            for number in 0..SCALES {
                let part = AROUND - number as f64 * SMALL_STEP;
                best = search.smaller(best, scale * part, longer, progress)?;
            }
        }
    }
    progress(clip.frames() as u64);
    best.ok_or_else(|| Error::invalid(format!("no encoding keeps joints within {} mm", bounds.mm)))
}

/// A clip that is encoded at one scale after another.
struct Search<'a> {
    clip: &'a Clip,
    config: &'a EncodeConfig,
    mm: f64,
    body: HumanBody<'a>,
    encodings: u64,
}

impl Search<'_> {
    /// The file at a scale if it holds the bound and is smaller than the best one so far; else that one.
    fn smaller(
        &mut self,
        best: Option<Vec<u8>>,
        scale_mm: f64,
        longer: &[Range<usize>],
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Vec<u8>>> {
        let (file, worst_mm) = self.encode(scale_mm, longer, progress)?;
        let is_smaller = best.as_ref().is_none_or(|best| file.len() < best.len());
        let is_better =
            is_smaller && worst_mm <= self.mm && (self.is_measured() || self.measure(&file)? <= self.mm);
        Ok(if is_better { Some(file) } else { best })
    }

    /// Whether [`Search::encode`] measures its files: played blocks take the samples themselves, and nothing keeps count.
    fn is_measured(&self) -> bool {
        self.config.effort == Effort::Fast
    }

    /// The file at a scale, and how far its joints are displaced: to first order, at stored frames, unless it is measured.
    fn encode(
        &mut self,
        scale_mm: f64,
        longer: &[Range<usize>],
        progress: &mut dyn FnMut(u64),
    ) -> Result<(Vec<u8>, f64)> {
        let levers = self.levers(scale_mm, longer);
        let (writer, front) = FileWriter::with_levers(self.clip, self.config, levers)?;
        let (done, all) = (self.encodings * self.clip.frames() as u64, self.clip.frames() as u64);
        let mut told = |frames: u64| progress(((done + frames) / USUAL_ENCODINGS).min(all.saturating_sub(1)));
        let mut worst_mm: f64 = 0.0;
        let file = if self.is_measured() {
            let exactly = &mut |_| Ok(Exactly);
            let file = writer.whole(self.clip, self.config, front, exactly, &mut drop, &mut told)?;
            worst_mm = self.measure(&file)?;
            file
        } else {
            let order = writer.order();
            let mut aim = |frames: Range<usize>| {
                let poses = Poses::new(&self.body, frames.clone())?;
                Ok(WorldAim::new(self.body.plan(), &order, poses, &self.clip.samples, frames, self.mm))
            };
            let mut coded = |aim: WorldAim<'_>| worst_mm = worst_mm.max(aim.worst_mm());
            writer.whole(self.clip, self.config, front, &mut aim, &mut coded, &mut told)?
        };
        self.encodings += 1;
        Ok((file, worst_mm))
    }

    /// The built-in levers; longer ones for some muscles, and where an array hardly moves in the whole clip. As a constant it
    /// has one error in all frames, which nothing takes back, and a finer lattice costs it no more than a few bits.
    fn levers(&self, scale_mm: f64, longer: &[Range<usize>]) -> Levers {
        /// Most quarter octaves that a lever grows by.
        const MOST: i64 = 8;
        /// `2^(1/4)`.
        const QUARTER: f64 = 1.189_207_115_002_721;
        let mut levers = Levers::of_humanoid(&self.clip.tracks, scale_mm);
        let posing_tracks = self.clip.tracks.iter().filter(|track| track.role() != Role::Other);
        let roles = posing_tracks.flat_map(|track| std::iter::repeat_n(track.role(), track.components()));
        for (code, role) in levers.codes.iter_mut().zip(roles) {
            let is_longer = |muscle: usize| longer.iter().any(|range| range.contains(&muscle));
            if matches!(role, Role::Muscle(muscle) if is_longer(usize::from(muscle))) {
                *code += LONGER;
            }
        }
        for (posing, array) in posing_arrays(&self.clip.tracks).into_iter().enumerate() {
            let samples = self.clip.samples[array].iter().map(|&sample| f64::from(sample));
            let (low, high) =
                samples.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            let bound = levers.bound(posing);
            let mut range = (high - low) * 1.2;
            for _ in 0..MOST {
                if range < bound {
                    levers.codes[posing] += 1;
                    range *= QUARTER;
                }
            }
        }
        levers
    }

    /// How far a joint or a point 3 cm off it is displaced at most in the decoded file, at every frame and half way to the
    /// next.
    fn measure(&self, file: &[u8]) -> Result<f64> {
        let limits =
            DecodeLimits { max_samples: u64::MAX, max_components: u32::MAX, max_meta_bytes: u32::MAX };
        let decoded = decode_with(file, &limits, &mut |_| {})?;
        let found = displacement(self.clip, &decoded, Avatar::reference())?;
        Ok([found.max_joint_mm, found.max_shell_mm].iter().flatten().fold(0.0, |most, worst| {
            // NaN is never within a bound.
            if worst.value <= most { most } else { worst.value }
        }))
    }
}
