#!/bin/sh
# A signal that every thread of Python blocks is delivered all the same once a Go library is loaded: Go's threads take it.
#
# Versions: Go 1.26.8
#
# Expected: a process that blocks a signal in all its threads, to fetch it by sigwait, finds it pending.
#
# Seen: the threads that the runtime started at the load have an empty mask. A signal that Python blocks afterwards goes to
# one of them, Python's handler runs in spite of the block, and nothing is pending. Blocked before the load it stays
# pending, because the threads inherit the mask.
. "$(dirname "$0")/parts/begin.sh"
go_is 1.26.8
python_for "3.11 3.12 3.13"
go_library mask <<'G'
//export Do
func Do() {}
G
cat >mask.py <<'P'
import ctypes
import os
import signal
import sys
import time

ran = []
signal.signal(signal.SIGUSR1, lambda *_: ran.append(1))


def block():
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])


if sys.argv[1] == "before":
    block()
library = ctypes.CDLL("./mask.so")
library.Do()
if sys.argv[1] == "after":
    block()
for _ in range(2000):  # threads of Go's that have just begun block all signals for a moment
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.sigtimedwait([signal.SIGUSR1], 0)
    if ran:
        break
    time.sleep(0.001)
print(len(ran) > 0)
P
"$python" - "$python" <<'P'
import subprocess
import sys

from seen import end, seen

for when, wanted in (("after", "True"), ("before", "False")):
    out = subprocess.run([sys.executable, "mask.py", when], capture_output=True, text=True, check=True).stdout.strip()
    seen(f"blocked {when} the load: the handler ran", out, wanted)
end()
P
