//! `sinew convert`: any format to any; what the target cannot hold is told. This is one file; `convert_folder` takes
//! many through the same steps.

use crate::Verdict;
use crate::args::ConvertArgs;
use crate::cmd::{convert_folder, convert_legacy};
use crate::input::{Strictness, load_with};
use crate::json::WrittenJson;
use crate::save::{Target, refused_line};
use crate::text::{complain, is_stream, print_notes, shown, shown_output};
use anyhow::{Context, Result};
use sinew::{EncodeConfig, META_DATA_MODE, META_GUID};
use sinew_formats::unity_anim::{AnimOptions, META_NAME};
use sinew_formats::{FitOptions, Format, Note, ReadOptions, WriteOptions};
use std::path::Path;

pub(crate) fn run(args: &ConvertArgs) -> Result<Verdict> {
    if args.legacy.legacy {
        return convert_legacy::run(args);
    }
    if !is_stream(&args.input) && args.input.is_dir() {
        return convert_folder::run(args);
    }
    let format = match args.to {
        Some(format) => format,
        None => Format::from_extension(&args.output).with_context(|| {
            format!("{}: its extension tells no format; --to does", args.output.display())
        })?,
    };
    let target = Target::new(&args.output, format, &args.write)?;
    let figure = args.figure.options()?;
    let written = convert(&args.input, &target, args, &figure, &mut print_notes)?;
    target.print(&written)?;
    if !written.written {
        complain(&refused_line(&args.output));
        return Ok(Verdict::Differs);
    }
    Ok(Verdict::Good)
}

/// Converts one file to where `target` says. `tell` gets what there is to say of a file, as soon as it is known.
pub(crate) fn convert(
    input: &Path,
    target: &Target<'_>,
    args: &ConvertArgs,
    figure: &FitOptions,
    tell: &mut dyn FnMut(&str, &[Note]),
) -> Result<WrittenJson> {
    // 1. The clip, with what the options change of it.
    let format = target.format;
    let options = ReadOptions { hz: args.fps, asset: args.asset.clone(), ..ReadOptions::default() };
    let loaded = load_with(input, args.from, &options, Strictness::Strict, target.bars())?.loaded;
    let (mut clip, mut notes) = (loaded.clip, loaded.notes);
    if args.asset.is_some() && !may_hold_several(loaded.format) {
        notes.push(Note::info(format!("{} holds one clip: --asset changes nothing", loaded.format)));
    }
    if let Some(hz) = args.fps.filter(|_| !loaded.rate_was_given) {
        let (resampled, told) = sinew_formats::resample(&clip, hz).with_context(|| shown(input))?;
        clip = resampled;
        notes.extend(told);
    }
    let (fitted, about_figure) = target.fit(clip, figure).with_context(|| shown(input))?;
    clip = fitted;
    notes.extend(about_figure);
    tell(&shown(input), &notes);
    let told = notes.len();
    if let Some(guid) = &args.guid {
        clip.meta.insert(META_GUID.into(), guid.clone());
    }
    if let Some(name) = &args.name {
        clip.meta.insert(META_NAME.into(), name.clone());
    }
    target.name_clip(&mut clip);
    let mut naming = loaded.file_info.map(|info| info.naming).unwrap_or_default();
    if let Some(mode) = args.mode {
        match format {
            Format::Sinew => {
                naming = mode.into();
                clip.meta.insert(META_DATA_MODE.into(), mode.name().into());
            }
            Format::Data => {}
            _ => notes.push(Note::info(format!("{format} has no naming modes: --mode changes nothing"))),
        }
    }
    if !matches!(format, Format::Anim | Format::UnityPackage) {
        let options = [("--tangents", args.tangents.is_some()), ("--reduce", args.reduce.is_some())];
        for (option, _) in options.iter().filter(|(_, given)| *given) {
            notes.push(Note::info(format!("{format} has no keyed curves: {option} changes nothing")));
        }
    }

    // 2. The output. To .sinew nothing is lost.
    let options = WriteOptions {
        mode: args.mode.map(Into::into),
        encode: EncodeConfig::lossless().with_naming(naming),
        rig: figure.rig.clone(),
        anim: AnimOptions {
            tangents: args.tangents.map(Into::into).unwrap_or_default(),
            reduce: args.reduce,
        },
    };
    let bytes = target.write(&clip, &options, args.strict, &mut notes)?;
    tell(&shown_output(target.path), &notes[told..]);
    Ok(target.written(&clip, bytes, &notes))
}

/// Whether a file of the format may hold several clips, of which `--asset` chooses one.
fn may_hold_several(format: Format) -> bool {
    matches!(format, Format::UnityPackage | Format::Plask | Format::Three)
}
