"""Tables: as text with columns, in Markdown, and what a page keeps between two marks."""

from __future__ import annotations

from collections.abc import Sequence


def text(rows: Sequence[Sequence[str]], right: bool = False) -> str:
    """Return rows with columns as wide as their widest cell; all but the first column stand right, if asked for."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right and i else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    )


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> str:
    """Return a table in Markdown, which ends with a line break; with `numbers` all but the first column stand right."""
    under = "|---|" + ("---:|" if numbers else "---|") * (len(head) - 1)
    first, *others = [f"| {' | '.join(row)} |" for row in [head, *rows]]
    return "\n".join([first, under, *others, ""])


def between(text: str, begin: str, end: str, new: str) -> str:
    """Return a text with what stands between two marks replaced. ValueError when it lacks a mark."""
    before, found, rest = text.partition(begin)
    if not found or end not in rest:
        raise ValueError(f"expected the marks {begin.strip()} and {end.strip()}")
    return f"{before}{begin}{new}{end}{rest.partition(end)[2]}"
