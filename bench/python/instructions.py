"""Compares the instructions of the hottest operations with those in bench/profiles: `make bench-instructions`.

Usage: instructions.py FOLDER_OF_THE_BUILT_EXTENSIONS

Ends with 1 when an operation takes more than MARGIN above the number in its profile. A change that is meant to cost
more, or costs less, writes the profiles again: scripts/bench.sh --profile selfsame.
"""

from __future__ import annotations

import profile as profiles  # the module beside this one
import re
import sys
import tempfile
from pathlib import Path

MARGIN = 0.03
HEAD = re.compile(r"(.*) \(selfsame\): (\d+) instructions")


def numbers(folder: Path) -> dict[str, int]:
    """Instructions by operation, from the first lines of the profiles in a folder."""
    heads = [HEAD.match(path.read_text()) for path in sorted(folder.glob("selfsame-*.txt"))]
    return {head[1]: int(head[2]) for head in heads if head}


def main() -> None:
    expected = numbers(profiles.PROFILES)
    with tempfile.TemporaryDirectory() as scratch:
        profiles.PROFILES = Path(scratch)
        sys.argv = [profiles.__file__, "selfsame", sys.argv[1]]
        sys.stdout = open(Path(scratch) / "log", "w")
        profiles.main()
        sys.stdout = sys.__stdout__
        found = numbers(Path(scratch))
    slower = []
    for name, number in sorted(found.items()):
        before = expected.get(name)
        change = "new" if before is None else f"{100 * (number - before) / before:+.1f}%"
        print(f"{name:<36} {number:>7} {change:>8}")
        if before is not None and number > before * (1 + MARGIN):
            slower.append(name)
    if not found:
        sys.exit("instructions.py: nothing was counted")
    if slower:
        sys.exit(f"instructions.py: more than {MARGIN:.0%} above bench/profiles: {', '.join(slower)}")


if __name__ == "__main__":
    main()
