//! On what the figures were taken.

/// CPU model, operating system, compiler and, where the build was told (`SINEW_COMMIT`), commit.
pub(crate) fn describe() -> String {
    let commit = option_env!("SINEW_COMMIT").map(|commit| format!(", commit {commit}")).unwrap_or_default();
    let build = if cfg!(debug_assertions) { ", DEBUG BUILD: times mean nothing" } else { "" };
    format!(
        "{}{}, {} {}, {}, sinew {}{commit}{build}",
        cpu_model().unwrap_or_else(|| "unknown CPU".to_owned()),
        load().unwrap_or_default(),
        std::env::consts::OS,
        std::env::consts::ARCH,
        env!("SINEW_RUSTC_VERSION"),
        env!("CARGO_PKG_VERSION"),
    )
}

/// How busy the machine was: times of a loaded one are worth less, and the reader should see it.
fn load() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let average = text.split_whitespace().next()?;
    let cores = std::thread::available_parallelism().ok()?;
    Some(format!(" (load {average} on {cores} cores)"))
}

/// Linux tells it in a file; elsewhere it stays unknown rather than cost a dependency.
fn cpu_model() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
