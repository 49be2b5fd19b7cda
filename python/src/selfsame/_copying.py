"""Copying and pickling of native objects.

A pickle holds objects by value: the key of the type, the reflected fields, the Python state of the wrapper. Each object
goes into the pickle as an object of its own, not as part of a graph of natives, so the pickler sees every reference:
what is shared is shared again, natives inside of natives with those beside them, and cycles are closed. The same holds
for deep copies and their memo.

Pickles name ``blank``, ``fill``, ``set_state``, ``sequence``, ``mapping``, ``error``, ``function``, ``graph``,
``tensor`` and ``opaque`` of this module: they stay, with these parameters.
"""

from __future__ import annotations

import copy as _copy
import ctypes
import types
from typing import Any, Callable

from . import _core, _runtime  # noqa: F401
from ._device import Device
from ._dtype import dtype

_HEAP_TYPE = 1 << 9
_ATOMS = frozenset({type(None), bool, int, float, str, bytes, dtype, Device, _core.Shape, ctypes.c_void_p})


def _index_of(key: str) -> int:
    index = _core.type_key_to_index(key)
    if index is None:
        raise ValueError(f"no native type has the key {key!r}: load the library that registers it first")
    return index


# ---- what pickles call ----


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
        known = dict(_plan(_core.native_type(obj)).fields)
        for name, value in fields.items():
            field = known.get(name)
            if field is None:
                raise ValueError(f"the pickled {type(obj).__name__} has a field {name!r}, which its type does not have")
            _core.restore_field(field, obj, value)
    if python is not None:
        _set_python_state(obj, python)


def set_state(obj: Any, state: Any) -> None:
    """Give an object that was just made the Python state that its class's own __reduce__ told."""
    _set_python_state(obj, (state,))


def sequence(key: str, cls: type | None, items: list[Any]) -> Any:
    """An Array or List of the items."""
    return _wrapped(key, cls, items)


def mapping(key: str, cls: type | None, flat: list[Any]) -> Any:
    """A Map or Dict of keys and values in turn."""
    return _wrapped(key, cls, flat)


def _wrapped(key: str, cls: type | None, items: list[Any]) -> Any:
    made = _function(key)(*items)
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
    return _function("ffi.FromJSONGraphString")(text)


def tensor(cls: type | None, dtype: str, shape: tuple[int, ...], data: bytes) -> Any:
    """A Tensor of its own memory in the CPU's."""
    made = _core.tensor_from_bytes(_core.dtype_parts(dtype), shape, data)
    return made if cls is None else _core.adopt(cls, made)


def opaque(value: Any) -> Any:
    """The native object that stands for a Python value."""
    return _core.opaque(value)


def _function(name: str) -> Any:
    found = _core.get_global_func(name)
    if found is None:
        raise RuntimeError(f"the runtime library has no function {name!r}")
    return found


# ---- the Python state of a wrapper: __dict__ and slots, or what its class's __getstate__ says ----


def _slots(cls: type) -> list[str]:
    return [
        name
        for base in cls.__mro__
        if base.__flags__ & _HEAP_TYPE
        for name, value in vars(base).items()
        if isinstance(value, types.MemberDescriptorType)
    ]


def _python_state(obj: Any) -> tuple[Any, ...] | None:
    cls = type(obj)
    own = getattr(cls, "__getstate__", None)
    if own is not getattr(object, "__getstate__", None):
        state = obj.__getstate__()
        return None if state is None else (state,)
    attributes = getattr(obj, "__dict__", None)
    slots = {name: getattr(obj, name) for name in _slots(cls) if hasattr(obj, name)}
    if not attributes and not slots:
        return None
    return (dict(attributes or {}), slots)


def _set_python_state(obj: Any, state: tuple[Any, ...]) -> None:
    cls = type(obj)
    if cls.__setstate__ is not _core.CObject.__setstate__:
        if len(state) == 1:
            obj.__setstate__(state[0])
        else:
            obj.__setstate__(state if state[1] else state[0])
        return
    if len(state) == 1:  # by __getstate__, without a __setstate__: as Python itself takes such a state
        given = state[0]
        state = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    attributes, slots = state
    if attributes:
        obj.__dict__.update(attributes)
    for name, value in (slots or {}).items():
        setattr(obj, name, value)


# ---- families ----


