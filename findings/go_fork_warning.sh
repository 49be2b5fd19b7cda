#!/bin/sh
# Once a Go library is loaded, each os.fork of a Python program without threads warns that the process is multi-threaded.
#
# Versions: Go 1.26.8, CPython 3.12
#
# Expected: since CPython 3.12 os.fork warns where Python has started threads: it counts those of threading.
#
# Seen: it asks the system for the number of threads, so the runtime's own count, with threading.active_count() at 1. With
# warnings as errors (-W error) it vanishes: no exception, nothing for sys.unraisablehook. subprocess, which runs no Python in its
# child, does not warn.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.12 3.13"
go_library threads <<'G'
//export Do
func Do() {}
G
"$python" - <<'P'
import ctypes
import os
import subprocess
import sys
import threading
import warnings

from seen import end, seen


def warned():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return len(caught)


def unraisable():
    found = []
    sys.unraisablehook = lambda hooked: found.append(hooked.exc_type.__name__)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        child = os.fork()
        if child == 0:
            os._exit(0)
    os.waitpid(child, 0)
    return found


seen("warnings before the load", warned(), 0)
ctypes.CDLL("./threads.so").Do()
seen("after it", (warned(), threading.active_count()), (1, 1))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    subprocess.run([sys.executable, "-c", ""], check=True)
    seen("of subprocess", len(caught), 0)
seen("as errors: raised or unraisable", unraisable(), [])
end()
P
