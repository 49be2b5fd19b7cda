"""The package under the name tvm_ffi."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_OURS = __name__.partition(".")[0]
_THEIRS = "tvm_ffi"


class _Alias(Loader):
    """Loads a module of this package as a module of tvm_ffi: the same module object under both names."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # The import system takes what it finds here afterwards, and never sees the empty module again.
        sys.modules[module.__name__] = importlib.import_module(self.name)

    def get_code(self, fullname: str) -> Any:
        """For ``python -m tvm_ffi.X``."""
        spec = importlib.util.find_spec(self.name)
        return None if spec is None or spec.loader is None else spec.loader.get_code(self.name)  # type: ignore[attr-defined]


class _Finder(MetaPathFinder):
    """Finds tvm_ffi and tvm_ffi.X where this package has a module X."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        package, dot, rest = fullname.partition(".")
        if package != _THEIRS:
            return None
        found = importlib.util.find_spec(_OURS + dot + rest)
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, _Alias(found.name), origin=found.origin, is_package=is_package)


def install_as_tvm_ffi() -> None:
    """Make ``import tvm_ffi`` give this package in this process, whether the stock package is installed or not.

    ``tvm_ffi.X`` is then the module ``selfsame_ffi.X``, where there is one. Code that says ``import tvm_ffi`` and code
    that says ``import selfsame_ffi`` share modules, classes and objects. Call it before the first import of tvm_ffi;
    a second call does nothing. Any thread.

    Raises ImportError when the stock package has been imported, or is being imported by another thread.
    """
    ours = sys.modules[_OURS]
    present = sys.modules.setdefault(_THEIRS, ours)
    if present is not ours:
        place = getattr(present, "__file__", None) or "a place without a file"
        raise ImportError(
            f"install_as_tvm_ffi: tvm_ffi is imported already, from {place}; call it before the first import of "
            "tvm_ffi",
            name=_THEIRS,
        )
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
