#!/usr/bin/env bash
# Runs every fuzz target for a while (MORTISE_FUZZ_SECONDS, 10 each) from the corpus of the source tree, in a build of its
# own. Exits 77 (skipped) where there is no clang with libFuzzer. Names of targets as arguments choose some.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${MORTISE_FUZZ_BUILD:-$source/build/fuzz}
seconds=${MORTISE_FUZZ_SECONDS:-10}

compiler=$(command -v clang++ || command -v clang++-14 || true)
[ -n "$compiler" ] || { echo "skipped: there is no clang++"; exit 77; }
mkdir -p "$build"
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > "$build/probe.cpp"
"$compiler" -fsanitize=fuzzer,address "$build/probe.cpp" -o "$build/probe" 2> "$build/probe.log" || {
  echo "skipped: $compiler has no libFuzzer (on Debian: libclang-rt-14-dev)"
  exit 77
}
cmake -S "$source" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DMORTISE_FUZZ=ON -DMORTISE_TESTS=OFF \
  -DMORTISE_BENCH=OFF > "$build/configure.log"
nice cmake --build "$build" --target fuzz_targets > "$build/build.log" || { tail -n 40 "$build/build.log"; exit 1; }

kinds=("$@")
[ ${#kinds[@]} -gt 0 ] || kinds=($(ls "$source/tests/fuzz/corpus"))
failed=0
for kind in "${kinds[@]}"; do
  # What libFuzzer finds goes to the build tree; the corpus stays as it is.
  mkdir -p "$build/found/$kind"
  if nice "$build/bin/fuzz_$kind" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 -seed=1 \
    -print_final_stats=1 -artifact_prefix="$build/found/$kind-" "$build/found/$kind" "$source/tests/fuzz/corpus/$kind" \
    > "$build/found/$kind.log" 2>&1; then
    echo "$kind: $(grep -o 'number_of_executed_units: *[0-9]*' "$build/found/$kind.log" | grep -o '[0-9]*$') runs, nothing found"
  else
    echo "$kind: FAILED"
    tail -n 60 "$build/found/$kind.log"
    failed=1
  fi
done
exit $failed
