"""How `make upstream-python` judges a run, and that its list of exceptions has a reason for each."""

import pytest
from repository import ROOT

from scripts.upstream import exceptions

ENTRIES = exceptions.read("# a comment\n\ntest_a.py::one  # identity\ntest_a.py::C::two[x y]  # use counts\n")


def test_listed_failures_are_expected():
    assert exceptions.complaints(ENTRIES, "test_a.py", {"test_a.py::one", "test_a.py::C::two[x y]"}, set()) == []
    assert exceptions.complaints(ENTRIES, "test_b.py", {"test_b.py::one"}, {"test_b.py::one"}) == []


def test_unlisted_failures_listed_passes_and_unknown_entries_are_complained_about():
    wanted = {"test_a.py::one", "test_a.py::three"}
    assert exceptions.complaints(ENTRIES, "test_a.py", wanted, {"test_a.py::one"}) == [
        "test_a.py::three: fails and is not in exceptions.txt",
        "test_a.py::one: is in exceptions.txt, but passes",
        "test_a.py::C::two[x y]: is in exceptions.txt, but stock does not pass it",
    ]


@pytest.mark.parametrize("line", ["test_a.py::one", "one  # identity", "test_a.py::one  # ", "test_a.py::one # x"])
def test_malformed_lines_are_refused(line):
    with pytest.raises(ValueError, match="line 1: expected TEST  # REASON"):
        exceptions.read(line)
    with pytest.raises(ValueError, match="line 2: .* listed already"):
        exceptions.read("test_a.py::one  # a\ntest_a.py::one  # b")


def test_every_exception_has_its_row_in_compat_md():
    entries = exceptions.read(exceptions.LIST.read_text())
    page = (ROOT / "docs" / "compat.md").read_text().splitlines()
    rows = {line.split("|")[1].strip() for line in page if line.startswith("| ")}
    assert sorted(set(entries.values()) - rows) == []
    assert len(entries) <= exceptions.AT_MOST, "of the whole suite"
