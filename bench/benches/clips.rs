//! How long whole clips take: the codec both ways, one frame at a time, and `.data`, on the default clip.
//!
//! criterion, because its confidence intervals tell a change of a few per cent from a noisy machine; the table's
//! medians are too coarse for that. Run by `cargo bench -p sinew-bench`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew::data::{self, DataMode};
use sinew::{Clip, ClipReader, EncodeConfig};
use std::hint::black_box;

fn configs() -> [(&'static str, EncodeConfig); 4] {
    [
        ("lossless", EncodeConfig::lossless()),
        ("0.01", EncodeConfig::bounded(0.01)),
        ("0.001", EncodeConfig::bounded(0.001)),
        ("0.0001", EncodeConfig::bounded(0.0001)),
    ]
}

fn samples(clip: &Clip) -> Throughput {
    Throughput::Elements((clip.frames() * clip.components()) as u64)
}

fn encode(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    let mut group = criterion.benchmark_group("encode");
    group.sample_size(10).throughput(samples(&clip));
    for (name, config) in configs() {
        group.bench_function(name, |bencher| {
            bencher.iter(|| sinew::encode(black_box(&clip), &config).expect("a valid clip"));
        });
    }
}

fn decode(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    let mut group = criterion.benchmark_group("decode");
    group.sample_size(10).throughput(samples(&clip));
    for (name, config) in configs() {
        let file = sinew::encode(&clip, &config).expect("a valid clip");
        group.bench_function(name, |bencher| {
            bencher.iter(|| sinew::decode(black_box(&file)).expect("a whole file"));
        });
    }
}

/// A cold seek: open, then one frame from the middle of a block in the middle of the clip.
fn seek(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    let mut group = criterion.benchmark_group("cold seek");
    let mut frame = vec![0.0; clip.components()];
    for (name, config) in configs() {
        let file = sinew::encode(&clip, &config).expect("a valid clip");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut reader = ClipReader::open(black_box(&file)).expect("a whole file");
                reader.frame(clip.frames() as u64 / 2, &mut frame).expect("a frame of the clip")
            });
        });
    }
}

fn data_file(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    let mut group = criterion.benchmark_group("data");
    group.sample_size(10).throughput(samples(&clip));
    for (name, mode) in [("named", DataMode::Named), ("nameless", DataMode::Nameless)] {
        let write = |clip: &Clip| {
            let mut bytes = Vec::new();
            data::write(clip, mode, &mut bytes).expect("muscles only");
            bytes
        };
        group.bench_function(format!("write {name}"), |bencher| bencher.iter(|| write(black_box(&clip))));
        let bytes = write(&clip);
        group.bench_function(format!("read {name}"), |bencher| {
            bencher.iter(|| data::read(black_box(bytes.as_slice())).expect("a whole file"));
        });
    }
}

// The macro makes a public function without a doc comment, in a target that nothing links to.
#[allow(missing_docs)]
mod group {
    use super::*;
    criterion_group!(clips, encode, decode, seek, data_file);
}
use group::clips;
criterion_main!(clips);
