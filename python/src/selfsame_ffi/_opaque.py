"""Python values that native code carries without knowing them."""

from __future__ import annotations

from typing import Any

from . import _classes, _core
from .registry import register_object


@register_object("ffi.OpaquePyObject", init=False)
class OpaquePyObject(_classes.Object):
    """The native object that stands for a Python value.

    Native code that gets a Python value it does not know gets one of these, and hands the value itself back. Only
    :func:`opaque` shows the object as such.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("an OpaquePyObject is made by opaque(value)")

    def pyobject(self) -> Any:
        """The Python value."""
        return _core.opaque_payload(self)


def opaque(value: Any) -> OpaquePyObject:
    """Any Python value as an opaque native object, be it one that native code would know, such as a list."""
    return _core.opaque(value)
