//! Ctrl-C, termination and hang-up: unfinished outputs are removed before the process ends.

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

/// What else is to be done before the process ends.
static AT_END: Mutex<Vec<Box<dyn FnOnce() + Send>>> = Mutex::new(Vec::new());

/// Has something done before a signal ends the process: what this process started would go on without it.
pub(crate) fn on_end(act: impl FnOnce() + Send + 'static) {
    AT_END.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(act));
}

/// Ends the process, removing what is unfinished. The lock is never given back, so nothing new is created.
fn end(code: i32) -> ! {
    let paths = unfinished();
    for path in paths.iter() {
        // It may be gone already, and there is nobody to tell.
        let _ = std::fs::remove_file(path);
    }
    let acts = std::mem::take(&mut *AT_END.lock().unwrap_or_else(PoisonError::into_inner));
    acts.into_iter().for_each(|act| act());
    std::process::exit(code)
}

/// Catches the signals. Without them (a system that refuses the handler) the process just ends.
#[cfg(unix)]
pub(crate) fn install() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut caught = vec![SIGINT, SIGTERM];
    if hang_up_ends() {
        caught.push(SIGHUP);
    }
    if let Ok(mut signals) = signal_hook::iterator::Signals::new(caught) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end(128 + signal);
            }
        });
    }
}

/// Whether a hang-up is known to end this process. Under `nohup` it is ignored and must stay so; the call that tells
/// is unsafe, so only the system that also tells it in a file is asked.
#[cfg(unix)]
fn hang_up_ends() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| !ignores_hang_up(mask.trim()))
}

/// Whether a mask of signals in hexadecimal, the first in its lowest bit, has the hang-up.
#[cfg(unix)]
fn ignores_hang_up(mask: &str) -> bool {
    let bit = 1u128 << (signal_hook::consts::SIGHUP - 1);
    u128::from_str_radix(mask, 16).map_or(true, |mask| mask & bit != 0)
}

/// Catches Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn install() {
    let _ = ctrlc::set_handler(|| end(130));
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_mask_tells_who_ignores_a_hang_up() {
        for (mask, ignored) in
            [("0000000000001000", false), ("0000000000001001", true), ("1", true), ("x", true), ("", true)]
        {
            assert_eq!(ignores_hang_up(mask), ignored, "{mask}");
        }
    }
}
