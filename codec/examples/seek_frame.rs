//! Reads one frame, one track and the upper body out of a `.sinew` file without decoding the rest:
//! `cargo run --example seek_frame -- TAKE.sinew FRAME`.

use sinew::{ClipReader, Mask};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a .sinew file")?;
    let number: u64 = arguments.next().unwrap_or_else(|| "0".to_owned()).parse()?;
    let file = std::fs::read(path)?;
    let mut reader = ClipReader::open(&file)?;

    // One frame costs the decoding of its block.
    let mut frame = vec![0.0; reader.components()];
    let time = reader.frame(number, &mut frame)?;
    println!(
        "frame {number} of {} at {time:.3} s: {:.3?} ...",
        reader.frames(),
        &frame[..frame.len().min(8)]
    );

    // Groups outside the mask are skipped.
    let upper = reader.decode(Mask::UPPER)?;
    println!("upper body: {} tracks", upper.tracks.len());
    if let Some(track) = reader.tracks().first() {
        let name = track.name().to_owned();
        let samples = reader.track(0)?;
        println!("{name}: {} samples", samples[0].len());
    }
    Ok(())
}
