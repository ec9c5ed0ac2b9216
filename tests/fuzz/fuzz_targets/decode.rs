//! Any bytes as a `.sinew` file: no reader panics, and where one decodes, all agree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::{ClipReader, EncodeConfig, Fidelity, Mask, Player, decode_with, encode, file_info, recover};
use sinew_fuzz::{LIMITS, check_readers_agree};
use sinew_tests::assert_faithful;

fuzz_target!(|file: &[u8]| {
    let Ok(clip) = decode_with(file, &LIMITS, &mut |_| {}) else {
        return try_damaged(file);
    };
    let info = check_readers_agree(file, &clip);
    let config = EncodeConfig {
        fidelity: info.fidelity,
        effort: info.effort,
        naming: info.naming,
        block_frames: None,
    };
    // A bound in millimetres is searched for, which takes long, and not every decoded clip can be posed.
    if let Fidelity::World(_) = config.fidelity {
        return;
    }
    let again = encode(&clip, &config).expect("a valid clip");
    let decoded = decode_with(&again, &LIMITS, &mut |_| {}).expect("an own file");
    assert_faithful(&clip, &decoded, &config.fidelity, "encoded again");
    if config.fidelity == Fidelity::Lossless {
        assert_eq!(encode(&decoded, &config).as_ref(), Ok(&again));
    }
});

/// What can still be had of a file that does not decode is valid.
fn try_damaged(file: &[u8]) {
    if let Ok(recovered) = recover(file, &LIMITS) {
        assert!(!recovered.complete && !recovered.notes.is_empty());
        recovered.clip.validate().expect("what is recovered is valid");
    }
    let _ = file_info(file, &LIMITS);
    let _ = Player::open_with(file, &LIMITS, Mask::ALL);
    let Ok(mut reader) = ClipReader::open_with(file, &LIMITS) else { return };
    let mut row = vec![0.0; reader.components()];
    for frame in [0, reader.frames() / 2, reader.frames().saturating_sub(1), u64::MAX] {
        let _ = reader.frame(frame, &mut row);
    }
    let _ = reader.track(0);
    if let Ok(clip) = reader.decode(Mask::ALL) {
        clip.validate().expect("what is decoded is valid");
    }
}
