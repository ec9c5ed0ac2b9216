//! `sinew convert` of folders.

use crate::support::{Folder, humanoid};
use serde_json::{Value, json};
use sinew::data::DataMode;
use std::fs;
use std::path::Path;

/// A folder `in` with three recordings, one of them two levels down, and what is no clip.
fn takes() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("in/day/one")).expect("created");
    for (name, frames) in [("in/b.data", 5), ("in/day/one/a.data", 3), ("in/c.x.data", 1)] {
        folder.write_data(name, &humanoid(frames), DataMode::Nameless);
    }
    for name in ["in/read.me", "in/day/notes", "in/.hidden.data"] {
        folder.write(name, "text");
    }
    folder
}

/// All files below a folder, sorted, folders left out.
fn tree(root: &Path) -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root).expect("below").to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

fn lines(run: &crate::support::Run) -> Vec<String> {
    run.text().lines().map(|line| line.replace('\\', "/")).collect()
}

#[test]
fn a_folder_becomes_a_folder_of_the_same_shape() {
    let folder = takes();
    let run = folder.run(&["convert", "in", "new/out", "--to", "sinew"]).exits(0);
    assert_eq!(tree(&folder.path("new/out")), ["b.sinew", "c.x.sinew", "day/one/a.sinew"]);
    let found = lines(&run);
    let starts = [
        "new/out/b.sinew: 5 frames, ",
        "new/out/c.x.sinew: 1 frame, ",
        "new/out/day/one/a.sinew: 3 frames, ",
    ];
    assert!(found.iter().zip(starts).all(|(line, start)| line.starts_with(start)), "{found:?}");
    assert_eq!(found[3..], ["3 converted, 0 failed, 3 skipped"]);
    assert_eq!(run.stderr, "sinew: in: note: skipped 2 of no known format, 1 hidden\n");
    for name in ["b", "c.x", "day/one/a"] {
        // The same bytes as from one file.
        folder.run(&["convert", &format!("in/{name}.data"), "one.sinew", "--force"]).exits(0);
        assert_eq!(folder.read(&format!("new/out/{name}.sinew")), folder.read("one.sinew"));
    }
}

#[test]
fn the_order_of_lines_and_the_bytes_are_the_same_for_any_number_of_jobs() {
    let folder = Folder::new();
    fs::create_dir(folder.path("in")).expect("created");
    // The first file takes longest.
    for index in 0..24 {
        folder.write_data(&format!("in/{index:02}.data"), &humanoid(600 / (index + 1)), DataMode::Nameless);
    }
    let one = folder.run(&["convert", "in", "out", "--to", "npy", "--jobs", "1"]).exits(0);
    let before: Vec<Vec<u8>> =
        tree(&folder.path("out")).iter().map(|name| folder.read(&format!("out/{name}"))).collect();
    assert_eq!(before.len(), 48);
    let many = folder.run(&["convert", "in", "out", "--to", "npy", "--jobs", "7", "--force"]).exits(0);
    assert_eq!((one.text(), one.stderr), (many.text(), many.stderr));
    let after: Vec<Vec<u8>> =
        tree(&folder.path("out")).iter().map(|name| folder.read(&format!("out/{name}"))).collect();
    assert!(before == after);
    folder.run(&["convert", "in", "out", "--to", "npy", "--jobs", "0"]).misuses("--jobs");
    // The times beside an array are no clips of their own.
    let back = folder.run(&["convert", "out", "back", "--to", "csv"]).exits(0);
    assert_eq!(lines(&back).last().map(String::as_str), Some("24 converted, 0 failed, 0 skipped"));
}

