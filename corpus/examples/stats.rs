//! Prints the figures of the default clip and of each `.data` file given:
//! `cargo run --release -p sinew-corpus --example stats -- [FILE.data ...]`

use sinew_corpus::{ClipStats, clip_stats, default_clip};
use std::fs::File;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "| clip | frames | mean Hz | step ms | moving | near-dead | outside ±1 | min .. max | d2 + zstd-19, bits a value \
         at 0.01 / 0.001 / 0.0001 | lossless | left/right |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    println!("{}", row("default clip", &clip_stats(&default_clip())?));
    for path in std::env::args_os().skip(1) {
        let named = |error| format!("{}: {error}", path.display());
        let file = File::open(&path).map_err(|error| named(error.into()))?;
        let clip = sinew::data::read(file).map_err(named)?.clip;
        let name = std::path::Path::new(&path).file_name().unwrap_or(&path);
        println!("{}", row(&name.to_string_lossy(), &clip_stats(&clip)?));
    }
    Ok(())
}

/// One line of the table; `-` stands for a figure that the clip has not.
fn row(name: &str, stats: &ClipStats) -> String {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    format!(
        "| {name} | {} | {} | {} | {} | {} | {:.1} % | {} | {} | {} | {} |",
        stats.frames,
        or_dash(stats.mean_hz.map(|hz| format!("{hz:.1}"))),
        or_dash(stats.step_range_s.map(|(low, high)| format!("{:.1}..{:.1}", low * 1e3, high * 1e3))),
        stats.moving,
        stats.near_dead,
        stats.outside * 100.0,
        or_dash(stats.range.map(|(low, high)| format!("{low:.2} .. {high:.2}"))),
        or_dash(stats.bits_per_value.map(|bits| format!("{:.2} / {:.2} / {:.2}", bits[0], bits[1], bits[2]))),
        or_dash(stats.lossless_bits_per_value.map(|bits| format!("{bits:.2}"))),
        or_dash(stats.left_right.map(|correlation| format!("{correlation:.2}"))),
    )
}
