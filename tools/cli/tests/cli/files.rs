//! Outputs: whole or not at all, never over another file unasked.

use crate::support::{Folder, humanoid};
use sinew::data::DataMode;
use std::io::Read;
use std::process::Stdio;

fn with_clip(frames: usize) -> Folder {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(frames), DataMode::Nameless);
    folder
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = with_clip(5);
    folder.run(&["encode", "a.data", "-o", "a.sinew", "--lossless"]).exits(0);
    for (verb, name) in
        [("encode", "x.sinew"), ("decode", "x.data"), ("convert", "x.csv"), ("recover", "x.data")]
    {
        folder.write(name, "mine");
        let input = if verb == "decode" { "a.sinew" } else { "a.data" };
        let mut args =
            if verb == "convert" { vec![verb, input, name] } else { vec![verb, input, "-o", name] };
        folder.run(&args).fails_with(&[name, "--force"]);
        assert_eq!(folder.read(name), b"mine");
        args.push("--force");
        folder.run(&args).exits(0);
        assert_ne!(folder.read(name), b"mine");
        std::fs::remove_file(folder.path(name)).expect("removed");
    }
    assert_eq!(folder.names(), ["a.data", "a.sinew"]);
}

#[test]
fn an_output_may_replace_its_own_input() {
    let folder = with_clip(5);
    let before = folder.read("a.data");
    folder.run(&["convert", "a.data", "a.data", "--mode", "named"]).fails_with(&["--force"]);
    folder.run(&["convert", "a.data", "a.data", "--mode", "named", "--force"]).exits(0);
    assert!(folder.read("a.data").len() > before.len());
    folder.run(&["convert", "a.data", "a.data", "--mode", "nameless", "--force"]).exits(0);
    assert_eq!(folder.read("a.data"), before);
}

#[test]
fn a_failure_leaves_nothing_behind() {
    let folder = with_clip(5);
    let bytes = folder.read("a.data");
    folder.write("cut.data", &bytes[..bytes.len() - 3]);
    folder.run(&["encode", "cut.data", "-o", "b.sinew"]).fails_with(&["cut.data", "frame 4"]);
    folder.run(&["convert", "cut.data", "b.npy"]).fails_with(&["cut.data"]);
    folder
        .run(&["convert", "a.data", "none/b.csv"])
        .fails_with(&["none/b.csv: No such file or directory (os error 2)\n"]);
    std::fs::create_dir(folder.path("folder.csv")).expect("a folder");
    folder.run(&["convert", "a.data", "folder.csv", "--force"]).fails_with(&["folder.csv", "folder"]);
    assert_eq!(folder.names(), ["a.data", "cut.data", "folder.csv"]);
}

#[test]
fn an_output_that_cannot_be_made_is_refused_before_the_work() {
    let folder = with_clip(5);
    // The input is missing too: the output was looked at first.
    folder.run(&["encode", "gone.data", "-o", "none/b.sinew"]).fails_with(&["none/b.sinew"]);
    folder.run(&["convert", "gone.data", "a.data/b.csv"]).fails_with(&["a.data/b.csv"]);
    folder.run(&["recover", "gone.data", "-o", "none/b.data"]).fails_with(&["none/b.data"]);
    folder.run(&["bench", "gone.data", "--csv", "none/b.csv"]).fails_with(&["none/b.csv"]);
    folder.run(&["encode", "gone.data", "-o", "b.sinew/"]).fails_with(&["b.sinew/", "folder"]);
}

