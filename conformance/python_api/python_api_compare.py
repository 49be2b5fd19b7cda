"""Compares this Python package with the published one, case by case, each in processes of its own.

usage: python3 -m conformance.python_api.python_api_compare [-v] [GROUP...]

-v shows the differences that are known too

A case is a call of the public interface; its outcome is the value, or the class and message of the exception. Each
difference must be in known.txt, whose lines name rows of docs/compat.md. This package must not crash.
"""

# Requirement: F1

from __future__ import annotations

import os
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from conformance import workers

HERE = Path(__file__).resolve().parent
COMPAT = HERE.parent.parent / "docs" / "compat.md"
OURS, THEIRS = "selfsame_ffi", "tvm_ffi"


def outcomes(package: str, group: str) -> dict[str, str]:
    """The outcome of every case of a group."""
    env = {**os.environ, "PACKAGE": package, "PYTHONPATH": str(HERE)}
    command = [sys.executable, str(HERE / "run_cases.py"), group]
    return workers.outcomes(command, lambda worker: f"CRASH: status {worker.returncode}", env)


def read_known(text: str, rows: set[str]) -> dict[str, str]:
    """The patterns of known.txt, `GROUP: NAME`, with the row of compat.md that explains each."""
    known: dict[str, str] = {}
    row = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("[") and line.endswith("]"):
            row = line[1:-1]
            if row not in rows:
                raise SystemExit(f"known.txt: line {number}: docs/compat.md has no row {row!r}")
        elif line.strip() and not line.startswith("#"):
            if row is None:
                raise SystemExit(f"known.txt: line {number}: expected a [row of docs/compat.md] first")
            known[line.strip()] = row
    return known


def rows_of_compat() -> set[str]:
    return {line.split("|")[1].strip() for line in COMPAT.read_text().splitlines() if line.startswith("| ")}


def main() -> int:
    verbose = "-v" in sys.argv[1:]
    chosen = [word for word in sys.argv[1:] if word != "-v"]
    groups = chosen or sorted(path.stem[len("cases_") :] for path in HERE.glob("cases_*.py"))
    known = read_known((HERE / "known.txt").read_text(), rows_of_compat())
    used, complaints, compared, differing = set(), [], 0, 0
    for group in groups:
        theirs, ours = outcomes(THEIRS, group), outcomes(OURS, group)
        for name, there in theirs.items():
            compared += 1
            here = ours[name]
            patterns = [pattern for pattern in known if fnmatchcase(f"{group}: {name}", pattern)]
            if here.startswith("CRASH"):
                complaints.append(f"{group}: {name}: this package crashes: {here}")
            if here == there:
                continue
            differing += 1
            used.update(patterns)
            text = f"{group}: {name}\n    there: {there}\n    here:  {here}"
            if not patterns:
                complaints.append(text)
            elif verbose:
                print(f"{text}\n    known: {known[patterns[0]]}")
    if not chosen:
        complaints += [f"known.txt: no difference fits {pattern!r}" for pattern in known if pattern not in used]
    print("\n".join([*complaints, f"{compared} cases, {differing} of them differ, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
