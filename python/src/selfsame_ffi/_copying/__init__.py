"""Copying and pickling of native objects.

A pickle holds objects by value: the key of the type, the reflected fields, the Python state of the wrapper. Each object
is pickled separately, not as part of a graph of native objects, so the pickler sees every reference, and shared objects
and cycles are restored. The same holds for deep copies and their memo.

Pickles name ``blank``, ``fill``, ``set_state``, ``sequence``, ``mapping``, ``error``, ``function``, ``graph``,
``tensor`` and ``opaque`` of this module: their names and parameters must not change.

An unpickler that restricts ``find_class`` may allow them, all but ``function``: they make data of registered classes
and call no function that a pickle names (docs/security.md). So each refuses what ``plans`` would not have
written: a pickle from outside may name any type and any value.

Why a pickle holds fields and no graph of natives. The published package pickles each object as the JSON text of
everything that it reaches. That loses sharing, cycles, and the Python state of inner objects. Here each native object
is reduced by itself to its type key, fields and Python state, so the memo of the pickler or of a deep copy sees every
reference. The JSON form serves types that bring one (``__data_to_json__``) and the singletons of enums. A type whose
objects only a constructor with arguments can make is refused; its class can define ``__reduce__``.
"""

from __future__ import annotations

from typing import Any

from .. import _core, _dtype  # noqa: F401
from .._load import runtime  # noqa: F401
from .state import fields_of, set_python_state


def _index_of(key: str) -> int:
    index = _core.type_key_to_index(key)
    if index is None:
        raise ValueError(f"{key}: no native type has the key {key!r}; load the library that registers it first")
    return index


def _class_for(index: int, cls: type | None) -> type:
    return _core.class_of(index) if cls is None else cls


_data_types: set[int] = set()  # those that check_data has found to be so


def _check_data(index: int) -> None:
    """TypeError for a type whose objects are not pickled by their fields."""
    if index not in _data_types:
        from . import plans  # which imports this module

        plans.check_data(index)
        _data_types.add(index)


def _check_state(obj: Any) -> None:
    """TypeError for an object that a pickle cannot have made: giving it a state would change it for all its users."""
    from . import plans

    if not plans.plan_of(_core.native_type(obj)).made_by_pickles:
        raise TypeError(f"{type(obj).__name__}: a pickle cannot set the state of this object, which is not its own")


def blank(key: str, cls: type | None = None) -> Any:
    """Return a new object of the type `key` with default fields. `cls`: its class if not the registered one."""
    index = _index_of(key)
    _check_data(index)
    return _core.blank(index, _class_for(index, cls))


def fill(obj: Any, state: tuple[dict[str, Any] | None, tuple[Any, ...] | None]) -> None:
    """Set the fields and the Python state of a new object."""
    fields, python = state
    if fields:
        index = _core.native_type(obj)
        _check_data(index)
        known = fields_of(index)
        for name, value in fields.items():
            field = known.get(name)
            if field is None:
                raise ValueError(f"{type(obj).__name__}: the pickle has a field {name!r}, which the type does not have")
            _core.restore_field(field, obj, value)
    if python is not None:
        _check_state(obj)
        set_python_state(obj, python)


def set_state(obj: Any, state: Any) -> None:
    """Set the Python state of a new object, as its class's own __reduce__ returned it."""
    _check_state(obj)
    set_python_state(obj, (state,))


# The methods of the class of a wrapped Go value that write it, and read it again.
DUMP, LOAD = "__go_dump__", "__go_load__"
COPY = "__go_copy__"  # of a class of values: a copy as Go's assignment makes one


def go_value(cls: Any, form: str, data: bytes) -> Any:
    """Return an object of a new Go value, of bytes that the class wrote."""
    load = getattr(cls, LOAD, None)
    if load is None:
        raise TypeError(f"go_value: argument 'cls': expected the class of a Go value, got {cls!r}")
    made = load(form, data)
    return made if type(made) is cls else _core.rewrap(cls, made)


def go_copy(obj: Any) -> Any:
    """Return an object of a copy of its Go value, which refers to what that refers to. Not named in pickles."""
    made = getattr(obj, COPY)()
    return made if type(made) is type(obj) else _core.rewrap(type(obj), made)


