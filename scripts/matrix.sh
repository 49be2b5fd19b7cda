#!/bin/sh
# Runs the Python suite on every supported CPython on this machine, each in its own virtual environment, two at a time,
# and prints one table: interpreter, tests passed, failed and skipped, with the reasons.
#
# Usage: scripts/matrix.sh [ends | all] [VERSION...]
#   ends      only the one of build/venv, whose progress is shown, and beside it the oldest and the newest, on which the
#             rooms are left out whose tests do not depend on the interpreter
#   all       sets up the interpreters that are missing first (scripts/get_pythons.sh)
#   VERSION   such as 3.14t: only these; the table has the others as their last run left them
set -eu
cd "$(dirname "$0")/.."
which=
case ${1:-} in ends | all) which=$1; shift ;; esac
[ "$which" = all ] && scripts/get_pythons.sh "$@"
pythons=$(scripts/pythons.sh "$which")
[ -n "$pythons" ] || { echo "no CPython 3.9 to 3.15 with headers was found" >&2; exit 1; }
# The same headers for all, so that the test extension, which does not depend on the interpreter, is compiled once.
TVM_FFI_INCLUDE=${TVM_FFI_INCLUDE:-$(build/venv/bin/python scripts/tvm_ffi_path.py include)}
export TVM_FFI_INCLUDE
default=$(build/venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
# The name in the table. The release belongs to it where a release brought another collector.
version_of() {
  "$1" -c 'import sys, sysconfig
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
release = sys.version_info[: 3 if not free and (3, 14) <= sys.version_info[:3] < (3, 14, 5) else 2]
print(".".join(map(str, release)) + free)'
}
# A run that takes longer hangs: the suite takes about five minutes alone on two cores.
LIMIT=${SELFSAME_MATRIX_LIMIT:-3600}
# macOS has no timeout: there a run that hangs is ended by hand.
limited() { if command -v timeout >/dev/null 2>&1; then timeout "$LIMIT" "$@"; else "$@"; fi; }
# They compile C++ and Go programs, which takes long, and what they show is the same on every interpreter.
LEFT_OUT="libraries pages published stub"
left_out=
[ "$which" != ends ] || for room in $LEFT_OUT; do left_out="$left_out --ignore=python/tests/$room"; done
suite() { # PYTHON VERSION
  rm -f "build/matrix-$2.xml"
  # shellcheck disable=SC2086 # one argument for each room
  scripts/venv.sh "$1" "build/venv-$2" &&
    limited "build/venv-$2/bin/python" -m pytest -q --junitxml="build/matrix-$2.xml" $left_out python/tests
}
# Each run in the background writes a log, whose end is shown when the run has failed.
table=""
finish() { # PID VERSION
  if wait "$1"; then
    echo "CPython $2: passed"
  else
    echo "CPython $2: FAILED, the end of build/matrix-$2.log:"
    tail -n 100 "build/matrix-$2.log"
  fi
  table="$table $2=build/matrix-$2.xml"
}
running="" # PID:VERSION of each
finish_all_but() { # COUNT
  while [ "$(echo "$running" | wc -w)" -gt "$1" ]; do
    first=${running%% *}
    running=$(echo "${running#"$first"}" | sed 's/^ *//')
    finish "${first%%:*}" "${first#*:}"
  done
}
for python in $pythons; do
  version=$(version_of "$python")
  case " $* " in
  "  " | *" $version "*) ;;
  *)
    [ -e "build/matrix-$version.xml" ] && table="$table $version=build/matrix-$version.xml"
    continue
    ;;
  esac
  [ "$which" = ends ] && [ "$version" = "$default" ] && continue
  [ "$which" = ends ] || finish_all_but 1
  echo "CPython $version: running, see build/matrix-$version.log"
  suite "$python" "$version" >"build/matrix-$version.log" 2>&1 &
  running="${running:+$running }$!:$version"
done
if [ "$which" = ends ]; then
  # All at once: a suite waits now and then for compilers and for the processes that it starts.
  echo "CPython $default: running in build/venv"
  rm -f "build/matrix-$default.xml"
  table=" $default=build/matrix-$default.xml"
  status=0
  limited build/venv/bin/python -m pytest -q --junitxml="build/matrix-$default.xml" python/tests || status=$?
  [ "$status" = 0 ] || echo "CPython $default: FAILED"
fi
finish_all_but 0
for version in "$@"; do
  case "$table" in
  *" $version="*) ;;
  *) echo "no CPython $version with headers was found" >&2; exit 1 ;;
  esac
done
# shellcheck disable=SC2086 # one argument for each interpreter
build/venv/bin/python -m scripts.matrix_table $table
