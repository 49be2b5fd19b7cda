"""The runtime's two marker objects: MISSING for "no value", KWARGS in front of keyword arguments."""

from __future__ import annotations

from typing import Any

from .. import _core  # noqa: F401
from .._load import runtime  # noqa: F401
from . import classes  # noqa: F401


def _marker(name: str, shown: str) -> Any:
    maker = _core.get_global_func(name)
    if maker is None:
        raise RuntimeError(f"{name}: the runtime library has no such function")
    made = maker()
    classes._markers[id(made)] = shown
    return made


MISSING: Any = _marker("ffi.GetInvalidObject", "<MISSING>")
KWARGS: Any = _marker("ffi.GetKwargsObject", "<KWARGS>")
