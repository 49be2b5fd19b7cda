"""Directives of Rust files.

// tvm-ffi-stubgen(field): shop.Order.total -> Price          the field's Rust type
// tvm-ffi-stubgen(nullable): shop.Order.parent               an object that may be missing: Option
// tvm-ffi-stubgen(enum): shop.Order.state -> State(i32) { Open=0, Paid=1 }
// tvm-ffi-stubgen(opaque): shop.Order                        never held by value
// tvm-ffi-stubgen(upcast): shop.Order -> Document            a view beside the ancestors
// tvm-ffi-stubgen(custom-new): shop.Order                    `new` is hand-written; the generated one is from_fields
"""

from __future__ import annotations

import dataclasses
import re

_FIELD, _TYPE, _RUST = "<type_key>.<field>", "<type_key>", "<RustType>"
_ENUM = f"{_FIELD} -> Name(i32) {{ A=0, B=1 }}"
_ENUM_TEXT = re.compile(r"([^\W\d]\w*)\(([iu](?:8|16|32|64))\)\s*(?:\{([^{}]*)\})?")
_MEMBER_TEXT = re.compile(r"\s*([^\W\d]\w*)\s*=\s*(-?\d+)\s*")


@dataclasses.dataclass(frozen=True)
class EnumSpec:
    """An integer type with named values."""

    name: str
    repr: str
    members: tuple[tuple[str, int], ...]


class _Malformed(Exception):
    pass


def _target(text: str, form: str) -> str:
    target = text.strip()
    if not target or " " in target or (form == _FIELD and "." not in target.strip(".")):
        raise _Malformed(form)
    return target


def _arrow(text: str, form: str) -> tuple[str, str]:
    left, arrow, right = text.partition("->")
    if not arrow or not right.strip():
        raise _Malformed(f"{form} -> {_RUST}")
    return _target(left, form), right.strip()


def _enum(text: str) -> tuple[str, EnumSpec]:
    left, _, right = text.partition("->")
    found = _ENUM_TEXT.fullmatch(right.strip())
    if found is None:
        raise _Malformed(_ENUM)
    name, width, body = found.groups()
    members = []
    for part in (body or "").split(","):
        member = _MEMBER_TEXT.fullmatch(part)
        if member is not None:
            members.append((member[1], int(member[2])))
        elif part.strip():
            raise _Malformed(_ENUM)
    return _target(left, _FIELD), EnumSpec(name, width, tuple(members))


@dataclasses.dataclass
class Directives:
    """The directives of a file, by type key or by type key and field."""

    field_types: dict[str, str] = dataclasses.field(default_factory=dict)
    nullable: set[str] = dataclasses.field(default_factory=set)
    enums: dict[str, EnumSpec] = dataclasses.field(default_factory=dict)
    opaque: set[str] = dataclasses.field(default_factory=set)
    upcasts: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    custom_new: set[str] = dataclasses.field(default_factory=set)

    def add(self, name: str, payload: str, lineno: int) -> None:
        """Read a directive. ValueError says what is wrong with it."""
        try:
            if name == "field":
                self.field_types.update([_arrow(payload, _FIELD)])
            elif name == "enum":
                self.enums.update([_enum(payload)])
            elif name == "upcast":
                key, view = _arrow(payload, _TYPE)
                self.upcasts.setdefault(key, []).append(view)
            elif name == "nullable":
                self.nullable.add(_target(payload, _FIELD))
            elif name in ("opaque", "custom-new"):
                (self.opaque if name == "opaque" else self.custom_new).add(_target(payload, _TYPE))
            else:
                raise ValueError(f"Unknown directive `{name}` at line {lineno}")
        except _Malformed as form:
            raise ValueError(f"the directive `{name}` at line {lineno} is written `{form}`") from None
