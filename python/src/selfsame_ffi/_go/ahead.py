"""Iterables of Python for loops in Go: in batches, or one element at a time."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from .. import _core

_T = TypeVar("_T")


class ahead(Generic[_T]):  # noqa: N801  # used as a function
    """Have a Go func that iterates over `iterable` get its elements in batches: ``geo.total(ahead(f(x) for x in xs))``.

    An element then costs about as much as in a ``for`` loop. The elements are made ahead of the Go loop, by a number
    that grows from 1 to 256. So they must not depend on what Go does with the elements before them, and when the Go
    loop ends early, elements that were made are lost. An iterable that takes some milliseconds hands over what it has;
    one that waits does not, so it must not wait for the Go loop. Raises TypeError for a value that is no iterable.
    """

    __slots__ = ("_iterable",)
    __module__ = "selfsame_ffi"

    def __init__(self, iterable: Iterable[_T]):
        iter(iterable)
        self._iterable = iterable

    def __iter__(self) -> Iterator[_T]:
        return iter(self._iterable)


_CONTAINERS: tuple[Iterable[Any], ...] = (
    range(0),
    range(1 << 70),
    {}.keys(),
    {}.values(),
    {}.items(),
    set(),
    "",
    "\u0100",
    b"",
    bytearray(),
    collections.deque(),
)
#: The iterators of builtin containers, which run no code of others and so never wait.
_BUILTIN = frozenset(type(iter(container)) for container in _CONTAINERS)


def elements_of(value: Any, one_by_one: bool) -> Callable[[], Any] | tuple[Callable[[int], Any]]:
    """Return how Go gets the elements of an iterable: a function that returns the next one, or, in a tuple, many.

    Many at a time are those of ``ahead`` and of containers whose elements exist already. TypeError for other values.
    """
    iterator = iter(value)
    is_array = type(value).__module__ in ("numpy", "array")
    if not one_by_one and (
        type(value) is ahead or (iterator is not value and (is_array or type(iterator) in _BUILTIN))
    ):
        return (_core.IterableBatches(iterator).take,)
    return iterator.__next__
