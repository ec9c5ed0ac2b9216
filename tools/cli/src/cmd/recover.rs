//! `sinew recover`: every whole frame of a cut or damaged file.

use crate::Verdict;
use crate::args::RecoverArgs;
use crate::input::{Strictness, load};
use crate::output;
use crate::save::{Target, refuse_json_beside_clip};
use crate::text::{is_stream, print_notes, shown};
use anyhow::{Context, Result};
use sinew::EncodeConfig;
use sinew_formats::{Format, ReadOptions, WriteOptions};

pub(crate) fn run(args: &RecoverArgs) -> Result<Verdict> {
    let asked = if is_stream(&args.output) {
        None
    } else {
        Some(
            Format::from_extension(&args.output)
                .with_context(|| format!("{}: its extension tells no format", args.output.display()))?,
        )
    };
    refuse_json_beside_clip(&args.output, &args.write)?;
    output::check(&args.output, args.write.force)?;
    let loaded = load(&args.input, None, &ReadOptions::default(), Strictness::Recover)?.loaded;
    let target = Target::new(&args.output, asked.unwrap_or(loaded.format), &args.write)?;
    // What is left of a lossy file must not lose again.
    let options = WriteOptions { mode: None, encode: EncodeConfig::lossless() };
    let mut notes = loaded.notes;
    print_notes(&shown(&args.input), &notes);
    let told = notes.len();
    let bytes = target.write(&loaded.clip, &options, false, &mut notes)?;
    target.report(&loaded.clip, bytes, &notes, told)?;
    Ok(Verdict::Good)
}
