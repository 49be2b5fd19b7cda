"""How objects of each native type are copied and pickled: one class of plans for each kind of types."""

from __future__ import annotations

import copy as _copy
import ctypes
import pickle as _pickle
import sys
from typing import Any, Callable

from .. import _core
from .._dtype import parts_of
from .._load.at_exit import emptied
from . import (
    blank,
    error,
    fill,
    function,
    graph,
    mapping,
    opaque,
    refuse_addresses,
    runtime_function,
    sequence,
    tensor,
    tensor_of,
)
from .state import ATOMS, copied_state, deepcopied_state, fields_of, flat_of, pairs_of, python_state

_CPU = 1  # the DLPack device type


def _is_ours_or_the_programs(cls: type) -> bool:
    return cls.__module__ == "__main__" or cls.__module__.partition(".")[0] == "selfsame_ffi"


def _is_in_a_module(cls: type) -> bool:
    """Whether importing a module, other than this package's and the program itself, defines the class."""
    if _is_ours_or_the_programs(cls):
        return False
    found: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is cls


_HEADER = 24  # bytes of an object's header


class _Plan:
    """How objects of one native type are copied and pickled. This class does it by their fields."""

    made_by_pickles = True  # reading a pickle makes a new object, whose state it may set

    def __init__(self, index: int, info: dict[str, Any]) -> None:
        self.index = index
        self.key: str = info["type_key"]
        self.ancestors: list[int] = list(info["ancestors"])
        self.fields = fields_of(index)
        self.named: dict[type, bool] = {}  # registered classes, and whether a module defines them
        self.checked = False  # that check() finds no reason against pickles
        self.opaque = not self.fields and info["total_size"] != _HEADER
        if type(self).copy is _Plan.copy and _core.has_type_function(index, "__ffi_shallow_copy__"):
            _core.note_cloned(index, type(self) is _Plan and not self.opaque)

    def class_argument(self, obj: Any) -> type | None:
        """Return the class to name in a pickle: None when the type's key is enough.

        A class that a module defines is named although the key would be enough here: a process that reads the pickle
        imports the module, which registers the type.
        """
        cls = type(obj)
        if _core.class_of(self.index) is not cls:
            return cls
        named = self.named.get(cls)
        if named is None:
            named = _is_in_a_module(cls)
            if named or _is_ours_or_the_programs(cls):  # else its module may define it later
                self.named[cls] = named
        return cls if named else None

    def check(self) -> None:
        for index in (self.index, *reversed(self.ancestors)):
            reason = _core.type_attr(index, "__ffi_unpicklable__")
            if reason is not None:
                raise TypeError(str(reason))
        if not _core.can_make_blank(self.index):
            raise TypeError(
                f"{self.key}: objects cannot be pickled: the type has no constructor without arguments "
                "(no native creator, no __ffi_new__)"
            )
        for name, field in self.fields.items():
            if not field.settable:
                raise TypeError(f"{self.key}: objects cannot be pickled: field {name!r} has no setter")

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        if not self.checked:
            self.check()
            self.checked = True
        state = python_state(obj) if stateful else None
        fields = _core.storable_fields(obj, self.fields)
        return (blank, (self.key, self.class_argument(obj)), (fields, state), None, None, fill)

    def _clone(self, obj: Any) -> Any:
        """A shallow copy without the Python state."""
        made = _core.clone(obj)
        if made is not None:
            return made
        if not _core.can_make_blank(self.index):
            raise TypeError(
                f"{self.key}: the type does not support copy: it is not copy-constructible (no __ffi_shallow_copy__) "
                "and has no constructor without arguments"
            )
        made = _core.blank(self.index, type(obj))
        for name, value in _core.storable_fields(obj, self.fields).items():
            _core.restore_field(self.fields[name], made, value)
        return made

    def copy(self, obj: Any) -> Any:
        made = self._clone(obj)
        return made if made is obj else copied_state(obj, made)

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        made = self._clone(obj)
        if made is obj:
            return obj
        if self.opaque:
            raise TypeError(
                f"{self.key}: objects cannot be copied deeply: no field tells what they consist of, so a copy might "
                "share its state with the original; copy.copy makes such a copy"
            )
        memo[id(obj)] = made
        for name, value in _core.storable_fields(obj, self.fields).items():
            if type(value) in ATOMS:
                continue
            copied = _copy.deepcopy(value, memo)
            if copied is not value:
                _core.restore_field(self.fields[name], made, copied)
        return deepcopied_state(obj, made, memo)


