"""Tells the Go of each loaded library what Python changes in the process's environment, of which Go has a copy.

Go makes the copy when a library is loaded. Later, ``os.environ`` changes the environment through ``os.putenv`` and
``os.unsetenv``, and these tell each library. RATIONALE.md, "How Go sees what Python sets in the environment".
"""

from __future__ import annotations

import functools
import os
from typing import Any

from . import _core

# What setenv_of_extension takes, for each library. A library stays for the life of the process.
_libraries: list[Any] = []


def _tell(name: Any, value: Any) -> None:
    encoded = os.fsencode(name), None if value is None else os.fsencode(value)
    for library in tuple(_libraries):
        _core.setenv_of_extension(library, *encoded)


def _replace_functions_of_os() -> None:
    putenv, unsetenv = os.putenv, os.unsetenv

    @functools.wraps(putenv)
    def putenv_and_tell(name: Any, value: Any, /) -> None:
        putenv(name, value)  # refuses what cannot be a variable
        _tell(name, value)

    @functools.wraps(unsetenv)
    def unsetenv_and_tell(name: Any, /) -> None:
        unsetenv(name)
        _tell(name, None)

    os.putenv, os.unsetenv = putenv_and_tell, unsetenv_and_tell


def follow(library: Any) -> None:
    """Tell the library's Go of changes from now on. `library` is what ``_core.load_extension`` has returned.

    The libraries are told one after the other, without the interpreter's lock. In a forked child, one whose Go does not
    run there is left out: it reads the environment when it starts. Go on Windows has no copy.
    """
    if library is None or os.name == "nt":
        return
    if not _libraries:
        _replace_functions_of_os()
    _libraries.append(library)
