"""The types, functions and type attributes that a library registers, one fact per field, method or value."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator

from global_function_calls import global_names
from sample_values import string

from abi import FUNCTION, NONE, AnyValue, ByteArray, FieldInfo, Library, MethodInfo

ATTRIBUTES = (
    "__any_hash__ __any_equal__ __ffi_shallow_copy__ __ffi_repr__ __ffi_hash__ __ffi_eq__ __ffi_compare__ __ffi_new__ "
    "__ffi_init__ __ffi_convert__ __ffi_convert_type_schema__ __s_equal__ __s_hash__ __s_visit__ __s_mutate__ "
    "__s_maybe_inplace_mutate__ __data_to_json__ __data_from_json__ __ffi_enum__ __no_such_attribute__"
).split()

Fact = tuple[str, str]


def types(lib: Library) -> dict[str, int]:
    keys = lib.call("ffi.GetRegisteredTypeKeys")
    data, size = ctypes.c_void_p.from_address(keys.bits + 24), ctypes.c_int64.from_address(keys.bits + 32)
    found = {}
    for item in (AnyValue * size.value).from_address(data.value or 0):
        key, index = lib.text_of(item), ctypes.c_int32()
        array = lib.bytes(key)
        lib.check(lib.c.TVMFFITypeKeyToIndex(ctypes.byref(array), ctypes.byref(index)))
        found[key.decode()] = index.value
    return found


def every_fact(lib: Library) -> Iterator[Fact]:
    indices = types(lib)
    for key in sorted(indices):
        yield from of_type(lib, key, indices[key])
    for name in ATTRIBUTES:
        array = lib.bytes(name.encode())
        column = lib.c.TVMFFIGetTypeAttrColumn(ctypes.byref(array))
        yield f"attribute {name}", "exists" if column else "absent"
        for key in sorted(indices):
            at = indices[key] - column.contents.begin if column else -1
            value = column.contents.data[at] if column and 0 <= at < column.contents.size else AnyValue(NONE, 0, 0)
            if value.type_index != NONE:
                yield f"attribute {name} of {key}", lib.type_key(value.type_index)
                if value.type_index == FUNCTION:
                    yield f"arguments of {key}.{name}", complaint(lib, value.bits)
    for name in global_names(lib):
        if name.startswith("ffi."):
            metadata = lib.call("ffi.GetGlobalFuncMetadata", string(name.encode())(lib))
            yield f"function {name}", lib.text_of(metadata).decode()


def of_type(lib: Library, key: str, index: int) -> Iterator[Fact]:
    info = lib.c.TVMFFIGetTypeInfo(index).contents
    static = f"index {index}, " if index < 128 else ""
    parents = (ctypes.c_void_p * info.type_depth).from_address(info.ancestors) if info.type_depth else []
    above = [ByteArray.from_address(p + 8).get().decode() for p in parents]
    yield f"type {key}", f"{static}below {above}, hash {info.key_hash:#x}"
    if info.metadata:
        meta = info.metadata.contents
        creates = "creates" if meta.creator else "does not create"
        yield (
            f"metadata of {key}",
            f"{meta.total_size} bytes, kind {meta.structural_kind}, {creates}, {meta.doc.get()!r}",
        )
    for i in range(info.num_fields):
        yield of_field(lib, key, info.fields[i])
    for i in range(info.num_methods):
        yield of_method(lib, key, info.methods[i])


def of_field(lib: Library, key: str, field: FieldInfo) -> Fact:
    default = lib.describe(field.default) if field.flags & 2 else "no default"
    setter = "setter" if field.setter else "no setter"
    fact = (
        f"flags {field.flags:#x}, {field.size} bytes at {field.offset}, alignment {field.alignment}, {setter}, "
        f"{default}, static {field.static_index}, {schema(field.metadata)}, {field.doc.get()!r}"
    )
    return f"field {key}.{field.name.get().decode()}", fact


def of_method(lib: Library, key: str, method: MethodInfo) -> Fact:
    name = f"method {key}.{method.name.get().decode()}"
    complains = complaint(lib, method.method.bits)
    return name, f"flags {method.flags:#x}, {schema(method.metadata)}, {method.doc.get()!r}, {complains}"


def schema(metadata: ByteArray) -> str:
    text = metadata.get()
    return json.loads(text).get("type_schema", "no schema") if text else "no metadata"


def complaint(lib: Library, function: int) -> str:
    """Return the error of a function that gets too many arguments: it names the function and its arguments."""
    try:
        lib.call(function, *[AnyValue(NONE, 0, 0)] * 9)
    except Exception as error:  # noqa: BLE001
        return str(error)
    return "takes nine arguments"
