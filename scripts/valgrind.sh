#!/bin/sh
# Runs a representative part of the Python suite under valgrind's memcheck. A bad access, a use of undefined memory or a
# lost block fails the run, unless scripts/valgrind.supp lists it as a habit of CPython or Go.
#
#   VENV_PYTHON   a Python with selfsame_ffi (default: build/venv/bin/python)
#
# Usage: scripts/valgrind.sh [argument of pytest ...]     (default: the files below)
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null 2>&1 || { echo "valgrind is not installed; on Debian or Ubuntu:  apt-get install valgrind" >&2; exit 1; }
if [ $# -eq 0 ]; then
  for part in identity/states identity/identity identity/id_after_drop identity/round_trip identity/attributes_survive \
    collector/cycles collector/cycles_shared identity/move threads/threads threads/deferred_release \
    identity/move_threads identity/misuse calls/callbacks errors/errors classes/field_getters containers/list; do
    set -- "$@" "python/tests/${part%/*}/test_${part#*/}.py"
  done
fi
# PYTHONMALLOC=malloc: memcheck sees each block. --fair-sched: threads run in turn, because some tests have threads that
# spin. Child processes of the tests are not checked.
PYTHONPATH=scripts PYTHONMALLOC=malloc exec valgrind --quiet --error-exitcode=9 --fair-sched=yes --num-callers=40 \
  --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --suppressions=scripts/valgrind.supp \
  "${VENV_PYTHON:-build/venv/bin/python}" -m pytest -q -p no:cacheprovider -p pytest_end_at_once "$@"
