//! How long the hot loops take one by one: clips that leave a loop little else to do, coded through the public interface.
//!
//! | benchmark | loop |
//! |---|---|
//! | `group` | one body part: least squares, expected sizes and residuals (bounded), guesses and mixed bits (lossless) |
//! | `residuals` | muscles that nothing foretells: the residual coder and the range coder under the usual prediction |
//! | `repeats` | lossless samples that are among their recent values |
//! | `even bits` | lossless noise: the range coder at even odds |
//! | `rest` | dead arrays: what a block costs when nothing moves |
//! | `times` | a clip without tracks |
//! | `rotations` | quaternions to three numbers and back |
//! | `stream` | frames pushed one by one, none of them coded |
//! | `stages` | a decoding that keeps accounts |
//! | `humanoid` | muscles to a pose, rotations to muscles, displacement in millimetres |

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sinew::humanoid::{Avatar, displacement};
use sinew::{
    BodyPart, Clip, ClipReader, DecodeLimits, Effort, EncodeConfig, Mask, StreamEncoder, TimeForm, Times,
    Track, TrackKind,
};
use std::hint::black_box;

const FRAMES: usize = 2048;

/// Lossless and bounded, at every effort.
fn configs() -> impl Iterator<Item = (String, EncodeConfig)> {
    [("fast", Effort::Fast), ("balanced", Effort::Balanced), ("max", Effort::Max)].into_iter().flat_map(
        |(name, effort)| {
            [
                (format!("{name} lossless"), EncodeConfig::lossless().with_effort(effort)),
                (format!("{name} 0.001"), EncodeConfig::bounded(0.001).with_effort(effort)),
            ]
        },
    )
}

/// A clip at 60 Hz whose arrays hold `value(array, frame)`.
fn clip_of(tracks: Vec<Track>, mut value: impl FnMut(usize, usize) -> f32) -> Clip {
    let mut clip = Clip::empty(tracks);
    for (array, samples) in clip.samples.iter_mut().enumerate() {
        samples.extend((0..FRAMES).map(|frame| value(array, frame)));
    }
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames: FRAMES };
    clip
}

fn left_arm() -> Vec<Track> {
    Track::muscles().into_iter().filter(|track| track.body_part() == Some(BodyPart::LeftArm)).collect()
}

/// A small linear congruence.
fn random() -> impl FnMut() -> u32 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 32) as u32
    }
}

/// Encodes and decodes the clip in each configuration; a sample is an element, or a frame where there are no tracks.
fn both_ways(criterion: &mut Criterion, name: &str, clip: &Clip) {
    let mut group = criterion.benchmark_group(name);
    let elements = clip.frames() * clip.components().max(1);
    group.sample_size(10).throughput(Throughput::Elements(elements as u64));
    for (config_name, config) in configs() {
        group.bench_function(BenchmarkId::new("encode", &config_name), |bencher| {
            bencher.iter(|| sinew::encode(black_box(clip), &config).expect("a valid clip"));
        });
        let file = sinew::encode(clip, &config).expect("a valid clip");
        group.bench_function(BenchmarkId::new("decode", &config_name), |bencher| {
            bencher.iter(|| sinew::decode(black_box(&file)).expect("a whole file"));
        });
    }
}

fn one_group(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    for part in [BodyPart::LeftArm, BodyPart::LeftFingers] {
        let mask = Mask::NONE.with(part);
        let file = sinew::encode(&clip, &EncodeConfig::lossless()).expect("a valid clip");
        let alone = ClipReader::open(&file).and_then(|reader| reader.decode(mask)).expect("a whole file");
        both_ways(criterion, &format!("group {}", part.name()), &alone);
    }
}

fn coders(criterion: &mut Criterion) {
    let mut next = random();
    let mut place = 0.0;
    let walk = clip_of(left_arm(), |_, _| {
        place = place * 0.999 + (f64::from(next()) / 4_294_967_296.0 - 0.5) * 0.02;
        place as f32
    });
    both_ways(criterion, "residuals", &walk);
    let repeats = clip_of(left_arm(), |_, _| (next() >> 30) as f32 * 0.25);
    both_ways(criterion, "repeats", &repeats);
    let noise = clip_of(left_arm(), |_, _| f32::from_bits(next()));
    both_ways(criterion, "even bits", &noise);
    both_ways(criterion, "rest", &clip_of(Track::muscles(), |array, _| array as f32 * 0.01));
}

