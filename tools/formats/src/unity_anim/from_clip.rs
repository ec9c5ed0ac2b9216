//! Clip to file: one key a frame unless keys are to be left out, written curve by curve so that no second copy is held.

use super::document::{Curve, Key};
use super::packed::Property;
use super::plan::{Plan, PlannedCurve};
use super::reduce::{Worst, reduce};
use super::settings::ClipSettings;
use super::tangents::set_tangents;
use super::write::AnimWriter;
use super::{AnimOptions, META_NAME};
use crate::error::{Error, Place, Result};
use crate::note::{Note, meta_losses_except, rig_loss};
use crate::quote::named;
use crate::registry::{Format, Progress};
use crate::save::WriteOptions;
use sinew::{Clip, Times, TrackKind};
use std::io::Write;

/// Name of a clip that has none. It is the same for every clip, so that equal clips give equal files.
const NO_NAME: &str = "clip";
/// Rate of the editor's grid for a clip whose own cannot be told.
const USUAL_HZ: f32 = 60.0;
/// How far from a whole number a rate may be to be taken for it.
const WHOLE_HZ: f64 = 1e-3;

/// The name that a clip is written under.
pub(crate) fn name_of_clip(clip: &Clip) -> &str {
    clip.meta.get(META_NAME).map_or(NO_NAME, String::as_str)
}

/// Writes a clip as a text `.anim`.
pub(crate) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    clip.validate()?;
    let options = options.anim;
    options.validate()?;
    let mut notes = Vec::new();
    // 1. What becomes a key, and of which curve. Nothing is written before all of it is known to be good.
    let (frames, times_s) = choose_frames(clip, &mut notes)?;
    let plan = Plan::of(clip, &mut notes)?;
    let kept_meta = plan.kept_meta(clip);
    notes.extend(meta_losses_except(clip, &kept_meta.iter().map(String::as_str).collect::<Vec<_>>()));
    if !plan.keeps_rig(clip, frames.first().copied())? {
        notes.extend(rig_loss(clip));
    }
    require_finite(clip, &plan, &frames)?;
    let turned = turns(clip, &frames, &mut notes);

    // 2. The curves.
    let mut writer = AnimWriter::new(sink);
    writer.start(name_of_clip(clip), plan.is_legacy(clip))?;
    let mut curves = Curves {
        clip,
        plan: &plan,
        frames: &frames,
        times_s: &times_s,
        turned,
        options,
        done: 0,
        reduced: None,
        progress,
    };
    curves.write_list::<4>(&mut writer, "m_RotationCurves", Property::Rotation)?;
    writer.list("  ", "m_CompressedRotationCurves", true);
    curves.write_list::<3>(&mut writer, "m_EulerCurves", Property::Euler)?;
    curves.write_list::<3>(&mut writer, "m_PositionCurves", Property::Position)?;
    curves.write_list::<3>(&mut writer, "m_ScaleCurves", Property::Scale)?;
    curves.write_list::<1>(&mut writer, "m_FloatCurves", Property::Float)?;
    notes.extend(curves.reduced.and_then(|reduced| reduced.note()));

    // 3. What Unity needs besides.
    writer.middle(grid_hz(&clip.times), plan.wrap_mode(clip))?;
    writer.list("  ", "  genericBindings", plan.curves.is_empty());
    for property in [Property::Position, Property::Rotation, Property::Scale, Property::Euler] {
        plan.list(property).try_for_each(|curve| writer.transform_binding(&curve.binding.path, property))?;
    }
    plan.list(Property::Float).try_for_each(|curve| writer.binding(&curve.binding))?;
    // The clip begins with time itself: before its first key a curve stays.
    let start_s = times_s.first().copied().unwrap_or(0.0).min(0.0);
    let stop_s = times_s.last().copied().unwrap_or(0.0);
    writer.settings(&match plan.humanoid {
        true => ClipSettings::recorded(start_s, stop_s),
        false => ClipSettings { start_s, stop_s, ..ClipSettings::default() },
    })?;
    // The editor shows the curves above where it has none of its own.
    writer.list("  ", "m_EditorCurves", true);
    writer.end(plan.list(Property::Float).any(|curve| curve.binding.attribute.starts_with("Motion")))?;
    Ok(notes)
}

