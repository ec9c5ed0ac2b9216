//! The arguments of every verb.

use crate::figure::FigureArgs;
use clap::error::{ContextKind, ContextValue};
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use sinew::data::DataMode;
use sinew_formats::Format;
use sinew_formats::unity_anim::Tangents;
use std::path::PathBuf;

/// Compresses, converts and inspects humanoid motion clips
#[derive(Debug, Parser)]
#[command(name = "sinew", version, max_term_width = 100)]
#[command(after_help = "Exit status: 0 done or equal, 1 different or beyond the bound, 2 error.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Encode(EncodeArgs),
    Decode(DecodeArgs),
    Convert(ConvertArgs),
    Info(InfoArgs),
    Compare(CompareArgs),
    Bench(BenchArgs),
    Recover(RecoverArgs),
    Completions(CompletionsArgs),
}

/// Options of every verb that writes a file
#[derive(Debug, ClapArgs)]
pub(crate) struct WriteArgs {
    /// Overwrite an existing output
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Encode a clip of any format into a .sinew file
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew encode take.data -o take.sinew
  sinew encode take.data -o exact.sinew --lossless
  sinew encode take.csv -o table.sinew --error 0.0001 --error-time 0
  sinew encode take.data -o small.sinew --effort max
  sinew encode take.data -o near.sinew --error-mm 1
  sinew encode - -o - < take.data > take.sinew")]
pub(crate) struct EncodeArgs {
    /// Clip to read; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File to write; - is standard output
    #[arg(short, long, value_name = "OUT.sinew")]
    pub output: PathBuf,
    /// Keep every bit of every sample and time
    #[arg(long, conflicts_with_all = ["error", "error_mm", "error_time", "error_pos", "error_rot", "error_extra"])]
    pub lossless: bool,
    /// Largest error of a muscle value, in muscle units
    #[arg(long, value_name = "E", default_value_t = 0.001, allow_negative_numbers = true, value_parser = positive)]
    pub error: f64,
    /// Largest displacement in millimetres of any joint, and of the points 3 cm off it, instead of --error
    ///
    /// The clip is posed on the reference skeleton, its root included, at every frame and half way to the next, as
    /// `sinew compare` measures it. Single muscles have no bound then. It takes long, for the clip is encoded and measured
    /// some twenty times: a minute of motion ten seconds or more, at --effort max a minute or more.
    #[arg(long, value_name = "MM", conflicts_with = "error", allow_negative_numbers = true, value_parser = positive)]
    pub error_mm: Option<f64>,
    /// How much work to do
    #[arg(long, value_enum, default_value_t = EffortArg::Balanced)]
    pub effort: EffortArg,
    /// Store the tracks' names, so that a reader needs no table
    #[arg(long)]
    pub named: bool,
    /// Largest error of a frame time in seconds; 0 keeps times exactly
    #[arg(long, value_name = "S", default_value_t = 0.0005, allow_negative_numbers = true, value_parser = not_negative)]
    pub error_time: f64,
    /// Largest error of a position in metres; of a skeleton's position channels in the file's unit
    #[arg(long, value_name = "M", default_value_t = 0.0005, allow_negative_numbers = true, value_parser = positive)]
    pub error_pos: f64,
    /// Largest error of a rotation, and of a skeleton's angles one by one, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 0.05, allow_negative_numbers = true, value_parser = positive)]
    pub error_rot: f64,
    /// Largest error of other scalars, in their own unit [default: that of --error]
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = positive)]
    pub error_extra: Option<f64>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Decode a .sinew file
///
/// The naming mode and the GUID of a .data source are restored.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew decode take.sinew -o take.data
  sinew decode take.sinew -o take.csv
  sinew decode take.sinew -o - --to data --mode nameless | sha256sum")]
