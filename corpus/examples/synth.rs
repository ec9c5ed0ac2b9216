//! Writes a generated clip as `.data`:
//! `cargo run --release -p sinew-corpus --example synth -- OUT.data [--seed N] [--seconds S] [--named]`

use sinew::data::{DataMode, write};
use sinew_corpus::{SynthConfig, synth};
use std::error::Error;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut mode, mut config) = (None, DataMode::Nameless, SynthConfig::default());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--seed" => config.seed = value()?.parse()?,
            "--seconds" => config.seconds = value()?.parse()?,
            "--named" => mode = DataMode::Named,
            _ if arg.starts_with('-') || out.is_some() => return Err(format!("unexpected {arg}").into()),
            _ => out = Some(arg),
        }
    }
    let out = out.ok_or("which file to write? OUT.data [--seed N] [--seconds S] [--named]")?;
    let clip = synth(&config)?;
    // An existing file may be a capture: never replaced.
    let file =
        OpenOptions::new().write(true).create_new(true).open(&out).map_err(|e| format!("{out}: {e}"))?;
    let mut sink = BufWriter::new(file);
    for note in write(&clip, mode, &mut sink)? {
        eprintln!("{note}");
    }
    sink.flush()?;
    println!("{out}: {} frames of {} muscles", clip.frames(), clip.tracks.len());
    Ok(())
}
