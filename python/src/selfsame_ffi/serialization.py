"""Object graphs as JSON text, with shared objects written once."""

from __future__ import annotations

from typing import Any

from . import _ffi_api


def to_json_graph_str(obj: Any, metadata: dict[str, Any] | None = None) -> str:
    """Return the graph that a value reaches, as JSON text. `metadata` is written beside it.

    Raises the runtime's TypeError for an object whose type cannot be made from its fields.
    """
    return str(_ffi_api.ToJSONGraphString(obj, metadata))


def from_json_graph_str(json_str: str) -> Any:
    """Return the value that :func:`to_json_graph_str` wrote: new objects, shared where they were shared."""
    return _ffi_api.FromJSONGraphString(json_str)


__all__ = ["from_json_graph_str", "to_json_graph_str"]