class _Plan:
    """How objects of one native type are copied and pickled: by their fields, unless a subclass knows better."""

    def __init__(self, index: int, info: dict[str, Any]) -> None:
        self.index = index
        self.key: str = info["type_key"]
        self.fields = _all_fields(info)

    def class_argument(self, obj: Any) -> type | None:
        """The class to name in a pickle: None when the type's key is enough."""
        cls = type(obj)
        return None if _core.class_of(self.index) is cls else cls

    def check(self) -> None:
        if not _core.can_make_blank(self.index):
            raise TypeError(
                f"{self.key} objects cannot be pickled: the type has no constructor without arguments "
                "(no native creator, no __ffi_new__)"
            )
        for name, field in self.fields:
            if not field.settable:
                raise TypeError(f"{self.key} objects cannot be pickled: field {name!r} has no setter")

    def reduce(self, obj: Any) -> Any:
        self.check()
        fields = {name: _value_of(field, obj) for name, field in self.fields}
        return (blank, (self.key, self.class_argument(obj)), (fields, _python_state(obj)), None, None, fill)

    def _clone(self, obj: Any) -> Any:
        """A shallow copy without the Python state."""
        made = _core.clone(obj)
        if made is not None:
            return made
        if not _core.can_make_blank(self.index):
            raise TypeError(
                f"{self.key} objects cannot be copied: the type is not copy-constructible (no __ffi_shallow_copy__) "
                "and has no constructor without arguments"
            )
        made = _core.blank(self.index, type(obj))
        for _, field in self.fields:
            _core.restore_field(field, made, _value_of(field, obj))
        return made

    def copy(self, obj: Any) -> Any:
        made = self._clone(obj)
        if made is not obj:
            state = _python_state(obj)
            if state is not None:
                _set_python_state(made, state)
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        made = self._clone(obj)
        if made is obj:
            return obj
        memo[id(obj)] = made
        for _, field in self.fields:
            value = _value_of(field, obj)
            if type(value) in _ATOMS:
                continue
            copied = _copy.deepcopy(value, memo)
            if copied is not value:
                _core.restore_field(field, made, copied)
        _deepcopy_python_state(obj, made, memo)
        return made


def _deepcopy_python_state(obj: Any, made: Any, memo: dict[int, Any]) -> None:
    state = _python_state(obj)
    if state is not None:
        _set_python_state(made, _copy.deepcopy(state, memo))


def _held(value: Any) -> Any:
    """A value that came out of a native, as one that goes in again as the same.

    A Python value of a kind that natives do not have was inside of an opaque object.
    """
    return value if type(value) in _ATOMS or isinstance(value, _core.CObject) else _core.opaque(value)


def _items(obj: Any) -> list[Any]:
    return [_held(item) for item in obj]


def _pairs(obj: Any) -> list[tuple[Any, Any]]:
    return [(_held(key), _held(value)) for key, value in obj.items()]


def _flat(obj: Any) -> list[Any]:
    return [part for pair in _pairs(obj) for part in pair]


def _value_of(field: _core.Field, obj: Any) -> Any:
    """A field's value, whatever the object's class has under the field's name."""
    return _held(field.__get__(obj, type(obj)))


def _all_fields(info: dict[str, Any]) -> list[tuple[str, _core.Field]]:
    """Every reflected field by name, ancestors' first; one that a derived type names again by its owner's key too."""
    fields: list[tuple[str, _core.Field]] = []
    seen: set[str] = set()
    for index in [*info["ancestors"], info["type_index"]]:
        level = info if index == info["type_index"] else _core.type_info(index)
        for field in level["fields"] if level is not None else ():
            name = field.name if field.name not in seen else f"{field.type_key}.{field.name}"
            seen.add(name)
            fields.append((name, field))
    return fields


class _Sequence(_Plan):
    """Array: immutable. A cycle through it goes through something mutable, which closes it."""

    def reduce(self, obj: Any) -> Any:
        state = _python_state(obj)
        made = (sequence, (self.key, self.class_argument(obj), _items(obj)))
        return made if state is None else (*made, (None, state), None, None, fill)

    def copy(self, obj: Any) -> Any:
        if self.class_argument(obj) is None and _python_state(obj) is None:
            return obj
        made = sequence(self.key, self.class_argument(obj), _items(obj))
        _set_python_state(made, _python_state(obj) or ({}, None))
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        items = [_copy.deepcopy(item, memo) for item in _items(obj)]
        if id(obj) in memo:  # a cycle came round to it
            return memo[id(obj)]
        made = sequence(self.key, self.class_argument(obj), items)
        memo[id(obj)] = made
        _deepcopy_python_state(obj, made, memo)
        return made


class _List(_Plan):
    def reduce(self, obj: Any) -> Any:
        state = _python_state(obj)
        filled = () if state is None else (None, fill)
        return (
            sequence,
            (self.key, self.class_argument(obj), []),
            None if state is None else (None, state),
            iter(_items(obj)),
            *filled,
        )

    def copy(self, obj: Any) -> Any:
        made = sequence(self.key, self.class_argument(obj), _items(obj))
        _set_python_state(made, _python_state(obj) or ({}, None))
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        made = sequence(self.key, self.class_argument(obj), [])
        memo[id(obj)] = made
        for item in _items(obj):
            made.append(_copy.deepcopy(item, memo))
        _deepcopy_python_state(obj, made, memo)
        return made


