"""Use counts that native code sees, shape by shape beside the published package: the rows of docs/counts.md."""

# Requirement: C16

import importlib.util
import subprocess
import sys

import pytest
from repository import ROOT

FOLDER = ROOT / "conformance" / "counts"


@pytest.fixture(scope="module")
def counts():
    """The module that compares."""
    sys.path.insert(0, str(FOLDER))
    try:
        import counts

        yield counts
    finally:
        sys.path.remove(str(FOLDER))


@pytest.mark.skipif(importlib.util.find_spec("tvm_ffi") is None, reason="compares with the package apache-tvm-ffi")
def test_counts_are_those_of_the_published_package():
    command = [sys.executable, str(FOLDER / "counts.py"), "--rows"]
    compared = subprocess.run(command, capture_output=True, text=True)
    assert compared.returncode == 0, compared.stdout + compared.stderr


@pytest.mark.parametrize(
    ("there", "here", "wrong"),
    [
        ([2, False, 2, False, 1, 1], [2, False, 2, False, 1, 1], None),
        ([2, False, 2, False, 1, 1], [3, False, 2, False, 1, 1], None),
        ([2, False, 2, False, 1, 1], [1, False, 2, False, 1, 1], "smaller"),
        ([2, False, 2, False, 1, 1], [2, False, 1, False, 1, 1], "smaller"),
        ([2, False, 2, False, None, None], [2, False, None, None, None, None], "smaller"),
        ([2, False, 2, False, 1, 1], [2, True, 2, False, 1, 1], "unique here alone"),
        ([2, False, 2, False, 1, 1], [1, True, 2, False, 5, 5], "native code has changed what Python holds"),
        ([1, True, None, None, None, None], [1, True, None, None, None, None], None),
        ([2, False, 2, False, 5, 5], [2, False, 2, False, 5, 5], None),
        ("TypeError: x", [2, False, 2, False, 1, 1], "an exception"),
    ],
)
def test_complaints(counts, there, here, wrong):
    assert counts.problem(there, here) == wrong
    assert counts.is_greater([2, False, 2, False, 1, 1], [3, False, 2, False, 1, 1])
    assert counts.is_greater([1, True, 1, True, 1, 1], [1, True, 1, False, 1, 1])


def test_a_greater_count_needs_a_reason(counts):
    found = counts.Comparison()
    found.add(("a variable", "an Any", "nothing", "a class"), [2, False, 2, False, 1, 1], [3, False, 2, False, 1, 1])
    found.add(("a variable", "an Any", "returned", "a class"), [2, False, 2, False, 1, 1], [3, False, 2, False, 1, 1])
    assert [text.partition(": ")[0] for text in found.complaints] == ["a variable / an Any / nothing / a class"]
    assert list(found.why) == [("a variable", "an Any", "returned", "a class")]
