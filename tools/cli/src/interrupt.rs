//! Ctrl-C and termination: unfinished outputs are removed before the process ends.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Temporary files that exist now.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a temporary file and notes it down, with no gap in which a signal would leave it behind.
pub(crate) fn create<T>(
    make: impl FnOnce() -> io::Result<T>,
    path_of: impl Fn(&T) -> &Path,
) -> io::Result<T> {
    let mut paths = unfinished();
    let made = make()?;
    paths.push(path_of(&made).to_owned());
    Ok(made)
}

/// Forgets a temporary file that is finished or gone.
pub(crate) fn forget(path: &Path) {
    unfinished().retain(|known| known != path);
}

/// Ends the process, removing what is unfinished. The lock is never given back, so nothing new is created.
fn end(code: i32) -> ! {
    let paths = unfinished();
    for path in paths.iter() {
        // It may be gone already, and there is nobody to tell.
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(code)
}

/// Catches the signals. Without them (a system that refuses the handler) the process just ends.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    // The hang-up signal is left alone: under `nohup` it must stay ignored.
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end(128 + signal);
            }
        });
    }
}

/// Catches Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| end(130));
}
