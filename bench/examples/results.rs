//! Writes `bench/RESULTS.md` and the plots that it shows anew: `cargo run --release -p sinew-bench --example results`.
//!
//! The page holds the default clip and, where the captures are, the sample capture with every codec, all captures with
//! the smallest rival, and what was tried and did not pay (`bench/TRIED.md`, written by hand).

use anyhow::{Context, Result};
use sinew::Clip;
use sinew_bench::{BenchOptions, ClipReport, bench_clip, rate_distortion_svg, size_tables, write_text};
use sinew_corpus::{corpus_dir, default_clip, manifest};
use sinew_formats::{Figure, FitOptions, Format, ReadOptions, fit};
use std::fs;
use std::path::Path;

/// Bounds of the plots.
const LADDER: [f64; 7] = [0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003];
/// Fewest frames of a clip that stands in the table of captures: below, a file is mostly header.
const FEWEST: usize = 30;

fn main() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let captures = corpus_dir();
    let mut clips = vec![("default clip".to_owned(), default_clip())];
    match captures.as_deref().map(|folder| folder.join("muscle/waving.data")).filter(|path| path.is_file()) {
        Some(path) => clips.push(("waving.data".to_owned(), sinew::data::read(fs::File::open(path)?)?.clip)),
        None => eprintln!("no captures here: the page will lack waving.data and the table of captures"),
    }

    // 1. Every codec on two clips.
    let reports = run(&clips, &BenchOptions::default())?;
    let mut page = HEAD.as_bytes().to_vec();
    page.extend_from_slice(b"```text\n");
    write_text(&reports, &mut page)?;
    page.extend_from_slice(b"```\n");

    // 2. The plots.
    page.extend_from_slice(PLOTS.as_bytes());
    let options = BenchOptions {
        bounds: LADDER.to_vec(),
        lossless: false,
        sizes_only: true,
        ..BenchOptions::default()
    };
    fs::write(folder.join("rate_distortion.svg"), rate_distortion_svg(&run(&clips, &options)?)?)?;

    // 3. All captures as muscles.
    if let Some(captures) = captures {
        page.extend_from_slice(CAPTURES.as_bytes());
        let clips = muscle_clips(&captures)?;
        let options = BenchOptions { sizes_only: true, ..BenchOptions::default() };
        page.extend_from_slice(size_tables(&run(&clips, &options)?).as_bytes());
    }

    // 4. What did not pay.
    page.extend_from_slice(b"\n");
    page.extend_from_slice(&fs::read(folder.join("TRIED.md")).context("bench/TRIED.md")?);
    fs::write(folder.join("RESULTS.md"), page)?;
    Ok(())
}

fn run(clips: &[(String, Clip)], options: &BenchOptions) -> Result<Vec<ClipReport>> {
    clips
        .iter()
        .map(|(name, clip)| {
            bench_clip(name, clip, options, &mut |row| eprintln!("{name}: {row}"))
                .with_context(|| name.clone())
        })
        .collect()
}

/// Every capture of muscles, of `.anim` and of BVH that is a humanoid's and long enough, as muscles without root.
fn muscle_clips(folder: &Path) -> Result<Vec<(String, Clip)>> {
    let mut clips = Vec::new();
    for entry in manifest(folder)? {
        let path = folder.join(&entry.file);
        if !["muscle/", "anim/", "bvh/"].iter().any(|kind| entry.file.starts_with(kind)) {
            continue;
        }
        let loaded = sinew_formats::read(&path, None, &ReadOptions::default());
        let options = FitOptions { figure: Some(Figure::Humanoid), ..FitOptions::default() };
        let fitted = loaded.and_then(|loaded| fit(loaded.clip, Format::Data, &options, &mut |_| {}));
        match fitted {
            Ok((mut clip, _)) => {
                clip.rig = None;
                if clip.frames() >= FEWEST {
                    clips.push((entry.file.clone(), clip));
                }
            }
            Err(error) => eprintln!("{}: left out: {error}", entry.file),
        }
    }
    Ok(clips)
}

const HEAD: &str = "\
# Results

Size, error and speed of every codec on the same clips at the same bounds. Written by
`cargo run --release -p sinew-bench --example results`; `sinew bench` prints the same table for any clip. Sizes do not
depend on the machine; times do.

- **default clip**: generated, the same on every machine (`sinew bench` without input). 60 s of walking, idling, dancing,
  sitting, gesture, with sensor noise and the uneven clock of a recorder. No capture: a codec that does well here
  only may be fitted to the generator.
- **waving.data**: a capture of a seated person waving, published with the recorder whose format `.data` is; not in this
  repository.

Columns: see the method below the tables.

";

const PLOTS: &str = "
## Rate and distortion

Bits a value against the largest error, both logarithmic; further left and lower is better. `sinew bench --svg` draws
the same for any clip.

![Rate and distortion of the default clip and waving.data](rate_distortion.svg)
";

const CAPTURES: &str = "
## All captures

Every public capture that is at hand, as muscles at its own frame rate (BVH through `sinew convert --as humanoid`):
bytes of the smallest codec that is not this project's, and of each effort with its share of that. Names are those of the
manifest, with sources and licences beside the captures. Clips of fewer than 30 frames are left out.
";
