#!/usr/bin/env bash
# Checks of the sources that need no build of the program: layout of C++ (clang-format), comments of the public headers (doxygen), Python
# (ruff, mypy) and TypeScript (tsc, eslint); stubs (stubtest) where the Python package is built. A tool that is missing and cannot be
# installed is skipped with a message.
# usage: run.sh BUILD_FOLDER [--expect-tools]: with --expect-tools a tool that is left out is a failure.
set -uo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$1" && build=$(cd "$1" && pwd) || exit 1
expect=${2:-}
work=$build/check
mkdir -p "$work"
failed=() absent=()

say() { printf '== %s\n' "$*" >&2; }

# check NAME COMMAND...: runs it; its output is shown where it fails.
check() {
  local name=$1
  shift
  if "$@" >"$work/output.log" 2>&1; then
    say "$name: passed"
  else
    say "$name: failed"
    tail -n 60 "$work/output.log" >&2
    failed+=("$name")
  fi
}

left_out() {
  say "$1: left out ($2)"
  absent+=("$1")
}

# The files below the source tree that end with one of these, whether or not there is a repository.
files_ending() {
  local folder
  for folder in kernel serialization toolbox runtime workbench plugins apps python sdk tests bench; do
    find "$source/$folder" -type f \( -name "$1" -o -name "$2" \) -not -path '*/node_modules/*'
  done
}

check_format() {
  files_ending '*.h' '*.cpp' | sort | xargs -P "$(nproc)" -n 40 clang-format --dry-run -Werror
}

# Writes the reference of the public headers, and fails where a comment is malformed.
check_reference() {
  local version
  version=$(sed -n 's/^project(Mortise VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
  rm -rf "$work/reference" && mkdir -p "$work/reference" && cd "$source" &&
    MORTISE_VERSION=$version MORTISE_REFERENCE_OUTPUT=$work/reference doxygen Doxyfile && [ -e "$work/reference/html/index.html" ]
}

# Python's tools in a virtual environment of their own, made again when the list of them changes.
python_tools() {
  local stamp=$work/python/requirements.txt
  cmp -s "$source/tests/check/requirements.txt" "$stamp" && return
  rm -rf "$work/python"
  # The interpreter that the extension is built for, where it is.
  local python
  python=$(sed -n 's/^MORTISE_PYTHON_EXECUTABLE:[^=]*=//p' "$build/CMakeCache.txt" 2>/dev/null)
  "${python:-python3}" -m venv "$work/python" && "$work/python/bin/pip" install --quiet --disable-pip-version-check \
    --requirement "$source/tests/check/requirements.txt" && cp "$source/tests/check/requirements.txt" "$stamp"
}

check_mypy() {
  cd "$source/python" &&
    "$work/python/bin/mypy" --cache-dir "$work/mypy" --strict --follow-imports=silent mortise &&
    "$work/python/bin/mypy" --cache-dir "$work/mypy" --ignore-missing-imports klampt packaging
}

check_programs() { "$work/python/bin/python" "$source/tests/check/check_types.py" "$source/python" "$work/mypy"; }

check_stubs() {
  # Known: pybind11's metaclass, and constructors, which say (*args, **kwargs) of themselves.
  echo 'mortise\._mortise\.[A-Z]\w*(\.__init__)?' >"$work/known_stubs.txt"
  cd "$work" && MYPYPATH="$build/python" PYTHONPATH="$build/python" "$work/python/bin/python" -m mypy.stubtest mortise._mortise \
    --ignore-missing-stub --concise --ignore-unused-allowlist --allowlist "$work/known_stubs.txt"
}

# The viewer's sources beside the tools that check them; packages as the two lock files name them.
viewer_tools() {
  local folder=$work/viewer list
  mkdir -p "$folder/page" "$folder/tools"
  for list in "$folder/page:$source/viewer" "$folder/tools:$source/tests/check"; do
    local to=${list%%:*} from=${list#*:}
    if ! cmp -s "$from/package-lock.json" "$to/installed.json"; then
      cp "$from/package.json" "$from/package-lock.json" "$source/viewer/.npmrc" "$to/" &&
        (cd "$to" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) && cp "$from/package-lock.json" "$to/installed.json" ||
        return 1
    fi
  done
  rm -rf "$folder/page/src" "$folder/page/test" "$folder/page/unit" "$folder/tools/src" "$folder/tools/test"
  cp -r "$source/viewer/src" "$source/viewer/test" "$source/viewer/tsconfig.json" "$source/viewer/build_page.mjs" "$folder/page/"
  cp -r "$source/viewer/src" "$source/viewer/test" "$source/viewer/tsconfig.json" "$source/tests/check/eslint.config.mjs" "$folder/tools/"
}

check_types() { cd "$work/viewer/page" && npx --no-install tsc --noEmit && npx --no-install tsc --noEmit -p test; }

check_lint() { cd "$work/viewer/tools" && npx --no-install eslint src test/page test/unit test/support; }

check_units() { cd "$work/viewer/page" && node test/bundle.mjs && node --test unit; }

if command -v clang-format >/dev/null; then
  check "layout of C++ (clang-format)" check_format
else
  left_out "layout of C++ (clang-format)" "there is no clang-format"
fi

if command -v doxygen >/dev/null; then
  check "comments of headers (doxygen)" check_reference
else
  left_out "comments of headers (doxygen)" "there is no doxygen"
fi

if python_tools >"$work/python.log" 2>&1; then
  check "Python (ruff)" "$work/python/bin/ruff" check --no-cache "$source/python" "$source/tests" "$source/sdk" "$source/bench" "$source/data"
  check "types of Python (mypy)" check_mypy
  check "types of programs in Python (mypy)" check_programs
  if compgen -G "$build/python/mortise/_mortise*.so" >/dev/null; then
    check "stubs of Python (stubtest)" check_stubs
  else
    left_out "stubs of Python (stubtest)" "the Python package is not built"
  fi
else
  left_out "Python (ruff, mypy, stubtest)" "PyPI's packages cannot be installed: $(tail -n 1 "$work/python.log")"
fi

if ! command -v npm >/dev/null; then
  left_out "TypeScript (tsc, eslint, node --test)" "there is no npm"
elif viewer_tools >"$work/viewer.log" 2>&1; then
  check "types of TypeScript (tsc)" check_types
  check "TypeScript (eslint)" check_lint
  check "modules of TypeScript (node --test)" check_units
else
  left_out "TypeScript (tsc, eslint, node --test)" "npm's packages cannot be installed: $(tail -n 1 "$work/viewer.log")"
fi

if [ ${#failed[@]} -gt 0 ]; then
  say "${#failed[@]} of the checks failed"
  exit 1
fi
if [ "$expect" = --expect-tools ] && [ ${#absent[@]} -gt 0 ]; then
  say "every tool is expected here, and some were left out"
  exit 1
fi
