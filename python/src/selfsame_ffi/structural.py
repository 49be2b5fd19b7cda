"""Structural operations: compare, hash, walk, map and mutate values by what they contain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, Union

from . import _ffi_api
from ._types.structural_callbacks import entries, entries_with_mode, entries_with_region, order_number
from ._types.structural_objects import (
    DefRegionKind,
    InplaceMode,
    StructuralKey,
    StructuralMutator,
    StructuralVisitor,
    VisitInterrupt,
    WalkOrder,
    WalkResult,
)
from .access_path import AccessPath

_MASK = (1 << 64) - 1
#: One callback, ``(type, callback)``, ``((type, ...), callback)``, or a sequence of such pairs.
Callbacks = Union[tuple, Sequence, Callable]


def structural_equal(lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False) -> bool:
    """Say whether two values have equal contents, fields and elements included.

    With `map_free_vars` variables without a definition correspond to each other; with `skip_tensor_content` the
    elements of tensors are not compared.
    """
    return bool(_ffi_api.StructuralEqual(lhs, rhs, map_free_vars, skip_tensor_content))


def structural_hash(value: Any, map_free_vars: bool = False, skip_tensor_content: bool = False) -> int:
    """Return a hash of a value's contents, equal for values that :func:`structural_equal` finds equal; 64 bits."""
    return _ffi_api.StructuralHash(value, map_free_vars, skip_tensor_content) & _MASK


def get_first_structural_mismatch(
    lhs: Any, rhs: Any, map_free_vars: bool = False, skip_tensor_content: bool = False
) -> tuple[AccessPath, AccessPath] | None:
    """Return the paths to the first difference in both values; None when they are structurally equal."""
    return _ffi_api.GetFirstStructuralMismatch(lhs, rhs, map_free_vars, skip_tensor_content)


def structural_walk(
    root: Any,
    callbacks: Callbacks = (),
    with_def_region_kind: Callbacks = (),
    order: str | WalkOrder = "post",
) -> VisitInterrupt | None:
    """Call the first fitting callback with each value below `root`, children first (`order` ``"pre"``: last).

    A callback is called with the value, those in `with_def_region_kind` also with the :class:`DefRegionKind`. Before
    the children it may return :attr:`WalkResult.SKIP` to leave them out; a :class:`VisitInterrupt` ends the walk and is
    returned. A shared value is visited as often as it occurs.
    """
    name = "structural_walk"
    number = order_number(order, "walk")
    return _ffi_api.StructuralWalk(
        root, entries(callbacks, name), entries_with_region(with_def_region_kind, name), number
    )


def structural_map(
    root: Any,
    callbacks: Callbacks = (),
    with_def_region_kind: Callbacks = (),
    order: str | WalkOrder = "post",
) -> Any:
    """Return a value in which each part is what the first fitting callback returns for it.

    A callback returns its argument to leave it as it is, and must not change it. `root` is left as it is; ``_move()``
    of it lets the parts that nothing else owns be reused.
    """
    name = "structural_map"
    number = order_number(order, "map")
    return _ffi_api.StructuralMap(
        root, entries(callbacks, name), entries_with_region(with_def_region_kind, name), number
    )


def structural_visit(root: Any, callbacks: Callbacks = ()) -> VisitInterrupt | None:
    """Visit a value with callbacks that decide about the children themselves.

    A callback is called with the value and a :class:`StructuralVisitor`, whose ``visit`` and ``default_visit`` go on;
    without either the children are left out. A :class:`VisitInterrupt` that a callback returns ends the visit.
    """
    return _ffi_api.StructuralVisit(root, entries(callbacks, "structural_visit"))


def structural_mutate(root: Any, callbacks: Callbacks = ()) -> Any:
    """Change a value with callbacks that change the children themselves.

    A callback is called with the value and a :class:`StructuralMutator`, and with an :class:`InplaceMode` when it takes
    three arguments; what it returns is final. `root` is left as it is; ``_move()`` of it allows changes in place.
    """
    return _ffi_api.StructuralMutate(root, entries_with_mode(callbacks, "structural_mutate"))


__all__ = [
    "DefRegionKind",
    "InplaceMode",
    "StructuralKey",
    "StructuralMutator",
    "StructuralVisitor",
    "VisitInterrupt",
    "WalkOrder",
    "WalkResult",
    "get_first_structural_mismatch",
    "structural_equal",
    "structural_hash",
    "structural_map",
    "structural_mutate",
    "structural_visit",
    "structural_walk",
]
