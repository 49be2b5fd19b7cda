"""Daemon threads that make Go objects without end do not hold up the end of the interpreter."""

# Requirements: C13, C17, I5

import subprocess
import sys

import pytest

PROGRAM = """
import atexit, sys, threading
sys.path.insert(0, sys.argv[1])
made, before, after = [0] * 40, [], []
atexit.register(lambda: print("made beside it:", sum(after) - sum(before)))
atexit.register(after.extend, made)  # a function in C, so that no thread runs before it has read the numbers
import signatures
atexit.register(before.extend, made)

def make(number, started):
    while True:
        kept = signatures.Counter(number)
        made[number] += 1
        started.set()

interval = sys.getswitchinterval()
sys.setswitchinterval(1e-4)  # a thread that starts waits for all that run
for number in range(len(made)):
    threading.Thread(target=make, args=(number, started := threading.Event()), daemon=True).start()
    assert started.wait(300)
sys.setswitchinterval(interval)
"""


@pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="no other thread makes garbage while the GIL is held"
)
def test_no_thread_makes_objects_while_go_collects_at_exit(go_packages):
    """Otherwise each of Go's collections finds what was made during the one before it: 100 threads took 19 seconds."""
    command = [sys.executable, "-c", PROGRAM, str(go_packages)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert result.returncode == 0, result.stderr
    assert result.stdout == "made beside it: 0\n" and "Traceback" not in result.stderr, result
