//! `sinew decode`: .sinew to the format of its source, or any other.

use crate::Verdict;
use crate::args::DecodeArgs;
use crate::input::{Strictness, load};
use crate::save::Target;
use crate::text::{is_stream, print_notes, shown};
use anyhow::{Context, Result, ensure};
use sinew_formats::{FitOptions, Format, ReadOptions, WriteOptions};

pub(crate) fn run(args: &DecodeArgs) -> Result<Verdict> {
    let format = match args.to {
        Some(format) => format,
        None if is_stream(&args.output) => Format::Data,
        None => Format::from_extension(&args.output).with_context(|| {
            format!("{}: its extension tells no format; --to does", args.output.display())
        })?,
    };
    ensure!(
        format != Format::Sinew,
        "{}: decode writes other formats; `sinew convert` writes .sinew",
        args.output.display()
    );
    let target = Target::new(&args.output, format, &args.write)?;
    let input = load(&args.input, None, &ReadOptions::default(), Strictness::Strict)?;
    ensure!(
        input.loaded.format == Format::Sinew,
        "{}: is {}, not .sinew; `sinew convert` converts it",
        shown(&args.input),
        input.loaded.format
    );
    let options = WriteOptions { mode: args.mode.map(Into::into), ..WriteOptions::default() };
    // A skeleton is solved for muscles where the target holds no skeleton.
    let fitted = target.fit(input.loaded.clip, &FitOptions::default());
    let (mut clip, about_figure) = fitted.with_context(|| shown(&args.input))?;
    let mut notes = [input.loaded.notes, about_figure].concat();
    target.name_clip(&mut clip);
    print_notes(&shown(&args.input), &notes);
    let told = notes.len();
    let bytes = target.write(&clip, &options, false, &mut notes)?;
    target.report(&clip, bytes, &notes, told)?;
    Ok(Verdict::Good)
}