def go_state(obj: Any, state: dict[str, Any]) -> None:
    """Set the attributes of an object of a Go value."""
    obj.__dict__.update(state)


def implementation(cls: Any) -> Any:
    """Return an object of a Python class that implements a Go interface."""
    if not (isinstance(cls, type) and issubclass(cls, _core.CObject) and hasattr(cls, LOAD)):
        raise TypeError(f"implementation: argument 'cls': expected a class that implements a Go interface, got {cls!r}")
    return cls.__new__(cls)


def implementation_state(obj: Any, state: tuple[Any, ...]) -> None:
    """Set the Python state of such an object."""
    set_python_state(obj, state)


_SEQUENCES = ("ffi.Array", "ffi.List")
_MAPPINGS = ("ffi.Map", "ffi.Dict")


def sequence(key: str, cls: type | None, items: list[Any]) -> Any:
    """Return an Array or List of the items."""
    return _wrapped("sequence", _SEQUENCES, key, cls, items)


def mapping(key: str, cls: type | None, flat: list[Any]) -> Any:
    """Return a Map or Dict of keys and values in turn."""
    return _wrapped("mapping", _MAPPINGS, key, cls, flat)


def _wrapped(caller: str, keys: tuple[str, ...], key: str, cls: type | None, items: list[Any]) -> Any:
    if key not in keys:
        raise ValueError(f"{caller}: argument 'key': expected {' or '.join(keys)}, got {key!r}")
    made = runtime_function(key)(*items)
    return made if cls is None else _core.rewrap(cls, made)


def error(cls: type | None, kind: str, message: str, backtrace: str, cause: Any) -> Any:
    """Return an Error value."""
    made = _core.Error(kind, message, backtrace, cause)
    return made if cls is None else _core.rewrap(cls, made)


def function(name: str) -> Any:
    """Return the global function of a name.

    An unpickler calls what it has found, with arguments from the pickle: one that reads pickles from outside must not
    allow this function.
    """
    found = _core.get_global_func(name)
    if found is None:
        raise ValueError(f"{name}: no global function has the name {name!r}; load the library that registers it first")
    return found


def graph(text: str, cls: type | None = None) -> Any:
    """Return an object from its own JSON form. `cls` makes the pickler import the module that registers the type."""
    return runtime_function("ffi.FromJSONGraphString")(text)


def tensor(cls: type | None, dtype: str, shape: tuple[int, ...], data: Any) -> Any:
    """Return a new CPU tensor with the elements in `data`, bytes or any buffer.

    It uses the memory of a buffer that a pickle carries out of band, if that is writable and aligned to the elements.
    Otherwise, and for what was in the pickle itself, it has its own memory, aligned to 64 bytes: a Tensor has no flag
    for read-only memory, and kernels fault on data that is not aligned.
    """
    parts = dtype._parts if isinstance(dtype, _dtype.dtype) else _dtype.parts_of(dtype)
    refuse_addresses("tensor", parts)
    return tensor_of(cls, parts, shape, data)


def refuse_addresses(caller: str, parts: tuple[int, int, int]) -> None:
    """Raise TypeError for a data type whose elements are addresses: they mean nothing in another process."""
    if parts[0] == _dtype.DataTypeCode.HANDLE:
        raise TypeError(f"{caller}: expected a Tensor of numbers, got elements of the type handle, which are addresses")


def tensor_of(cls: type | None, parts: tuple[int, int, int], shape: tuple[int, ...], data: Any) -> Any:
    """Return a new tensor as `tensor` does, of any data type. Not named in pickles."""
    made = None if isinstance(data, (bytes, bytearray)) else _core.tensor_over(parts, shape, data)
    if made is None:
        made = _core.tensor_from_bytes(parts, shape, data)
    return made if cls is None else _core.rewrap(cls, made)


def opaque(value: Any) -> Any:
    """Return an opaque object that owns a Python value."""
    return _core.opaque(value)


def runtime_function(name: str) -> Any:
    """Return a builtin function of the runtime library. RuntimeError without it. Not named in pickles."""
    found = _core.get_global_func(name)
    if found is None:
        raise RuntimeError(f"{name}: the runtime library has no such function")
    return found
