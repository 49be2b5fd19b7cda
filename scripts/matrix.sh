#!/bin/sh
# Runs the Python suite on every supported CPython on this machine, each in its own virtual environment, two at a time.
#
# Usage: scripts/matrix.sh [ends]     ends: only the oldest and the newest, without the one of build/venv
set -eu
cd "$(dirname "$0")/.."
pythons=$(scripts/pythons.sh "${1:-}")
[ -n "$pythons" ] || { echo "no CPython 3.9 to 3.13 with headers was found" >&2; exit 1; }
# The same headers for all, so that the test extension, which does not depend on the interpreter, is compiled once.
TVM_FFI_INCLUDE=${TVM_FFI_INCLUDE:-$(build/venv/bin/python scripts/tvm_ffi_path.py include)}
export TVM_FFI_INCLUDE
default=$(build/venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
version_of() {
  "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2] + getattr(sys, "abiflags", "").replace("d", ""))'
}
suite() { # PYTHON VERSION
  scripts/venv.sh "$1" "build/venv-$2" && "build/venv-$2/bin/python" -m pytest -q python/tests
}
# Each run writes a log, whose end is shown when the run has finished.
failed=""
finish() { # PID VERSION
  if wait "$1"; then status=passed; else status=FAILED failed="$failed $2"; fi
  echo "CPython $2: $status"
  tail -n "$([ $status = passed ] && echo 2 || echo 100)" "build/matrix-$2.log"
}
running="" running_version=""
for python in $pythons; do
  version=$(version_of "$python")
  if [ "${1:-}" = ends ] && [ "$version" = "$default" ]; then
    echo "CPython $version: the default, already run"
    continue
  fi
  echo "CPython $version: running, see build/matrix-$version.log"
  suite "$python" "$version" >"build/matrix-$version.log" 2>&1 &
  pid=$!
  [ -z "$running" ] || finish "$running" "$running_version"
  running=$pid running_version=$version
done
[ -z "$running" ] || finish "$running" "$running_version"
[ -z "$failed" ] || { echo "the suite failed on:$failed" >&2; exit 1; }
