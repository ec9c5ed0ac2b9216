//! MessagePack by hand, so that the tests do not use the code they test.

use sinew::data::{self, DataFile};
use sinew::{Error, MUSCLES};

/// The GUID of all takes built here.
pub const GUID: &str = "0b7e7a10-5d0c-4a52-9d3e-111111111111";

pub fn array(count: usize) -> Vec<u8> {
    match count {
        0..16 => vec![0x90 | count as u8],
        16..65_536 => [&[0xdc][..], &(count as u16).to_be_bytes()].concat(),
        _ => [&[0xdd][..], &(count as u32).to_be_bytes()].concat(),
    }
}

pub fn array32(count: u32) -> Vec<u8> {
    [&[0xdd][..], &count.to_be_bytes()].concat()
}

pub fn text(text: &str) -> Vec<u8> {
    let head = match text.len() {
        0..32 => vec![0xa0 | text.len() as u8],
        32..256 => vec![0xd9, text.len() as u8],
        _ => [&[0xda][..], &(text.len() as u16).to_be_bytes()].concat(),
    };
    [&head, text.as_bytes()].concat()
}

pub fn f32(value: f32) -> Vec<u8> {
    [&[0xca][..], &value.to_bits().to_be_bytes()].concat()
}

pub fn f64(value: f64) -> Vec<u8> {
    [&[0xcb][..], &value.to_bits().to_be_bytes()].concat()
}

/// A frame whose parts are given as MessagePack already.
pub fn frame_of(guid: &[u8], time: &[u8], entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = [&[0x93][..], guid, time, &array(entries.len())].concat();
    for (name, value) in entries {
        bytes.push(0x92);
        bytes.extend_from_slice(name);
        bytes.extend_from_slice(value);
    }
    bytes
}

/// A frame as the recorder writes it.
pub fn frame(time: f32, names: &[&str], values: &[f32]) -> Vec<u8> {
    let entries: Vec<_> = names.iter().zip(values).map(|(name, &value)| (text(name), f32(value))).collect();
    frame_of(&text(GUID), &f32(time), &entries)
}

/// A nameless frame of any number of values.
pub fn nameless(time: f32, values: &[f32]) -> Vec<u8> {
    frame(time, &vec![""; values.len()], values)
}

/// The whole file.
pub fn take(frames: &[Vec<u8>]) -> Vec<u8> {
    [array(frames.len()), frames.concat()].concat()
}

/// Distinct, irregular values of one frame.
pub fn values(frame: usize, count: usize) -> Vec<f32> {
    (0..count).map(|muscle| ((muscle * 37 + frame * 11) as f32 * 0.7).sin() * 1.3).collect()
}

/// AnimationClip names of the 95 muscles.
pub fn properties() -> Vec<&'static str> {
    MUSCLES.iter().map(|muscle| muscle.property).collect()
}

/// Nameless 95-value frames at 60 Hz.
pub fn nameless_frames(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|frame| nameless(frame as f32 / 60.0, &values(frame, 95))).collect()
}

/// Reads what must be readable.
pub fn read(bytes: &[u8]) -> DataFile {
    data::read(bytes).expect("a readable take")
}

/// Place and text of the fault of what must not be readable.
pub fn fault(bytes: &[u8]) -> (Option<u64>, Option<u64>, u64, String) {
    match data::read(bytes) {
        Err(Error::Format { format: ".data", frame, entry, at_byte, what }) => (frame, entry, at_byte, what),
        other => panic!("expected a format error, got {other:?}"),
    }
}

/// Bits of all samples of a frame in track order.
pub fn bits(file: &DataFile, frame: usize) -> Vec<u32> {
    file.clip.samples.iter().map(|samples| samples[frame].to_bits()).collect()
}

/// Bits of values.
pub fn bits_of(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}
