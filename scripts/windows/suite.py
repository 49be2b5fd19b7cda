"""The parts of python/tests that apply on Windows, file by file, as a table."""

from __future__ import annotations

import collections
import os
import xml.etree.ElementTree
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from machine import HERE, OUTPUT, ROOT, under_wine, windows_path

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


def left_out() -> dict[str, str]:
    """What left_out.txt names: files, folders and tests that cannot apply on Windows, with the reasons."""
    found = {}
    for line in (HERE / "left_out.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, _, reason = line.partition(": ")
            found[name] = reason.strip()
    return found


def files(names: list[str]) -> list[str]:
    """The files of tests below TESTS that apply, those of the given rooms or files only, if some are given."""
    excluded = left_out()
    found = sorted(str(path.relative_to(TESTS)) for path in TESTS.rglob("test_*.py") if "fixtures" not in path.parts)
    for name in excluded:
        if not (TESTS / name.partition("::")[0]).exists():
            raise ValueError(f"left_out.txt names {name}, which does not exist")
    kept = [file for file in found if not {file, *map(str, PurePosixPath(file).parents)} & excluded.keys()]
    return [file for file in kept if not names or file in names or file.split("/")[0] in names]


def run(files: list[str], python: Path, env: dict[str, str]) -> list[Row]:
    """Run the tests of some files in one process under wine. When that ends early, each file gets one of its own."""
    report = OUTPUT / "reports" / f"{files[0].replace('/', '-').removesuffix('.py')}-{len(files)}.xml"
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    options = [
        "-q",
        "--continue-on-collection-errors",
        "-p",
        "no:cacheprovider",
        f"--junitxml={windows_path(report)}",
        "-o",
        "junit_family=xunit2",
    ]
    rows = {file: Row(file) for file in files}
    for name, reason in left_out().items():
        if (row := rows.get(name.partition("::")[0])) and "::" in name:
            options.append(f"--deselect=python/tests/{name}")
            row.skipped[reason] += 1
    tests = [f"python/tests/{file}" for file in files]
    done = under_wine(python, ["-m", "pytest", *options, *tests], SECONDS * len(files), **env)
    report.with_suffix(".txt").write_text(done.stdout if done else "it did not end\n")
    if not report.is_file() or report.stat().st_size == 0:
        if len(files) > 1:
            return [row for file in files for row in run([file], python, env)]
        status = f"ended with status {done.returncode}" if done else f"did not end in {SECONDS} s"
        rows[files[0]].failures.append(f"the process {status}: {os.path.relpath(report.with_suffix('.txt'), ROOT)}")
        return list(rows.values())
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        module = (case.get("classname") or case.get("name") or "").removeprefix("python.tests.")
        (row,) = (row for file, row in rows.items() if f"{module}.".startswith(f"{file[:-3].replace('/', '.')}."))
        add(row, case)
    return list(rows.values())


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


def table(rows: list[Row]) -> str:
    """The table of all files, then each failure, then the reasons why tests were skipped, with their numbers."""
    lines = [f"{'file':<45}{'passed':>7}{'failed':>7}{'skipped':>8}", *(row.text() for row in rows)]
    total = Row("all", sum(row.passed for row in rows))
    for row in rows:
        total.failures += [f"{row.file}: {failure}" for failure in row.failures]
        total.skipped += row.skipped
    lines += [total.text(), *(f"FAILED   {failure}" for failure in total.failures)]
    lines += [f"skipped  {count:>4}  {reason}" for reason, count in sorted(total.skipped.items())]
    lines += [f"left out  {name}: {reason}" for name, reason in left_out().items() if "::" not in name]
    return "\n".join(lines)
