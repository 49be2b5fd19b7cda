"""What the package imports when it is first asked for, as few programs use it and the import takes long."""

from __future__ import annotations

from functools import cached_property
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """The class of the package's module.

    With a ``__getattr__`` in the module CPython would look up each of its attributes by name.
    """

    @cached_property
    def cpp(self) -> ModuleType:
        """The compiler's driver."""
        from importlib import import_module

        return import_module("selfsame_ffi.cpp")

    @cached_property
    def LIB(self) -> Any:  # noqa: N802 - the published package's name
        """The runtime library as ctypes loads it."""
        import ctypes

        from . import libinfo

        return ctypes.CDLL(libinfo.find_libtvm_ffi())
