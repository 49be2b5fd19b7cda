"""Loads a library with Go packages in it and waits until they have initialised themselves, which Ctrl-C can end."""

from __future__ import annotations

import time
import warnings

from . import _core

#: Seconds after which a wait says that it waits. Go notes after five what an init function waits for.
PATIENCE = 10.0


def load(path: str) -> None:
    """Load the library and wait until its registrations are done; raises the error of the first that failed.

    A Go init function may wait forever, and a thread that has entered Go cannot leave it before. So this thread enters
    Go only when the library says that its packages are initialised. After PATIENCE it gives a RuntimeWarning that says
    what they wait for. When the wait ends early (Ctrl-C, a warning that a filter turns into an error) Go goes on;
    another load of the library waits for the same.
    """
    started, pause, warned = time.monotonic(), 0.0002, False
    while (waits_for := _core.open_extension(path)) is not None:
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)
        if not warned and time.monotonic() - started >= PATIENCE:
            warned = True
            what = "an init function or the value of a package variable waits, for a lock, a channel or the network"
            if waits_for:
                what = f"the Go package is in {waits_for}"
            message = (
                f"load_extension: {path} is still loading after {PATIENCE:g} seconds: {what}; Ctrl-C ends the wait"
            )
            warnings.warn(message, RuntimeWarning, stacklevel=3)
    _core.load_extension(path)
