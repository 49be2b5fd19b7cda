"""The package under the name tvm_ffi."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from . import published

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.metadata import Distribution

_OURS = __name__.partition(".")[0]
_THEIRS = "tvm_ffi"

# Modules that have another name here.
_RENAMED = {_THEIRS + "._version": published.__name__, _THEIRS + "._dunder": _OURS + "._types.dunder"}


def _our_name(name: str) -> str:
    """Return the name here of the module tvm_ffi.X."""
    return _RENAMED.get(name) or _OURS + name[len(_THEIRS) :]


def _alias_loaded_modules() -> None:
    """Give each module of this package that is loaded its name under tvm_ffi.

    The import system stores a module that it loads as an attribute of its package. ``dataclasses`` has functions with
    the names of its modules, which would be overwritten, were the modules loaded again under the other name.
    """
    for name, module in list(sys.modules.items()):
        if name == _OURS or name.startswith(_OURS + "."):
            sys.modules.setdefault(_THEIRS + name[len(_OURS) :], module)


class _Alias(Loader):
    """Loads a module of this package as a module of tvm_ffi: the same module object under both names."""

    def __init__(self, name: str) -> None:
        self.name = name

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        # The import system takes what it finds here afterwards, and never sees the empty module again.
        sys.modules[module.__name__] = importlib.import_module(self.name)
        _alias_loaded_modules()

    def get_code(self, fullname: str) -> Any:
        """For ``python -m tvm_ffi.X``."""
        spec = importlib.util.find_spec(self.name)
        return None if spec is None or spec.loader is None else spec.loader.get_code(self.name)  # type: ignore[attr-defined]


class _Finder(MetaPathFinder):
    """Finds tvm_ffi and tvm_ffi.X where this package has a module X, and the metadata of the published package."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] != _THEIRS:
            return None
        found = importlib.util.find_spec(_our_name(fullname))
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return ModuleSpec(fullname, _Alias(found.name), origin=found.origin, is_package=is_package)

    def find_distributions(self, context: Any) -> Iterable[Distribution]:
        """Yield what importlib.metadata says of the published package: its name and the version stood in for."""
        from .published_distribution import PublishedDistribution, normalized  # most programs never ask

        if context.name is None or normalized(context.name) == published.DISTRIBUTION:
            yield PublishedDistribution()


def install_as_tvm_ffi() -> None:
    """Make ``import tvm_ffi`` give this package in this process, whether the stock package is installed or not.

    ``tvm_ffi.X`` is then the module ``selfsame_ffi.X``, where there is one. Code that says ``import tvm_ffi`` and code
    that says ``import selfsame_ffi`` share modules, classes and objects. So ``__version__`` and ``__version_tuple__``
    become those of the published package in whose place this one stands, as do the names that ``import *`` gives, and
    ``importlib.metadata`` gives the same version for ``apache-tvm-ffi``. Call it before the first import of tvm_ffi; a
    second call does nothing. Any thread.

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
    _show_published_names(ours)
    _alias_loaded_modules()


def _show_published_names(ours: ModuleType) -> None:
    ours.__version__ = published.__version__  # type: ignore[attr-defined]
    ours.__version_tuple__ = published.__version_tuple__  # type: ignore[attr-defined]
    ours.__all__ = [*published.NAMES]  # type: ignore[attr-defined]


def reloaded() -> None:
    """Keep the published version and names where this package stands in and importlib.reload has run it again."""
    ours = sys.modules[_OURS]
    if sys.modules.get(_THEIRS) is ours:
        _show_published_names(ours)
