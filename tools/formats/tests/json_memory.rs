//! What reading JSON holds in memory beside the text. Alone in its binary, because it looks at the whole process.

use sinew_formats::{Format, ReadOptions, read_from};
use std::fmt::Write as _;

const KEYS: usize = 20_000;

/// Largest resident memory of this process so far, where the system tells it.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn a_long_text_takes_the_memory_of_its_clip() {
    let mut text = "[".to_owned();
    for bone in ["leftArm", "rightArm", "neck", "head", "spine", "leftLeg", "rightLeg", "leftFoot"] {
        let comma = if text.len() > 1 { "," } else { "" };
        let _ = write!(
            text,
            "{comma}{{\"boneName\":\"{bone}\",\"property\":\"rotationQuaternion\",\"transformKeys\":["
        );
        for key in 0..KEYS {
            let comma = if key > 0 { "," } else { "" };
            let time_s = key as f64 / 30.0;
            let _ = write!(
                text,
                "{comma}{{\"frame\":{key},\"time\":{time_s:.6},\"value\":[0.0896623,0.0275876,-0.0030963,0.9955853],\"padding\":\"{:60}\"}}",
                ""
            );
        }
        text.push_str("]}");
    }
    text.push(']');
    let text_mib = text.len() as u64 >> 20;
    assert!(text_mib >= 20, "{text_mib} MiB");
    let before = peak_mib();
    let read =
        read_from(&mut text.as_bytes(), Some(Format::Plask), None, &ReadOptions::default(), &mut |_| {});
    assert_eq!(read.expect("readable").clip.frames(), KEYS);
    if let (Some(before), Some(after)) = (before, peak_mib()) {
        assert!(after < before + 16, "{text_mib} MiB of text, {before} MiB before, {after} MiB at most");
    }
}