pub(crate) struct DecodeArgs {
    /// .sinew file to read; - is standard input
    #[arg(value_name = "IN.sinew")]
    pub input: PathBuf,
    /// File to write, its format told by its extension; - is standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Format to write, whatever the extension says; standard output is .data without it
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub to: Option<Format>,
    /// Naming mode of a .data output, instead of the source's
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Convert a clip between formats
///
/// Formats: .data, .sinew, .anim (Unity's animation clips as text), .unitypackage (with one such clip), .bvh (a
/// skeleton), .vrma (VRM's animations; other .glb and .gltf whose nodes move are read), .csv, .npy, and three kinds of JSON:
/// .plask.json (also plain .json), .three.json (a clip of three.js) and .muscles.json (the frames of .data by key). The
/// input's format is told by its content, then by its extension. What the output cannot hold is told on stderr, one line
/// each; the exit status is 0 all the same unless --strict is given. To .sinew nothing is lost: only `sinew encode` trades
/// accuracy for size.
///
/// The keys of an .anim are its frames where all curves share them and are straight between them or have ten a
/// second; otherwise its curves are sampled at the file's own rate, or at that of --fps.
///
/// A .bvh is read as its skeleton and channels, and is written of such a clip: every value comes back bit for bit.
///
/// Plask's and three.js's JSON tell rotations of named bones and no lengths: the reference skeleton in T-pose is taken.
/// Plask's holds 24 bones; any other figure is posed on them. --legacy makes of it what the published script does: an
/// .anim for Unity's legacy component, with the very keys.
///
/// For .data and .anim a skeleton is solved for muscles: which joint is which bone is told by names or shape (or --map),
/// and what was found and what is lost is told. A humanoid is posed on the reference skeleton, or on that of --rig, to
/// become a .bvh. --as makes either of the other in .sinew, .csv and .npy too. A skeleton with --rig is put on the other
/// skeleton by way of its muscles.
///
/// --fps puts frames at start + k/N, as many as the clip's span holds. Frames whose time does not move forward are left
/// out first. A last frame within a hundredth of a frame of the clip's end is the clip's last.
///
/// If IN is a folder, --to is needed, and every file below it whose extension is of a known format (or of that of
/// --from) becomes the file of the same path below the folder OUT. Hidden names, links to folders and other files are
/// skipped and counted. A file that fails is one line on stderr; the others go on, and the exit status is then 1. Two
/// files that would become the same one are refused before anything is written.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew convert take.data take.csv
  sinew convert take.data short.data --mode nameless
  sinew convert take.data Wave.anim --name Wave
  sinew convert take.data Wave.anim --tangents clamped-auto --reduce 0.002
  sinew convert take.data Wave.unitypackage --name Wave
  sinew convert moves.unitypackage jump.data --asset Jump
  sinew convert dance.anim dance.data --mode named --fps 60
  sinew convert plask.json take.data
  sinew convert plask.json Walk.anim --legacy
  sinew convert plask.json bones --legacy --per-bone --published-slopes
  sinew convert take.data take.three.json
  sinew convert walk.bvh walk.sinew
  sinew convert human.bvh human.data --root drop
  sinew convert take.data posed.bvh --rig character.bvh
  sinew convert take.data take.vrma
  sinew convert human.bvh muscles.sinew --as humanoid
  sinew convert take.data even.npy --fps 30
  sinew convert poses.npy take.data --fps 60 --guid 0c7d6ab0-6a0c-4f4e-9a34-5f0f3f4b2c11
  sinew convert takes tables --to csv")]
pub(crate) struct ConvertArgs {
    /// Clip to read, or a folder of clips; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File to write, its format told by its extension, or the folder for those of a folder; - is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Format of the input, whatever its content and extension say; of a folder, take files with its extension only
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub from: Option<Format>,
    /// Format to write, whatever the extension says
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub to: Option<Format>,
    /// Naming mode of a .data or .sinew output
    #[arg(long, value_enum)]
    pub mode: Option<ModeArg>,
    /// Resample to N frames a second: linearly by time (a skeleton's angles the shorter way), along its curves for an
    /// .anim; the rate itself for an input without times
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    pub fps: Option<f64>,
    /// GUID that the output carries; all zeros stand for none
    #[arg(long, value_parser = guid)]
    pub guid: Option<String>,
    /// Name that the clip carries; Unity wants an .anim to be named as its file is, without the extension
    ///
    /// Without it an .anim whose source has no name is named so.
    #[arg(long)]
    pub name: Option<String>,
    /// Clip to read of several: of a .unitypackage its path, its file name or that without the extension, of Plask's
    /// JSON the motion's number, of three.js's the clip's name
    #[arg(long, value_name = "NAME")]
    pub asset: Option<String>,
    /// How the curves of an .anim run between frames [default: linear]
    #[arg(long, value_enum)]
    pub tangents: Option<TangentsArg>,
    /// Leave out keys of an .anim while no curve is off by more than E in its own unit
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = not_negative)]
    pub reduce: Option<f64>,
    /// Write nothing and exit with 1 if anything would be lost
    #[arg(long)]
    pub strict: bool,
    /// Files of a folder to convert at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    #[command(flatten)]
    pub legacy: LegacyArgs,
    #[command(flatten)]
    pub figure: FigureArgs,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Options about clips of Unity's legacy component
