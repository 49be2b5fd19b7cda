"""Refuses to import the stock package tvm_ffi where it would end the process.

RATIONALE.md, "Why importing tvm_ffi after selfsame is refused".
"""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from . import _core, _runtime  # noqa: F401


class _Refusal(Loader):
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        raise ImportError(
            "tvm_ffi: cannot be imported after selfsame_ffi: the dynamic linker would give its library the symbols of "
            "selfsame's runtime, which has registered the same names already; import tvm_ffi before selfsame_ffi",
            name=module.__name__,
        )


class _Finder(MetaPathFinder):
    """Finds tvm_ffi, as importlib.util.find_spec needs it, with a loader that refuses."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != "tvm_ffi" or _core.foreign_runtime() is not None:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = _Refusal()
        return spec


if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
    sys.meta_path.insert(0, _Finder())
