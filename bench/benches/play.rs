//! What a runtime pays to play a fast file: poses in sequence and after jumps, one track, and opening; beside them what no
//! player can do without, the linear interpolation of two frames that lie in memory.

use criterion::{Bencher, Criterion, criterion_group, criterion_main};
use sinew::{Clip, Effort, EncodeConfig, Player};
use std::hint::black_box;

/// The default clip, and the sample capture where the corpus is at hand.
fn clips() -> Vec<(&'static str, Clip)> {
    let mut clips = vec![("default clip", sinew_corpus::default_clip())];
    if let Some(path) = sinew_corpus::require("muscle/waving.data") {
        let file = std::fs::File::open(path).expect("readable");
        clips.push(("waving", sinew::data::read(file).expect("a real capture").clip));
    }
    clips
}

/// Plays at times that `next` tells from the one before, within the clip's span.
fn play(bencher: &mut Bencher<'_>, player: &mut Player, mut next: impl FnMut(f64) -> f64) {
    let mut pose = vec![0.0; player.components()];
    let start_s = player.time(0).expect("has frames");
    let span_s = player.time(player.frames() - 1).expect("has frames") - start_s;
    let mut since_s = 0.0;
    bencher.iter(|| {
        since_s = next(since_s);
        if since_s > span_s {
            since_s -= span_s;
        }
        player.sample(black_box(start_s + since_s), &mut pose).expect("has frames");
        black_box(&mut pose);
    });
}

/// Numbers in [0, 1) without an order: a step of the golden ratio.
fn anywhere() -> impl FnMut() -> f64 {
    let mut place = 0.0;
    move || {
        place = (place + 0.618_033_988_749_894_9) % 1.0;
        place
    }
}

fn player(criterion: &mut Criterion) {
    let frames: [Vec<f32>; 2] =
        std::array::from_fn(|frame| (0..95).map(|i| (i + frame) as f32 * 0.01).collect());
    let mut pose = vec![0.0; 95];
    criterion.bench_function("lerp of two frames of 95", |bencher| {
        bencher.iter(|| {
            let fraction: f32 = black_box(0.25);
            let [a, b] = black_box(&frames);
            for ((value, a), b) in pose.iter_mut().zip(a).zip(b) {
                *value = a + (b - a) * fraction;
            }
            black_box(&mut pose);
        });
    });
    for (name, clip) in clips() {
        let mut group = criterion.benchmark_group(format!("play {name}"));
        let span_s = clip.times.span_s();
        for bound in [0.01, 0.001, 0.0001] {
            let config = EncodeConfig::bounded(bound).with_effort(Effort::Fast);
            let file = sinew::encode(&clip, &config).expect("a valid clip");
            let mut player = Player::open(&file).expect("an own file");
            let frame_s = span_s / (clip.frames() - 1) as f64;
            group.bench_function(format!("{bound}, in sequence"), |bencher| {
                play(bencher, &mut player, |since_s| since_s + frame_s);
            });
            let mut place = anywhere();
            group.bench_function(format!("{bound}, anywhere"), |bencher| {
                play(bencher, &mut player, |_| place() * span_s);
            });
            let mut place = anywhere();
            let mut value = [0.0];
            group.bench_function(format!("{bound}, one track anywhere"), |bencher| {
                bencher.iter(|| {
                    player.sample_track(39, black_box(place() * span_s), &mut value).expect("a muscle");
                    black_box(value)
                });
            });
            group.bench_function(format!("{bound}, open"), |bencher| {
                bencher.iter(|| Player::open(black_box(&file)).expect("an own file"));
            });
        }
    }
}

// The macro makes a public function without a doc comment, in a target that nothing links to.
#[allow(missing_docs)]
mod group {
    use super::*;
    criterion_group!(players, player);
}
use group::players;
criterion_main!(players);
