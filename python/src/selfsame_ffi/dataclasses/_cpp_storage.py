"""How C++ declares what a field of a native type stores: one table from origins of schemas to C++ types."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Callable, NamedTuple

from .. import _core
from .._types.kinds import BY_KEY, KINDS, Kind
from .._types.schema_names import OBJECT
from .._types.type_info import TypeField, TypeInfo
from .._types.type_schema import TypeSchema
from ._cpp_text import struct_name

FIRST_DYNAMIC = 128
_FFI = "::tvm::ffi::"


class Storage(NamedTuple):
    """A C++ type with the size and the alignment that it is declared to have."""

    cpp_type: str
    size: int
    alignment: int


class _Value(NamedTuple):
    storage: Storage
    native: frozenset[str]  # the names that native schemas give to exactly this C++ type


_ANY = Storage(_FFI + "Any", 16, 8)

#: Sizes and alignments of values, by the origin of the schema. Those that are not named here are pointers.
_LAYOUTS = {
    "Any": (16, 8),
    "int": (8, 8),
    "bool": (1, 1),
    "float": (8, 8),
    "dtype": (4, 2),
    "Device": (8, 4),
    "str": (16, 8),
    "bytes": (16, 8),
}
#: Types that have reference classes of their own, or none.
_OTHERS = ("None", "Object", "ffi.Error", "ffi.Shape")


def _value(kind: Kind) -> _Value:
    size, alignment = _LAYOUTS.get(kind.origin, (8, 8))
    short = (other.key for other in KINDS if other.origin == kind.origin and other.key.startswith("ffi.Small"))
    return _Value(Storage(kind.cpp.replace("ffi::", _FFI), size, alignment), frozenset((kind.key, *short)))


#: C++ types of values, by the origin of the schema. Those with arguments are templates.
_VALUES = {
    **{kind.origin: _value(kind) for kind in KINDS if kind.cpp and kind.origin not in _OTHERS},
    "tuple": _Value(Storage(_FFI + "Tuple", 8, 8), frozenset({"Tuple"})),
    "Optional": _Value(_ANY, frozenset({"Optional"})),
    "Union": _Value(_ANY, frozenset({"Variant"})),
}
_TEMPLATES = ("Array", "List", "Map", "Dict", "tuple")
_BY_INDEX = {
    kind.type_index: kind.origin
    for kind in KINDS
    if kind.is_main and kind.type_index < OBJECT and kind.origin in _VALUES
}

#: Structs of the types that the library itself has, by type key.
STATIC_STRUCTS = {
    "ffi.Object": _FFI + "Object",
    "ffi.String": _FFI + "detail::StringObj",
    "ffi.Bytes": _FFI + "detail::BytesObj",
    **{
        f"ffi.{name}": f"{_FFI}{name}Obj"
        for name in (
            "Error",
            "Function",
            "Shape",
            "Tensor",
            "Array",
            "Map",
            "Module",
            "List",
            "Dict",
            "VisitInterrupt",
        )
    },
}
#: Those with a reference class of their own beside the ones in the table above.
_REFERENCES = {key: BY_KEY[key].cpp.replace("ffi::", _FFI) for key in ("ffi.Error", "ffi.Shape")}


def is_object(schema: TypeSchema) -> bool:
    """Say whether values of the schema are objects, which are stored as one pointer."""
    return schema.origin_type_index >= OBJECT


def refuse_aliases(schema: TypeSchema, raw: Any) -> None:
    """Raise ValueError for a native schema that Python reads as a type with other bytes (a ``std::string`` as str)."""
    name = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(name, str):
        raise ValueError(f"the native type schema {raw!r} names no type")
    known = _VALUES.get(schema.origin)
    if known is None:
        expected = {"ffi.Object" if schema.origin == "Object" else schema.origin} if is_object(schema) else set()
    else:
        expected = set(known.native)
    if name not in expected:
        raise ValueError(f"a field of native type {name!r} has not the storage of {schema!r}: no C++ type is known")
    if known is not None and schema.origin != "Callable":
        parts = raw.get("args") or []
        if parts:
            for part, of_part in zip(schema.args or (), parts):
                refuse_aliases(part, of_part)


class Storages:
    """Storage of fields. `used` is called with the TypeInfo of every type that a C++ type refers to."""

    def __init__(self, info_of_key: Callable[[str], TypeInfo], used: Callable[[TypeInfo], None]) -> None:
        self._info_of_key = info_of_key
        self._used = used

    def struct_of(self, schema: TypeSchema) -> str:
        """Return the C++ struct of an object type. ValueError when C++ has none."""
        if schema.origin_type_index < FIRST_DYNAMIC:
            key = _core.type_key_of(schema.origin_type_index)
            struct = STATIC_STRUCTS.get(key or "")
            if struct is None:
                raise ValueError(f"C++ has no type for {schema!r}")
            return struct
        info = self._info_of_key(schema.origin)
        self._used(info)
        return struct_name(info.type_key)

    def of_schema(self, schema: TypeSchema, inside: bool = False) -> Storage:
        """Return the C++ type in which a value of the schema is stored, as a field or (`inside`) as an element of a
        container."""
        if inside and schema.origin == "Optional" and is_object(schema.args[0]):  # type: ignore[index]
            return self._nullable(schema.args[0])  # type: ignore[index]
        if inside and schema.origin == "Union" and all(map(is_object, schema.args or ())):
            return _pointer("Arc", STATIC_STRUCTS["ffi.Object"])
        known = _VALUES.get(schema.origin)
        if known is not None:
            if schema.origin not in _TEMPLATES:
                return known.storage
            if schema.args is None:
                raise ValueError("a tuple of any length has no C++ type")
            parts = ", ".join(self.of_schema(part, True).cpp_type for part in schema.args)
            return known.storage._replace(cpp_type=f"{known.storage.cpp_type}<{parts}>")
        if not is_object(schema):
            raise ValueError(f"no C++ type is known for {schema!r}")
        reference = _REFERENCES.get(_core.type_key_of(schema.origin_type_index) or "")
        if reference is not None:
            return Storage(reference, 8, 8)
        return _pointer("Arc", self.struct_of(schema))

    def _nullable(self, schema: TypeSchema) -> Storage:
        return _pointer("ObjectPtr", self.struct_of(schema))

    def of_field(self, field: TypeField, owner: TypeInfo) -> Storage:
        """Return the C++ type in which a field is stored. ValueError when that is not known or differs from the
        layout of the field."""
        where = f"{owner.type_key}.{field.name}"
        layout = (field.size, field.alignment)
        storage = self._of_field(field, owner, where)
        if field.ty is not None and _core.type_key_of(field.ty.origin_type_index) == "ffi.Error":
            # The class Error derives from std::exception too, so the compiler decides how large it is.
            if layout == (8, 8):
                return _pointer("Arc", STATIC_STRUCTS["ffi.Error"])
            return Storage(storage.cpp_type, *layout)
        if storage[1:] != layout:
            raise ValueError(
                f"{where} has size and alignment {layout} at offset {field.offset}, but {storage.cpp_type} has "
                f"{storage[1:]}"
            )
        return storage

    def _of_field(self, field: TypeField, owner: TypeInfo, where: str) -> Storage:
        schema = field.ty
        if schema is None:
            index = field.field_static_type_index
            if index >= OBJECT:
                return _pointer("ObjectPtr", STATIC_STRUCTS["ffi.Object"])
            if index not in _BY_INDEX:
                raise ValueError(f"{where} has no type schema, and its type index {index} does not tell the storage")
            return _VALUES[_BY_INDEX[index]].storage
        if hasattr(owner, "_decorator_args"):  # declared in Python: Optional and Union are stored as Any
            return self.of_schema(schema)
        raw = field.metadata.get("type_schema")
        try:
            refuse_aliases(schema, json.loads(raw) if isinstance(raw, str) else raw)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if schema.origin not in ("Optional", "Union"):
            return self.of_schema(schema)
        found = self._of_choice(schema, (field.size, field.alignment))
        if found is None:
            raise ValueError(
                f"Ambiguous native {schema.origin} carrier for {where}: size and alignment are "
                f"{(field.size, field.alignment)}"
            )
        return found

    def _of_choice(self, schema: TypeSchema, layout: tuple[int, int]) -> Storage | None:
        """The storage of a native Optional or Variant, which its layout decides; None when it does not."""
        parts: Iterable[TypeSchema] = schema.args or ()
        if schema.origin == "Union":
            if layout == (8, 8) and all(map(is_object, parts)):
                return _pointer("Arc", STATIC_STRUCTS["ffi.Object"])
            return None
        (part,) = parts
        if layout == (8, 8) and is_object(part) and part.origin not in ("str", "bytes"):
            return self._nullable(part)
        if layout == (16, 8) and is_object(part):
            return Storage(f"{_FFI}Optional<{self.of_schema(part).cpp_type}>", 16, 8)
        return None


def _pointer(template: str, struct: str) -> Storage:
    return Storage(f"{_FFI}{template}<{struct}>", 8, 8)
