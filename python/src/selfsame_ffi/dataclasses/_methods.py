"""Methods and type attributes that a class declared in Python registers for native code."""

from __future__ import annotations

import inspect
import json
import typing
from typing import Any

from .. import _core
from .._types.type_info import TypeInfo
from .._types.type_schema import TypeSchema
from . import _hints

#: Names of a class body that become type attributes, which native code looks up by type.
TYPE_ATTRS = frozenset(
    {
        "__ffi_repr__",
        "__ffi_hash__",
        "__ffi_eq__",
        "__ffi_compare__",
        "__ffi_convert__",
        "__ffi_convert_type_schema__",
        "__any_hash__",
        "__any_equal__",
        "__s_equal__",
        "__s_hash__",
        "__s_visit__",
        "__s_mutate__",
        "__s_maybe_inplace_mutate__",
        "__data_to_json__",
        "__data_from_json__",
    }
)

#: Those that a class takes over from its parent unless it says otherwise.
INHERITED = ("__s_equal__", "__s_hash__", "__s_visit__", "__data_to_json__", "__data_from_json__")


def method(fn: Any) -> Any:
    """Register the decorated method or static method of a ``py_class`` for native code: C++, Rust and Go can call it.

    TypeError for a class method, whose first argument native code does not have.
    """
    if isinstance(fn, classmethod):
        raise TypeError(
            "@tvm_ffi.method: @classmethod is not supported: native code has no class to pass; "
            "use @staticmethod or an instance method"
        )
    if not isinstance(fn, staticmethod) and not callable(fn):
        raise TypeError(f"@tvm_ffi.method: expected a callable, got {type(fn).__name__}.")
    target: Any = fn.__func__ if isinstance(fn, staticmethod) else fn
    target.__ffi_method__ = True
    return fn


def is_marked(value: Any) -> bool:
    """Say whether :func:`method` marked a value of a class body."""
    target = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    return callable(target) and getattr(target, "__ffi_method__", False) is True


def type_attr_options(cls: type) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names that are type attributes of a class, and those that it takes over from its parent."""
    extra = getattr(cls, "__ffi_type_attr_names__", ())
    inherited = getattr(cls, "__ffi_inherit_type_attrs__", INHERITED)
    for names in (extra, inherited):
        if not isinstance(names, (tuple, list)) or not all(isinstance(name, str) for name in names):
            raise TypeError("TypeAttr registration lists must be tuples or lists of strings")
    return TYPE_ATTRS | {*extra, *inherited}, tuple(inherited)


def collect(cls: type, with_schemas: bool) -> list[tuple[Any, ...]]:
    """Return the methods of a class body: (name, value, whether static), and the metadata with `with_schemas`."""
    names, _ = type_attr_options(cls)
    found: list[tuple[Any, ...]] = []
    for name, value in vars(cls).items():
        marked = is_marked(value)
        if name not in names and not marked:
            continue
        if isinstance(value, classmethod):
            raise TypeError(
                f"@py_class({cls.__name__!r}): {name!r} is wrapped by @classmethod, which is incompatible with FFI "
                "registration; use @staticmethod or an instance method"
            )
        static = isinstance(value, staticmethod)
        function = value.__func__ if static else value
        metadata = _metadata(cls, function, static) if with_schemas and marked and name not in names else None
        found.append((name, function, static, metadata) if with_schemas else (name, function, static))
    return found


def inherited(info: TypeInfo, names: tuple[str, ...]) -> list[tuple[Any, ...]]:
    """Return the type attributes that a class takes over: the nearest ancestor's, unless a class body has None."""
    found: list[tuple[Any, ...]] = []
    for name in names:
        if name in vars(info.type_cls):
            continue
        above = info.parent_type_info
        while above is not None:
            value = _core.type_attr(above.type_index, name)
            if value is not None:
                found.append((name, value, True, None))
            if value is not None or (above.type_cls is not None and name in vars(above.type_cls)):
                break
            above = above.parent_type_info
    return found


def _metadata(cls: type, function: Any, static: bool) -> str:
    schema = _schema(cls, function, static) or TypeSchema("Callable")
    return json.dumps({"type_schema": schema.to_json()})


def _schema(cls: type, function: Any, static: bool) -> TypeSchema | None:
    """The schema of a method; None when its annotations or its parameters do not give one."""
    hints: dict[str, Any] | None = None
    for every_module in (False, True):
        try:
            names = _hints.names_for(cls, every_module)
            hints = typing.get_type_hints(function, _hints.globals_of(cls), names, include_extras=True)
            break
        except (NameError, AttributeError):
            continue
    if hints is None:
        return None
    parameters = list(inspect.signature(function).parameters.values())
    if any(each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters):
        return None
    annotations = [hints.get(each.name, Any) for each in parameters]
    if not static:
        annotations[0] = cls
    groups = {
        "return": (TypeSchema.from_annotation(hints.get("return", Any)),),
        "params": tuple(map(TypeSchema.from_annotation, annotations)),
    }
    return TypeSchema("Callable", named_args=groups)
