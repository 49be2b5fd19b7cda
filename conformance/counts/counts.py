"""Compares the strong counts that native code sees, on the published package and on this one.

usage: counts.py [--rows] [--write]

A shape is a holder in Python, a place in native code, something that happened before, and a class. Each is made on
both packages, in a process of its own, and its numbers are compared: run_shapes.py says which. This package's counts
must not be smaller. Native code that copies before it writes must not change what Python holds, if it does not there.
Where a count is greater, a line of greater.txt must say why.

--rows     only the shapes of the tables of docs/counts.md, in which one thing is varied at a time
--write    writes these tables, on CPython 3.11; without it they are checked there

A Go package and a Rust crate that hold the objects instead are compared too, when SELFSAME_FFI names the tool that
builds the package. The crate runs on both packages, and reads the counts itself.
"""

# Requirement: C16

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "counts.md"
PAGE_PYTHON = (3, 11)  # a count that is greater here depends on the references of the interpreter's own stack
OURS, THEIRS = "selfsame_ffi", "tvm_ffi"
MARKS = ("<!-- rows: written by conformance/counts/counts.py -->", "<!-- end of rows -->")

sys.path.insert(0, str(ROOT / "python" / "tests" / "support"))
import native_build  # noqa: E402
import origins  # noqa: E402

Key = tuple[str, str, str, str]

# The parts of the numbers.
COUNTS, UNIQUE, WRITTEN = slice(0, 4, 2), slice(1, 4, 2), slice(4, 6)


class Notes:
    """The lines of greater.txt: a [reason], and below it HOLDER / PLACE / EVENT / CLASS as patterns."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.reasons: dict[str, str] = {}
        self.used: set[str] = set()
        reason = None
        for number, line in enumerate((HERE / name).read_text().splitlines(), 1):
            if line.startswith("[") and line.endswith("]"):
                reason = line[1:-1]
            elif line.strip() and not line.startswith("#"):
                if reason is None or len(line.split(" / ")) != 4:
                    raise SystemExit(f"{name}: line {number}: expected HOLDER / PLACE / EVENT / CLASS below a [reason]")
                self.reasons[line.strip()] = reason

    def reason(self, key: Key) -> str | None:
        """The reason of the first line that fits."""
        for pattern, reason in self.reasons.items():
            if all(fnmatchcase(part, wanted) for part, wanted in zip(key, pattern.split(" / "))):
                self.used.add(pattern)
                return reason
        return None

    def unused(self) -> Iterator[str]:
        """A remark about each line that fits no shape. Interpreters differ, so it is no complaint."""
        for pattern in self.reasons:
            if pattern not in self.used:
                yield f"{self.name}: no shape fits {pattern!r} on this interpreter"


def numbers(package: str, chosen: str, library: Path, **more: str) -> dict[Key, Any]:
    """The numbers of all shapes of a set, with more variables of the environment."""
    environment = {**variables(package, library), **more}
    command = [sys.executable, str(HERE / "run_shapes.py"), chosen]
    worker = subprocess.run(command, capture_output=True, text=True, env=environment)
    found: dict[Key, Any] = {}
    for line in worker.stdout.splitlines():
        *key, numbers = json.loads(line)
        found[tuple(key)] = numbers
    if worker.returncode != 0:
        where = " / ".join(list(found)[-1]) if found else "its imports"
        raise SystemExit(f"{package}: the process ended with status {worker.returncode} in {where}:\n{worker.stderr}")
    return found


def variables(package: str, library: Path) -> dict[str, str]:
    """The environment of a process that makes shapes."""
    folders = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PACKAGE": package,
        "COUNTS_LIBRARY": str(library),
        "PYTHONPATH": os.pathsep.join(folders),
    }


def like_variable() -> set[str]:
    """The holders that stock does not have."""
    text = "import json, holders; print(json.dumps(sorted(holders.LIKE_VARIABLE)))"
    command = [sys.executable, "-c", text]
    return set(json.loads(subprocess.check_output(command, env=variables(OURS, library()))))


def library() -> Path:
    """The library of counts.cc, for both packages."""
    return native_build.build_cpp(HERE / "counts.cc", "-O1", "-g", "-fvisibility=hidden", "-pthread")


class Comparison:
    """The complaints about one set of shapes, and the reason of each greater count."""

    def __init__(self) -> None:
        self.greater = Notes("greater.txt")
        self.complaints: list[str] = []
        self.why: dict[Key, str] = {}
        self.shapes = 0

    def add(self, key: Key, there: Any, here: Any) -> None:
        """Compare the numbers of one shape."""
        self.shapes += 1
        wrong = problem(there, here)
        if wrong is None:
            if not is_greater(there, here):
                return
            reason = self.greater.reason(key)
            if reason is not None:
                self.why[key] = reason
                return
            wrong = "greater, and greater.txt has no reason"
        self.complaints.append(f"{' / '.join(key)}: {wrong}\n    there: {there}\n    here:  {here}")


def problem(there: Any, here: Any) -> str | None:
    """What is wrong with the numbers of a shape. None when nothing is, or only a count is greater."""
    if isinstance(there, str) or isinstance(here, str):
        return "an exception"
    if any(after == 1 and seen not in (1, None) for after, seen in zip(there[WRITTEN], here[WRITTEN])):
        return "native code has changed what Python holds"
    if any(count is not None and (seen is None or seen < count) for count, seen in zip(there[COUNTS], here[COUNTS])):
        return "smaller"
    if any(unique and not was for was, unique in zip(there[UNIQUE], here[UNIQUE]) if was is not None):
        return "unique here alone"
    return None


def is_greater(there: Any, here: Any) -> bool:
    """Whether a count is greater here, or unique() false here alone."""
    return any(
        seen is not None and (count is None or seen > count) for count, seen in zip(there[COUNTS], here[COUNTS])
    ) or any(was and unique is False for was, unique in zip(there[UNIQUE], here[UNIQUE]))


def compare(
    found: Comparison, theirs: dict[Key, Any], ours: dict[Key, Any], place: str | None = None
) -> dict[Key, Any]:
    """Compare all shapes of ours with those of the published package, in the same place or in `place`. Returns the
    numbers that ours were compared with."""
    other = like_variable()
    wanted: dict[Key, Any] = {}
    for key, here in ours.items():
        holder, own_place, event, family = key
        wanted[key] = theirs["a variable" if holder in other else holder, place or own_place, event, family]
        found.add(key, wanted[key], here)
    return wanted


def count(values: list[Any], part: int) -> str:
    """A count in a table, with a mark when it is unique."""
    found, unique = values[2 * part : 2 * part + 2]
    return "" if found is None else f"{found}{' u' if unique else ''}"


def written(values: list[Any]) -> str:
    """Whether Python's holder sees what native code wrote."""
    seen = values[WRITTEN]
    return "" if seen[0] is None else "no" if seen == [1, 1] else "yes"


