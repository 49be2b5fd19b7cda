"""The only way of names and texts of native code into C++ headers: identifiers, names for type keys, string literals,
namespaces."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from .._debug.shown import numbered
from .._types.kinds import CPP_KEYWORDS

_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ESCAPED = "__ffi_escape_"
_KEYWORDS = CPP_KEYWORDS - {"major", "makedev", "minor"}  # these are macros of a header that few include
_OF_COMPILER = re.compile(r"(__|_[A-Z]).*", re.ASCII)  # macros and further keywords


def identifier(text: str) -> str:
    """Return the text if C++ can use it as a name, otherwise a name made of the hexadecimal digits of its UTF-8."""
    if _PLAIN.fullmatch(text) and not _OF_COMPILER.fullmatch(text) and text not in _KEYWORDS:
        return text
    return _ESCAPED + text.encode().hex()


def struct_path(type_key: str) -> tuple[tuple[str, ...], str]:
    """Return the namespaces and the name of the struct that stands for a type."""
    *outer, last = type_key.split(".")
    return tuple(map(identifier, outer)), identifier(last) + "Obj"


def struct_name(type_key: str) -> str:
    """Return the struct's name from the global namespace on."""
    namespaces, name = struct_path(type_key)
    return "::".join(("", *namespaces, name))


def literal(text: str) -> str:
    """Return a string literal whose bytes are the text's UTF-8, whatever character set the compiler reads."""

    def spell(byte: int) -> str:
        if byte in b'"\\':
            return "\\" + chr(byte)
        return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"

    return f'"{"".join(map(spell, text.encode()))}"'


def noted(text: str) -> str:
    """Return a text in quotes as a part of a comment, at whose end no backslash stands."""
    return numbered(repr(text))


def in_namespaces(declarations: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Lines with each declaration, given by type key, in its namespaces, which neighbours share."""
    lines: list[str] = []
    for namespaces, group in itertools.groupby(declarations, key=lambda pair: struct_path(pair[0])[0]):
        lines += [f"namespace {name} {{" for name in namespaces]
        if namespaces:
            lines.append("")
        for _, declaration in group:
            lines += [*declaration, ""]
        if namespaces:
            lines += [f"}}  // namespace {name}" for name in reversed(namespaces)]
            lines.append("")
    return lines
