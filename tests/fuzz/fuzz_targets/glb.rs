//! Any bytes as a glTF: no panic, and what is read is a valid clip that can be encoded, written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::EncodeConfig;
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, write};
use sinew_fuzz::LIMITS;

const OPTIONS: ReadOptions = ReadOptions { hz: None, limits: LIMITS, asset: None, stages: false };

fuzz_target!(|bytes: &[u8]| {
    let mut reader = bytes;
    let clip = match read_from(&mut reader, Some(Format::Vrma), None, &OPTIONS, &mut |_| {}) {
        Ok(loaded) => loaded.clip,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    clip.validate().expect("what is read is valid");
    sinew::encode(&clip, &EncodeConfig::lossless()).expect("valid");
    let mut file = Vec::new();
    // What is no human is refused.
    if write(&clip, Format::Vrma, &WriteOptions::default(), &mut file, &mut |_| {}).is_ok() {
        let mut reader = &file[..];
        let again = read_from(&mut reader, None, None, &OPTIONS, &mut |_| {}).expect("own file");
        assert!(again.clip.frames() <= clip.frames());
    }
});
