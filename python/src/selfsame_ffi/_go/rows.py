"""Slices and iterators of Go's structs, which libraries of data frames read as columns of Arrow."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import arrow
from .containers import _Copied
from .iterators import Iterator

_T = TypeVar("_T")


class _Columns:
    """What an object with rows has for consumers of Arrow. A consumer that wants another schema converts by itself."""

    __slots__ = ()

    def __arrow_c_schema__(self) -> Any:
        """Return a capsule with the types of the columns."""
        return arrow.schema_of(self._filling())

    def _filling(self) -> arrow.Fill:
        raise NotImplementedError


if TYPE_CHECKING:
    _List = MutableSequence
else:

    class _List(Generic[_T]):
        """Why it is no Sequence: `polars.DataFrame` would ask it for its elements, not for its columns."""

        __slots__ = ()


class GoRows(_Columns, _Copied, _List[_T]):
    """A slice of structs that a Go function returned: a list in all but its type, which is made when it is first used.

    A library of data frames gets the rows as columns of Arrow, in one crossing and without an object for each row:
    ``pandas.DataFrame.from_arrow(rows)``, ``polars.DataFrame(rows)``, ``pyarrow.table(rows)``. Once the list was used
    its elements may have changed, so that the columns are those of the list.
    """

    __module__ = "selfsame_ffi"
    __slots__ = ("__weakref__", "_call", "_count", "_list")

    def __init__(self, call: Any, count: int) -> None:
        self._call, self._count = call, count
        self._list: list[_T] | None = None

    def _used(self) -> list[_T]:
        """The list, whose elements the caller may change."""
        if self._list is None:
            made = list(self._call())
            if self._list is None:  # another thread may have been faster
                self._list = made
        return self._list

    def _plain(self) -> list[_T]:
        return list(self._used())

    def _filling(self) -> arrow.Fill:
        rows = self if self._list is None else self._call(self._list)
        return rows._call  # type: ignore[no-any-return]

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """Return capsules with the types of the columns and with their values, as an array of structs."""
        return arrow.array_of(self._filling())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return a capsule with the rows as a stream of arrays of structs."""
        return arrow.stream_of(self._filling(), len(self))

    def __tvm_ffi_value__(self) -> list[_T]:
        return self._used()

    def __len__(self) -> int:
        return self._count if self._list is None else len(self._list)

    def __iadd__(self, values: Any) -> Any:
        self._used().extend(values)
        return self

    def __imul__(self, times: int) -> Any:
        self._used().__imul__(times)
        return self


def _as_list(name: str) -> Any:
    """Make the method that does what the list does, also with another GoRows."""
    of_list = getattr(list, name)

    def method(self: GoRows[Any], *args: Any, **options: Any) -> Any:
        return of_list(self._used(), *(a._used() if isinstance(a, GoRows) else a for a in args), **options)

    method.__name__, method.__qualname__, method.__doc__ = name, f"GoRows.{name}", of_list.__doc__
    return method


for _name in (
    *("__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__reversed__", "__eq__", "__ne__"),
    *("__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__", "__rmul__"),
    *("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "index", "count"),
):
    setattr(GoRows, _name, _as_list(_name))
GoRows.__radd__ = lambda self, other: other + self._used()  # type: ignore[attr-defined]


class RowIterator(_Columns, Iterator[_T]):
    """An :class:`Iterator` of structs, whose rows a library of data frames gets as columns of Arrow.

    The Go loop runs while the library reads, by chunks of 65,536 rows, which it makes no objects of. An iterator gives
    its rows once: a second reading, and one after ``next()``, is an error.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def _filling(self) -> arrow.Fill:
        # With self, which ends the loop when it is dropped.
        return lambda what, address, first: self._next(what, address, first)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return a capsule with the rows as a stream of arrays of structs. The loop begins when somebody reads it."""
        return arrow.stream_of(self._filling(), None)
