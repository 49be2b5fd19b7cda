"""Names of types in schemas: what native code calls them, what Python calls them, and their type indices."""

from __future__ import annotations

from typing import Any

from . import _core, _runtime  # noqa: F401

STRUCTURAL = -2  # the index of Optional and Union, which are no type of their own
UNKNOWN = -3  # the index of a name that no type is registered under
OBJECT = 64

#: Type indices of the ABI, by the name that Python gives the type.
INDICES = {
    "Any": -1,
    "None": 0,
    "int": 1,
    "bool": 2,
    "float": 3,
    "ctypes.c_void_p": 4,
    "dtype": 5,
    "Device": 6,
    "str": 65,
    "bytes": 66,
    "Object": OBJECT,
    "Callable": 68,
    "Tensor": 70,
    "Array": 71,
    "Map": 72,
    "List": 75,
    "Dict": 76,
}

#: The names again, by index; several indices of the ABI are one type for Python.
NAMES = {
    **{index: name for name, index in INDICES.items()},
    7: "Tensor",  # a borrowed DLTensor
    8: "str",  # a C string
    9: "bytes",  # a byte array
    10: "Object",  # an rvalue reference
    11: "str",  # a short str
    12: "bytes",
    78: "int",  # BigInt
}

#: Types that schemas of native code name differently.
_NATIVE = {
    "ctypes.c_void_p": ["void*"],
    "bytes": ["TVMFFIByteArray*", "ffi.SmallBytes", "ffi.Bytes"],
    "str": ["std::string", "const char*", "ffi.SmallStr", "ffi.String"],
    "dtype": ["DataType"],
    "int": ["ffi.BigInt"],
    "Any": ["ffi.OpaquePyObject"],  # native code wraps any Python value in one
    "Object": ["ffi.Object", "ObjectRValueRef"],
    "Callable": ["ffi.Function", "std::function"],
    "Tensor": ["ffi.Tensor", "DLTensor*"],
    "Array": ["ffi.Array", "std::vector"],
    "List": ["ffi.List"],
    "Map": ["ffi.Map", "std::map", "std::unordered_map"],
    "Dict": ["ffi.Dict"],
    "Optional": ["Optional", "std::optional"],
    "Union": ["Variant", "std::variant"],
    "tuple": ["Tuple", "std::tuple"],
}
FROM_NATIVE = {native: name for name, natives in _NATIVE.items() for native in natives}

#: Native types that share their Python name with another native type: a schema remembers which one it came from.
KEPT_KEYS = {78: "ffi.BigInt"}


def key_of(type_index: int) -> str:
    """The key of a registered type. KeyError for an index that none has."""
    key = _core.type_key_of(type_index)
    if key is None:
        raise KeyError(f"no type is registered for the index {type_index}")
    return key


def index_of(name: str) -> int:
    """The type index of a schema's origin; STRUCTURAL or UNKNOWN when it has none."""
    if name in ("Optional", "Union"):
        return STRUCTURAL
    known: Any = INDICES.get(name)
    if known is None:
        known = _core.type_key_to_index(name)
    return UNKNOWN if known is None else known
