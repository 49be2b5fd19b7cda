#!/bin/sh
# Runs the Python suite on the CPython interpreters at hand, each in an environment of its own.
# Usage: scripts/matrix.sh [ends]     ends: only the oldest and the newest
set -eu
cd "$(dirname "$0")/.."
pythons=$(scripts/pythons.sh "${1:-}")
[ -n "$pythons" ] || { echo "no CPython 3.9 to 3.13 with headers was found" >&2; exit 1; }
for python in $pythons; do
  version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2] + getattr(sys, "abiflags", "").replace("d", ""))')
  default=$(build/venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
  if [ "${1:-}" = ends ] && [ "$version" = "$default" ]; then
    echo "CPython $version: the default, already run"
    continue
  fi
  echo "CPython $version"
  case $version in
    # The headers the test extension needs come from a package that has no wheel for these.
    *t) TVM_FFI_INCLUDE=${TVM_FFI_INCLUDE:-$(build/venv/bin/python scripts/tvm_ffi_path.py include)}; export TVM_FFI_INCLUDE ;;
  esac
  scripts/venv.sh "$python" "build/venv-$version"
  "build/venv-$version/bin/python" -m pytest -q python/tests
done
