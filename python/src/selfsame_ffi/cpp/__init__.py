"""Building native extensions from C, C++ and CUDA sources, at run time or ahead of it.

Its modules are imported when they are first asked for: few programs compile, and the compilers' drivers take long to
load. The package's own module has no such hook, because CPython then looks up each of its attributes by name, three
times as slowly.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .._calls.messages import no_attribute

if TYPE_CHECKING:
    from . import dtype as dtype
    from . import extension as extension
    from . import nvrtc as nvrtc
    from .dtype import to_cpp_dtype
    from .extension import build, build_inline, load, load_inline

_HOMES = {
    "to_cpp_dtype": "dtype",
    **dict.fromkeys(("build", "build_inline", "load", "load_inline"), "extension"),
}
_MODULES = ("dtype", "extension", "nvrtc")


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise no_attribute(sys.modules[__name__], name)
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_MODULES})


__all__ = ["build", "build_inline", "load", "load_inline", "to_cpp_dtype"]
