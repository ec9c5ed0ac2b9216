//! Writes frames to a file as they come, a block a second, so that whatever happens all but the last second can be
//! recovered: `cargo run --example record_live -- OUT.sinew`.

use sinew::{Clip, EncodeConfig, StreamEncoder, TimeForm, Track};
use std::error::Error;
use std::fs::File;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name the file to write")?;
    let mut file = File::create_new(path)?;
    let clip = Clip::empty(Track::muscles());
    let config = EncodeConfig::bounded(0.001).with_block_frames(60);
    let (mut encoder, front) = StreamEncoder::new(&clip, TimeForm::Explicit { narrow: false }, &config)?;
    file.write_all(&front)?;
    // A capture would wait for its device here; this one nods for ten seconds.
    for frame in 0..600 {
        let time_s = f64::from(frame) / 60.0;
        let mut values = [0.0f32; 95];
        values[9] = (time_s * 3.0).sin() as f32 * 0.3;
        if let Some(block) = encoder.push_frame(time_s, &values)? {
            file.write_all(&block)?;
            file.sync_data()?;
        }
    }
    file.write_all(&encoder.finish()?)?;
    println!("{} bytes", file.metadata()?.len());
    Ok(())
}
