//! Where the real captures are: a folder outside the repository, since they are never copied into it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Environment variable that names the folder of real captures.
pub const CORPUS_ENV: &str = "SINEW_CORPUS";
/// The folder where the variable is not set, seen from the workspace root.
const USUAL_PLACE: &str = "../shared/corpus";

/// The folder of real captures: `SINEW_CORPUS`, else `../shared/corpus`, both seen from the workspace root;
/// `None` if there is no such folder.
pub fn corpus_dir() -> Option<PathBuf> {
    folder(std::env::var_os(CORPUS_ENV).map(PathBuf::from))
}

fn folder(asked: Option<PathBuf>) -> Option<PathBuf> {
    // Tests run in their crate's folder and programs anywhere; the workspace root is the one fixed point.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let folder = root.join(asked.unwrap_or_else(|| PathBuf::from(USUAL_PLACE)));
    folder.is_dir().then_some(folder)
}

/// For tests: the path of a real capture, given relative to the corpus folder. Where it is missing, the test
/// should return: the absence is printed.
///
/// # Panics
/// If the capture is missing and the environment variable `CI` is set, so that no automatic run passes by
/// skipping.
pub fn require(relative: impl AsRef<Path>) -> Option<PathBuf> {
    found(corpus_dir(), relative.as_ref(), std::env::var_os("CI").is_some())
}

fn found(folder: Option<PathBuf>, relative: &Path, must: bool) -> Option<PathBuf> {
    let path = folder.map(|folder| folder.join(relative)).filter(|path| path.exists());
    if path.is_none() {
        let what = format!("no capture {}; {CORPUS_ENV} names the folder", relative.display());
        assert!(!must, "{what}");
        // Not println!, which the test runner swallows when a test passes.
        let _ = writeln!(std::io::stderr(), "skipped: {what}");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_asked_for_must_exist() {
        let here = tempfile::tempdir().unwrap();
        assert_eq!(folder(Some(here.path().to_owned())).as_deref(), Some(here.path()));
        assert_eq!(folder(Some(here.path().join("missing"))), None);
        // Relative names are seen from the workspace root.
        assert!(folder(Some("corpus/src".into())).is_some());
    }

    #[test]
    fn a_missing_capture_is_skipped_by_hand() {
        let here = tempfile::tempdir().unwrap();
        std::fs::write(here.path().join("a.data"), "x").unwrap();
        assert!(found(Some(here.path().to_owned()), Path::new("a.data"), true).is_some());
        assert_eq!(found(Some(here.path().to_owned()), Path::new("b.data"), false), None);
        assert_eq!(found(None, Path::new("a.data"), false), None);
    }

    #[test]
    #[should_panic(expected = "no capture b.data")]
    fn a_missing_capture_fails_an_automatic_run() {
        found(None, Path::new("b.data"), true);
    }
}
