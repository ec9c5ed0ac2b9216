//! `sinew encode`: any format to .sinew, within a bound that is checked by decoding.

use crate::Verdict;
use crate::args::EncodeArgs;
use crate::input::{Strictness, load};
use crate::joints::{displaced_if_posable, worst_text};
use crate::json::{BoundsJson, Errors, bits_per_value, effort, fidelity, print_json, split_notes};
use crate::output::{self, Output};
use crate::progress::{Bars, Progress};
use crate::save::{refuse_json_beside_clip, size_line};
use crate::text::{complain, is_stream, one_line, print, print_notes, shown, shown_output};
use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use sinew::humanoid::{Avatar, Displacement};
use sinew::{
    Bounds, Clip, ClipReader, Comparison, DecodeLimits, EncodeConfig, Fidelity, Naming, WorldBounds,
};
use sinew_formats::{Format, ReadOptions};
use std::io::Write;

#[derive(Debug, Serialize)]
struct EncodedJson {
    output: String,
    format: &'static str,
    frames: usize,
    tracks: usize,
    bytes: u64,
    bits_per_value: Option<f64>,
    fidelity: &'static str,
    bounds: Option<BoundsJson>,
    effort: &'static str,
    mode: &'static str,
    #[serde(flatten)]
    errors: Errors,
    losses: Vec<String>,
    notes: Vec<String>,
}

pub(crate) fn run(args: &EncodeArgs) -> Result<Verdict> {
    // 1. What is asked, checked before anything is read.
    refuse_json_beside_clip(&args.output, &args.write)?;
    output::check(&args.output, args.write.force)?;
    if let Some(other) = Format::from_extension(&args.output).filter(|&format| format != Format::Sinew) {
        bail!("{}: encode writes .sinew; `sinew convert` writes {other}", args.output.display());
    }
    let config = config(args);

    // 2. The clip.
    let input = load(&args.input, None, &ReadOptions::default(), Strictness::Strict)?;
    let clip = &input.loaded.clip;
    print_notes(&shown(&args.input), &input.loaded.notes);

    // 3. Encode, and decode again: no figure without its error.
    let progress = Progress::frames("encoding", clip.frames() as u64, Bars::Shown);
    let bytes = sinew::encode_with(clip, &config, &mut |done| progress.set(done))
        .with_context(|| shown(&args.input))?;
    drop(progress);
    let (comparison, displacement) =
        check(clip, &bytes, config.fidelity).context("checking the encoded clip")?;

    // 4. Only now the file.
    let mut output = Output::create(&args.output, args.write.force)?;
    output.write_all(&bytes).with_context(|| shown_output(&args.output))?;
    let length = output.finish()?;

    // 5. What came out.
    if args.write.json {
        let (losses, notes) = split_notes(&input.loaded.notes);
        let (fidelity, bounds) = fidelity(&config.fidelity);
        print_json(&EncodedJson {
            output: args.output.display().to_string(),
            format: Format::Sinew.name(),
            frames: clip.frames(),
            tracks: clip.tracks.len(),
            bytes: length,
            bits_per_value: bits_per_value(length, clip),
            fidelity,
            bounds,
            effort: effort(config.effort),
            mode: if args.named { "named" } else { "nameless" },
            errors: Errors::of(&comparison, displacement.as_ref(), clip),
            losses,
            notes,
        })?;
    } else {
        let line = format!(
            "{}: {}; {}",
            shown_output(&args.output),
            size_line(clip, length),
            error_line(&comparison, displacement.as_ref(), clip)
        );
        if is_stream(&args.output) { complain(&line) } else { print(&format!("{}\n", one_line(&line)))? }
    }
    Ok(Verdict::Good)
}

/// Decodes what was encoded and tells how far it is from the clip, and its joints if it has any.
fn check(clip: &Clip, bytes: &[u8], fidelity: Fidelity) -> Result<(Comparison, Option<Displacement>)> {
    let progress = Progress::frames("checking", clip.frames() as u64, Bars::Shown);
    let limits = DecodeLimits { max_samples: u64::MAX, max_components: u32::MAX, max_meta_bytes: u32::MAX };
    if fidelity != Fidelity::Lossless {
        let decoded = sinew::decode_with(bytes, &limits, &mut |done| progress.set(done))?;
        return Ok((
            sinew::compare(clip, &decoded)?,
            displaced_if_posable(clip, &decoded, Avatar::reference()),
        ));
    }
    // Without loss there is nothing to measure, so a frame at a time is enough, and no second clip in memory.
    let mut reader = ClipReader::open_with(bytes, &limits)?;
    let mut decoded = vec![0.0f32; reader.components()];
    ensure!(
        reader.frames() == clip.frames() as u64 && decoded.len() == clip.samples.len(),
        "frames are missing"
    );
    for (frame, time) in clip.times.iter().enumerate() {
        let same_time = reader.frame(frame as u64, &mut decoded)?.to_bits() == time.to_bits();
        let same_values = clip
            .samples
            .iter()
            .zip(&decoded)
            .all(|(values, value)| values[frame].to_bits() == value.to_bits());
        ensure!(same_time && same_values, "frame {frame} does not come back");
        progress.set(frame as u64 + 1);
    }
    Ok((sinew::compare(clip, clip)?, displaced_if_posable(clip, clip, Avatar::reference())))
}

fn config(args: &EncodeArgs) -> EncodeConfig {
    let fidelity = if args.lossless {
        Fidelity::Lossless
    } else if let Some(mm) = args.error_mm {
        Fidelity::World(WorldBounds {
            mm,
            time_s: args.error_time,
            position_m: args.error_pos,
            rotation_deg: args.error_rot,
            extra: args.error_extra.unwrap_or(args.error),
        })
    } else {
        Fidelity::Bounded(Bounds {
            muscle: args.error,
            time_s: args.error_time,
            position_m: args.error_pos,
            rotation_deg: args.error_rot,
            extra: args.error_extra,
        })
    };
    EncodeConfig {
        fidelity,
        effort: args.effort.into(),
        naming: if args.named { Naming::Named } else { Naming::Nameless },
        ..EncodeConfig::default()
    }
}

/// The errors of a comparison in one line.
fn error_line(comparison: &Comparison, displacement: Option<&Displacement>, clip: &Clip) -> String {
    if comparison.equal {
        return "every bit is kept".into();
    }
    let mut parts = Vec::new();
    if let Some(worst) = &comparison.max_abs {
        let time_s = clip.times.get(worst.frame).unwrap_or(0.0);
        parts.push(format!(
            "largest error {:.3e} ({}, frame {}, {time_s:.3} s)",
            worst.value, worst.track, worst.frame
        ));
    }
    if let Some(rms) = comparison.rms {
        parts.push(format!("RMS {rms:.3e}"));
    }
    if let Some(worst) = displacement.and_then(|found| found.max_joint_mm) {
        parts.push(format!("joints within {}", worst_text(&worst, "mm", clip)));
    }
    if let Some(time) = comparison.max_time_s {
        parts.push(format!("times within {:.3e} s (frame {})", time.value, time.frame));
    }
    parts.join(", ")
}
