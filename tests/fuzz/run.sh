#!/bin/sh
# Builds every fuzz target and runs each for so many seconds: tests/fuzz/run.sh SECONDS [TARGET...]
# Exit 0: nothing found, or skipped because the tools are missing; otherwise a target found a fault.
set -eu

seconds=${1:?usage: run.sh SECONDS [TARGET...]}
shift
cd "$(dirname "$0")"
# The project is free of unsafe code: without the address sanitizer six times as many inputs are tried a second, and
# the limit on memory is near. SANITIZER=address looks into the unsafe code of the libraries.
sanitizer=${SANITIZER:-none}
memory_mb=256
[ "$sanitizer" = none ] || memory_mb=2048

if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "SKIPPED: FUZZING NEEDS A NIGHTLY TOOLCHAIN AND cargo-fuzz (cargo install cargo-fuzz)" >&2
    exit 0
fi

[ $# -gt 0 ] || set -- $(cargo +nightly fuzz list --fuzz-dir .)
cargo +nightly run --quiet --locked --example seeds
cargo +nightly fuzz build --fuzz-dir . --sanitizer "$sanitizer"

failed=
for target in "$@"; do
    echo "fuzzing $target for $seconds s"
    cargo +nightly fuzz run --fuzz-dir . --sanitizer "$sanitizer" "$target" -- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb="$memory_mb" -max_len=4096 -print_final_stats=1 ||
        failed="$failed $target"
done
[ -z "$failed" ] || { echo "faults found by:$failed; inputs are in tests/fuzz/artifacts" >&2; exit 1; }
