"""Python objects through which a Go function writes: taken apart for the call, and changed after it.

The Go frontend asks for both (internal/engine/convert/written.go). Each object keeps what did not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence, MutableSet, Sequence, Set, ValuesView
from typing import Any, Callable

from .. import _core
from .._calls.messages import type_name
from ..container import Dict, List


def _buffer_of(value: Any) -> memoryview | None:
    try:
        return memoryview(value)
    except (TypeError, ValueError, BufferError):
        return None


def is_iterable(value: Any) -> bool:
    """Say whether a value has elements for a slice of Go, as all iterables but a text, bytes and a mapping have."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, bytearray, Mapping))


def _can_change(value: Any, buffer: memoryview | None) -> bool:
    if buffer is not None:
        return not buffer.readonly
    if isinstance(value, (list, List, Dict, dict)):
        return True
    if isinstance(value, (MutableSequence, MutableMapping, MutableSet)):
        return True
    return not isinstance(value, (Sequence, Mapping, Set, ValuesView)) and hasattr(type(value), "__setitem__")


def _taken(value: Any, surely: bool, parts: Callable[[memoryview | None], Any], ordered: bool = True) -> Any:
    buffer = _buffer_of(value)
    can_change = _can_change(value, buffer) and not (ordered and isinstance(value, Set))
    if surely and not can_change:
        return ("a read-only " if buffer is not None and type(value) is not bytes else "") + type_name(value)
    made = parts(buffer)
    return type_name(value) if made is None else (can_change, *made)


def _part(value: Any, nested: bool) -> Any:
    return value if value is None or not nested else _core.opaque(value)


def _items(value: Any, surely: bool, nested: bool) -> Any:
    def parts(buffer: memoryview | None) -> Any:
        if buffer is not None:
            if buffer.format == "B" or not buffer.ndim:  # bytes are no numbers
                return None if type(value) in (bytes, bytearray, memoryview) else value.tolist()
            return (value if hasattr(value, "tolist") else buffer).tolist()
        return [_part(item, nested) for item in value] if is_iterable(value) else None

    return _taken(value, surely, parts)


def _bytes(value: Any, surely: bool, _nested: bool) -> Any:
    def parts(buffer: memoryview | None) -> Any:
        return None if buffer is None else (buffer.tobytes(),)

    return _taken(value, surely, parts)


def _entries(value: Any, surely: bool, nested: bool) -> Any:
    def parts(_buffer: memoryview | None) -> Any:
        if isinstance(value, Set):
            return [part for item in value for part in (item, None)]
        if not isinstance(value, Mapping):
            return None
        return [part for key, item in value.items() for part in (key, _part(item, nested))]

    return _taken(value, surely, parts, ordered=False)


UNPACK: dict[str, Callable[..., Any]] = {
    "wseq": _items,
    "wbytes": _bytes,
    "wmap": _entries,
    "wany": lambda value: isinstance(value, Mapping),
}


def _store_items(value: Any, first: int, *items: Any) -> None:
    if isinstance(value, list):
        value[first : first + len(items)] = items
        return
    for i, item in enumerate(items, first):
        value[i] = item


def _store_whole(value: Any, *items: Any) -> None:
    if isinstance(value, MutableSequence):
        value[:] = items  # type: ignore[index]
    else:
        raise TypeError(f"the func gave it another length, which a {type_name(value)} cannot have; pass a list")


def _store_bytes(value: Any, first: int, items: Any) -> None:
    with memoryview(value).cast("B") as buffer:
        buffer[first : first + len(items)] = items


def _store_entries(value: Any, gone: int, *parts: Any) -> None:
    keys = parts[gone::2]
    if isinstance(value, MutableSet):
        for key in parts[:gone]:
            value.discard(key)
        for key in keys:
            value.add(key)
        return
    for key in parts[:gone]:
        del value[key]
    for key, item in zip(keys, parts[gone + 1 :: 2]):
        value[key] = item


def _store_fields(value: Any, *parts: Any) -> None:
    for name, item in zip(parts[::2], parts[1::2]):
        if isinstance(value, MutableMapping):
            value[name] = item
        else:
            setattr(value, name if hasattr(value, name) or not hasattr(value, name + "_") else name + "_", item)


_STORE: dict[str, Callable[..., None]] = {
    "items": _store_items,
    "whole": _store_whole,
    "list": lambda value, first, items: _store_items(value, first, *items),
    "bytes": _store_bytes,
    "entries": _store_entries,
    "fields": _store_fields,
}


def store(kind: str, value: Any, *parts: Any) -> None:
    """Change a Python object as a call of Go changed what it had of it."""
    _STORE[kind](value, *parts)
