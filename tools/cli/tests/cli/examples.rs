//! The examples of every verb's help are run as they stand, in a shell.

use crate::bvh::walk;
use crate::help::VERBS;
use crate::support::{Folder, humanoid};
use sinew::data::DataMode;
use std::os::unix::fs::{PermissionsExt, symlink};

/// The lines below `Examples:` of a verb's help.
fn examples(folder: &Folder, verb: &str) -> Vec<String> {
    let text = folder.run(&[verb, "--help"]).exits(0).text();
    let (_, examples) = text.split_once("Examples:").expect("examples");
    examples.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// A folder with every file that the examples name.
fn example_folder() -> Folder {
    let folder = Folder::new();
    folder.write_data("take.data", &humanoid(8), DataMode::Named);
    folder.write("decoded.data", folder.read("take.data"));
    folder.write("walk.bvh", walk(8));
    folder.write("miscounted.bvh", walk(8).replace("Frames: 8", "Frames: 9"));
    let take = folder.read("take.data");
    folder.write("cut.data", &take[..take.len() - 9]);
    folder.run(&["convert", "take.data", "take.csv"]).exits(0);
    folder.run(&["convert", "take.data", "dance.anim"]).exits(0);
    folder.run(&["convert", "take.data", "poses.npy"]).exits(0);
    folder.run(&["convert", "take.data", "Wave.anim"]).exits(0);
    folder.run(&["convert", "take.data", "moves.unitypackage", "--name", "Jump"]).exits(0);
    folder.run(&["convert", "take.data", "human.bvh"]).exits(0);
    folder.run(&["convert", "take.data", "plask.json"]).exits(0);
    folder.run(&["convert", "take.data", "character.bvh"]).exits(0);
    std::fs::remove_file(folder.path("poses.times.npy")).expect("removed");
    folder.run(&["encode", "take.data", "-o", "take.sinew"]).exits(0);
    let encoded = folder.read("take.sinew");
    folder.write("broken.sinew", &encoded[..encoded.len() - 9]);
    std::fs::create_dir(folder.path("takes")).expect("a folder");
    folder.write("takes/one.data", &take);
    for path in ["bin", ".local/share/bash-completion/completions", ".config/fish/completions"] {
        std::fs::create_dir_all(folder.path(path)).expect("a folder");
    }
    symlink(env!("CARGO_BIN_EXE_sinew"), folder.path("bin/sinew")).expect("linked");
    for (name, script) in
        [("bin/jq", "#!/bin/sh\nexec cat\n"), ("my_codec", "#!/bin/sh\nexec cp \"$2\" \"$3\"\n")]
    {
        folder.write(name, script);
        std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).expect("set");
    }
    folder
}

#[test]
fn every_example_runs() {
    let lines = |verb: &&str| examples(&Folder::new(), verb);
    let all: Vec<String> = VERBS.iter().flat_map(lines).collect();
    assert!(all.len() > 15 && all.iter().all(|line| line.starts_with("sinew ")), "{all:?}");
    for line in all {
        // The table of the built-in clip takes too long here, and the full repeats do.
        if line == "sinew bench" {
            continue;
        }
        let quick = line.replacen("sinew bench", "sinew bench --quick", 1);
        let folder = example_folder();
        if line.contains("-o take.sinew") || line.contains("> take.sinew") {
            std::fs::remove_file(folder.path("take.sinew")).expect("removed");
        }
        if line.ends_with("take.csv") && !line.starts_with("sinew encode") {
            std::fs::remove_file(folder.path("take.csv")).expect("removed");
        }
        if line.contains("take.data Wave.anim") {
            std::fs::remove_file(folder.path("Wave.anim")).expect("removed");
        }
        if line.contains("-o take.data")
            || line.contains("poses.npy take.data")
            || line.contains("Wave.anim take.data")
            || line.contains("plask.json take.data")
        {
            std::fs::remove_file(folder.path("take.data")).expect("removed");
        }
        let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").expect("a path"));
        let output = std::process::Command::new("sh")
            .args(["-c", &quick])
            .current_dir(folder.root())
            .env("PATH", path)
            .env("HOME", folder.root())
            .output()
            .expect("a shell");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {stderr}");
        // The status of a pipe is that of its end.
        assert!(!line.contains('|') || output.stdout.len() > 10, "{line}: {stderr}");
    }
}