/// Writes the planned curves.
struct Curves<'a> {
    clip: &'a Clip,
    plan: &'a Plan,
    /// The frames that become keys, and their times.
    frames: &'a [usize],
    times_s: &'a [f32],
    /// For each track, which keys are negated.
    turned: Vec<Option<Vec<bool>>>,
    options: AnimOptions,
    /// Number of curves written.
    done: usize,
    reduced: Option<Reduced>,
    progress: Progress<'a>,
}

/// What key reduction did to all curves together.
#[derive(Default)]
struct Reduced {
    before: u64,
    after: u64,
    largest: Option<(Worst, String)>,
}

impl Curves<'_> {
    fn write_list<const N: usize>(
        &mut self,
        writer: &mut AnimWriter<'_>,
        name: &str,
        property: Property,
    ) -> Result<()> {
        let plan = self.plan;
        writer.list("  ", name, plan.list(property).next().is_none());
        for planned in plan.list(property) {
            let mut keys = self.keys::<N>(planned);
            self.reduce(&mut keys, planned);
            let curve =
                Curve { keys, rotation_order: planned.rotation_order, ..Curve::new(planned.binding.clone()) };
            writer.curve(&curve, property == Property::Float)?;
            self.done += 1;
            (self.progress)((self.clip.frames() * self.done / plan.curves.len()) as u64);
        }
        Ok(())
    }

    /// One key a frame.
    fn keys<const N: usize>(&self, planned: &PlannedCurve) -> Vec<Key<N>> {
        let arrays: [&[f32]; N] =
            std::array::from_fn(|component| self.clip.samples[planned.components[component]].as_slice());
        let turned = self.turned[planned.track].as_deref();
        let sign = |key: usize| if turned.is_some_and(|turned| turned[key]) { -1.0 } else { 1.0 };
        let instants = self.frames.iter().zip(self.times_s).enumerate();
        let mut keys: Vec<Key<N>> = instants
            .map(|(key, (&frame, &time_s))| {
                Key::level(time_s, arrays.map(|samples| sign(key) * samples[frame]))
            })
            .collect();
        set_tangents(&mut keys, self.options.tangents);
        keys
    }

    fn reduce<const N: usize>(&mut self, keys: &mut Vec<Key<N>>, planned: &PlannedCurve) {
        let Some(tolerance) = self.options.reduce else { return };
        let reduced = self.reduced.get_or_insert_default();
        reduced.before += keys.len() as u64;
        let worst = reduce(keys, self.options.tangents, tolerance);
        reduced.after += keys.len() as u64;
        if let Some(worst) = worst
            && reduced.largest.as_ref().is_none_or(|(largest, _)| worst.error > largest.error)
        {
            reduced.largest = Some((worst, planned.component_name(self.clip, worst.component)));
        }
    }
}

impl Reduced {
    /// What is told of it; nothing if every key was kept.
    fn note(self) -> Option<Note> {
        let Reduced { before, after, largest } = self;
        let (Worst { error, time_s, .. }, name) = largest?;
        let at = if error > 0.0 { format!(" ({name} at {time_s} s)") } else { String::new() };
        Some(Note::loss(format!(
            "keys left out: {after} of {before} are written; largest error {error:e}{at}"
        )))
    }
}

