"""Iterators of Go in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .. import _core
from .._calls.awaited import aio

_T = TypeVar("_T")
_NOTHING = object()


def _fetch(iterator: _core.GoIterator) -> bool:
    """Wait for elements, on a thread of an executor; False at the end."""
    try:
        iterator._fetch()
    except StopIteration:  # a future cannot carry it
        return False
    return True


_fetch.__ffi_context__ = True  # type: ignore[attr-defined]  # the wait ends when the task is cancelled


class Iterator(_core.GoIterator, Generic[_T]):
    """An iterator over what a Go loop yields, in order.

    The Go loop runs while ``next()`` waits, and ahead of it by a number of elements that grows from 2 to 256. A loop
    that waits hands over what it has. ``close()``, leaving a ``with`` block or dropping the iterator ends the loop, and
    releases what was made ahead. An error of the loop is raised by the ``next()`` after the last element before it.
    Any thread may call ``next()``; each element is given once. Functions that were registered with the option ``Lazy``
    make one element at a time.

    asyncio code writes ``async for``: the waits run on threads of the event loop's default executor. When a task is
    cancelled that waits for an element, the next wait gets that.
    """

    __slots__ = ("__weakref__",)
    __module__ = "selfsame_ffi"

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[_T]: ...

        def __next__(self) -> _T: ...

    def __aiter__(self) -> Iterator[_T]:
        return self

    async def __anext__(self) -> _T:
        while (element := self._made(_NOTHING)) is _NOTHING:
            if not await aio(_fetch)(self):
                raise StopAsyncIteration
        return self._shown(element)

    def _shown(self, element: Any) -> Any:
        """What the loop over the iterator gets for an element."""
        return element

    def close(self) -> None:
        """End the Go loop. A further ``next()`` raises StopIteration. May be called again."""
        self._next("close")
        self._drop_ahead()

    def __enter__(self) -> Iterator[_T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._next is not None:  # None: __init__ has failed
            self._next("close")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of Go>"


class PairIterator(Iterator[Any]):
    """An :class:`Iterator` of pairs."""

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def __next__(self) -> Any:
        return tuple(super().__next__())

    def _shown(self, element: Any) -> Any:
        return tuple(element)
