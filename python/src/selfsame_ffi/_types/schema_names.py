"""Names of types in schemas: what native code calls them, what Python calls them, and their type indices."""

from __future__ import annotations

from typing import Any

from .. import _core  # noqa: F401
from .._load import runtime  # noqa: F401
from .kinds import BY_KEY, KINDS, STANDARD

STRUCTURAL = -2  # the index of Optional and Union, which are no type of their own
UNKNOWN = -3  # the index of a name that no type is registered under
OBJECT = BY_KEY["ffi.Object"].type_index

#: Type indices of the ABI, by the name that Python gives the type.
INDICES = {kind.origin: kind.type_index for kind in KINDS if kind.is_main}

#: Kinds that Python code sees as another one, by index. An object with a Python value in it is none of them: where
#: native code names its type, any value may be.
_SEEN_AS = {kind.type_index: kind for kind in KINDS if not kind.is_main and kind.origin != "Any"}

#: The names again, by index; several indices of the ABI are one type for Python.
NAMES = {**{index: name for name, index in INDICES.items()}, **{i: kind.origin for i, kind in _SEEN_AS.items()}}

#: The names of types that schemas of native code name differently.
FROM_NATIVE = {**{kind.key: kind.origin for kind in KINDS}, "Variant": "Union", "Tuple": "tuple"}
FROM_NATIVE |= {name: FROM_NATIVE.get(native, native) for name, native in STANDARD.items()}

#: Native types that share their Python name with another native type: a schema remembers which one it came from.
KEPT_KEYS = {index: kind.key for index, kind in _SEEN_AS.items() if index >= OBJECT}


def key_of(type_index: int) -> str:
    """Return the key of a registered type. KeyError for an index that none has."""
    key = _core.type_key_of(type_index)
    if key is None:
        raise KeyError(f"no type is registered for the index {type_index}")
    return key


def index_of(name: str) -> int:
    """Return the type index of a schema's origin; STRUCTURAL or UNKNOWN when it has none."""
    if name in ("Optional", "Union"):
        return STRUCTURAL
    known: Any = INDICES.get(name)
    if known is None:
        known = _core.type_key_to_index(name)
    return UNKNOWN if known is None else known