#[derive(Debug, ClapArgs)]
pub(crate) struct LegacyArgs {
    /// Write an .anim for Unity's legacy Animation component that turns the bones of a Mixamo character, as the
    /// published script for Plask makes one: rotations x, -y, -z, w, places as they are
    ///
    /// Keys are those of a Plask JSON, exactly; of any other clip its frames.
    #[arg(long)]
    pub legacy: bool,
    /// With --legacy: a file for each bone into the folder OUT, whose clips move the object that they are put on
    #[arg(long, requires = "legacy")]
    pub per_bone: bool,
    /// With --legacy: mirror places as rotations are, x negated
    #[arg(long, requires = "legacy")]
    pub mirror_positions: bool,
    /// With --legacy: level tangents at every key as the script makes them, so that the motion halts at each
    #[arg(long, requires = "legacy")]
    pub published_slopes: bool,
}

/// Tell what is inside a file, and where its bytes went
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew info take.sinew
  sinew info take.sinew --stages
  sinew info take.data --json | jq .mean_fps")]
pub(crate) struct InfoArgs {
    /// Clip to read; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// Tell what the bytes of each body part or device are for, too (.sinew only)
    #[arg(long)]
    pub stages: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Compare two clips frame by frame
///
/// Frames are paired by index and tracks by name. Without a bound the exit status is 1 if any bit of a sample or a
/// time differs; with --within it is 1 if a muscle value is further off than E; with --within-mm it is 1 if a joint of
/// the reference skeleton, or a point 3 cm off it, is displaced by more than MM, at a frame or half way to the next.
/// Other frame counts or track sets are always 1 and are named. Times are reported, never judged.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew compare take.data decoded.data
  sinew compare take.data take.sinew --within 0.001
  sinew compare take.data take.sinew --within-mm 5")]
pub(crate) struct CompareArgs {
    /// Clip that is right
    #[arg(value_name = "REFERENCE")]
    pub reference: PathBuf,
    /// Clip to judge
    #[arg(value_name = "CANDIDATE")]
    pub candidate: PathBuf,
    /// Largest allowed difference of a muscle value
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = not_negative)]
    pub within: Option<f64>,
    /// Largest allowed displacement of a joint, in millimetres
    #[arg(
        long,
        value_name = "MM",
        allow_negative_numbers = true,
        value_parser = not_negative,
        conflicts_with = "within"
    )]
    pub within_mm: Option<f64>,
    /// Skeleton that joints are measured on, instead of the reference skeleton: as for `sinew convert`
    #[arg(long, value_name = "FILE")]
    pub rig: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Measure size, error and speed beside other codecs
///
/// Without input the built-in default clip is measured. Every figure is checked by decoding before it is timed; a
/// codec that breaks its promise gets no figure, and the exit status is then 1.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew bench
  sinew bench take.data --error 0.001 --error 0.0001
  sinew bench take.data --json > table.json
  sinew bench take.data --svg curves.svg --error 0.03 --error 0.01 --error 0.003 --error 0.001
  sinew bench take.data --external \"mine=./my_codec\"")]
pub(crate) struct BenchArgs {
    /// Clips to measure
    #[arg(value_name = "IN")]
    pub inputs: Vec<PathBuf>,
    /// Error bound to measure lossy codecs at; repeat for more
    #[arg(long, value_name = "E", allow_negative_numbers = true, value_parser = positive)]
    pub error: Vec<f64>,
    /// Measure lossless codecs only
    #[arg(long, conflicts_with = "error")]
    pub lossless_only: bool,
    /// Fewer repeats and no slow codecs: the sizes are the same, the times are rough
    #[arg(long)]
    pub quick: bool,
    /// Also write the table to this CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Also draw bits a value against the largest error into this SVG file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Measure another program too; repeat for more
    #[arg(long, value_name = "NAME=COMMAND")]
    pub external: Vec<String>,
    /// Skeleton that joints are measured on, instead of the reference skeleton: as for `sinew convert`
    #[arg(long, value_name = "FILE")]
    pub rig: Option<PathBuf>,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Save every whole frame of a cut or damaged file
///
/// Reads .sinew, .data and .bvh. The exit status is 0 whenever a readable file was written; what was lost is told on
/// stderr.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew recover broken.sinew -o saved.sinew
  sinew recover cut.data -o saved.data
  sinew recover miscounted.bvh -o whole.bvh")]
pub(crate) struct RecoverArgs {
    /// File to read; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// File to write, its format told by its extension; - is standard output, in the format of the input
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub write: WriteArgs,
}

/// Print a completion script for a shell
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  sinew completions bash > ~/.local/share/bash-completion/completions/sinew
  sinew completions fish > ~/.config/fish/completions/sinew.fish")]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Efforts that this version can spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EffortArg {
    /// Played in place: any pose in well under a microsecond (lossless: as balanced)
    Fast,
    /// Independent blocks, small files, a seek in milliseconds
    Balanced,
    /// The smallest files; decodes at 100 times real time or faster. Blocks of 4096 frames: a cut file loses its last one
    Max,
}