def _with_state(obj: Any, stateful: bool, make: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a pickle holds of an object that `make` makes of arguments: these, and the Python state if there is any."""
    state = python_state(obj) if stateful else None
    return (make, arguments) if state is None else (make, arguments, (None, state), None, None, fill)


class _Container(_Plan):
    """A container, by a list of its parts: elements, or keys and values in turn."""

    def __init__(self, index: int, info: dict[str, Any]) -> None:
        super().__init__(index, info)
        pairs = self.key in ("ffi.Map", "ffi.Dict")
        self.make: Callable[[str, type | None, list[Any]], Any] = mapping if pairs else sequence
        self.parts_of: Callable[[Any], list[Any]] = flat_of if pairs else _core.storable_items

    def copy(self, obj: Any) -> Any:
        return copied_state(obj, self.make(self.key, self.class_argument(obj), self.parts_of(obj)))


class _Immutable(_Container):
    """Array and Map. A cycle through one passes through a mutable object, whose plan handles the cycle."""

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        cls = self.class_argument(obj)
        arguments = self.key, cls, self.parts_of(obj)
        if stateful:
            return _with_state(obj, True, self.make, arguments)
        if cls is None and self.make is sequence and type(obj) in self.named and self.index < len(reducers):
            reducers[self.index] = self.reduce, type(obj), sequence, self.key
        return self.make, arguments

    def copy(self, obj: Any) -> Any:
        return obj if self.class_argument(obj) is None and python_state(obj) is None else super().copy(obj)

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        parts = [_copy.deepcopy(part, memo) for part in self.parts_of(obj)]
        if id(obj) in memo:  # copied in a cycle, by one of the parts
            return memo[id(obj)]
        return deepcopied_state(obj, self.make(self.key, self.class_argument(obj), parts), memo)


class _Mutable(_Container):
    """List and Dict, which are made empty and then filled."""

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        state = python_state(obj) if stateful else None
        arguments: tuple[Any, ...] = (self.key, self.class_argument(obj), [])
        made = (self.make, arguments, None if state is None else (None, state))
        parts = (None, iter(pairs_of(obj))) if self.make is mapping else (iter(_core.storable_items(obj)), None)
        return (*made, *parts) if state is None else (*made, *parts, fill)

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        made = self.make(self.key, self.class_argument(obj), [])
        memo[id(obj)] = made
        if self.make is mapping:
            for key, value in pairs_of(obj):
                made[_copy.deepcopy(key, memo)] = _copy.deepcopy(value, memo)
        else:
            for item in _core.storable_items(obj):
                made.append(_copy.deepcopy(item, memo))
        return deepcopied_state(obj, made, memo)


class _Function(_Plan):
    """Functions are code: a copy is the function itself, a pickle holds the name of a global one."""

    made_by_pickles = False

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        if getattr(obj, "__wrapped__", None) is not None:  # declared by a module, which a fresh process imports
            return obj.__qualname__
        name = _core.global_name(obj)
        if name is not None:
            return (function, (name,))
        raise TypeError("Function: an object without a global name cannot be pickled")

    def copy(self, obj: Any) -> Any:
        return obj

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        return obj


class _Error(_Plan):
    """Error, by kind, message, backtrace and cause, without the Python exception that it was made from."""

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        return _with_state(obj, stateful, error, self._arguments(obj, obj.cause))

    def _arguments(self, obj: Any, cause: Any) -> tuple[Any, ...]:
        return (self.class_argument(obj), obj.kind, obj.message, obj.backtrace, cause)

    def copy(self, obj: Any) -> Any:
        return copied_state(obj, error(*self._arguments(obj, obj.cause)))

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        cause = _copy.deepcopy(obj.cause, memo)
        return deepcopied_state(obj, error(*self._arguments(obj, cause)), memo)


def _memory_of(tensor: Any) -> Any:
    """The memory of a Tensor as a buffer that keeps it alive; None when pickles need a copy of it.

    That is so for elements with gaps between them, smaller than a byte or of a size that the machine decides, for none,
    and for memory of other devices or that is not there.
    """
    bits = tensor.dtype.bits * tensor.dtype.lanes
    size = tensor.numel() * bits // 8
    if size <= 0 or bits % 8 or not tensor.is_contiguous() or tensor.__dlpack_device__()[0] != _CPU:
        return None
    if tensor.data_ptr() == 0:
        return None
    owner = tensor._to_dlpack_versioned()  # the wrapper may lose the native object by _move()
    memory = (ctypes.c_ubyte * size).from_address(tensor.data_ptr())
    memory.owner = owner
    return memoryview(memory).cast("B")  # with strides, which a ctypes array lacks and Ray reads unasked


def _dtype_argument(tensor: Any) -> str:
    """The name of a tensor's data type; the type itself where the name does not tell all of it, as "handle"."""
    name = str(tensor.dtype)
    try:
        return name if parts_of(name) == tensor.dtype._parts else tensor.dtype
    except ValueError:  # a vector whose name the C ABI prints and does not read
        return tensor.dtype


class _Tensor(_Plan):
    """Tensor, by its elements in CPU memory. A shallow copy is another Tensor over the same memory."""

    def _arguments(self, obj: Any) -> Any:
        return (self.class_argument(obj), _dtype_argument(obj), tuple(obj.shape), _core.tensor_bytes(obj))

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        refuse_addresses("pickle", obj.dtype._parts)
        memory = _memory_of(obj) if protocol >= 5 else None
        if memory is None:
            return _with_state(obj, stateful, tensor, self._arguments(obj))
        buffer = _pickle.PickleBuffer(memory)
        arguments = (self.class_argument(obj), _dtype_argument(obj), tuple(obj.shape), buffer)
        return _with_state(obj, stateful, tensor, arguments)

    def copy(self, obj: Any) -> Any:
        made = _core.from_dlpack(obj._to_dlpack_versioned())
        cls = self.class_argument(obj)
        if cls is not None:
            made = _core.rewrap(cls, made)
        return copied_state(obj, made)

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        cls, _, shape, data = self._arguments(obj)
        return deepcopied_state(obj, tensor_of(cls, obj.dtype._parts, shape, data), memo)


class _Opaque(_Plan):
    """Opaque object, by its Python value."""

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        return (opaque, (obj.pyobject(),))

    def copy(self, obj: Any) -> Any:
        return opaque(obj.pyobject())

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        value = _copy.deepcopy(obj.pyobject(), memo)
        return memo[id(obj)] if id(obj) in memo else opaque(value)


class _Graph(_Plan):
    """Types that define their own JSON form."""

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        text = runtime_function("ffi.ToJSONGraphString")(obj, None)
        cls = type(obj)
        return (graph, (text, cls) if _is_in_a_module(cls) else (text,))


class _Singleton(_Graph):
    """Members of an enum: a copy is the object itself, and the JSON form names it."""

    made_by_pickles = False

    def copy(self, obj: Any) -> Any:
        return obj

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        return obj


class _Refused(_Plan):
    made_by_pickles = False

    def reduce(self, obj: Any, protocol: int, stateful: bool) -> Any:
        raise TypeError(f"{self.key}: objects cannot be pickled")

    def copy(self, obj: Any) -> Any:
        raise TypeError(f"{self.key}: objects cannot be copied")

    def deepcopy(self, obj: Any, memo: dict[int, Any]) -> Any:
        raise TypeError(f"{self.key}: objects cannot be copied")


_FAMILIES: dict[str, type[_Plan]] = {
    "ffi.Function": _Function,
    "ffi.Error": _Error,
    "ffi.Array": _Immutable,
    "ffi.List": _Mutable,
    "ffi.Map": _Immutable,
    "ffi.Dict": _Mutable,
    "ffi.Module": _Refused,
    "ffi.Shape": _Refused,  # the wrapper that a Shape owns; the Shape itself is a tuple
    "ffi.String": _Refused,  # the wrapper behind a core.String, which is a str
    "ffi.Bytes": _Refused,
    "ffi.Tensor": _Tensor,
    "ffi.OpaquePyObject": _Opaque,
}

_plans: dict[int, _Plan] = emptied({})
reducers: list[Any] = emptied([])  # the method reduce of each plan, by type index, or what copying.c takes in its place


def _make_plan(index: int) -> _Plan:
    info = _core.type_info(index)
    if info is None:
        raise TypeError(f"plan_of: no type is registered for type index {index}")
    family = _FAMILIES.get(info["type_key"])
    if family is not None:
        return family(index, info)
    if _core.type_key_to_index("ffi.Enum") in info["ancestors"]:
        return _Singleton(index, info)
    if _core.has_type_function(index, "__data_to_json__"):
        return _Graph(index, info)
    return _Plan(index, info)


def plan_of(index: int) -> _Plan:
    """Return the plan for objects of a type. Raises TypeError for an index without a type."""
    plan = _plans.get(index)
    if plan is None:
        plan = _plans[index] = _make_plan(index)  # the type has objects, so its registration is complete
        reducers.extend([None] * (index + 1 - len(reducers)))
        reducers[index] = plan.reduce
    return plan


def check_data(index: int) -> None:
    """TypeError unless objects of the type are pickled by their fields."""
    plan = plan_of(index)
    if type(plan) is not _Plan:
        raise TypeError(f"{plan.key}: objects of this type are not made from fields")
    plan.check()
