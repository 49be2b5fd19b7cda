"""Type schemas in the spelling of Python annotations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

from .. import _core
from .schema_names import OBJECT, UNKNOWN

if TYPE_CHECKING:
    from .type_schema import TypeSchema


def text_of(
    schema: TypeSchema, ty_map: Callable[[str], str] | None, takes: bool, expanded: frozenset[int] = frozenset()
) -> str:
    """Return the annotation; with `takes`, of a value that is passed to native code. `expanded` has the types whose
    conversion schema is being spelled, which may name themselves."""
    index = schema.origin_type_index
    if schema.fallback is not None and index == UNKNOWN and schema.origin not in ("tuple", "list", "dict"):
        return text_of(schema.fallback, ty_map, takes, expanded)
    if takes and index >= OBJECT and index not in expanded:
        raw = _core.type_attr(index, "__ffi_convert_type_schema__")
        if raw is not None:
            return text_of(_parsed(raw, type(schema)), ty_map, takes, expanded | {index})
    origin = schema.origin if ty_map is None else ty_map(schema.origin)
    if origin == "Callable":
        return _callable_text(schema, lambda inner: text_of(inner, ty_map, takes, expanded))
    parts = [text_of(arg, ty_map, takes, expanded) for arg in schema.args] if schema.args else []
    if ty_map is None and schema.python_class is not None:
        return schema.python_class.__qualname__ + (f"[{parts[0]}]" if parts else "")
    if origin == "Union":
        return " | ".join(parts)
    if origin == "Optional":
        return f"{parts[0]} | None"
    if parts and origin != "Any":
        return f"{origin}[{', '.join(parts)}]"
    return "tuple[()]" if origin == "tuple" and schema.args is not None else origin


def _callable_text(schema: TypeSchema, part: Callable[[TypeSchema], str]) -> str:
    groups = schema.named_args
    if not groups:
        return "Callable[..., Any]"
    params = f"[{', '.join(map(part, groups['params']))}]" if "params" in groups else "..."
    return f"Callable[{params}, {part(groups['return'][0])}]"


def _parsed(raw: Any, schema_class: Any) -> TypeSchema:
    from .type_schema import TypeSchema

    if isinstance(raw, TypeSchema):
        return raw
    if isinstance(raw, str):
        return TypeSchema.from_json_str(raw)
    if isinstance(raw, dict):
        return TypeSchema.from_json_obj(raw)
    raise TypeError(f"expected TypeSchema, JSON string, or JSON dict, got {type(raw).__name__}")
