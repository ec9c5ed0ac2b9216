//! A file has five readers, whole, lenient, seeking, looking and playing, which must not contradict one another.

use sinew::{Clip, ClipReader, DecodeLimits, Error, FileInfo, Mask, Player, file_info, recover};

/// Limits under which no input can take much memory.
pub const LIMITS: DecodeLimits =
    DecodeLimits { max_samples: 1 << 20, max_components: 4096, max_meta_bytes: 1 << 20 };

/// Most frames that are sought one by one.
const SOUGHT_FRAMES: usize = 40;

/// Checks that the other readers give what `clip`, decoded from the whole of `file`, says; returns what the file
/// says of itself.
///
/// # Panics
/// If they do not.
pub fn check_readers_agree(file: &[u8], clip: &Clip) -> FileInfo {
    clip.validate().expect("what is decoded is valid");
    let frames = clip.frames();

    let recovered = recover(file, &LIMITS).expect("a whole file");
    assert!(recovered.complete && recovered.notes.is_empty());
    assert!(recovered.clip.bits_equal(clip) && recovered.clip.meta == clip.meta);

    let info = file_info(file, &LIMITS).expect("a whole file");
    assert_eq!((info.frames, &info.tracks, &info.meta), (frames as u64, &clip.tracks, &clip.meta));
    assert_eq!(info.parts.iter().map(|(_, bytes)| bytes).sum::<u64>(), file.len() as u64);

    let mut reader = ClipReader::open_with(file, &LIMITS).expect("a whole file");
    assert_eq!((reader.frames(), reader.tracks()), (frames as u64, &clip.tracks[..]));
    let whole = reader.decode(Mask::ALL).expect("a whole file");
    assert!(whole.bits_equal(clip), "decoding by mask differs");
    let mut player = Player::open_with(file, &LIMITS, Mask::ALL).expect("a whole file");
    assert_eq!((player.frames(), player.tracks()), (frames, &clip.tracks[..]));
    let mut row = vec![0.0; reader.components()];
    let mut pose = row.clone();
    for frame in (0..frames).step_by(frames.div_ceil(SOUGHT_FRAMES).max(1)) {
        let time = reader.frame(frame as u64, &mut row).expect("a frame of a whole file");
        assert_eq!(Some(time.to_bits()), clip.times.get(frame).map(f64::to_bits), "time of frame {frame}");
        for (component, (value, samples)) in row.iter().zip(&clip.samples).enumerate() {
            assert_eq!(value.to_bits(), samples[frame].to_bits(), "component {component}, frame {frame}");
        }
        player.frame(frame, &mut pose).expect("a frame of a whole file");
        assert!(pose.iter().zip(&row).all(|(a, b)| a.to_bits() == b.to_bits()), "frame {frame} as played");
        player.sample(time, &mut pose).expect("a time of a whole file");
    }
    assert!(matches!(reader.frame(frames as u64, &mut row), Err(Error::InvalidInput { .. })));
    info
}
