//! What resampling holds in memory beside the two clips. Alone in its binary, because it looks at the whole process.

use sinew::{Clip, Times, Track, TrackKind};

const FRAMES: usize = 4_000_000;

/// Largest resident memory of this process so far, where the system tells it.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn resampling_holds_the_two_clips_and_nothing_else_of_their_length() {
    let mut clip = Clip::empty(vec![Track::new("x", TrackKind::Scalar)]);
    clip.times = Times::Uniform { start_s: 0.0, frame_s: 1.0 / 60.0, frames: FRAMES };
    clip.samples[0] = (0..FRAMES).map(|frame| frame as f32).collect();
    let before = peak_mib();
    let (resampled, _) = sinew_formats::resample(&clip, 60.0).expect("a good rate");
    assert_eq!((resampled.frames(), resampled.samples[0].last()), (FRAMES, clip.samples[0].last()));
    // 16 MiB of samples; 8 bytes a frame more would be 30.
    if let (Some(before), Some(after)) = (before, peak_mib()) {
        assert!(after < before + 24, "{before} MiB before, {after} MiB at most");
    }
}
