//! The clip in every form that a codec starts from: values, and the two `.data` files written once.

use crate::verify;
use anyhow::{Result, anyhow};
use sinew::data::{self, DataMode};
use sinew::humanoid::Avatar;
use sinew::{Clip, Times};
use sinew_formats::{Format, WriteOptions};
use std::io::Write;

/// One clip as the codecs see it.
pub struct Source<'a> {
    /// The values.
    pub clip: &'a Clip,
    /// The skeleton on which joints are measured.
    pub avatar: &'a Avatar,
    named: std::result::Result<Vec<u8>, String>,
    nameless: std::result::Result<Vec<u8>, String>,
    anim_bytes: Option<u64>,
}

impl<'a> Source<'a> {
    /// Prepares a clip. A clip that `.data` cannot hold (other tracks than the muscles) is no error: its `.data` rows
    /// are left out, and [`Source::data_file`] gives the reason.
    ///
    /// # Errors
    /// An invalid clip.
    pub fn new(clip: &'a Clip) -> Result<Source<'a>> {
        clip.validate()?;
        let form = |mode| data_form(clip, mode).map_err(|error| format!("{error:#}"));
        Ok(Source {
            clip,
            avatar: Avatar::reference(),
            named: form(DataMode::Named),
            nameless: form(DataMode::Nameless),
            anim_bytes: anim_bytes(clip),
        })
    }

    /// The same with another skeleton to measure joints on.
    pub fn on(self, avatar: &'a Avatar) -> Source<'a> {
        Source { avatar, ..self }
    }

    /// The bytes of the clip as an uncompressed `.data` file.
    ///
    /// # Errors
    /// The reason why `.data` cannot hold this clip.
    pub fn data_file(&self, mode: DataMode) -> Result<&[u8]> {
        let form = match mode {
            DataMode::Named => &self.named,
            DataMode::Nameless => &self.nameless,
        };
        form.as_deref().map_err(|reason| anyhow!("{reason}"))
    }

    /// Bytes of the clip as a Unity `.anim`, linear between all its frames; `None` if `.anim` cannot hold the clip.
    pub fn anim_bytes(&self) -> Option<u64> {
        self.anim_bytes
    }

    /// Bytes of the samples alone: frames × components × 4.
    pub fn raw_bytes(&self) -> u64 {
        self.clip.frames() as u64 * self.clip.components() as u64 * 4
    }
}

/// Writes a `.data` file and reads it back: a baseline that does not hold the clip must not become a ratio.
fn data_form(clip: &Clip, mode: DataMode) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    data::write(clip, mode, &mut bytes)?;
    let samples = data::read(bytes.as_slice())?.clip.samples;
    verify::same_samples(clip, &samples).map_err(|what| anyhow!(".data loses part of the clip: {what}"))?;
    Ok(bytes)
}

/// Length of the clip as `.anim`; the text itself, tens of megabytes a minute, is not kept.
fn anim_bytes(clip: &Clip) -> Option<u64> {
    let mut length = Length(0);
    let options = WriteOptions::default();
    sinew_formats::write(clip, Format::Anim, &options, &mut length, &mut |_| {}).ok().map(|_| length.0)
}

/// A sink that counts.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether every time is an f32 value, the only kind of time that `.data` can hold.
pub fn times_are_f32(times: &Times) -> bool {
    times.iter().all(|time| f64::from(time as f32).to_bits() == time.to_bits())
}
