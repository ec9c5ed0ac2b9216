//! Rows for programs that this project knows nothing of: one shell command, files in and out (`bench/EXTERNAL.md`).

use crate::codec::Decoded;
use crate::contract::Contract;
use crate::joints::max_joint_mm;
use crate::measure::Measured;
use crate::running::Running;
use crate::source::Source;
use crate::verify::verify;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A run that takes longer is killed.
const TIME_LIMIT: Duration = Duration::from_secs(600);
/// The exit status by which a program says that it does not do this contract.
const DECLINED: i32 = 3;
/// How much of a program's standard error a failure may quote.
const QUOTED_BYTES: usize = 300;

/// An external program that takes part under its own name.
#[derive(Debug, Clone, PartialEq)]
pub struct ExternalCodec {
    name: String,
    command: String,
    time_limit: Duration,
    running: Running,
}

/// How a run that did not fail ended.
pub(crate) enum Outcome {
    Measured(Measured),
    Declined,
}

impl ExternalCodec {
    /// A program by name and shell command.
    ///
    /// # Errors
    /// An empty name or command.
    pub fn new(name: &str, command: &str) -> Result<ExternalCodec> {
        ensure!(!name.trim().is_empty(), "an external codec needs a name: NAME=COMMAND");
        ensure!(!command.trim().is_empty(), "external codec {name} has no command: NAME=COMMAND");
        Ok(ExternalCodec {
            name: name.to_owned(),
            command: command.to_owned(),
            time_limit: TIME_LIMIT,
            running: Running::default(),
        })
    }

    /// All of a caller's programs, with distinct names; `running` knows the one that runs.
    pub(crate) fn all(list: &[(String, String)], running: &Running) -> Result<Vec<ExternalCodec>> {
        for (index, (name, _)) in list.iter().enumerate() {
            ensure!(
                list[..index].iter().all(|(other, _)| other != name),
                "two external codecs are named {name}"
            );
        }
        let with_handle = |codec| ExternalCodec { running: running.clone(), ..codec };
        list.iter().map(|(name, command)| ExternalCodec::new(name, command).map(with_handle)).collect()
    }

    /// Its name in the column `codec`.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn settings(&self) -> String {
        "external, times with process start".to_owned()
    }

    /// Encodes and decodes once, each in a folder of its own, so that nothing but the encoded file reaches the
    /// decoder; then verifies.
    pub(crate) fn run(&self, source: &Source<'_>, contract: Contract) -> Result<Outcome> {
        let encode_folder = tempfile::tempdir()?;
        write_side_files(encode_folder.path(), source, &contract)?;
        fs::write(
            encode_folder.path().join("in.f32"),
            frame_major(&source.clip.samples, source.clip.frames()),
        )?;
        let Some(encode) =
            self.step("encode", ["in.f32", "out.bin"], encode_folder.path(), source, contract)?
        else {
            return Ok(Outcome::Declined);
        };
        let encoded = encode_folder.path().join("out.bin");
        ensure!(encoded.is_file(), "encode wrote no output file");
        let bytes = fs::metadata(&encoded)?.len();

        let decode_folder = tempfile::tempdir()?;
        write_side_files(decode_folder.path(), source, &contract)?;
        fs::rename(&encoded, decode_folder.path().join("in.bin"))?;
        encode_folder.close()?;
        let Some(decode) =
            self.step("decode", ["in.bin", "out.f32"], decode_folder.path(), source, contract)?
        else {
            bail!("decode declined what encode had made");
        };
        let samples = read_samples(&decode_folder.path().join("out.f32"), source)?;
        let decoded = Decoded::Samples { samples, times: source.clip.times.iter().collect() };
        let verified = verify(source.clip, &contract, &decoded).map_err(|what| anyhow!(what))?;
        let max_joint_mm = max_joint_mm(source, &contract, &decoded);
        Ok(Outcome::Measured(Measured { bytes, verified, max_joint_mm, encode, decode }))
    }

    /// Runs the command once in `folder`. `None` if it declined.
    fn step(
        &self,
        verb: &str,
        files: [&str; 2],
        folder: &Path,
        source: &Source<'_>,
        contract: Contract,
    ) -> Result<Option<Duration>> {
        let error_file = folder.join("stderr.txt");
        let start = Instant::now();
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("{} \"$@\"", self.command))
            // The shell's $0, then the arguments that the command gets appended.
            .arg(&self.name)
            .arg(verb)
            .args(files.map(|file| folder.join(file)))
            .env("SINEW_FRAMES", source.clip.frames().to_string())
            .env("SINEW_COMPONENTS", source.clip.components().to_string())
            .env("SINEW_ERROR", error_text(contract))
            .env("SINEW_TIMES", folder.join("times.f64"))
            .env("SINEW_TOLERANCES", folder.join("tolerances.f64"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&error_file)?);
        let status =
            self.running.run(&mut command, folder, self.time_limit).with_context(|| verb.to_owned())?;
        let elapsed = start.elapsed();
        match status.code() {
            Some(0) => Ok(Some(elapsed)),
            Some(DECLINED) => Ok(None),
            _ => bail!("{verb} ended with {status}{}", quote(&error_file)),
        }
    }
}

/// `SINEW_ERROR`: the word `lossless` or the muscle bound.
fn error_text(contract: Contract) -> String {
    match contract {
        Contract::Lossless => contract.to_string(),
        Contract::Bounded(bounds) => bounds.muscle.to_string(),
    }
}