impl From<EffortArg> for sinew::Effort {
    fn from(effort: EffortArg) -> sinew::Effort {
        match effort {
            EffortArg::Fast => sinew::Effort::Fast,
            EffortArg::Balanced => sinew::Effort::Balanced,
            EffortArg::Max => sinew::Effort::Max,
        }
    }
}

/// Naming modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Tracks are known by their place in the built-in order
    Nameless,
    /// Tracks carry their AnimationClip property names
    Named,
}

impl ModeArg {
    /// As a clip's metadata and JSON spell it.
    pub fn name(self) -> &'static str {
        match self {
            ModeArg::Nameless => "nameless",
            ModeArg::Named => "named",
        }
    }
}

impl From<ModeArg> for DataMode {
    fn from(mode: ModeArg) -> DataMode {
        match mode {
            ModeArg::Nameless => DataMode::Nameless,
            ModeArg::Named => DataMode::Named,
        }
    }
}

impl From<ModeArg> for sinew::Naming {
    fn from(mode: ModeArg) -> sinew::Naming {
        match mode {
            ModeArg::Nameless => sinew::Naming::Nameless,
            ModeArg::Named => sinew::Naming::Named,
        }
    }
}

/// Tangents of an .anim's keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TangentsArg {
    /// Straight lines
    Linear,
    /// Smooth, level at turning points, never beyond the frames' values
    ClampedAuto,
}

impl From<TangentsArg> for Tangents {
    fn from(tangents: TangentsArg) -> Tangents {
        match tangents {
            TangentsArg::Linear => Tangents::Linear,
            TangentsArg::ClampedAuto => Tangents::ClampedAuto,
        }
    }
}

/// Why an option that the parser does not know is refused, where there is more to say than that.
///
/// No encoder keeps a bound in millimetres yet. It is refused by name, so that nobody mistakes a muscle bound for one.
pub(crate) fn refusal(error: &clap::Error, verb: Option<&str>) -> Option<String> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return None };
    let option = argument.split('=').next()?;
    matches!((verb?, option), ("encode", "--error-mm")).then(|| {
        format!(
            "{option}: this version keeps no bound in millimetres, only in muscle units; `sinew compare` tells \
             how many millimetres came of it"
        )
    })
}

fn number(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if value.is_finite() { Ok(value) } else { Err("not a finite number".into()) }
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| if value > 0.0 { Ok(value) } else { Err("must be more than 0".into()) })
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| if value >= 0.0 { Ok(value) } else { Err("must be 0 or more".into()) })
}

fn format(text: &str) -> Result<Format, String> {
    Format::parse(text).map_err(|error| error.to_string())
}

/// Accepts the text form of a GUID: 8-4-4-4-12 hexadecimal digits.
fn guid(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let hexadecimal = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if lengths == [8, 4, 4, 4, 12] && hexadecimal {
        Ok(text.to_owned())
    } else {
        Err("a GUID is 8-4-4-4-12 hexadecimal digits".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_holds_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn guids_are_checked() {
        assert!(guid("0c7d6ab0-6a0c-4f4e-9a34-5f0f3f4b2c11").is_ok());
        for text in ["", "0c7d6ab06a0c4f4e9a345f0f3f4b2c11", "0c7d6ab0-6a0c-4f4e-9a34-5f0f3f4b2c1g"] {
            assert!(guid(text).is_err(), "{text}");
        }
    }
}
