"""ObjectConvertible: a base for classes whose instances stand for an object in calls."""

from __future__ import annotations

from typing import Any

from .. import _core


class ObjectConvertible:
    """A Python object that native code gets as the object that its :meth:`asobject` returns."""

    def asobject(self) -> _core.CObject:
        """Return the object. A derived class defines it."""
        raise NotImplementedError(f"{type(self).__name__}.asobject: the class does not define it")

    def __tvm_ffi_object__(self) -> Any:
        other = getattr(type(self), "__tvm_ffi_value__", None)
        if other is not None:  # a class that says what its value is means that
            return other(self)
        try:
            made = self.asobject()
        except Exception as error:
            raise TypeError(f"asobject() failed for {type(self).__qualname__}: {error}") from error
        if not isinstance(made, _core.CObject):
            raise TypeError(f"asobject() returned {type(made).__qualname__} for {type(self).__qualname__}")
        return made
