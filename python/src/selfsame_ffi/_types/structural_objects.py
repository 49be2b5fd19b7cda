"""The enums and objects of structural operations."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Callable

from .. import _ffi_api
from ..registry import register_object
from . import classes


class WalkOrder(IntEnum):
    """Whether callbacks run before or after the children."""

    PREORDER = 0
    POSTORDER = 1


class WalkResult(IntEnum):
    """The next step of a walk after a callback: visit the children, or leave them out."""

    ADVANCE = 0
    SKIP = 1


class InplaceMode(IntEnum):
    """Whether a callback may change its value in place: nothing else owns it."""

    DISALLOW = 0
    ALLOW = 1


class DefRegionKind(IntEnum):
    """Whether a value lies where variables are used, or where a pattern or a single variable is defined."""

    NONE = 0
    DEF_PATTERN = 1
    DEF_SIMPLE = 2


@register_object("ffi.StructuralKey")
class StructuralKey(classes.Object):
    """A value as a key that is compared by structure, in Python dicts and in Maps; it keeps its hash."""

    __slots__ = ()
    key: Any
    hash_i64: int

    def __init__(self, key: Any) -> None:
        self.__init_handle_by_constructor__(_ffi_api.StructuralKey, key)

    def __hash__(self) -> int:
        return self.hash_i64 & ((1 << 64) - 1)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, StructuralKey) and bool(_ffi_api.StructuralKeyEqual(self, other)))


@register_object("ffi.VisitInterrupt")
class VisitInterrupt(classes.Object):
    """Ends a walk or visit when a callback returns it; `value` is for the caller."""

    __slots__ = ()
    value: Any

    def __init__(self, value: Any = None) -> None:
        self.__init_handle_by_constructor__(_ffi_api.VisitInterrupt, value)


class _Traversal(classes.Object):
    """The common base of visitors and mutators; `_prefix` names their functions in the runtime."""

    __slots__ = ()
    _prefix = ""

    def def_region_kind(self) -> DefRegionKind:
        """Return the kind of region that the traversal is in."""
        return DefRegionKind(getattr(_ffi_api, self._prefix + "DefRegionKind")(self))

    def with_def_region_kind(self, kind: int, callback: Callable[[], Any]) -> Any:
        """Call a function while another kind of region is active, and return its result."""
        return getattr(_ffi_api, self._prefix + "WithDefRegionKind")(self, kind, callback)


@register_object("ffi.StructuralVisitor")
class StructuralVisitor(_Traversal):
    """The traversal that a visit's callback goes on with. Only a running visit makes one."""

    __slots__ = ()
    _prefix = "StructuralVisitor"

    def visit(self, value: Any) -> VisitInterrupt | None:
        """Visit a value with the callbacks."""
        return _ffi_api.StructuralVisitorVisit(self, value)

    def default_visit(self, value: Any) -> VisitInterrupt | None:
        """Visit the children of a value without a callback for the value itself.

        Do not call it for the value whose ``__s_visit__`` is running: that would call the hook again, without end.
        """
        return _ffi_api.StructuralVisitorDefaultVisit(self, value)


@register_object("ffi.StructuralMutator")
class StructuralMutator(_Traversal):
    """The traversal that a mutation's callback goes on with. Only a running mutation makes one."""

    __slots__ = ()
    _prefix = "StructuralMutator"

    def mutate(self, value: Any) -> Any:
        """Return the value that the callbacks make of a value; itself when nothing changes."""
        return _ffi_api.StructuralMutatorMutate(self, value)

    def default_mutate(self, value: Any) -> Any:
        """Return the value that mutating its children makes of a value, without a callback for the value itself."""
        return _ffi_api.StructuralMutatorDefaultMutate(self, value)

    def var_remap_get(self, var: Any) -> Any:
        """Return the replacement of a variable from now on; None when there is none."""
        return _ffi_api.StructuralMutatorVarRemapGet(self, var)

    def var_remap_set(self, var: Any, mapped_value: Any) -> None:
        """Replace a variable from now on."""
        _ffi_api.StructuralMutatorVarRemapSet(self, var, mapped_value)
