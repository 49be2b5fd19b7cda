"""Writes docs/api.md: the public names and signatures of the published Python package beside this one's.

Both packages must be installed in the environment that runs it (build/venv has them). Each is described in a process of
its own, because one process holds only one runtime.

A name is `same` when every call that its signature there allows is allowed here, `better` or `differs` when a line of
scripts/api/notes.txt says so and why, and else `missing`.

Usage: python3 -m scripts.api_table [--check|--missing]

The exit status is 1 when a name is missing and when a note fits no difference. --check writes nothing, and fails for an
old page too; --missing does not look at the page.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from fnmatch import fnmatchcase

from scripts.api.compare import Row, compare
from scripts.tools.commands import ROOT, run

PAGE = ROOT / "docs" / "api.md"
NOTES = ROOT / "scripts" / "api" / "notes.txt"

HEAD = """# Public names beside the published package

Made by `scripts/api_table.py` from both installed packages (`tvm_ffi` {version} there, this one here), and compared
again by the tests. For each public name of the published package: **same** when every call that its signature there
allows is allowed here, **better** when it does more, **differs** when it is another on purpose
([compat.md](compat.md)), and **missing**. A class counts with its members. Names of this package alone are not listed.

{counts}

"""


class Note:
    """A line of notes.txt: STATE PATTERN PATTERN... # REASON. A pattern is MODULE:NAME or MODULE:NAME.MEMBER."""

    def __init__(self, line: str) -> None:
        words, mark, self.reason = line.partition(" # ")
        self.state, *self.patterns = words.split()
        self.used: set[str] = set()
        if (
            self.state not in ("better", "differs", "missing")
            or not self.patterns
            or not mark
            or not self.reason.strip()
        ):
            raise ValueError(f"{NOTES.name}: expected 'better|differs|missing PATTERN... # REASON', got {line!r}")

    def covers(self, path: str) -> bool:
        found = [pattern for pattern in self.patterns if fnmatchcase(path, pattern)]
        self.used.update(found)
        return bool(found)


def read_notes() -> list[Note]:
    lines = [line.strip() for line in NOTES.read_text().splitlines()]
    return [Note(line) for line in lines if line and not line.startswith("#")]


def described(package: str) -> dict:
    return json.loads(run(sys.executable, "-I", "scripts/api/describe.py", package))


def judge(row: Row, notes: list[Note]) -> tuple[str, str, bool]:
    """The state of a row, the text beside it, and whether a line of notes.txt explains each difference."""
    states, texts = [], []
    explained = True
    for path, what in row.differences:
        note = next((note for note in notes if note.covers(f"{row.module}:{path}")), None)
        states.append("missing" if note is None else note.state)
        explained = explained and note is not None
        label = f"`{path.partition('.')[2]}` " if "." in path else ""
        texts.append(label + what + ("" if note is None else f" ({note.reason.strip()})"))
    worst = next((state for state in ("missing", "differs", "better") if state in states), "same")
    return worst, "; ".join(texts).replace("|", "\\|"), explained


def page(rows: list[Row], notes: list[Note], version: str) -> tuple[str, list[str]]:
    counts: Counter[str] = Counter()
    missing, lines = [], []
    module = None
    for row in rows:
        state, text, explained = judge(row, notes)
        counts[state] += 1
        counts["members"] += row.compared
        if not explained:
            missing.append(f"{row.module or 'tvm_ffi'}: {row.name or 'the module'}: {text}")
        if row.module != module:
            module = row.module
            title = f"tvm_ffi.{module}".rstrip(".")
            lines += ["", f"## {title}", "", "| name | kind | members | state | |", "|---|---|---|---|---|"]
        lines.append(f"| {row.name or '(all)'} | {row.kind} | {row.compared - 1 or ''} | {state} | {text} |")
    parts = [f"{counts[state]} {state}" for state in ("same", "better", "differs", "missing")]
    summary = f"{len(rows)} names, {counts['members']} with the members: {', '.join(parts)}."
    body = HEAD.format(version=version, counts=summary) + "\n".join(lines).lstrip("\n") + "\n"
    return body, missing


def main() -> int:
    notes = read_notes()
    rows = compare(described("tvm_ffi"), described("selfsame_ffi"))
    requirement = (ROOT / "scripts" / "requirements-test.txt").read_text()
    version = next(line for line in requirement.splitlines() if line.startswith("apache-tvm-ffi==")).partition("==")[2]
    text, complaints = page(rows, notes, version)
    complaints = [f"missing: {line}" for line in complaints]
    for note in notes:
        complaints += [f"{NOTES.name}: no difference fits {p}" for p in note.patterns if p not in note.used]
    if "--missing" in sys.argv[1:]:
        pass
    elif "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        complaints.append(f"{PAGE.relative_to(ROOT)} is out of date: run python3 -m scripts.api_table")
    print("\n".join(complaints), file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
