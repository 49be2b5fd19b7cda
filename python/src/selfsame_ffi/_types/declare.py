"""Declaring native types in Python: the type index, the layout of the fields, methods and type attributes."""

from __future__ import annotations

import json
from typing import Any

from .. import _core
from ..registry import _builtin
from . import flags as _flags
from .sentinels import MISSING
from .type_info import OBJECT, TypeInfo, _infos, dataclass_fields, field_of, info_of_index

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
_STRUCTURAL = {
    "ignore": _flags.EQ_IGNORE,
    "def": _flags.DEF_PATTERN,
    "def-pattern": _flags.DEF_PATTERN,
    "def-simple": _flags.DEF_SIMPLE,
}


def register_py_class(parent_type_info: TypeInfo, type_key: str, type_cls: type) -> TypeInfo:
    """Register a new native type for a class. Its fields follow by ``TypeInfo._register_fields``.

    A class that its module declares again, as when a cell of a notebook runs again, takes the place of the one before.
    Raises ValueError when the key is taken by another class, and when the one before has another base.
    """
    known = _core.type_key_to_index(type_key)
    before = None if known is None or known in _rolled_back else info_of_index(known)
    if before is not None and not _declares_again(type_cls, before.type_cls):
        raise ValueError(f"Type key '{type_key}' is already registered")
    ancestors = [*parent_type_info.type_ancestors, parent_type_info.type_index]
    if before is not None and before.type_ancestors != ancestors:
        was = _core.type_key_of(before.type_ancestors[-1])
        raise _another_layout(type_key, f"its base was {was} and is {parent_type_info.type_key} now")
    index = before.type_index if before else _core.declare_type(type_key, parent_type_info.type_index)
    _rolled_back.discard(index)
    if before is not None and before.fields is None:  # it still waits for names
        before = None
    info = TypeInfo(type_cls, index, type_key, ancestors, None, [], parent_type_info, before)
    _infos[index] = info
    _core.register_class(index, type_cls)
    return info


_rolled_back: set[int] = set()


def rollback_py_class(info: TypeInfo) -> None:
    """Let the key of a type that could not be completed be registered again. The class before, if any, stays."""
    dataclass_fields.clear()
    if info._before is not None and info._before.type_cls is not None:
        _infos[info.type_index] = info._before
        _core.register_class(info.type_index, info._before.type_cls)
        return
    _rolled_back.add(info.type_index)
    _infos.pop(info.type_index, None)


def _declares_again(cls: type, before: type | None) -> bool:
    """Say whether a class is the same piece of a module, run again, as one that was declared before."""
    return (
        before is not None
        and "__ffi_is_dataclass__" in vars(before)
        and (cls.__module__, cls.__qualname__) == (before.__module__, before.__qualname__)
        and "<locals>" not in cls.__qualname__
    )


def _another_layout(key: str, difference: str) -> ValueError:
    return ValueError(
        f"py_class: the class {key} is declared again with another layout: {difference}; start a new process (in a "
        "notebook: restart the kernel), or give the class another key"
    )


def _difference(before: TypeInfo, fields: list[Any], info: TypeInfo) -> str:
    """What of the layout differs from the one before; "" for nothing."""
    old = {field.name: field.ty for field in before.fields or ()}
    new = {field.name: field._ty_schema for field in fields}
    for name in [*new, *old]:
        if name not in old:
            return f"the field '{name}' is new"
        if name not in new:
            return f"the field '{name}' is gone"
        if old[name] != new[name]:
            return f"the field '{name}' was {old[name]} and is {new[name]} now"
    if list(old) != list(new):
        return f"the order of the fields was {', '.join(old)} and is {', '.join(new)} now"
    kinds = [getattr(one, "_decorator_args", {}).get("structural_eq") for one in (before, info)]
    return "" if kinds[0] == kinds[1] else f"structural_eq was {kinds[0]!r} and is {kinds[1]!r} now"


def _first_offset(info: TypeInfo | None) -> int:
    """Where a field of a derived class may begin: the C++ ABI reuses the padding at the end of the parent."""
    if info is None or info.parent_type_info is None:
        return _HEADER
    ends = [field.offset + field.size for field in info.fields or ()]
    return max([_first_offset(info.parent_type_info), *ends])


