"""docs/requirements.md names the tests that show each requirement."""

import re

import pytest
from repository import ROOT, check_generated

from scripts import requirements

PYTHON, GO = requirements.TESTS[1][1], requirements.TESTS[0][1]


def test_page_is_up_to_date():
    check_generated("requirements")


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (PYTHON, '"""Doc."""\n\n# Requirement: C9\n\nimport gc\n', [("C9", "")]),
        (PYTHON, "# Requirements: C9, C12\ndef test_a(native):\n", [("C9", "test_a"), ("C12", "test_a")]),
        (PYTHON, "# Requirement: C9\n@mark(\n    1,\n)\n@other\ndef test_a():\n", [("C9", "test_a")]),
        (GO, "// TestA tests.\n// Requirement: D4\nfunc TestA(t *testing.T) {\n", [("D4", "TestA")]),
        (GO, "// Requirement: D4\n\npackage a\n\nfunc TestA(t *testing.T) {\n", [("D4", "")]),
        (None, "// A program.\n// Requirement: E1\n#include <string>\n", [("E1", "")]),
    ],
)
def test_marker_stands_for_a_test_or_a_file(pattern, text, found):
    assert requirements.markers(text, pattern) == found


@pytest.mark.parametrize("rest", ["\nx = 1\n", "\n", "@mark\ndef helper():\n", "@mark\nclass Helper:\n", ""])
def test_marker_without_a_test_is_refused(rest):
    with pytest.raises(requirements.Misplaced, match="no test"):
        requirements.markers(f"def test_a():\n    pass\n\n\n# Requirement: C9\n{rest}", PYTHON)


def test_each_row_of_section_c_has_a_test_that_every_interpreter_runs():
    """An interpreter that shows no test of a row fails in scripts/matrix_table.py, and `make test` leaves rooms out."""
    left_out = re.search(r'^LEFT_OUT="(.*)"$', (ROOT / "scripts/matrix.sh").read_text(), re.MULTILINE)[1].split()
    tests = ROOT / "python/tests"
    everywhere, all_rows = set(), set()
    for path in tests.rglob("test_*.py"):
        rows = {row for row, _ in requirements.markers(path.read_text(), PYTHON) if row.startswith("C")}
        all_rows |= rows
        if path.relative_to(tests).parts[0] not in left_out:
            everywhere |= rows
    assert all_rows - everywhere == set()