#[test]
fn a_bad_file_is_one_line_and_the_others_go_on() {
    let folder = takes();
    folder.write("in/a.data", "rubbish");
    folder.write("in/d.csv", "time,Jaw Close\n0,x\n");
    let run = folder.run(&["convert", "in", "out", "--to", "sinew"]).exits(1);
    let complaints: Vec<&str> = run.stderr.lines().skip(1).collect();
    assert_eq!(complaints.len(), 2, "{}", run.stderr);
    assert!(complaints[0].contains("a.data: ") && complaints[1].contains("d.csv: .csv: line 2, column 2"));
    assert_eq!(lines(&run).last().map(String::as_str), Some("3 converted, 2 failed, 3 skipped"));
    assert_eq!(tree(&folder.path("out")), ["b.sinew", "c.x.sinew", "day/one/a.sinew"]);
}

#[test]
fn notes_name_their_file() {
    let folder = takes();
    let run = folder.run(&["convert", "in", "out", "--to", "csv"]).exits(0);
    let stderr = run.stderr.replace('\\', "/");
    for name in ["out/b.csv: loss: the GUID", "out/day/one/a.csv: loss: the GUID"] {
        assert!(stderr.contains(name), "{stderr}");
    }
}

#[test]
fn json_is_one_object_with_all_files_in_order() {
    let folder = takes();
    folder.write("in/a.data", "rubbish");
    let run = folder.run(&["convert", "in", "out", "--to", "sinew", "--json"]).exits(1);
    let found = run.json();
    assert_eq!((&found["converted"], &found["failed"], &found["skipped"]), (&json!(3), &json!(1), &json!(3)));
    let files = found["files"].as_array().expect("an array");
    let inputs: Vec<String> =
        files.iter().map(|file| file["input"].as_str().expect("text").replace('\\', "/")).collect();
    assert_eq!(inputs, ["in/a.data", "in/b.data", "in/c.x.data", "in/day/one/a.data"]);
    assert_eq!((&files[0]["written"], &files[1]["written"]), (&json!(false), &json!(true)));
    assert!(files[0]["error"].as_str().is_some_and(|error| error.contains("a.data")));
    assert_eq!((&files[1]["error"], &files[1]["frames"]), (&Value::Null, &json!(5)));
    let length = fs::metadata(folder.path("out/b.sinew")).expect("a file").len();
    assert_eq!(files[1]["bytes"], json!(length));
}

#[test]
fn existing_outputs_stay_unless_forced() {
    let folder = takes();
    fs::create_dir(folder.path("out")).expect("created");
    folder.write("out/b.sinew", "mine");
    let run = folder.run(&["convert", "in", "out", "--to", "sinew"]).exits(1);
    assert!(run.stderr.contains("b.sinew: exists; --force overwrites it"), "{}", run.stderr);
    assert_eq!(lines(&run).last().map(String::as_str), Some("2 converted, 1 failed, 3 skipped"));
    assert_eq!(folder.read("out/b.sinew"), b"mine");
    folder.run(&["convert", "in", "out", "--to", "sinew", "--force"]).exits(0);
    assert_ne!(folder.read("out/b.sinew"), b"mine");
}

#[test]
fn two_files_that_would_become_one_are_refused_before_anything_is_written() {
    let folder = takes();
    folder.write("in/b.csv", "time,Jaw Close\n0,1\n");
    folder.run(&["convert", "in", "out", "--to", "sinew"]).exits(2);
    let run = folder.run(&["convert", "in", "out", "--to", "sinew", "--force"]).exits(2);
    let stderr = run.stderr.replace('\\', "/");
    assert!(stderr.contains("in/b.csv and in/b.data would both become out/b.sinew"), "{stderr}");
    assert!(!folder.path("out").exists() && run.stdout.is_empty());
    let run = folder.run(&["convert", "in", "out", "--to", "sinew", "--from", "csv"]).exits(0);
    assert!(run.stderr.contains("skipped 5 not .csv"), "{}", run.stderr);
    assert_eq!(tree(&folder.path("out")), ["b.sinew"]);
}

