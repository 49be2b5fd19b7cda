"""Spelling of Rust: imports, modules, types and identifiers."""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Callable, Optional

from ..._types.type_schema import TypeSchema
from . import consts as C
from .directives import Directives
from .words import is_name, raw


@dataclasses.dataclass(frozen=True, init=False)
class RustUse:
    """An import, from a path or from a type key. A name without a path needs none."""

    path: str

    def __init__(self, name: str) -> None:
        if "::" not in name:
            first, *rest = name.split(".")
            name = "::".join([C.RUST_MOD_MAP.get(first, first) if rest else first, *rest])
        object.__setattr__(self, "path", name)

    @property
    def leaf(self) -> str:
        """The name that is imported."""
        return self.path.rpartition("::")[2]

    def as_use_line(self) -> str:
        """Return the statement; nothing for a name without a path."""
        return f"use {self.path};" if "::" in self.path else ""


def is_crate_type_key(type_key: str) -> bool:
    """Say whether the type belongs to the crate."""
    return type_key.split(".")[0] in C.RUST_MOD_MAP


@functools.cache
def rust_module_path(path: Path) -> tuple[str, ...]:
    """Return the module that a file is, by its place in the ``src`` of its crate. ValueError for one outside."""
    path = path.resolve()
    roots = [parent for parent in path.parents if (parent / "Cargo.toml").is_file()]
    if not roots:
        raise ValueError(f"{path} is in no Cargo crate: no directory above it has a Cargo.toml")
    source = roots[0] / "src"
    if source not in path.parents:
        raise ValueError(f"{path} is not under {source}, so it is no module of the crate")
    parts = path.relative_to(source).with_suffix("").parts
    if parts[-1] == "mod" or parts in (("lib",), ("main",)):
        parts = parts[:-1]
    return ("crate", *map(raw, parts))


def builtin_mirror_name(type_key: str) -> str:
    """Return the struct that stands for a type of the crate as a parent."""
    prefix, _, name = type_key.rpartition(".")
    return prefix.replace(".", "_").capitalize() + name + "Obj"


@dataclasses.dataclass
class RustImports:
    """The needs of a file: imports, stand-ins for parents in the crate (with the parent of each), and its directives.

    `reserved` are names that the file defines, so that no import can have them.
    """

    items: list[RustUse] = dataclasses.field(default_factory=list)
    directives: Directives = dataclasses.field(default_factory=Directives)
    builtin_mirrors: dict[str, str] = dataclasses.field(default_factory=dict)
    reserved: set[str] = dataclasses.field(default_factory=set)

    def record(self, name: str) -> str:
        """Import a name; gives how to write it: the whole path if the name is taken."""
        use = RustUse(name)
        if "::" not in use.path or use in self.items:
            return use.leaf
        if use.leaf in self.reserved | {item.leaf for item in self.items}:
            return use.path
        self.items.append(use)
        return use.leaf

    def record_builtin_base(self, chain: list[str]) -> str:
        """Return the struct that stands for the last of a line of types of the crate, which begins below ffi.Object."""
        base = self.record("tvm_ffi::Object")
        for key in chain:
            self.builtin_mirrors.setdefault(key, base)
            base = builtin_mirror_name(key)
        return base


#: Gives the name of a type from its origin and the type key it was made from, or None.
Naming = Callable[[str, Optional[str]], Optional[str]]


def render_rust_type(schema: TypeSchema, ty_render: Naming) -> str | None:
    """Return the Rust type of a value; None when there is none."""
    if schema.origin in C.RUST_UNSUPPORTED_ORIGINS:
        return None
    generic = schema.origin in ("Array", "List", "Map", "Optional")
    name = "Option" if schema.origin == "Optional" else ty_render(schema.origin, None if generic else schema.type_key)
    if name is None or not generic:
        return name
    parts = [render_rust_type(part, ty_render) for part in schema.args or ()]
    if None in parts:
        return None
    return f"{name}<{', '.join(part for part in parts if part)}>"


_QUALIFIER = re.compile(r"(?<![\w:])(?:::)?(?:[a-z_][a-z0-9_]*::)+(?=[A-Za-z_])")
_TRAILING_COMMA = re.compile(r",\s*(?=[)\]}])")


def check_tokens(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the items that the lines define: neither imports, comments, layout nor the modules that paths name."""
    code = [line for line in map(str.strip, lines) if not line.startswith(("use ", "//"))]
    text = _TRAILING_COMMA.sub("", _QUALIFIER.sub("", " ".join(code)))
    return tuple(re.findall(r"\w+|\S", text))


def rust_ident(name: str) -> str:
    """Return the name of a field: without C++'s trailing underscore and Python's two on both sides, and no keyword."""
    special = re.fullmatch(r"__(.+)__|(.*[^_])_", name)
    if special and len(name) > 1:
        name = special[1] or special[2] or name
    if name in C.RUST_NOT_RAW_IDENTIFIERS | C.RUST_RESERVED_MEMBERS:
        return name + "_"
    return raw(name)


def is_member(name: str) -> bool:
    """Say whether :func:`rust_ident` makes a name of the name of a field."""
    return is_name(rust_ident(name).removeprefix("r#"))
