//! Reads a long synthetic `.data` take that exists nowhere as a file, and tells peak memory and speed.
//!
//! `cargo run --release --example data_memory -- [FRAMES] [named|nameless]`; two hours at 60 Hz without arguments.

use sinew::data::{self, DataMode};
use sinew::{Clip, MUSCLE_COUNT, Times};
use std::io::{Read, Write};
use std::time::Instant;

/// Gives the header, then the same frame's bytes over and over with another time and first value.
struct Generator {
    frame: Vec<u8>,
    /// Place of the time and of the first value in the frame.
    numbers_at: [usize; 2],
    pending: Vec<u8>,
    used: usize,
    number: u32,
    frames: u32,
}

impl Generator {
    fn new(frames: u32, mode: DataMode) -> Result<Self, sinew::Error> {
        let values: [f32; MUSCLE_COUNT] = std::array::from_fn(|muscle| muscle as f32 * 0.017 - 0.8);
        let times = Times::Uniform { start_s: 0.0, frame_s: 1.0, frames: 1 };
        let mut bytes = Vec::new();
        data::write(&Clip::from_muscle_frames(&[values], times)?, mode, &mut bytes)?;
        let frame = bytes.split_off(1);
        let first = 1 + frame.windows(1).skip(1).take_while(|byte| byte[0] != 0xca).count();
        let second = first + 5 + frame[first + 5..].iter().take_while(|&&byte| byte != 0xca).count();
        let header = [&[0xdd][..], &frames.to_be_bytes()].concat();
        Ok(Generator {
            frame,
            numbers_at: [first + 1, second + 1],
            pending: header,
            used: 0,
            number: 0,
            frames,
        })
    }
}

impl Read for Generator {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.used == self.pending.len() && self.number < self.frames {
            for (at, rate_hz) in self.numbers_at.into_iter().zip([60.0, 600.0]) {
                let bits = (self.number as f32 / rate_hz).to_bits();
                self.frame[at..at + 4].copy_from_slice(&bits.to_be_bytes());
            }
            self.pending.clone_from(&self.frame);
            (self.used, self.number) = (0, self.number + 1);
        }
        let count = (&self.pending[self.used..]).read(buffer)?;
        self.used += count;
        Ok(count)
    }
}

fn peak_bytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? * 1024.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let frames: u32 = arguments.next().map_or(Ok(432_000), |frames| frames.parse())?;
    let mode =
        if arguments.next().as_deref() == Some("named") { DataMode::Named } else { DataMode::Nameless };
    let start = Instant::now();
    let file = data::read(Generator::new(frames, mode)?)?;
    let read_s = start.elapsed().as_secs_f64();
    let sample_bytes = (file.clip.components() * file.clip.frames() * 4) as f64;
    let data_mb = data::written_bytes(&file.clip, mode)? as f64 / 1e6;
    println!("{} frames, {data_mb:.1} MB, byte-exact: {}", file.clip.frames(), file.exact);
    println!("read  {:.0} MB/s", data_mb / read_s);
    if let Some(peak) = peak_bytes() {
        println!("peak memory {:.1} MB = {:.3} x samples", peak / 1e6, peak / sample_bytes);
    }
    let start = Instant::now();
    let mut sink = std::io::sink();
    data::write(&file.clip, mode, &mut sink)?;
    sink.flush()?;
    println!("write {:.0} MB/s", data_mb / start.elapsed().as_secs_f64());
    Ok(())
}
