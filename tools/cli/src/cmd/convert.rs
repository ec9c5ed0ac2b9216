//! `sinew convert`: any format to any; what the target cannot hold is told.

use crate::Verdict;
use crate::args::ConvertArgs;
use crate::input::{Strictness, load};
use crate::save::{Target, complain_refused};
use crate::text::{print_notes, shown};
use anyhow::{Context, Result};
use sinew::{EncodeConfig, META_DATA_MODE, META_GUID};
use sinew_formats::unity_anim::META_NAME;
use sinew_formats::{Format, Note, ReadOptions, WriteOptions};

pub(crate) fn run(args: &ConvertArgs) -> Result<Verdict> {
    // 1. Where to, and in which format.
    let format = match args.to {
        Some(format) => format,
        None => Format::from_extension(&args.output).with_context(|| {
            format!("{}: its extension tells no format; --to does", args.output.display())
        })?,
    };
    let target = Target::new(&args.output, format, &args.write)?;

    // 2. The clip, with what the options change of it.
    let options = ReadOptions { hz: args.fps, ..ReadOptions::default() };
    let loaded = load(&args.input, args.from, &options, Strictness::Strict)?.loaded;
    let (mut clip, mut notes) = (loaded.clip, loaded.notes);
    if let Some(hz) = args.fps.filter(|_| !loaded.rate_was_given) {
        let (resampled, told) = sinew_formats::resample(&clip, hz).with_context(|| shown(&args.input))?;
        clip = resampled;
        notes.extend(told);
    }
    print_notes(&shown(&args.input), &notes);
    let told = notes.len();
    if let Some(guid) = &args.guid {
        clip.meta.insert(META_GUID.into(), guid.clone());
    }
    if let Some(name) = &args.name {
        clip.meta.insert(META_NAME.into(), name.clone());
    }
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

    // 3. The output. To .sinew nothing is lost.
    let options = WriteOptions {
        mode: args.mode.map(Into::into),
        encode: EncodeConfig::lossless().with_naming(naming),
    };
    let bytes = target.write(&clip, &options, args.strict, &mut notes)?;
    target.report(&clip, bytes, &notes, told)?;
    if bytes.is_none() {
        complain_refused(&args.output);
        return Ok(Verdict::Differs);
    }
    Ok(Verdict::Good)
}
