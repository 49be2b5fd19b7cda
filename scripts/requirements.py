"""Writes the column "shown by" of the tables in docs/requirements.md, from comments in the tests.

Usage: requirements.py [--check]    --check: writes nothing; ends with 1 when the page is not what it would be

The page says how a test names its rows.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from scripts.tools.commands import ROOT

PAGE = ROOT / "docs" / "requirements.md"
ROW = re.compile(r"^\| ([A-I]\d+) \| (.*) \| (?:.*) \|$", re.MULTILINE)
MARKER = re.compile(r"^(?://|#) Requirements?: (.*)$")
# A test file's name, and the line that begins a test in it.
TESTS = (
    (re.compile(r"_test\.go$"), re.compile(r"^func ((?:Test|Fuzz|Example)\w*)\(")),
    (re.compile(r"^test_\w+\.py$"), re.compile(r"^def (test_\w+)\(")),
    (re.compile(r"\.(?:c|cc|h|rs|py)$"), None),  # programs that tests run: a marker covers the whole file
)


class Misplaced(Exception):
    """A marker that belongs to no test, or names no row."""


def test_files() -> list[tuple[Path, re.Pattern[str] | None]]:
    """Each file that may have markers, and the pattern of its tests."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name != "build" and not name.startswith(".")]
        for name in names:
            for pattern, test in TESTS:
                if pattern.search(name):
                    found.append((Path(folder, name), test))
                    break
    return sorted(found)


def markers(text: str, test: re.Pattern[str] | None) -> list[tuple[str, str]]:
    """(row, name of a test) for each marker; the name is empty when the marker is for the whole file."""
    found, pending, seen, decorated = [], [], False, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if marker := MARKER.match(line):
            pending += marker[1].split(", ")
        elif begun := test.match(line) if test else None:
            found += [(row, begun[1]) for row in pending]
            pending, seen, decorated = [], True, False
        elif pending and not line.startswith(("//", "#", "@")) and (not decorated or line.startswith(("def", "class"))):
            if seen:
                raise Misplaced(f"{number}: a marker with no test below it")
            found += [(row, "") for row in pending]
            pending = []
        decorated = decorated or (bool(pending) and line.startswith("@"))
    return found


def shown_by() -> dict[str, str]:
    """For each row, what stands in its column."""
    page_rows = {row for row, _ in ROW.findall(PAGE.read_text())}
    cells: dict[str, list[str]] = {}
    for path, test in test_files():
        where = path.relative_to(ROOT).as_posix()
        try:
            found = markers(path.read_text(), test)
            if unknown := {row for row, _ in found} - page_rows:
                raise Misplaced(f"no such row: {', '.join(sorted(unknown))}")
        except Misplaced as error:
            raise SystemExit(f"{where}: {error}") from None
        for row in sorted({row for row, _ in found}):
            names = [name for one, name in found if one == row]
            link = f"[{where}](../{where})"
            cells.setdefault(row, []).append(link if "" in names else f"{link}: `{'`, `'.join(names)}`")
    return {row: "<br>".join(links) for row, links in cells.items()}


def page() -> str:
    """The page with the column as it must be."""
    cells = shown_by()
    return ROW.sub(lambda row: f"| {row[1]} | {row[2]} | {cells.get(row[1], 'not yet')} |", PAGE.read_text())


def main() -> int:
    wanted = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(wanted)
    elif PAGE.read_text() != wanted:
        print("docs/requirements.md is out of date; run python3 -m scripts.requirements", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
