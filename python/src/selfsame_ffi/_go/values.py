"""Python values that the C ABI has no type for, taken apart and made for Go.

Go packages call the global functions that :func:`register` makes; they carry such values as opaque objects. The kinds
are those of the Go frontend (internal/engine/convert/python.go): their parts are numbers, text, containers and
Functions.
"""

from __future__ import annotations

import datetime
import enum
import numbers
import operator
import os
import threading
from collections.abc import Mapping, Sequence, Set, ValuesView
from functools import partial
from types import FunctionType
from typing import Any, Callable

from .. import _core
from .._calls.awaited import poll
from .._calls.messages import type_name
from ..container import Dict, List, Map
from . import arrow
from .ahead import elements_of
from .declared_types import declared_types
from .enums import member_of
from .files import file_of, served_file
from .iterators import Iterator, PairIterator
from .records import make_record, make_records, record_values
from .rows import GoRows, RowIterator
from .unraisable import report
from .written import UNPACK as WRITTEN
from .written import is_iterable, store

_NAIVE_EPOCH = datetime.datetime(1970, 1, 1)


def _time_parts(value: Any) -> Any:
    if not isinstance(value, datetime.datetime):
        return type_name(value)
    offset = value.utcoffset()
    if offset is None:
        return "a datetime without a time zone; give it one, as by astimezone()"
    if offset.microseconds:
        return "a datetime whose offset from UTC has parts of a second"
    since = value.replace(tzinfo=None) - _NAIVE_EPOCH - offset  # a time in UTC may be out of a datetime's range
    seconds = since.days * 86400 + since.seconds
    return (seconds, since.microseconds * 1000, round(offset.total_seconds()), value.tzname() or "")


def _duration_parts(value: Any) -> Any:
    if not isinstance(value, datetime.timedelta):
        return type_name(value)
    if isinstance(value, _Nanoseconds):
        return divmod(value.count, 1_000_000_000)
    return (value.days * 86400 + value.seconds, value.microseconds * 1000)


class _Nanoseconds(datetime.timedelta):
    """A ``time.Duration`` that is no whole number of microseconds, which Go gets back as it was."""

    count: int

    def __reduce__(self) -> tuple[Any, ...]:
        return nanoseconds, (self.count,)

    def __repr__(self) -> str:
        return repr(self + datetime.timedelta())


