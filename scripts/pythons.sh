#!/bin/sh
# Lists the CPython interpreters on this machine that selfsame supports, oldest first: the path of one per minor
# version, and of one free-threaded per minor version. With "ends": only the oldest and the newest with a GIL.
#
# Usage: scripts/pythons.sh [ends]
list() {
  for candidate in python3.9 python3.10 python3.11 python3.12 python3.13 python3 python3.13t python3.14t; do
    command -v "$candidate" 2>/dev/null
  done
  for root in "${PYENV_ROOT:-$HOME/.pyenv}"; do
    for path in "$root"/versions/*/bin/python; do [ -x "$path" ] && echo "$path"; done
  done
}
found=$(list | while read -r path; do
  "$path" - "$path" <<'PY' 2>/dev/null
import os, sys, sysconfig
header = os.path.join(sysconfig.get_paths()["include"], "Python.h")
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
supported = (3, 9) <= sys.version_info < ((3, 15) if free else (3, 14))
if sys.implementation.name == "cpython" and supported and os.path.exists(header):
    try:
        import ensurepip, venv
    except ImportError:
        sys.exit()
    print("%02d%s %s" % (sys.version_info[1], free, sys.executable))
PY
done | sort -s -k1,1n | awk -v ends="${1:-}" '!seen[$1]++ && !(ends == "ends" && $1 ~ /t$/) { print $2 }')
if [ "${1:-}" = ends ]; then
  printf '%s\n' "$found" | sed -n '1p;$p' | awk '!seen[$0]++'
else
  printf '%s\n' "$found"
fi
