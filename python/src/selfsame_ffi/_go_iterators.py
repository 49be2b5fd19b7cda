"""Iterators of Go in Python."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

_T = TypeVar("_T")


class Iterator(Generic[_T]):
    """An iterator that Go makes lazily: the Go loop runs only while ``next()`` waits for an element.

    ``close()``, leaving a ``with`` block or dropping the iterator ends the Go loop. Errors of the loop are raised by
    ``next()``. One thread at a time gets an element; any thread may.
    """

    __slots__ = ("__weakref__", "_next")
    __module__ = "selfsame_ffi"

    def __init__(self, next_: Any) -> None:
        self._next = next_

    def __iter__(self) -> Iterator[_T]:
        return self

    def __next__(self) -> _T:
        return self._next()  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the Go loop. A further ``next()`` raises StopIteration. May be called again."""
        self._next("close")

    def __enter__(self) -> Iterator[_T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self._next("close")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of Go>"


class PairIterator(Iterator[Any]):
    """An :class:`Iterator` of pairs."""

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def __next__(self) -> Any:
        return tuple(self._next())
