//! Files that programs wrote.

use crate::support::{assert_same, bvh_of, capture_files, clip_of, read_bytes, through_sinew};

/// The numbers of a motion as its text says, frame by frame.
fn values_of(text: &str) -> Vec<f32> {
    let (_, motion) = text.split_once("Frame Time").expect("a motion");
    let (_, rows) = motion.split_once('\n').expect("rows");
    rows.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect()
}

#[test]
fn every_capture_is_read_to_the_bit_and_comes_back() {
    for (name, bytes) in capture_files() {
        let loaded = read_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let clip = loaded.clip;
        clip.validate().expect("valid");
        let text = String::from_utf8(bytes).expect("text");
        let words = |word: &str| {
            let lines = text.lines().map(str::trim);
            lines.filter(|line| line.split_ascii_whitespace().next() == Some(word)).count()
        };
        let joints = clip.rig.as_ref().map_or(0, |rig| rig.joints.len());
        assert_eq!(joints, words("ROOT") + words("JOINT") + words("End"), "{name}");
        // One of them declares a frame less than it has.
        assert_eq!(loaded.notes.len(), usize::from(name.ends_with("assimp__Boxing_Toes.bvh")), "{name}");

        let channels = clip.samples.len();
        let values = values_of(&text);
        assert_eq!(values.len(), clip.frames() * channels, "{name}");
        for (index, value) in values.iter().enumerate() {
            let found = clip.samples[index % channels][index / channels];
            assert_eq!(found.to_bits(), value.to_bits(), "{name}: value {index}");
        }

        let (written, notes) = bvh_of(&clip);
        assert_eq!(notes, [], "{name}");
        assert_same(&clip_of(&written), &clip);
        assert!(bvh_of(&through_sinew(&clip)).0 == written, "{name}");
    }
}
