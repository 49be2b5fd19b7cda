"""Lists, dicts and sets that are slices, arrays and maps of Go, where Go has them.

A class with the word ``sequence``, ``numbers``, ``mapping`` or ``set`` in its type attribute ``__ffi_operators__`` gets
one of the bases below, which make the rest of a list, a dict or a set of the native methods that
internal/engine/live/methods.go registers. Each use is one crossing: what needs all elements reads them at once.
"""

from __future__ import annotations

import copy
import json
import operator
import reprlib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSequence, MutableSet
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .. import _core
from .._calls.messages import no_attribute
from .._copying import DUMP
from .._types import classes
from .._types.member_signatures import LaterAnnotations
from . import arrow

_T = TypeVar("_T")
_K = TypeVar("_K")
_V = TypeVar("_V")


#: What a native method raises for a key that no key of its map can be equal to.
_REFUSED = (TypeError, ValueError, OverflowError)

_NATIVE = frozenset({"__len__", "__getitem__", "__setitem__", "__delitem__", "__getslice__"})


class _Copied:
    """Copies and pickles are plain Python containers, of a Go type with a class objects of that class."""

    __slots__ = ()

    def _plain(self) -> Any:
        raise NotImplementedError

    @classmethod
    def _ffi_container(cls) -> frozenset[str]:
        """Make the native methods of a class serve its base; return those that are of its Go type's shape."""
        return _NATIVE

    def copy(self) -> Any:
        """Return a shallow copy: a container of Python's own."""
        return self._plain()

    def __copy__(self) -> Any:
        return _core.CObject.__copy__(self) if hasattr(self, DUMP) else self._plain()  # type: ignore[arg-type]

    def __deepcopy__(self, memo: Any = None, /) -> Any:
        if hasattr(self, DUMP):
            return _core.CObject.__deepcopy__(self, memo)  # type: ignore[arg-type]
        return copy.deepcopy(self._plain(), memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        if hasattr(self, DUMP):
            return _core.CObject.__reduce_ex__(self, protocol)  # type: ignore[arg-type]
        plain = self._plain()
        return type(plain), (plain,)

    @reprlib.recursive_repr("...")
    def __repr__(self) -> str:
        return repr(self._plain())

    def _repr_html_(self) -> str | None:
        from .._debug.html import rows_of

        plain = self._plain()
        return rows_of(plain) if isinstance(plain, list) else None  # the text serves

    __hash__ = None  # type: ignore[assignment]


class GoSequence(_Copied, classes.Object, MutableSequence[_T]):
    """A slice or an array of Go, where Go has it: what happens to it happens to Go's.

    It is a list in all but its type: indexed, sliced (a slice is a list), changed, compared and shown as a list is. A
    nil slice is empty, and takes elements. An array keeps its length, and so does a slice that a func returned: another
    length is refused with a TypeError. An element that is a struct is the struct at its place. Each use takes the lock
    of the object that the slice belongs to; several uses are several steps, between which other threads come.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    if TYPE_CHECKING:

        def __len__(self) -> int: ...

        @overload
        def __getitem__(self, index: int, /) -> _T: ...

        @overload
        def __getitem__(self, index: slice, /) -> list[_T]: ...

        def __getitem__(self, index: Any, /) -> Any: ...

        @overload
        def __setitem__(self, index: int, value: _T, /) -> None: ...

        @overload
        def __setitem__(self, index: slice, value: Iterable[_T], /) -> None: ...

        def __setitem__(self, index: Any, value: Any, /) -> None: ...

        def __getslice__(self, start: int, stop: int, step: int) -> list[_T]: ...

        def __ffi_splice__(self, start: int, stop: int, values: Any) -> None: ...

        def __ffi_append__(self, value: Any) -> None: ...

        def __ffi_arrow__(self, what: str, address: int, first: int) -> int: ...

    else:

        def __getitem__(self, index: Any) -> Any:  # other indices than an int, which the native method takes
            if isinstance(index, slice):
                return self.__getslice__(*index.indices(len(self)))
            return self[_number(index)]

        def __setitem__(self, index: Any, value: Any) -> None:
            if not isinstance(index, slice):
                self[_number(index)] = value
                return
            start, stop, step = index.indices(len(self))
            if step == 1:
                self.__ffi_splice__(start, max(start, stop), _listed(value))
                return
            changed = self._plain()
            changed[index] = value
            self._become(changed)

    @classmethod
    def _ffi_container(cls) -> frozenset[str]:
        for name in ("__getitem__", "__setitem__"):  # they leave to this class what is no int
            native = vars(cls).get(name)
            if isinstance(native, _core.Method):
                native.otherwise = vars(GoSequence)[name]
        return super()._ffi_container()

    @staticmethod
    def _ffi_constructor(make: Any) -> Any:
        """Return a constructor that takes one iterable of the elements too, if `make` takes any number of them."""
        metadata = json.loads(getattr(make, "metadata", None) or "{}")
        if not metadata.get("variadic"):
            return make
        of_any = json.loads(metadata["type_schema"])["args"][-1].get("args") == [{"type": "Any"}]

        def __init__(self: Any, *value: Any) -> None:
            if len(value) == 1 and isinstance(value[0], Iterator):
                value = (list(value[0]),)
            if len(value) == 1 and of_any and isinstance(value[0], (list, tuple)):
                value = tuple(value[0])  # as a list is made of another one
            try:
                return make(self, *value)  # type: ignore[no-any-return]
            except (TypeError, ValueError):  # an array of two dimensions is no element
                if len(value) != 1 or not isinstance(value[0], Iterable) or isinstance(value[0], (str, bytes)):
                    raise
            make(self, *value[0])

        __init__.__doc__, __init__.__annotations__ = make.__doc__, LaterAnnotations(lambda: make.__annotations__)
        __init__.__wrapped__ = make  # type: ignore[attr-defined]  # whose signature it has
        return __init__

    def _plain(self) -> list[_T]:
        return self.__getslice__(0, 0, 0)

    def __iter__(self) -> Iterator[_T]:
        return iter(self._plain())

    def __reversed__(self) -> Iterator[_T]:
        return reversed(self._plain())

    def __contains__(self, value: object) -> bool:
        return value in self._plain()

    @property
    def __arrow_c_schema__(self) -> Any:
        """Columns of Arrow, where the elements are structs: elsewhere consumers look for other ways."""
        return partial(arrow.schema_of, self._filling("__arrow_c_schema__"))

    @property
    def __arrow_c_array__(self) -> Any:
        fill = self._filling("__arrow_c_array__")
        return lambda requested_schema=None: arrow.array_of(fill)

    @property
    def __arrow_c_stream__(self) -> Any:
        fill = self._filling("__arrow_c_stream__")
        return lambda requested_schema=None: arrow.stream_of(fill, len(self))

    def _filling(self, name: str) -> Any:
        if not self.__ffi_arrow__("rows", 0, 0):
            raise no_attribute(self, name)
        return self.__ffi_arrow__

    def __delitem__(self, index: Any) -> None:
        if not isinstance(index, slice):
            at = range(len(self))[_number(index)]
            self.__ffi_splice__(at, at + 1, [])
            return
        places = range(len(self))[index]
        for at in sorted(places, reverse=True) if abs(places.step) != 1 else ():
            self.__ffi_splice__(at, at + 1, [])
        if abs(places.step) == 1 and places:
            self.__ffi_splice__(min(places), max(places) + 1, [])

    def _become(self, values: Any) -> None:
        self.__ffi_splice__(0, len(self), values)

    def append(self, value: _T) -> None:
        """Add a value at the end, as Go's append does: the field, variable or element has the longer slice."""
        self.__ffi_append__(value)

    def extend(self, values: Iterable[_T]) -> None:
        """Add all values of an iterable at the end."""
        n = len(self)
        self.__ffi_splice__(n, n, _listed(values))

    def insert(self, index: int, value: _T) -> None:
        """Insert a value before an index."""
        at = slice(_number(index), None).indices(len(self))[0]
        self.__ffi_splice__(at, at, [value])

    def pop(self, index: int = -1) -> _T:
        """Remove and return the value at an index."""
        value = self[index]
        del self[index]
        return value

    def remove(self, value: Any) -> None:
        """Remove the first element that equals `value`. Raises ValueError without one."""
        del self[self._plain().index(value)]

    def clear(self) -> None:
        """Remove all elements."""
        self._become([])

    def reverse(self) -> None:
        """Turn the order around, in place."""
        self._become(self._plain()[::-1])

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Sort the elements in place, as ``list.sort`` does, or by the order that the Go type has."""
        order = getattr(type(self), "__go_sort__", None)
        if order is not None and key is None:
            order(self)
            if reverse:
                self.reverse()
            return
        self._become(sorted(self._plain(), key=key, reverse=reverse))

    def index(self, value: Any, *bounds: int) -> int:
        """Return the position of the first element that equals `value`. Raises ValueError without one."""
        return self._plain().index(value, *bounds)

    def count(self, value: Any) -> int:
        """Return how many elements equal `value`."""
        return self._plain().count(value)

    def __eq__(self, other: object) -> Any:
        return self is other or (self._plain() == _listed(other) if _is_list(other) else NotImplemented)

    def __lt__(self, other: Any) -> Any:
        return self._plain() < _listed(other) if _is_list(other) else NotImplemented

    def __le__(self, other: Any) -> Any:
        return self._plain() <= _listed(other) if _is_list(other) else NotImplemented

    def __gt__(self, other: Any) -> Any:
        return self._plain() > _listed(other) if _is_list(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self._plain() >= _listed(other) if _is_list(other) else NotImplemented

    def __add__(self, other: Any) -> Any:
        return self._plain() + _listed(other) if _is_list(other) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return other + self._plain() if isinstance(other, list) else NotImplemented

    def __mul__(self, times: Any) -> Any:
        return self._plain() * times

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> Any:
        self._become(self._plain() * times)
        return self


class GoNumbers(_core.NumbersBase, GoSequence[_T]):
    """A :class:`GoSequence` of numbers, with the buffer protocol.

    ``memoryview(x)`` and ``numpy.asarray(x)`` share Go's memory, without a copy. What makes the slice longer may give
    it other memory; the array keeps the old one.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"


class GoMapping(_Copied, classes.Object, MutableMapping[_K, _V]):
    """A map of Go, where Go has it: what happens to it happens to Go's.

    It is a dict in all but its type and its order: a map of Go has none. A nil map is empty, and takes keys. A value
    that is a slice or a struct is stored again after each change of it, as Go code would do.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    if TYPE_CHECKING:

        def __len__(self) -> int: ...

        def __getitem__(self, key: _K) -> _V: ...

        def __setitem__(self, key: _K, value: _V) -> None: ...

        def __delitem__(self, key: _K) -> None: ...

        def __ffi_all__(self) -> dict[_K, _V]: ...

        def __ffi_keys__(self) -> list[_K]: ...

        def __ffi_has__(self, key: object) -> bool: ...

        def __ffi_update__(self, clear: bool, values: Any) -> None: ...

    def _plain(self) -> dict[_K, _V]:
        return self.__ffi_all__()

    def __iter__(self) -> Iterator[_K]:
        return iter(self.__ffi_keys__())

    def __contains__(self, key: object) -> bool:
        return _has(self, key)

    if not TYPE_CHECKING:  # those of MutableMapping say it

        def get(self, key: Any, default: Any = None) -> Any:
            """Return the value of a key, `default` if there is none."""
            try:
                return self[key]
            except (KeyError, *_REFUSED):
                return default

        def items(self) -> Any:
            """Return the keys and values of this moment."""
            return self._plain().items()

        def values(self) -> Any:
            """Return the values of this moment."""
            return self._plain().values()

    def clear(self) -> None:
        """Remove all keys."""
        self.__ffi_update__(True, {})

    def update(self, other: Any = (), /, **more: Any) -> None:
        """Set the keys of another mapping, or of pairs."""
        self.__ffi_update__(False, dict(other, **more))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Mapping):
            return NotImplemented
        return self is other or self._plain() == dict(other)

    def __or__(self, other: Any) -> Any:
        return {**self._plain(), **other} if isinstance(other, Mapping) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        return {**other, **self._plain()} if isinstance(other, Mapping) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self


class GoSet(_Copied, classes.Object, MutableSet[_T]):
    """A map of Go whose values are empty, where Go has it: a set."""

    __slots__ = ()
    __module__ = "selfsame_ffi"

    if TYPE_CHECKING:

        def __len__(self) -> int: ...

        def __delitem__(self, value: _T) -> None: ...

        def __ffi_all__(self) -> set[_T]: ...

        def __ffi_has__(self, value: object) -> bool: ...

        def __ffi_update__(self, clear: bool, values: Any) -> None: ...

    @classmethod
    def _from_iterable(cls, values: Iterable[Any]) -> Any:
        return set(values)

    def _plain(self) -> set[_T]:
        return self.__ffi_all__()

    def __iter__(self) -> Iterator[_T]:
        return iter(self._plain())

    def __contains__(self, value: object) -> bool:
        return _has(self, value)

    def add(self, value: _T) -> None:
        """Add an element."""
        self.__ffi_update__(False, [value])

    def update(self, *others: Iterable[_T]) -> None:
        """Add the elements of iterables."""
        for values in others:
            self.__ffi_update__(False, list(values))

    def discard(self, value: Any) -> None:
        """Remove an element, if it is there."""
        if value in self:
            del self[value]

    def clear(self) -> None:
        """Remove all elements."""
        self.__ffi_update__(True, [])


def _number(index: Any) -> int:
    try:
        return int(operator.index(index))  # before Python 3.10 a bool stays one
    except TypeError:
        raise TypeError(f"list indices must be integers or slices, not {type(index).__name__}") from None


def _is_list(value: object) -> bool:
    return isinstance(value, (list, GoSequence))


def _listed(values: Any) -> Any:
    return values if isinstance(values, list) else list(values)


def _has(container: Any, key: Any) -> bool:
    try:
        return container.__ffi_has__(key)  # type: ignore[no-any-return]
    except _REFUSED:
        hash(key)
        return False  # no key of the map's type is equal to it


classes.container_bases.update(sequence=GoSequence, numbers=GoNumbers, mapping=GoMapping, set=GoSet)
