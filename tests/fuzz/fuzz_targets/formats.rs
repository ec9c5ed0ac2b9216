//! Any bytes as a file of another program: no panic, and what is read comes back through the same format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew_formats::{Format, Loaded, ReadOptions, WriteOptions, read_from, recover_from, resample, write};
use sinew_fuzz::LIMITS;

/// Rate for sources without times.
const HZ: f64 = 30.0;
const OPTIONS: ReadOptions = ReadOptions { hz: Some(HZ), limits: LIMITS, asset: None, stages: false };
/// Without a rate, sources that hold curves may give other frames.
const OWN_TIMES: ReadOptions = ReadOptions { hz: None, limits: LIMITS, asset: None, stages: false };

fuzz_target!(|bytes: &[u8]| {
    let sniffed = sinew_formats::sniff(bytes, None);
    let mut reader = bytes;
    let asked_nothing = read_from(&mut reader, None, None, &OPTIONS, &mut |_| {});
    for &format in Format::ALL {
        // These have targets of their own.
        if matches!(
            format,
            Format::Sinew
                | Format::Data
                | Format::Anim
                | Format::Bvh
                | Format::UnityPackage
                | Format::Plask
                | Format::Three
                | Format::Muscles
        ) {
            continue;
        }
        let mut reader = bytes;
        let read = read_from(&mut reader, Some(format), None, &OPTIONS, &mut |_| {});
        if sniffed == Ok(format) {
            assert_eq!(asked_nothing.is_ok(), read.is_ok(), "sniffed and asked-for reading differ");
        }
        match read {
            Ok(loaded) => check_loaded(&loaded, &OPTIONS),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        let mut reader = bytes;
        if let Ok(loaded) = read_from(&mut reader, Some(format), None, &OWN_TIMES, &mut |_| {}) {
            check_loaded(&loaded, &OWN_TIMES);
        }
        let mut reader = bytes;
        if let Ok(loaded) = recover_from(&mut reader, Some(format), None, &OPTIONS, &mut |_| {}) {
            check_loaded(&loaded, &OPTIONS);
        }
    }
});

fn check_loaded(loaded: &Loaded, options: &ReadOptions) {
    let clip = &loaded.clip;
    clip.validate().expect("what is read is valid");
    let mut bytes = Vec::new();
    let Ok(notes) = write(clip, loaded.format, &WriteOptions::default(), &mut bytes, &mut |_| {}) else {
        return;
    };
    if !notes.iter().any(|note| note.is_loss()) {
        let mut reader = &bytes[..];
        let again = read_from(&mut reader, Some(loaded.format), None, options, &mut |_| {});
        let again = again.unwrap_or_else(|error| panic!("what is written does not read: {error}"));
        assert!(again.clip.bits_equal(clip), "what is written reads otherwise");
    }
    let samples = (clip.times.span_s().abs() * HZ + 1.0) * clip.components().max(1) as f64;
    if samples < LIMITS.max_samples as f64
        && let Ok((resampled, _)) = resample(clip, HZ)
    {
        resampled.validate().expect("what is resampled is valid");
    }
}
