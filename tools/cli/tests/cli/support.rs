//! A scratch folder, the binary in it, and clips to feed it.

use serde_json::Value;
use sinew::data::DataMode;
use sinew::{Clip, META_GUID, Times, Track};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const GUID: &str = "0c7d6ab0-6a0c-4f4e-9a34-5f0f3f4b2c11";

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Run {
    /// Checks the exit code.
    #[track_caller]
    pub fn exits(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.text(), self.stderr);
        self
    }

    /// Checks for an error: exit 2 and one line on stderr that holds every part.
    #[track_caller]
    pub fn fails_with(self, parts: &[&str]) {
        let run = self.exits(2);
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        assert!(run.stderr.starts_with("sinew: ") && run.stdout.is_empty(), "{}", run.stderr);
        for part in parts {
            assert!(run.stderr.contains(part), "{part:?} is not in {}", run.stderr);
        }
    }

    /// Checks that the argument parser refuses.
    #[track_caller]
    pub fn misuses(self, part: &str) {
        let run = self.exits(2);
        assert!(run.stderr.contains(part) && run.stdout.is_empty(), "{}", run.stderr);
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// All of stdout as one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// A folder that is removed at the end, in which the binary runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn root(&self) -> &Path {
        self.0.path()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(args).current_dir(self.0.path());
        command
    }

    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, &[])
    }

    #[track_caller]
    pub fn run_with(&self, args: &[&str], stdin: &[u8]) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let stdin = stdin.to_vec();
        // The binary may answer, or fail, before it has read everything.
        let feeder = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
        let output = child.wait_with_output().expect("the binary ends");
        feeder.join().expect("the feeder ends");
        Run {
            code: output.status.code().expect("not killed"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// Names in the folder, hidden ones included, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("written");
    }

    /// Writes a clip as `.data`.
    pub fn write_data(&self, name: &str, clip: &Clip, mode: DataMode) {
        self.write(name, data_bytes(clip, mode));
    }
}

pub fn data_bytes(clip: &Clip, mode: DataMode) -> Vec<u8> {
    let mut bytes = Vec::new();
    let losses = sinew::data::write(clip, mode, &mut bytes).expect("writable");
    // Without a frame there is no place for the GUID.
    assert!(losses.is_empty() || clip.frames() == 0, "{losses:?}");
    bytes
}

/// A moving humanoid at these times; every frame is distinct, some values leave [-1, 1].
pub fn humanoid_at(times: &[f32]) -> Clip {
    let frames: Vec<[f32; 95]> = (0..times.len())
        .map(|frame| {
            std::array::from_fn(|muscle| {
                let phase = frame as f32 * 0.05 + muscle as f32;
                if muscle < 60 { 1.25 * phase.sin() } else { muscle as f32 * 1e-3 }
            })
        })
        .collect();
    let times = Times::Explicit(times.iter().map(|&time| f64::from(time)).collect());
    let mut clip = Clip::from_muscle_frames(&frames, times).expect("a clip");
    clip.meta.insert(META_GUID.into(), GUID.into());
    clip
}

/// The same with steps between 18 and 30 ms, as real recorders write them.
pub fn humanoid(frames: usize) -> Clip {
    let mut time = 0.024f32;
    let times: Vec<f32> = (0..frames)
        .map(|frame| {
            let now = time;
            time += 0.018 + 0.012 * ((frame * 7 % 10) as f32 / 10.0);
            now
        })
        .collect();
    humanoid_at(&times)
}

/// Clips with odd times and values that every verb must take: none, one, backwards, not finite.
pub fn odd_clips() -> Vec<(&'static str, Clip)> {
    let mut special = humanoid(3);
    let bits = [0x7fc0_0000u32, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 1, 0x7f7f_ffff];
    for (muscle, bits) in bits.into_iter().enumerate() {
        special.samples[muscle][1] = f32::from_bits(bits);
    }
    let step = 1.0 / 60.0;
    vec![
        ("empty", humanoid(0)),
        ("single", humanoid(1)),
        ("backwards", humanoid_at(&[0.0, step, 2.0 * step, 2.0 * step, step, 3.0 * step, 3.0 * step])),
        ("special", special),
    ]
}

/// A humanoid with root motion and one scalar more.
pub fn humanoid_with_root(frames: usize) -> Clip {
    let mut clip = humanoid(frames);
    clip.tracks.push(Track::root_position());
    clip.tracks.push(Track::root_rotation());
    clip.tracks.push(Track::new("blink", sinew::TrackKind::Scalar));
    for component in 0..3 {
        clip.samples.push((0..frames).map(|frame| 0.01 * (frame * component) as f32).collect());
    }
    let angle = |frame: usize| 0.01 * frame as f32;
    clip.samples.push(vec![0.0; frames]);
    clip.samples.push((0..frames).map(|frame| angle(frame).sin()).collect());
    clip.samples.push(vec![0.0; frames]);
    clip.samples.push((0..frames).map(|frame| angle(frame).cos()).collect());
    clip.samples.push((0..frames).map(|frame| (frame % 100) as f32).collect());
    clip
}
