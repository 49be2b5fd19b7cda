"""Draws the concepts of docs/concepts.md: one-object.svg, ownership.svg, collectors.svg, fork.svg.

Usage: drawings.py [--check]    --check writes nothing, and exits with 1 when a file is out of date
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
STYLE = """
.paper{fill:#fff}.box{fill:#f6f7fa;stroke:#445;stroke-width:1.3}.go{fill:#e4f3f7}.python{fill:#fff4d6}.cpp{fill:#eae6f8}
.rust{fill:#f9e8df}.native{fill:#e9f5ea}.weak{stroke-dasharray:5 4}.t{font-weight:600;fill:#223}.l{fill:#445}
.a{fill:none;stroke:#445;stroke-width:1.4}.a text,.n{fill:#556;font-style:italic}.h{fill:#445}
@media(prefers-color-scheme:dark){.paper{fill:#12151c}.box{fill:#1d222d;stroke:#9aa4b8}.go{fill:#15323a}.python{fill:#3a3218}
.cpp{fill:#2b2544}.rust{fill:#3d2a20}.native{fill:#1b3520}.t{fill:#e8ebf2}.l{fill:#b9c1d0}.a{stroke:#9aa4b8}.n{fill:#a2abbd}
.h{fill:#9aa4b8}}
"""


class Drawing:
    """Boxes, arrows and notes on a sheet."""

    def __init__(self, title: str, width: int, height: int) -> None:
        self.parts: list[str] = []
        self.boxes: dict[str, tuple[int, int, int, int]] = {}
        self.title, self.width, self.height = title, width, height

    def box(self, name: str, x: int, y: int, width: int, height: int, kind: str, *lines: str) -> None:
        """A box with a title and lines below it. ``kind``: the classes of its rectangle."""
        self.boxes[name] = (x, y, width, height)
        self.parts.append(
            f'<rect class="box {kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="7"/>'
            + "".join(
                f'<text class="{"l" if i else "t"}" x="{x + 12}" y="{y + 22 + 18 * i}">{escape(line)}</text>'
                for i, line in enumerate(lines)
            )
        )

    def arrow(self, start: str, end: str, text: str = "", kind: str = "", shift: int = 0) -> None:
        """An arrow between the nearest sides of two boxes, moved sideways by ``shift``."""
        ax, ay, aw, ah = self.boxes[start]
        bx, by, bw, bh = self.boxes[end]
        if ax + aw <= bx or bx + bw <= ax:
            right = ax + aw <= bx
            x1, x2 = (ax + aw, bx) if right else (ax, bx + bw)
            y1, y2 = ay + ah // 2 + shift, by + bh // 2 + shift
        else:
            down = ay + ah <= by
            y1, y2 = (ay + ah, by) if down else (ay, by + bh)
            low, high = max(ax, bx), min(ax + aw, bx + bw)
            x1 = x2 = (low + high) // 2 + shift
        self.parts.append(f'<path class="a {kind}" d="M{x1} {y1} L{x2} {y2}" marker-end="url(#h)"/>')
        if text:
            vertical = x1 == x2
            x, y = ((x1 + 8), (y1 + y2) // 2 + 4) if vertical else ((x1 + x2) // 2, (y1 + y2) // 2 - 7)
            anchor = "start" if vertical else "middle"
            if not vertical and 6.5 * len(text) > abs(x2 - x1):
                raise ValueError(f"{self.title}: the words {text!r} are longer than their arrow")
            self.parts.append(f'<text class="n" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>')

    def note(self, x: int, y: int, text: str) -> None:
        self.parts.append(f'<text class="n" x="{x}" y="{y}">{escape(text)}</text>')

    def svg(self) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="13" role="img">\n'
            f"<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n"
            '<defs><marker id="h" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
            'orient="auto"><path class="h" d="M0 0 L8 4 L0 8 z"/></marker></defs>\n'
            f'<rect class="paper" width="{self.width}" height="{self.height}"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


def one_object() -> Drawing:
    d = Drawing("One native object with its pointer in each of four languages", 900, 330)
    d.box(
        "object",
        330,
        100,
        240,
        130,
        "native",
        "native object geo.Point",
        "counts: 4 strong",
        "x = 3.0, y = 4.0",
        "next: none",
    )
    d.box("go", 20, 30, 220, 64, "go", "Go: *Handle[Point]", "p.Get().X  →  3")
    d.box("python", 20, 236, 220, 64, "python", "Python: wrapper geo.Point", "p.x  →  3.0")
    d.box("cpp", 660, 30, 220, 64, "cpp", "C++: geo::Point", "p.x()  →  3")
    d.box("rust", 660, 236, 220, 64, "rust", "Rust: geo::Point", "p.x()?  →  3.0")
    for name in ("go", "python", "cpp", "rust"):
        d.arrow(name, "object")
    d.box("tie", 330, 262, 240, 52, "", "tie record", "its wrapper, its Go handle")
    d.arrow("object", "tie")
    d.note(330, 84, "one piece of memory, each owns a reference")
    return d


def ownership() -> Drawing:
    d = Drawing("Which objects own references to which", 900, 300)
    d.box("variable", 20, 30, 190, 46, "python", "Python variable")
    d.box("wrapper", 270, 20, 220, 66, "python", "wrapper", "attributes, subclass, id")
    d.box("native", 630, 20, 250, 66, "native", "native object", "reference counts, fields")
    d.arrow("variable", "wrapper")
    d.arrow("wrapper", "native", "owns", shift=-12)
    d.arrow("native", "wrapper", "owns while held", "weak", shift=16)
    d.box("go", 20, 210, 190, 66, "go", "Go variable", "reachable for Go")
    d.box("handle", 270, 210, 220, 66, "go", "Go handle", "released by Go's collector")
    d.box("list", 630, 210, 250, 66, "native", "container or field", "of another native object")
    d.arrow("go", "handle")
    d.arrow("list", "native", "owns")
    d.parts.append('<path class="a" d="M490 232 L632 88" marker-end="url(#h)"/>')
    d.note(520, 160, "owns")
    return d


def collectors() -> Drawing:
    d = Drawing("What frees a native object", 900, 250)
    d.box(
        "counts",
        20,
        20,
        270,
        84,
        "native",
        "reference counts",
        "the last owner releases:",
        "freed at once, on any thread",
    )
    d.box(
        "cpython",
        315,
        20,
        270,
        84,
        "python",
        "CPython's cycle collector",
        "cycles through native objects,",
        "wrappers and Python objects",
    )
    d.box("go", 610, 20, 270, 84, "go", "Go's collector", "handles that Go no longer uses,", "paced by native memory")
    d.box("memory", 315, 180, 270, 50, "", "the object's memory is given back")
    d.arrow("cpython", "memory", "breaks cycles")
    d.parts.append('<path class="a" d="M155 104 L320 178" marker-end="url(#h)"/>')
    d.parts.append('<path class="a" d="M745 104 L580 178" marker-end="url(#h)"/>')
    return d


def fork() -> Drawing:
    d = Drawing("What a forked child has", 900, 320)
    d.note(20, 24, "parent")
    d.note(480, 24, "child")
    d.box("p1", 20, 36, 360, 64, "python", "Python: wrappers, attributes, ids")
    d.box("p2", 20, 112, 360, 64, "native", "native objects, tie records, types, functions")
    d.box("p3", 20, 188, 360, 84, "go", "Go runtime", "goroutines, Go values, closures")
    d.box("c1", 500, 36, 380, 64, "python", "the same, at the same addresses")
    d.box("c2", 500, 112, 380, 64, "native", "the same; it uses the tables")
    d.box(
        "c3",
        500,
        188,
        380,
        84,
        "go",
        "a fresh Go runtime, in a copy of the library",
        "loaded at the first call that needs Go;",
        "Go packages register again",
    )
    d.arrow("p1", "c1", "copy on write")
    d.arrow("p2", "c2", "copy on write")
    d.arrow("p3", "c3", "not copied", "weak")
    d.note(20, 304, "What cannot come over, such as a Go closure, raises an error at the call. Nothing hangs.")
    return d


def main() -> None:
    stale = []
    for name, make in (
        ("one-object", one_object),
        ("ownership", ownership),
        ("collectors", collectors),
        ("fork", fork),
    ):
        path = DOCS / f"{name}.svg"
        text = make().svg()
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"drawings.py: out of date: {', '.join(stale)}; run python3 -m scripts.drawings")


if __name__ == "__main__":
    main()
