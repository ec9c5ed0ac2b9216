//! Any bytes as a `.bvh` file: no panic; the clip comes back from its own text, and recovery keeps what reading gives.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::{Clip, EncodeConfig};
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, recover_from, resample, write};
use sinew_fuzz::LIMITS;
use std::io::{BufRead, BufReader};

const OPTIONS: ReadOptions = ReadOptions { hz: None, limits: LIMITS, asset: None, stages: false };

fuzz_target!(|bytes: &[u8]| {
    let read = |reader: &mut dyn BufRead| read_from(reader, Some(Format::Bvh), None, &OPTIONS, &mut |_| {});
    let mut reader = bytes;
    let whole = read(&mut reader);
    assert!(read(&mut BufReader::with_capacity(1, bytes)) == whole, "a slow pipe reads otherwise");
    let mut reader = bytes;
    let recovered = recover_from(&mut reader, Some(Format::Bvh), None, &OPTIONS, &mut |_| {});
    match &whole {
        Ok(loaded) => {
            let recovered = recovered.as_ref().expect("what can be read can be recovered");
            assert!(same(&recovered.clip, &loaded.clip), "recovery changes a whole file");
            assert!(sinew_formats::sniff(bytes, None) == Ok(Format::Bvh), "read but not known");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    for loaded in [whole, recovered].into_iter().flatten() {
        check_clip(&loaded.clip);
    }
});

fn check_clip(clip: &Clip) {
    clip.validate().expect("what is read is valid");
    let encoded = sinew::encode(clip, &EncodeConfig::lossless()).expect("valid");
    let through = sinew::decode(&encoded).expect("own file");
    assert!(same(&through, clip), "encoded otherwise");
    if !clip.is_skeleton() {
        return;
    }
    let mut text = Vec::new();
    let notes = write(&through, Format::Bvh, &WriteOptions::default(), &mut text, &mut |_| {})
        .unwrap_or_else(|error| panic!("a skeleton that was read: {error}"));
    let mut reader = &text[..];
    let again = read_from(&mut reader, None, None, &OPTIONS, &mut |_| {})
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&text)));
    assert!(again.notes.is_empty(), "{:?}", again.notes);
    // Only frames that were lost in between change what is read.
    let times = clip.times.clone();
    let again = if notes.is_empty() { again.clip } else { Clip { times, ..again.clip } };
    assert!(same(&again, clip), "what is written reads otherwise");
    let samples = (clip.times.span_s().abs() * 30.0 + 1.0) * clip.components() as f64;
    if samples < LIMITS.max_samples as f64
        && let Ok((resampled, _)) = resample(clip, 30.0)
    {
        resampled.validate().expect("what is resampled is valid");
    }
}

/// Whether two clips are the same to the bit, their rigs too.
fn same(a: &Clip, b: &Clip) -> bool {
    let offsets = |clip: &Clip| -> Vec<[u32; 3]> {
        clip.rig.iter().flat_map(|rig| &rig.joints).map(|joint| joint.offset.map(f32::to_bits)).collect()
    };
    a.bits_equal(b) && a.rig == b.rig && offsets(a) == offsets(b)
}
