"""Writes the table of contents of RATIONALE.md, its groups of sections, from the headings.

python3 -m scripts.rationale_contents            writes it
python3 -m scripts.rationale_contents --check    exits 1 when it is out of date
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "RATIONALE.md"
BEGIN = "<!-- contents: written by scripts/rationale_contents.py -->\n"
END = "<!-- end of contents -->\n"


def headings(text: str) -> list[tuple[int, str]]:
    """Level (2: group, 3: section) and title of each heading, in order."""
    return [(len(marks), title) for marks, title in re.findall(r"^(##|###) (.+)$", text, re.MULTILINE)]


def anchor(title: str) -> str:
    """The name under which the usual Markdown viewers link to a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def with_contents(text: str) -> str:
    """The page with its table of contents made again."""
    head, rest = text.split(BEGIN)
    body = rest.split(END)[1]
    lines = [f"* [{title}](#{anchor(title)})\n" for level, title in headings(body) if level == 2]
    return head + BEGIN + "".join(lines) + END + body


def main() -> None:
    text = PAGE.read_text()
    wanted = with_contents(text)
    if sys.argv[1:] == ["--check"]:
        if text != wanted:
            raise SystemExit(
                "RATIONALE.md: its table of contents is out of date; run python3 -m scripts.rationale_contents"
            )
    elif sys.argv[1:]:
        raise SystemExit(__doc__)
    else:
        PAGE.write_text(wanted)


if __name__ == "__main__":
    main()
