//! Only arithmetic that every machine does alike, in all that a decoder runs.
//!
//! `+ - * /` and `sqrt` are exact to the last bit under IEEE 754, and `round` and its kin are exact; the other functions
//! of the standard library are the platform's, and a fused product rounds once where the format rounds twice.

use std::fs;
use std::path::{Path, PathBuf};

/// Functions whose last bit differs between platforms.
const FOREIGN: [&str; 25] = [
    "sin",
    "cos",
    "tan",
    "sin_cos",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log",
    "log2",
    "log10",
    "powf",
    "powi",
    "mul_add",
    "hypot",
    "cbrt",
    "to_radians",
];
/// Folders of the codec that no decoder of `.sinew` runs.
const NOT_DECODING: [&str; 2] = ["data", "humanoid"];

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the codec's sources") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
        if path.is_dir() {
            if !NOT_DECODING.contains(&name.as_str()) {
                sources(&path, files);
            }
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
}

/// The foreign functions that `text`, code without its tests, calls.
fn foreign_calls(text: &str) -> Vec<&'static str> {
    let code: String = text
        .split("#[cfg(test)]")
        .next()
        .unwrap_or_default()
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let follows = |path: &str| {
        let mut rests = code.match_indices(path).map(|(at, found)| &code[at + found.len()..]);
        rests.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let called = |name: &&str| {
        code.contains(&format!(".{name}(")) || ["f32", "f64"].iter().any(|t| follows(&format!("{t}::{name}")))
    };
    FOREIGN.into_iter().filter(|name| called(name)).chain(code.contains("libm").then_some("libm")).collect()
}

#[test]
fn what_decodes_uses_no_function_of_the_platform() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../codec/src"), &mut files);
    assert!(files.len() > 30, "the codec's sources are elsewhere: {}", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("a source");
        assert_eq!(foreign_calls(&text), Vec::<&str>::new(), "{}", path.display());
    }
}

#[test]
fn the_look_finds_what_it_looks_for() {
    for (code, found) in [
        ("let y = x.sin();", vec!["sin"]),
        ("a.mul_add(b, c)", vec!["mul_add"]),
        ("values.map(f32::exp2)", vec!["exp2"]),
        ("libm::pow(a, b)", vec!["libm"]),
        ("x.sqrt() // not x.ln()", vec![]),
        ("x.sqrt();\n#[cfg(test)]\nmod tests { x.ln() }", vec![]),
    ] {
        let mut calls = foreign_calls(code);
        calls.sort_unstable();
        assert_eq!(calls, found, "{code}");
    }
}
