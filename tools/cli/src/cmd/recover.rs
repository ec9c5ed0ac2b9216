//! `sinew recover`: every whole frame of a cut or damaged file.

use crate::Verdict;
use crate::args::RecoverArgs;
use crate::input::{Strictness, load};
use crate::output;
use crate::save::{Target, refuse_json_beside_clip};
use crate::text::{is_stream, print_notes, shown};
use anyhow::{Context, Result};
use sinew::EncodeConfig;
use sinew_formats::{FitOptions, Format, Note, ReadOptions, WriteOptions};

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
    let encode = EncodeConfig::lossless().with_naming(loaded.naming);
    let options = WriteOptions { encode, ..WriteOptions::default() };
    // A skeleton is solved for muscles where the target holds no skeleton.
    let fitted = target.fit(loaded.clip, &FitOptions::default());
    let (mut clip, about_figure) = fitted.with_context(|| shown(&args.input))?;
    let mut notes = [loaded.notes, about_figure].concat();
    target.name_clip(&mut clip);
    if clip.frames() == 0 && notes.iter().any(Note::is_loss) {
        notes.push(Note::loss("0 frames saved: none is whole"));
    }
    print_notes(&shown(&args.input), &notes);
    let told = notes.len();
    let bytes = target.write(&clip, &options, false, &mut notes)?;
    target.report(&clip, bytes, &notes, told)?;
    Ok(Verdict::Good)
}
