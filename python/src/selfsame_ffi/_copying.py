"""Copying and pickling of native objects.

A pickle holds objects by value: the key of the type, the reflected fields, the Python state of the wrapper. Each object
goes into the pickle as an object of its own, not as part of a graph of natives, so the pickler sees every reference:
what is shared is shared again, natives inside of natives with those beside them, and cycles are closed. The same holds
for deep copies and their memo.

Pickles name ``blank``, ``fill``, ``set_state``, ``sequence``, ``mapping``, ``error``, ``function``, ``graph``,
``tensor`` and ``opaque`` of this module: they stay, with these parameters.
"""

from __future__ import annotations

from typing import Any

from . import _core, _runtime  # noqa: F401
from ._copy_state import fields_of, set_python_state


def _index_of(key: str) -> int:
    index = _core.type_key_to_index(key)
    if index is None:
        raise ValueError(f"no native type has the key {key!r}: load the library that registers it first")
    return index


def _class_for(index: int, cls: type | None) -> type:
    return _core.class_of(index) if cls is None else cls


def blank(key: str, cls: type | None = None) -> Any:
    """An object of the type with default fields, to be filled; of a class that the key does not tell, if given."""
    index = _index_of(key)
    return _core.blank(index, _class_for(index, cls))


def fill(obj: Any, state: tuple[dict[str, Any] | None, tuple[Any, ...] | None]) -> None:
    """Give an object that was just made its fields and its Python state."""
    fields, python = state
    if fields:
        known = dict(fields_of(_core.native_type(obj)))
        for name, value in fields.items():
            field = known.get(name)
            if field is None:
                raise ValueError(f"the pickled {type(obj).__name__} has a field {name!r}, which its type does not have")
            _core.restore_field(field, obj, value)
    if python is not None:
        set_python_state(obj, python)


def set_state(obj: Any, state: Any) -> None:
    """Give an object that was just made the Python state that its class's own __reduce__ told."""
    set_python_state(obj, (state,))


def sequence(key: str, cls: type | None, items: list[Any]) -> Any:
    """An Array or List of the items."""
    return _wrapped(key, cls, items)


def mapping(key: str, cls: type | None, flat: list[Any]) -> Any:
    """A Map or Dict of keys and values in turn."""
    return _wrapped(key, cls, flat)


def _wrapped(key: str, cls: type | None, items: list[Any]) -> Any:
    made = runtime_function(key)(*items)
    return made if cls is None else _core.adopt(cls, made)


def error(cls: type | None, kind: str, message: str, backtrace: str, cause: Any) -> Any:
    """An Error value."""
    made = _core.Error(kind, message, backtrace, cause)
    return made if cls is None else _core.adopt(cls, made)


def function(name: str) -> Any:
    """The global function of the name."""
    found = _core.get_global_func(name)
    if found is None:
        raise ValueError(f"no global function has the name {name!r}: load the library that registers it first")
    return found


def graph(text: str) -> Any:
    """An object that has a form of its own as JSON."""
    return runtime_function("ffi.FromJSONGraphString")(text)


def tensor(cls: type | None, dtype: str, shape: tuple[int, ...], data: bytes) -> Any:
    """A Tensor of its own memory in the CPU's."""
    made = _core.tensor_from_bytes(_core.dtype_parts(dtype), shape, data)
    return made if cls is None else _core.adopt(cls, made)


def opaque(value: Any) -> Any:
    """The native object that stands for a Python value."""
    return _core.opaque(value)


def runtime_function(name: str) -> Any:
    """A function that the runtime library has; RuntimeError without it. Not for pickles."""
    found = _core.get_global_func(name)
    if found is None:
        raise RuntimeError(f"the runtime library has no function {name!r}")
    return found
