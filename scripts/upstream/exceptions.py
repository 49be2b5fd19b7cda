"""The list of upstream's Python tests that stock passes and this package does not, and how a run is judged by it.

Each line of exceptions.txt is a test and the name of its reason, a row of docs/compat.md:

    test_example.py::test_name[case]  # the reason's name
"""

from __future__ import annotations

from pathlib import Path

LIST = Path(__file__).with_name("exceptions.txt")
AT_MOST = 40


def read(text: str) -> dict[str, str]:
    """The reason's name by test. Raises ValueError for a line that is no entry, and for a test that is there twice."""
    entries: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        test, mark, reason = line.partition("  # ")
        if not mark or "::" not in test or not reason.strip():
            raise ValueError(f"line {number}: expected TEST  # REASON, got {line!r}")
        if test in entries:
            raise ValueError(f"line {number}: {test} is listed already")
        entries[test] = reason.strip()
    return entries


def complaints(
    entries: dict[str, str],
    file: str,
    wanted: set[str],
    passed: set[str],
    unknown: frozenset[str] | set[str] = frozenset(),
) -> list[str]:
    """The faults in the run of one test file, given the tests that stock passes and those that this package does.

    A test that fails and is not listed; a listed one that passes, or that stock does not pass. Nothing is said of the
    tests in `unknown`, which took too long or which stock skips, and of no test at all when `file` is there.
    """
    if file in unknown:
        return []
    listed = {test for test in entries if test.partition("::")[0] == file} - unknown
    found = [f"{test}: fails and is not in {LIST.name}" for test in sorted(wanted - passed - listed - unknown)]
    found += [f"{test}: is in {LIST.name}, but passes" for test in sorted(listed & passed)]
    found += [f"{test}: is in {LIST.name}, but stock does not pass it" for test in sorted(listed - wanted)]
    return found
