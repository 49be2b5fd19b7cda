"""Calls of native functions that asyncio code awaits, and the end of calls that were cancelled.

A Go function with a ``context.Context`` asks :func:`poll` from time to time, on the thread that called it, whether it
must end: after Ctrl-C on the main thread, and when the asyncio task was cancelled that awaits the call.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Callable

from .. import _core

if TYPE_CHECKING:
    from collections.abc import Awaitable


class _Call:
    """A call that a task awaits."""

    __slots__ = ("cancelled",)

    def __init__(self) -> None:
        self.cancelled = False


class _Here(threading.local):
    call: _Call | None = None


_here = _Here()


def poll() -> bool:
    """Raise the exception that the native call on this thread has to end with; say whether one may come later."""
    call = _here.call
    if call is not None and call.cancelled:
        from asyncio import CancelledError

        raise CancelledError
    # On the main thread the interpreter has run the signal handlers by now: they run between two instructions.
    return call is not None or threading.get_ident() == threading.main_thread().ident


def aio(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Return the async form of a function: ``await aio(point.distance)(other)``.

    The call runs on a thread of the event loop's default executor, so the loop goes on. When the task is cancelled, the
    ``context.Context`` of a Go function that has one is done; the task ends when the function has returned. Other
    functions cannot be stopped: the task ends at once, and the call goes on alone.

    Functions and methods have it as an attribute: ``await pkg.fetch.aio(url)``, ``await point.distance.aio(other)``.
    """
    import asyncio  # programs that do not use it need not pay for its import
    import contextvars

    if not callable(function):
        raise TypeError(f"aio: argument 'function': expected a callable, got {type(function).__name__}")

    async def call(*args: Any, **kwargs: Any) -> Any:
        mine = _Call()
        ended = asyncio.get_running_loop().run_in_executor(
            None, contextvars.copy_context().run, _run, mine, function, args, kwargs
        )
        try:
            failed, result = await asyncio.shield(ended)
        except asyncio.CancelledError:
            mine.cancelled = True
            if _has_context(function):
                await asyncio.wait([ended])
            raise
        if failed is not None:
            raise failed
        return result

    call.__name__ = getattr(function, "__name__", "call")
    call.__qualname__ = getattr(function, "__qualname__", call.__name__)
    call.__doc__ = getattr(function, "__doc__", None)
    return call


def _run(mine: _Call, function: Callable[..., Any], args: Any, kwargs: Any) -> tuple[BaseException | None, Any]:
    """The exception and the result of the call. Returned, as a future treats some exceptions in its own way."""
    _here.call = mine
    try:
        return None, function(*args, **kwargs)
    except BaseException as error:  # noqa: BLE001  # the task raises it
        return error, None
    finally:
        _here.call = None


def _has_context(function: Any) -> bool:
    target = getattr(function, "__func__", function)
    if isinstance(target, (_core.Method, _core.StaticMethod)):
        return '"context":true' in target.metadata  # type: ignore[union-attr]
    return bool(getattr(target, "__ffi_context__", False))


class _AsyncForm:
    """The attribute ``aio`` of Functions and methods."""

    def __get__(self, function: Any, owner: Any = None) -> Any:
        return self if function is None else aio(function)


for _class in (_core.Function, _core.Method, _core.BoundMethod, _core.StaticMethod):
    _core.set_static_attribute(_class, "aio", _AsyncForm())
