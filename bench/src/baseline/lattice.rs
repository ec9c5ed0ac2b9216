//! Samples as integers on a lattice that keeps the bound, with the samples that no integer can keep set aside.

use super::byte_reader::ByteReader;
use crate::contract::Contract;
use anyhow::{Context, Result, ensure};
use sinew::Clip;

/// Indices stay below this, so that second differences fit into 32 bits.
const LARGEST_INDEX: f64 = (1 << 28) as f64;

/// A clip's samples on the lattice.
pub(super) struct Lattice {
    /// Components in a row that share a quantization step, and the step.
    pub runs: Vec<(u32, f64)>,
    /// One array a component; sample = index × step.
    pub indices: Vec<Vec<i32>>,
    /// Samples kept verbatim: place in component-major order and bits. NaN, infinities, values too large for 32-bit
    /// indices or for an f32 to be within the bound.
    pub exceptions: Vec<(u32, u32)>,
}

impl Lattice {
    /// Quantizes a clip; every sample that does not come back within its bound becomes an exception.
    pub(super) fn of(clip: &Clip, contract: &Contract) -> Result<Lattice> {
        ensure!(u32::try_from(clip.frames() * clip.components()).is_ok(), "more than 2^32 samples");
        let tolerances = contract.tolerances(clip);
        let mut lattice = Lattice { runs: Vec::new(), indices: Vec::new(), exceptions: Vec::new() };
        for components in equal_runs(&tolerances) {
            let tolerance = tolerances[components.start];
            let step = step_for(tolerance, &clip.samples[components.clone()]);
            lattice.runs.push((components.len() as u32, step));
            for component in components {
                let place = (component * clip.frames()) as u32;
                lattice.push_component(&clip.samples[component], tolerance, step, place);
            }
        }
        Ok(lattice)
    }

    fn push_component(&mut self, samples: &[f32], tolerance: f64, step: f64, place: u32) {
        let (mut before, mut before_that) = (0i32, 0i32);
        let mut indices = Vec::with_capacity(samples.len());
        for (frame, &sample) in samples.iter().enumerate() {
            let index = (f64::from(sample) / step).round();
            let sample_back = (index * step) as f32;
            // Also false for NaN.
            let holds = index.abs() <= LARGEST_INDEX
                && (f64::from(sample_back) - f64::from(sample)).abs() <= tolerance;
            let index = if holds {
                index as i32
            } else {
                self.exceptions.push((place + frame as u32, sample.to_bits()));
                // The linear continuation costs a second difference nothing.
                let line = f64::from(before) * 2.0 - f64::from(before_that);
                line.clamp(-LARGEST_INDEX, LARGEST_INDEX) as i32
            };
            (before_that, before) = (if frame == 0 { index } else { before }, index);
            indices.push(index);
        }
        self.indices.push(indices);
    }

    /// Appends runs and exceptions; the indices are the row's own to code.
    pub(super) fn write_head(&self, out: &mut Vec<u8>) {
        out.extend((self.runs.len() as u16).to_le_bytes());
        for (components, step) in &self.runs {
            out.extend(components.to_le_bytes());
            out.extend(step.to_le_bytes());
        }
        out.extend((self.exceptions.len() as u32).to_le_bytes());
        let mut before = 0;
        for (place, _) in &self.exceptions {
            out.extend((place - before).to_le_bytes());
            before = *place;
        }
        out.extend(self.exceptions.iter().flat_map(|(_, bits)| bits.to_le_bytes()));
    }

    /// Reads what [`Lattice::write_head`] wrote; the indices are still missing.
    pub(super) fn read_head(reader: &mut ByteReader<'_>) -> Result<Lattice> {
        let run_count = reader.u16()?;
        let runs = (0..run_count).map(|_| Ok((reader.u32()?, reader.f64()?))).collect::<Result<_>>()?;
        let count = reader.u32()?;
        let mut place = 0u32;
        let places = (0..count)
            .map(|_| {
                place = place.checked_add(reader.u32()?).context("an exception lies past the end")?;
                Ok(place)
            })
            .collect::<Result<Vec<_>>>()?;
        let exceptions = places.into_iter().map(|place| Ok((place, reader.u32()?))).collect::<Result<_>>()?;
        Ok(Lattice { runs, indices: Vec::new(), exceptions })
    }

    /// Number of components that the runs speak of.
    pub(super) fn components(&self) -> usize {
        self.runs.iter().map(|(components, _)| *components as usize).sum()
    }

    /// The decoded samples.
    pub(super) fn samples(&self, frames: usize) -> Result<Vec<Vec<f32>>> {
        ensure!(self.indices.len() == self.components(), "the indices are not of this shape");
        let steps = self.runs.iter().flat_map(|&(components, step)| (0..components).map(move |_| step));
        let mut samples: Vec<Vec<f32>> = self
            .indices
            .iter()
            .zip(steps)
            .map(|(indices, step)| indices.iter().map(|&index| (f64::from(index) * step) as f32).collect())
            .collect();
        for &(place, bits) in &self.exceptions {
            let place = place as usize;
            let sample = samples
                .get_mut(place / frames.max(1))
                .and_then(|array| array.get_mut(place % frames.max(1)))
                .context("an exception lies past the end")?;
            *sample = f32::from_bits(bits);
        }
        Ok(samples)
    }
}

/// Ranges of neighbours of equal value.
fn equal_runs(values: &[f64]) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    values
        .chunk_by(|a, b| a == b)
        .map(|chunk| {
            let range = start..start + chunk.len();
            start = range.end;
            range
        })
        .collect()
}

/// The largest quantization step that keeps the bound on the f32 that is handed back: half of it, and half the
/// spacing of f32 at the largest value met, fit into the tolerance.
fn step_for(tolerance: f64, samples: &[Vec<f32>]) -> f64 {
    let reach = LARGEST_INDEX * tolerance;
    let largest = samples
        .iter()
        .flatten()
        .map(|sample| f64::from(sample.abs()))
        .filter(|size| *size <= reach)
        .fold(0.0, f64::max);
    let rounding = (largest + tolerance) * f64::from(f32::EPSILON) / 2.0;
    // Where f32 is coarser than the bound most samples become exceptions whatever the step.
    2.0 * (tolerance - rounding).max(tolerance / 2.0)
}
