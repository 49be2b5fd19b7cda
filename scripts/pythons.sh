#!/bin/sh
# Lists the CPython interpreters on this machine that selfsame supports, oldest first, one path per line and one per
# minor version. With "ends": only the oldest and the newest.
list() {
  for candidate in python3.9 python3.10 python3.11 python3.12 python3.13 python3; do
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
if sys.implementation.name == "cpython" and (3, 9) <= sys.version_info < (3, 14) and os.path.exists(header):
    try:
        import ensurepip, venv
    except ImportError:
        sys.exit()
    print("%02d %s" % (sys.version_info[1], sys.executable))
PY
done | sort -s -k1,1n | awk '!seen[$1]++ { print $2 }')
if [ "${1:-}" = ends ]; then
  printf '%s\n' "$found" | sed -n '1p;$p' | awk '!seen[$0]++'
else
  printf '%s\n' "$found"
fi
