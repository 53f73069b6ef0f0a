#!/usr/bin/env bash
# Runs the tests of settings and of the readers of MCAP and JSON with AddressSanitizer and UndefinedBehaviorSanitizer, then
# fuzzes every reader, and the viewer's server, for a while (MORTISE_FUZZ_SECONDS, 10 each) from the corpus of the source
# tree, as many at a time as there are processors, in a build of its own. MORTISE_FUZZ_LIBRARIES names a folder to take the
# built libraries from. Exits 77 (skipped) where there is no clang with libFuzzer. Names of kinds as arguments choose some.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${MORTISE_FUZZ_BUILD:-$source/build/fuzz}
seconds=${MORTISE_FUZZ_SECONDS:-10}

compiler=$(command -v clang++ || command -v clang++-14 || true)
[ -n "$compiler" ] || { echo "skipped: there is no clang++"; exit 77; }
mkdir -p "$build"
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > "$build/probe.cpp"
"$compiler" -fsanitize=fuzzer,address "$build/probe.cpp" -o "$build/probe" 2> "$build/probe.log" || {
  echo "skipped: $compiler has no libFuzzer (on Debian: libclang-rt-dev)"
  exit 77
}
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DMORTISE_FUZZ=ON -DMORTISE_TESTS=OFF \
  -DMORTISE_BENCH=OFF -DMORTISE_FUZZ_LIBRARIES="${MORTISE_FUZZ_LIBRARIES:-}" > "$build/configure.log" 2>&1 || { tail -n 40 "$build/configure.log"; exit 1; }
nice cmake --build "$build" --target fuzz_reader fuzz_viewer sanitized_tests > "$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }

if "$build/bin/sanitized_tests" > "$build/sanitized_tests.log" 2>&1; then
  echo "tests under the sanitizers: $(grep -o '^\[  PASSED  \].*' "$build/sanitized_tests.log")"
else
  echo "tests under the sanitizers: FAILED"
  tail -n 60 "$build/sanitized_tests.log"
  exit 1
fi

# One program by many names for files: without one of them it says what they are. Another one for the viewer's server.
kinds=("$@")
[ ${#kinds[@]} -gt 0 ] || mapfile -t kinds < <("$build/bin/fuzz_reader" 2>&1 | grep -o 'fuzz_[a-z0-9_]*' | sed 's/^fuzz_//')
[ ${#kinds[@]} -gt 0 ] || { echo "the fuzzer names no kinds of files"; exit 1; }
[ $# -gt 0 ] || kinds+=(viewer)

fuzz() {
  local kind=$1 log=$build/found/$1.log
  # What libFuzzer finds goes to the build tree; the corpus stays as it is.
  mkdir -p "$build/found/$kind"
  [ "$kind" = viewer ] || ln -sf fuzz_reader "$build/bin/fuzz_$kind"
  local folders=("$build/found/$kind")
  [ -d "$source/tests/fuzz/corpus/$kind" ] && folders+=("$source/tests/fuzz/corpus/$kind")
  if nice "$build/bin/fuzz_$kind" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -seed=1 \
    -print_final_stats=1 -artifact_prefix="$build/found/$kind-" "${folders[@]}" > "$log" 2>&1; then
    echo "$kind: $(grep -o 'number_of_executed_units: *[0-9]*' "$log" | grep -o '[0-9]*$') runs, nothing found"
  else
    echo "$kind: FAILED"
    tail -n 60 "$log"
    return 1
  fi
}
export -f fuzz
export source build seconds
printf '%s\n' "${kinds[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'