/// Frames that become keys, with their times: those later than every frame before, as a curve's keys must be.
fn choose_frames(clip: &Clip, notes: &mut Vec<Note>) -> Result<(Vec<usize>, Vec<f32>)> {
    let (mut frames, mut times_s): (Vec<usize>, Vec<f32>) = (Vec::new(), Vec::new());
    let (mut rounded, mut largest) = (0u64, (0.0f64, 0usize));
    for (frame, time_s) in clip.times.iter().enumerate() {
        let stored = time_s as f32;
        if !stored.is_finite() {
            let place = Place::Frame { frame: frame as u64, component: None };
            return Err(Error::format(
                Format::Anim,
                place,
                format!("time {time_s:e} s does not fit float32"),
            ));
        }
        if times_s.last().is_some_and(|&last| stored <= last) {
            continue;
        }
        let shift = (f64::from(stored) - time_s).abs();
        rounded += u64::from(shift > 0.0);
        if shift > largest.0 {
            largest = (shift, frame);
        }
        frames.push(frame);
        times_s.push(stored);
    }
    let dropped = clip.frames() - frames.len();
    if dropped > 0 {
        notes.push(Note::loss(format!(
            "{dropped} dropped of {} frames: their time is not later than that of every frame before, as a key's must be",
            clip.frames()
        )));
    }
    if rounded > 0 {
        let (shift, frame) = largest;
        notes.push(Note::loss(format!(
            "times rounded to float32: {rounded}, by {shift:e} s at most (frame {frame})"
        )));
    }
    Ok((frames, times_s))
}

/// Unity reads text that is not a number as it likes, so such a clip is refused as a whole.
fn require_finite(clip: &Clip, plan: &Plan, frames: &[usize]) -> Result<()> {
    let components = plan.curves.iter().flat_map(|curve| {
        curve.components.iter().enumerate().map(move |(number, &component)| (curve, number, component))
    });
    let bad = components.filter_map(|(curve, number, component)| {
        let samples = &clip.samples[component];
        let frame = frames.iter().find(|&&frame| !samples[frame].is_finite());
        frame.map(|&frame| (frame, component, curve, number))
    });
    let Some((frame, component, curve, number)) = bad.min_by_key(|bad| (bad.0, bad.1)) else { return Ok(()) };
    let (name, value) = (curve.component_name(clip, number), clip.samples[component][frame]);
    let place = Place::Frame { frame: frame as u64, component: Some(component as u64) };
    Err(Error::format(
        Format::Anim,
        place,
        format!("{} is {value}, and a key must be a finite number", named(&name)),
    ))
}

/// For each rotation track, which keys are negated so that neighbours take the shorter way.
///
/// A quaternion and its negative are the same rotation, but Unity goes from one to the other through 0.
fn turns(clip: &Clip, frames: &[usize], notes: &mut Vec<Note>) -> Vec<Option<Vec<bool>>> {
    let mut turned: Vec<Option<Vec<bool>>> = vec![None; clip.tracks.len()];
    let (mut component, mut count) = (0, 0usize);
    for (track, turned) in clip.tracks.iter().zip(&mut turned) {
        let arrays = &clip.samples[component..component + track.components()];
        component += track.components();
        if track.kind() != TrackKind::Rotation {
            continue;
        }
        let dot = |a: usize, b: usize| arrays.iter().map(|v| f64::from(v[a]) * f64::from(v[b])).sum::<f64>();
        let mut negated = vec![false; frames.len()];
        for key in 1..frames.len() {
            negated[key] = negated[key - 1] != (dot(frames[key - 1], frames[key]) < 0.0);
        }
        let here = negated.iter().filter(|&&negated| negated).count();
        count += here;
        if here > 0 {
            *turned = Some(negated);
        }
    }
    if count > 0 {
        notes.push(Note::info(format!(
            "{count} keys of rotations are negated, which is the same rotation, so that neighbours take the shorter way"
        )));
    }
    turned
}

/// Frames a second of the editor's grid: the clip's own rate, a whole number for a recording.
fn grid_hz(times: &Times) -> f32 {
    let hz = match times {
        Times::Uniform { frame_s, .. } => {
            let hz = 1.0 / frame_s;
            if (hz - hz.round()).abs() < WHOLE_HZ { hz.round() } else { hz }
        }
        Times::Explicit(_) => times.mean_hz().map_or(0.0, f64::round),
    } as f32;
    if hz.is_finite() && hz > 0.0 { hz } else { USUAL_HZ }
}
