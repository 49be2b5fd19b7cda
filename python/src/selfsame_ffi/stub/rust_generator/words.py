"""The only way of names, texts and comments of native code into Rust files."""

from __future__ import annotations

import re

from ..._debug.shown import HIDDEN, numbered
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


def literal(text: str) -> str:
    """Return a string literal in one line. A surrogate, which no text of Rust has, becomes U+FFFD."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + HIDDEN.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text) + '"'


def comment(text: str) -> str:
    """Return a line behind ``//`` or ``///``."""
    return numbered(text.replace("\n", " "))
