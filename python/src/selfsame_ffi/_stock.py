"""Keeps the stock package tvm_ffi from being loaded where it would end the process."""

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
            "tvm_ffi cannot be imported after selfsame: the dynamic linker would give its library the symbols of "
            "selfsame's runtime, where everything that it registers is there already. Import tvm_ffi before selfsame; "
            "then both work side by side.",
            name=module.__name__,
        )


class _Finder(MetaPathFinder):
    """Finds tvm_ffi as ever, so that it can be looked for, but does not let it load."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != "tvm_ffi" or _core.foreign_runtime() is not None:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = _Refusal()
        return spec


if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
    sys.meta_path.insert(0, _Finder())
