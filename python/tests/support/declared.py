"""Classes that Python declares, importable by name: a py_class, classes derived from it, and an enum of each kind."""

from __future__ import annotations

from typing import Any, Optional

from selfsame_ffi import Object
from selfsame_ffi.dataclasses import Enum, IntEnum, StrEnum, entry, field, py_class


@py_class("declared.Node")
class Node(Object):
    """Fields of every kind that can hold an object, and a ``__dict__``."""

    value: Any = None
    next: Optional[Node] = None  # noqa: UP045  resolved on CPython 3.9 too
    items: list[Any] = field(default_factory=list)
    table: dict[str, Any] = field(default_factory=dict)


@py_class("declared.Special")
class Special(Node):
    """A declared class derived from a declared class."""

    __slots__ = ()
    tail: Any = None


class Tagged(Node):
    """A plain Python subclass, without a native type of its own."""

    __slots__ = ("tag",)


class Color(Enum, type_key="declared.Color"):
    """Members with an attribute."""

    code: int
    red = entry(code=1)
    blue = entry(code=2)


class Size(IntEnum, type_key="declared.Size"):
    """Members with a number."""

    small = entry(value=1)
    large = entry(value=10)


class Mode(StrEnum, type_key="declared.Mode"):
    """Members with a text."""

    read = entry(value="r")
    write = entry(value="w")


MEMBERS = [Color.red, Color.blue, Size.small, Size.large, Mode.read, Mode.write]
