"""Access paths: how a value inside an object is reached, as structural comparison reports it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from ._types import classes
from .registry import register_object


class AccessKind(IntEnum):
    """The kind of one step of a path. The MISSING kinds name a place that is not there."""

    ATTR = 0
    ARRAY_ITEM = 1
    MAP_ITEM = 2
    ATTR_MISSING = 3
    ARRAY_ITEM_MISSING = 4
    MAP_ITEM_MISSING = 5


@register_object("ffi.reflection.AccessStep")
class AccessStep(classes.Object):
    """One step: its `kind` (a number of :class:`AccessKind`) and its `key`, a field's name, an index or a map key."""

    __slots__ = ()
    kind: int
    key: Any


@register_object("ffi.reflection.AccessPath")
class AccessPath(classes.Object):
    """A path from a root value to a value inside it.

    ``AccessPath.root().attr("layers").array_item(2)`` names ``root.layers[2]``. Each method returns a longer path and
    leaves its own as it is. `step` is the last step and `parent` the path before it; both are None at the root.
    """

    __slots__ = ()
    parent: AccessPath | None
    step: AccessStep | None
    depth: int

    def __init__(self) -> None:
        raise ValueError("AccessPath can't be initialized directly. Use AccessPath.root() for a path's beginning")

    @staticmethod
    def root() -> AccessPath:
        """Return the empty path."""
        return AccessPath._root()  # type: ignore[attr-defined]

    def attr(self, attr_key: str) -> AccessPath:
        """Return the path to a field of the object."""
        return self._attr(attr_key)  # type: ignore[attr-defined]

    def attr_missing(self, attr_key: str) -> AccessPath:
        """Return the path to a field that the object does not have."""
        return self._attr_missing(attr_key)  # type: ignore[attr-defined]

    def array_item(self, index: int) -> AccessPath:
        """Return the path to an element."""
        return self._array_item(index)  # type: ignore[attr-defined]

    def array_item_missing(self, index: int) -> AccessPath:
        """Return the path to an element behind the end."""
        return self._array_item_missing(index)  # type: ignore[attr-defined]

    def map_item(self, key: Any) -> AccessPath:
        """Return the path to the value of a map's key."""
        return self._map_item(key)  # type: ignore[attr-defined]

    def map_item_missing(self, key: Any) -> AccessPath:
        """Return the path to a key that the map does not have."""
        return self._map_item_missing(key)  # type: ignore[attr-defined]

    def is_prefix_of(self, other: AccessPath) -> bool:
        """Say whether the other path begins with this one."""
        return self._is_prefix_of(other)  # type: ignore[attr-defined]

    def to_steps(self) -> Sequence[AccessStep]:
        """Return the steps from the root on."""
        return self._to_steps()  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AccessPath) and bool(self._path_equal(other))  # type: ignore[attr-defined]

    __hash__ = classes.Object.__hash__


__all__ = ["AccessKind", "AccessPath", "AccessStep"]
