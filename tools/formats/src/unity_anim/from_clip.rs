//! Clip to file: one key a frame with linear tangents, written curve by curve so that no second copy is held.

use super::META_NAME;
use super::document::{Binding, Curve, Key};
use super::settings::ClipSettings;
use super::tangents::make_linear;
use super::tracks::{bindings_of, group, name_of};
use super::write::AnimWriter;
use crate::error::{Error, Place, Result};
use crate::note::{Note, metadata_losses_except};
use crate::registry::{Format, Progress};
use crate::save::WriteOptions;
use sinew::{Clip, META_DATA_MODE, Role, Times, Track, TrackKind};
use std::io::Write;

/// Name of a clip that has none. It is the same for every clip, so that equal clips give equal files.
const NO_NAME: &str = "clip";
/// Rate of the editor's grid for a clip whose own cannot be told.
const USUAL_HZ: f32 = 60.0;
/// How far from a whole number a rate may be to be taken for it.
const WHOLE_HZ: f64 = 1e-3;

pub(super) fn write(
    clip: &Clip,
    _options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    clip.validate()?;
    // A clip that lacks a muscle is read back as named.
    let kept: &[&str] = if clip.is_humanoid() { &[META_NAME] } else { &[META_NAME, META_DATA_MODE] };
    let mut notes = metadata_losses_except(clip, kept);
    // 1. What becomes a key, and of which curve. Nothing is written before all of it is known to be good.
    let (frames, times_s) = choose_frames(clip, &mut notes)?;
    let columns = choose_columns(clip, &mut notes)?;
    require_finite(clip, &columns, &frames)?;
    let turned = turns(clip, &columns, &frames, &mut notes);

    // 2. The curves.
    let mut writer = AnimWriter::new(sink);
    writer.start(clip.meta.get(META_NAME).map_or(NO_NAME, String::as_str), false)?;
    writer.no_transform_curves();
    writer.list("  ", "m_FloatCurves", columns.is_empty());
    let mut keys: Vec<Key<1>> = Vec::new();
    for (done, column) in columns.iter().enumerate() {
        let samples = &clip.samples[column.component];
        let sign = |key: usize| match &turned[column.track] {
            Some(turned) if turned[key] => -1.0,
            _ => 1.0,
        };
        keys.clear();
        keys.extend(
            frames
                .iter()
                .zip(&times_s)
                .enumerate()
                .map(|(key, (&frame, &time_s))| Key::level(time_s, [sign(key) * samples[frame]])),
        );
        make_linear(&mut keys);
        let mut curve = Curve { keys, ..Curve::new(column.binding.clone()) };
        writer.curve(&curve, true)?;
        keys = std::mem::take(&mut curve.keys);
        progress((clip.frames() * (done + 1) / columns.len()) as u64);
    }

    // 3. What Unity needs besides.
    writer.middle(grid_hz(&clip.times), 0)?;
    writer.list("  ", "  genericBindings", columns.is_empty());
    for column in &columns {
        writer.binding(&column.binding)?;
    }
    // The clip begins with time itself: before its first key a curve stays.
    let start_s = times_s.first().copied().unwrap_or(0.0).min(0.0);
    writer.settings(&ClipSettings::recorded(start_s, times_s.last().copied().unwrap_or(0.0)))?;
    // The editor shows the curves above where it has none of its own.
    writer.list("  ", "m_EditorCurves", true);
    writer.end(columns.iter().any(|column| column.binding.attribute.starts_with("Motion")))?;
    Ok(notes)
}

/// A curve to write: one component of a track.
struct Column {
    binding: Binding,
    track: usize,
    component: usize,
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

fn choose_columns(clip: &Clip, notes: &mut Vec<Note>) -> Result<Vec<Column>> {
    let known = |track: &Track| track.role() != Role::Other;
    if !clip.tracks.iter().any(known) {
        return Err(Error::Unsupported {
            format: Format::Anim,
            what: "the clip has no muscle and no root, and only humanoid clips are written".into(),
        });
    }
    let (mut columns, mut kept, mut nameless) = (Vec::new(), Vec::new(), 0usize);
    let mut component = 0;
    for (index, track) in clip.tracks.iter().enumerate() {
        if is_nameless(track) {
            nameless += 1;
        } else {
            kept.push(track);
            let bindings = bindings_of(track).into_iter().enumerate();
            columns.extend(bindings.map(|(i, binding)| Column {
                binding,
                track: index,
                component: component + i,
            }));
        }
        component += track.components();
    }
    if nameless > 0 {
        notes.push(Note::loss(format!(
            "{nameless} values without a name: a curve needs one, so the first 95 are kept"
        )));
    }
    let names: Vec<String> = columns.iter().map(|column| name_of(&column.binding)).collect();
    if let Some(twice) = first_repeated(&names) {
        return Err(Error::Unsupported {
            format: Format::Anim,
            what: format!("two of the clip's tracks need the curve {twice:?}"),
        });
    }
    let read_back = group(&names);
    let regrouped = kept.iter().filter(|&&track| !read_back.iter().any(|(other, _)| other == track)).count();
    if regrouped > 0 {
        notes.push(Note::loss(format!(
            "{regrouped} tracks are named like components of vectors and read back as such"
        )));
    }
    Ok(columns)
}

/// Whether a nameless recording had this value beyond the 95 muscles.
fn is_nameless(track: &Track) -> bool {
    let number = track.name().strip_prefix("value-").and_then(|number| number.parse::<usize>().ok());
    track.kind() == TrackKind::Scalar && number.is_some_and(|number| number >= sinew::MUSCLE_COUNT)
}

fn first_repeated(names: &[String]) -> Option<&str> {
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// Unity reads text that is not a number as it likes, so such a clip is refused as a whole.
fn require_finite(clip: &Clip, columns: &[Column], frames: &[usize]) -> Result<()> {
    let bad = columns.iter().filter_map(|column| {
        let samples = &clip.samples[column.component];
        frames.iter().find(|&&frame| !samples[frame].is_finite()).map(|&frame| (frame, column))
    });
    let Some((frame, column)) = bad.min_by_key(|(frame, column)| (*frame, column.component)) else {
        return Ok(());
    };
    let value = clip.samples[column.component][frame];
    let place = Place::Frame { frame: frame as u64, component: Some(column.component as u64) };
    let what = format!("{} is {value}, and a key must be a finite number", column.binding.attribute);
    Err(Error::format(Format::Anim, place, what))
}

/// For each rotation track, which keys are negated so that neighbours take the shorter way.
///
/// A quaternion and its negative are the same rotation, but Unity goes from one to the other through 0.
fn turns(clip: &Clip, columns: &[Column], frames: &[usize], notes: &mut Vec<Note>) -> Vec<Option<Vec<bool>>> {
    let mut turned: Vec<Option<Vec<bool>>> = vec![None; clip.tracks.len()];
    let mut count = 0usize;
    for column in columns.iter().filter(|column| column.binding.attribute.ends_with(".x")) {
        if clip.tracks[column.track].kind() != TrackKind::Rotation {
            continue;
        }
        let arrays = &clip.samples[column.component..column.component + 4];
        let dot = |a: usize, b: usize| arrays.iter().map(|v| f64::from(v[a]) * f64::from(v[b])).sum::<f64>();
        let mut negated = vec![false; frames.len()];
        for key in 1..frames.len() {
            negated[key] = negated[key - 1] != (dot(frames[key - 1], frames[key]) < 0.0);
        }
        let here = negated.iter().filter(|&&negated| negated).count();
        count += here;
        if here > 0 {
            turned[column.track] = Some(negated);
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