#[test]
fn outputs_are_never_inputs() {
    let folder = takes();
    for args in [vec![], vec!["--force"]] {
        let args = [vec!["convert", "in", "in/day/out", "--to", "csv"], args].concat();
        let run = folder.run(&args).exits(0);
        assert_eq!(lines(&run).last().map(String::as_str), Some("3 converted, 0 failed, 3 skipped"));
        assert_eq!(tree(&folder.path("in/day/out")), ["b.csv", "c.x.csv", "day/one/a.csv"]);
    }
}

#[test]
fn a_folder_may_be_converted_in_place() {
    let folder = takes();
    folder.run(&["convert", "in", "in", "--to", "sinew"]).exits(0);
    assert_eq!(tree(&folder.path("in")).iter().filter(|name| name.ends_with(".sinew")).count(), 3);
    // Again: what was made is no input, and is not replaced.
    let run = folder.run(&["convert", "in", "in", "--to", "sinew"]).exits(1);
    assert!(run.stderr.contains("3 already .sinew"), "{}", run.stderr);
    assert_eq!(lines(&run), ["0 converted, 3 failed, 6 skipped"]);
    folder.run(&["convert", "in", "in", "--to", "sinew", "--force"]).exits(2);
    folder.run(&["convert", "in", "in", "--to", "sinew", "--force", "--from", "data"]).exits(0);
    // A file may replace itself.
    let before = folder.read("in/b.data").len();
    folder
        .run(&["convert", "in", "in", "--to", "data", "--from", "data", "--mode", "named", "--force"])
        .exits(0);
    assert!(folder.read("in/b.data").len() > before);
}

#[test]
fn strict_holds_for_each_file() {
    let folder = takes();
    folder.write("in/d.csv", "time,Jaw Close\n0,1\n1,0\n");
    let run = folder.run(&["convert", "in", "out", "--to", "csv", "--strict"]).exits(1);
    assert_eq!(
        run.stderr.matches("not written, because --strict allows no loss").count(),
        3,
        "{}",
        run.stderr
    );
    assert_eq!(lines(&run).last().map(String::as_str), Some("1 converted, 3 failed, 3 skipped"));
    assert_eq!(tree(&folder.path("out")), ["d.csv"]);
    let json = folder.run(&["convert", "in", "out2", "--to", "csv", "--strict", "--json"]).exits(1).json();
    assert_eq!((&json["files"][0]["written"], &json["files"][0]["frames"]), (&json!(false), &json!(5)));
    assert!(json["files"][0]["error"].as_str().is_some_and(|error| error.contains("--strict")));
}

#[test]
fn a_unity_clip_without_a_name_gets_that_of_its_file() {
    let folder = takes();
    let named = |path: &str| {
        let text = String::from_utf8(folder.read(path)).expect("text");
        text.lines().find_map(|line| line.strip_prefix("  m_Name: ").map(str::to_owned))
    };
    folder.run(&["convert", "in", "out", "--to", "anim"]).exits(0);
    assert_eq!(named("out/b.anim").as_deref(), Some("b"));
    assert_eq!(named("out/c.x.anim").as_deref(), Some("c.x"));
    folder.run(&["convert", "in/b.data", "Wave.anim"]).exits(0);
    assert_eq!(named("Wave.anim").as_deref(), Some("Wave"));
    // A name that is there stays.
    folder.run(&["convert", "Wave.anim", "other.anim"]).exits(0);
    assert_eq!(named("other.anim").as_deref(), Some("Wave"));
    folder.run(&["convert", "in/b.data", "b.sinew"]).exits(0);
    folder.run(&["decode", "b.sinew", "-o", "Nod.anim"]).exits(0);
    assert_eq!(named("Nod.anim").as_deref(), Some("Nod"));
    let stream = folder.run(&["convert", "in/b.data", "-", "--to", "anim"]).exits(0);
    assert!(stream.text().contains("\n  m_Name: clip\n"));
}

