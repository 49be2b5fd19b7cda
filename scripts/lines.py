"""Counts the lines of the product at two revisions, by language and by part: `make lines SINCE=0ecb970`.

Usage: python3 -m scripts.lines BEFORE [AFTER]    AFTER is HEAD by default

Comments and empty lines count; tests, examples, benchmarks, conformance programs and scripts do not.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import PurePosixPath

from scripts.tools.commands import run

LANGUAGES = {".go": "Go", ".py": "Python", ".pyi": "Python", ".c": "C", ".h": "C", ".cc": "C"}
OUTSIDE = {"examples", "bench", "conformance", "scripts", "docs"}
#: Folders of tests and of what they need, where they stand now and where they stood before.
TESTS = {"tests", "testdata", "testenv", "failalloc", "leakcheck", "clayout", "nativethread", "testvalues"}


def is_product(path: PurePosixPath) -> bool:
    """Whether the file is a source of what users install."""
    parts = set(path.parts)
    return (
        path.suffix in LANGUAGES
        and not path.stem.endswith("_test")
        and not parts & TESTS
        and path.parts[0] not in OUTSIDE
    )


def part_of(path: PurePosixPath) -> str:
    """Return the part of the product that a source belongs to."""
    folders = path.parts[:-1]
    if not folders:
        return "root"
    return "/".join(folders[:2] if folders[0] in {"internal", "abi"} else folders[:1])


def lines(revision: str) -> Counter[str]:
    """Return the lines of each language, of each part, and of all."""
    counts: Counter[str] = Counter()
    for name in run("git", "ls-tree", "-r", "--name-only", revision).splitlines():
        path = PurePosixPath(name)
        if is_product(path):
            count = run("git", "show", f"{revision}:{name}").count("\n")
            for key in ("all", LANGUAGES[path.suffix], part_of(path)):
                counts[key] += count
    return counts


def main(before: str, after: str = "HEAD") -> None:
    """Print a line for each part: its lines before, after, and the difference."""
    old, new = lines(before), lines(after)
    for part in sorted(old | new, key=lambda part: (part not in {"all", *LANGUAGES.values()}, part)):
        print(f"{part:24} {old[part]:7} {new[part]:7} {new[part] - old[part]:+7}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
