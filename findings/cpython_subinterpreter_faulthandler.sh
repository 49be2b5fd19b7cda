#!/bin/sh
# faulthandler, readline and curses of the standard library cannot be imported in a sub-interpreter, nor can tvm-ffi and
# greenlet; numpy says there that its installation is broken.
#
# Versions: CPython 3.14, 3.15, numpy 2.5.5, greenlet 3.5.6, apache-tvm-ffi 0.1.15.post2
#
# Expected: concurrent.interpreters runs what is in the standard library, and packages say that they do not support it.
#
# Seen: ImportError for those three on 3.14 and 3.15, while sqlite3, ssl, decimal and ctypes work; numpy's error is the
# long one on "how to solve this issue" of a broken installation, which does not contain the cause in its first lines.
. "$(dirname "$0")/parts/begin.sh"
for version in 3.14 3.15; do
  rm -rf venv
  environment $version numpy==2.5.5 greenlet==3.5.6 apache-tvm-ffi==0.1.15.post2
  echo "CPython $version"
  "$python" - <<'P'
from concurrent import interpreters

from seen import end, seen


def imported(name):
    interpreter = interpreters.create()
    try:
        interpreter.exec(f"import {name}")
    finally:
        interpreter.close()
    return "imported"


for name in ("faulthandler", "readline", "curses", "greenlet", "tvm_ffi"):
    seen(name, lambda name=name: str(imported(name)), "ExecutionFailed: ImportError: module")
for name in ("sqlite3", "ssl", "decimal", "ctypes"):
    seen(name, imported(name), "imported")
seen("numpy", lambda: imported("numpy"), "ExecutionFailed: ImportError: \n\nIMPORTANT: PLEASE READ THIS")
end()
P
done