fn times(criterion: &mut Criterion) {
    let mut next = random();
    let mut clip = Clip::empty(Vec::new());
    let jitter = |frame: usize, bits: u32| frame as f64 / 60.0 + f64::from(bits) / 4_294_967_296.0 * 0.004;
    clip.times = Times::Explicit((0..FRAMES * 16).map(|frame| jitter(frame, next())).collect());
    both_ways(criterion, "times", &clip);
}

fn rotations(criterion: &mut Criterion) {
    let tracks =
        (0..20).map(|joint| Track::new(&format!("joint{joint}/rotation"), TrackKind::Rotation)).collect();
    // A slow swing about an axis of each joint's own.
    let clip = clip_of(tracks, |array, frame| {
        let (joint, component) = (array / 4, array % 4);
        let half = (frame as f64 * 0.003 * (joint + 1) as f64).sin() * 0.4;
        let axis = [0.6, 0.64, 0.48];
        axis.get((component + joint) % 3)
            .filter(|_| component < 3)
            .map_or(half.cos(), |part| part * half.sin()) as f32
    });
    both_ways(criterion, "rotations", &clip);
}

fn stream(criterion: &mut Criterion) {
    let clip = Clip::empty(Track::muscles());
    let mut group = criterion.benchmark_group("stream");
    let config = EncodeConfig::default().with_block_frames(sinew::MAX_BLOCK_FRAMES);
    group.throughput(Throughput::Elements(FRAMES as u64 * 95));
    let values = [0.25; 95];
    group.bench_function("push", |bencher| {
        bencher.iter(|| {
            let form = TimeForm::Explicit { narrow: false };
            let (mut encoder, _) = StreamEncoder::new(&clip, form, &config).expect("a valid clip");
            for frame in 0..FRAMES {
                let block = encoder.push_frame(frame as f64, black_box(&values)).expect("a valid frame");
                assert!(block.is_none(), "the block is longer");
            }
            encoder.frames()
        });
    });
}

fn stages(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    let limits = DecodeLimits::default();
    let mut group = criterion.benchmark_group("stages");
    group.sample_size(10).throughput(Throughput::Elements((clip.frames() * clip.components()) as u64));
    for (name, config) in configs() {
        let file = sinew::encode(&clip, &config).expect("a valid clip");
        group.bench_function(name, |bencher| {
            bencher.iter(|| sinew::file_info_with_stages(black_box(&file), &limits).expect("a whole file"));
        });
    }
}

fn humanoid(criterion: &mut Criterion) {
    let clip = sinew_corpus::default_clip();
    let avatar = Avatar::reference();
    let root = avatar.rest_root();
    let muscles: [f64; 95] = std::array::from_fn(|muscle| f64::from(clip.samples[muscle][clip.frames() / 2]));
    let rotations = avatar.local_rotations(&muscles).expect("usable muscles");
    let mut group = criterion.benchmark_group("humanoid");
    group.bench_function("pose", |bencher| {
        bencher.iter(|| avatar.pose(black_box(&muscles), &root).expect("usable muscles"));
    });
    group.bench_function("muscles", |bencher| {
        bencher.iter(|| avatar.muscles(black_box(&rotations)).expect("usable rotations"));
    });
    let file = sinew::encode(&clip, &EncodeConfig::default()).expect("a valid clip");
    let decoded = sinew::decode(&file).expect("a whole file");
    group.sample_size(10);
    group.bench_function("displacement", |bencher| {
        bencher.iter(|| displacement(black_box(&clip), &decoded, avatar).expect("two humanoids"));
    });
}

// The macro makes a public function without a doc comment, in a target that nothing links to.
#[allow(missing_docs)]
mod group {
    use super::*;
    criterion_group!(loops, one_group, coders, times, rotations, stream, stages, humanoid);
}
use group::loops;
criterion_main!(loops);
