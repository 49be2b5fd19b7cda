"""The callbacks of structural operations, as the runtime takes them: pairs of a type index and a callable."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Callable

from .structural_objects import DefRegionKind, InplaceMode, WalkOrder
from .type_schema import TypeSchema


def order_number(order: str | WalkOrder, what: str) -> int:
    """Return the number of an order. ValueError for an unknown one."""
    if isinstance(order, WalkOrder):
        return int(order)
    if order not in ("pre", "post"):
        raise ValueError(f"Unknown structural {what} order: {order!r}")
    return int(WalkOrder.PREORDER if order == "pre" else WalkOrder.POSTORDER)


def entries(callbacks: Any, name: str) -> list[tuple[int, Callable[..., Any]]]:
    """Return the entries of callbacks that are called with the value. `name` is the caller's, for messages."""
    return [(_index_of(wanted, name), function) for wanted, function in _pairs(callbacks, name)]


def entries_with_region(callbacks: Any, name: str) -> list[tuple[int, Callable[..., Any]]]:
    """Return the entries of callbacks that are called with the value and the kind of region."""

    def with_kind(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda value, kind: function(value, DefRegionKind(kind))

    return [(index, with_kind(function)) for index, function in entries(callbacks, name)]


def entries_with_mode(callbacks: Any, name: str) -> list[tuple[int, Callable[..., Any], bool]]:
    """Return the entries of a mutation: each says also whether its callback takes the mode."""
    return [(index, function, _takes_mode(function, name)) for index, function in entries(callbacks, name)]


def _pairs(callbacks: Any, name: str) -> Iterator[tuple[Any, Callable[..., Any]]]:
    if callable(callbacks):
        yield Any, callbacks
        return
    if isinstance(callbacks, tuple) and len(callbacks) == 2 and callable(callbacks[1]):
        callbacks = [callbacks]
    elif not isinstance(callbacks, Sequence) or isinstance(callbacks, (str, bytes)):
        raise TypeError(
            f"{name} callbacks must be callbacks, (type, callback) entries, ((type1, type2, ...), callback) entries, "
            "or sequences of tuple entries"
        )
    for entry in callbacks:
        if not isinstance(entry, tuple) or len(entry) != 2 or not callable(entry[1]):
            raise TypeError(f"{name} callbacks within a sequence must be (type, callback) tuples")
        wanted, function = entry
        for one in wanted if isinstance(wanted, tuple) else (wanted,):
            yield one, function


def _index_of(wanted: Any, name: str) -> int:
    if wanted is object or wanted is Any:
        return -1
    try:
        index = TypeSchema.from_annotation(wanted).origin_type_index
    except TypeError as error:
        raise TypeError(
            f"{name} callback type must be a supported builtin, typing.Any/object, or an FFI-registered object class"
        ) from error
    if index < 0:
        raise TypeError(f"{name} callback type_index is negative, the only acceptable one is that of Any")
    return index


def _takes_mode(function: Callable[..., Any], name: str) -> bool:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # a callable of an extension module: it gets two arguments
        return False
    for arguments in ((None, None, InplaceMode.DISALLOW), (None, None)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return len(arguments) == 3
    raise TypeError(f"{name} callback must accept (value, mutator) or (value, mutator, inplace_mode)")
