#!/bin/sh
# Runs the scripts of conformance/python on a copy of the installed tvm_ffi package in which libselfsame.so replaces
# libtvm_ffi.so. With --peer the copy keeps its own library, which tests the checks.
#
#   STOCK_PYTHON      a Python with apache-tvm-ffi and numpy installed (default: build/venv/bin/python)
#   SELFSAME_LIBRARY  the library (default: build/lib/libselfsame.so)
#
# Usage: scripts/stock_python.sh [--peer] [area ...]     (default: all areas)
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
python=${STOCK_PYTHON:-$root/build/venv/bin/python}
library=${SELFSAME_LIBRARY:-$root/build/lib/libselfsame.so}
scratch=$root/build/stock_python
include=$("$python" "$root/scripts/tvm_ffi_path.py" include)
package=$(dirname "$include")
peer=
if [ "$1" = --peer ]; then
  peer=1
  shift
fi
rm -rf "$scratch"
mkdir -p "$scratch"
cp -r "$package" "$scratch/tvm_ffi"
cp -r "$package"/../apache_tvm_ffi-*.dist-info "$scratch/"  # the package finds its library through these files
if [ -z "$peer" ]; then
  rm "$scratch/tvm_ffi/lib/libtvm_ffi.so"
  cp "$library" "$scratch/tvm_ffi/lib/libtvm_ffi.so"
fi
export PYTHONPATH="$scratch:$root/conformance/python" PYTHONDONTWRITEBYTECODE=1
export CONFORMANCE_FIXTURES="${CONFORMANCE_BUILD:-$root/build/conformance}/fixtures"
export CONFORMANCE_SCRATCH="$scratch"
exec "$python" "$root/conformance/python/main.py" "$@"
