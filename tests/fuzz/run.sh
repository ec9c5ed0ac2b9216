#!/bin/sh
# Builds every fuzz target and runs each for so many seconds: tests/fuzz/run.sh SECONDS [TARGET...]
# Exit 0: nothing found, or skipped because the tools are missing; otherwise a target found a fault.
set -eu

seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
cd "$(dirname "$0")"

if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "SKIPPED: fuzzing needs a nightly toolchain and cargo-fuzz (cargo install cargo-fuzz)" >&2
    exit 0
fi

[ $# -gt 0 ] || set -- $(cargo +nightly fuzz list --fuzz-dir .)
# The compiler by name: a toolchain file must not choose a stable one, which has no sanitizers.
cargo +nightly run --quiet --example seeds
cargo +nightly fuzz build --fuzz-dir .

failed=
for target in "$@"; do
    echo "fuzzing $target for $seconds s"
    cargo +nightly fuzz run --fuzz-dir . "$target" -- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=64 -max_len=4096 -print_final_stats=1 ||
        failed="$failed $target"
done
[ -z "$failed" ] || { echo "faults found by:$failed; inputs are in tests/fuzz/artifacts" >&2; exit 1; }
