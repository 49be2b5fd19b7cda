"""The only way of names, texts and comments of native code into Rust files."""

from __future__ import annotations

import re

from ..._shown import HIDDEN, numbered
from . import consts as C

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def is_name(text: str) -> bool:
    """Say whether Rust reads a text as a name, as it is or as a raw one. The pattern ``_`` is none."""
    return bool(_NAME.fullmatch(text)) and text != "_" and text not in C.RUST_NOT_RAW_IDENTIFIERS


def is_path(text: str) -> bool:
    """Say whether a type key is a name, or several that dots join."""
    return all(map(is_name, text.split(".")))


def raw(name: str) -> str:
    """Return a name as Rust writes it: a keyword is a raw identifier."""
    return "r#" + name if name in C.RUST_KEYWORDS and name != "_" else name  # a pattern, which has no raw form


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


def literal(text: str) -> str:
    """Return a string literal in one line. A surrogate, which no text of Rust has, becomes U+FFFD."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + HIDDEN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text) + '"'


def comment(text: str) -> str:
    """Return a line behind ``//`` or ``///``."""
    return numbered(text.replace("\n", " "))
