//! Cut and changed files of every format: an error or a clip, quickly, and never a panic.

use sinew::{Clip, Times, Track, TrackKind};
use sinew_formats::{Format, ReadOptions, WriteOptions, read_from, recover_from, write};

fn clip() -> Clip {
    let mut clip = Clip::empty(vec![
        Track::new("Jaw Close", TrackKind::Scalar),
        Track::root_position(),
        Track::new("a \"quoted\", name", TrackKind::Scalar),
    ]);
    clip.times = Times::Explicit(vec![0.0, 0.1, 0.05, 0.3]);
    clip.samples = (0..5).map(|i| (0..4).map(|frame| 0.1 * (i * frame) as f32 - 0.3).collect()).collect();
    clip
}

fn bytes_of(format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    let options = WriteOptions { mode: Some(sinew::data::DataMode::Named), ..WriteOptions::default() };
    write(&clip(), format, &options, &mut bytes, &mut |_| {}).expect("writable");
    bytes
}

/// Reads in every way; whatever is read is a valid clip.
fn try_all(bytes: &[u8], format: Format) {
    let options = ReadOptions { hz: Some(30.0), ..ReadOptions::default() };
    for asked in [Some(format), None] {
        for read in [read_from, recover_from] {
            let mut reader = bytes;
            if let Ok(loaded) = read(&mut reader, asked, None, &options, &mut |_| {}) {
                loaded.clip.validate().expect("valid");
            }
        }
    }
}

#[test]
fn cuts_and_changed_bytes_never_panic() {
    for &format in Format::ALL {
        let bytes = bytes_of(format);
        for length in 0..bytes.len() {
            try_all(&bytes[..length], format);
        }
        for at in 0..bytes.len() {
            for change in [0x01, 0x10, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                try_all(&changed, format);
            }
            for replacement in [b'9', b',', b'\n', b'"', b'('] {
                let mut changed = bytes.clone();
                changed[at] = replacement;
                try_all(&changed, format);
            }
        }
    }
}

#[test]
fn one_format_read_as_another_never_panics() {
    for &written in Format::ALL {
        let bytes = bytes_of(written);
        for &read in Format::ALL {
            try_all(&bytes, read);
        }
    }
}
