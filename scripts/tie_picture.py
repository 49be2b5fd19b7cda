"""Draws docs/tie-states.svg and writes the table in docs/tie-states.md, from the table in tie_table.h.

Usage: tie_picture.py [--check]    --check writes nothing, and exits with 1 when a file is out of date
"""

from __future__ import annotations

import math
import re
import sys
from html import escape

from scripts.tools import tables
from scripts.tools.commands import ROOT

SOURCE = ROOT / "python" / "src" / "selfsame_ffi" / "_core" / "tie" / "tie_table.h"
PICTURE = ROOT / "docs" / "tie-states.svg"
PAGE = ROOT / "docs" / "tie-states.md"
MARKS = ("<!-- rows: written by scripts/tie_picture.py -->\n", "<!-- end of rows -->")

WIDTH, HEIGHT = 960, 520
BOX = (128, 52)
# The centre of each state's box, and the word of the state.
PLACES = {
    "Detached": (110, 80, "0"),
    "Active": (480, 80, "W"),
    "Held": (830, 80, "W|8"),
    "InTransit": (700, 280, "W|1"),
    "Inactive": (330, 280, "W|1"),
    "Gone": (330, 450, "no record"),
}


def rows() -> list[tuple[str, str, str, str]]:
    """(name, from, to, when) of each transition."""
    found = re.findall(r'ROW\((\w+),\s*(\w+),\s*(\w+),\s*"([^"]*)"\)', SOURCE.read_text())
    if not found:
        raise SystemExit(f"{SOURCE} has no rows")
    missing = {state for _, a, b, _ in found for state in (a, b)} - PLACES.keys()
    if missing:
        raise SystemExit(f"tie_picture.py does not know where to draw {', '.join(sorted(missing))}")
    return found


def border(x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """The point where a ray from the centre of a box leaves the box."""
    half_w, half_h = BOX[0] / 2 + 4, BOX[1] / 2 + 4
    scale = min(half_w / abs(dx) if dx else math.inf, half_h / abs(dy) if dy else math.inf)
    return x + dx * scale, y + dy * scale


def arrow(start: str, end: str, names: list[str], both_ways: bool) -> str:
    x1, y1, _ = PLACES[start]
    x2, y2, _ = PLACES[end]
    length = math.hypot(x2 - x1, y2 - y1)
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    shift = 13 if both_ways else 0
    x1, y1, x2, y2 = x1 - dy * shift, y1 + dx * shift, x2 - dy * shift, y2 + dx * shift
    ax, ay = border(x1, y1, dx, dy)
    bx, by = border(x2, y2, -dx, -dy)
    mx, my = (ax + bx) / 2, (ay + by) / 2
    if both_ways:  # put the labels on the outer side
        mx, my = mx - dy * (8 + 7 * len(names)), my + dx * (8 + 7 * len(names))
    out = [f'<line x1="{ax:.1f}" y1="{ay:.1f}" x2="{bx:.1f}" y2="{by:.1f}" class="edge" marker-end="url(#tip)"/>']
    top = my - 7.5 * (len(names) - 1)
    for i, name in enumerate(names):
        y = top + 15 * i
        out.append(
            f'<rect x="{mx - 4 * len(name):.1f}" y="{y - 8:.1f}" width="{8 * len(name)}" height="16" class="behind"/>'
        )
        out.append(f'<text x="{mx:.1f}" y="{y + 4:.1f}" class="name">{escape(name)}</text>')
    return "\n".join(out)


def picture() -> str:
    pairs: dict[tuple[str, str], list[str]] = {}
    for name, start, end, _ in rows():
        pairs.setdefault((start, end), []).append(name)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="monospace" font-size="13" text-anchor="middle">',
        "<title>States of the wrapper word, and the transitions between them</title>",
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z" fill="#444"/></marker></defs>',
        "<style>.edge{stroke:#444;stroke-width:1.4}.behind{fill:#fff}.name{fill:#06c}"
        ".state{fill:#f4f6fa;stroke:#223;stroke-width:1.4}.word{fill:#667;font-size:11px}</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="behind"/>',
    ]
    out += [arrow(a, b, names, (b, a) in pairs) for (a, b), names in pairs.items()]
    for state, (x, y, word) in PLACES.items():
        w, h = BOX
        out.append(f'<rect x="{x - w / 2:.0f}" y="{y - h / 2:.0f}" width="{w}" height="{h}" rx="9" class="state"/>')
        out.append(f'<text x="{x}" y="{y - 2}" font-weight="bold">{state}</text>')
        out.append(f'<text x="{x}" y="{y + 15}" class="word">{escape(word)}</text>')
    return "\n".join([*out, "</svg>", ""])


def page() -> str:
    table = [(f"`{name}`", before, after, when) for name, before, after, when in rows()]
    return tables.between(PAGE.read_text(), *MARKS, tables.markdown(["transition", "from", "to", "when"], table))


def main() -> int:
    stale = []
    for path, wanted in ((PICTURE, picture()), (PAGE, page())):
        if "--check" in sys.argv[1:]:
            if not path.exists() or path.read_text() != wanted:
                stale.append(str(path.relative_to(ROOT)))
        else:
            path.write_text(wanted)
    if stale:
        print(
            f"not up to date with {SOURCE.name}: {', '.join(stale)}; run python3 -m scripts.tie_picture",
            file=sys.stderr,
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
