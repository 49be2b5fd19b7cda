"""Declaring native types in Python: the type index, the layout of the fields, methods and type attributes."""

from __future__ import annotations

import json
from typing import Any

from . import _core
from ._flags import (
    COMPARE_OFF,
    DEF_PATTERN,
    DEF_SIMPLE,
    EQ_IGNORE,
    FROM_FACTORY,
    HAS_DEFAULT,
    HASH_OFF,
    INIT_OFF,
    KW_ONLY,
    PLAIN,
    REPR_OFF,
    SETTER_IS_FUNCTION,
    STATIC,
    WRITABLE,
)
from ._sentinels import MISSING
from ._type_info import OBJECT, TypeInfo, _infos, field_of, info_of_index
from .registry import _builtin

_HEADER = 24

# (size, alignment, type index) of a field's storage, by the origin of its schema. Text may be stored inline, so it is
# an Any; every other type is an object pointer.
_LAYOUTS = {
    "int": (8, 8, 1),
    "float": (8, 8, 3),
    "bool": (1, 1, 2),
    "ctypes.c_void_p": (8, 8, 4),
    "dtype": (4, 2, 5),
    "Device": (8, 4, 6),
    **dict.fromkeys(("Any", "str", "bytes", "Optional", "Union", "None"), (16, 8, -1)),
}
_POINTER = (8, 8, OBJECT)
_STRUCTURAL = {"ignore": EQ_IGNORE, "def": DEF_PATTERN, "def-pattern": DEF_PATTERN, "def-simple": DEF_SIMPLE}


def register_py_class(parent_type_info: TypeInfo, type_key: str, type_cls: type) -> TypeInfo:
    """Register a new native type for a class. Its fields follow by ``TypeInfo._register_fields``.

    Raises ValueError when the key is taken.
    """
    known = _core.type_key_to_index(type_key)
    if known is not None and known not in _rolled_back:
        raise ValueError(f"Type key '{type_key}' is already registered")
    index = _core.declare_type(type_key, parent_type_info.type_index)
    _rolled_back.discard(index)
    ancestors = [*parent_type_info.type_ancestors, parent_type_info.type_index]
    info = TypeInfo(type_cls, index, type_key, ancestors, None, [], parent_type_info)
    _infos[index] = info
    _core.register_class(index, type_cls)
    return info


_rolled_back: set[int] = set()


def rollback_py_class(info: TypeInfo) -> None:
    """Let the key of a type that could not be completed be registered again."""
    _rolled_back.add(info.type_index)
    _infos.pop(info.type_index, None)


def _first_offset(info: TypeInfo | None) -> int:
    """Where a field of a derived class may begin: the C++ ABI reuses the padding at the end of the parent."""
    if info is None or info.parent_type_info is None:
        return _HEADER
    ends = [field.offset + field.size for field in info.fields or ()]
    return max([_first_offset(info.parent_type_info), *ends])


def _flags_of(field: Any) -> int:
    flags = WRITABLE | SETTER_IS_FUNCTION | PLAIN
    has_factory = field.default_factory is not MISSING
    for condition, bit in (
        (has_factory or field.default is not MISSING, HAS_DEFAULT),
        (has_factory, FROM_FACTORY),
        (not field.init, INIT_OFF),
        (not field.repr, REPR_OFF),
        (not field.hash, HASH_OFF),
        (not field.compare, COMPARE_OFF),
        (field.kw_only, KW_ONLY),
    ):
        if condition:
            flags |= bit
    return flags | _STRUCTURAL.get(getattr(field, "structural_eq", ""), 0)


def declare_fields(info: TypeInfo, fields: list[Any], structure_kind: int | None) -> None:
    """Lay out and register the fields, then the type's constructor and copy functions."""
    offset = _first_offset(info.parent_type_info)
    schemas = {}
    for field in fields:
        schema = field._ty_schema
        compiled = schemas[field.name] = schema._converter
        size, alignment, storage = _LAYOUTS.get(schema.origin, _POINTER)
        offset = (offset + alignment - 1) & -alignment
        metadata = json.dumps({"type_schema": schema.to_json()})
        default = field.default if field.default is not MISSING else field.default_factory
        _core.declare_field(
            info.type_index,
            field.name,
            field.doc,
            metadata,
            _flags_of(field),
            size,
            alignment,
            offset,
            storage,
            compiled,
            None if default is MISSING else default,
        )
        offset += size
    total = max((offset + 7) & ~7, _HEADER)
    _builtin("ffi._PyClassRegisterTypeAttrColumns")(info.type_index, total)
    if structure_kind:
        _core.declare_metadata(info.type_index, total, structure_kind)
    raw = _core.type_info(info.type_index)
    assert raw is not None
    info.fields = []
    for native, field in zip(raw["fields"], fields):
        made = field_of(native.with_schema(schemas[field.name]))
        made.frozen = field.frozen
        made.ty = field._ty_schema
        made.c_default, made.c_default_factory = field.default, field.default_factory
        made.c_structural_eq = field.structural_eq
        info.fields.append(made)
    info.read_back()


def declare_methods(info: TypeInfo, methods: Any, type_attr_names: Any) -> None:
    """Register methods (name, value, whether static, metadata); those named in `type_attr_names` as attributes."""
    for name, value, is_static, *rest in methods:
        if name in type_attr_names:
            _core.declare_attr(info.type_index, name, value)
        else:
            metadata = rest[0] if rest else None
            _core.declare_method(info.type_index, name, metadata, STATIC if is_static else 0, value)
    info.read_back()


__all__ = ["declare_fields", "declare_methods", "info_of_index", "register_py_class", "rollback_py_class"]
