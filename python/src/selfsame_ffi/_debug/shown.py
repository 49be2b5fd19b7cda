"""The only way of text from outside to terminals and notebooks."""

from __future__ import annotations

import html
import re

#: Characters that act instead of being shown: controls, marks of the direction of text, line separators, what no reader
#: sees, and what is no character. The command line tool has the same in internal/escape; a test there compares them.
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e0fff\u115f\u1160\u180e\u200b\u3164\uffa0"
    + "".join(f"{chr(16**4 * plane - 2)}{chr(16**4 * plane - 1)}" for plane in range(2, 18))
    + "]"
)


def _number(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def numbered(text: str) -> str:
    """Return a text whose hidden characters, line ends among them, are shown by their number."""
    return HIDDEN.sub(lambda match: _number(match[0]), text)


def shown(text: str) -> str:
    """Return a line of text without characters that act instead of being shown: they stand there by their number."""
    text = numbered(text)
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else _number(sign) for sign in text)


def in_html(text: str) -> str:
    """Return a text as the content of an element of HTML."""
    return html.escape("\n".join(map(shown, text.split("\n"))))
