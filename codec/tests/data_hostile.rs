//! Hostile `.data` inputs: an error within a second, in little memory and stack. One test, so that the process's
//! peak memory is that of these inputs alone.

use sinew::data;
use std::time::{Duration, Instant};

/// LZ4 extension 99 around a block that gives `start`, then about `zeros` zero bytes.
fn zero_bomb(start: &[u8], zeros: usize) -> Vec<u8> {
    let extensions = zeros / 255;
    let plain_bytes = start.len() + 1 + 4 + 15 + 255 * extensions;
    let mut block = vec![((start.len() + 1) as u8) << 4 | 15];
    block.extend_from_slice(start);
    // A literal zero, a match that repeats it, and an empty last sequence.
    block.extend_from_slice(&[0, 1, 0]);
    block.resize(block.len() + extensions, 255);
    block.extend_from_slice(&[0, 0]);
    let payload = [&[0xce][..], &(plain_bytes as u32).to_be_bytes(), &block].concat();
    [&[0xc9][..], &(payload.len() as u32).to_be_bytes(), &[99], &payload].concat()
}

fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let nest = |head: &[u8], depth: usize| [head, &vec![0x91; depth], &[0xc0]].concat();
    let empty_frames = [&[0xdd, 0x00, 0x0f, 0x42, 0x40][..], &vec![0x90; 1_000_000]].concat();
    vec![
        ("no bytes", vec![]),
        ("nil", vec![0xc0]),
        ("endless root", vec![0xdd, 255, 255, 255, 255]),
        ("endless map", vec![0xdf, 255, 255, 255, 255]),
        ("endless text", vec![0x91, 0x93, 0xdb, 255, 255, 255, 255, 0x61, 0x62]),
        ("endless binary", vec![0x91, 0x93, 0xa0, 0xc6, 255, 255, 255, 255]),
        ("endless values", vec![0x91, 0x93, 0xa0, 0xca, 0, 0, 0, 0, 0xdd, 255, 255, 255, 255]),
        ("deep root", nest(&[], 100_000)),
        ("deep value", nest(&[0x91, 0x93, 0xa0, 0x00, 0x91, 0x92, 0xa0], 100_000)),
        ("deep ignored key", nest(&[0x91, 0x81, 0xa1, b'x'], 100_000)),
        ("million empty frames", empty_frames),
        ("five million values", {
            let entries = [0x92, 0xc0, 0x00].repeat(5_000_000);
            [&[0x91, 0x93, 0xa0, 0x00, 0xdd][..], &5_000_000u32.to_be_bytes(), &entries].concat()
        }),
        ("LZ4 claims 2 GiB", vec![0xc7, 7, 99, 0xd2, 0x7f, 255, 255, 255, 0x10, 0x90]),
        ("LZ4 claims -1", vec![0xc7, 7, 99, 0xd2, 255, 255, 255, 255, 0x10, 0x90]),
        ("LZ4 block of 4 GiB", vec![0xc9, 255, 255, 255, 255, 99, 0xd2, 0x7f, 255, 255, 255, 0x10, 0x90]),
        ("LZ4 array of 4 Gi blocks", vec![0xdd, 255, 255, 255, 255, 0xc9, 255, 255, 255, 255, 98, 0, 0]),
        ("LZ4 gigabyte of zeros", zero_bomb(&[], 1 << 30)),
        ("LZ4 gigabyte in a frame", zero_bomb(&[0x91, 0x93, 0xdb, 0x00, 0xff, 0xff, 0x00], 1 << 30)),
        (
            "LZ4 gigabyte of items",
            zero_bomb(&[0x91, 0x93, 0xa0, 0x00, 0xdd, 0x00, 0xf0, 0x00, 0x00], 1 << 30),
        ),
    ]
}

/// Largest resident memory of this process so far, where the system tells it.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn hostile_inputs_fail_fast_in_little_memory_and_stack() {
    let inputs = inputs();
    let idle_mib = peak_mib();
    let worker = std::thread::Builder::new().stack_size(512 * 1024).spawn(move || {
        for (name, bytes) in inputs {
            let start = Instant::now();
            let error = data::read(&bytes[..]).expect_err(name);
            let elapsed = start.elapsed();
            assert!(elapsed < Duration::from_secs(1), "{name} took {elapsed:?}");
            assert!(!error.to_string().is_empty(), "{name}");
            if let Ok(file) = data::recover(&bytes[..]) {
                assert_eq!(file.clip.frames(), 0, "{name}");
                assert!(file.losses[0].contains("frames lost"), "{name}: {:?}", file.losses);
            }
        }
    });
    worker.expect("a thread").join().expect("no panic");
    if let (Some(idle), Some(peak)) = (idle_mib, peak_mib()) {
        assert!(peak < idle + 64, "{peak} MiB at most, {idle} MiB idle");
    }
}
