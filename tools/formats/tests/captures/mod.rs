//! Where real captures are, for the tests that read them.

use std::io::Write as _;
use std::path::PathBuf;

/// The folder of real captures, or `None` where it may be missing.
pub fn captures(part: &str) -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus =
        std::env::var_os("SINEW_CORPUS").map_or(root.join("../shared/corpus"), |path| root.join(path));
    let folder = corpus.join(part);
    if folder.exists() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "no captures at {}", folder.display());
    // Not println!, which the test runner swallows when a test passes.
    let _ = writeln!(std::io::stderr(), "skipped: no captures at {}", folder.display());
    None
}
