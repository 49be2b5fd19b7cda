"""Annotations of fields and signatures of functions.

`ty_map` spells the types of results and fields, `input_ty_map` those of arguments.
"""

from __future__ import annotations

from typing import Callable, Optional

from ..._types.type_schema import TypeSchema
from ..utils import FuncInfo, InitFieldInfo, ObjectInfo
from .go_types import python_schema
from .words import docstring

_Spell = Callable[[str], str]
_MaybeSpell = Optional[_Spell]

# With an operand of a type that is not theirs they answer too: the operand is another value, or not contained.
_OF_ANY_OPERAND = frozenset(("__eq__", "__ne__", "__contains__"))


def _definition(indent: int, name: str, parameters: str, result: str) -> str:
    return f"{' ' * indent}def {name}({parameters}) -> {result}: ..."


def _positional(func: FuncInfo, spell: _Spell, first: int, number_from: int) -> list[str] | None:
    """The parameters from the one numbered `first` on, with the slash behind them; None when they are not known."""
    groups = func.schema.named_args or {}
    if "params" not in groups:
        return None
    schemas = [python_schema(schema, True, _keys(func)) for schema in groups["params"][first:]]
    if func.is_member and func.short_name in _OF_ANY_OPERAND:
        schemas = [TypeSchema("Any") for _ in schemas]
    parts = [f"_{i}: {schema.input_repr(spell)}" for i, schema in enumerate(schemas, number_from)]
    if not (func.variadic and parts):
        return [*parts, "/"]
    element = (schemas[-1].args or (TypeSchema("Any"),))[0]
    several = f"*_{number_from + len(parts) - 1}: {element.input_repr(spell)}"
    return [*parts[:-1], *(["/"] if parts[:-1] else []), several]


def _keys(func: FuncInfo) -> set[str]:
    return {record.key for record in func.records}


def _documented(definition: str, doc: str, indent: int) -> str:
    """A definition with a docstring before the dots, where there is one."""
    lines = docstring(doc, indent + 4)
    if not lines:
        return definition
    return "\n".join([definition.removesuffix(" ..."), *lines, f"{' ' * (indent + 4)}..."])


def render_func_signature(func: FuncInfo, ty_map: _Spell, indent: int, input_ty_map: _MaybeSpell = None) -> str:
    """Return a function with its docstring. ValueError for the schema of something else."""
    schema = func.schema
    if schema.origin != "Callable":
        raise ValueError(f"{schema.name}: expected the schema of a function, got {schema!r}")
    skipped = 1 if func.is_member else 0
    given = _positional(func, input_ty_map or ty_map, skipped, skipped)
    groups = schema.named_args or {}
    if given is None:
        parameters = f"*args: {_any(ty_map)}"
    else:
        has_self = func.is_member and bool(groups["params"])
        parts = [*(["self"] if has_self else []), *given]
        parameters = ", ".join(parts) if len(parts) > 1 or func.variadic else ""
    result = python_schema(groups["return"][0], False, ()).output_repr(ty_map) if groups else "Any"
    return _documented(_definition(indent, func.short_name, parameters, result), func.doc, indent)


def _any(ty_map: _Spell) -> str:
    ty_map("Any")  # notes the import
    return "Any"


def render_object_fields(info: ObjectInfo, ty_map: _Spell, indent: int) -> list[str]:
    """Return the annotations of the type's own fields, each with its docstring."""
    lines = []
    for field in info.fields:
        lines += [f"{' ' * indent}{field.name}: {field.output_repr(ty_map)}", *docstring(field.doc, indent)]
    return lines


def render_object_methods(info: ObjectInfo, ty_map: _Spell, indent: int, input_ty_map: _MaybeSpell = None) -> list[str]:
    """Return the methods; those of one name together, as overloads."""
    by_name: dict[tuple[str, bool], list[FuncInfo]] = {}
    for method in info.methods:
        by_name.setdefault((method.schema.name, method.is_member), []).append(method)
    space = " " * indent
    lines = []
    for group in by_name.values():
        for method in group:
            if len(group) > 1:
                lines.append(f"{space}@overload")
            if method.short_name == "__ffi_init__":
                lines.append(_native_init(method, ty_map, indent, input_ty_map) + _other_parameters(info))
                continue
            if not method.is_member:
                lines.append(f"{space}@staticmethod")
            lines.append(render_func_signature(method, ty_map, indent, input_ty_map))
    return lines


def _other_parameters(info: ObjectInfo) -> str:
    """Behind ``__ffi_init__``: it may have other parameters than the parent's, as ``__init__`` may."""
    derived = info.parent_type_key not in (None, "ffi.Object")
    return "  # type: ignore[override, unused-ignore]" if derived else ""


def _native_init(method: FuncInfo, ty_map: _Spell, indent: int, input_ty_map: _MaybeSpell) -> str:
    """The constructor of native code, which Python calls on the new object: its result is no result."""
    given = _positional(method, input_ty_map or ty_map, 0, 0)
    if given is None:
        given = [f"*args: {_any(ty_map)}"]
    return _definition(indent, "__ffi_init__", ", ".join(["self", *(given if given != ["/"] else [])]), "None")


def _init_of_fields(name: str, info: ObjectInfo, indent: int, spell: _Spell) -> str:
    """A constructor with the fields as parameters; those without a default come first."""

    def spelled(kw_only: bool) -> list[str]:
        chosen = [field for field in info.init_fields if field.kw_only == kw_only]
        return [_parameter(field, spell) for field in sorted(chosen, key=lambda field: field.has_default)]

    by_name = spelled(True)
    return _definition(
        indent, name, ", ".join(["self", *spelled(False), *(["*"] if by_name else []), *by_name]), "None"
    )


def _parameter(field: InitFieldInfo, spell: _Spell) -> str:
    return f"{field.name}: {field.schema.input_repr(spell)}" + (" = ..." if field.has_default else "")


def render_object_init(info: ObjectInfo, ty_map: _Spell, indent: int, input_ty_map: _MaybeSpell = None) -> list[str]:
    """``__init__`` with the fields as parameters, for a type that can be made."""
    return [_init_of_fields("__init__", info, indent, input_ty_map or ty_map)] if info.has_init else []


def render_object_ffi_init(
    info: ObjectInfo, ty_map: _Spell, indent: int, input_ty_map: _MaybeSpell = None
) -> list[str]:
    """``__ffi_init__`` with the fields as parameters, unless it is among the methods."""
    if not info.has_init or any(method.short_name == "__ffi_init__" for method in info.methods):
        return []
    return [_init_of_fields("__ffi_init__", info, indent, input_ty_map or ty_map) + _other_parameters(info)]
