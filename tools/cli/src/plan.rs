//! Which file of a folder becomes which file of another, settled before anything is written.

use crate::folder::{Listing, Skipped, list};
use anyhow::{Context, Result, bail, ensure};
use sinew_formats::Format;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// One file to convert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Job {
    pub input: PathBuf,
    pub output: PathBuf,
}

/// What is to be done with a folder.
#[derive(Debug)]
pub(crate) struct Plan {
    /// In the order of their inputs.
    pub jobs: Vec<Job>,
    pub skipped: Skipped,
    /// What could not be listed, and why.
    pub failures: Vec<(PathBuf, io::Error)>,
}

/// What is asked of a folder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub input: &'a Path,
    pub output: &'a Path,
    /// Takes inputs of one format only.
    pub from: Option<Format>,
    pub to: Format,
    /// Whether outputs may replace files.
    pub force: bool,
}

/// Pairs every file with its output: the same path below the other folder, with the extension of the format.
///
/// An output folder inside the input folder is not looked into. A file that is its own output is an input only if
/// files may be replaced.
///
/// # Errors
/// If the folder cannot be read, if two files would become the same one, or if one would replace an input.
pub(crate) fn plan(wish: Wish<'_>) -> Result<Plan> {
    // 1. Where both folders are, whatever they are called.
    let named = || wish.input.display().to_string();
    let from = fs::canonicalize(wish.input).with_context(named)?;
    let to = real_path(wish.output).with_context(|| wish.output.display().to_string())?;
    let inside = to.strip_prefix(&from).ok().filter(|below| !below.as_os_str().is_empty());

    // 2. What there is.
    let Listing { mut files, mut skipped, failures } =
        list(wish.input, wish.from, inside).with_context(named)?;
    if !wish.force {
        let is_own = |path: &Path| from.join(path) == to.join(output_of(path, wish.to));
        let before = files.len();
        files.retain(|(path, _)| !is_own(path));
        skipped.own = (before - files.len()) as u64;
    }

    // 3. What becomes of it.
    refuse_collisions(&files, wish)?;
    refuse_lost_inputs(&files, wish, &from, &to)?;
    let jobs = files
        .iter()
        .map(|(path, _)| Job {
            input: wish.input.join(path),
            output: wish.output.join(output_of(path, wish.to)),
        })
        .collect();
    let failures = failures.into_iter().map(|(path, error)| (wish.input.join(path), error)).collect();
    Ok(Plan { jobs, skipped, failures })
}

fn output_of(path: &Path, format: Format) -> PathBuf {
    format.renamed(path)
}

/// The path through all links, also of what is not there yet.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    for there in path.ancestors() {
        match fs::canonicalize(there) {
            Ok(real) => {
                let missing = path.strip_prefix(there).expect("a path begins with its ancestors");
                return Ok(if missing.as_os_str().is_empty() { real } else { real.join(missing) });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(path)
}

/// A path as the file system tells it from others: there, these systems take no notice of case.
fn as_told_apart(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        PathBuf::from(path.to_string_lossy().to_lowercase())
    } else {
        path.to_owned()
    }
}

/// Everything that is written for a file: its output, and the second file of formats that have one.
fn outputs_of(path: &Path, format: Format) -> impl Iterator<Item = PathBuf> {
    let output = output_of(path, format);
    let second = format.companion_path(&output);
    [output].into_iter().chain(second)
}

fn refuse_collisions(files: &[(PathBuf, Format)], wish: Wish<'_>) -> Result<()> {
    let mut claimed: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    for (path, _) in files {
        for output in outputs_of(path, wish.to) {
            if let Some(other) = claimed.insert(as_told_apart(&output), path) {
                bail!(
                    "{} and {} would both become {}; nothing is written (--from takes files of one format)",
                    wish.input.join(other).display(),
                    wish.input.join(path).display(),
                    wish.output.join(output).display()
                );
            }
        }
    }
    Ok(())
}

