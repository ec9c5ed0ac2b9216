//! Any bytes as a `.data` file: no panic; exact files come back byte for byte, also through `.sinew`; a slow pipe
//! reads as the whole does.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::data::{self, DataFile, DataMode};
use sinew::{EncodeConfig, Error, decode, encode};
use std::io::Read;

fuzz_target!(|bytes: &[u8]| {
    let read = data::read(bytes);
    let recovered = data::recover(bytes);
    let slowly = data::read(Pieces { bytes, length: 1 });
    assert!(is_same(&read, &slowly), "a slow pipe reads otherwise");
    match read {
        Ok(file) => {
            // An empty list before other bytes may be anything.
            if file.clip.frames() > 0 || bytes.len() == 1 {
                assert!(data::sniff_data(&bytes[..bytes.len().min(16)]), "read, but not known by its start");
            }
            check_written(bytes, &file);
            assert!(is_same(&Ok(file), &recovered), "recovery of a whole file differs");
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if let Ok(file) = recovered {
                assert!(!file.exact && !file.losses.is_empty());
                check_written(bytes, &file);
            }
        }
    }
});

/// Equality in which NaN equals NaN of the same bits.
fn is_same(a: &sinew::Result<DataFile>, b: &sinew::Result<DataFile>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            a.clip.bits_equal(&b.clip)
                && (&a.clip.meta, &a.losses, &a.notes, a.exact)
                    == (&b.clip.meta, &b.losses, &b.notes, b.exact)
        }
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

/// What was read can be written and reads back the same.
fn check_written(bytes: &[u8], file: &DataFile) {
    let clip = &file.clip;
    clip.validate().expect("what is read is valid");
    let mode = DataMode::of_clip(clip).expect("the mode is kept");
    let mut written = Vec::new();
    match data::write(clip, mode, &mut written) {
        Ok(losses) if file.exact => assert!(losses.is_empty() && file.losses.is_empty()),
        Ok(_) => {}
        // A float64 time beyond float32, which no recorder writes.
        Err(Error::InvalidInput { .. }) if !file.exact => return,
        Err(error) => panic!("cannot be written: {error}"),
    }
    assert_eq!(data::written_bytes(clip, mode), Ok(written.len() as u64));
    if file.exact {
        assert!(written == bytes, "an exact file comes back in other bytes");
        let packed = encode(clip, &EncodeConfig::lossless()).expect("a valid clip");
        let unpacked = decode(&packed).expect("an own file");
        let mut again = Vec::new();
        data::write(&unpacked, mode, &mut again).expect("an exact file");
        assert!(again == bytes, "an exact file comes out of .sinew in other bytes");
        return;
    }
    let again = data::read(&written[..]).expect("what is written reads");
    assert!(again.exact, "what is written is not the recorder's form: {:?}", again.notes);
    assert_eq!((again.clip.frames(), &again.clip.tracks), (clip.frames(), &clip.tracks));
    for (a, b) in again.clip.samples.iter().zip(&clip.samples) {
        assert!(a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()), "samples differ");
    }
    for (a, b) in again.clip.times.iter().zip(clip.times.iter()) {
        assert_eq!((a as f32).to_bits(), (b as f32).to_bits());
    }
}

/// Gives a few bytes at a time.
struct Pieces<'a> {
    bytes: &'a [u8],
    length: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.length.min(buffer.len()).min(self.bytes.len());
        let (piece, rest) = self.bytes.split_at(count);
        buffer[..count].copy_from_slice(piece);
        (self.bytes, self.length) = (rest, self.length % 13 + 3);
        Ok(count)
    }
}