#[test]
fn what_makes_no_sense_for_a_folder_is_refused() {
    let folder = takes();
    folder.run(&["convert", "in", "out"]).fails_with(&["in: is a folder", "--to"]);
    folder.run(&["convert", "in", "-", "--to", "csv"]).fails_with(&["in: is a folder", "standard output"]);
    folder.run(&["convert", "in", "in/b.data", "--to", "csv"]).fails_with(&["b.data: is a file"]);
    folder.run(&["convert", "in", "out", "--to", "anim", "--name", "x"]).fails_with(&["--name"]);
    fs::create_dir(folder.path("empty")).expect("created");
    folder.run(&["convert", "empty", "out", "--to", "csv"]).fails_with(&["empty: no file to convert"]);
    folder.run(&["convert", "none", "out.csv", "--to", "csv"]).fails_with(&["none"]);
    assert_eq!(folder.names(), ["empty", "in"]);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    #[test]
    fn links_in_a_ring_end() {
        let folder = takes();
        symlink("..", folder.path("in/day/up")).expect("linked");
        symlink("b.data", folder.path("in/linked.data")).expect("linked");
        symlink("gone.data", folder.path("in/lost.data")).expect("linked");
        let run = folder.run(&["convert", "in", "out", "--to", "sinew"]).exits(1);
        assert!(run.stderr.contains("1 linked folder") && run.stderr.contains("lost.data: No such file"));
        assert_eq!(lines(&run).last().map(String::as_str), Some("4 converted, 1 failed, 4 skipped"));
        assert_eq!(folder.read("out/linked.sinew"), folder.read("out/b.sinew"));
    }

    #[test]
    fn an_output_folder_behind_a_link_is_known() {
        let folder = takes();
        fs::create_dir(folder.path("in/out")).expect("created");
        symlink("in/out", folder.path("far")).expect("linked");
        for force in ["--json", "--force"] {
            folder.run(&["convert", "in", "far", "--to", "csv", force]).exits(0);
        }
        assert_eq!(tree(&folder.path("in/out")), ["b.csv", "c.x.csv", "day/one/a.csv"]);
    }

    /// Names of unfinished files in a folder.
    fn unfinished(path: &Path) -> usize {
        let Ok(entries) = fs::read_dir(path) else { return 0 };
        entries
            .filter(|entry| {
                entry.as_ref().is_ok_and(|entry| entry.path().extension() == Some("tmp".as_ref()))
            })
            .count()
    }

    /// Sends an interrupt when one file is finished and another is not. Gives the exit code if it was in time.
    fn interrupted(folder: &Folder) -> Option<i32> {
        let mut command = folder.command(&["convert", "in", "out", "--to", "csv", "--jobs", "2"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        let end = Instant::now() + Duration::from_secs(60);
        while !(folder.path("out/00.csv").exists() && unfinished(&folder.path("out")) > 0) {
            if child.try_wait().expect("waits").is_some() {
                return None;
            }
            assert!(Instant::now() < end, "no temporary file seen");
            std::thread::sleep(Duration::from_millis(1));
        }
        Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill runs");
        child.wait().expect("ends").code().filter(|&code| code != 0)
    }

    #[test]
    fn an_interrupt_keeps_the_finished_files_and_no_other() {
        let folder = Folder::new();
        fs::create_dir(folder.path("in")).expect("created");
        folder.write_data("in/00.data", &humanoid(2), DataMode::Nameless);
        for index in 1..12 {
            folder.write_data(&format!("in/{index:02}.data"), &humanoid(4_000), DataMode::Nameless);
        }
        // On a busy machine all may be over before the signal arrives.
        let in_time = (0..20).find_map(|_| {
            let code = interrupted(&folder);
            if code.is_none() {
                fs::remove_dir_all(folder.path("out")).expect("removed");
            }
            code
        });
        assert_eq!(in_time, Some(130));
        let left = tree(&folder.path("out"));
        assert!(
            left.iter().all(|name| name.ends_with(".csv")) && left.contains(&"00.csv".into()),
            "{left:?}"
        );
        for name in left {
            let input = format!("in/{}", name.replace("csv", "data"));
            folder.run(&["compare", &input, &format!("out/{name}")]).exits(0);
        }
    }
}
