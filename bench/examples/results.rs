//! Writes `bench/RESULTS.md` anew: `cargo run --release -p sinew-bench --example results > bench/RESULTS.md`.
//!
//! The page holds the default clip and, where the captures are, the sample capture.

use anyhow::Result;
use sinew_bench::{BenchOptions, bench_clip, write_text};
use sinew_corpus::{corpus_dir, default_clip};
use std::io::Write;

fn main() -> Result<()> {
    let mut clips = vec![("default clip".to_owned(), default_clip())];
    match corpus_dir().map(|folder| folder.join("muscle/waving.data")).filter(|path| path.is_file()) {
        Some(path) => {
            clips.push(("waving.data".to_owned(), sinew::data::read(std::fs::File::open(path)?)?.clip))
        }
        None => eprintln!("no captures here: the page will lack waving.data"),
    }
    let mut reports = Vec::new();
    for (name, clip) in &clips {
        let mut progress = |row: &str| eprintln!("{name}: {row}");
        reports.push(bench_clip(name, clip, &BenchOptions::default(), &mut progress)?);
    }
    let mut page = std::io::stdout().lock();
    page.write_all(HEAD.as_bytes())?;
    write_text(&reports, &mut page)?;
    page.write_all(b"```\n")?;
    Ok(())
}

const HEAD: &str = "\
# Results

Size, error and speed of every codec on the same clips at the same bounds. Written by
`cargo run --release -p sinew-bench --example results > bench/RESULTS.md`; `sinew bench` prints the same table for any
clip. Sizes do not depend on the machine; times do.

- **default clip**: generated, the same on every machine (`sinew bench` without input). 60 s of walking, idling, dancing,
  sitting, gesture, with sensor noise and the uneven clock of a recorder. No capture: a codec that does well here
  only may be fitted to the generator.
- **waving.data**: a capture of a seated person waving, published with the recorder whose format `.data` is; not in this
  repository.

Columns: see the method below the tables.

```text
";
