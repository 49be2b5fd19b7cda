"""The contents of an object for copies and pickles: fields, elements, and the Python state of its wrapper."""

from __future__ import annotations

import copy as _copy
import ctypes
import types
from typing import Any

from .. import _core  # noqa: F401
from .._device import Device
from .._dtype import dtype
from .._load import runtime  # noqa: F401
from .._load.at_exit import emptied

_HEAP_TYPE = 1 << 9
_NO_GETSTATE = getattr(object, "__getstate__", None)
_TEXTS = {str, bytes, _core.String, _core.Bytes}
ATOMS = frozenset({type(None), bool, int, float, dtype, Device, _core.Shape, ctypes.c_void_p, *_TEXTS})

# ---- the Python state of a wrapper: its __dict__ and __slots__, or the result of its class's __getstate__ ----


#: The slots of classes that are registered for a native type: those classes live as long as the process.
_slots_of_registered: dict[type, list[str]] = emptied({})


def _slots(cls: type) -> list[str]:
    found = _slots_of_registered.get(cls)
    if found is not None:
        return found
    found = [
        name
        for base in cls.__mro__
        if base.__flags__ & _HEAP_TYPE
        for name, value in vars(base).copy().items()  # other threads may set attributes of the class
        if isinstance(value, types.MemberDescriptorType)
    ]
    if _core.registered_class(cls.__tvm_ffi_type_index__) is cls:  # type: ignore[attr-defined]
        _slots_of_registered[cls] = found
    return found


def python_state(obj: Any) -> tuple[Any, ...] | None:
    """(attributes, slots), or (state,) from the class's __getstate__; None when there is no state."""
    if not _core.may_have_state(obj):
        return None
    cls = type(obj)
    if getattr(cls, "__getstate__", None) is not _NO_GETSTATE:
        state = obj.__getstate__()
        return None if state is None else (state,)
    if _NO_GETSTATE is not None:  # of Python 3.11 and later, which makes no __dict__ for an object without attributes
        state = _NO_GETSTATE(obj)
        attributes, slots = state if isinstance(state, tuple) else (state, None)
    else:
        attributes = getattr(obj, "__dict__", None)
        slots = {name: getattr(obj, name) for name in _slots(cls) if hasattr(obj, name)}
    return (dict(attributes or {}), slots or {}) if attributes or slots else None


def set_python_state(obj: Any, state: tuple[Any, ...]) -> None:
    """Give a new object the result of :func:`python_state` for another one."""
    cls = type(obj)
    if cls.__setstate__ is not _core.CObject.__setstate__:
        if len(state) == 1:
            obj.__setstate__(state[0])
        else:
            obj.__setstate__(state if state[1] else state[0])
        return
    if len(state) == 1:  # from __getstate__, without a __setstate__: as in copyreg
        given = state[0]
        state = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    attributes, slots = state
    if attributes:
        obj.__dict__.update(attributes)
    if slots:
        known = _slots(cls)
        for name, value in slots.items():
            if name not in known:  # a pickle from outside may name __class__, or a field
                raise ValueError(f"{cls.__name__}: the state has a slot {name!r}, which the class does not have")
            setattr(obj, name, value)


def copied_state(obj: Any, made: Any) -> Any:
    """Give `made`, a copy of `obj`, its Python state, and return it."""
    state = python_state(obj)
    if state is not None:
        set_python_state(made, state)
    return made


def deepcopied_state(obj: Any, made: Any, memo: dict[int, Any]) -> Any:
    """Note `made` as the deep copy of `obj`, give it a deep copy of the Python state, and return it."""
    memo[id(obj)] = made
    state = python_state(obj)
    if state is not None:
        set_python_state(made, _copy.deepcopy(state, memo))
    return made


# ---- the native object ----


def flat_of(obj: Any) -> list[Any]:
    """Return the keys and values of a Map or Dict in turn, as their constructors take them."""
    return _core.storable_items([part for pair in obj.items() for part in pair])


def pairs_of(obj: Any) -> list[tuple[Any, Any]]:
    """Return the keys and values of a Map or Dict."""
    flat = iter(flat_of(obj))
    return list(zip(flat, flat))


_fields: dict[int, dict[str, _core.Field]] = emptied({})


def fields_of(index: int) -> dict[str, _core.Field]:
    """Every reflected field of a type with objects, by name, ancestors' first.

    A name that an ancestor's field has already is prefixed with the type's key. Raises TypeError for an index without a
    type.
    """
    found = _fields.get(index)
    if found is None:
        found = _fields[index] = _all_fields(index)  # the type has objects, so its registration is complete
    return found


def _all_fields(type_index: int) -> dict[str, _core.Field]:
    info = _core.type_info(type_index)
    if info is None:
        raise TypeError(f"fields_of: no type is registered for type index {type_index}")
    fields: dict[str, _core.Field] = {}
    for index in [*info["ancestors"], info["type_index"]]:
        level = info if index == info["type_index"] else _core.type_info(index)
        for field in level["fields"] if level is not None else ():
            fields[field.name if field.name not in fields else f"{field.type_key}.{field.name}"] = field
    return fields
