"""Comments of native code as docstrings."""

from __future__ import annotations

import re

from ..consts import PYTHON_SYNTAX

#: Characters that act instead of being shown: controls, marks of the direction of text, line separators, what no reader
#: sees, and what is no character. The command line tool has the same in internal/escape; a test there compares them.
HIDDEN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff\u115f\u1160\u180e\u200b\u3164\uffa0"
    + "".join(f"{chr(16**4 * plane - 2)}{chr(16**4 * plane - 1)}" for plane in range(2, 18))
    + "]"
)


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
    text = HIDDEN.sub(lambda match: _escaped(match[0]), text)
    first, *rest = [_no_marker(line.rstrip()) for line in text.split("\n")]
    space = " " * indent
    if not rest:
        return [f'{space}"""{first}"""']
    return [f'{space}"""{first}', *(space + line if line else "" for line in rest), f'{space}"""']


def _escaped(character: str) -> str:
    """A character that a source file must not have, or that would end the line."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def _no_marker(line: str) -> str:
    before, found, behind = line.partition(PYTHON_SYNTAX.prefix)
    return f"{before}\\x23{PYTHON_SYNTAX.prefix[1:]}{behind}" if found and not before.strip() else line
