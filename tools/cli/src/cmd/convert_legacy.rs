//! `sinew convert --legacy`: clips of Unity's legacy component that move Plask's bones, by the published script's rule.

use crate::Verdict;
use crate::args::ConvertArgs;
use crate::input::load_plask;
use crate::output::{Output, check};
use crate::save::{print_written, refuse_json_beside_clip, refused_line, written};
use crate::text::{complain, is_stream, print_notes, shown, shown_output};
use anyhow::{Context, Result, ensure};
use sinew_formats::json::{LegacyOptions, PlaskDocument};
use sinew_formats::unity_anim::AnimDocument;
use sinew_formats::{Format, Note, PlaskOrClip, ReadOptions, WriteOptions};
use std::fs;
use std::path::PathBuf;

pub(crate) fn run(args: &ConvertArgs) -> Result<Verdict> {
    // 1. What is asked.
    refuse_json_beside_clip(&args.output, &args.write)?;
    let input = &args.input;
    ensure!(is_stream(input) || !input.is_dir(), "{}: is a folder; --legacy takes one file", input.display());
    let options = LegacyOptions {
        mirror_positions: args.legacy.mirror_positions,
        published_slopes: args.legacy.published_slopes,
    };
    let per_bone = args.legacy.per_bone;
    if per_bone {
        ensure!(
            !is_stream(&args.output),
            "--per-bone makes a file for each bone, and standard output takes one"
        );
        ensure!(
            args.output.is_dir() || !args.output.exists(),
            "{}: is a file, and --per-bone makes a folder of files",
            args.output.display()
        );
    } else {
        let format = args.to.or_else(|| Format::from_extension(&args.output));
        ensure!(format == Some(Format::Anim), "{}: --legacy writes .anim", shown_output(&args.output));
        check(&args.output, args.write.force)?;
    }

    // 2. The keyed motion: that of the file, or the frames of any other clip.
    let (mut document, mut notes) = document(args)?;
    if let Some(name) = &args.name {
        document.name = Some(name.clone());
    } else if document.name.is_none() && !is_stream(&args.output) {
        document.name = Format::stem(&args.output);
    }
    let made = || -> Result<(Vec<AnimDocument>, Vec<Note>)> {
        if per_bone {
            return Ok(document.legacy_clips(options)?);
        }
        let (clip, notes) = document.legacy_clip(options)?;
        Ok((vec![clip], notes))
    };
    let (clips, told) = made().with_context(|| shown(input))?;
    notes.extend(told);
    let refused = args.strict && notes.iter().any(Note::is_loss);

    // 3. The files.
    let paths: Vec<PathBuf> = match per_bone {
        true => clips.iter().map(|clip| args.output.join(format!("{}.anim", clip.name))).collect(),
        false => vec![args.output.clone()],
    };
    if per_bone && !refused {
        fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
        paths.iter().try_for_each(|path| check(path, args.write.force))?;
    }
    print_notes(&shown(input), &notes);
    let mut bytes = 0;
    if !refused {
        for (clip, path) in clips.iter().zip(&paths) {
            let mut output = Output::create(path, args.write.force)?;
            clip.write(&mut output).with_context(|| shown_output(path))?;
            bytes += output.finish()?;
        }
    }
    let curves = |clip: &AnimDocument| clip.rotation_curves.len() + clip.position_curves.len();
    let keys = clips.iter().flat_map(|clip| clip.rotation_curves.iter().map(|curve| curve.keys.len())).max();
    let size = (keys.unwrap_or(0), clips.iter().map(curves).sum());
    let done = written(&args.output, Format::Anim, size, (!refused).then_some(bytes), &notes);
    print_written(&args.output, &args.write, &done)?;
    if refused {
        complain(&refused_line(&args.output));
        return Ok(Verdict::Differs);
    }
    Ok(Verdict::Good)
}

/// The keyed motion of the input.
fn document(args: &ConvertArgs) -> Result<(PlaskDocument, Vec<Note>)> {
    let options = ReadOptions { hz: args.fps, asset: args.asset.clone(), ..ReadOptions::default() };
    let in_input = || shown(&args.input);
    let (mut clip, mut notes) = match load_plask(&args.input, args.from, &options)? {
        PlaskOrClip::Plask(document, notes) if args.fps.is_none() => return Ok((document, notes)),
        PlaskOrClip::Plask(document, mut notes) => {
            let (clip, told) = document.into_clip(&options).with_context(in_input)?;
            notes.extend(told);
            (clip, notes)
        }
        PlaskOrClip::Clip(loaded) => {
            let rate_was_given = loaded.rate_was_given;
            let (mut clip, mut notes) = (loaded.clip, loaded.notes);
            if let Some(hz) = args.fps.filter(|_| !rate_was_given) {
                let (resampled, told) = sinew_formats::resample(&clip, hz).with_context(in_input)?;
                clip = resampled;
                notes.extend(told);
            }
            (clip, notes)
        }
    };
    let figure = args.figure.options()?;
    let (fitted, told) =
        sinew_formats::fit(clip, Format::Plask, &figure, &mut |_| {}).with_context(in_input)?;
    clip = fitted;
    notes.extend(told);
    let options = WriteOptions { rig: figure.rig, ..WriteOptions::default() };
    let (document, told) = PlaskDocument::of_clip(&clip, &options).with_context(in_input)?;
    notes.extend(told);
    Ok((document, notes))
}
