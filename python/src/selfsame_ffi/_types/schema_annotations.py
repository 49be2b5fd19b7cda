"""Type schemas of Python annotations."""

from __future__ import annotations

import collections.abc
import ctypes
import types
import typing
from typing import Any

from .. import _core, _device, _dtype
from . import text
from .schema_names import INDICES, NAMES

_UNIONS: tuple[Any, ...] = (typing.Union, getattr(types, "UnionType", typing.Union))  # X | Y, since Python 3.10
_BARE: dict[Any, str] = {
    None: "None",
    type(None): "None",
    typing.Any: "Any",
    bool: "bool",
    int: "int",
    float: "float",
    str: "str",
    bytes: "bytes",
    list: "List",
    dict: "Dict",
    tuple: "tuple",
    collections.abc.Callable: "Callable",
    typing.Callable: "Callable",
    ctypes.c_void_p: "ctypes.c_void_p",
    _dtype.dtype: "dtype",
    _device.Device: "Device",
}


def schema_of(annotation: Any, make: Any) -> Any:
    """Return the schema, made by `make` (the class TypeSchema). TypeError for an annotation without a native type.

    Where `make` is an :class:`OfFields`, a class without a native type has a schema too: of the Python value itself.
    """
    try:
        bare = _BARE.get(annotation)
    except TypeError:  # an annotation that cannot be hashed
        bare = None
    if bare is not None:
        return make(bare)
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in _UNIONS:
        return _union(args, make)
    if origin in (typing.Annotated, typing.Final):
        return schema_of(args[0], make)
    if origin is typing.Literal:
        return _literal(args, make)
    if named := getattr(annotation, "__supertype__", None):  # of typing.NewType, a function before Python 3.10
        return schema_of(named, make)
    if isinstance(annotation, typing.TypeVar):
        return _type_var(annotation, make)
    if isinstance(annotation, _ALIASES):  # the statement `type X = ...`, since Python 3.12
        return schema_of(annotation.__value__, make)
    if origin in _GENERIC:
        return _GENERIC[origin](args, make)
    if isinstance(annotation, type) and annotation in _GENERIC:
        return _GENERIC[annotation]((), make)
    cls = origin if isinstance(origin, type) else annotation
    if isinstance(cls, type):
        if issubclass(cls, _core.CObject) or cls is _core.Shape:
            return _object(cls, args, make)
        if issubclass(cls, text.PyNativeObject):
            return make("str" if issubclass(cls, str) else "bytes")
        if hasattr(cls, "__dlpack__"):
            return make("Tensor")
        if isinstance(make, OfFields):
            return make("Any", _all(args, make) if cls in _SETS else (), python_class=cls)
    raise TypeError(f"Cannot convert {annotation!r} to TypeSchema")


class OfFields:
    """Makes the schemas of fields of classes declared in Python, which hold values of any Python class."""

    def __init__(self, make: Any) -> None:
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._make(*args, **kwargs)


def _type_var(variable: Any, make: Any) -> Any:
    """The schema of what a type variable may stand for: all that its bound or its constraints allow."""
    if variable.__constraints__:
        return _union(variable.__constraints__, make)
    known = variable.__bound__ is not None and not isinstance(variable.__bound__, typing.ForwardRef)
    return schema_of(variable.__bound__, make) if known else make("Any")


def _all(annotations: Any, make: Any) -> tuple[Any, ...]:
    return tuple(schema_of(annotation, make) for annotation in annotations)


def _union(args: tuple[Any, ...], make: Any) -> Any:
    parts = _all((arg for arg in args if arg is not type(None)), make)
    if len(parts) == len(args):
        return make("Union", parts)
    return make("Optional", parts if len(parts) == 1 else (make("Union", parts),))


def _literal(values: tuple[Any, ...], make: Any) -> Any:
    """The schema of the types that the values have. Type checkers look at the values, native code does not."""
    found = tuple(dict.fromkeys(type(value) for value in values))
    return schema_of(found[0], make) if len(found) == 1 else _union(found, make)


def _list(args: tuple[Any, ...], make: Any) -> Any:
    if len(args) > 1:
        raise TypeError(f"list takes at most 1 type argument, got {len(args)}")
    return make("List", _all(args, make))


def _dict(args: tuple[Any, ...], make: Any) -> Any:
    if len(args) not in (0, 2):
        raise TypeError(f"dict requires 0 or 2 type arguments, got {len(args)}")
    return make("Dict", _all(args, make))


def _tuple(args: tuple[Any, ...], make: Any) -> Any:
    if len(args) == 2 and args[1] is Ellipsis:
        return make("Array", _all(args[:1], make))
    if args == ((),):  # tuple[()] before Python 3.11
        args = ()
    return make("tuple", _all(args, make))


def _array(args: tuple[Any, ...], make: Any) -> Any:
    return make("Array", _all(args, make))


def _map(args: tuple[Any, ...], make: Any) -> Any:
    return make("Map", _all(args, make))


def _callable(args: tuple[Any, ...], make: Any) -> Any:
    if len(args) != 2:
        return make("Callable")
    groups = {"return": (schema_of(args[1], make),)}
    if isinstance(args[0], list):
        groups["params"] = _all(args[0], make)
    return make("Callable", named_args=groups)


_ALIASES: Any = getattr(typing, "TypeAliasType", ())
_SETS = (set, frozenset, collections.abc.Set, collections.abc.MutableSet)
_GENERIC: dict[Any, Any] = {
    list: _list,
    dict: _dict,
    tuple: _tuple,
    collections.abc.Callable: _callable,
    collections.abc.Sequence: _array,
    collections.abc.Collection: _array,
    collections.abc.Iterable: _array,
    collections.abc.MutableSequence: _list,
    collections.abc.Mapping: _map,
    collections.abc.MutableMapping: _dict,
}


def _object(cls: type, args: tuple[Any, ...], make: Any) -> Any:
    index = vars(cls).get("__tvm_ffi_type_index__")
    if index is None and cls is _core.Shape:
        index = INDICES["ffi.Shape"]
    if index is None:
        raise TypeError(f"the class {cls!r} is not registered for a native type; use @register_object to register it")
    origin = NAMES.get(index) or _core.type_key_of(index)
    wanted = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}.get(str(origin))
    if args and wanted is not None and len(args) != wanted:
        raise TypeError(f"{origin} requires {wanted} type argument{'s'[: wanted - 1]}, got {len(args)}")
    return make(origin, _all(args, make), origin_type_index=index)