COLUMNS = ((count, 0), (count, 1), (written,))
TABLES = (
    ("Python holds it by", 0, "Native code has it in an `Any`."),
    ("native code has it in", 1, "Python holds it by a variable."),
    ("before", 2, "Python holds it by a variable, native code by an `Any`."),
    ("its class has, or it is", 3, "Python holds it by a variable, native code by an `Any`."),
)


def tables(wanted: dict[Key, Any], ours: dict[Key, Any], foreign: dict[str, Any], why: dict[Key, str]) -> list[str]:
    """The lines of the tables of the page; `foreign` has what is compared of Go and of Rust."""
    base = next(iter(ours))
    lines = []

    def table(title: str, text: str, rows: list[tuple[str, Key]], wanted: dict[Key, Any], ours: dict[Key, Any]) -> None:
        lines.extend(
            [text, "", f"| {title} | there | here | as an argument: there | here | written: there | here | why |"]
        )
        lines.append("|---|--:|--:|--:|--:|---|---|---|")
        for name, key in rows:
            there, here = wanted[key], ours[key]
            numbers = [f(values, *part) for f, *part in COLUMNS for values in (there, here)]
            lines.append(f"| {' | '.join([name, *numbers, why.get(key, '')])} |")
        lines.append("")

    for title, part, text in TABLES:
        others = [key for key in ours if all(key[i] == base[i] for i in range(4) if i != part)]
        table(title, text, [(key[part], key) for key in others], wanted, ours)
    for title, text in (
        ("Go code has it in", "Python holds it by a variable. There an `Any` of C++ has it."),
        ("Rust code has it in", "Python holds it by a variable. Rust reads the counts."),
    ):
        others = [key for key in foreign[title][1] if (key[0], key[2], key[3]) == (base[0], base[2], base[3])]
        table(title, text, [(key[1], key) for key in others], *foreign[title])
    return lines


def check_page(lines: list[str], write: bool) -> list[str]:
    """Complaints about the tables of the page, which are written when `write` says so."""
    head, _, rest = PAGE.read_text().partition(MARKS[0])
    _, _, tail = rest.partition(MARKS[1])
    wanted = "\n".join([head + MARKS[0], "", *lines, MARKS[1]]) + tail
    if wanted == PAGE.read_text():
        return []
    if write:
        PAGE.write_text(wanted)
        return []
    return ["docs/counts.md: its tables are not those of this run: counts.py --write"]


def build_go(tool: str) -> str:
    """The folder with the package gocounts."""
    folder = ROOT / "build" / "counts"
    command = [tool, "build", str(HERE / "gocounts"), "-o", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if built.returncode != 0:
        raise SystemExit(f"gocounts cannot be built:\n{built.stdout}{built.stderr}")
    return str(folder)


def build_rust() -> str:
    """The library of the crate rust_origin."""
    try:
        return str(origins.rust())
    except origins.Unavailable as reason:
        raise SystemExit(f"the crate that counts in Rust cannot be built: {reason}") from None


def main() -> int:
    native = library()
    found = Comparison()
    theirs, ours = numbers(THEIRS, "rows", native), numbers(OURS, "rows", native)
    wanted = compare(found, theirs, ours)
    foreign: dict[str, Any] = {}
    if tool := os.environ.get("SELFSAME_FFI"):
        in_go = numbers(OURS, "go", native, COUNTS_GO=build_go(tool))
        foreign["Go code has it in"] = compare(found, theirs, in_go, "an Any"), in_go
        crate = build_rust()
        in_rust = [numbers(package, "rust", native, COUNTS_RUST=crate) for package in (THEIRS, OURS)]
        foreign["Rust code has it in"] = compare(found, *in_rust), in_rust[1]
    if "--rows" not in sys.argv[1:]:
        compare(found, numbers(THEIRS, "all", native), numbers(OURS, "all", native))
        if foreign:
            print("\n".join(found.greater.unused()))
    if foreign and sys.version_info[:2] == PAGE_PYTHON:
        found.complaints.extend(check_page(tables(wanted, ours, foreign, found.why), "--write" in sys.argv[1:]))
    shown = found.complaints[:40]
    if len(shown) < len(found.complaints):
        shown.append(f"... and {len(found.complaints) - len(shown)} more")
    for complaint in shown:
        print(complaint)
    print(f"{found.shapes} shapes compared, {len(found.complaints)} complaints")
    return 1 if found.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
