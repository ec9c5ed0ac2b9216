//! The list of generated clips: `MANIFEST.tsv` of this crate, with the checksum that each must have on every
//! platform.

use sinew::Clip;

/// The list itself: name, generator, seed, frames, Hz and CRC-32 ([`clip_crc32`]) of each generated clip.
pub const GENERATED_MANIFEST: &str = include_str!("../MANIFEST.tsv");

/// CRC-32 of a clip's times (f64) and then its samples (f32, one component after the other), both little-endian.
pub fn clip_crc32(clip: &Clip) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for time_s in clip.times.iter() {
        hasher.update(&time_s.to_le_bytes());
    }
    for samples in &clip.samples {
        let bytes: Vec<u8> = samples.iter().flat_map(|value| value.to_le_bytes()).collect();
        hasher.update(&bytes);
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SynthConfig, default_clip, extremes};

    fn line(name: &str, generator: &str, seed: u64, hz: &str, clip: &Clip) -> String {
        format!("{name}\t{generator}\t{seed}\t{}\t{hz}\t{:08x}\n", clip.frames(), clip_crc32(clip))
    }

    #[test]
    fn generated_clips_have_the_listed_bits() {
        let mut made = "name\tgenerator\tseed\tframes\thz\tcrc32\n".to_owned();
        made += &line("default", "default_clip", SynthConfig::default().seed, "60", &default_clip());
        for (name, clip) in extremes() {
            let hz = if name == "backward-times" { "?" } else { "60" };
            made += &line(name, "extremes", 1, hz, &clip);
        }
        assert_eq!(made, GENERATED_MANIFEST, "what was made is on the left");
    }
}
