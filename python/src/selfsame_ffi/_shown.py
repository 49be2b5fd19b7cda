"""Text from outside, as terminals and notebooks show it."""

from __future__ import annotations

import html


def shown(text: str) -> str:
    """Return a line of text without characters that act instead of being shown: they stand there by their number."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def in_html(text: str) -> str:
    """Return a text as the content of an element of HTML."""
    return html.escape("\n".join(map(shown, text.split("\n"))))
