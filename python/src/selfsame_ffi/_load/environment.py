"""Tells the Go of each loaded library what Python changes in the process's environment, of which Go has a copy.

Go makes the copy when a library is loaded. Later, ``os.environ`` changes the environment through ``os.putenv`` and
``os.unsetenv``, and these tell each library.

How Go sees what Python sets in the environment. A Go library copies the environment from where the process began with
it, not from ``environ``. So Go code of a package missed what Python had set in ``os.environ`` even before the import:
credentials, prefixes of viper, endpoints of OpenTelemetry. A C library sees both. Two things make Go see them:

* A constructor of the library copies ``environ`` on the thread that loads it, which has Python's lock. The package
  ``extension`` gives Go's copy what differs, before the packages that import the frontend are initialised. Packages
  that do not import it may be initialised earlier, in the order of their import paths. What these read in an init
  function is as the process began.
* With the first Go package, ``os.putenv`` and ``os.unsetenv``, through which ``os.environ`` goes, become functions that
  call those and then tell each library.

Considered beside it: an audit hook for ``os.putenv`` needs no replaced function. But then every event of the
interpreter makes a tuple of its arguments, also that of ``id(x)``, and a hook cannot be taken away. A function for
users to call would be forgotten. The price is a replaced function of ``os``, and two more crossings into Go for each
library when a variable is set. What C code sets after the import, past ``os``, Go does not see.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from .. import _core

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
