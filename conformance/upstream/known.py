"""The list of upstream's tests that fail, and what is wrong with a run beside it.

Each line of known.txt names the libraries on which a test fails ("ours", or "both" when it fails on the stock library
as well), the suite ("cpp" or "python"), the test, and the reason:

    both python test_example::test_name[case]  # the reason
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LIST = Path(__file__).with_name("known.txt")


@dataclass(frozen=True)
class Known:
    """A test that is known to fail."""

    library: str
    suite: str
    test: str
    reason: str


def read(text: str) -> list[Known]:
    """The entries of a list. Raises ValueError for a line that is none."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        entry, _, reason = line.partition("  # ")
        library, _, rest = entry.partition(" ")
        suite, _, test = rest.partition(" ")
        if library not in ("ours", "both") or suite not in ("cpp", "python") or not test or not reason.strip():
            raise ValueError(f"line {number}: expected LIBRARY SUITE TEST  # REASON, got {line!r}")
        entries.append(Known(library, suite, test, reason.strip()))
    return entries


def complaints(entries: list[Known], library: str, suite: str, results: dict[str, str]) -> list[str]:
    """What is wrong with the results of a suite on "ours" or "stock": a failure that is not listed, a listed test that
    does not fail or does not exist."""
    where = ("ours", "both") if library == "ours" else ("both",)
    listed = {entry.test for entry in entries if entry.suite == suite and entry.library in where}
    failed = {test for test, result in results.items() if result == "failed"}
    found = [f"{test}: fails and is not in {LIST.name}" for test in sorted(failed - listed)]
    for test in sorted(listed - failed):
        found.append(f"{test}: is in {LIST.name}, but {results.get(test, 'does not exist')}")
    return found