class _Map(_Plan):
    """Map: immutable, as an Array is."""

    def reduce(self, obj: Any) -> Any:
        state = _python_state(obj)
        made = (mapping, (self.key, self.class_argument(obj), _flat(obj)))
        return made if state is None else (*made, (None, state), None, None, fill)

    def copy(self, obj: Any) -> Any:
        if self.class_argument(obj) is None and _python_state(obj) is None:
            return obj
        made = mapping(self.key, self.class_argument(obj), _flat(obj))
        _set_python_state(made, _python_state(obj) or ({}, None))
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        flat = [_copy.deepcopy(item, memo) for item in _flat(obj)]
        if id(obj) in memo:
            return memo[id(obj)]
        made = mapping(self.key, self.class_argument(obj), flat)
        memo[id(obj)] = made
        _deepcopy_python_state(obj, made, memo)
        return made


class _Dict(_Plan):
    def reduce(self, obj: Any) -> Any:
        state = _python_state(obj)
        filled = () if state is None else (fill,)
        return (
            mapping,
            (self.key, self.class_argument(obj), []),
            None if state is None else (None, state),
            None,
            iter(_pairs(obj)),
            *filled,
        )

    def copy(self, obj: Any) -> Any:
        made = mapping(self.key, self.class_argument(obj), _flat(obj))
        _set_python_state(made, _python_state(obj) or ({}, None))
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        made = mapping(self.key, self.class_argument(obj), [])
        memo[id(obj)] = made
        for key, value in _pairs(obj):
            made[_copy.deepcopy(key, memo)] = _copy.deepcopy(value, memo)
        _deepcopy_python_state(obj, made, memo)
        return made


class _Function(_Plan):
    """Functions are code: a copy is the function itself, a pickle holds the name of a global one."""

    def reduce(self, obj: Any) -> Any:
        names = _function("ffi.FunctionListGlobalNamesFunctor")()
        for i in range(names(-1)):
            name = names(i)
            if _core.get_global_func(name) is obj:
                return (function, (name,))
        raise TypeError("a Function that is not registered under a global name cannot be pickled")

    def copy(self, obj: Any) -> Any:
        return obj

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        return obj


class _Error(_Plan):
    """By kind, message, backtrace and cause. The Python exception an Error came from is pickled as Python does it."""

    def reduce(self, obj: Any) -> Any:
        state = _python_state(obj)
        made = (error, (self.class_argument(obj), obj.kind, obj.message, obj.backtrace, obj.cause))
        return made if state is None else (*made, (None, state), None, None, fill)

    def copy(self, obj: Any) -> Any:
        made = error(self.class_argument(obj), obj.kind, obj.message, obj.backtrace, obj.cause)
        _set_python_state(made, _python_state(obj) or ({}, None))
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        cause = _copy.deepcopy(obj.cause, memo)
        made = error(self.class_argument(obj), obj.kind, obj.message, obj.backtrace, cause)
        memo[id(obj)] = made
        _deepcopy_python_state(obj, made, memo)
        return made


class _Tensor(_Plan):
    """By its elements, from the CPU's memory. A shallow copy is another Tensor over the same memory."""

    def _again(self, obj: Any) -> Any:
        return (self.class_argument(obj), str(obj.dtype), tuple(obj.shape), _core.tensor_bytes(obj))

    def reduce(self, obj: Any) -> Any:
        state = _python_state(obj)
        made = (tensor, self._again(obj))
        return made if state is None else (*made, (None, state), None, None, fill)

    def copy(self, obj: Any) -> Any:
        made = _core.from_dlpack(obj._to_dlpack())
        cls = self.class_argument(obj)
        if cls is not None:
            made = _core.adopt(cls, made)
        _set_python_state(made, _python_state(obj) or ({}, None))
        return made

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        made = tensor(*self._again(obj))
        memo[id(obj)] = made
        _deepcopy_python_state(obj, made, memo)
        return made


class _Opaque(_Plan):
    """By the Python value."""

    def reduce(self, obj: Any) -> Any:
        return (opaque, (obj.pyobject(),))

    def copy(self, obj: Any) -> Any:
        return opaque(obj.pyobject())

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        value = _copy.deepcopy(obj.pyobject(), memo)
        return memo[id(obj)] if id(obj) in memo else opaque(value)


class _Graph(_Plan):
    """Types with a JSON form of their own, and the singletons of enums, which it finds again."""

    def reduce(self, obj: Any) -> Any:
        return (graph, (_function("ffi.ToJSONGraphString")(obj, None),))


class _Singleton(_Graph):
    def copy(self, obj: Any) -> Any:
        return obj

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        return obj


