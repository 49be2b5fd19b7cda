"""Opaque objects: Python values without a native form."""

from __future__ import annotations

from typing import Any

from .. import _core
from ..registry import register_object
from . import classes


@register_object("ffi.OpaquePyObject", init=False)
class OpaquePyObject(classes.Object):
    """A native object that owns a Python value.

    A Python value without a native form is passed to native code in such an object. When native code returns the
    object, Python gets the value itself. Only :func:`opaque` returns the object as such.
    """

    __slots__ = ()
    __module__ = "selfsame_ffi"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("OpaquePyObject: has no constructor; use opaque(value)")

    def pyobject(self) -> Any:
        """Return the Python value."""
        return _core.opaque_value(self)


_index = _core.type_key_to_index("ffi.OpaquePyObject")
assert _index is not None
# Where a container or an object is printed, its opaque values are what they are in Python.
if _core.type_attr(_index, "__ffi_repr__") is None:  # else the package is imported a second time
    _core.declare_attr(_index, "__ffi_repr__", lambda value, _repr: repr(value))


def opaque(value: Any) -> OpaquePyObject:
    """Return an opaque object that owns any Python value, even one that has a native form, such as a list."""
    return _core.opaque(value)
