//! Any bytes as a package, and any bytes as the archive within: no panic, and what is read can be written again.

#![no_main]

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, write};
use sinew_fuzz::LIMITS;
use std::io::Write;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(bytes).expect("a Vec takes any bytes");
    check(&encoder.finish().expect("a Vec takes any bytes"));
});

fn check(mut bytes: &[u8]) {
    let options = ReadOptions { limits: LIMITS, ..ReadOptions::default() };
    match read_from(&mut bytes, Some(Format::UnityPackage), None, &options, &mut |_| {}) {
        Ok(loaded) => {
            loaded.clip.validate().expect("what is read is valid");
            let mut package = Vec::new();
            if write(&loaded.clip, Format::UnityPackage, &WriteOptions::default(), &mut package, &mut |_| {})
                .is_ok()
            {
                let mut reader = &package[..];
                let again = read_from(&mut reader, None, None, &options, &mut |_| {});
                assert!(again.is_ok_and(|again| again.format == Format::UnityPackage));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
