"""Finds the runtime library and starts the C core with it. Imported first by everything else."""

from __future__ import annotations

import atexit
import gc
import os
import sys

from .. import _core
from .advice import CUT_OFF, PACKAGE_FOLDER, runtime_advice
from .elf import cut_off

#: Name of the runtime library's file.
LIBRARY_NAME = {"win32": "tvm_ffi.dll", "darwin": "libtvm_ffi.dylib"}.get(sys.platform, "libtvm_ffi.so")


def library_path() -> str:
    """Path of the runtime library: ``SELFSAME_LIBRARY`` from the environment, else the package's own copy.

    A program that exports a runtime of its own needs neither.
    """
    override = os.environ.get("SELFSAME_LIBRARY")
    if override:
        return override
    return os.path.join(PACKAGE_FOLDER, "lib", LIBRARY_NAME)


def _release_gil_by_default() -> bool:
    return os.environ.get("TVM_FFI_RELEASE_GIL_BY_DEFAULT", "1") != "0"


# The hooks serve the whole process, so they are installed once, even if the package is imported again. A second call of
# before_fork would wait for a mutex that the first one holds.
def _start() -> bool:
    path = library_path()
    if cut_off(path):
        raise ImportError(f"selfsame_ffi: cannot load the runtime library {path}{CUT_OFF}")
    try:
        return _core.start(path, _release_gil_by_default())
    except ImportError as error:
        if error.name == "selfsame_ffi":  # the runtime of the program was refused
            raise
        named = "" if path in str(error) else f" ({path})"  # the loader of Windows names no file
        raise ImportError(f"{error}{named}{runtime_advice(path, str(error))}") from None


if _start():
    gc.callbacks.append(_core.collection)
    atexit.register(_core.shut_down)
    atexit.register(_core.collect_at_exit)  # runs before shut_down
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=_core.before_fork, after_in_parent=_core.after_fork_in_parent, after_in_child=_core.after_fork
        )
