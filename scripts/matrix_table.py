"""Prints the table of `make matrix`: for each interpreter the tests passed, failed and skipped, with the reasons.

Usage: python3 -m scripts.matrix_table VERSION=JUNIT.XML...

Ends with 1 when on some interpreter a test failed, or none of the tests of a row of section C passed.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from scripts import requirements

TESTS = Path(__file__).resolve().parent.parent / "python" / "tests"


def rows_of_tests() -> dict[tuple[str, str], set[str]]:
    """The rows of section C that a test shows, by (file without its ending, test); the test "" stands for all."""
    rows: dict[tuple[str, str], set[str]] = {}
    pattern = dict(requirements.TESTS[:2]).get(requirements.TESTS[1][0])
    for path in sorted(TESTS.rglob("test_*.py")):
        for row, test in requirements.markers(path.read_text(), pattern):
            if row.startswith("C"):
                rows.setdefault((path.stem, test), set()).add(row)
    return rows


class Outcome:
    """The outcome of one interpreter's run."""

    def __init__(self, path: Path):
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.failures: list[str] = []
        self.tests: dict[str, set[tuple[str, str]]] = {"passed": set(), "skipped": set()}
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            self._add(case)

    def _add(self, case: ElementTree.Element) -> None:
        file = case.get("classname", "").split(".")[-1]
        test = case.get("name", "").split("[")[0]
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            self.counts["failed"] += 1
            self.failures.append(f"{file}::{case.get('name')}")
        elif skipped is not None:
            self.counts["skipped"] += 1
            self.reasons[skipped.get("message", "")] += 1
            self.tests["skipped"].add((file, test))
        else:
            self.counts["passed"] += 1
            self.tests["passed"].add((file, test))

    def rows(self, outcome: str, of_tests: dict[tuple[str, str], set[str]]) -> set[str]:
        """The rows of section C that a test with this outcome shows."""
        found: set[str] = set()
        for file, test in self.tests[outcome]:
            found |= of_tests.get((file, test), set()) | of_tests.get((file, ""), set())
        return found


def main(arguments: list[str]) -> int:
    of_tests = rows_of_tests()
    rows = set().union(*of_tests.values())
    bad: list[str] = []  # said last, below the reasons of all interpreters
    print(f"{'CPython':<10}{'passed':>8}{'failed':>8}{'skipped':>8}  section C")
    for argument in arguments:
        version, _, path = argument.partition("=")
        if not Path(path).is_file():
            print(f"{version:<10}{'did not finish':>24}")
            bad.append(f"CPython {version}: did not finish")
            continue
        outcome = Outcome(Path(path))
        counts = [outcome.counts[name] for name in ("passed", "failed", "skipped")]
        without = sorted(rows - outcome.rows("passed", of_tests), key=lambda row: int(row[1:]))
        said = "every row" if not without else f"not shown: {', '.join(without)}"
        print(f"{version:<10}" + "".join(f"{count:>8}" for count in counts) + f"  {said}")
        for reason, count in outcome.reasons.most_common():
            print(f"{'':<10}{count} skipped: {reason}")
        bad += [f"CPython {version}: failed: {failure}" for failure in outcome.failures]
        bad += [f"CPython {version}: no test of row {row} passed" for row in without]
    print("\n".join(bad))
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
