"""The runtime's two marker objects: MISSING for "no value", KWARGS in front of keyword arguments."""

from __future__ import annotations

from typing import Any

from . import _classes, _core, _runtime  # noqa: F401


def _marker(name: str) -> Any:
    maker = _core.get_global_func(name)
    if maker is None:
        raise RuntimeError(f"{name}: the runtime library has no such function")
    return maker()


MISSING: Any = _marker("ffi.GetInvalidObject")
KWARGS: Any = _marker("ffi.GetKwargsObject")
