"""Tables of 80 columns for terminals, and the same as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from .shown import shown

WIDTH = 80


def shortened(text: str, width: int) -> str:
    """Return the text in at most ``width`` columns; the middle is left out."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return text[:head] + "…" + text[len(text) - (width - 1 - head) :]


def number(value: int | None, sign: bool = False) -> str:
    """Return a number as text, ``?`` for None."""
    return "?" if value is None else f"{value:+,}" if sign else f"{value:,}"


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of at most 80 columns: the first cell left, the others right; the first is shortened where it must be."""
    lines = [head, *([shown(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    widths[0] = max(12, min(widths[0], WIDTH - sum(widths[1:]) - 2 * (len(head) - 1)))
    return [
        "  ".join(
            [
                shortened(line[0], widths[0]).ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:])),
            ]
        )
        for line in lines
    ]
