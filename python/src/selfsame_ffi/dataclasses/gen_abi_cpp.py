"""C++ headers through which native code reads the fields of registered types where they lie."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence

from .._types.schema_names import OBJECT
from .._types.type_info import TypeField, TypeInfo
from ..core import _lookup_or_register_type_info_from_type_key as _info_of_key
from ..registry import get_registered_type_keys
from ._cpp_storage import FIRST_DYNAMIC, STATIC_STRUCTS, Storage, Storages
from ._cpp_text import identifier, in_namespaces, literal, noted, struct_name, struct_path

_ROOT = STATIC_STRUCTS["ffi.Object"]
_HEADER_SIZE, _HEADER_ALIGNMENT = 24, 8

# offsetof of a class that derives from another is conditionally supported: the compilers support it and warn.
_WARNINGS_OFF = """#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#elif defined(_MSC_VER)
#pragma warning(push)
#pragma warning(disable : 4749)
#endif
"""
_WARNINGS_ON = """#if defined(__clang__) || defined(__GNUC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
"""


def gen_abi_cpp(type_keys: str | Sequence[str]) -> str:
    """Make a C++17 header with a struct for each chosen type and its ancestors.

    `type_keys` is a type key or a shell pattern of keys, or several. The structs derive from each other as the types
    do, their members lie where the fields lie, and the header asserts that at compile time. It only looks types up: it
    registers and creates nothing. The same registered types give the same text. Any thread.

    Raises ValueError for a pattern without an object type, and for a type whose layout is not known to the last byte.
    That is a type without its own size, or with a field that is stored as something that its schema does not tell.
    """
    return _Generator(_chosen([type_keys] if isinstance(type_keys, str) else type_keys)).build()


def _chosen(patterns: Iterable[str]) -> list[TypeInfo]:
    """The types to define, ancestors first."""
    keys = {str(key) for key in get_registered_type_keys()}
    defined: dict[str, TypeInfo] = {}
    for pattern in patterns:
        matches = sorted(key for key in keys if fnmatch.fnmatchcase(key, pattern))
        if not matches:
            raise ValueError(f"the type key {pattern!r} did not match any registered type")
        infos = [info for info in map(_info_of_key, matches) if info.type_index >= OBJECT]
        if not infos:
            raise ValueError(f"the type key {pattern!r} did not match any registered object type")
        for info in infos:
            if info.type_index < FIRST_DYNAMIC and info.type_key not in STATIC_STRUCTS:
                raise ValueError(f"C++ has no type for {info.type_key!r}")
            above: TypeInfo | None = info
            while above is not None and above.type_index >= FIRST_DYNAMIC:
                defined[above.type_key] = above
                above = above.parent_type_info
    return sorted(defined.values(), key=lambda info: (len(info.type_ancestors), info.type_key))


def _lookup_line(info: TypeInfo) -> str:
    return f"  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP({literal(info.type_key)}, {len(info.type_ancestors)});"


class _Generator:
    """Text of the header for `infos`, which are in order of their depth."""

    def __init__(self, infos: list[TypeInfo]) -> None:
        self._infos = infos
        self._named = {info.type_key: info for info in infos}  # every type that the header declares
        self._storages = Storages(_info_of_key, self._name)

    def _name(self, info: TypeInfo) -> None:
        self._named[info.type_key] = info

    def _lower_field(self, field: TypeField, owner: TypeInfo) -> Storage:
        return self._storages.of_field(field, owner)

    def build(self) -> str:
        definitions = [(info.type_key, self._definition(info)) for info in self._infos]
        defined = {info.type_key for info in self._infos}
        declared = sorted(self._named, key=lambda key: (struct_path(key), key))
        lines = ["#pragma once", "", "#include <tvm/ffi/tvm_ffi.h>", ""]
        lines += in_namespaces((key, [f"struct {struct_path(key)[1]};"]) for key in declared)
        for key in declared:  # before the structs are complete, is_base_of cannot answer this
            lines += [
                "template <>",
                f"inline constexpr bool tvm::ffi::is_object_subclass_v<{struct_name(key)}> = true;",
            ]
        lines.append("")
        lines += in_namespaces((key, self._opaque(key)) for key in declared if key not in defined)
        lines += [
            f"static_assert(sizeof({_ROOT}) == {_HEADER_SIZE});",
            f"static_assert(alignof({_ROOT}) == {_HEADER_ALIGNMENT});",
            "",
            _WARNINGS_OFF,
            *in_namespaces(definitions),
            _WARNINGS_ON,
        ]
        return "\n".join(lines)

    def _opaque(self, key: str) -> list[str]:
        return [f"struct {struct_path(key)[1]} : public {_ROOT} {{", _lookup_line(self._named[key]), "};"]

    def _definition(self, info: TypeInfo) -> list[str]:
        if not info._has_type_metadata and not hasattr(info, "_decorator_args"):
            raise ValueError(f"{info.type_key!r} does not expose fixed total-size metadata: its layout is not known")
        name = struct_path(info.type_key)[1]
        alignment = max([_HEADER_ALIGNMENT, *(field.alignment for field in info.all_fields())])
        members, checks = [], []
        for field in sorted(info.fields or (), key=lambda field: field.offset):
            storage = self._lower_field(field, info)
            member = identifier(field.name)
            note = "" if member == field.name else f", reflected name={noted(field.name)}"
            members.append(
                f"  {storage.cpp_type} {member};  "
                f"// offset={field.offset}, size={storage.size}, align={storage.alignment}{note}"
            )
            checks += [
                f"static_assert(sizeof(decltype({name}::{member})) == {storage.size});",
                f"static_assert(alignof(decltype({name}::{member})) == {storage.alignment});",
                f"static_assert(offsetof({name}, {member}) == {field.offset});",
            ]
        return [
            f"struct alignas({alignment}) {name} : public {_base_of(info)} {{",
            _lookup_line(info),
            *([""] if members else []),
            *members,
            "};",
            "",
            f"static_assert(sizeof({name}) == {info.total_size});",
            f"static_assert(alignof({name}) == {alignment});",
            *checks,
        ]


def _base_of(info: TypeInfo) -> str:
    parent = info.parent_type_info
    if parent is None:
        raise ValueError(f"{info.type_key!r} has no parent type")
    if parent.type_index >= FIRST_DYNAMIC:
        return struct_name(parent.type_key)
    if parent.type_key not in STATIC_STRUCTS:
        raise ValueError(f"{info.type_key!r} derives from {parent.type_key!r}, for which C++ has no type")
    return STATIC_STRUCTS[parent.type_key]


__all__ = ["gen_abi_cpp"]
