"""Loads a library with Go packages in it and waits until they have initialised themselves, which Ctrl-C can end.

Why a changed extension is not loaded again. Go code cannot be unloaded, and the dynamic linker gives the old library
for the same path. A second copy could not register classes under the same names. So ``load_extension`` raises
``ImportError`` when the file is another one than it loaded, and ``selfsame-ffi develop`` builds at an import.
"""

from __future__ import annotations

import os
import threading
import time
import warnings

from .. import _core
from .environment import follow

#: Seconds after which a wait says that it waits. Go notes after five what an init function waits for.
PATIENCE = 10.0

# One library registers at a time, because two may contain the same Go package: the second one then adopts its classes.
# Its own code may load another one in this thread.
_registering = threading.RLock()


def _new_lock() -> None:
    global _registering
    _registering = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)  # another thread of the parent may have held it


def load(path: str) -> None:
    """Load the library and wait until its registrations are done; raises the error of the first that failed.

    A Go init function may wait forever, and a thread that has entered Go cannot leave it before. So this thread enters
    Go only when the library says that its packages are initialised. After PATIENCE it gives a RuntimeWarning that says
    what they wait for. When the wait ends early (Ctrl-C, a warning that a filter turns into an error) Go goes on;
    another load of the library waits for the same.

    A library that waits does not hold up another one for longer than PATIENCE: what it waits for may need that one.
    """
    lock = _registering
    locked = lock.acquire(timeout=PATIENCE)
    try:
        _load(path)
    finally:
        if locked:
            lock.release()


def _load(path: str) -> None:
    started, pause, warned = time.monotonic(), 0.0002, False
    while (waits_for := _core.open_extension(path)) is not None:
        time.sleep(pause)
        pause = min(1.5 * pause, 0.005)
        if not warned and time.monotonic() - started >= PATIENCE:
            warned = True
            what = "an init function or the value of a package variable waits, for a lock, a channel or the network"
            if waits_for:
                what = f"the Go package is in {waits_for}"
            message = (
                f"load_extension: {path} is still loading after {PATIENCE:g} seconds: {what}; Ctrl-C ends the wait"
            )
            warnings.warn(message, RuntimeWarning, stacklevel=4)
    follow(_core.load_extension(path))
