//! Tells the crate which compiler builds it, so that a printed table can name it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=SINEW_RUSTC_VERSION={}", version.as_deref().unwrap_or("unknown rustc").trim());
}
