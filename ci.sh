#!/usr/bin/env bash
# Everything that has to hold before a change goes in, for people and for machines. Steps that need what is not
# installed say so and are passed over.
set -euo pipefail
cd "$(dirname "$0")"

step() {
    printf '\n=== %s (at %d s)\n' "$*" "$SECONDS"
}

skip() {
    printf 'skipped: %s\n' "$*"
}

# Whether the standard library of a target is installed.
has_target() {
    [ -d "$(rustc --print sysroot)/lib/rustlib/$1/lib" ]
}

# The program that compares formats is looked at, but not built and run: its many dependencies are none of ours.
without_report=()
if [ -f report/Cargo.toml ]; then
    without_report=(--exclude wbin-report)
fi

# What the library can be built with.
feature_sets=(
    '--no-default-features'
    '--no-default-features --features serde'
    '--no-default-features --features std'
    '--no-default-features --features json'
    '--features json'
    '--features simdutf8'
    '--all-features'
)

step 'format'
cargo fmt --all --check

step 'clippy: the workspace'
cargo clippy --workspace ${without_report[@]+"${without_report[@]}"} --all-targets -- -D warnings

step 'clippy: the library with all features, and with none'
cargo clippy -p wbin --all-targets --all-features -- -D warnings
cargo clippy -p wbin --all-targets --no-default-features -- -D warnings

step 'each set of features'
for set in "${feature_sets[@]}"; do
    printf '%s\n' "$set"
    # shellcheck disable=SC2086 # several arguments
    cargo clippy --quiet -p wbin --lib $set -- -D warnings
done

step 'documentation'
for set in '' '--no-default-features' '--no-default-features --features serde' '--all-features'; do
    # shellcheck disable=SC2086 # several arguments, or none
    RUSTDOCFLAGS='-D warnings' cargo doc -p wbin --no-deps $set
done

step 'no_std'
cargo check -p wbin --no-default-features --features serde
found=no
for target in thumbv7em-none-eabi thumbv7em-none-eabihf thumbv7m-none-eabi; do
    if has_target "$target"; then
        found=yes
        cargo check -p wbin --no-default-features --features serde --target "$target"
    fi
done
if [ "$found" = no ]; then
    skip 'no target without std is installed (rustup target add thumbv7em-none-eabi)'
fi
if has_target wasm32-unknown-unknown; then
    cargo check -p wbin --all-features --target wasm32-unknown-unknown
else
    skip 'wasm32-unknown-unknown is not installed (rustup target add wasm32-unknown-unknown)'
fi

step 'tests'
cargo test --workspace ${without_report[@]+"${without_report[@]}"} --features wbin/json,wbin/simdutf8 --no-fail-fast

# What features change is text (simdutf8) and what there is at all: the vectors and the errors go over the first
# once more, the core has tests of its own.
step 'tests: the library with other features'
cargo test -p wbin --lib --test conformance --test errors --no-fail-fast
cargo test -p wbin --no-default-features --no-fail-fast
cargo test -p wbin --no-default-features --features serde --no-fail-fast

step 'examples'
for example in examples/*.rs; do
    name=$(basename "$example" .rs)
    printf -- '--- %s\n' "$name"
    cargo run --quiet --example "$name"
done

# Runs the commands that stand in the README's console blocks, and compares what they print with what is written
# there.
step 'README'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wbin() {
    cargo run --release --quiet -- "$@"
}
export -f wbin
commands=0
compare() { # command, expected output
    local actual
    commands=$((commands + 1))
    printf '$ %s\n' "$1"
    local command=${1/cargo run --release --/wbin}
    actual=$(bash -c "${command//\/tmp\//$scratch/}" 2>&1) || true
    actual=${actual//$scratch\//\/tmp/}
    if [ "$actual" != "$2" ]; then
        printf 'README.md says:\n%s\nit prints:\n%s\n' "$2" "$actual"
        exit 1
    fi
}
inside=no
command=''
expected=''
while IFS= read -r line; do
    case $inside,$line in
    no,'```console') inside=yes ;;
    yes,'```' | yes,'$ '*)
        if [ -n "$command" ]; then
            compare "$command" "${expected%$'\n'}"
        fi
        command=''
        expected=''
        if [ "$line" = '```' ]; then
            inside=no
        else
            command=${line#'$ '}
        fi
        ;;
    yes,*) expected+=$line$'\n' ;;
    esac
done <README.md
if [ "$commands" -lt 5 ]; then
    printf 'README.md: only %d commands were found\n' "$commands"
    exit 1
fi

step 'dependencies'
if cargo deny --version >/dev/null 2>&1; then
    cargo deny check licenses bans sources
else
    skip 'cargo-deny is not installed (cargo install cargo-deny)'
fi

step 'vectors'
if command -v python3 >/dev/null; then
    python3 tests/vectors/make.py --check
    python3 tests/vectors/make.py --spec SPEC.md
else
    skip 'python3 is not installed'
fi

step 'benches, each once'
cargo bench -p wbin -- --test

step 'fuzzing'
if [ ! -d fuzz ]; then
    skip 'there is no folder fuzz'
elif ! cargo fuzz --version >/dev/null 2>&1; then
    skip 'cargo-fuzz is not installed (cargo install cargo-fuzz)'
elif ! cargo +nightly --version >/dev/null 2>&1; then
    skip 'there is no nightly toolchain (rustup toolchain install nightly)'
else
    # Without FUZZ_SECONDS the seeds are replayed, which always gives the same; with it, each target goes on from
    # them for so long. Chance is seeded, so that a commit tries the same inputs again, as far as time allows.
    for target in $(cargo +nightly fuzz list); do
        printf -- '--- %s\n' "$target"
        mkdir -p "$scratch/corpus/$target"
        limit=${FUZZ_SECONDS:+-max_total_time=$FUZZ_SECONDS}
        cargo +nightly fuzz run -s none "$target" "$scratch/corpus/$target" "fuzz/seeds/$target" -- \
            -dict=fuzz/wbin.dict -max_len=1024 -seed=1 "${limit:--runs=0}"
    done
fi

step 'all is well'
