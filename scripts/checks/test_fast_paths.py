"""docs/fast-paths.md has a row for each fast path that fast_paths.py can switch off, with a gain that pays."""

import re
import sys

import pytest
from repository import ROOT

sys.path.insert(0, str(ROOT / "bench" / "python"))
from fast_path_rows import FAST_PATHS, LEAST  # noqa: E402

ROW = re.compile(r"^\| ([^|]+) \| `([^|`]+)` \| ([^|]+) \| ([^|]+) \| (\d+\.\d\d) \|$", re.MULTILINE)
PAGE = (ROOT / "docs" / "fast-paths.md").read_text()


def faults(page: str) -> list[str]:
    """What is wrong with the rows of the page."""
    rows = ROW.findall(page)
    listed = [(path.name, path.file, path.shadows, path.operation) for path in FAST_PATHS]
    found = [f"{name}: a gain of {gain} does not pay" for name, *_, gain in rows if float(gain) < LEAST]
    found += [f"{row[0]}: not in the page as in FAST_PATHS" for row in listed if row not in {row[:-1] for row in rows}]
    found += [f"{row[0]}: not in FAST_PATHS as in the page" for row in rows if row[:-1] not in listed]
    lines = [line for line in page.splitlines() if line.startswith("| ")][1:]
    return found + [line for line in lines if not ROW.fullmatch(line)]


def test_the_page_and_the_program_name_the_same():
    assert faults(PAGE) == []


def test_a_row_that_is_missing_or_does_not_pay_is_found():
    *_, gain = row = ROW.search(PAGE).group(0).strip(" |").split(" | ")
    line = ROW.search(PAGE).group(0)
    assert faults(PAGE.replace(line, line.replace(gain, "1.19"))) == [f"{row[0]}: a gain of 1.19 does not pay"]
    assert faults(PAGE.replace(line + "\n", "")) == [f"{row[0]}: not in the page as in FAST_PATHS"]
    assert faults(PAGE.replace(line, line.replace(row[0], "another"))) == [
        f"{row[0]}: not in the page as in FAST_PATHS",
        "another: not in FAST_PATHS as in the page",
    ]


@pytest.mark.parametrize("path", FAST_PATHS, ids=lambda path: path.name)
def test_the_fast_path_is_in_its_file(path):
    assert (ROOT / path.file).read_text().count(path.text) == 1
    assert path.text != path.off


def test_fast_paths_that_are_off_together_have_operations_of_their_own():
    pairs = [(path.built, path.round, path.operation) for path in FAST_PATHS if path.round]
    assert len(pairs) == len(set(pairs))
