"""Compiling a TypeSchema to the core's Schema, which checks and converts values."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, Callable

from .. import _core, _device, _dtype
from .schema_names import OBJECT, UNKNOWN, index_of

if TYPE_CHECKING:
    from .type_schema import TypeSchema

_SCALARS = {
    "Any": "any",
    "None": "none",
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "bytes": "bytes",
    "ctypes.c_void_p": "pointer",
    "Tensor": "tensor",
    "Callable": "callable",
}
_CONTAINERS = {"Array": "Array", "List": "List", "list": "List", "Map": "Map", "Dict": "Dict", "dict": "Dict"}


def compile_schema(schema: TypeSchema) -> _core.Schema:
    """Return the compiled schema. TypeError for an origin that no type is registered under."""
    origin = schema.origin
    if schema.python_class is not None:
        return _compile_python(schema.python_class, schema.args or ())
    if origin in _SCALARS:
        return _core.Schema(_SCALARS[origin], origin)
    if origin == "Device":
        return _core.Schema("device", origin, helper=_device.Device)
    if origin == "dtype":
        return _core.Schema("dtype", origin, helper=_dtype.dtype)
    if origin == "Optional":
        inner = schema.args[0]._converter  # type: ignore[index]
        return _core.Schema("optional", inner.expected, (inner,))
    if origin == "Union":
        parts = schema.args or ()
        return _core.Schema("union", " | ".join(map(repr, parts)), tuple(part._converter for part in parts))
    if origin in _CONTAINERS:
        name = _CONTAINERS[origin]
        args = schema.args or ()
        bare = all(arg.origin == "Any" and arg.python_class is None for arg in args)
        return _core.Schema(name.lower(), name, None if bare else tuple(arg._converter for arg in args))
    if origin == "tuple":
        parts_or_none = None if schema.args is None else tuple(arg._converter for arg in schema.args)
        return _core.Schema("tuple", "tuple", parts_or_none)
    return _compile_object(schema)


def _compile_python(cls: Any, elements: tuple[TypeSchema, ...]) -> _core.Schema:
    """The schema of a Python value that is held as it is, in an opaque object."""

    def held(value: Any) -> Any:
        if not isinstance(value, cls):
            raise TypeError(f"it is no {cls.__module__}.{cls.__qualname__}")
        parts: Any = value if elements else ()
        for element in parts:
            elements[0]._converter.check(element)
        return _core.opaque(value)

    return _core.Schema("enum", cls.__qualname__, None, index_of("ffi.OpaquePyObject"), held)


def _compile_object(schema: TypeSchema) -> _core.Schema:
    index = schema.origin_type_index
    if index == UNKNOWN:
        index = index_of(schema.origin)  # registered since the schema was made
    if index < OBJECT:
        raise TypeError(f"unknown TypeSchema origin: {schema.origin!r}")
    payload = getattr(_core.registered_class(index), "__ffi_payload_type__", None)
    if payload is None:
        return _core.Schema("object", schema.origin, None, index)
    return _core.Schema("enum", schema.origin, None, index, _member_of(index, payload))


def _member_of(index: int, payload: type) -> Callable[[Any], Any]:
    """A function that finds the enum member for a payload, None when there is none."""

    def member(value: Any) -> Any:
        if payload is int:
            if not isinstance(value, Integral):
                return None
            value = int(value)
            if not -(1 << 63) <= value < 1 << 63:
                raise TypeError(f"integer {value} out of int64 range [{-(1 << 63)}, {(1 << 63) - 1}]")
        elif not isinstance(value, payload):
            return None
        state: Any = _core.type_attr(index, "__ffi_enum__")
        return None if state is None else state.indexes.get(value)

    return member
