#!/bin/sh
# Runs the Python suite on a debug build of CPython. Assertions are on, and the allocator fills blocks with a pattern
# and puts guard bytes around them. CPython checks that a C function returns NULL exactly when it has set an exception.
#
#   PYTHON_DEBUG   the interpreter (default: one that the script finds; as root on Debian it installs one)
#
# Tests that need a package without a wheel for this interpreter are skipped.
#
# Usage: scripts/debug_python.sh [argument of pytest ...]     (default: all tests)
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- python/tests
find_debug_python() {
  for candidate in ${PYTHON_DEBUG:-python3-dbg python3.9-dbg python3.10-dbg python3.11-dbg python3.12-dbg python3.13-dbg \
    python3d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*-debug/bin/python}; do
    "$candidate" -c '
import os, sys, sysconfig, ensurepip, venv
assert hasattr(sys, "gettotalrefcount") and sys.version_info >= (3, 9)
assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' 2>/dev/null && echo "$candidate" && return
  done
  return 1
}
if ! python=$(find_debug_python); then
  [ -n "${PYTHON_DEBUG:-}" ] || python3 -m scripts.tools.debian python3-dbg python3-dev python3-venv || true
  python=$(find_debug_python) || {
    echo "no debug build of CPython 3.9 or later with headers was found; name one with PYTHON_DEBUG=/path/to/python3," >&2
    echo "make one (configure --with-pydebug), or on Debian or Ubuntu:  apt-get install python3-dbg python3-dev python3-venv" >&2
    exit 1
  }
fi
echo "the suite on $("$python" -c 'import sys; print(sys.version.split()[0], "with the ABI flags", sys.abiflags)'), $python"
scripts/venv.sh "$python" build/venv-debug
exec build/venv-debug/bin/python -m pytest -q -p no:cacheprovider "$@"
