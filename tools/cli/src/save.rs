//! Writing a clip: the file, the second file of formats that have one, and what is told of it.

use crate::args::WriteArgs;
use crate::json::{WrittenJson, print_json, split_notes};
use crate::output::{Output, check, is_in_place};
use crate::progress::{Bars, Progress};
use crate::text::{count, counted, is_stream, one_line, print, print_notes, shown_output};
use anyhow::{Context, Result, ensure};
use sinew::Clip;
use sinew_formats::unity_anim::META_NAME;
use sinew_formats::{FitOptions, Format, Note, WriteOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where a clip goes, checked before any work is done.
pub(crate) struct Target<'a> {
    pub path: &'a Path,
    pub format: Format,
    companion: Option<PathBuf>,
    options: &'a WriteArgs,
    bars: Bars,
}

impl<'a> Target<'a> {
    /// # Errors
    /// If an output exists, or if clip and JSON both want standard output.
    pub fn new(path: &'a Path, format: Format, options: &'a WriteArgs) -> Result<Target<'a>> {
        refuse_json_beside_clip(path, options)?;
        let companion = if is_in_place(path) { None } else { format.companion_path(path) };
        check(path, options.force)?;
        companion.as_ref().map_or(Ok(()), |second| check(second, options.force))?;
        Ok(Target { path, format, companion, options, bars: Bars::Shown })
    }

    /// The same without a bar of its own.
    pub fn without_bars(self) -> Target<'a> {
        Target { bars: Bars::Hidden, ..self }
    }

    /// Whether a bar of its own is wanted.
    pub fn bars(&self) -> Bars {
        self.bars
    }

    /// Gives a clip without a name that of its file where the format has one: Unity wants the two to be the same.
    pub fn name_clip(&self, clip: &mut Clip) {
        let has_names = matches!(self.format, Format::Anim | Format::UnityPackage | Format::Three);
        if !has_names || is_in_place(self.path) || clip.meta.contains_key(META_NAME) {
            return;
        }
        if let Some(stem) = Format::stem(self.path) {
            clip.meta.insert(META_NAME.into(), stem);
        }
    }

    /// Makes of a clip what the format holds, with a bar while a skeleton is solved.
    pub fn fit(&self, clip: Clip, figure: &FitOptions) -> Result<(Clip, Vec<Note>)> {
        let progress = Progress::frames("solving", clip.frames() as u64, self.bars);
        Ok(sinew_formats::fit(clip, self.format, figure, &mut |done| progress.set(done))?)
    }

    /// Writes the clip and adds what its format cannot hold to `notes`. Gives the length in bytes, or nothing if
    /// `strict` is set and anything is lost: then nothing gets its name.
    pub fn write(
        &self,
        clip: &Clip,
        options: &WriteOptions,
        strict: bool,
        notes: &mut Vec<Note>,
    ) -> Result<Option<u64>> {
        let named = || shown_output(self.path);
        let progress = Progress::frames("writing", clip.frames() as u64, self.bars);
        let mut step = |done| progress.set(done);
        let mut output = Output::create(self.path, self.options.force)?;
        // A file can be given up; what went to a stream cannot be taken back, so it waits until nothing is lost.
        let mut waiting = Vec::new();
        let sink: &mut dyn Write =
            if strict && !output.can_be_given_up() { &mut waiting } else { &mut output };
        notes.extend(sinew_formats::write(clip, self.format, options, sink, &mut step).with_context(named)?);
        if self.companion.is_none() {
            notes.extend(self.format.companion_loss());
        }
        if strict && notes.iter().any(Note::is_loss) {
            return Ok(None);
        }
        output.write_all(&waiting).with_context(named)?;
        if let Some(companion) = &self.companion {
            let mut second = Output::create(companion, self.options.force)?;
            self.format
                .write_companion(clip, &mut second)
                .with_context(|| companion.display().to_string())?;
            second.finish()?;
        }
        Ok(Some(output.finish()?))
    }

    /// Tells what was written: notes on stderr but for the first `told`, and a line or an object on stdout.
    pub fn report(&self, clip: &Clip, bytes: Option<u64>, notes: &[Note], told: usize) -> Result<()> {
        print_notes(&shown_output(self.path), &notes[told..]);
        self.print(&self.written(clip, bytes, notes))
    }

    /// What became of a clip, with everything that there is to say of it.
    pub fn written(&self, clip: &Clip, bytes: Option<u64>, notes: &[Note]) -> WrittenJson {
        written(self.path, self.format, (clip.frames(), clip.tracks.len()), bytes, notes)
    }

    /// Prints a line or an object on stdout.
    pub fn print(&self, written: &WrittenJson) -> Result<()> {
        print_written(self.path, self.options, written)
    }
}

/// What became of frames and tracks that were to be written, with everything that there is to say of it.
pub(crate) fn written(
    path: &Path,
    format: Format,
    (frames, tracks): (usize, usize),
    bytes: Option<u64>,
    notes: &[Note],
) -> WrittenJson {
    let (losses, notes) = split_notes(notes);
    WrittenJson {
        output: path.display().to_string(),
        format: format.name(),
        written: bytes.is_some(),
        frames,
        tracks,
        bytes: bytes.unwrap_or(0),
        losses,
        notes,
    }
}

/// Prints what was written as a line or an object on stdout.
pub(crate) fn print_written(path: &Path, options: &WriteArgs, written: &WrittenJson) -> Result<()> {
    if options.json {
        print_json(written)
    } else if written.written && !is_stream(path) {
        print(&written_line(written))
    } else {
        Ok(())
    }
}

/// The line that tells of a file that was written.
pub(crate) fn written_line(written: &WrittenJson) -> String {
    let size = sizes(written.frames, written.tracks, written.bytes);
    format!("{}: {size}\n", one_line(&written.output))
}

/// Refuses to mix two outputs on one stream.
pub(crate) fn refuse_json_beside_clip(path: &Path, options: &WriteArgs) -> Result<()> {
    ensure!(!(options.json && is_stream(path)), "--json and the clip cannot share standard output");
    Ok(())
}

/// Frames, tracks and bytes.
pub(crate) fn size_line(clip: &Clip, bytes: u64) -> String {
    sizes(clip.frames(), clip.tracks.len(), bytes)
}

fn sizes(frames: usize, tracks: usize, bytes: u64) -> String {
    let (frames, tracks) = (counted(frames as u64, "frame"), counted(tracks as u64, "track"));
    format!("{frames}, {tracks}, {} bytes", count(bytes))
}

/// Says that nothing was written.
pub(crate) fn refused_line(path: &Path) -> String {
    format!("{}: not written, because --strict allows no loss", shown_output(path))
}
