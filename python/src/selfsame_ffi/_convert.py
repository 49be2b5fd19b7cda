"""Explicit conversion of Python values to native values."""

from __future__ import annotations

from typing import Any, Callable

from . import _core, _runtime  # noqa: F401


def convert(value: Any) -> Any:
    """The value as native code would return it.

    Lists and tuples become :class:`Array`, callables :class:`Function`, exceptions :class:`Error`; objects, numbers,
    strings, bytes and None are themselves. Calls convert their arguments in the same way.
    """
    return _core.convert(value)


def convert_func(pyfunc: Callable[..., Any]) -> _core.Function:
    """A :class:`Function` that calls a Python callable and owns a reference to it."""
    return _core.function_from_callable(pyfunc)