#[test]
fn messages_tell_standard_input_from_standard_output() {
    let folder = with_clip(3);
    let run = folder.run_with(&["convert", "-", "-", "--to", "csv"], &folder.read("a.data")).exits(0);
    assert!(run.stderr.contains("standard output: loss: the GUID"), "{}", run.stderr);
    assert!(!run.stderr.contains("standard input"), "{}", run.stderr);
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let folder = with_clip(2000);
    for args in [vec!["convert", "a.data", "-", "--to", "csv"], vec!["completions", "bash"]] {
        let mut command = folder.command(&args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        let mut first = [0u8; 16];
        let mut stdout = child.stdout.take().expect("a pipe");
        stdout.read_exact(&mut first).expect("some bytes");
        drop(stdout);
        let output = child.wait_with_output().expect("ends");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !stderr.contains("ipe"), "{stderr}");
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;
    use std::time::{Duration, Instant};

    /// Sends the signal as soon as the unfinished output is there. Gives the exit code, or nothing if the process had
    /// ended before.
    fn signalled(folder: &Folder, mut command: Command, signal: &str) -> Option<i32> {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        let end = Instant::now() + Duration::from_secs(60);
        while !folder.names().iter().any(|name| name.ends_with(".tmp")) {
            if child.try_wait().expect("waits").is_some() {
                return None;
            }
            assert!(Instant::now() < end, "no temporary file seen");
            std::thread::sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        Command::new("kill").args(["-s", signal, &id]).status().expect("kill runs");
        child.wait().expect("ends").code()
    }

    const CONVERT: [&str; 4] = ["convert", "a.data", "out.csv", "--force"];

    #[test]
    fn an_interrupt_removes_the_unfinished_output() {
        let mut signals = vec![("INT", 130), ("TERM", 143)];
        // A test run under nohup hands that on.
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        if ignored.is_some_and(|mask| mask.trim().ends_with(['0', '2', '4', '6', '8', 'a', 'c', 'e'])) {
            signals.push(("HUP", 129));
        }
        for (signal, code) in signals {
            let folder = with_clip(20_000);
            // On a busy machine the conversion may be over before the signal arrives.
            let in_time = (0..20).find_map(|_| {
                let code = signalled(&folder, folder.command(&CONVERT), signal);
                if std::fs::remove_file(folder.path("out.csv")).is_ok() { None } else { code }
            });
            assert_eq!(in_time, Some(code));
            assert_eq!(folder.names(), ["a.data"]);
        }
    }

    #[test]
    fn a_hang_up_that_is_ignored_stays_ignored() {
        let folder = with_clip(20_000);
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_sinew")]);
        command.args(CONVERT).current_dir(folder.root());
        assert!(matches!(signalled(&folder, command, "HUP"), Some(0) | None));
        assert_eq!(folder.names(), ["a.data", "out.csv"]);
        folder.run(&["compare", "a.data", "out.csv"]).exits(0);
    }

    #[test]
    fn files_have_the_usual_rights_and_keep_them_when_replaced() {
        let folder = with_clip(3);
        let rights =
            |name: &str| std::fs::metadata(folder.path(name)).expect("a file").permissions().mode() & 0o777;
        folder.write("usual", "");
        folder.run(&["convert", "a.data", "a.csv"]).exits(0);
        assert_eq!(rights("a.csv"), rights("usual"));
        let shared = std::fs::Permissions::from_mode(0o640);
        std::fs::set_permissions(folder.path("a.csv"), shared).expect("set");
        folder.run(&["convert", "a.data", "a.csv", "--force"]).exits(0);
        assert_eq!(rights("a.csv"), 0o640);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = with_clip(3);
        folder.write("real.csv", "old");
        symlink("real.csv", folder.path("link.csv")).expect("linked");
        folder.run(&["convert", "a.data", "link.csv"]).fails_with(&["--force"]);
        folder.run(&["convert", "a.data", "link.csv", "--force"]).exits(0);
        assert!(folder.path("link.csv").is_symlink() && folder.read("real.csv").starts_with(b"time,"));
    }

    #[test]
    fn a_link_to_no_file_yet_stays_a_link() {
        let folder = with_clip(3);
        std::fs::create_dir(folder.path("far")).expect("a folder");
        symlink("far/second.csv", folder.path("first.csv")).expect("linked");
        symlink("real.csv", folder.path("far/second.csv")).expect("linked");
        folder.run(&["convert", "a.data", "first.csv"]).fails_with(&["--force"]);
        folder.run(&["convert", "a.data", "first.csv", "--force"]).exits(0);
        assert!(folder.path("first.csv").is_symlink() && folder.path("far/second.csv").is_symlink());
        assert!(folder.read("far/real.csv").starts_with(b"time,"));
        symlink("ring.csv", folder.path("ring.csv")).expect("linked");
        folder.run(&["convert", "a.data", "ring.csv", "--force"]).fails_with(&["ring.csv"]);
        symlink("none/x.csv", folder.path("astray.csv")).expect("linked");
        folder
            .run(&["convert", "a.data", "astray.csv", "--force"])
            .fails_with(&["astray.csv", "No such file"]);
    }

    #[test]
    fn names_as_long_as_the_system_takes_are_taken() {
        let folder = with_clip(3);
        let longest = format!("{}.csv", "n".repeat(251));
        folder.run(&["convert", "a.data", &longest]).exits(0);
        folder.run(&["compare", "a.data", &longest]).exits(0);
        folder.run(&["convert", "a.data", &format!("n{longest}")]).fails_with(&["nnn", "too long"]);
    }

    #[test]
    fn help_on_a_full_disk_is_an_error() {
        if !std::path::Path::new("/dev/full").exists() {
            return;
        }
        let folder = Folder::new();
        for args in [vec!["--help"], vec!["--version"], vec!["info", "--help"]] {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
            let output = folder.command(&args).stdout(full).output().expect("runs");
            assert_eq!(output.status.code(), Some(2), "{args:?}");
        }
    }

    #[test]
    fn a_pipe_gets_no_second_file_beside_it() {
        let folder = with_clip(3);
        let made = Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo runs");
        assert!(made.success());
        let reader = Command::new("cat").arg(folder.path("pipe")).stdout(Stdio::piped()).spawn();
        let run = folder.run(&["convert", "a.data", "pipe", "--to", "npy"]).exits(0);
        let array = reader.expect("cat runs").wait_with_output().expect("cat ends").stdout;
        assert!(array.starts_with(b"\x93NUMPY") && run.stderr.contains("second file"), "{}", run.stderr);
        assert_eq!(folder.names(), ["a.data", "pipe"]);
    }

    #[test]
    fn names_that_are_not_unicode_are_taken() {
        use std::os::unix::ffi::OsStrExt;
        let folder = with_clip(3);
        let name = std::ffi::OsStr::from_bytes(b"caf\xe9.csv");
        let status = folder
            .command(&["convert", "a.data"])
            .arg(name)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(status.expect("runs").success() && folder.root().join(name).exists());
        let output = folder.command(&[]).arg(name).output().expect("runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    }

    #[test]
    fn a_device_is_written_in_place() {
        let folder = with_clip(3);
        folder.run(&["convert", "a.data", "/dev/null", "--to", "csv"]).exits(0);
        assert!(!std::fs::metadata("/dev/null").expect("there").is_file());
        let output = folder.run(&["convert", "a.data", "/dev/stdout", "--to", "csv"]).exits(0);
        assert!(output.stdout.starts_with(b"time,"));
    }

    #[test]
    fn a_full_disk_is_an_error() {
        if !std::path::Path::new("/dev/full").exists() {
            return;
        }
        let folder = with_clip(200);
        folder.run(&["convert", "a.data", "/dev/full", "--to", "csv"]).fails_with(&["/dev/full", "space"]);
        for args in [vec!["encode", "a.data", "-o", "-"], vec!["convert", "a.data", "-", "--to", "npy"]] {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
            let output = folder.command(&args).stdout(full).output().expect("runs");
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{stderr}");
            assert!(stderr.contains("standard output: ") && stderr.contains("space"), "{stderr}");
        }
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("opens");
        let output = folder.command(&["info", "a.data"]).stdout(full).output().expect("runs");
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"));
    }
}
