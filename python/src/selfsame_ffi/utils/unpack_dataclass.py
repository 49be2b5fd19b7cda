"""Dataclasses as tuples of their fields' values, without copying the values."""

from __future__ import annotations

import dataclasses
import keyword
import typing
from typing import Any, Callable

from .._load.at_exit import emptied

_LEAVES = {int, float, str, bool, bytes, complex, type(None), Ellipsis}
_UNIONS: tuple[Any, ...] = (typing.Union, getattr(__import__("types"), "UnionType", typing.Union))

# The function for each class that was seen. A class that goes away leaves its entry: classes seldom do.
_converters: dict[type, Callable[[Any], Any]] = emptied({})


def unpack_dataclass_to_tuple(x: Any) -> Any:
    """Return the value with every dataclass in it as the tuple of its fields' values.

    Lists, tuples and named tuples keep their type, dicts become new dicts with converted values; any other value is
    itself.
    """
    convert = _converters.get(type(x))
    if convert is None:
        convert = _converters[type(x)] = _converter_of(type(x))
    return convert(x)


def _itself(x: Any) -> Any:
    return x


def _converter_of(cls: type) -> Callable[[Any], Any]:
    if dataclasses.is_dataclass(cls):
        return _of_dataclass(cls)
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return lambda x: type(x)(*map(unpack_dataclass_to_tuple, x))
    if issubclass(cls, (list, tuple)):
        return lambda x: type(x)(map(unpack_dataclass_to_tuple, x))
    if issubclass(cls, dict):
        return lambda x: {key: unpack_dataclass_to_tuple(value) for key, value in x.items()}
    return _itself


# The treatment of each field of a dataclass: None leaves its value, UNPACK looks at the value's own class, and a dict
# unpacks a dataclass that the annotation names.
UNPACK = "unpack"


def _extract_dataclass_to_tuple_schema(cls: Any, *, memo: set[type] | None = None) -> dict[str, Any]:
    """The treatment of a dataclass's fields, by their annotations. `memo` has the classes that are being looked at."""
    if not isinstance(cls, type) or not dataclasses.is_dataclass(cls):
        raise TypeError(f"Expected a dataclass class, got {cls!r}")
    seen = (memo or set()) | {cls}
    try:
        hints = typing.get_type_hints(cls)
    except (NameError, TypeError, AttributeError):
        hints = {}

    def step(annotation: Any) -> Any:
        if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
            return UNPACK if annotation in seen else _extract_dataclass_to_tuple_schema(annotation, memo=seen)
        return None if _is_leaf(annotation) else UNPACK

    return {field.name: step(hints.get(field.name, field.type)) for field in dataclasses.fields(cls)}


def _validate_dataclass_to_tuple_schema(schema: Any) -> None:
    """Raise TypeError or ValueError unless all names are identifiers: they become source text."""
    if not isinstance(schema, dict):
        raise TypeError(f"DataclassToTupleSchema must be a dict, got {type(schema).__name__}")
    for name, step in schema.items():
        if not isinstance(name, str):
            raise TypeError(f"Schema field name must be a string, got {type(name).__name__}")
        if not name.isidentifier():
            raise ValueError(f"Schema field name {name!r} is not a valid Python identifier")
        if keyword.iskeyword(name):
            raise ValueError(f"Schema field name {name!r} is a Python keyword")
        if step is not None and step != UNPACK:
            _validate_dataclass_to_tuple_schema(step)


def _expression(value: str, schema: dict[str, Any]) -> str:
    parts = []
    for name, step in schema.items():
        part = f"{value}.{name}"
        parts.append(part if step is None else f"unpack({part})" if step == UNPACK else _expression(part, step))
    return f"({''.join(part + ', ' for part in parts)})"


def _of_dataclass(cls: type) -> Callable[[Any], Any]:
    """A function compiled for the class."""
    schema = _extract_dataclass_to_tuple_schema(cls)
    _validate_dataclass_to_tuple_schema(schema)
    return eval(f"lambda x: {_expression('x', schema)}", {"unpack": unpack_dataclass_to_tuple, "__builtins__": {}})


def _is_leaf(annotation: Any) -> bool:
    """Whether no value of the type can have a dataclass in it, or has to be converted."""
    if annotation in _LEAVES if isinstance(annotation, (type, type(Ellipsis))) else False:
        return True
    origin = typing.get_origin(annotation)
    if origin not in (tuple, dict, set, frozenset, *_UNIONS):
        return False
    args = typing.get_args(annotation)
    return bool(args) and all(map(_is_leaf, args))
