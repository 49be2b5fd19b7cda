"""Text and bytes as classes that native types have."""

from __future__ import annotations

from typing import Any


class PyNativeObject:
    """Base of the classes whose instances are Python values with a native type of their own."""

    __slots__ = ()


class String(str, PyNativeObject):
    """A str, under the name of its native type. Any str can be used instead."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return str, (str(self),)


class Bytes(bytes, PyNativeObject):
    """Bytes, under the name of their native type. Any bytes can be used instead."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return bytes, (bytes(self),)
