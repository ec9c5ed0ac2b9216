//! Encodes a recording at three bounds and prints size and error: `cargo run --example encode_clip -- TAKE.data`.

use sinew::{EncodeConfig, compare, decode, encode};
use std::error::Error;
use std::fs::File;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a .data file")?;
    let clip = sinew::data::read(File::open(path)?)?.clip;
    println!("{} frames of {} tracks", clip.frames(), clip.tracks.len());
    for bound in [0.01, 0.001, 0.0001] {
        let file = encode(&clip, &EncodeConfig::bounded(bound))?;
        let report = compare(&clip, &decode(&file)?)?;
        if let Some(worst) = report.max_muscle {
            println!(
                "bound {bound}: {} bytes; largest error {:.6} on {:?} in frame {}",
                file.len(),
                worst.value,
                worst.track,
                worst.frame
            );
        }
    }
    println!("lossless: {} bytes", encode(&clip, &EncodeConfig::lossless())?.len());
    Ok(())
}
