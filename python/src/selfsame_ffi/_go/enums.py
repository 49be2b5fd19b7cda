"""Types of Go with constants, as classes of Python's enum.

The class that the module of a wrapped package has is an enum. So json, pickle, ``match`` and operators take its members
as they take their values. Native code gets the object of the native class that stands for the value: it knows its Go
type, also where Go takes anything. What native code returns is the member.
"""

from __future__ import annotations

import enum
import sys
from typing import Any, Callable, TypeVar

from .. import _core
from .._load.at_exit import emptied
from .._types.special import named

_E = TypeVar("_E", bound=type)

if sys.version_info >= (3, 11):
    from enum import StrEnum as _StrEnum
else:

    class _StrEnum(str, enum.Enum):
        pass


_classes: dict[str, Any] = emptied({})  # by type key


class _Constant:
    """What members have beside what enums have."""

    _value_: Any

    def __tvm_ffi_object__(self) -> Any:
        return _object_of(type(self), self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return constant, (type(self), self._value_)

    def __str__(self) -> str:  # alike in all Pythons; that of Go goes before
        return str(self._value_)

    def __format__(self, specification: str) -> str:
        if not specification:
            return str(self)
        plain = int if isinstance(self, int) else str
        return format(plain(self._value_), specification)


class GoIntEnum(_Constant, enum.IntEnum):
    """A number type of Go with constants: each is a member, which is an int.

    A call with another number is a ValueError. Go may still return one, as a member without a name of its own.
    """

    __module__ = "selfsame_ffi"


class GoIntFlag(_Constant, enum.IntFlag):
    """A number type of Go whose constants are bits."""

    __module__ = "selfsame_ffi"


class GoStrEnum(_Constant, _StrEnum):
    """A text type of Go with constants: each is a member, which is a str. It is used as :class:`GoIntEnum` is."""

    __module__ = "selfsame_ffi"


def constant(cls: Any, value: Any) -> Any:
    """Return the member of a value, one without a name where none of the constants has it."""
    try:
        return cls(value)
    except ValueError:
        plain: Any = int if issubclass(cls, int) else str
        made = plain.__new__(cls, value)
        made._name_, made._value_ = str(value), plain(value)
        return made


def member_of(value: Any, key: str) -> Any:
    """Return the member for a value of a Go type. KeyError as long as no class is registered for the type."""
    return constant(_classes[str(key)], value)


def _object_of(cls: Any, value: Any) -> Any:
    """The native object for a member or a plain value of an enum."""
    made = getattr(value, "_go_object_", None)
    return cls._go_class_(getattr(value, "_value_", value)) if made is None else made


def _delegated(cls: Any, name: str, method: Any) -> Any:
    def call(self: Any, *args: Any, **keywords: Any) -> Any:
        return method(_object_of(cls, self), *args, **keywords)

    return named(call, cls, name, method.__doc__)


def constants(key: str) -> Callable[[_E], _E]:
    """Make the decorated enum the Python class of the Go type with a key such as ``shop.Kind``.

    It gets the methods of the type. Where two modules have the same type, the second gets the class of the first.
    Raises ValueError for a key that no native type has.
    """

    def register(cls: Any) -> Any:
        first = _classes.setdefault(key, cls)
        if first is not cls:
            return first
        index = _core.type_key_to_index(key)
        if index is None:
            raise ValueError(f"constants: argument 'key': no native type has the key {key!r}")
        native: Any = _core.class_of(index)
        cls._go_class_ = native
        for name, method in vars(native).items():
            if isinstance(method, _core.StaticMethod) and not name.startswith("__"):
                setattr(cls, name, method)
            elif name == "__str__" or isinstance(method, _core.Method) and not name.startswith("__"):
                setattr(cls, name, _delegated(cls, name, method))
        for member in cls.__members__.values():
            member._go_object_ = native(member._value_)
            native.__go_member__(member._value_)  # which Go keeps from now on
        return cls

    return register
