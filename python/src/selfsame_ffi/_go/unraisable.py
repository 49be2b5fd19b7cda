"""Exceptions of callbacks on goroutines of a Go library, where no call can raise them."""

from __future__ import annotations

from typing import Any

from .. import _core


class GoStack(Exception):  # noqa: N818 - it is no error, but the cause that shows where Go called
    """The stack of the goroutine that called a Python function, which raised an exception."""


class _Raises:
    def __init__(self, error: BaseException) -> None:
        self._error = error

    def __del__(self) -> None:
        raise self._error


def report(error: Any, stack: Any) -> None:
    """Give an exception to ``sys.unraisablehook``. Its innermost cause shows the stack of the goroutine."""
    if isinstance(error, _core.Error):
        error = error.py_error()
    cause = error
    while cause.__cause__ is not None and not isinstance(cause.__cause__, GoStack):
        cause = cause.__cause__
    cause.__cause__ = GoStack(f"a goroutine of Go called the function:\n{stack}")
    _Raises(error)
