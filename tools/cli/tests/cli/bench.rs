//! `sinew bench`.

use crate::support::{Folder, humanoid, odd_clips};
use sinew::data::DataMode;

#[test]
fn json_and_csv_hold_every_field_of_every_row() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(30), DataMode::Named);
    let args =
        ["bench", "a.data", "--quick", "--error", "0.01", "--json", "--csv", "table.csv", "--svg", "a.svg"];
    let json = folder.run(&args).exits(0).json();
    let rows = json.as_array().expect("an array");
    let codec = |row: &serde_json::Value| row["codec"].as_str().expect("a name").to_owned();
    assert!(rows.iter().any(|row| codec(row).starts_with("sinew")) && rows.len() > 5, "{json}");
    for row in rows {
        for field in [
            "clip",
            "codec",
            "settings",
            "bytes",
            "ratio_to_data_nameless",
            "ratio_to_anim",
            "max_abs",
            "max_joint_mm",
            "encode_ms",
            "decode_ms",
            "decode_ns_per_pose",
        ] {
            assert!(row.get(field).is_some(), "{field} of {row}");
        }
        let lossless = row["max_abs"] == 0.0;
        let mm = row["max_joint_mm"].as_f64().expect("a number");
        assert!(if lossless { mm == 0.0 } else { mm > 0.0 && mm < 100.0 }, "{row}");
        assert_eq!(row["clip"], "a.data");
        assert!(row["max_abs"].as_f64().is_some_and(|error| error <= 0.01), "{row}");
    }
    let table = String::from_utf8(folder.read("table.csv")).expect("text");
    assert_eq!(table.lines().count(), rows.len() + 1);
    assert!(String::from_utf8(folder.read("a.svg")).expect("text").contains("sinew-balanced"));
    folder.run(&args).fails_with(&["table.csv", "--force"]);
}

#[test]
fn lossless_only_leaves_the_bounds_out() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(10), DataMode::Nameless);
    let json = folder.run(&["bench", "a.data", "--quick", "--lossless-only", "--json"]).exits(0).json();
    let rows = json.as_array().expect("an array");
    assert!(!rows.is_empty() && rows.iter().all(|row| row["max_abs"] == 0.0), "{json}");
    folder.run(&["bench", "a.data", "--lossless-only", "--error", "1"]).misuses("--error");
}

#[test]
fn odd_clips_are_measured_too() {
    let folder = Folder::new();
    let mut args = vec!["bench", "--quick"];
    let names: Vec<String> = odd_clips().iter().map(|(name, _)| format!("{name}.data")).collect();
    for (name, (_, clip)) in names.iter().zip(odd_clips()) {
        folder.write_data(name, &clip, DataMode::Nameless);
        args.push(name);
    }
    let text = folder.run(&args).exits(0).text();
    assert!(names.iter().all(|name| text.contains(name)) && !text.contains("NaN"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_costs_the_exit_code_but_not_the_table() {
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(10), DataMode::Nameless);
    let args = ["bench", "a.data", "--quick", "--lossless-only", "--json", "--external", "broken=false"];
    let run = folder.run(&args).exits(1);
    assert!(run.stderr.contains("broken") && run.json().as_array().is_some_and(|rows| rows.len() > 3));
    folder.run(&["bench", "a.data", "--external", "x"]).fails_with(&["--external", "NAME=COMMAND"]);
    folder.run(&["bench", "missing.data"]).fails_with(&["missing.data"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_external_program_too() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = Folder::new();
    folder.write_data("a.data", &humanoid(5), DataMode::Nameless);
    let external = "slow=f() { touch started; sleep 1; touch mark; sleep 60; }; f";
    let mut command =
        folder.command(&["bench", "a.data", "--quick", "--lossless-only", "--external", external]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    let end = Instant::now() + Duration::from_secs(60);
    while !folder.path("started").exists() {
        assert!(
            Instant::now() < end && child.try_wait().expect("waits").is_none(),
            "the program did not start"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().expect("kill runs");
    assert_eq!(child.wait().expect("ends").code(), Some(130));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!folder.path("mark").exists(), "the program lived on");
}