class _Refused(_Plan):
    def __init__(self, index: int, info: dict[str, Any]) -> None:
        super().__init__(index, info)

    def reduce(self, obj: Any) -> Any:
        raise TypeError(f"{self.key} objects cannot be pickled")

    def copy(self, obj: Any) -> Any:
        raise TypeError(f"{self.key} objects cannot be copied")

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        raise TypeError(f"{self.key} objects cannot be copied")


_FAMILIES: dict[str, type[_Plan]] = {
    "ffi.Function": _Function,
    "ffi.Error": _Error,
    "ffi.Array": _Sequence,
    "ffi.List": _List,
    "ffi.Map": _Map,
    "ffi.Dict": _Dict,
    "ffi.Module": _Refused,
    "ffi.Shape": _Refused,  # what stands behind a Shape; the Shape itself is a tuple
    "ffi.Tensor": _Tensor,
    "ffi.OpaquePyObject": _Opaque,
}

_plans: dict[int, _Plan] = {}


def _make_plan(index: int) -> _Plan:
    info = _core.type_info(index)
    if info is None:
        raise TypeError(f"no type is registered for type index {index}")
    family = _FAMILIES.get(info["type_key"])
    if family is not None:
        return family(index, info)
    if _core.type_key_to_index("ffi.Enum") in info["ancestors"]:
        return _Singleton(index, info)
    if _core.has_type_function(index, "__data_to_json__"):
        return _Graph(index, info)
    return _Plan(index, info)


def _plan(index: int) -> _Plan:
    plan = _plans.get(index)
    if plan is None:
        plan = _plans[index] = _make_plan(index)  # the type has objects, so its registration is complete
    return plan


def replace(obj: Any, changes: dict[str, Any]) -> Any:
    """What ``copy.replace`` gives."""
    known = dict(_plan(_core.native_type(obj)).fields)
    for name in changes:
        if name not in known:
            raise TypeError(f"{type(obj).__name__} has no field {name!r}")
    made = _copy.copy(obj)
    for name, value in changes.items():
        _core.restore_field(known[name], made, value)
    return made


# ---- what CObject's methods call ----


def _has_own_reduce(cls: type) -> bool:
    return (
        cls.__reduce__ is not _core.CObject.__reduce__  # type: ignore[comparison-overlap]
        or cls.__reduce_ex__ is not _core.CObject.__reduce_ex__  # type: ignore[comparison-overlap]
    )


def _reduce(obj: Any, protocol: int) -> Any:
    cls = type(obj)
    if cls.__reduce__ is not _core.CObject.__reduce__:
        reduced = obj.__reduce__()
        if (
            isinstance(reduced, tuple)
            and 3 <= len(reduced) < 6
            and reduced[2] is not None
            and cls.__setstate__ is _core.CObject.__setstate__
        ):
            return (*reduced, *[None] * (5 - len(reduced)), set_state)  # CObject's own __setstate__ refuses
        return reduced
    return _plan(_core.native_type(obj)).reduce(obj)


def _copied(obj: Any) -> Any:
    if _has_own_reduce(type(obj)):
        return _from_reduced(obj, obj.__reduce_ex__(4), None)
    return _plan(_core.native_type(obj)).copy(obj)


def _deepcopied(obj: Any, memo: dict[int, Any]) -> Any:
    if _has_own_reduce(type(obj)):
        return _from_reduced(obj, obj.__reduce_ex__(4), memo)
    return _plan(_core.native_type(obj)).deepcopy(obj, memo)


def _from_reduced(obj: Any, reduced: Any, memo: dict[int, Any] | None) -> Any:
    """The copy that a class's own __reduce__ describes; a deep one with a memo."""
    if isinstance(reduced, str):
        return obj
    if not isinstance(reduced, tuple) or not 2 <= len(reduced) <= 6:
        raise TypeError(f"{type(obj).__name__}.__reduce__ must return a str or a tuple of 2 to 6 items")
    parts: list[Any] = [*reduced, None, None, None, None]
    make, arguments, state, items, pairs, setter = parts[:6]
    part: Callable[[Any], Any] = (lambda value: value) if memo is None else (lambda value: _copy.deepcopy(value, memo))
    made = make(*(part(argument) for argument in arguments))
    if memo is not None:
        memo[id(obj)] = made
    if state is not None:
        if setter is not None:
            setter(made, part(state))
        elif hasattr(type(made), "__setstate__") and not isinstance(made, _core.CObject):
            made.__setstate__(part(state))
        else:
            _set_python_state(made, (part(state),))
    for item in items or ():
        made.append(part(item))
    for key, value in pairs or ():
        made[part(key)] = part(value)
    return made


_core.set_copying(_reduce, _copied, _deepcopied)
