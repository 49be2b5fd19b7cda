"""Containers: the Python classes of native sequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from . import _classes, _core
from .registry import register_object

_T = TypeVar("_T")


@register_object("ffi.Array", init=False)
class Array(_core.ArrayBase, _classes.Object, Sequence[_T]):
    """An immutable sequence of values that native code shares.

    ``Array(iterable)`` makes one. Indexing gives the very objects that were put in; a slice is a list. Two Arrays are
    equal when their elements are, and an Array is equal to a list or tuple of equal elements.
    """

    __slots__ = ()
    __module__ = "selfsame"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, (Array, list, tuple)) or len(self) != len(other):
            return NotImplemented if not isinstance(other, (Array, list, tuple)) else False
        return all(mine == theirs for mine, theirs in zip(self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __radd__(self, other: Any) -> Array[_T]:
        return Array([*other, *self])

    def __repr__(self) -> str:
        if not self.__chandle__():
            return "<Array without a native object>"
        return repr(tuple(self))
