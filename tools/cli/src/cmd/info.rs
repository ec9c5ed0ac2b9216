//! `sinew info`: what is inside a file, and where its bytes went.

use crate::Verdict;
use crate::args::InfoArgs;
use crate::input::{Input, Strictness, load};
use crate::json::{BoundsJson, bits_per_value, effort, fidelity, print_json, split_notes};
use crate::stats::ClipStats;
use crate::text::{count, counted, fixed, one_line, print, shown};
use anyhow::Result;
use serde::Serialize;
use sinew::data::DataMode;
use sinew::{FileInfo, META_DATA_MODE, META_GUID, Naming, Role, StageBytes, TrackKind};
use sinew_formats::{Format, ReadOptions};

#[derive(Debug, Serialize)]
struct Part {
    name: String,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct Stage {
    part: String,
    stage: String,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct InfoJson {
    file: String,
    format: &'static str,
    /// How this file names its tracks: `named` or `nameless`; null where a format has no modes.
    mode: Option<String>,
    /// Mode of the `.data` file that the clip came from.
    source_mode: Option<String>,
    guid: Option<String>,
    version: Option<u8>,
    frames: usize,
    tracks: usize,
    components: usize,
    muscles: usize,
    root: bool,
    /// Joints of the rig; null without one.
    joints: Option<usize>,
    /// Tracks that are the channels of the rig's joints.
    channels: usize,
    #[serde(flatten)]
    stats: ClipStats,
    bytes: u64,
    bits_per_value: Option<f64>,
    fidelity: Option<&'static str>,
    bounds: Option<BoundsJson>,
    effort: Option<&'static str>,
    /// Whether writing the clip in this format and mode gives the same bytes; null where nobody promises it.
    exact: Option<bool>,
    parts: Vec<Part>,
    /// Bytes of the motion by part and stage; empty unless asked for.
    stages: Vec<Stage>,
    losses: Vec<String>,
    notes: Vec<String>,
}

pub(crate) fn run(args: &InfoArgs) -> Result<Verdict> {
    let options = ReadOptions { stages: args.stages, ..ReadOptions::default() };
    let input = load(&args.input, None, &options, Strictness::Strict)?;
    let info = gather(shown(&args.input), &input)?;
    if args.json {
        print_json(&info)?
    } else {
        print(&describe(&info))?
    }
    Ok(Verdict::Good)
}

fn gather(file: String, input: &Input) -> Result<InfoJson> {
    let loaded = &input.loaded;
    let clip = &loaded.clip;
    let own = loaded.file_info.as_ref();
    let source_mode = clip.meta.get(META_DATA_MODE).cloned();
    let mode = match own.map(|info| info.naming) {
        Some(Naming::Named) => Some("named".to_owned()),
        Some(Naming::Nameless) => Some("nameless".to_owned()),
        None if loaded.format == Format::Data => source_mode.clone(),
        None => None,
    };
    let (fidelity, bounds) = own.map_or((None, None), |info| {
        let (name, bounds) = fidelity(&info.fidelity);
        (Some(name), bounds)
    });
    let (losses, notes) = split_notes(&loaded.notes);
    Ok(InfoJson {
        file,
        format: loaded.format.name(),
        mode,
        source_mode,
        guid: clip.meta.get(META_GUID).cloned(),
        version: own.map(|info| info.version),
        frames: clip.frames(),
        tracks: clip.tracks.len(),
        components: clip.components(),
        muscles: clip.tracks.iter().filter(|track| track.muscle_index().is_some()).count(),
        root: clip.tracks.iter().any(|t| matches!(t.role(), Role::RootPosition | Role::RootRotation)),
        joints: clip.rig.as_ref().map(|rig| rig.joints.len()),
        channels: clip.channel_axes().len(),
        stats: ClipStats::of(clip),
        bytes: input.bytes,
        bits_per_value: bits_per_value(input.bytes, clip),
        fidelity,
        bounds,
        effort: own.map(|info| effort(info.effort)),
        exact: loaded.exact,
        parts: parts(input)?,
        stages: own.map_or_else(Vec::new, stages),
        losses,
        notes,
    })
}

/// Where the bytes of the file went. For the recorder's own files this follows from their form: 5 bytes a number.
fn parts(input: &Input) -> Result<Vec<Part>> {
    let part = |name: &str, bytes| Part { name: name.to_owned(), bytes };
    let clip = &input.loaded.clip;
    if let Some(info) = &input.loaded.file_info {
        return Ok(info.parts.iter().map(|(name, bytes)| part(name, *bytes)).collect());
    }
    if input.loaded.format != Format::Data || input.loaded.exact != Some(true) {
        return Ok(Vec::new());
    }
    let frames = clip.frames() as u64;
    let numbers =
        5 * frames * clip.tracks.iter().filter(|track| track.kind() == TrackKind::Scalar).count() as u64;
    let names = match DataMode::of_clip(clip) {
        Some(DataMode::Named) => {
            clip.tracks.iter().map(|track| track.name().len() as u64).sum::<u64>() * frames
        }
        _ => 0,
    };
    let guids = clip.meta.get(META_GUID).map_or(0, |guid| guid.len() as u64) * frames;
    let known = numbers + 5 * frames + names + guids;
    Ok(vec![
        part("values", numbers),
        part("times", 5 * frames),
        part("names", names),
        part("GUID in every frame", guids),
        part("structure", input.bytes.saturating_sub(known)),
    ])
}

fn stages(info: &FileInfo) -> Vec<Stage> {
    let stage_of = |stage: &StageBytes| Stage {
        part: stage.part.clone(),
        stage: stage.stage.clone(),
        bytes: stage.bytes,
    };
    info.stages.iter().map(stage_of).collect()
}

/// What the tracks are, a skeleton's channels or a humanoid's.
fn kinds_of_tracks(info: &InfoJson) -> String {
    match info.joints {
        Some(joints) if info.channels > 0 => {
            format!("{} of {}", counted(info.channels as u64, "channel"), counted(joints as u64, "joint"))
        }
        _ => {
            let root = if info.root { "with root" } else { "no root" };
            format!("{}, {root}", counted(info.muscles as u64, "muscle"))
        }
    }
}

fn describe(info: &InfoJson) -> String {
    let mut text = format!("{}\n", one_line(&info.file));
    let mut line = |name: &str, value: String| text += &format!("  {name:<10} {}\n", one_line(&value));
    let unknown = || "unknown".to_owned();

    let mut format = format!(".{}", info.format);
    if let Some(version) = info.version {
        format += &format!(" version {version}");
    }
    if let Some(mode) = &info.mode {
        format += &format!(", {mode}");
    }
    if let (Some(fidelity), Some(effort)) = (info.fidelity, info.effort) {
        format += &format!(", {fidelity}");
        if let Some(bounds) = &info.bounds {
            let values = if let Some(mm) = bounds.mm {
                format!("joints {mm:?} mm, no bound on a single track")
            } else if info.channels > 0 {
                format!("angles {:?} degrees, positions {:?}", bounds.rotation_deg, bounds.position_m)
            } else {
                format!("muscles {:?}", bounds.muscle.unwrap_or_default())
            };
            format += &format!(" ({values}, times {:?} s)", bounds.time_s);
        }
        format += &format!(", effort {effort}");
    }
    line("format", format);
    if let Some(guid) = &info.guid {
        line("GUID", guid.clone());
    }
    if info.format == Format::Sinew.name()
        && let Some(mode) = &info.source_mode
    {
        line("source", format!(".data, {mode}"));
    }
    line("frames", count(info.frames as u64));
    line("tracks", format!("{} ({})", count(info.tracks as u64), kinds_of_tracks(info)));
    let stats = &info.stats;
    line("duration", stats.duration_s.map_or_else(unknown, |span| format!("{} s", fixed(span, 3))));
    if let Some(start) = stats.start_s {
        line("start", format!("{} s", fixed(start, 3)));
    }
    line("rate", stats.mean_fps.map_or_else(unknown, |fps| format!("{} frames per second", fixed(fps, 2))));
    if let (Some(low), Some(high)) = (stats.min_dt_s, stats.max_dt_s) {
        let regularity = if stats.irregular { "irregular" } else { "regular" };
        line("steps", format!("{} to {} ms, {regularity}", fixed(low * 1e3, 2), fixed(high * 1e3, 2)));
        if stats.backward_steps + stats.equal_steps > 0 {
            line(
                "",
                format!("{} back, {} of no time", count(stats.backward_steps), count(stats.equal_steps)),
            );
        }
    }
    if let Some(percent) = stats.outside_percent {
        line("muscles", format!("{percent:.1} % of the values outside [-1, 1]"));
    }
    line("values", format!("{}, {} not finite", count(stats.values), count(stats.non_finite)));
    let bits = info.bits_per_value.map_or_else(String::new, |bits| format!(", {bits:.2} bits a value"));
    line("size", format!("{} bytes{bits}", count(info.bytes)));
    for part in &info.parts {
        let percent = 100.0 * part.bytes as f64 / info.bytes.max(1) as f64;
        line("", format!("{:>12} {:5.1} %  {}", count(part.bytes), percent, part.name));
    }
    let mut before = "";
    for stage in &info.stages {
        let percent = 100.0 * stage.bytes as f64 / info.bytes.max(1) as f64;
        let part = if stage.part == before { String::new() } else { format!("{}: ", stage.part) };
        before = &stage.part;
        line("", format!("{:>12} {:5.1} %  {part}{}", count(stage.bytes), percent, stage.stage));
    }
    if info.exact == Some(false) {
        line("form", "not the recorder's own bytes: normalised when written".into());
    }
    for loss in &info.losses {
        line("loss", loss.clone());
    }
    for note in &info.notes {
        line("note", note.clone());
    }
    text
}