/// With `--force`, an output may replace the file that it comes from, but no other that is still to be read.
fn refuse_lost_inputs(files: &[(PathBuf, Format)], wish: Wish<'_>, from: &Path, to: &Path) -> Result<()> {
    if !wish.force {
        return Ok(());
    }
    let inputs: BTreeSet<PathBuf> = files.iter().map(|(path, _)| as_told_apart(&from.join(path))).collect();
    for (path, _) in files {
        let own = as_told_apart(&from.join(path));
        for output in outputs_of(path, wish.to) {
            let place = as_told_apart(&to.join(&output));
            ensure!(
                place == own || !inputs.contains(&place),
                "{} would replace {}, which is an input too; nothing is written",
                wish.input.join(path).display(),
                wish.output.join(output).display()
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::folder;

    /// Inputs and outputs below the folder, or the refusal.
    fn pairs(
        root: &Path,
        input: &str,
        output: &str,
        to: Format,
        force: bool,
    ) -> Result<Vec<(String, String)>, String> {
        let (input, output) = (root.join(input), root.join(output));
        let wish = Wish { input: &input, output: &output, from: None, to, force };
        let below =
            |path: &Path| path.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/");
        plan(wish)
            .map(|plan| plan.jobs.iter().map(|job| (below(&job.input), below(&job.output))).collect())
            .map_err(|error| error.to_string())
    }

    fn pair(input: &str, output: &str) -> (String, String) {
        (input.into(), output.into())
    }

    #[test]
    fn outputs_keep_their_place_below_the_folder() {
        let folder = folder(&["in/a.data", "in/x.y/b.c.csv"]);
        let expected =
            vec![pair("in/a.data", "none/out/a.npy"), pair("in/x.y/b.c.csv", "none/out/x.y/b.c.npy")];
        assert_eq!(pairs(folder.path(), "in", "none/out", Format::Npy, false), Ok(expected));
    }

    #[test]
    fn an_output_folder_inside_is_no_input() {
        let folder = folder(&["in/a.data", "in/out/a.csv", "in/outer/b.data"]);
        let expected = vec![pair("in/a.data", "in/out/a.csv"), pair("in/outer/b.data", "in/out/outer/b.csv")];
        assert_eq!(pairs(folder.path(), "in", "in/out", Format::Csv, true), Ok(expected));
    }

    #[test]
    fn a_file_that_is_its_own_output_is_an_input_only_to_replace() {
        let folder = folder(&["in/a.data", "in/b.csv"]);
        let b = pair("in/b.csv", "in/b.data");
        assert_eq!(
            pairs(folder.path(), "in", "in/../in", Format::Data, false).map(|found| found.len()),
            Ok(1)
        );
        assert_eq!(pairs(folder.path(), "in", "in", Format::Data, false), Ok(vec![b.clone()]));
        assert_eq!(
            pairs(folder.path(), "in", "in", Format::Data, true),
            Ok(vec![pair("in/a.data", "in/a.data"), b])
        );
    }

    #[test]
    fn two_files_never_become_one() {
        let folder = folder(&["in/a.data", "in/a.csv", "npy/a.data", "npy/a.times.csv"]);
        let refusal = pairs(folder.path(), "in", "out", Format::Sinew, true).expect_err("refused");
        assert!(refusal.contains("a.csv and ") && refusal.contains("a.data would both become "), "{refusal}");
        // The times of `a.npy` are a second file.
        let refusal = pairs(folder.path(), "npy", "out", Format::Npy, true).expect_err("refused");
        assert!(refusal.contains("a.times.npy"), "{refusal}");
        assert!(pairs(folder.path(), "npy", "out", Format::Csv, true).is_ok());
    }

    #[test]
    fn no_output_replaces_another_input() {
        let folder = folder(&["raw/raw/x.csv", "raw/x.data"]);
        let refusal = pairs(folder.path(), "raw", ".", Format::Data, true).expect_err("refused");
        assert!(refusal.contains("x.data, which is an input too"), "{refusal}");
        // Without --force the file itself is refused when its turn comes.
        assert!(pairs(folder.path(), "raw", ".", Format::Data, false).is_ok());
    }
}
