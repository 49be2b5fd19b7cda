"""Checks of a finding: each line that it prints says what was seen, and whether that is still what its header says."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

_changed: list[str] = []


def _outcome(call: Callable[[], object]) -> object:
    """Returns what a call returns, or "Name: message" of the exception that it raises."""
    try:
        return call()
    except BaseException as error:  # KeyboardInterrupt is among what is looked at
        return f"{type(error).__name__}: {error}"


def seen(about: str, got: object, wanted: object) -> None:
    """Prints what was seen, and remembers a difference from ``wanted``.

    A callable ``got`` is called. Where ``wanted`` is a str, the text of what was seen must begin with it.
    """
    value = _outcome(got) if callable(got) else got
    as_before = str(value).startswith(wanted) if isinstance(wanted, str) else value == wanted
    text = " ".join(str(value).split())
    print(f"{'seen' if as_before else 'CHANGED'}: {about}: {text[:300]}")
    if not as_before:
        print(f"         it was: {wanted}")
        _changed.append(about)


def wait_until_main_sleeps() -> None:
    """Returns once the main thread sleeps, as in a lock's acquire. For another thread."""
    state = "R"
    while state != "S":
        with open(f"/proc/self/task/{os.getpid()}/stat") as stat:
            state = stat.read().rsplit(")")[1].split()[0]


def end() -> None:
    """Ends the program with 1 if anything changed."""
    sys.exit(1 if _changed else 0)
