"""Comments of native code as docstrings."""

from __future__ import annotations

import re

from ..consts import PYTHON_SYNTAX


def docstring(doc: str, indent: int) -> list[str]:
    """The lines of a string statement that stands for a comment; none for an empty one.

    A line that looks like a marker is spelled otherwise, so that the next run does not take it for one.
    """
    text = doc.replace("\r\n", "\n").expandtabs(4).strip()
    if not text:
        return []
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if text.endswith('"') and not text.endswith('\\"'):
        text = text[:-1] + '\\"'
    text = re.sub(r"[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\U0010ffff]", lambda match: _escaped(match[0]), text)
    first, *rest = [_no_marker(line.rstrip()) for line in text.split("\n")]
    space = " " * indent
    if not rest:
        return [f'{space}"""{first}"""']
    return [f'{space}"""{first}', *(space + line if line else "" for line in rest), f'{space}"""']


def _escaped(character: str) -> str:
    """A character that a source file must not have, or that would end the line."""
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def _no_marker(line: str) -> str:
    before, found, behind = line.partition(PYTHON_SYNTAX.prefix)
    return f"{before}\\x23{PYTHON_SYNTAX.prefix[1:]}{behind}" if found and not before.strip() else line
