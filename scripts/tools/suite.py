"""The parts of python/tests that apply on a system that they were not written on, file by file, as a table."""

from __future__ import annotations

import collections
import itertools
import os
import subprocess
import sys
import xml.etree.ElementTree
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Callable

from scripts.tools.commands import ROOT

TESTS = ROOT / "python" / "tests"
SECONDS = 900  # for one file


@dataclass
class Row:
    """What became of the tests of a file."""

    file: str
    passed: int = 0
    failures: list[str] = field(default_factory=list)
    skipped: collections.Counter[str] = field(default_factory=collections.Counter)

    def text(self) -> str:
        """The row as a line."""
        return f"{self.file:<45}{self.passed:>7}{len(self.failures):>7}{sum(self.skipped.values()):>8}"


@dataclass(frozen=True)
class Suite:
    """How tests run on the system."""

    left_out_file: Path  # names what cannot apply, with the reasons
    reports: Path  # the folder for pytest's reports
    # Runs its Python with arguments, for at most so many seconds; None when it did not end.
    start: Callable[[list[str], float], subprocess.CompletedProcess[str] | None]
    path: Callable[[Path], str] = str  # how its Python names a file of this machine

    def left_out(self) -> dict[str, str]:
        """What the file names: files, folders and tests that cannot apply, with the reasons."""
        found = {}
        for line in self.left_out_file.read_text().splitlines():
            if line and not line.startswith("#"):
                name, _, reason = line.partition(": ")
                found[name] = reason.strip()
        return found

    def files(self, names: list[str]) -> list[str]:
        """The files of tests below TESTS that apply, those of the given rooms or files only, if some are given."""
        excluded = self.left_out()
        paths = (path for path in TESTS.rglob("test_*.py") if "fixtures" not in path.parts)
        found = sorted(str(path.relative_to(TESTS)) for path in paths)
        for name in excluded:
            if not (TESTS / name.partition("::")[0]).exists():
                raise ValueError(f"{self.left_out_file} names {name}, which does not exist")
        kept = [file for file in found if not {file, *map(str, PurePosixPath(file).parents)} & excluded.keys()]
        return [file for file in kept if not names or file in names or file.split("/")[0] in names]

    def run_rooms(self, names: list[str]) -> tuple[str, bool]:
        """Run the tests of the given rooms and files, all that apply for none. Return the table, and whether none
        failed."""
        rows = []
        for _, room in itertools.groupby(self.files(names), lambda file: file.split("/")[0]):
            of_room = self.run(list(room))
            print("\n".join(row.text() for row in of_room), flush=True)
            rows += of_room
        return self.table(rows), not any(row.failures for row in rows)

    def run(self, files: list[str]) -> list[Row]:
        """Run the tests of some files in one process. When that ends early, each file gets one of its own."""
        report = self.reports / f"{files[0].replace('/', '-').removesuffix('.py')}-{len(files)}.xml"
        report.parent.mkdir(exist_ok=True)
        report.unlink(missing_ok=True)
        options = [
            "-q",
            "--continue-on-collection-errors",
            "-p",
            "no:cacheprovider",
            f"--junitxml={self.path(report)}",
            "-o",
            "junit_family=xunit2",
        ]
        rows = {file: Row(file) for file in files}
        for name, reason in self.left_out().items():
            if (row := rows.get(name.partition("::")[0])) and "::" in name:
                options.append(f"--deselect=python/tests/{name}")
                row.skipped[reason] += 1
        tests = [f"python/tests/{file}" for file in files]
        done = self.start(["-m", "pytest", *options, *tests], SECONDS * len(files))
        report.with_suffix(".txt").write_text(done.stdout if done else "it did not end\n")
        if not report.is_file() or report.stat().st_size == 0:
            if len(files) > 1:
                return [row for file in files for row in self.run([file])]
            status = f"ended with status {done.returncode}" if done else f"did not end in {SECONDS} s"
            rows[files[0]].failures.append(f"the process {status}: {os.path.relpath(report.with_suffix('.txt'), ROOT)}")
            return list(rows.values())
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            module = (case.get("classname") or case.get("name") or "").removeprefix("python.tests.")
            (row,) = (row for file, row in rows.items() if f"{module}.".startswith(f"{file[:-3].replace('/', '.')}."))
            add(row, case)
        return list(rows.values())

    def table(self, rows: list[Row]) -> str:
        """The table of all files, then each failure, then the reasons why tests were skipped, with their numbers."""
        lines = [f"{'file':<45}{'passed':>7}{'failed':>7}{'skipped':>8}", *(row.text() for row in rows)]
        total = Row("all", sum(row.passed for row in rows))
        for row in rows:
            total.failures += [f"{row.file}: {failure}" for failure in row.failures]
            total.skipped += row.skipped
        lines += [total.text(), *(f"FAILED   {failure}" for failure in total.failures)]
        lines += [f"skipped  {count:>4}  {reason}" for reason, count in sorted(total.skipped.items())]
        lines += [f"left out  {name}: {reason}" for name, reason in self.left_out().items() if "::" not in name]
        return "\n".join(lines)


def add(row: Row, case: xml.etree.ElementTree.Element) -> None:
    """Count one test of a report."""
    failure, error, skipped = (case.find(kind) for kind in ("failure", "error", "skipped"))
    bad = failure if failure is not None else error
    if bad is not None:
        first = (bad.get("message") or "").splitlines() or [""]
        row.failures.append(f"{case.get('name')}: {first[0][:150]}")
    elif skipped is not None:
        row.skipped[(skipped.get("message") or "").removeprefix("Skipped: ")[:110]] += 1
    else:
        row.passed += 1


def finish(file: Path, parts: list[str], good: bool) -> None:
    """Print the tables, write them into a file, and end the program with 0 if all is good."""
    text = "\n\n".join(parts)
    file.write_text(text + "\n")
    print(text)
    sys.exit(not good)
