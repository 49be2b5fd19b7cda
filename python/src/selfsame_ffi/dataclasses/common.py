"""The functions of the standard library's dataclasses module, for classes made by ``py_class`` and ``c_class``."""

from __future__ import annotations

import copy
from collections import namedtuple
from collections.abc import Iterable
from functools import wraps
from typing import Any, Callable, TypeVar, overload

from .._types.type_info import dataclass_fields
from .._types.type_schema import TypeSchema
from ..container import Array, Dict, List, Map
from .field import Field

_T = TypeVar("_T")
_ATOMS = frozenset({bool, bytes, complex, float, int, str, type(None), type(...), type(NotImplemented)})


def is_dataclass(obj: Any) -> bool:
    """Say whether a class, or the class of an object, was made by ``py_class`` or ``c_class``."""
    cls = obj if isinstance(obj, type) else type(obj)
    return getattr(cls, "__ffi_is_dataclass__", False) is True


def fields(obj_or_cls: Any) -> tuple[Field, ...]:
    """Return the fields of a class or of an object's class, the parent's first. TypeError for any other class."""
    cls: Any = obj_or_cls if isinstance(obj_or_cls, type) else type(obj_or_cls)
    if getattr(cls, "__ffi_is_dataclass__", False) is not True:
        raise TypeError(
            f"fields() argument must be a c_class or py_class type or instance, got {type(obj_or_cls).__name__}"
        )
    index = cls.__tvm_ffi_type_index__
    found = dataclass_fields.get(index)
    if found is None:
        native = cls.__tvm_ffi_type_info__.all_fields()
        found = tuple(each.dataclass_field for each in native if each.dataclass_field is not None)
        dataclass_fields[index] = found
    return found


def replace(obj: _T, /, **changes: Any) -> _T:
    """Return a copy of an object with other values for some fields, read-only ones included."""
    return obj.__replace__(**changes)  # type: ignore[attr-defined, no-any-return]


def _is_instance(obj: Any) -> bool:
    return not isinstance(obj, type) and is_dataclass(obj)


@overload
def asdict(obj: Any) -> dict[str, Any]: ...
@overload
def asdict(obj: Any, *, dict_factory: Callable[[list[tuple[str, Any]]], _T]) -> _T: ...
def asdict(obj: Any, *, dict_factory: Callable[..., Any] = dict) -> Any:
    """Return an object's fields as a dict, recursively: native containers become lists and dicts.

    Any other value is copied with :func:`copy.deepcopy`. TypeError for an object of another class.
    """
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on c_class / py_class instances")
    return _asdict_inner(obj, dict_factory)


@overload
def astuple(obj: Any) -> tuple[Any, ...]: ...
@overload
def astuple(obj: Any, *, tuple_factory: Callable[[list[Any]], _T]) -> _T: ...
def astuple(obj: Any, *, tuple_factory: Callable[..., Any] = tuple) -> Any:
    """Return an object's fields as a tuple, recursively; otherwise as :func:`asdict`."""
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on c_class / py_class instances")
    return _astuple_inner(obj, tuple_factory)


def _asdict_inner(obj: Any, dict_factory: Callable[..., Any]) -> Any:
    return _plain(obj, dict_factory, dict_factory)


def _astuple_inner(obj: Any, tuple_factory: Callable[..., Any]) -> Any:
    return _plain(obj, lambda values: tuple_factory([value for _name, value in values]), dict)


def _plain(obj: Any, of_instance: Callable[[list[tuple[str, Any]]], Any], of_map: Callable[[Any], Any]) -> Any:
    """The value with the objects in it as what `of_instance` makes of names and values."""

    def inner(value: Any) -> Any:
        return value if type(value) in _ATOMS else _plain(value, of_instance, of_map)

    cls = type(obj)
    if cls in _ATOMS:
        return obj
    if _is_instance(obj):
        return of_instance([(each.name, inner(getattr(obj, each.name))) for each in fields(cls)])
    if isinstance(obj, (Array, List)):
        return [inner(value) for value in obj]
    if isinstance(obj, (Map, Dict)):
        return of_map([(inner(key), inner(value)) for key, value in obj.items()])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return cls(*map(inner, obj))
    if isinstance(obj, (list, tuple)):
        return cls(map(inner, obj))
    if isinstance(obj, dict):
        pairs = [(inner(key), inner(value)) for key, value in obj.items()]
        if not hasattr(cls, "default_factory"):
            return cls(pairs)
        made = cls(obj.default_factory)  # type: ignore[attr-defined]
        made.update(pairs)
        return made
    return copy.deepcopy(obj)


def _make_namedtuple(typename: str, fields: tuple[Field, ...]) -> Any:
    """A named tuple class with the names of fields, whose values are converted as the fields' are."""
    make: Any = namedtuple
    made = make(typename, [each.name for each in fields])
    schemas = [each._ty_schema or TypeSchema.from_annotation(each.type) for each in fields]
    plain_new, plain_make = made.__new__, made._make.__func__

    @wraps(plain_new)
    def checked_new(cls: type, /, *args: Any, **kwargs: Any) -> Any:
        values = []
        for name, schema, value in zip(made._fields, schemas, plain_new(cls, *args, **kwargs)):
            try:
                values.append(schema.convert(value).to_py())
            except TypeError as error:
                raise TypeError(f"{typename}.{name}: {error}") from error
        return plain_new(cls, *values)

    def checked_make(cls: Any, iterable: Iterable[Any]) -> Any:
        return cls(*plain_make(cls, iterable))

    made.__annotations__ = {each.name: each.type for each in fields if each.type is not None}
    made.__new__ = staticmethod(checked_new)
    made._make = classmethod(checked_make)
    return made


__all__ = ["asdict", "astuple", "fields", "is_dataclass", "replace"]
