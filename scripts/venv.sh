#!/bin/sh
# Makes or updates a virtual environment with the distribution selfsame-ffi, built from this checkout, and the packages
# that its tests need.
#
#   SELFSAME_LIB    the runtime library to put into the package (default: build/lib/libselfsame.so, which must exist)
#   SELFSAME_TOOL   the command line tool to put into the package (default: build/bin/selfsame-ffi, if it exists)
#
# Usage: scripts/venv.sh PYTHON DIRECTORY
set -eu
python=$1
venv=$2
root=$(cd "$(dirname "$0")/.." && pwd)
pip() { "$venv/bin/python" -m pip --disable-pip-version-check "$@"; }

if [ ! -x "$venv/bin/python" ]; then
  echo "making $venv with $("$python" -V)"
  "$python" -m venv "$venv"
  pip install -q "setuptools>=77" wheel
fi
stamp="$venv/.requirements"
if ! cmp -s "$root/scripts/requirements-test.txt" "$stamp"; then
  echo "installing the packages of the tests into $venv"
  if "$venv/bin/python" -c '
import sys
from sysconfig import get_config_var as v
raise SystemExit(not (v("Py_GIL_DISABLED") or v("Py_DEBUG") or sys.version_info >= (3, 15)))'; then
    # Some packages have no wheel for free-threaded and debug interpreters, or for a new release. Tests that need one of
    # these are skipped.
    grep -v '^#' "$root/scripts/requirements-test.txt" | while read -r requirement; do
      pip install -q --only-binary :all: "$requirement" || echo "left out: $requirement"
    done
    # The tests compile an extension with the published headers, which are the same in the wheels for all interpreters.
    if ! "$venv/bin/python" -c 'import importlib.util, sys; sys.exit(importlib.util.find_spec("tvm_ffi") is None)'; then
      wheels=$(mktemp -d "$venv/.wheels-XXXXXX")
      pip download -q --no-deps --only-binary :all: --implementation cp --python-version 3.11 --dest "$wheels" \
        "$(grep '^apache-tvm-ffi' "$root/scripts/requirements-test.txt")"
      rm -rf "$venv/share/tvm_ffi"
      "$venv/bin/python" -m zipfile -e "$wheels"/*.whl "$wheels/contents"
      mkdir -p "$venv/share/tvm_ffi"
      mv "$wheels/contents/tvm_ffi/include" "$venv/share/tvm_ffi/include"
      rm -rf "$wheels"
    fi
  else
    pip install -q -r "$root/scripts/requirements-test.txt"
  fi
  cp "$root/scripts/requirements-test.txt" "$stamp"
fi
echo "installing selfsame-ffi into $venv"
# Builds in the environment's folder, not in the source tree, so that several interpreters can build at once. The go
# command overlooks folders with a dot: the copy of abi is no package of this module. A folder that a killed run left is
# removed.
find "$venv" -maxdepth 1 -name '.build-*' -mmin +60 -exec rm -rf {} +
build=$(mktemp -d "$venv/.build-XXXXXX")
trap 'rm -rf "$build"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir -p "$build/python" "$build/scripts"
cp -r "$root/python/src" "$build/python/src"
cp -r "$root/python/cmake" "$build/python/cmake"
cp -r "$root/abi" "$build/abi"
cp -r "$root/scripts/filter_library.py" "$root/scripts/backend" "$build/scripts/"
cp "$root/setup.py" "$root/pyproject.toml" "$root/README.md" "$root/LICENSE" "$root/LICENSE-third-party" "$build/"
tool="$root/build/bin/selfsame-ffi"
[ -x "$tool" ] || tool=""
# The headers are those of apache-tvm-ffi, which the tests install.
SELFSAME_LIB="${SELFSAME_LIB:-$root/build/lib/libselfsame.so}" SELFSAME_TOOL="${SELFSAME_TOOL:-$tool}" SELFSAME_HEADERS=no \
  pip install -q --no-build-isolation --no-deps --force-reinstall "$build"