fn write_side_files(folder: &Path, source: &Source<'_>, contract: &Contract) -> Result<()> {
    let bytes = |values: Vec<f64>| values.into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>();
    fs::write(folder.join("times.f64"), bytes(source.clip.times.iter().collect()))?;
    fs::write(folder.join("tolerances.f64"), bytes(contract.tolerances(source.clip)))?;
    Ok(())
}

fn frame_major(samples: &[Vec<f32>], frames: usize) -> Vec<u8> {
    (0..frames).flat_map(|frame| samples.iter().flat_map(move |array| array[frame].to_le_bytes())).collect()
}

/// Reads frame-major samples; the size is checked before a byte is read.
fn read_samples(path: &Path, source: &Source<'_>) -> Result<Vec<Vec<f32>>> {
    ensure!(path.is_file(), "decode wrote no output file");
    let (found, expected) = (fs::metadata(path)?.len(), source.raw_bytes());
    ensure!(found == expected, "decode wrote {found} bytes where the clip has {expected}");
    let bytes = fs::read(path)?;
    let values: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|chunk| f32::from_le_bytes(*chunk)).collect();
    let components = source.clip.components();
    let of_component = |component| values.iter().skip(component).step_by(components).copied().collect();
    Ok((0..components).map(of_component).collect())
}

/// The end of a program's standard error, on one line.
fn quote(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    let end = &bytes[bytes.len().saturating_sub(QUOTED_BYTES)..];
    let text = String::from_utf8_lossy(end).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { text } else { format!(": {text}") }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::test_clips;

    fn run(command: &str, contract: Contract) -> Result<Outcome> {
        let clip = test_clips::rooted(30);
        let source = Source::new(&clip).expect("valid");
        ExternalCodec::new("mine", command).expect("has both").run(&source, contract)
    }

    fn failure(command: &str) -> String {
        match run(command, Contract::bounded(0.001)) {
            Err(error) => format!("{error:#}"),
            Ok(_) => panic!("{command} got a row"),
        }
    }

    /// A codec that really packs, in one line of shell.
    const GZIP: &str =
        r#"f() { case $1 in encode) gzip -9 <"$2" >"$3";; decode) gzip -d <"$2" >"$3";; esac; }; f"#;

    #[test]
    fn a_real_codec_gets_verified_figures() {
        for contract in [Contract::Lossless, Contract::bounded(0.001)] {
            let Ok(Outcome::Measured(measured)) = run(GZIP, contract) else { panic!("gzip keeps every bit") };
            assert!(measured.bytes > 100 && measured.bytes < 30 * 103 * 4, "{}", measured.bytes);
            assert_eq!(measured.verified.max_abs, Some(0.0));
        }
    }

    #[test]
    fn zeros_of_the_right_size_are_caught_and_named() {
        let cheat = r#"f() { case $1 in encode) : >"$3";; decode) head -c $((SINEW_FRAMES*SINEW_COMPONENTS*4)) /dev/zero >"$3";; esac; }; f"#;
        let what = failure(cheat);
        assert!(what.contains("track") && what.contains("frame"), "{what}");
    }

    #[test]
    fn files_that_the_encoder_leaves_behind_do_not_reach_the_decoder() {
        let cheat = r#"f() { case $1 in encode) cp "$2" "$(dirname "$3")/kept"; : >"$3";; decode) cp "$(dirname "$2")/kept" "$3";; esac; }; f"#;
        assert!(failure(cheat).contains("decode ended"), "{}", failure(cheat));
    }

    #[test]
    fn wrong_size_missing_output_and_bad_exit_are_told_apart() {
        assert!(failure(r#"f() { echo x >"$3"; }; f"#).contains("2 bytes where the clip has 12360"));
        assert!(failure("true").contains("no output file"));
        assert!(failure("f() { echo out of luck >&2; exit 7; }; f").contains("out of luck"));
        assert!(failure("no-such-program-here").contains("127"));
    }

    #[test]
    fn a_program_may_decline_a_contract() {
        let picky = r#"f() { [ "$SINEW_ERROR" = lossless ] && exit 3; cp "$2" "$3"; }; f"#;
        assert!(matches!(run(picky, Contract::Lossless), Ok(Outcome::Declined)));
        assert!(matches!(run(picky, Contract::bounded(0.5)), Ok(Outcome::Measured(_))));
    }

    #[test]
    fn a_program_past_its_time_is_killed_with_all_it_started() {
        let folder = tempfile::tempdir().expect("a folder");
        let mark = folder.path().join("mark");
        let clip = test_clips::smooth(2);
        let source = Source::new(&clip).expect("valid");
        let command = format!("f() {{ (sleep 1; touch {}) & sleep 60; }}; f", mark.display());
        let slow = ExternalCodec {
            time_limit: Duration::from_millis(100),
            ..ExternalCodec::new("slow", &command).expect("has both")
        };
        let start = Instant::now();
        let what = format!("{:#}", slow.run(&source, Contract::Lossless).err().expect("too slow"));
        assert!(what.contains("was killed"), "{what}");
        assert!(start.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!mark.exists(), "a grandchild lived on");
    }

    #[test]
    fn the_side_files_tell_times_and_tolerances() {
        // Copies, after checking that both files have the promised size: one f64 a frame, one a component.
        let check = r#"f() { [ $(wc -c <"$SINEW_TIMES") = $((SINEW_FRAMES*8)) ] && [ $(wc -c <"$SINEW_TOLERANCES") = $((SINEW_COMPONENTS*8)) ] && [ "$SINEW_ERROR" = 0.001 ] && cp "$2" "$3"; }; f"#;
        assert!(matches!(run(check, Contract::bounded(0.001)), Ok(Outcome::Measured(_))));
    }
}
