#!/bin/sh
# Signal handlers and pending calls run in the middle of a collection; gc.collect() and gc.get_objects() see nothing of it there.
#
# Versions: CPython 3.11 to 3.14
#
# Expected: a signal handler, or a function given to Py_AddPendingCall, runs between two steps of the program, never while the
# collector has taken objects apart; when gc.collect() returns in it, garbage is collected.
#
# Seen: they run within the __del__ of the first object of a cycle. gc.collect() returns 0 at once, though cycles are left; the
# objects that the running collection ends are alive and in no list of gc.get_objects(); references to them can be taken there.
. "$(dirname "$0")/parts/begin.sh"
cat >test.py <<'P'
import ctypes
import gc
import os
import signal

from seen import end, seen

FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
inside, found, dead = [], {}, []


class Node:
    asked = None

    def __del__(self):
        if Node.asked is not None:
            ask, Node.asked = Node.asked, None
            inside.append(True)
            ask()
            for _ in range(100):  # the interpreter looks for signals and pending calls at the end of each round
                pass
            inside.clear()
        dead.append(id(self))


def cycles(count):
    for _ in range(count):
        first, second = Node(), Node()
        first.other, second.other = second, first


def look(name):
    cycles(1)  # new garbage, made while the collection runs
    found[name] = (
        bool(inside),
        gc.collect(),
        len(dead) < 4,
        sum(type(thing) is Node for thing in gc.get_objects()),
    )


def handler(number, frame):
    look("signal")


@FUNCTION
def pending(_):
    look("pending")
    return 0


gc.disable()
signal.signal(signal.SIGUSR1, handler)
for name, ask in (
    ("signal", lambda: os.kill(os.getpid(), signal.SIGUSR1)),
    ("pending", lambda: ctypes.pythonapi.Py_AddPendingCall(pending, None)),
):
    gc.collect()
    dead.clear()
    cycles(2)
    Node.asked = staticmethod(ask)
    gc.collect()
    # Within __del__, gc.collect() gave 0, objects to end are left, and only the two new ones are in the collector's lists.
    seen(f"{name}: within __del__, collected, ends left, Nodes listed", found[name], (True, 0, True, 2))
    seen(f"{name}: the new cycle is left for the next", gc.collect() > 0, True)
end()
P
on_each "3.11 3.12 3.13 3.14"
