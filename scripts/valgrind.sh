#!/bin/sh
# Runs a representative part of the Python suite under valgrind's memory check. A bad access, a use of undefined memory or
# a lost block fails the run, unless it is CPython's or Go's way of working (scripts/valgrind.supp).
# Usage: scripts/valgrind.sh [argument of pytest ...]     (default: the files below)
#
#   VENV_PYTHON   the Python to run, with selfsame in it (default: build/venv/bin/python)
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null 2>&1 || { echo "valgrind is not installed; on Debian or Ubuntu:  apt-get install valgrind" >&2; exit 1; }
if [ $# -eq 0 ]; then
  for part in states c1_identity c2_id_after_drop c3_round_trip c7_state c9_cycles c9_shared c10_moves c12_threads \
    c12_releases c12_moves c15_misuse callbacks errors field_getters list; do
    set -- "$@" "python/tests/test_$part.py"
  done
fi
# PYTHONMALLOC=malloc: memcheck sees each block. The tests' child processes are not checked. Threads get their turn in
# order: the tests have some that spin.
PYTHONPATH=scripts PYTHONMALLOC=malloc exec valgrind --quiet --error-exitcode=9 --fair-sched=yes --num-callers=40 \
  --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --suppressions=scripts/valgrind.supp \
  "${VENV_PYTHON:-build/venv/bin/python}" -m pytest -q -p no:cacheprovider -p pytest_end_at_once "$@"
