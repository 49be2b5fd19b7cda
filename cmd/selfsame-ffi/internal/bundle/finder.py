"""Finds selfsame-ffi for packages that bring it along.

Each wheel that does has a folder below ``selfsame_ffi_bundles`` with its selfsame-ffi, a file VERSION, and this module.
A process has one runtime, so one selfsame-ffi serves all packages: the newest, of the installed one and of those that
come along, that has a core for this Python.
"""

from __future__ import annotations

import os
import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from importlib.util import spec_from_file_location

_PACKAGE = "selfsame_ffi"
_FOLDER = "selfsame_ffi_bundles"


def serve(package: str, requires: str) -> None:
    """Make ``import selfsame_ffi`` find one that serves `package`, which needs the version `requires` or a later one of
    the same major version. ImportError where the process has another one already, or none is there for this Python."""
    offer()
    loaded = sys.modules.get(_PACKAGE)
    if loaded is not None:
        version, place = str(getattr(loaded, "__version__", "0")), os.path.dirname(str(loaded.__file__))
    else:
        found = _newest()
        if found is None:
            raise ModuleNotFoundError(_lacks(package, requires), name=_PACKAGE)
        version, place = found
    if not _serves(version, requires):
        raise ImportError(
            f"{package} needs selfsame-ffi {requires} or a later {requires.split('.')[0]}.x, which it brings along in "
            f"{os.path.dirname(__file__)}, and this process has selfsame-ffi {version} of {place}: a process has one; "
            "install versions of the two packages that were built with the same selfsame-ffi",
            name=package,
        )


def offer() -> None:
    """Let ``import selfsame_ffi`` find what packages bring along."""
    if not any(getattr(finder, "finds_bundles", False) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]


class _Finder:
    finds_bundles = True

    @classmethod
    def find_spec(cls, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != _PACKAGE:
            return None
        found = _newest()
        if found is None:
            return None
        _, folder = found
        return spec_from_file_location(name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])


def _newest() -> tuple[str, str] | None:
    """The version and the folder of the newest selfsame-ffi, the installed one before others of its version."""
    found = [*_installed(), *((version, folder) for version, folder in _bundles() if _has_core(folder))]
    return max(found, key=lambda one: _numbers(one[0]), default=None)


def _installed() -> list[tuple[str, str]]:
    spec = PathFinder.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        return []
    import importlib.metadata

    try:
        version = importlib.metadata.version("selfsame-ffi")
    except importlib.metadata.PackageNotFoundError:
        version = "0"
    return [(version, os.path.dirname(spec.origin))]


def _bundles() -> list[tuple[str, str]]:
    found = []
    for entry in sys.path:
        folder = os.path.join(os.path.abspath(entry), _FOLDER)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            try:
                with open(os.path.join(folder, name, "VERSION"), encoding="utf-8") as file:
                    found.append((file.read().strip(), os.path.join(folder, name, _PACKAGE)))
            except OSError:
                continue
    return found


def _has_core(folder: str) -> bool:
    return any(os.path.isfile(os.path.join(folder, "_core" + suffix)) for suffix in EXTENSION_SUFFIXES)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


def _serves(version: str, requires: str) -> bool:
    have, want = _numbers(version), _numbers(requires)
    return have[:1] == want[:1] and have >= want


def _lacks(package: str, requires: str) -> str:
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), _PACKAGE)
    try:
        cores = sorted(name for name in os.listdir(own) if name.startswith("_core.") and not name.endswith(".pyi"))
    except OSError:
        cores = []
    return (
        f"{package} brings selfsame-ffi along for other Pythons than this one ({', '.join(cores)}; this one takes "
        f"_core{EXTENSION_SUFFIXES[0]}); use one of them, or run `python -m pip install 'selfsame-ffi>={requires}'`"
    )
