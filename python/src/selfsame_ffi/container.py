"""Containers: the Python classes of native sequences and mappings."""

from __future__ import annotations

from collections.abc import (
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
    ValuesView,
)
from typing import Any, TypeVar

from . import _core
from ._types import classes
from ._types.sentinels import MISSING
from .registry import register_object

_T = TypeVar("_T")
_K = TypeVar("_K")
_V = TypeVar("_V")


def _equal(mine: Any, theirs: Any, family: Any, plain: Any) -> Any:
    """Whether a container is equal to another of its family, or to a Python container (`plain`) of equal items."""
    if mine is theirs:
        return True
    if isinstance(theirs, plain):
        if len(mine) != len(theirs):
            return False
        try:
            theirs = family(theirs)
        except (OverflowError, UnicodeEncodeError, RecursionError):
            return False  # it has an item without a native form
    elif type(theirs) is not family and not isinstance(theirs, family):
        return NotImplemented
    return _core.containers_equal(mine, theirs)


@register_object("ffi.Array", init=False)
class Array(_core.ArrayBase, classes.Object, Sequence[_T]):
    """An immutable sequence of values that native code shares.

    ``Array(iterable)`` makes one. Indexing returns the same objects that were put in; a slice is a list. Two Arrays are
    equal when native code compares their elements as equal (1 is not True), and an Array is equal to a List, list or
    tuple of equal elements.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def index(self, value: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the position of the first element that equals `value`, as of a NaN. Raises ValueError without one."""
        first, end, _ = slice(start, stop).indices(len(self))
        at = self._find(value, first, end)
        if at < 0:
            raise ValueError(f"{type(self).__name__}.index: {value!r} is not in the sequence")
        return int(at)

    def __reversed__(self) -> Iterator[_T]:
        for at in range(len(self) - 1, -1, -1):  # another thread may make a List shorter
            yield from self[at : at + 1]

    def to_numpy(self, dtype: Any = None) -> Any:
        """Return the elements as a NumPy array of one dimension, a copy.

        It is of float64 if an element is a float, else of int64, or of bool if all are bools; with `dtype` they are
        converted to that. Raises TypeError for an element that is no bool, float or int of 64 bits, and ImportError
        without NumPy.
        """
        import numpy  # type: ignore[import-not-found, unused-ignore]

        form, memory = _core.sequence_numbers(self)
        numbers = numpy.frombuffer(memory, form)
        return numbers if dtype is None else numbers.astype(dtype, copy=False)

    def __eq__(self, other: object) -> bool:
        return _equal(self, other, Array, (List, list, tuple))

    def __hash__(self) -> int:
        return _core.container_hash(self)

    def __radd__(self, other: Iterable[Any]) -> Array[_T]:
        return Array([*other, *self])

    def __repr__(self) -> str:
        return self._native_repr()


@register_object("ffi.List", init=False)
class List(_core.ListBase, classes.Object, MutableSequence[_T]):
    """A mutable sequence of values that native code shares: a change on one side is seen on the other.

    ``List(iterable)`` makes one. It has the methods of a list except ``sort``. Indexing returns the same objects that
    were put in; a slice is a list. Equality and hash go by the elements.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    index = Array.index
    to_numpy = Array.to_numpy
    __reversed__ = Array.__reversed__

    def __eq__(self, other: object) -> bool:
        return _equal(self, other, List, (Array, list, tuple))

    __hash__ = Array.__hash__

    def __radd__(self, other: Iterable[Any]) -> List[_T]:
        return List([*other, *self])

    __repr__ = Array.__repr__


class _Keys(KeysView[_K]):
    """A set-like view of the keys."""

    __slots__ = ()
    _mapping: Any

    def __repr__(self) -> str:
        return f"{type(self._mapping).__name__}.keys({list(self)!r})"


class _Values(ValuesView[_V]):
    """A view of the values."""

    __slots__ = ()
    _mapping: Any

    def __iter__(self) -> Iterator[_V]:
        return self._mapping._iter_values()

    def __contains__(self, value: object) -> bool:
        return any(value is mine or value == mine for mine in self)

    def __repr__(self) -> str:
        return f"{type(self._mapping).__name__}.values({list(self)!r})"


class _Items(ItemsView[_K, _V]):
    """A set-like view of the pairs of key and value."""

    __slots__ = ()
    _mapping: Any

    def __iter__(self) -> Iterator[tuple[_K, _V]]:
        return self._mapping._iter_items()

    def __repr__(self) -> str:
        return f"{type(self._mapping).__name__}.items({list(self)!r})"


@register_object("ffi.Map", init=False)
class Map(_core.MapBase, classes.Object, Mapping[_K, _V]):
    """An immutable mapping that native code shares, in order of insertion.

    ``Map(mapping)`` makes one, and so does an iterable of pairs. Keys are compared as native code does: objects by
    identity unless their class says otherwise, and 1 is neither True nor 1.0. Two Maps are equal when their entries
    are, and a Map is equal to a dict of equal entries.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def keys(self) -> KeysView[_K]:
        """Return the keys, as a view."""
        return _Keys(self)

    def values(self) -> ValuesView[_V]:
        """Return the values, as a view."""
        return _Values(self)

    def items(self) -> ItemsView[_K, _V]:
        """Return the pairs of key and value, as a view."""
        return _Items(self)

    def __eq__(self, other: object) -> bool:
        return _equal(self, other, Map, (dict,))

    __hash__ = Array.__hash__
    __repr__ = Array.__repr__


@register_object("ffi.Dict", init=False)
class Dict(_core.DictBase, classes.Object, MutableMapping[_K, _V]):
    """A mutable mapping that native code shares: a change on one side is seen on the other.

    ``Dict(mapping)`` makes one, and so does an iterable of pairs. It has the methods of a dict. Keys are compared as a
    :class:`Map` does; adding or removing keys during an iteration makes it raise RuntimeError. Equality and hash go by
    the entries.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    keys = Map.keys
    values = Map.values
    items = Map.items

    def __eq__(self, other: object) -> bool:
        return _equal(self, other, Dict, (dict,))

    __hash__ = Array.__hash__
    __repr__ = Array.__repr__


__all__ = ["MISSING", "Array", "Dict", "List", "Map"]
