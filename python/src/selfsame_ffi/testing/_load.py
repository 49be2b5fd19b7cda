"""Loads the test library, once."""

from __future__ import annotations

import ctypes

from .. import libinfo


def _load() -> ctypes.CDLL:
    try:
        return libinfo.load_lib_ctypes("apache-tvm-ffi", "tvm_ffi_testing", "RTLD_GLOBAL")
    except (RuntimeError, OSError) as error:
        raise ImportError(f"selfsame_ffi.testing: cannot load the test library: {error}") from error


LIBRARY = _load()
