//! The external program that runs now, for whoever has to end the benchmark early.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A handle to the external program of a benchmark: all clones mean the same one.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    now: Option<Now>,
    ended: bool,
}

#[derive(Debug)]
struct Now {
    /// Number of its process group, which is that of its shell.
    group: u32,
    /// Where its files are.
    folder: PathBuf,
}

impl PartialEq for Running {
    fn eq(&self, other: &Running) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Running {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the program that runs now, with all that it started, removes its files, and lets no other start.
    pub fn end(&self) {
        let mut state = self.state();
        state.ended = true;
        if let Some(Now { group, folder }) = state.now.take() {
            kill_group(group);
            // It is temporary, and there is nobody to tell.
            let _ = fs::remove_dir_all(folder);
        }
    }

    /// Runs a command whose files are in `folder`; past the limit kills it and everything that it started.
    pub(crate) fn run(&self, command: &mut Command, folder: &Path, limit: Duration) -> Result<ExitStatus> {
        let mut child = self.start(command, folder)?;
        let start = Instant::now();
        loop {
            if let Some(status) = self.ended(&mut child)? {
                return Ok(status);
            }
            if start.elapsed() > limit {
                let mut state = self.state();
                kill_group(child.id());
                child.kill()?;
                child.wait()?;
                state.now = None;
                bail!("it took more than {} s and was killed", limit.as_secs_f64());
            }
            // Short against any process start, so that it does not blur the time.
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Starts it with no gap in which it would not be known.
    fn start(&self, command: &mut Command, folder: &Path) -> Result<Child> {
        let mut state = self.state();
        ensure!(!state.ended, "the benchmark is being ended");
        let child = spawn_in_own_group(command).context("the shell `sh` did not start")?;
        state.now = Some(Now { group: child.id(), folder: folder.to_owned() });
        Ok(child)
    }

    /// Forgets it in the same moment in which its number becomes free for others.
    fn ended(&self, child: &mut Child) -> Result<Option<ExitStatus>> {
        let mut state = self.state();
        let status = child.try_wait()?;
        if status.is_some() {
            state.now = None;
        }
        Ok(status)
    }
}

/// In a process group of its own, the whole command can be stopped, not only the shell that started it.
fn spawn_in_own_group(command: &mut Command) -> std::io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command.spawn()
}

/// The standard library can only kill the shell itself; the shell's own `kill` reaches the group. Elsewhere a program
/// shares the console, and hears of an interrupt itself.
fn kill_group(group: u32) {
    if cfg!(unix) {
        let script = format!("kill -KILL -{group}");
        // A group that is gone already is what was wanted.
        let _ = Command::new("sh").arg("-c").arg(script).stderr(Stdio::null()).status();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_runs_is_ended_with_its_files_and_nothing_starts_after_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = folder.path().join("files");
        fs::create_dir(&files).expect("created");
        let running = Running::default();
        let other = running.clone();
        let (started, at) = (files.join("started"), Instant::now());
        let ender = std::thread::spawn(move || {
            while !started.exists() && at.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_millis(1));
            }
            other.end();
        });
        let mut command = Command::new("sh");
        command.args(["-c", "touch started; sleep 60"]).current_dir(&files);
        let status = running.run(&mut command, &files, Duration::from_secs(30)).expect("it ran");
        ender.join().expect("ended");
        assert!(!status.success() && at.elapsed() < Duration::from_secs(20) && !files.exists());
        assert!(running.run(&mut Command::new("true"), folder.path(), Duration::from_secs(9)).is_err());
        assert_eq!((running == running.clone(), running == Running::default()), (true, false));
    }
}