def _flags_of(field: Any) -> int:
    flags = _flags.WRITABLE | _flags.SETTER_IS_FUNCTION | _flags.PLAIN
    has_factory = field.default_factory is not MISSING
    for condition, bit in (
        (has_factory or field.default is not MISSING, _flags.HAS_DEFAULT),
        (has_factory, _flags.FROM_FACTORY),
        (not field.init, _flags.INIT_OFF),
        (not field.repr, _flags.REPR_OFF),
        (not field.hash, _flags.HASH_OFF),
        (not field.compare, _flags.COMPARE_OFF),
        (field.kw_only, _flags.KW_ONLY),
    ):
        if condition:
            flags |= bit
    return flags | _STRUCTURAL.get(getattr(field, "structural_eq", ""), 0)


def declare_fields(info: TypeInfo, fields: list[Any], structure_kind: int | None) -> None:
    """Lay out and register the fields, then the type's constructor and copy functions."""
    if info._before is not None:
        if difference := _difference(info._before, fields, info):
            raise _another_layout(info.type_key, difference)
        for field in fields:
            _core.redeclare(info.type_index, "field", field.name, None, _flags_of(field), _default_of(field))
        _read_fields(info, fields)
        return
    offset = _first_offset(info.parent_type_info)
    for field in fields:
        schema = field._ty_schema
        compiled = schema._converter
        size, alignment, storage = _LAYOUTS.get(schema.origin, _POINTER)
        offset = (offset + alignment - 1) & -alignment
        metadata = json.dumps({"type_schema": schema.to_json()})
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
            _default_of(field),
        )
        offset += size
    total = max((offset + 7) & ~7, _HEADER)
    _builtin("ffi._PyClassRegisterTypeAttrColumns")(info.type_index, total)
    if structure_kind:
        _core.declare_metadata(info.type_index, total, structure_kind)
    _read_fields(info, fields)


def _default_of(field: Any) -> Any:
    """The default, or its factory, as native code has it; None for neither."""
    if field.default is MISSING:
        return None if field.default_factory is MISSING else field.default_factory
    return _core.opaque(field.default) if field._ty_schema.python_class else field.default


def _read_fields(info: TypeInfo, fields: list[Any]) -> None:
    """Fill in the fields of a TypeInfo from the type table."""
    raw = _core.type_info(info.type_index)
    assert raw is not None
    info.fields = []
    for native, field in zip(raw["fields"], fields):
        made = field_of(native.with_schema(field._ty_schema._converter))
        made.frozen = field.frozen
        made.ty = field._ty_schema
        made.c_default, made.c_default_factory = field.default, field.default_factory
        made.c_structural_eq = field.structural_eq
        info.fields.append(made)
    info.read_back()


def declare_methods(info: TypeInfo, methods: Any, type_attr_names: Any) -> None:
    """Register methods (name, value, whether static, metadata); those named in `type_attr_names` as attributes."""
    gone: dict[str, str] = dict(info._before.__dict__.get("members", {})) if info._before is not None else {}
    members = info.__dict__["members"] = {}
    for name, value, is_static, *rest in methods:
        what = members[name] = "attr" if name in type_attr_names else "method"
        metadata, flags = rest[0] if rest else None, _flags.STATIC if is_static else 0
        if info._before is not None and _core.redeclare(info.type_index, what, name, metadata, flags, value):
            pass
        elif what == "attr":
            _core.declare_attr(info.type_index, name, value)
        else:
            _core.declare_method(info.type_index, name, metadata, flags, value)
    for name in gone.keys() - members.keys():
        absent = _absent(info.type_key, name) if gone[name] == "method" else None
        _core.redeclare(info.type_index, gone[name], name, None, 0, absent)
    info.read_back()
    info.methods = [method for method in info.methods if method.name not in gone.keys() - members.keys()]


def _absent(key: str, name: str) -> Any:
    """What native code calls for a method that the last declaration of a class lacks."""

    def absent(*args: Any) -> None:
        raise AttributeError(f"{key}.{name}: the class was declared again without this method")

    return absent


__all__ = ["declare_fields", "declare_methods", "info_of_index", "register_py_class", "rollback_py_class"]
