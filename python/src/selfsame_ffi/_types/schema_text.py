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
    index, origin, args = schema.origin_type_index, schema.origin, schema.args
    if index == UNKNOWN and schema.fallback is not None and origin not in ("tuple", "list", "dict"):
        return text_of(schema.fallback, ty_map, takes, expanded)
    if takes and index >= OBJECT and index not in expanded:
        raw = _core.type_attr(index, "__ffi_convert_type_schema__")
        if raw is not None:
            return text_of(_parsed(raw, type(schema)), ty_map, takes, expanded | {index})
    if ty_map is not None:
        origin = ty_map(origin)
    elif schema.python_class is not None:
        return schema.python_class.__qualname__ + (f"[{text_of(args[0], None, takes, expanded)}]" if args else "")
    if origin == "Callable":
        return _callable_text(schema, ty_map, takes, expanded)
    if not args:
        return "tuple[()]" if origin == "tuple" and args is not None else origin
    if len(args) == 1:
        part = text_of(args[0], ty_map, takes, expanded)
        if origin == "Optional":
            return f"{part} | None"
        return part if origin == "Union" else origin if origin == "Any" else f"{origin}[{part}]"
    parts = [text_of(arg, ty_map, takes, expanded) for arg in args]
    if origin == "Union":
        return " | ".join(parts)
    return origin if origin == "Any" else f"{origin}[{', '.join(parts)}]"


def _callable_text(
    schema: TypeSchema, ty_map: Callable[[str], str] | None, takes: bool, expanded: frozenset[int]
) -> str:
    groups = schema.named_args
    if not groups:
        return "Callable[..., Any]"
    texts = {name: [text_of(part, ty_map, takes, expanded) for part in group] for name, group in groups.items()}
    params = f"[{', '.join(texts['params'])}]" if "params" in texts else "..."
    return f"Callable[{params}, {texts['return'][0]}]"


def _parsed(raw: Any, schema_class: Any) -> TypeSchema:
    from .type_schema import TypeSchema

    if isinstance(raw, TypeSchema):
        return raw
    if isinstance(raw, str):
        return TypeSchema.from_json_str(raw)
    if isinstance(raw, dict):
        return TypeSchema.from_json_obj(raw)
    raise TypeError(f"expected TypeSchema, JSON string, or JSON dict, got {type(raw).__name__}")