def nanoseconds(count: int) -> datetime.timedelta:
    """Return the timedelta of a ``time.Duration``, a number of nanoseconds.

    Python has the nearest number of microseconds. Go gets back all of it.
    """
    whole, rest = divmod(count, 1_000_000)
    if count % 1000 == 0:
        return datetime.timedelta(milliseconds=whole, microseconds=rest // 1000)
    made = _Nanoseconds(milliseconds=whole, microseconds=rest / 1000)
    made.count = count
    return made


def _complex_parts(value: Any) -> Any:
    if not isinstance(value, numbers.Complex):  # also those of NumPy, of any width
        return type_name(value)
    exact = complex(value)
    return (exact.real, exact.imag)


def _elements_of(value: Any, one_by_one: bool = True) -> Any:
    try:
        return elements_of(value, one_by_one)
    except TypeError:
        return type_name(value)


def _copied_items(value: Any) -> Any:
    """The elements of an iterable, which an iterator gives once. A text, bytes and a mapping are none of elements."""
    if isinstance(value, memoryview):  # bytes are no numbers
        return type_name(value) if value.format == "B" or not value.ndim else tuple(value.tolist())
    if hasattr(value, "to_pylist"):  # pyarrow, whose elements are scalars of its own
        value = value.to_pylist()
    return tuple(value) if is_iterable(value) else type_name(value)


def _any_parts(value: Any) -> Any:
    """The kind of a value, and the value itself or one that native code knows: for Go functions that take anything.

    Where Go has nothing that stands for it, the name of its type, alone if the value should be passed as another one.
    """
    if isinstance(value, enum.Enum):
        return ("enum", value.value, type_name(value))
    if isinstance(value, datetime.datetime):
        return ("time", value)
    if isinstance(value, datetime.date):  # midnight, as Go's parsers of dates have it
        return ("time", datetime.datetime(value.year, value.month, value.day, tzinfo=datetime.timezone.utc))
    if isinstance(value, datetime.timedelta):
        return ("delta", value)
    if isinstance(value, numbers.Complex):
        return ("complex", complex(value))
    if isinstance(value, (bytearray, memoryview)):
        return ("plain", bytes(value))
    if type_name(value) == "uuid.UUID":  # by name: importing the module would cost every program
        return ("plain", str(value))
    if isinstance(value, os.PathLike):
        return ("plain", os.fspath(value))
    if isinstance(value, Mapping):
        return ("plain", dict(value))
    if isinstance(value, (Set, Sequence, ValuesView)):
        return ("plain", list(value))
    name = type_name(value)
    return name + _HINTS[name] if name in _HINTS else ("object", name)


_HINTS = {
    "decimal.Decimal": "; pass it as a float or as a str",
    "datetime.time": "; pass its isoformat()",
}


_UNPACK: dict[str, Callable[..., Any]] = {
    "time": _time_parts,
    "delta": _duration_parts,
    "complex": _complex_parts,
    "iter": _elements_of,
    "items": _copied_items,
    "reader": lambda value: served_file(value, "read"),
    "writer": lambda value: served_file(value, "write"),
    "rw": lambda value: served_file(value, "read", "write"),
    "seeks": lambda value: served_file(value, "read", "seek"),
    "wseeks": lambda value: served_file(value, "write", "seek"),
    "rwseeks": lambda value: served_file(value, "read", "write", "seek"),
    "record": record_values,
    "bytes": lambda value: value.tobytes() if isinstance(value, memoryview) else type_name(value),
    "any": _any_parts,
    "type": type_name,
    **WRITTEN,
    "text": str,
    "repr": repr,
    "same": operator.eq,
    "arrow": arrow.addresses,
    "isarrow": arrow.is_arrow,
    "isa": lambda value, index: isinstance(value, _core.registered_class(index) or ()),
    "types": declared_types,
    "isset": lambda value: isinstance(value, Set),
}


def _unpack(kind: str, value: Any, *more: Any) -> Any:
    return _UNPACK[kind](value, *more)


def _time(seconds: int, nanoseconds: int, offset: int) -> datetime.datetime:
    zone = datetime.timezone(datetime.timedelta(seconds=offset)) if offset else datetime.timezone.utc
    try:
        local = datetime.timedelta(seconds=seconds + offset, microseconds=nanoseconds / 1000)
        return (_NAIVE_EPOCH + local).replace(tzinfo=zone)
    except OverflowError:
        raise OverflowError(
            f"expected a time.Time of the years 1 to 9999, which a datetime can hold, got one {seconds} s from 1970"
        ) from None


def plain(value: Any) -> Any:
    """Return a copy of a value with dict for Map and Dict, and list for Array and List, all the way down."""
    if isinstance(value, Dict):
        return plain(Map(value))
    if isinstance(value, List):
        return [plain(item) for item in value]
    return _core.plain(value, plain)


def _key(value: Any) -> Any:
    """Return what Go has as an array as a key of Python's: lists are none, tuples are."""
    return tuple(map(_key, value)) if isinstance(value, list) else value


_PACK: dict[str, Callable[..., Any]] = {
    "time": _time,
    "times": lambda *columns: list(map(_time, *columns)),
    "delta": lambda seconds, rest: nanoseconds(seconds * 1_000_000_000 + rest),
    "complex": complex,
    "tuple": lambda *items: items,
    "plain": plain,
    "keys": lambda keys: [_key(key) for key in plain(keys)],
    "iter": Iterator,
    "pairs": PairIterator,
    "rowiter": RowIterator,
    "rows": GoRows,
    "reader": lambda do: file_of(do, reads=True),
    "writer": lambda do: file_of(do, writes=True),
    "rw": lambda do: file_of(do, reads=True, writes=True),
    "record": make_record,
    "records": make_records,
    "member": member_of,
    "error": lambda error: error.py_error(),
}


def _pack(kind: str, *parts: Any) -> Any:
    return _core.opaque(_PACK[kind](*parts))


# The special methods with which Python classes say what Go has methods for.
_SPECIAL = {
    "string": "__str__",
    "error": "__str__",
    "len": "__len__",
    "size": "__len__",
    "contains": "__contains__",
    "has": "__contains__",
    "equal": "__eq__",
    "equals": "__eq__",
    "at": "__getitem__",
    "get": "__getitem__",
}


def _method(value: Any, name: str) -> Any:
    """The method of an object for a method of Go. A special method counts where its class has none of the name."""
    special = _SPECIAL.get(name)
    for cls in type(value).__mro__:
        if name in cls.__dict__:
            index = getattr(cls, "__tvm_ffi_type_index__", None)  # a mixin has none
            own = index is not None and _core.registered_class(index) is cls
            if own and not isinstance(cls.__dict__[name], FunctionType):
                raise NotImplementedError(
                    f"{type(value).__qualname__} must define the method {name}(): {cls.__qualname__} only declares it"
                )
            break
        if special is not None and special in cls.__dict__ and cls is not object:
            return getattr(value, special)
    return getattr(value, name)


_registering = threading.Lock()


def _serve(name: str, make: Callable[[], Any]) -> None:
    if _core.get_global_func("selfsame.python." + name) is None:
        _core.set_global_func("selfsame.python." + name, make(), False)


def register() -> None:
    """Register the functions that Go packages call, unless that is done."""
    with _registering:
        for name, function in (
            ("pack", _pack),
            ("unpack", _unpack),
            ("store", store),
            ("report", report),
            ("poll", poll),
            ("method", _method),
        ):
            _serve(name, partial(_core.function_from_callable, function))
        _serve("gil", _core.function_of_gil)
        for name in ("dict", "set", "ints", "floats", "list"):  # list last: where it is known, Go relies on the others
            _serve(name, partial(_core.function_of_builtin, name))
