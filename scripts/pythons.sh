#!/bin/sh
# Lists the CPython interpreters on this machine that selfsame supports, oldest first: the path of one per minor
# version, of one free-threaded per minor version, and of one with the incremental collector of 3.14.0 to 3.14.4. With
# "ends": only the oldest and the newest of those with a GIL.
#
# Usage: scripts/pythons.sh [ends]
list() {
  for minor in 9 10 11 12 13 14 15; do command -v "python3.$minor" 2>/dev/null; done
  command -v python3
  for minor in 13 14 15; do command -v "python3.${minor}t" 2>/dev/null; done
  cache=${SELFSAME_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/selfsame} # scripts/get_pythons.sh
  for path in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python "$cache"/debian/usr/bin/python3.?? \
    "$cache"/cpython-*/bin/python3; do
    [ -x "$path" ] && echo "$path"
  done
}
found=$(list | while read -r path; do
  "$path" - "$path" <<'PY' 2>/dev/null
import os, sys, sysconfig
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
increments = "i" if not free and (3, 14) <= sys.version_info[:3] < (3, 14, 5) else ""
supported = (3, 9) <= sys.version_info < (3, 16)
if sys.implementation.name == "cpython" and supported and os.path.exists(header):
    try:
        import ensurepip, venv
    except ImportError:
        sys.exit()
    print("%02d%s%s %s" % (sys.version_info[1], free, increments, sys.executable))
PY
done | sort -s -k1,1n | awk -v ends="${1:-}" '!seen[$1]++ && !(ends == "ends" && $1 ~ /[ti]$/) { print $2 }')
if [ "${1:-}" = ends ]; then
  printf '%s\n' "$found" | sed -n '1p;$p' | awk '!seen[$0]++'
else
  printf '%s\n' "$found"
fi
