//! Help, version and completions.

use crate::support::Folder;

pub const VERBS: [&str; 8] =
    ["encode", "decode", "convert", "info", "compare", "bench", "recover", "completions"];

#[test]
fn every_verb_explains_itself_with_examples() {
    let folder = Folder::new();
    let main = folder.run(&["--help"]).exits(0).text();
    for verb in VERBS {
        assert!(main.contains(verb), "{verb}");
        let text = folder.run(&[verb, "--help"]).exits(0).text();
        assert!(text.contains("Examples:") && text.contains(&format!("  sinew {verb}")), "{text}");
    }
}

#[test]
fn help_promises_nothing_that_is_not_there() {
    let folder = Folder::new();
    let mut texts = folder.run(&["--help"]).exits(0).text();
    for verb in VERBS {
        texts += &folder.run(&[verb, "--help"]).exits(0).text();
    }
    for absent in ["--html", "sinew record", "sinew play", "sinew view", "sinew corpus"] {
        assert!(!texts.contains(absent), "{absent}");
    }
    for verb in ["record", "play", "view", "corpus"] {
        folder.run(&[verb]).misuses("unrecognized subcommand");
    }
    folder.run(&["bench", "--html", "x.html"]).misuses("--html");
}

#[test]
fn the_version_is_told() {
    let text = Folder::new().run(&["--version"]).exits(0).text();
    assert_eq!(text, format!("sinew {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_shell_gets_its_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = folder.run(&["completions", shell]).exits(0).text();
        for verb in VERBS {
            assert!(text.contains(verb), "{shell} {verb}");
        }
        assert!(text.contains("lossless") && text.contains("error-mm"), "{shell}");
    }
    folder.run(&["completions", "tcsh"]).misuses("tcsh");
    folder.run(&[]).exits(2);
}
