"""The only way of names, texts and comments of native code into Python files."""

from __future__ import annotations

import keyword
import unicodedata

from ..._debug.shown import HIDDEN, numbered
from ..consts import PYTHON_SYNTAX


def is_name(text: str) -> bool:
    """Say whether Python reads a text as a name, and as this one: it reads names in their NFKC form."""
    readable = text.isidentifier() and not keyword.iskeyword(text) and not HIDDEN.search(text)
    return readable and unicodedata.normalize("NFKC", text) == text


def is_member(name: str) -> bool:
    """Say whether a field, or a function of a module, can have a name: not one that Python uses by itself, as it does
    those between double underscores."""
    return is_name(name) and not (name.startswith("__") and name.endswith("__"))


def is_path(text: str) -> bool:
    """Say whether a text is a name that a module can have, or several that dots join."""
    return all(map(is_member, text.split(".")))


def literal(text: str) -> str:
    """Return a string literal in one line. A surrogate, which no file has, is written by its number."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{numbered(text)}"'


def comment(text: str) -> str:
    """Return a line of a comment."""
    return "# " + numbered(text.replace("\n", " "))


def left_out(what: str, name: str) -> str:
    """Return the comment in the place of something that Python cannot name."""
    return comment(f"The {what} {literal(name)} is left out: Python reads its name otherwise, or not at all.")


def docstring(doc: str, indent: int) -> list[str]:
    """Return the lines of a string statement that stands for a comment; none for an empty one.

    A line that looks like a marker is spelled otherwise, so that the next run does not take it for one.
    """
    text = doc.replace("\r\n", "\n").expandtabs(4).strip()
    if not text:
        return []
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if text.endswith('"') and (len(text[:-1]) - len(text[:-1].rstrip("\\"))) % 2 == 0:
        text = text[:-1] + '\\"'
    first, *rest = [_no_marker(numbered(line.rstrip())) for line in text.split("\n")]
    space = " " * indent
    if not rest:
        return [f'{space}"""{first}"""']
    return [f'{space}"""{first}', *(space + line if line else "" for line in rest), f'{space}"""']


def _no_marker(line: str) -> str:
    before, found, behind = line.partition(PYTHON_SYNTAX.prefix)
    return f"{before}\\x23{PYTHON_SYNTAX.prefix[1:]}{behind}" if found and not before.strip() else line
